package dev.agentpolicy.domain.port;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.custodian.BrokerCredentials;
import dev.agentpolicy.domain.custodian.BrokerEnvironment;
import dev.agentpolicy.domain.port.SyncSchedule.CustodianRef;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The contract of {@link CustodianCredentials}. */
public interface CustodianCredentialsContract {
    BrokerCredentials FIRST = new BrokerCredentials(BrokerEnvironment.PAPER, "PK123", "secret/é+1");
    BrokerCredentials SECOND = new BrokerCredentials(BrokerEnvironment.LIVE, "AK456", "other");

    CustodianCredentials credentials();

    /** The schedule that gets the custodians. */
    SyncSchedule schedule();

    @Test
    default void credentials_are_found_as_they_were_stored_and_replaced() {
        UserId user = StoreSamples.user();

        assertThat(answer(credentials().find(user, "broker"))).isEmpty();
        answer(credentials().store(user, "broker", 1, FIRST));
        answer(credentials().store(user, "other", 2, SECOND));
        assertThat(answer(credentials().find(user, "broker"))).contains(FIRST);
        assertThat(answer(credentials().find(user, "other"))).contains(SECOND);
        assertThat(answer(credentials().find(StoreSamples.user(), "broker"))).isEmpty();
        answer(credentials().store(user, "broker", 2, SECOND));
        assertThat(answer(credentials().find(user, "broker"))).contains(SECOND);
    }

    @Test
    default void deleted_credentials_are_not_found() {
        UserId user = StoreSamples.user();
        answer(credentials().store(user, "broker", 1, FIRST));
        answer(credentials().store(user, "other", 2, SECOND));

        assertThat(answer(credentials().delete(user, "broker", 2))).isTrue();
        assertThat(answer(credentials().delete(user, "broker", 2))).isFalse();

        assertThat(answer(credentials().find(user, "broker"))).isEmpty();
        assertThat(answer(credentials().find(user, "other"))).contains(SECOND);
    }

    @Test
    default void what_is_late_changes_nothing_of_later_credentials() {
        UserId user = StoreSamples.user();
        answer(credentials().store(user, "broker", 3, SECOND));

        assertThat(answer(credentials().store(user, "broker", 1, FIRST))).isFalse();
        assertThat(answer(credentials().delete(user, "broker", 2))).isFalse();
        assertThat(answer(credentials().find(user, "broker"))).contains(SECOND);

        assertThat(answer(credentials().store(user, "broker", 4, FIRST))).isTrue();
        assertThat(answer(credentials().delete(user, "broker", 4))).isTrue();
        assertThat(answer(credentials().find(user, "broker"))).isEmpty();
    }

    @Test
    default void a_custodian_is_synced_from_when_its_credentials_are_stored_until_they_are_deleted() {
        UserId user = StoreSamples.user();
        CustodianRef custodian = new CustodianRef(user, "broker");
        answer(credentials().store(user, "broker", 1, FIRST));

        assertThat(claimed(custodian)).isTrue();
        assertThat(claimed(custodian)).isFalse();
        answer(credentials().store(user, "broker", 2, SECOND));
        assertThat(claimed(custodian)).isTrue();
        answer(credentials().delete(user, "broker", 2));
        answer(schedule().sooner(custodian, StoreSamples.START));
        assertThat(claimed(custodian)).isFalse();
    }

    private boolean claimed(CustodianRef custodian) {
        return schedule()
                .claim(
                        new UUID(0, 1),
                        StoreSamples.START,
                        Duration.ofMinutes(1),
                        StoreSamples.START.plusSeconds(60),
                        10_000)
                .contains(custodian);
    }

    private static <T> T answer(CompletionStage<T> stage) {
        return stage.toCompletableFuture().orTimeout(20, TimeUnit.SECONDS).join();
    }
}
