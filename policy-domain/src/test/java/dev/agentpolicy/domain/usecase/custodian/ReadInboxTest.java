package dev.agentpolicy.domain.usecase.custodian;

import static dev.agentpolicy.domain.usecase.UseCaseFixture.USER;
import static dev.agentpolicy.domain.usecase.UseCaseFixture.given;
import static dev.agentpolicy.domain.usecase.UseCaseFixture.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.account.Outcome.Recording;
import dev.agentpolicy.domain.agent.Scope;
import dev.agentpolicy.domain.custodian.OrderState;
import dev.agentpolicy.domain.event.passkey.ChangeProtection;
import dev.agentpolicy.domain.event.passkey.ChangeProtection.DroppedIps;
import dev.agentpolicy.domain.event.passkey.ScheduledIps;
import dev.agentpolicy.domain.event.tlog.LogPolicy.MissingWitness;
import dev.agentpolicy.domain.event.tlog.LogPolicy.Witnessing;
import dev.agentpolicy.domain.event.tlog.LogStatus;
import dev.agentpolicy.domain.event.tlog.LogStatus.Stop;
import dev.agentpolicy.domain.event.tlog.VerifierKey;
import dev.agentpolicy.domain.port.ConnectionStore;
import dev.agentpolicy.domain.port.ConnectionStore.AskedConnection;
import dev.agentpolicy.domain.port.ConnectionStore.AskingClient;
import dev.agentpolicy.domain.port.ConnectionStore.AuthorizationRequest;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.sample.SampleValues;
import dev.agentpolicy.domain.trade.Action;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import dev.agentpolicy.domain.usecase.Refusal.Code;
import dev.agentpolicy.domain.usecase.request.InboxItem;
import dev.agentpolicy.domain.usecase.request.InboxItem.Kind;
import dev.agentpolicy.domain.usecase.request.InboxItem.Severity;
import dev.agentpolicy.domain.usecase.request.ReadInbox;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What needs the owner, of each kind: that it is told, that it ends, and that it comes back when it happens anew. */
class ReadInboxTest extends BrokerHousehold {
    private @Nullable LogStatus log;
    private final ReadInbox inbox = new ReadInbox(
            fixture.store,
            fixture.store.requestQueue(),
            fixture.store.fillLog(),
            fixture.store.eventLog(),
            fixture.store.users(),
            fixture.store.connections(),
            () -> Optional.ofNullable(log),
            fixture.clock);

    @Test
    void an_account_where_all_is_well_has_an_empty_inbox() {
        assertThat(inbox.read(USER)).isEmpty();
        assertThat(refused(inbox.done(USER, "request-1")).code()).isEqualTo(Code.NOT_FOUND);
    }

    @Test
    void a_request_stays_until_it_is_answered() {
        long id = fixture.queued(agent, "buy 2000 BTC crypto");

        InboxItem item = only(Kind.REQUEST);
        assertThat(item.id()).isEqualTo("request-" + id);
        assertThat(item.title()).endsWith(" asks to buy BTC for $2,000.");
        assertThat(item.href()).isEqualTo("/requests/" + id);
        assertThat(refused(inbox.done(USER, item.id())).code()).isEqualTo(Code.INVALID);
        given(fixture.attest.reject(USER, id, null));
        assertThat(inbox.read(USER)).isEmpty();
    }

    @Test
    void a_request_that_expired_is_not_told() {
        fixture.queued(agent, "buy 2000 BTC crypto");
        fixture.clock.advance(Duration.ofDays(8));

        assertThat(kinds()).doesNotContain(Kind.REQUEST);
    }

    @Test
    void a_failed_order_is_told_first_and_then_the_request_that_waits_again_until_the_next_one_fails() {
        long id = failed(fixture.queued(agent, "buy 2000 BTC crypto"));
        InboxItem failed = only(Kind.ORDER_FAILED);
        assertThat(failed.severity()).isEqualTo(Severity.HIGH);
        assertThat(failed.title()).startsWith("Not executed: ");

        given(inbox.done(USER, failed.id()));
        assertThat(only(Kind.REQUEST).id()).isEqualTo("request-" + id);

        failed(id);
        assertThat(only(Kind.ORDER_FAILED).id()).isNotEqualTo(failed.id());
    }

