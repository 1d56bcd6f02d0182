package dev.agentpolicy.domain.port;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.custodian.BrokerCredentials;
import dev.agentpolicy.domain.custodian.BrokerEnvironment;
import dev.agentpolicy.domain.port.SyncSchedule.CustodianRef;
import java.time.Duration;
import java.util.UUID;
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

        assertThat(credentials().find(user, "broker")).isEmpty();
        credentials().store(user, "broker", 1, FIRST);
        credentials().store(user, "other", 2, SECOND);
        assertThat(credentials().find(user, "broker")).contains(FIRST);
        assertThat(credentials().find(user, "other")).contains(SECOND);
        assertThat(credentials().find(StoreSamples.user(), "broker")).isEmpty();
        credentials().store(user, "broker", 2, SECOND);
        assertThat(credentials().find(user, "broker")).contains(SECOND);
    }

    @Test
    default void deleted_credentials_are_not_found() {
        UserId user = StoreSamples.user();
        credentials().store(user, "broker", 1, FIRST);
        credentials().store(user, "other", 2, SECOND);

        assertThat(credentials().delete(user, "broker", 2)).isTrue();
        assertThat(credentials().delete(user, "broker", 2)).isFalse();

        assertThat(credentials().find(user, "broker")).isEmpty();
        assertThat(credentials().find(user, "other")).contains(SECOND);
    }

    @Test
    default void what_is_late_changes_nothing_of_later_credentials() {
        UserId user = StoreSamples.user();
        credentials().store(user, "broker", 3, SECOND);

        assertThat(credentials().store(user, "broker", 1, FIRST)).isFalse();
        assertThat(credentials().delete(user, "broker", 2)).isFalse();
        assertThat(credentials().find(user, "broker")).contains(SECOND);

        assertThat(credentials().store(user, "broker", 4, FIRST)).isTrue();
        assertThat(credentials().delete(user, "broker", 4)).isTrue();
        assertThat(credentials().find(user, "broker")).isEmpty();
    }

    @Test
    default void a_custodian_is_synced_from_when_its_credentials_are_stored_until_they_are_deleted() {
        UserId user = StoreSamples.user();
        CustodianRef custodian = new CustodianRef(user, "broker");
        credentials().store(user, "broker", 1, FIRST);

        assertThat(claimed(custodian)).isTrue();
        assertThat(claimed(custodian)).isFalse();
        credentials().store(user, "broker", 2, SECOND);
        assertThat(claimed(custodian)).isTrue();
        credentials().delete(user, "broker", 2);
        schedule().sooner(custodian, StoreSamples.START);
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
}
