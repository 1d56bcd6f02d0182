package dev.agentpolicy.domain.usecase;

import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.KeyPolicy;
import dev.agentpolicy.domain.agent.KeyRequest;
import dev.agentpolicy.domain.agent.KeyType;
import dev.agentpolicy.domain.agent.Scope;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.custodian.PaperMarket;
import dev.agentpolicy.domain.custodian.PaperSetup;
import dev.agentpolicy.domain.document.Problem;
import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.ips.AllocationBand;
import dev.agentpolicy.domain.ips.Approval;
import dev.agentpolicy.domain.ips.AssetAuthority;
import dev.agentpolicy.domain.ips.AssetAuthority.Level;
import dev.agentpolicy.domain.ips.Ips;
import dev.agentpolicy.domain.ips.Limit;
import dev.agentpolicy.domain.ips.Limit.FlowForm;
import dev.agentpolicy.domain.ips.Limit.LimitKind;
import dev.agentpolicy.domain.ips.Limit.Per;
import dev.agentpolicy.domain.ips.StandingRule;
import dev.agentpolicy.domain.ips.StandingRule.Effect;
import dev.agentpolicy.domain.ips.StandingRule.Hours;
import dev.agentpolicy.domain.ips.StandingRule.When;
import dev.agentpolicy.domain.port.InMemoryPaperBooks;
import dev.agentpolicy.domain.port.InMemorySyncSchedule;
import dev.agentpolicy.domain.port.JdkPasskeyVerifier;
import dev.agentpolicy.domain.port.Ports;
import dev.agentpolicy.domain.port.SettableClock;
import dev.agentpolicy.domain.portfolio.CustodianHoldings;
import dev.agentpolicy.domain.portfolio.Position;
import dev.agentpolicy.domain.quantity.Fraction;
import dev.agentpolicy.domain.quantity.Percent;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.request.ProposalBody;
import dev.agentpolicy.domain.request.ServiceRequest;
import dev.agentpolicy.domain.sample.SeededRandomSource;
import dev.agentpolicy.domain.trade.Action;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import dev.agentpolicy.domain.trade.SentTrade;
import dev.agentpolicy.domain.trade.Trade;
import dev.agentpolicy.domain.trade.UnknownAssets;
import dev.agentpolicy.domain.usecase.agent.AgentLimits;
import dev.agentpolicy.domain.usecase.agent.Caller;
import dev.agentpolicy.domain.usecase.agent.ProposeTrade;
import dev.agentpolicy.domain.usecase.agent.ValidateTrade;
import dev.agentpolicy.domain.usecase.custodian.ExecuteOrders;
import dev.agentpolicy.domain.usecase.custodian.ObservePortfolio;
import dev.agentpolicy.domain.usecase.custodian.PaperCustodian;
import dev.agentpolicy.domain.usecase.custodian.SyncCustodian;
import dev.agentpolicy.domain.usecase.custodian.SyncTimes;
import dev.agentpolicy.domain.usecase.policy.AmendIps;
import dev.agentpolicy.domain.usecase.policy.IssueKeys;
import dev.agentpolicy.domain.usecase.request.AttestRequest;
import dev.agentpolicy.domain.usecase.signin.PasskeyProofs;
import dev.agentpolicy.domain.usecase.upkeep.ExpireRequests;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/**
 * A random history of an account, repeatable by its seed: agents validate and propose, the user amends, attests and
 * trades, and time passes.
 */
public final class RandomHistory {
    private static final String[] CRYPTO = {"BTC", "ETH", "DOGE"};
    private static final String[] TRADFI = {"SPY", "AGG"};
    private static final String[] SPELLINGS = {"-usd", "/eur", "", "", "", "", "-usd", "-perp", "", "", "", ""};
    private static final AgentLimits LIMITS = new AgentLimits(12, 0);
    private static final Duration WINDOW = Duration.ofHours(30);

    private final Ports ports;
    private final SettableClock clock;
    private final Random random;
    private final PaperCustodian custodian;
    private final SyncCustodian sync;
    private final ValidateTrade validate;
    private final ProposeTrade propose;
    private final AttestRequest attest;
    private final ExpireRequests expire;
    private final IssueKeys issue;
    private final List<AgentKey> keys = new ArrayList<>();

    public RandomHistory(Ports ports, SettableClock clock, long seed) {
        this.ports = ports;
        this.clock = clock;
        this.random = new Random(seed);
        this.custodian = new PaperCustodian(new InMemoryPaperBooks(), clock);
        SyncTimes times = new SyncTimes(Duration.ofMinutes(1), Duration.ofMinutes(15));
        FanOut threads = new FanOut(Runnable::run);
        this.sync = new SyncCustodian(
                ports.accounts(), custodian, ports.brokerAccounts(), new InMemorySyncSchedule(), times, threads);
        this.validate = new ValidateTrade(ports.accounts(), KeyCheck.IN_ACCOUNT, AgentLimits.NONE);
        this.propose = new ProposeTrade(ports.accounts(), KeyCheck.IN_ACCOUNT, LIMITS, WINDOW);
        ExecuteOrders orders = new ExecuteOrders(
                ports.accounts(),
                ports.requestQueue(),
                custodian,
                sync,
                threads,
                (custodian, failed) -> {
                    throw failed;
                },
                clock);
        this.attest = new AttestRequest(
                ports.accounts(),
                ports.requestQueue(),
                orders,
                new PasskeyProofs(
                        new JdkPasskeyVerifier(), ports.passkeyChallenges(), new SeededRandomSource(random), clock));
        this.expire = new ExpireRequests(ports.accounts(), ports.requestQueue(), threads, clock);
        this.issue = new IssueKeys(ports.accounts(), ports.accountReader(), new SeededRandomSource(random));
    }

