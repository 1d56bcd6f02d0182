package dev.agentpolicy.adapter.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.account.LoadSpec;
import dev.agentpolicy.domain.account.Outcome.Recording;
import dev.agentpolicy.domain.custodian.CustodianConnections;
import dev.agentpolicy.domain.port.Ports;
import dev.agentpolicy.domain.port.StoreSamples;
import org.junit.jupiter.api.Test;

/** A node decides by the connections that another node recorded, although it has the account cached. */
class ConnectionsOfTwoNodesTest extends OnTwoNodes {
    private static final CustodianConnections CONNECTED =
            CustodianConnections.NONE.with(StoreSamples.connection("broker", StoreSamples.START));

    @Test
    void a_decision_on_a_cached_account_sees_the_connections_that_another_node_recorded() {
        connect(two, CONNECTED);

        assertThat(seenByDecision()).isEqualTo(CONNECTED);
        assertThat(seenByDecision()).isEqualTo(CONNECTED);
        connect(two, CustodianConnections.NONE);
        assertThat(seenByDecision()).isEqualTo(CustodianConnections.NONE);
    }

    @Test
    void connections_stay_when_decisions_are_appended_and_written_to_the_account() {
        connect(one, CONNECTED);
        for (int i = 0; i < 150; i++) {
            count(one);
        }

        assertThat(seenByDecision()).isEqualTo(CONNECTED);
        assertThat(two.accountReader().view(user).connections()).isEqualTo(CONNECTED);
        assertThat(two.accountReader()
                        .view(user, key)
                        .toCompletableFuture()
                        .join()
                        .connections())
                .isEqualTo(CONNECTED);
    }

    private void connect(Ports node, CustodianConnections connections) {
        done(
                node,
                LoadSpec.NOTHING,
                account -> new Recording().connections(connections).answer(receipts -> true));
    }

    private CustodianConnections seenByDecision() {
        return decided(
                one,
                account -> new Recording()
                        .tally(key.id(), account.tally(key.id()).plusCall())
                        .event(StoreSamples.decided(key.id(), true, account.now()))
                        .answer(receipts -> account.connections()));
    }
}
