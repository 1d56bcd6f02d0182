package dev.agentpolicy.adapter.jdbc.commit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.adapter.jdbc.OnTwoNodes;
import dev.agentpolicy.adapter.jdbc.TestPostgres;
import dev.agentpolicy.domain.account.LoadSpec;
import dev.agentpolicy.domain.account.Outcome.Recording;
import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.ips.Ips;
import dev.agentpolicy.domain.ips.IpsVersion;
import dev.agentpolicy.domain.port.Ports;
import dev.agentpolicy.domain.port.StoreSamples;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A node does not use what it has cached of a database that was restored since. */
class RestoredDatabaseTest extends OnTwoNodes {

    @Test
    void no_decision_uses_a_statement_that_a_restored_database_lost() {
        Runnable putBack = TestPostgres.backUp(url);
        amend(one, "0.05");
        putBack.run();
        amend(two, "0.07");

        assertThat(inForce(one)).isEqualTo(StoreSamples.ips("0.07"));
    }

    @Test
    void a_key_does_not_work_because_of_a_revision_that_a_restored_database_lost() {
        Runnable putBack = TestPostgres.backUp(url);
        AgentKey lost = StoreSamples.key(user);
        done(one, LoadSpec.NOTHING, account -> new Recording().key(lost).answer(receipts -> true));
        putBack.run();
        AgentKey revoked = key.revoked(clock.instant());
        done(two, LoadSpec.NOTHING, account -> new Recording().key(revoked).answer(receipts -> true));

        Set<AgentKey> seen = decided(
                one,
                account -> new Recording()
                        .tally(key.id(), account.tally(key.id()).plusCall())
                        .event(StoreSamples.decided(key.id(), true, account.now()))
                        .answer(receipts -> Set.copyOf(account.keys().values())));
        assertThat(seen).containsExactly(revoked);
    }

    private void amend(Ports node, String cashFloor) {
        done(
                node,
                LoadSpec.NOTHING,
                account -> new Recording()
                        .ips(new IpsVersion(1, StoreSamples.ips(cashFloor), account.now()))
                        .answer(receipts -> true));
    }

    private Ips inForce(Ports node) {
        return decided(
                node,
                account -> new Recording()
                        .tally(key.id(), account.tally(key.id()).plusCall())
                        .event(StoreSamples.decided(key.id(), true, account.now()))
                        .answer(receipts ->
                                Objects.requireNonNull(account.ips()).ips()));
    }
}
