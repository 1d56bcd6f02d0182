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
        answer(credentials().store(user, "broker", FIRST));
        answer(credentials().store(user, "other", SECOND));
        assertThat(answer(credentials().find(user, "broker"))).contains(FIRST);
        assertThat(answer(credentials().find(user, "other"))).contains(SECOND);
        assertThat(answer(credentials().find(StoreSamples.user(), "broker"))).isEmpty();
        answer(credentials().store(user, "broker", SECOND));
        assertThat(answer(credentials().find(user, "broker"))).contains(SECOND);
    }

    @Test
    default void deleted_credentials_are_not_found() {
        UserId user = StoreSamples.user();
        answer(credentials().store(user, "broker", FIRST));
        answer(credentials().store(user, "other", SECOND));

        assertThat(answer(credentials().delete(user, "broker"))).isTrue();
        assertThat(answer(credentials().delete(user, "broker"))).isFalse();

        assertThat(answer(credentials().find(user, "broker"))).isEmpty();
        assertThat(answer(credentials().find(user, "other"))).contains(SECOND);
    }

    @Test
    default void a_custodian_is_synced_from_when_its_credentials_are_stored_until_they_are_deleted() {
        UserId user = StoreSamples.user();
        CustodianRef custodian = new CustodianRef(user, "broker");
        answer(credentials().store(user, "broker", FIRST));

        assertThat(claimed(custodian)).isTrue();
        assertThat(claimed(custodian)).isFalse();
        answer(credentials().store(user, "broker", SECOND));
        assertThat(claimed(custodian)).isTrue();
        answer(credentials().delete(user, "broker"));
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