    /** Makes the given number of decisions, under about the given number of IPS versions. */
    public void live(UserId user, int decisions, int versions) {
        for (int i = keys.size(); i < 3; i++) {
            keys.add(mint(user));
        }
        int made = 0;
        int nextVersion = 3;
        while (made < decisions) {
            if (made >= nextVersion) {
                nextVersion += Math.max(1, decisions / versions);
                done(new AmendIps(ports.accounts(), OwnerLimits.NONE, Runnable::run).put(user, ips()));
            }
            made += step(user);
        }
    }

    private int step(UserId user) {
        clock.advance(Duration.ofSeconds(random.nextInt(200)));
        return switch (random.nextInt(20)) {
            case 0 -> observe(user);
            case 1 -> keyring(user);
            case 2 -> pass();
            case 3, 4, 5, 6 -> proposed(user);
            case 7, 8 -> attested(user);
            case 9, 10, 11 -> batch(user);
            default -> count(done(validate.one(caller(user), trade())), 1);
        };
    }

    private int observe(UserId user) {
        List<Position> positions = List.of(
                position("BTC", AssetType.CRYPTO, 30_000),
                position("SPY", AssetType.TRADFI, 70_000),
                position("AGG", AssetType.TRADFI, 10_000));
        CustodianHoldings holdings = new CustodianHoldings(
                "paper", "Paper", CustodianHoldings.CustodianKind.PAPER, clock.instant(), 1, usd(20_000), positions);
        Map<AssetSymbol, Usd> prices = new HashMap<>();
        for (String symbol : List.of("ETH", "DOGE", "GROVE")) {
            prices.put(new AssetSymbol(symbol), Usd.of(1));
        }
        ObservePortfolio observing = new ObservePortfolio(
                ports.accounts(),
                ports.accountReader(),
                custodian,
                custodian,
                sync,
                ports.fillLog(),
                new SeededRandomSource(random),
                OwnerLimits.NONE);
        observing.observe(user, new PaperSetup(holdings, prices, PaperMarket.OPEN));
        return 0;
    }

    private int keyring(UserId user) {
        int which = random.nextInt(keys.size());
        AgentKey key = keys.get(which);
        if (random.nextBoolean()) {
            keys.set(which, done(issue.rotate(user, key.id())).fold(issued -> issued.key(), refusal -> mint(user)));
        } else {
            done(issue.revoke(user, key.id()));
            keys.set(which, mint(user));
        }
        return 0;
    }

    private int pass() {
        clock.advance(Duration.ofMinutes(random.nextInt(400)));
        expire.sweep();
        return 0;
    }

    private int proposed(UserId user) {
        String note = random.nextBoolean() ? "because \"é\uD83D\uDE00\"" : null;
        String once = random.nextBoolean() ? "key-" + random.nextInt(50) : null;
        var answer = done(propose.propose(caller(user), new ProposalBody(trade(), note), once));
        return answer.fold(proposed -> proposed.isReplay() ? 0 : 1, refusal -> 0);
    }

    private int attested(UserId user) {
        List<ServiceRequest> waiting = ports.requestQueue().page(user, ServiceRequest.RequestStatus.PENDING, null, 20);
        if (waiting.isEmpty()) {
            return 0;
        }
        long id = waiting.get(random.nextInt(waiting.size())).id();
        boolean accepts = random.nextInt(3) > 0;
        return count(accepts ? attest.accept(user, id) : attest.reject(user, id, "No, \\thanks"), 1);
    }

    private int batch(UserId user) {
        List<Reading<SentTrade>> items = new ArrayList<>();
        for (int i = random.nextInt(4) + 1; i > 0; i--) {
            items.add(
                    random.nextInt(6) == 0
                            ? Reading.wrong(List.of(new Problem("amountUsd", "amountUsd must be at least 0.")))
                            : Reading.of(trade()));
        }
        return count(done(validate.batch(caller(user), items)), items.size());
    }

    private AgentKey mint(UserId user) {
        KeyPolicy policy = new KeyPolicy(
                random.nextBoolean() ? null : random.nextInt(40) + 1,
                random.nextBoolean() ? null : usd(20_000),
                random.nextBoolean() ? null : usd(20_000),
                random.nextInt(4) > 0 ? null : Set.of(new AssetSymbol("BTC"), new AssetSymbol("SPY")),
                random.nextInt(4) > 0 ? null : Set.of(AssetType.TRADFI));
        Integer days = random.nextInt(3) > 0 ? null : 1;
        KeyRequest asked = new KeyRequest("Agent", KeyType.LIVE, Set.of(Scope.values()), policy, days);
        return done(issue.mint(user, asked)).fold(issued -> issued.key(), refusal -> {
            throw new AssertionError(refusal.toString());
        });
    }

