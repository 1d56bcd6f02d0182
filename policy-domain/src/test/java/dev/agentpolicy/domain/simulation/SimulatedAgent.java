package dev.agentpolicy.domain.simulation;

import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.KeyPolicy;
import dev.agentpolicy.domain.agent.KeyRequest;
import dev.agentpolicy.domain.agent.KeyType;
import dev.agentpolicy.domain.agent.Scope;
import dev.agentpolicy.domain.document.Problem;
import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.request.IdempotencyKey;
import dev.agentpolicy.domain.request.ProposalBody;
import dev.agentpolicy.domain.sample.SampleValues;
import dev.agentpolicy.domain.simulation.ChangeOrigin.Meant;
import dev.agentpolicy.domain.trade.Action;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import dev.agentpolicy.domain.trade.SentTrade;
import dev.agentpolicy.domain.trade.Trade;
import dev.agentpolicy.domain.usecase.Answer;
import dev.agentpolicy.domain.usecase.agent.Caller;
import dev.agentpolicy.domain.usecase.agent.ProposeTrade.Proposed;
import dev.agentpolicy.domain.usecase.agent.ValidateTrade.Recorded;
import dev.agentpolicy.domain.usecase.policy.IssueKeys.Issued;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;

/** An agent with one key that validates, proposes and retries calls without an answer. */
final class SimulatedAgent {
    static final List<KeyPolicy> POLICIES = List.of(
            SampleValues.policy("{\"dailyUsdCap\":2000,\"aumCapUsd\":1500.01,\"dailyCallCap\":15}"),
            SampleValues.policy("{\"dailyUsdCap\":500.01}"),
            SampleValues.policy("{\"aumCapUsd\":3000}"));
    private static final Usd CENT = Usd.of("0.01");
    private static final String[] CRYPTO = {"BTC", "BTC", "BTC", "ETH", AssetInvariants.GROVE};
    private static final int NAMES = 12;
    private static final int MAX_DECIMALS = 8;
    private final Simulation simulation;
    private final SimulatedUser user;
    private final KeyPolicy policy;
    private final List<Intention> unanswered = new ArrayList<>();
    private AgentKey key;
    private int named;

    SimulatedAgent(Simulation simulation, SimulatedUser user, int policy) {
        this.simulation = simulation;
        this.user = user;
        this.policy = POLICIES.get(policy);
        mint();
    }

    private record Intention(ProposalBody asked, Trade meant, String once) {

        Intention(Meant it, String once) {
            this(new ProposalBody(it.sent(), null), it.trade(), once);
        }
    }

    void validate() {
        SimulatedNode node = simulation.anyNode();
        SentTrade trade = trade().sent();
        simulation.asks(
                origin(null, null),
                () -> node.take(() -> node.validate.one(caller(), trade), this::returned, () -> {}));
    }

    /** Makes a call without a decision; the count and its answer are separate steps. */
    void read() {
        Integer cap = policy.dailyCallCap();
        if (cap == null) {
            return;
        }
        AgentKey reading = key;
        SimulatedNode node = simulation.anyNode();
        node.take(
                () -> {
                    LocalDate day = LocalDate.ofInstant(simulation.clock.instant(), ZoneOffset.UTC);
                    return node.count(user.userId, reading.id(), day, cap);
                },
                counted -> {},
                () -> {});
    }

    void batch() {
        SimulatedNode node = simulation.anyNode();
        List<Reading<SentTrade>> items = new ArrayList<>();
        for (int i = simulation.random.nextInt(5); i > 0; i--) {
            boolean isWrong = simulation.random.nextInt(5) == 0;
            items.add(
                    isWrong
                            ? Reading.wrong(List.of(new Problem("action", "action is wrong.")))
                            : Reading.of(trade().sent()));
        }
        simulation.asks(
                origin(null, null),
                () -> node.take(() -> node.validate.batch(caller(), items), this::returned, () -> {}));
    }

    void propose() {
        boolean isAgain = !unanswered.isEmpty() && simulation.random.nextBoolean();
        propose(isAgain ? unanswered.remove(unanswered.size() - 1) : new Intention(trade(), name()));
    }

