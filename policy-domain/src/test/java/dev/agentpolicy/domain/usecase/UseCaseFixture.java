package dev.agentpolicy.domain.usecase;

import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.KeyRequest;
import dev.agentpolicy.domain.agent.Tally;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.custodian.PaperMarket;
import dev.agentpolicy.domain.custodian.PaperSetup;
import dev.agentpolicy.domain.decision.AdvisedDecision;
import dev.agentpolicy.domain.decision.Decision;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.event.canonical.CanonicalForm;
import dev.agentpolicy.domain.event.chain.EventKind;
import dev.agentpolicy.domain.event.chain.PolicyEvent;
import dev.agentpolicy.domain.event.page.EventQuery;
import dev.agentpolicy.domain.port.Custodian;
import dev.agentpolicy.domain.port.InMemoryCallCounter;
import dev.agentpolicy.domain.port.InMemoryCustodianCredentials;
import dev.agentpolicy.domain.port.InMemoryStore;
import dev.agentpolicy.domain.port.InMemorySyncSchedule;
import dev.agentpolicy.domain.port.JdkPasskeyVerifier;
import dev.agentpolicy.domain.port.JdkSigner;
import dev.agentpolicy.domain.port.RequestQueue;
import dev.agentpolicy.domain.port.SettableClock;
import dev.agentpolicy.domain.portfolio.CustodianHoldings;
import dev.agentpolicy.domain.portfolio.HoldingsDocument;
import dev.agentpolicy.domain.portfolio.Portfolio;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.request.ProposalBody;
import dev.agentpolicy.domain.request.ServiceRequest;
import dev.agentpolicy.domain.request.ServiceRequest.Pending;
import dev.agentpolicy.domain.sample.CountingRandomSource;
import dev.agentpolicy.domain.sample.JsonSamples;
import dev.agentpolicy.domain.sample.SampleValues;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.SentTrade;
import dev.agentpolicy.domain.trade.TradePayload;
import dev.agentpolicy.domain.usecase.agent.AdmitCall;
import dev.agentpolicy.domain.usecase.agent.AgentLimits;
import dev.agentpolicy.domain.usecase.agent.AgentUseCases;
import dev.agentpolicy.domain.usecase.agent.Caller;
import dev.agentpolicy.domain.usecase.agent.ProposeTrade;
import dev.agentpolicy.domain.usecase.agent.ProposeTrade.Proposed;
import dev.agentpolicy.domain.usecase.agent.ReadAudit;
import dev.agentpolicy.domain.usecase.agent.ReadHeadroom;
import dev.agentpolicy.domain.usecase.agent.ValidateTrade;
import dev.agentpolicy.domain.usecase.agent.ValidateTrade.Recorded;
import dev.agentpolicy.domain.usecase.custodian.ConnectCustodian;
import dev.agentpolicy.domain.usecase.custodian.ExecuteOrders;
import dev.agentpolicy.domain.usecase.custodian.ObservePortfolio;
import dev.agentpolicy.domain.usecase.custodian.SyncCustodian;
import dev.agentpolicy.domain.usecase.custodian.SyncTimes;
import dev.agentpolicy.domain.usecase.policy.AmendIps;
import dev.agentpolicy.domain.usecase.policy.IssueKeys;
import dev.agentpolicy.domain.usecase.policy.IssueKeys.Issued;
import dev.agentpolicy.domain.usecase.request.AttestRequest;
import dev.agentpolicy.domain.usecase.request.ReviewRequest;
import dev.agentpolicy.domain.usecase.request.SignRequest;
import dev.agentpolicy.domain.usecase.signin.PasskeyProofs;
import dev.agentpolicy.domain.usecase.upkeep.ExpireRequests;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The use cases with ports in memory, and one user who holds 30 000 USD of BTC, 55 000 of SPY and 15 000 in cash. */
public final class UseCaseFixture {
    public static final UserId USER = new UserId(UUID.fromString("00000000-0000-4000-8000-000000000001"));
    public static final Duration WINDOW = Duration.ofDays(7);
    public static final int PER_SECOND = 50;
    public static final AgentLimits LIMITS = new AgentLimits(25, 1_000);
    public static final OwnerLimits OWNER_LIMITS = new OwnerLimits(200, 2_000);
    public static final SyncTimes SYNC_TIMES = new SyncTimes(Duration.ofMinutes(1), Duration.ofMinutes(15));
    private static final JdkSigner SIGNER = new JdkSigner();