    private Ips ips() {
        Set<Action> actions = random.nextInt(6) == 0 ? Set.of(Action.BUY) : Set.of(Action.BUY, Action.SELL);
        When nights = new When(null, null, null, null, new Hours(22, 6, ZoneId.of("America/New_York")), null);
        When large = new When(Set.of(Action.BUY), null, null, usd(9_000), null, null);
        return Ips.ofCrypto(band(0, 400_000))
                .tradfi(band(300_000, 900_000))
                .cashFloor(fraction(100_000))
                .maxDrawdown(fraction(500_000))
                .maxSlippage(fraction(30_000))
                .withAllowedActions(actions)
                .withAssetAuthority(new AssetAuthority(Level.FULL, Map.of(new AssetSymbol("DOGE"), Level.MONITOR)))
                .withStandingRules(List.of(
                        new StandingRule("nights", Effect.BLOCK, "Sleep.", nights),
                        new StandingRule("large", Effect.REQUIRE_APPROVAL, null, large)))
                .withLimits(limits())
                .withApprovals(List.of(new Approval(
                        "large", null, null, null, null, clock.instant().plus(Duration.ofHours(6)), 3, Usd.of(20_000))))
                .withUnknownAssets(random.nextInt(3) == 0 ? UnknownAssets.BLOCK : UnknownAssets.AS_SAID)
                .withTier(random.nextInt(5) + 1);
    }

    /** Some of four limits; the forms of the flows come and go. */
    private List<Limit> limits() {
        When buys = new When(Set.of(Action.BUY), null, null, null, null, null);
        When coins = new When(null, Set.of(AssetType.CRYPTO), null, null, null, null);
        List<Limit> limits = new ArrayList<>(List.of(
                flow("buys", new FlowForm(buys, 90, Per.AGENT), usd(30_000)),
                flow("same", new FlowForm(When.ALWAYS, 5, Per.ASSET), usd(9_000)),
                new Limit(
                        "coins",
                        LimitKind.POSITION,
                        Effect.BLOCK,
                        "Enough",
                        coins,
                        fraction(400_000),
                        false,
                        null,
                        null,
                        null,
                        null),
                new Limit(
                        "week",
                        LimitKind.LOSS,
                        Effect.REQUIRE_APPROVAL,
                        null,
                        buys,
                        fraction(300_000),
                        false,
                        null,
                        null,
                        null,
                        7)));
        limits.removeIf(limit -> random.nextInt(3) == 0);
        return limits;
    }

    private static Limit flow(String id, FlowForm form, Usd maxUsd) {
        return new Limit(id, LimitKind.FLOW, Effect.BLOCK, null, form.scope(), null, false, form, maxUsd, 20, null);
    }

    /** A random trade: often with another spelling, sometimes with an unknown asset or the wrong sleeve. */
    private SentTrade trade() {
        boolean isCrypto = random.nextBoolean();
        String[] symbols = isCrypto ? CRYPTO : TRADFI;
        String known = symbols[random.nextInt(symbols.length)];
        String symbol = random.nextInt(8) == 0 ? "GROVE" : known;
        String sent = symbol + SPELLINGS[random.nextInt(SPELLINGS.length)];
        sent = sent.equals(symbol) ? sent : sent.toLowerCase(Locale.ROOT);
        boolean isLie = random.nextInt(12) == 0;
        Trade trade = new Trade(
                random.nextInt(3) > 0 ? Action.BUY : Action.SELL,
                new AssetSymbol(sent),
                isCrypto != isLie ? AssetType.CRYPTO : AssetType.TRADFI,
                usd(6_000),
                random.nextBoolean() ? null : new Percent(BigDecimal.valueOf(random.nextInt(300), 2)));
        return new SentTrade(trade, sent);
    }

    private Position position(String symbol, AssetType type, int below) {
        return new Position(new AssetSymbol(symbol), type, usd(below).value(), Usd.of(1));
    }

    private AllocationBand band(int from, int to) {
        return new AllocationBand(
                new Fraction(BigDecimal.valueOf(from, 6)),
                new Fraction(BigDecimal.valueOf((from + to) / 2, 6)),
                new Fraction(BigDecimal.valueOf(to - random.nextInt(100_000), 6)));
    }

    private Fraction fraction(int below) {
        return new Fraction(BigDecimal.valueOf(random.nextInt(below), 6));
    }

    private Usd usd(int below) {
        return new Usd(BigDecimal.valueOf(random.nextInt(below * 100), 2));
    }

    private Caller caller(UserId user) {
        return new Caller(keys.get(random.nextInt(keys.size())), user, null, "127.0.0.1");
    }

    private static int count(Answer<?> answer, int decisions) {
        return answer.fold(given -> decisions, refusal -> 0);
    }

    private static <R> R done(CompletionStage<R> stage) {
        return stage.toCompletableFuture().join();
    }
}
