package dev.agentpolicy.domain.simulation;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.custodian.BrokerCredentials;
import dev.agentpolicy.domain.custodian.BrokerEnvironment;
import dev.agentpolicy.domain.custodian.PaperMarket;
import dev.agentpolicy.domain.custodian.PaperSetup;
import dev.agentpolicy.domain.ips.Ips;
import dev.agentpolicy.domain.ips.IpsVersion;
import dev.agentpolicy.domain.port.SyncSchedule.CustodianRef;
import dev.agentpolicy.domain.portfolio.CustodianHoldings;
import dev.agentpolicy.domain.portfolio.CustodianHoldings.CustodianKind;
import dev.agentpolicy.domain.portfolio.Position;
import dev.agentpolicy.domain.quantity.Fraction;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.request.OwnTrade;
import dev.agentpolicy.domain.request.ServiceRequest;
import dev.agentpolicy.domain.sample.SampleValues;
import dev.agentpolicy.domain.trade.Action;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import dev.agentpolicy.domain.usecase.Answer;
import dev.agentpolicy.domain.usecase.custodian.ConnectRequest;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;

/** A user with a portfolio, an IPS and some agents, who attests requests, trades and changes the IPS and the keys. */
final class SimulatedUser {
    private static final Ips WIDE = SampleValues.plainIps();
    private static final Ips NARROW = SampleValues.ips("{\"crypto\":{\"min\":0.1,\"target\":0.2,\"max\":0.31}}");
    /** Two statements that share a flow form, one with several more flows. */
    private static final Ips LIMITED = SampleValues.ips("""
            {"limits":[{"id":"day","kind":"flow","windowMinutes":1440,"maxUsd":2500},
              {"id":"same","kind":"flow","windowMinutes":3,"maxTrades":1,"per":"asset"},
              {"id":"own","kind":"flow","windowMinutes":180,"maxUsd":900.5,"maxTrades":4,"per":"agent"},
              {"id":"coins","kind":"position","max":0.012,"scope":{"symbols":["GROVE-USD","ETH"]}}]}""");

    private static final Ips ALSO_LIMITED = SampleValues.ips("""
            {"limits":[{"id":"each","kind":"position","max":0.34,"perAsset":true,"scope":{"assetTypes":["crypto"]}},
              {"id":"daily","kind":"flow","effect":"require_approval","windowMinutes":1440,"maxUsd":1800,"maxTrades":9},
              {"id":"week","kind":"flow","windowMinutes":10000,"maxUsd":8000,
                "scope":{"actions":["buy"],"assetTypes":["crypto"]}},
              {"id":"loss","kind":"loss","windowDays":1,"max":0.1}]}""");

    private static final List<Ips> STATEMENTS = List.of(WIDE, WIDE, NARROW, LIMITED, ALSO_LIMITED);
    private static final AssetSymbol BTC = new AssetSymbol("BTC");
    private static final AssetSymbol SPY = new AssetSymbol("SPY");
    private static final int RECENT = 8;
    /** USD in crypto; 35 % of the total, besides 55 000 of SPY and this much cash. */
    private static final int MAX_BTC = 36_076;

    private static final int CASH_BESIDE = 12_000;
    static final String PAPER = "paper";
    final UserId userId;
    private final boolean hasPaper;
    private final boolean hasBroker;
    private final Simulation simulation;
    private final List<SimulatedAgent> agents;

    SimulatedUser(Simulation simulation, int number) {
        this.simulation = simulation;
        this.userId = new UserId(new UUID(4, number));
        this.hasPaper = number != 1;
        this.hasBroker = number != 0;
        amend();
        if (hasPaper) {
            hold(30_000, 15_000, PaperMarket.OPEN);
        }
        if (hasBroker) {
            connect();
        }
        agents = IntStream.range(0, SimulatedAgent.POLICIES.size())
                .mapToObj(policy -> new SimulatedAgent(simulation, this, policy))
                .toList();
        simulation.settle();
    }

    /** The statement in force; null when there is none. */
    IpsVersion ips() {
        return simulation.store.view(userId).ips();
    }

    SimulatedAgent anyAgent() {
        return agents.get(simulation.random.nextInt(agents.size()));
    }

    void attest() {
        List<Long> asked = simulation.checker.requests.of(userId);
        if (asked.isEmpty()) {
            return;
        }
        long id = anyOf(asked);
        if (simulation.random.nextInt(6) == 0) {
            reject(id);
        } else {
            accept(id);
            if (simulation.random.nextInt(5) == 0) {
                accept(id);
            }
            if (simulation.random.nextInt(3) == 0) {
                accept(anyOf(asked));
            }
        }
    }

    /** A request of the user, mostly a recent one. */
    private long anyOf(List<Long> asked) {
        boolean isRecent = simulation.random.nextInt(8) > 0;
        int back = simulation.random.nextInt(isRecent ? Math.min(RECENT, asked.size()) : asked.size());
        return asked.get(asked.size() - 1 - back);
    }

    void amend() {
        amend(STATEMENTS.get(simulation.random.nextInt(STATEMENTS.size())));
    }

    /** Holdings in which, now and then, one more trade of an asset fits below its maximum and two do not. */
    void observe() {
        if (!hasPaper) {
            simulation.broker.account(userId).transfer();
        } else if (simulation.random.nextBoolean()) {
            hold(MAX_BTC - simulation.random.nextInt(800), CASH_BESIDE, market());
        } else {
            hold(20_000 + simulation.random.nextInt(15_000), 10_000 + simulation.random.nextInt(10_000), market());
        }
    }

