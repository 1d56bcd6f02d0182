package dev.agentpolicy.domain.usecase.agent;

import static dev.agentpolicy.domain.usecase.UseCaseFixture.USER;
import static dev.agentpolicy.domain.usecase.UseCaseFixture.given;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.custodian.BrokerCredentials;
import dev.agentpolicy.domain.custodian.BrokerEnvironment;
import dev.agentpolicy.domain.custodian.StaleCustodian;
import dev.agentpolicy.domain.portfolio.CustodianHoldings;
import dev.agentpolicy.domain.portfolio.CustodianHoldings.CustodianKind;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.rule.Rule;
import dev.agentpolicy.domain.sample.SampleValues;
import dev.agentpolicy.domain.trade.AssetType;
import dev.agentpolicy.domain.usecase.UseCaseFixture;
import dev.agentpolicy.domain.usecase.agent.ReadHeadroom.AssetHeadroom;
import dev.agentpolicy.domain.usecase.agent.ReadState.AccountHoldings;
import dev.agentpolicy.domain.usecase.custodian.ConnectRequest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What agents read while a synced custodian was heard of, and while it was not heard of for too long. */
class StaleMandateTest {
    private static final StaleCustodian STALE = new StaleCustodian("alpaca", "Alpaca", SampleValues.NOON);
    private final UseCaseFixture fixture = UseCaseFixture.furnished();
    private final Caller agent = fixture.agent("{}");
    private final ReadState read = new ReadState(fixture.store, fixture.store.dailyCalls(), fixture.clock);

    @BeforeEach
    void connect() {
        fixture.broker.cash(Usd.of(1_000)).position("BTC", AssetType.CRYPTO, "0.01", "30000");
        given(fixture.connect.connect(
                USER,
                "alpaca",
                new ConnectRequest(
                        CustodianKind.ALPACA,
                        "Alpaca",
                        new BrokerCredentials(BrokerEnvironment.PAPER, "key", "secret"))));
    }

    @Test
    void until_the_largest_age_a_mandate_and_a_headroom_have_a_snapshot() {
        fixture.clock.advance(UseCaseFixture.SYNC_TIMES.maxAge());

        AccountHoldings holdings = mandate();
        AssetHeadroom headroom = headroom();

        assertThat(holdings.stale()).isNull();
        assertThat(holdings.snapshot()).isEqualTo(fixture.portfolio().snapshot().orElseThrow());
        assertThat(headroom.snapshot()).isEqualTo(holdings.snapshot());
        assertThat(headroom.now().maxAllowed()).isEqualTo(Usd.of(5_155));
        assertThat(headroom.now().binding().rule()).isEqualTo(Rule.CRYPTO_MAX_ALLOCATION);
    }

    @Test
    void after_it_a_mandate_shows_the_holdings_without_a_snapshot_and_names_the_custodian() {
        fixture.clock.advance(UseCaseFixture.SYNC_TIMES.maxAge().plusNanos(1_000));

        AccountHoldings holdings = mandate();

        assertThat(holdings.stale()).isEqualTo(STALE);
        assertThat(holdings.snapshot()).isNull();
        assertThat(holdings.portfolio()).isEqualTo(fixture.portfolio());
        assertThat(given(read.holdings(agent))).isEqualTo(holdings);
    }

    @Test
    void after_it_nothing_may_be_traded_of_any_asset() {
        fixture.clock.advance(Duration.ofMinutes(22));

        AssetHeadroom headroom = headroom();
        List<AssetHeadroom> all = given(CompletableFuture.completedFuture(fixture.headroom.all(agent, null)));

        assertThat(headroom.snapshot()).isNull();
        assertThat(headroom.ipsVersion()).isOne();
        assertThat(headroom.now().maxAllowed()).isNull();
        assertThat(headroom.now().binding().message()).isEqualTo("Alpaca was last heard of 22 minutes ago.");
        assertThat(all).extracting(it -> it.asked().symbol()).containsExactly("BTC", "BTC", "SPY", "SPY");
        assertThat(all).allSatisfy(it -> {
            assertThat(it.now().maxAllowed()).isNull();
            assertThat(it.now().binding().rule()).isEqualTo(Rule.NO_PORTFOLIO_SNAPSHOT);
            assertThat(it.snapshot()).isNull();
        });
    }

    @Test
    void pending_requests_do_not_make_up_for_a_missing_snapshot() {
        fixture.queued(agent, "buy 1000 BTC crypto");
        fixture.clock.advance(Duration.ofMinutes(22));

        assertThat(headroom().ifPendingAccepted()).isEqualTo(headroom().now());
    }

    @Test
    void after_a_sync_the_snapshot_is_back_and_the_holdings_have_the_time_of_the_sync() {
        fixture.clock.advance(Duration.ofMinutes(22));
        CustodianHoldings before = held();
        given(fixture.connect.sync(USER, "alpaca"));

        AccountHoldings holdings = mandate();

        assertThat(holdings.stale()).isNull();
        assertThat(holdings.snapshot()).isNotNull();
        assertThat(held()).isEqualTo(before);
        assertThat(holdings.syncedAt(held())).isEqualTo(fixture.clock.instant());
        assertThat(headroom().now().maxAllowed()).isEqualTo(Usd.of(5_155));
    }

    @Test
    void a_paper_custodian_keeps_the_time_of_its_own_holdings() {
        CustodianHoldings paper = fixture.portfolio().custodian("broker").orElseThrow();
        fixture.clock.advance(Duration.ofMinutes(22));

        assertThat(mandate().syncedAt(paper)).isEqualTo(paper.syncedAt());
    }

    private AccountHoldings mandate() {
        return given(read.mandate(agent, null)).holdings();
    }

    private CustodianHoldings held() {
        return fixture.portfolio().custodian("alpaca").orElseThrow();
    }

    private AssetHeadroom headroom() {
        return given(CompletableFuture.completedFuture(
                fixture.headroom.of(agent, null, SampleValues.sent("buy 0 BTC crypto"))));
    }
}