    public final SettableClock clock = new SettableClock(SampleValues.NOON);
    public final InMemoryStore store = new InMemoryStore(clock, SIGNER);
    public final ValidateTrade validate = new ValidateTrade(store, KeyCheck.IN_ACCOUNT, LIMITS);
    public final ProposeTrade propose = new ProposeTrade(store, KeyCheck.IN_ACCOUNT, LIMITS, WINDOW);
    public final ReadHeadroom headroom = new ReadHeadroom(store, store.requestQueue(), clock);
    public final AmendIps amendIps = new AmendIps(store, OWNER_LIMITS, Runnable::run);
    public final TestBroker broker = new TestBroker(clock);
    public final ScriptedCustodian custodian = new ScriptedCustodian(broker, clock);
    public final InMemorySyncSchedule schedule = new InMemorySyncSchedule();
    public final InMemoryCustodianCredentials credentials = new InMemoryCustodianCredentials(schedule);
    public final FanOut threads = new FanOut(Runnable::run);
    public final List<RuntimeException> failures = new ArrayList<>();
    public final SyncCustodian sync =
            new SyncCustodian(store, custodian, store.brokerAccounts(), schedule, SYNC_TIMES, threads);
    public final ObservePortfolio observe = new ObservePortfolio(
            store, store, custodian, custodian, sync, store.fillLog(), new CountingRandomSource(), OWNER_LIMITS);
    public final ConnectCustodian connect =
            new ConnectCustodian(store, store, broker, store.brokerAccounts(), credentials, custodian, sync);
    public final ExecuteOrders orders = orders(store.requestQueue());
    public final ReviewRequest review =
            new ReviewRequest(store, store.requestQueue(), store.fillLog(), custodian.books(), clock);
    public final PasskeyProofs proofs =
            new PasskeyProofs(new JdkPasskeyVerifier(), store.passkeyChallenges(), new CountingRandomSource(), clock);
    public final AttestRequest attest = new AttestRequest(store, store.requestQueue(), orders, proofs);
    public final SignRequest sign = new SignRequest(store, store.requestQueue(), proofs);
    public final ExpireRequests expire = new ExpireRequests(store, store.requestQueue(), threads, clock);
    public final IssueKeys keys = new IssueKeys(store, store, new CountingRandomSource());
    public final ReadAudit audit = new ReadAudit(store.eventLog(), store.requestQueue());
    public final AgentUseCases live =
            new AgentUseCases(validate, propose, null, headroom, audit, null, null, store.dailyCalls(), false);
    public final AgentUseCases sandbox =
            new AgentUseCases(validate, propose, null, headroom, audit, null, null, store.dailyCalls(), true);
    public final AdmitCall admit = new AdmitCall(store, new InMemoryCallCounter(PER_SECOND), clock, live, sandbox);

    /** The use case over another queue. */
    public ExecuteOrders orders(RequestQueue queue) {
        return orders(queue, custodian);
    }

    /** The use case over another queue and custodian. */
    public ExecuteOrders orders(RequestQueue queue, Custodian other) {
        return new ExecuteOrders(store, queue, other, sync, threads, (of, failed) -> failures.add(failed), clock);
    }

    /** A fixture with the sample IPS and the holdings. */
    public static UseCaseFixture furnished() {
        UseCaseFixture fixture = new UseCaseFixture();
        given(fixture.amendIps.put(USER, SampleValues.plainIps()));
        fixture.hold(30_000, 55_000, 15_000);
        return fixture;
    }

    public Portfolio hold(long btc, long spy, long cash) {
        String sent = """
                {"name":"Broker","kind":"paper","cash":%d,"positions":[
                  {"symbol":"BTC","assetType":"crypto","quantity":1,"price":%d},
                  {"symbol":"SPY","assetType":"tradfi","quantity":100,"price":%d}]}""".formatted(cash, btc, spy / 100);
        return given(observe.observe(USER, setup("broker", sent)));
    }

    /** Adds cash at another custodian. */
    public Portfolio holdElsewhere(String id, long cash) {
        String sent = "{\"name\":\"Other\",\"kind\":\"paper\",\"cash\":%d,\"positions\":[]}".formatted(cash);
        return given(observe.observe(USER, setup(id, sent)));
    }

    /** What a user sends, with a price of 1 USD for the assets that tests buy without holding them, and an open market. */
    public static PaperSetup setup(String id, String sent) {
        return setup(HoldingsDocument.read(id, JsonSamples.object(sent), SampleValues.NOON)
                .orElseThrow());
    }

