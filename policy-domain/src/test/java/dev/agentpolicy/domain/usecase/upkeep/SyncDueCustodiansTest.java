package dev.agentpolicy.domain.usecase.upkeep;

import static dev.agentpolicy.domain.usecase.UseCaseFixture.USER;
import static dev.agentpolicy.domain.usecase.UseCaseFixture.given;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.account.Unavailable;
import dev.agentpolicy.domain.custodian.BrokerCredentials;
import dev.agentpolicy.domain.custodian.BrokerEnvironment;
import dev.agentpolicy.domain.custodian.CustodianConnection;
import dev.agentpolicy.domain.custodian.CustodianConnection.ConnectionStatus;
import dev.agentpolicy.domain.portfolio.CustodianHoldings.CustodianKind;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.usecase.UseCaseFixture;
import dev.agentpolicy.domain.usecase.custodian.ConnectRequest;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class SyncDueCustodiansTest {
    private static final BrokerCredentials KEY = new BrokerCredentials(BrokerEnvironment.PAPER, "key", "secret");
    private final UseCaseFixture fixture = new UseCaseFixture();
    private final SyncDueCustodians upkeep = node(1);

    @Test
    void a_custodian_is_synced_once_an_interval() {
        connect("a");
        assertThat(sweep()).isEqualTo(1);
        assertThat(sweep()).isZero();
        int syncs = fixture.broker.syncs();

        fixture.clock.advance(UseCaseFixture.SYNC_TIMES.interval());

        assertThat(sweep()).isEqualTo(1);
        assertThat(fixture.broker.syncs()).isEqualTo(syncs + 1);
    }

    @Test
    void a_custodian_that_is_away_is_asked_again_after_an_interval_without_growing_pauses() {
        connect("a");
        fixture.broker.away("Nobody answers.");
        for (int i = 0; i < 5; i++) {
            assertThat(sweep()).isEqualTo(1);
            fixture.clock.advance(UseCaseFixture.SYNC_TIMES.interval());
        }

        fixture.broker.away(null);
        assertThat(sweep()).isEqualTo(1);
        assertThat(fixture.store
                        .view(USER)
                        .connections()
                        .find("a")
                        .orElseThrow()
                        .lastSyncedAt())
                .isEqualTo(fixture.clock.instant());
    }

    @Test
    void a_sweep_takes_at_most_twenty_custodians() {
        for (int i = 0; i < 20; i++) {
            connect("a" + i);
        }
        fixture.credentials.store(USER, "removed", 0, KEY);

        assertThat(sweep()).isEqualTo(20);
        assertThat(sweep()).isEqualTo(1);
        assertThat(sweep()).isZero();
    }

    @Test
    void the_credentials_of_a_custodian_that_does_not_exist_are_deleted() {
        fixture.credentials.store(USER, "removed", 0, KEY);

        sweep();

        assertThat(fixture.credentials.all()).isEmpty();
    }

    @Test
    void after_a_start_every_custodian_is_due() {
        connect("a");
        sweep();
        SyncDueCustodians restarted = node(2);

        restarted.begin();

        assertThat(restarted.sweep()).isEqualTo(1);
    }

    @Test
    void a_sync_that_breaks_by_a_bug_is_reported_and_shown_at_its_custodian() {
        connect("a");
        RuntimeException bug = new IllegalStateException("A bug.");
        fixture.broker.breaks(bug);

        assertThat(sweep()).isEqualTo(1);

        assertThat(fixture.failures).containsExactly(bug);
        assertThat(connection().status()).isEqualTo(ConnectionStatus.STALE);
        assertThat(connection().error()).startsWith("An error in this service keeps its report from being recorded");
        fixture.broker.breaks(null);
        fixture.clock.advance(UseCaseFixture.SYNC_TIMES.interval());
        assertThat(sweep()).isEqualTo(1);
        assertThat(connection().status()).isEqualTo(ConnectionStatus.CONNECTED);
        assertThat(connection().error()).isNull();
    }

    private CustodianConnection connection() {
        return fixture.store.view(USER).connections().find("a").orElseThrow();
    }

    @Test
    void a_failure_of_the_store_does_not_keep_the_custodian() {
        connect("a");
        fixture.store.away(true);
        assertThat(sweep()).isEqualTo(1);
        assertThat(fixture.failures).isNotEmpty().allMatch(Unavailable.class::isInstance);
        fixture.store.away(false);
        fixture.clock.advance(UseCaseFixture.SYNC_TIMES.interval());

        assertThat(node(2).sweep()).isEqualTo(1);
    }

    private SyncDueCustodians node(int number) {
        return new SyncDueCustodians(
                fixture.store,
                fixture.schedule,
                fixture.credentials,
                fixture.sync,
                UseCaseFixture.SYNC_TIMES,
                new UUID(0, number),
                fixture.clock,
                bound -> bound - 1,
                fixture.threads,
                (custodian, failed) -> fixture.failures.add(failed));
    }

    private int sweep() {
        return upkeep.sweep();
    }

    private void connect(String id) {
        fixture.broker.cash(Usd.of(1));
        fixture.broker.account("account of " + id);
        given(fixture.connect.connect(USER, id, new ConnectRequest(CustodianKind.ALPACA, id, KEY)));
        fixture.clock.advance(Duration.ofMillis(1));
    }
}
