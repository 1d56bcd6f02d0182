package dev.agentpolicy.adapter.custodian;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.alpaca.StandInAccount;
import dev.agentpolicy.alpaca.StandInDesk;
import dev.agentpolicy.alpaca.StandInMarket.Execution;
import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.KeyPolicy;
import dev.agentpolicy.domain.agent.KeyRequest;
import dev.agentpolicy.domain.agent.KeyType;
import dev.agentpolicy.domain.agent.Scope;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.custodian.BrokerCredentials;
import dev.agentpolicy.domain.custodian.BrokerEnvironment;
import dev.agentpolicy.domain.custodian.CustodianConnection;
import dev.agentpolicy.domain.custodian.CustodianConnection.ConnectionStatus;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.event.canonical.CanonicalForm;
import dev.agentpolicy.domain.event.chain.EventKind;
import dev.agentpolicy.domain.event.chain.PolicyEvent;
import dev.agentpolicy.domain.event.page.EventQuery;
import dev.agentpolicy.domain.event.recompute.Recomputation;
import dev.agentpolicy.domain.ips.AllocationBand;
import dev.agentpolicy.domain.ips.Ips;
import dev.agentpolicy.domain.port.EventSigner;
import dev.agentpolicy.domain.port.InMemoryCustodianCredentials;
import dev.agentpolicy.domain.port.InMemoryPaperBooks;
import dev.agentpolicy.domain.port.InMemoryStore;
import dev.agentpolicy.domain.port.InMemorySyncSchedule;
import dev.agentpolicy.domain.port.JdkPasskeyVerifier;
import dev.agentpolicy.domain.port.SettableClock;
import dev.agentpolicy.domain.portfolio.CustodianHoldings;
import dev.agentpolicy.domain.portfolio.CustodianHoldings.CustodianKind;
import dev.agentpolicy.domain.portfolio.HoldingsDocument;
import dev.agentpolicy.domain.quantity.Fraction;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.request.OrderAttempt;
import dev.agentpolicy.domain.request.ProposalBody;
import dev.agentpolicy.domain.request.ServiceRequest;
import dev.agentpolicy.domain.request.ServiceRequest.Completed;
import dev.agentpolicy.domain.request.ServiceRequest.Pending;
import dev.agentpolicy.domain.sample.ExperimentSettings;
import dev.agentpolicy.domain.sample.SeededRandomSource;
import dev.agentpolicy.domain.trade.Action;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import dev.agentpolicy.domain.trade.SentTrade;
import dev.agentpolicy.domain.trade.Trade;
import dev.agentpolicy.domain.usecase.Answer;
import dev.agentpolicy.domain.usecase.FanOut;
import dev.agentpolicy.domain.usecase.KeyCheck;
import dev.agentpolicy.domain.usecase.OwnerLimits;
import dev.agentpolicy.domain.usecase.agent.AgentLimits;
import dev.agentpolicy.domain.usecase.agent.Caller;
import dev.agentpolicy.domain.usecase.agent.ProposeTrade;
import dev.agentpolicy.domain.usecase.custodian.ConnectCustodian;
import dev.agentpolicy.domain.usecase.custodian.ConnectRequest;
import dev.agentpolicy.domain.usecase.custodian.ExecuteOrders;
import dev.agentpolicy.domain.usecase.custodian.PaperCustodian;
import dev.agentpolicy.domain.usecase.custodian.SyncCustodian;
import dev.agentpolicy.domain.usecase.custodian.SyncTimes;
import dev.agentpolicy.domain.usecase.policy.AmendIps;
import dev.agentpolicy.domain.usecase.policy.IssueKeys;
import dev.agentpolicy.domain.usecase.request.AttestRequest;
import dev.agentpolicy.domain.usecase.signin.PasskeyProofs;
import java.math.BigDecimal;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A broker that lies in every field of its answers, and then tells the truth again: there is no second order for an
 * acceptance, no request is stuck, nothing is signed that is not a plain number in bounds, and the account is usable.
 */
@Tag("slow")
class LyingBrokerTest {
    private static final int LIVES = ExperimentSettings.times("lives", 600, 10_000);
    /** Calls that are repeated wait a little, so that many accounts live at once. */
    private static final int AT_ONCE = 32;

    private final long seed = ExperimentSettings.seed(LyingBrokerTest.class);