    @Test
    void a_policy_that_waits_stays_until_it_is_cancelled_and_one_that_was_dropped_until_the_user_is_done_with_it() {
        ScheduledIps scheduled = new ScheduledIps(
                SampleValues.plainIps(),
                true,
                List.of(),
                SampleValues.NOON,
                SampleValues.NOON.plus(Duration.ofHours(24)),
                null);
        protect(ChangeProtection.NONE.scheduling(scheduled));
        InboxItem waiting = only(Kind.SCHEDULED_POLICY);
        assertThat(waiting.title()).isEqualTo("A looser policy comes into force at 2026-11-22T12:00:00.000000Z.");
        assertThat(refused(inbox.done(USER, waiting.id())).code()).isEqualTo(Code.INVALID);

        protect(ChangeProtection.NONE.dropping(
                new DroppedIps(SampleValues.NOON, SampleValues.NOON.plusSeconds(1), "It is wrong.")));
        InboxItem dropped = only(Kind.SCHEDULED_POLICY);
        assertThat(dropped.title()).isEqualTo("The policy that waited was dropped: It is wrong.");
        given(inbox.done(USER, dropped.id()));
        assertThat(inbox.read(USER)).isEmpty();
    }

    @Test
    void a_program_that_asks_to_be_connected_waits_for_who_has_seen_it_for_ten_minutes() {
        Instant now = fixture.clock.instant();
        AuthorizationRequest request = new AuthorizationRequest(
                UUID.randomUUID(),
                "b".repeat(64),
                new AskedConnection(
                        new AskingClient("client", "Robot", "robot.example", false),
                        "https://robot.example/cb",
                        null,
                        Set.of(Scope.READ),
                        "c".repeat(43),
                        "https://policy.example"),
                now.plus(ConnectionStore.REQUEST_AGE),
                false);
        fixture.store.connections().begin(request);
        assertThat(inbox.read(USER)).isEmpty();

        fixture.store.connections().seen(request.id(), USER);
        InboxItem item = only(Kind.CONNECTION);
        assertThat(item.title())
                .isEqualTo("Robot of robot.example asks to be connected; answer in the browser that it opened.");
        assertThat(item.href()).isEqualTo("/connect/" + request.id());
        assertThat(item.since()).isEqualTo(now);
        assertThat(refused(inbox.done(USER, item.id())).code()).isEqualTo(Code.INVALID);
        fixture.clock.advance(ConnectionStore.REQUEST_AGE);
        assertThat(inbox.read(USER)).isEmpty();
    }

    @Test
    void a_log_that_is_stopped_has_no_quorum_or_lacks_a_witness_is_told_until_that_happens_anew() {
        Instant since = fixture.clock.instant();
        log = new LogStatus(new Witnessing(3, List.of(), null), null);
        assertThat(inbox.read(USER)).isEmpty();

        log = new LogStatus(
                new Witnessing(3, List.of(missing("a.example", since), missing("b.example", since)), since),
                new Stop("it was put back.", since));
        assertThat(inbox.read(USER))
                .extracting(InboxItem::title)
                .containsExactly(
                        "The log of this service is stopped: it was put back.",
                        "Too few witnesses cosign the log of this service: 1 of 3.",
                        "The witness a.example does not cosign the log of this service: it is away, or was left out.",
                        "The witness b.example does not cosign the log of this service: it is away, or was left out.");
        inbox.read(USER).forEach(item -> given(inbox.done(USER, item.id())));
        assertThat(inbox.read(USER)).isEmpty();

        log = new LogStatus(new Witnessing(3, List.of(missing("a.example", since.plusSeconds(1))), null), null);
        assertThat(only(Kind.LOG).severity()).isEqualTo(Severity.LOW);
    }

    private static MissingWitness missing(String name, Instant since) {
        return new MissingWitness(VerifierKey.of(name, VerifierKey.COSIGNATURE, "A".repeat(43)), since);
    }

    private void protect(ChangeProtection protection) {
        fixture.store.changeAndWait(
                USER,
                account -> new Recording()
                        .passkeys(account.passkeys().protectedBy(protection))
                        .answer(receipts -> true));
    }

    @Test
    void an_order_that_is_open_for_a_day_is_stuck() {
        accepted("buy 2000 BTC crypto");
        fixture.clock.advance(Duration.ofHours(23));
        sync();
        assertThat(inbox.read(USER)).isEmpty();

        fixture.clock.advance(Duration.ofHours(2));
        sync();

        assertThat(kinds()).contains(Kind.ORDER_STUCK);
    }

