package dev.agentpolicy.adapter.jdbc.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentpolicy.adapter.jdbc.OnLanes;
import dev.agentpolicy.domain.account.Change;
import dev.agentpolicy.domain.account.LoadSpec;
import dev.agentpolicy.domain.account.Unavailable;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.port.StoreSamples;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Changes while the connection to the database is lost, or while stored rows contradict each other. */
public abstract class LostConnectionTests extends OnLanes {

    @Test
    void a_commit_whose_answer_is_lost_is_recorded_once_and_answered() {
        UserId user = StoreSamples.user();
        AgentKeyId key = new AgentKeyId(UUID.randomUUID());
        answer(counted(ports, user, key));
        wire.loseAnswerOfNextCommit();
        wire.refuseConnections(0);
        Change<Long> change = counting(key);
        AtomicInteger applied = new AtomicInteger();
        Long count = answer(ports.accounts().change(user, StoreSamples.change(change.needs(), account -> {
            applied.incrementAndGet();
            return change.apply(account);
        })));

        assertThat(count).isEqualTo(2);
        assertThat(applied).hasValue(1);
        assertThat(chain(user)).hasSize(2);
        assertThat(answer(counted(ports, user, key))).isEqualTo(3);
        assertThat(verify(user).isIntact()).isTrue();
    }

    @Test
    void a_commit_whose_answer_is_lost_is_found_again_once_the_database_is_back() {
        UserId user = StoreSamples.user();
        AgentKeyId key = new AgentKeyId(UUID.randomUUID());
        answer(counted(ports, user, key));
        CompletionStage<Long> second = narrowlyLost(user, key);

        assertThat(answer(second)).isEqualTo(2);
        assertThat(chain(user)).hasSize(2);
    }

    @Test
    void a_commit_that_never_arrived_is_made_again() {
        UserId user = StoreSamples.user();
        AgentKeyId key = new AgentKeyId(UUID.randomUUID());
        answer(counted(ports, user, key));
        wire.loseNextCommit();

        assertThat(answer(counted(ports, user, key))).isEqualTo(2);
        assertThat(chain(user)).hasSize(2);
        assertThat(verify(user).isIntact()).isTrue();
    }

    @Test
    void without_a_connection_nothing_is_recorded_and_every_caller_gets_an_error() {
        UserId user = StoreSamples.user();
        AgentKeyId key = new AgentKeyId(UUID.randomUUID());
        answer(counted(ports, user, key));
        wire.refuseConnections(Integer.MAX_VALUE);
        CompletionStage<Long> during = counted(ports, user, key);

        assertThatThrownBy(() -> answer(during)).isInstanceOf(Unavailable.class).hasMessageContaining("nothing");
        wire.refuseConnections(0);
        assertThat(answer(counted(ports, user, key))).isEqualTo(2);
    }

    @Test
    void a_chain_that_is_ahead_of_its_account_by_more_than_decisions_is_never_forked() {
        UserId user = StoreSamples.user();
        UserId other = StoreSamples.user();
        AgentKeyId key = new AgentKeyId(UUID.randomUUID());
        answer(counted(ports, user, key));
        answer(countedLocked(ports, user, key));
        execute("UPDATE account SET chain_seq = 1 WHERE user_id = '" + user + "'");
        execute("UPDATE policy_event SET agent_key_id = NULL WHERE user_id = '" + user + "'");
        CompletionStage<Long> forking = counted(ports, user, key);
        CompletionStage<Long> sound = counted(ports, other, key);

        assertThatThrownBy(() -> answer(forking))
                .isInstanceOf(IllegalStateException.class)
                .hasStackTraceContaining("is at 2, its snapshot at 1");
        assertThat(answer(sound)).isEqualTo(1);
        assertThat(chain(user)).hasSize(2);
        assertThat(verify(user).isIntact()).isTrue();
    }

    private CompletionStage<Long> narrowlyLost(UserId user, AgentKeyId key) {
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch gate = new CountDownLatch(1);
        CompletionStage<Long> second = ports.accounts()
                .change(user, StoreSamples.change(LoadSpec.tally(key), account -> {
                    entered.countDown();
                    await(gate);
                    return counting(key).apply(account);
                }));
        await(entered);
        wire.loseAnswerOfNextCommit();
        wire.refuseConnections(3);
        gate.countDown();
        return second;
    }
}