    @Test
    void a_broker_that_lies_in_every_field_neither_doubles_nor_sticks_nor_signs_nor_breaks_anything() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE);
        try {
            List<Future<?>> lives = new ArrayList<>();
            for (int i = 0; i < LIVES; i++) {
                long own = seed + i;
                lives.add(threads.submit(() -> live(own)));
            }
            for (Future<?> life : lives) {
                life.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private static void live(long seed) {
        try {
            new Life(new Random(seed)).live();
        } catch (RuntimeException | AssertionError failed) {
            throw new AssertionError("Repeat with -Dseed=" + seed + " -Dlives=1", failed);
        }
    }

    /** What is signed matters here, and not by whom. */
    private static final class NoSigner implements EventSigner {
        @Override
        public String keyId() {
            return "k".repeat(43);
        }

        @Override
        public String sign(String message) {
            return "s".repeat(86);
        }
    }

    /** One account at a broker that lies for a while. */
    private static final class Life {
        private static final UserId USER = new UserId(new UUID(0, 1));
        private static final String ALPACA = "alpaca";
        private static final int MAX_PROPOSALS = 6;
        private static final RetryPolicy ONCE =
                new RetryPolicy(1, Duration.ofSeconds(30), Duration.ofMillis(1), Duration.ofMillis(1));

        private final SettableClock clock = new SettableClock(Instant.parse("2026-11-21T12:00:00Z"));
        private final Random random;
        private final StandInDesk desk = new StandInDesk(clock);
        private final StandInAccount account;
        private final LyingLine line;
        private final InMemoryStore store = new InMemoryStore(clock, new NoSigner());
        private final ConnectCustodian connect;
        private final SyncCustodian sync;
        private final ExecuteOrders orders;
        private final AttestRequest attest;
        private final ProposeTrade propose;
        private final AmendIps amend;
        private final Caller agent;
        private int proposals;

        Life(Random random) {
            this.random = random;
            this.line = new LyingLine(desk, random);
            desk.market()
                    .coin("BTC/USD", "50000")
                    .coin("ETH/USD", "2500")
                    .share("SPY", "500")
                    .share("AAPL", "200");
            this.account = desk.account("one", "10000").hold("BTC/USD", "0.1").hold("SPY", "20");
            RetryPolicy policy = random.nextInt(4) == 0 ? Broker.attempts(2, ONCE) : ONCE;
            AlpacaTransport transport =
                    new AlpacaTransport(URI.create("http://127.0.0.1:1"), policy, clock, () -> line);
            AlpacaEndpoints endpoints = new AlpacaEndpoints(transport, Optional.empty(), transport);
            InMemorySyncSchedule schedule = new InMemorySyncSchedule();
            InMemoryCustodianCredentials credentials = new InMemoryCustodianCredentials(schedule);
            AlpacaCustodian custodian = new AlpacaCustodian(endpoints, credentials, clock);
            SyncTimes times = new SyncTimes(Duration.ofMinutes(1), Duration.ofMinutes(15));
            FanOut threads = new FanOut(Runnable::run);
            this.sync = new SyncCustodian(store, custodian, store.brokerAccounts(), schedule, times, threads);
            this.orders = new ExecuteOrders(
                    store,
                    store.requestQueue(),
                    custodian,
                    sync,
                    threads,
                    (of, failed) -> {
                        throw failed;
                    },
                    clock);
            SeededRandomSource source = new SeededRandomSource(random);
            PasskeyProofs proofs =
                    new PasskeyProofs(new JdkPasskeyVerifier(), store.passkeyChallenges(), source, clock);
            this.attest = new AttestRequest(store, store.requestQueue(), orders, proofs);
            this.propose = new ProposeTrade(store, KeyCheck.IN_ACCOUNT, AgentLimits.NONE, Duration.ofDays(7));
            this.amend = new AmendIps(store, OwnerLimits.NONE, Runnable::run);
            this.connect = new ConnectCustodian(
                    store,
                    store,
                    custodian,
                    store.brokerAccounts(),
                    credentials,
                    new PaperCustodian(new InMemoryPaperBooks(), clock),
                    sync);
            given(amend.put(USER, anyTrade()));
            KeyRequest asked = new KeyRequest("Agent", KeyType.LIVE, Set.of(Scope.values()), KeyPolicy.NO_CAPS, null);
            AgentKey key =
                    given(new IssueKeys(store, store, source).mint(USER, asked)).key();
            this.agent = new Caller(key, USER, null, "127.0.0.1");
            given(connect.connect(
                    USER,
                    ALPACA,
                    new ConnectRequest(
                            CustodianKind.ALPACA,
                            "Alpaca",
                            new BrokerCredentials(BrokerEnvironment.PAPER, account.keyId(), account.secretKey()))));
        }

        void live() {
            line.lie(random.nextBoolean() ? 0 : random.nextInt(60) / 100.0);
            boolean isWordingOnly = random.nextInt(3) == 0;
            if (isWordingOnly) {
                line.onlyWording();
            }
            for (int i = 6 + random.nextInt(10); i > 0; i--) {
                clock.advance(Duration.ofSeconds(random.nextInt(40)));
                if (random.nextInt(3) == 0) {
                    line.standBy(random.nextInt(3));
                }
                step();
            }
            line.lie(0);
            line.standBy(0);
            truthfully();
            placedOnce();
            if (isWordingOnly) {
                notPlacedAgain();
            }
            signedInBounds();
            usable();
        }

        private void step() {
            switch (random.nextInt(12)) {
                case 0, 1, 2 -> accept();
                case 3, 4 -> sync.sync(USER, ALPACA);
                case 5 -> orders.sweep(Duration.ofSeconds(-1));
                case 6 -> any().ifPresent(id -> orders.cancel(USER, id));
                case 7 -> any().ifPresent(id -> orders.close(USER, id));
                case 8 -> given(amend.pause(USER, random.nextBoolean()));
                case 9 -> fillByHand();
                case 10 -> clock.advance(Duration.ofMinutes(random.nextInt(20)));
                default -> desk.market().execution(Execution.values()[random.nextInt(Execution.values().length)]);
            }
        }

        private void accept() {
            if (proposals++ >= MAX_PROPOSALS) {
                return;
            }
            boolean isCoin = random.nextBoolean();
            proposed(random.nextInt(3) > 0 ? Action.BUY : Action.SELL, isCoin ? "BTC" : "SPY", isCoin, 50)
                    .ifPresent(id -> attest.accept(USER, id));
            // The user tries again what was not executed.
            requests().stream()
                    .filter(request -> random.nextBoolean())
                    .forEach(request -> attest.accept(USER, request.id()));
        }

        private Optional<Long> proposed(Action action, String symbol, boolean isCoin, int dollars) {
            AssetType type = isCoin ? AssetType.CRYPTO : AssetType.TRADFI;
            Trade trade = new Trade(action, new AssetSymbol(symbol), type, Usd.of(dollars), null);
            return propose.propose(agent, new ProposalBody(new SentTrade(trade, symbol), null), null)
                    .toCompletableFuture()
                    .join()
                    .fold(made -> Optional.ofNullable(made.requestId()), refusal -> Optional.empty());
        }

        private Optional<Long> any() {
            List<ServiceRequest> all = requests();
            return all.isEmpty()
                    ? Optional.empty()
                    : Optional.of(all.get(random.nextInt(all.size())).id());
        }

        private void fillByHand() {
            account.openClientOrderIds().forEach(id -> account.fill(id, random.nextBoolean() ? "0.5" : "1"));
        }

        /** The broker tells the truth, fills what is open, and the service does what it does by itself. */
        private void truthfully() {
            desk.market().execution(Execution.AT_ONCE);
            given(amend.pause(USER, false));
            for (int i = 0; i < 3; i++) {
                clock.advance(Duration.ofMinutes(16));
                orders.sweep(Duration.ofSeconds(-1));
                account.openClientOrderIds().forEach(id -> account.fill(id, "1"));
                sync.sync(USER, ALPACA);
            }
            for (ServiceRequest request : requests()) {
                if (isUnderWay(request)) {
                    ServiceRequest closed = given(orders.close(USER, request.id()));
                    assertThat(closed).isNotInstanceOf(Pending.class);
                }
            }
            assertThat(requests()).noneMatch(Life::isUnderWay);
        }

        private static boolean isUnderWay(ServiceRequest request) {
            return request.fold(Pending::isAccepted, done -> false, no -> false);
        }

        /** Each order at the broker is the one of an acceptance, and each acceptance has at most one. */
        private void placedOnce() {
            Map<Long, Integer> placed = new HashMap<>();
            assertThat(account.clientOrderIds()).doesNotHaveDuplicates();
            account.clientOrderIds()
                    .forEach(id ->
                            OrderAttempt.requestId(id).ifPresent(request -> placed.merge(request, 1, Integer::sum)));
            placed.forEach((id, count) -> {
                ServiceRequest request = store.requestQueue().find(USER, id).orElseThrow();
                int acceptances =
                        request.fold(Pending::attempts, done -> done.order().number(), no -> no.attempts());
                assertThat(count).isLessThanOrEqualTo(acceptances);
            });
        }

        /** A request that has a second order at a broker that is honest about its orders had a first one that came to nothing. */
        private void notPlacedAgain() {
            Map<Long, List<String>> placed = new HashMap<>();
            account.clientOrderIds()
                    .forEach(id -> OrderAttempt.requestId(id)
                            .ifPresent(request -> placed.computeIfAbsent(request, first -> new ArrayList<>())
                                    .add(id)));
            placed.values()
                    .forEach(ids -> assertThat(ids.subList(0, ids.size() - 1))
                            .allSatisfy(id -> assertThat(account.filled(id)).isZero()));
        }

        private void signedInBounds() {
            Recomputation recomputation = Recomputation.begin();
            for (PolicyEvent row : store.eventLog().page(USER, EventQuery.all()).rows()) {
                assertThat(recomputation.row(row)).isEmpty();
                Document payload = CanonicalForm.read(row.payload());
                assertThat(row.payload().replaceAll("\"symbol\":\"[^\"]*\"", ""))
                        .doesNotContainPattern("[0-9]E[+-]?[0-9]|[^\\x20-\\x7e]");
                if (row.kind() == EventKind.TRADE_OBSERVED) {
                    plain(payload, "quantity", HoldingsDocument.MAX_QUANTITY, false);
                    plain(payload, "price", HoldingsDocument.MAX_USD, false);
                    plain(payload, "amountUsd", HoldingsDocument.MAX_USD, true);
                    assertThat(Instant.parse(String.valueOf(payload.get("executedAt"))))
                            .isBetween(Instant.EPOCH, clock.instant().plus(Duration.ofDays(2)));
                }
            }
        }

        private static void plain(Document payload, String member, BigDecimal max, boolean mayBeZero) {
            String text = String.valueOf(payload.get(member));
            assertThat(text).matches("[0-9]{1,16}(\\.[0-9]{1,18})?");
            assertThat(new BigDecimal(text)).isLessThanOrEqualTo(max);
            assertThat(new BigDecimal(text).signum()).isGreaterThanOrEqualTo(mayBeZero ? 0 : 1);
        }

        private void usable() {
            clock.advance(Duration.ofMinutes(1));
            sync.sync(USER, ALPACA);
            CustodianConnection connection =
                    store.view(USER).connections().find(ALPACA).orElseThrow();
            assertThat(connection.status()).describedAs(connection.error()).isEqualTo(ConnectionStatus.CONNECTED);
            assertThat(connection.warning()).isNull();
            CustodianHoldings held =
                    store.view(USER).portfolio().custodian(ALPACA).orElseThrow();
            assertThat(held.cash().value()).isEqualByComparingTo(account.cash());
            assertThat(held.openOrders()).isEmpty();
            long id = proposed(Action.BUY, "SPY", false, 50).orElseThrow();
            Completed filled = (Completed) given(attest.accept(USER, id));
            assertThat(filled.order().bound().limit()).isEqualTo(Usd.of(505));
            assertThat(filled.order().filledUsd()).isEqualTo(Usd.of("49.50495"));
            given(connect.remove(USER, ALPACA));
        }

        private List<ServiceRequest> requests() {
            return store.requestQueue().page(USER, null, null, 100);
        }

        private static Ips anyTrade() {
            AllocationBand any = new AllocationBand(
                    new Fraction(BigDecimal.ZERO), new Fraction(new BigDecimal("0.5")), Fraction.ONE);
            return Ips.ofCrypto(any)
                    .tradfi(any)
                    .cashFloor(new Fraction(BigDecimal.ZERO))
                    .maxDrawdown(Fraction.ONE)
                    .maxSlippage(Fraction.of("0.01"));
        }

        private static <T> T given(CompletionStage<Answer<T>> stage) {
            return given(stage.toCompletableFuture().join());
        }

        private static <T> T given(Answer<T> answer) {
            return answer.fold(value -> value, refusal -> {
                throw new AssertionError(refusal.toString());
            });
        }
    }
}