    /** Holdings with a price of 1 USD for the assets that tests buy without holding them, and an open market. */
    public static PaperSetup setup(CustodianHoldings holdings) {
        Map<AssetSymbol, Usd> prices = Stream.of("BTC", "ETH", "DOGE", "GROVE", "SPY", "AGG")
                .collect(Collectors.toMap(AssetSymbol::new, symbol -> Usd.of(1)));
        return new PaperSetup(holdings, prices, PaperMarket.OPEN);
    }

    /** A live key with every scope. */
    public Caller agent(String policy) {
        return agent("live", "\"read\",\"validate\",\"propose\"", policy);
    }

    public Caller agent(String type, String scopes, String policy) {
        AgentKey key = mint(type, scopes, policy).key();
        return new Caller(key, USER, live, "127.0.0.1");
    }

    public Issued mint(String type, String scopes, String policy) {
        String sent =
                "{\"name\":\"Robot\",\"keyType\":\"%s\",\"scopes\":[%s],\"policy\":%s}".formatted(type, scopes, policy);
        return given(keys.mint(USER, KeyRequest.read(JsonSamples.object(sent)).orElseThrow()));
    }

    public Recorded<Decision> validated(Caller caller, String trade) {
        Recorded<AdvisedDecision> recorded = given(validate.one(caller, SampleValues.sent(trade)));
        return new Recorded<>(recorded.value().decision(), recorded.receipt());
    }

    /** Validates a batch; an item that is not a trade cannot be read. */
    public List<Decision> validated(Caller caller, List<String> trades) {
        return advised(caller, trades).stream().map(AdvisedDecision::decision).toList();
    }

    /** Validates a batch; returns the decisions with their suggestions. */
    public List<AdvisedDecision> advised(Caller caller, List<String> trades) {
        return given(validate.batch(
                        caller, trades.stream().map(UseCaseFixture::reading).toList()))
                .value();
    }

    public Proposed proposed(Caller caller, String trade, String once) {
        return given(propose.propose(caller, new ProposalBody(SampleValues.sent(trade), "because"), once));
    }

    /** Proposes a trade and returns the id of its request. */
    public long queued(Caller caller, String trade) {
        Proposed proposed = proposed(caller, trade, null);
        if (proposed.requestId() == null) {
            throw new AssertionError("Blocked: " + proposed.decision().reason());
        }
        return proposed.requestId();
    }

    public ServiceRequest request(long id) {
        return store.requestQueue().find(USER, id).orElseThrow();
    }

    public Pending pending(long id) {
        return (Pending) request(id);
    }

    public Portfolio portfolio() {
        return store.view(USER).portfolio();
    }

    /** The payloads of one kind, oldest first. */
    public List<Document> payloads(EventKind kind) {
        return events().stream()
                .filter(event -> event.kind() == kind)
                .map(UseCaseFixture::payload)
                .toList();
    }

    /** Counts a call without a decision, unless the cap is reached, and returns the calls of the day. */
    public OptionalLong counted(Caller caller) {
        return store.dailyCalls()
                .count(
                        caller.account(),
                        caller.key().id(),
                        today(),
                        caller.key().policy().dailyCallCap())
                .toCompletableFuture()
                .join();
    }

    /** Today's calls that count towards the cap of a key. */
    public long calls(Caller caller) {
        return store.dailyCalls().counted(caller.account(), caller.key().id(), today());
    }

    private LocalDate today() {
        return LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC);
    }

    public Tally tally(Caller caller) {
        return store.tally(USER, caller.key().id()).at(clock.instant());
    }

    public List<PolicyEvent> events() {
        return store.eventLog().page(USER, EventQuery.all()).rows();
    }

    public List<String> eventKinds() {
        return events().stream().map(event -> event.kind().wireName()).toList();
    }

    public static Document payload(PolicyEvent event) {
        return CanonicalForm.read(event.payload());
    }

    public static <T> T given(CompletionStage<Answer<T>> answer) {
        return given(answer.toCompletableFuture().join());
    }

    public static <T> T given(Answer<T> answer) {
        return answer.fold(value -> value, refused -> {
            throw new AssertionError("Refused: " + refused);
        });
    }

    public static <T> Refusal refused(CompletionStage<Answer<T>> answer) {
        return refused(answer.toCompletableFuture().join());
    }

    public static <T> Refusal refused(Answer<T> answer) {
        return answer.fold(
                value -> {
                    throw new AssertionError("Given: " + value);
                },
                refusal -> refusal);
    }

    static Reading<SentTrade> reading(String trade) {
        return trade.isEmpty()
                ? TradePayload.read(JsonSamples.object("{\"action\":\"hold\"}"))
                : Reading.of(SampleValues.sent(trade));
    }
}