    /** Gets a new secret or a new key; calls with the old one are refused. */
    void renew() {
        SimulatedNode node = simulation.anyNode();
        if (simulation.random.nextInt(3) > 0) {
            node.take(() -> node.keys.rotate(user.userId, key.id()), this::issued, () -> {});
        } else {
            node.take(() -> node.keys.revoke(user.userId, key.id()), revoked -> mint(), this::mint);
        }
    }

    private void mint() {
        SimulatedNode node = simulation.anyNode();
        KeyRequest asked = new KeyRequest("Agent", KeyType.LIVE, Set.of(Scope.values()), policy, null);
        node.take(() -> node.keys.mint(user.userId, asked), this::issued, this::mint);
    }

    private void issued(Answer<Issued> answer) {
        key = answer.fold(issued -> issued.key(), refusal -> key);
    }

    private void propose(Intention it) {
        SimulatedNode node = simulation.anyNode();
        simulation.asks(
                origin(it.meant, it.once),
                () -> node.take(
                        () -> node.propose.propose(caller(), it.asked, it.once), this::proposed, () -> lost(it)));
    }

    private void lost(Intention it) {
        if (it.once != null) {
            unanswered.add(it);
        }
    }

    private void proposed(Answer<Proposed> answer) {
        answer.fold(
                proposed -> {
                    if (proposed.receipt() != null) {
                        simulation.checker.chain.returned(user.userId, proposed.receipt());
                    }
                    return true;
                },
                refusal -> false);
    }

    private <T> void returned(Answer<Recorded<T>> answer) {
        answer.fold(
                recorded -> {
                    if (recorded.receipt() != null) {
                        simulation.checker.chain.returned(user.userId, recorded.receipt());
                    }
                    return true;
                },
                refusal -> false);
    }

    private ChangeOrigin origin(Trade proposed, String once) {
        return new ChangeOrigin(key, proposed, once == null ? null : new IdempotencyKey(key.id(), once));
    }

    private Caller caller() {
        return new Caller(key, user.userId, null, "127.0.0.1");
    }

    /** An idempotency key: mostly a new one, sometimes a used one, sometimes none. */
    private String name() {
        return switch (simulation.random.nextInt(4)) {
            case 0 -> null;
            case 1 -> "once-" + (named - simulation.random.nextInt(NAMES));
            default -> "once-" + ++named;
        };
    }

    /** A trade: often with another spelling, sometimes with the wrong sleeve or as a pair or derivative of a coin. */
    private Meant trade() {
        Random random = simulation.random;
        boolean isCrypto = random.nextInt(4) > 0;
        String asset = isCrypto ? CRYPTO[random.nextInt(CRYPTO.length)] : "SPY";
        boolean isLie = random.nextInt(12) == 0;
        Trade trade = new Trade(
                random.nextInt(3) == 0 && !asset.equals(AssetInvariants.GROVE) ? Action.SELL : Action.BUY,
                new AssetSymbol(asset),
                isCrypto == isLie ? AssetType.TRADFI : AssetType.CRYPTO,
                amount(random),
                null);
        String sent = spelled(asset, isLie && isCrypto, random);
        return new Meant(trade, new SentTrade(trade.of(new AssetSymbol(sent)), sent));
    }

    private static String spelled(String asset, boolean isLie, Random random) {
        return switch (random.nextInt(12)) {
            case 0 -> asset + "-USD";
            case 1 -> asset.toLowerCase(Locale.ROOT) + "/usdt";
            case 2 -> asset + "._";
            case 3 -> asset.equals("BTC") ? "XBT" : asset;
            case 4 -> isLie ? "." + asset + "/EUR" : asset;
            case 5 -> isLie ? asset + "USDTM" : asset;
            default -> asset;
        };
    }

    /** An amount: often exactly what is left of a cap or a flow, or a cent more. */
    private Usd amount(Random random) {
        Usd exact = switch (random.nextInt(8)) {
            case 0 -> simulation.checker.caps.left(key.id(), policy);
            case 1 -> simulation.checker.flows.left(user.userId, user.ips(), key.id(), simulation.clock.time());
            default -> null;
        };
        Usd left = exact == null ? null : new Usd(exact.value().setScale(MAX_DECIMALS, RoundingMode.DOWN));
        return left == null
                ? new Usd(BigDecimal.valueOf(random.nextInt(60_000), 2))
                : random.nextBoolean() ? left : left.plus(CENT);
    }
}