    @Test
    void a_trade_at_the_broker_that_nobody_accepted_is_told_until_the_user_is_done_with_it() {
        fixture.broker.traded(null, Action.BUY, new AssetSymbol("SPY"), AssetType.TRADFI, "2", "550");
        sync();
        InboxItem told = only(Kind.UNATTESTED_FILL);
        assertThat(told.title()).isEqualTo("You did not accept this trade at Alpaca: buy SPY for $1,100.");

        given(inbox.done(USER, told.id()));
        given(inbox.done(USER, told.id()));
        assertThat(inbox.read(USER)).isEmpty();

        fixture.broker.traded(null, Action.BUY, new AssetSymbol("SPY"), AssetType.TRADFI, "1", "550");
        sync();
        assertThat(only(Kind.UNATTESTED_FILL).id()).isNotEqualTo(told.id());
    }

    @Test
    void a_portfolio_outside_of_its_limits_is_told_once_for_each_time() {
        cash(2_000);
        InboxItem out = only(Kind.OUT_OF_LIMITS);
        assertThat(out.subject()).isEqualTo("cash_floor");
        assertThat(out.title()).startsWith("Cash is ").contains("; your policy wants at least ");
        given(inbox.done(USER, out.id()));
        assertThat(inbox.read(USER)).isEmpty();
        for (int i = 0; i <= 1_000; i++) {
            given(fixture.amendIps.pause(USER, i % 2 == 0));
        }
        assertThat(inbox.read(USER)).isEmpty();

        cash(15_000);
        assertThat(inbox.read(USER)).isEmpty();
        cash(2_000);

        assertThat(only(Kind.OUT_OF_LIMITS).id()).isNotEqualTo(out.id());
    }

    @Test
    void a_custodian_that_is_away_or_refuses_is_told_once_for_each_time() {
        fixture.broker.away("Alpaca does not answer.");
        sync();
        InboxItem away = only(Kind.CUSTODIAN);
        assertThat(away.title()).isEqualTo("Alpaca is away: Alpaca does not answer.");
        given(inbox.done(USER, away.id()));
        assertThat(inbox.read(USER)).isEmpty();

        fixture.broker.away(null);
        fixture.clock.advance(Duration.ofMinutes(1));
        sync();
        assertThat(inbox.read(USER)).isEmpty();
        fixture.broker.refusing("The key was revoked.");
        sync();

        InboxItem refuses = only(Kind.CUSTODIAN);
        assertThat(refuses.severity()).isEqualTo(Severity.HIGH);
        assertThat(refuses.title()).contains("The key was revoked.");
    }

    @Test
    void what_only_an_approval_is_missing_for_is_told_until_it_is_there() {
        given(fixture.amendIps.put(USER, SampleValues.ips("""
                {"standingRules":[{"id":"large","effect":"require_approval","when":{"amountUsdAbove":1000}}]}""")));
        fixture.proposed(agent, "buy 2000 BTC crypto", "one");
        fixture.proposed(agent, "buy 2000 BTC crypto", "two");
        fixture.proposed(agent, "buy 90000 BTC crypto", "three");

        InboxItem asked = only(Kind.APPROVABLE);
        assertThat(asked.title()).endsWith(" asked to buy BTC for $2,000; large blocks it unless you allow it.");
        given(inbox.done(USER, asked.id()));
        assertThat(inbox.read(USER)).isEmpty();
    }

    @Test
    void the_gravest_comes_first_and_then_the_newest() {
        fixture.queued(agent, "buy 1000 BTC crypto");
        fixture.clock.advance(Duration.ofSeconds(1));
        long newer = fixture.queued(agent, "buy 1500 BTC crypto");
        fixture.broker.refusing("The key was revoked.");
        sync();

        List<InboxItem> items = inbox.read(USER);
        assertThat(items).extracting(InboxItem::kind).containsExactly(Kind.CUSTODIAN, Kind.REQUEST, Kind.REQUEST);
        assertThat(items.get(1).id()).isEqualTo("request-" + newer);
    }

    private long failed(long id) {
        given(fixture.attest.accept(USER, id));
        fixture.broker.end(orderId(id), new OrderState.Expired());
        sync();
        return id;
    }

    /** Moves cash at the broker, and waits until it is confirmed. */
    private void cash(long usd) {
        fixture.broker.cash(Usd.of(usd));
        fixture.clock.advance(Duration.ofSeconds(10));
        sync();
    }

    private List<Kind> kinds() {
        return inbox.read(USER).stream().map(InboxItem::kind).toList();
    }

    private InboxItem only(Kind kind) {
        assertThat(kinds()).containsExactly(kind);
        return inbox.read(USER).get(0);
    }
}