    /** Lets the paper custodian fill all orders. */
    void openMarket() {
        if (hasPaper) {
            hold(30_000, 15_000, PaperMarket.OPEN);
        }
    }

    private PaperMarket market() {
        return switch (simulation.random.nextInt(8)) {
            case 0 -> new PaperMarket(false, Fraction.ONE, Set.of());
            case 1 -> new PaperMarket(true, new Fraction(new BigDecimal("0.4")), Set.of(BTC));
            case 2 -> new PaperMarket(true, new Fraction(new BigDecimal("0.5")), Set.of());
            default -> PaperMarket.OPEN;
        };
    }

    /** Takes back an order. */
    void cancel() {
        List<Long> asked = simulation.checker.requests.of(userId);
        List<Long> underWay = asked.stream()
                .filter(id -> MutatedViews.isAccepted(simulation.checker.requests.known(id)))
                .toList();
        if (underWay.isEmpty()) {
            return;
        }
        long id = underWay.get(simulation.random.nextInt(underWay.size()));
        SimulatedNode node = simulation.anyNode();
        node.call(() -> node.orders.cancel(userId, id), this::attested, () -> {});
    }

    /** Connects the account at the broker, or renews the credentials. */
    void connect() {
        if (hasBroker) {
            ConnectRequest request = new ConnectRequest(
                    CustodianKind.ALPACA,
                    "Broker",
                    new BrokerCredentials(BrokerEnvironment.PAPER, userId.toString(), "secret"));
            SimulatedNode node = simulation.anyNode();
            node.call(() -> node.connect.connect(userId, SimulatedBroker.ID, request), connected -> {}, this::connect);
        }
    }

    /** Connects again if a crash or an outage left a connection without credentials, which nobody syncs. */
    void giveMissingCredentials() {
        boolean isConnected = simulation
                .store
                .view(userId)
                .connections()
                .find(SimulatedBroker.ID)
                .isPresent();
        if (isConnected && !simulation.credentials.all().containsKey(new CustodianRef(userId, SimulatedBroker.ID))) {
            connect();
        }
    }

    /** Removes the account at the broker and connects it again. */
    void reconnect() {
        SimulatedNode node = simulation.anyNode();
        node.call(() -> node.connect.remove(userId, SimulatedBroker.ID), removed -> connect(), this::connect);
    }

    void syncPaper() {
        if (hasPaper) {
            SimulatedNode node = simulation.anyNode();
            node.call(() -> node.connect.sync(userId, PAPER), synced -> {}, () -> {});
        }
    }

    void sync() {
        SimulatedNode node = simulation.anyNode();
        String custodian = hasBroker ? SimulatedBroker.ID : PAPER;
        node.call(() -> node.connect.sync(userId, custodian), synced -> {}, () -> {});
    }

    void trade() {
        if (!hasPaper || hasBroker && simulation.random.nextBoolean()) {
            simulation.broker.account(userId).trade();
            return;
        }
        OwnTrade trade = new OwnTrade(
                simulation.random.nextBoolean() ? Action.BUY : Action.SELL,
                BTC,
                AssetType.CRYPTO,
                new BigDecimal("0.0" + (1 + simulation.random.nextInt(9))),
                Usd.of(20_000 + simulation.random.nextInt(20_000)));
        SimulatedNode node = simulation.anyNode();
        node.call(() -> node.observe.trade(userId, PAPER, trade), this::compare, () -> {});
    }

    private void accept(long id) {
        SimulatedNode node = simulation.anyNode();
        node.call(() -> node.attest.accept(userId, id), this::attested, () -> {});
    }

    private void reject(long id) {
        SimulatedNode node = simulation.anyNode();
        node.call(() -> node.attest.reject(userId, id, "no"), this::rejected, () -> {});
    }

    private void attested(Answer<ServiceRequest> answer) {
        answer.fold(
                request -> {
                    simulation.checker.returned(request);
                    return true;
                },
                refusal -> false);
    }

    private void rejected(Answer<ServiceRequest> answer) {
        attested(answer);
        answer.fold(
                request -> {
                    simulation.checker.chain.returnedRejected(request.id());
                    return true;
                },
                refusal -> false);
    }

    private void amend(Ips ips) {
        SimulatedNode node = simulation.anyNode();
        node.take(() -> node.amend.put(userId, ips), amended -> {}, () -> {});
    }

    private void hold(int btc, int cash, PaperMarket market) {
        CustodianHoldings holdings = new CustodianHoldings(
                PAPER,
                "Paper",
                CustodianKind.PAPER,
                simulation.clock.instant(),
                1,
                Usd.of(cash),
                List.of(
                        new Position(
                                new AssetSymbol(AssetInvariants.GROVE), AssetType.CRYPTO, BigDecimal.ONE, Usd.of(1)),
                        new Position(BTC, AssetType.CRYPTO, BigDecimal.ONE, Usd.of(btc)),
                        new Position(SPY, AssetType.TRADFI, new BigDecimal(100), Usd.of(550))));
        PaperSetup setup = new PaperSetup(holdings, Map.of(new AssetSymbol("ETH"), Usd.of(2_000)), market);
        SimulatedNode node = simulation.anyNode();
        node.call(() -> node.observe.observe(userId, setup), this::compare, () -> {});
    }

    private void compare(Answer<?> answer) {
        simulation.checker.holdings.compare(userId);
    }
}
