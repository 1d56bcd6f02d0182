package dev.agentpolicy.adapter.jdbc;

import dev.agentpolicy.domain.port.SealedKeys;
import dev.agentpolicy.domain.port.SealedKeysContract;
import dev.agentpolicy.domain.port.SettableClock;
import dev.agentpolicy.domain.port.StoreSamples;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.io.TempDir;

/** The contract of sealed keys, each test on a database of its own. */
class SealedKeysTest {

    @Nested
    class OnH2 extends Contract {
        @TempDir
        Path folder;

        @Override
        String url() {
            return TestStores.h2(folder);
        }
    }

    @Nested
    class OnPostgres extends Contract {

        @Override
        String url() {
            return TestPostgres.freshDatabase();
        }
    }

    abstract static class Contract implements SealedKeysContract {
        private @Nullable JdbcStore store;

        abstract String url();

        @Override
        public SealedKeys emptyKeys() {
            store = JdbcStore.open(TestStores.config(url(), new SettableClock(StoreSamples.START)));
            return store.sealedKeys();
        }

        @AfterEach
        void close() {
            if (store != null) {
                store.close();
            }
        }
    }
}
