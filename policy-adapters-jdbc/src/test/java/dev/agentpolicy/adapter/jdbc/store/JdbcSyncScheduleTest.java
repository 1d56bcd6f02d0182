package dev.agentpolicy.adapter.jdbc.store;

import dev.agentpolicy.adapter.jdbc.JdbcStore;
import dev.agentpolicy.adapter.jdbc.TestPostgres;
import dev.agentpolicy.adapter.jdbc.TestStores;
import dev.agentpolicy.adapter.signing.KeyRing;
import dev.agentpolicy.domain.custodian.BrokerEnvironment;
import dev.agentpolicy.domain.port.SyncSchedule;
import dev.agentpolicy.domain.port.SyncSchedule.CustodianRef;
import dev.agentpolicy.domain.port.SyncScheduleContract;
import java.nio.file.Path;
import java.time.InstantSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.io.TempDir;

class JdbcSyncScheduleTest {

    /** The contract, on two nodes with one database. */
    abstract static class TwoNodes implements SyncScheduleContract {
        private static final InstantSource CLOCK = InstantSource.fixed(NOW);

        @TempDir
        Path folder;

        private JdbcStore one;
        private JdbcStore two;

        abstract String url();

        @BeforeEach
        void open() {
            String url = url();
            one = JdbcStore.open(TestStores.config(url, CLOCK));
            two = JdbcStore.open(TestStores.config(url, CLOCK));
            KeyRing.open(folder.resolve("master-key.json"), one.sealedKeys(), CLOCK);
        }

        @AfterEach
        void close() {
            one.close();
            two.close();
        }

        @Override
        public SyncSchedule schedule() {
            return one.syncSchedule();
        }

        @Override
        public SyncSchedule otherNode() {
            return two.syncSchedule();
        }

        @Override
        public void connect(CustodianRef custodian) {
            one.sealedCredentials()
                    .store(custodian.user(), custodian.custodian(), 1, BrokerEnvironment.PAPER, key -> new byte[] {1});
        }
    }

    @Nested
    class OnH2 extends TwoNodes {
        @Override
        String url() {
            return TestStores.h2(folder);
        }
    }

    @Nested
    class OnPostgres extends TwoNodes {
        @Override
        String url() {
            return TestPostgres.freshDatabase();
        }
    }
}
