package dev.agentpolicy.domain.usecase;

import static dev.agentpolicy.domain.usecase.House.USER;

import dev.agentpolicy.domain.account.Unavailable;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.request.Asked;
import dev.agentpolicy.domain.request.OwnTrade;
import dev.agentpolicy.domain.sample.Samples;
import dev.agentpolicy.domain.trade.Action;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import dev.agentpolicy.domain.trade.Trade;
import dev.agentpolicy.domain.usecase.PlainCustodian.Mood;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletionException;

/** Agents, a user, a custodian and a clock that do at random what they can do, while a ledger watches. */
final class RandomLife {
    private static final List<String> POLICIES = List.of(
            "{\"dailyUsdCap\":2000,\"aumCapUsd\":1500.01,\"dailyCallCap\":60}",
            "{\"dailyUsdCap\":500.01}",
            "{\"aumCapUsd\":3000}",
            "{}");
    private static final Duration AT_ONCE = Duration.ofSeconds(-1);

    final House house = House.furnished(new QuickHouse());
    final List<Caller> agents = POLICIES.stream().map(house::agent).toList();
    private final RandomLedger ledger = new RandomLedger(house, agents);
    private final Random random;
    private long last;

    RandomLife(Random random) {
        this.random = random;
    }

    /** One thing happens, and everything still holds. */
    void step() {
        house.store.away(random.nextInt(50) == 0);
        try {
            act(random.nextInt(100));
        } catch (CompletionException failed) {
            if (!(failed.getCause() instanceof Unavailable)) {
                throw failed;
            }
        }
        house.store.away(false);
        ledger.check(random);
    }

    /** Everybody answers again; what is under way comes to its end. */
    void end() {
        house.custodian.is(Mood.OBLIGING);
        house.custodian.answerLate();
        house.fill.sweep(AT_ONCE).toCompletableFuture().join();
        ledger.check(random);
        house.hold(30_000, 55_000, 15_000);
        ledger.replaced();
        ledger.check(random);
        ledger.checkEnd();
    }

    private void act(int what) {
        if (what < 32) {
            propose();
        } else if (what < 40) {
            validate();
        } else if (what < 62) {
            accept();
        } else if (what < 65) {
            house.custodian.refuseOnce();
        } else if (what < 69) {
            anyOpen().ifPresent(id -> house.attest.reject(USER, id, "no"));
        } else if (what < 76) {
            house.custodian.is(Mood.values()[random.nextInt(Mood.values().length)]);
        } else if (what < 82) {
            house.custodian.is(Mood.OBLIGING);
        } else if (what < 87) {
            house.custodian.answerLate();
        } else if (what < 91) {
            house.fill.sweep(AT_ONCE);
        } else if (what < 96) {
            timePasses();
        } else if (what < 98) {
            house.hold(20_000 + random.nextInt(15_000), 55_000, 10_000 + random.nextInt(10_000));
            ledger.replaced();
        } else if (what < 99) {
            ownTrade(random.nextBoolean() ? Action.BUY : Action.SELL, "0.0" + (1 + random.nextInt(9)));
        } else {
            amendIps();
        }
    }

    private void validate() {
        Caller agent = agent();
        house.validate
                .one(agent, trade())
                .toCompletableFuture()
                .join()
                .fold(decided -> ledger.called(agent), refused -> ledger.refused(agent, refused));
    }

    private void propose() {
        Caller agent = agent();
        String once = random.nextInt(3) == 0 ? "once-" + random.nextInt(8) : null;
        Asked asked = new Asked(trade(), null);
        house.propose
                .propose(agent, asked, once)
                .toCompletableFuture()
                .join()
                .fold(
                        proposed -> ledger.proposed(agent, asked.trade(), once, proposed),
                        refused -> ledger.refused(agent, refused));
    }

    /** A late custodian keeps its answer back, so nobody waits for one here. */
    private void accept() {
        anyOpen().ifPresent(id -> {
            last = id;
            ledger.accepted(id, house.attest.accept(USER, id));
            if (random.nextInt(4) == 0) {
                ledger.accepted(id, house.attest.accept(USER, id));
            }
        });
    }

    /** Often the same again, as trouble comes of that. */
    private Optional<Long> anyOpen() {
        return ledger.isOpen(last) && random.nextBoolean() ? Optional.of(last) : ledger.open(random);
    }

    private void timePasses() {
        house.clock.advance(
                switch (random.nextInt(20)) {
                    case 0 -> Duration.ofDays(8);
                    case 1, 2 -> Duration.ofHours(24);
                    default -> Duration.ofMinutes(random.nextInt(600));
                });
        house.expire.sweep().toCompletableFuture().join();
    }

    private void ownTrade(Action action, String quantity) {
        house.observe.trade(
                USER,
                "broker",
                new OwnTrade(
                        action,
                        new AssetSymbol("BTC"),
                        AssetType.CRYPTO,
                        new BigDecimal(quantity),
                        Usd.of(20_000 + random.nextInt(20_000))));
    }

    private void amendIps() {
        String max = random.nextBoolean() ? "0.35" : "0.3";
        house.amendIps.put(USER, Samples.ips("{\"crypto\":{\"min\":0.1,\"target\":0.2,\"max\":" + max + "}}"));
    }

    private Caller agent() {
        return agents.get(random.nextInt(agents.size()));
    }

    private Trade trade() {
        boolean isCrypto = random.nextInt(4) != 0;
        String asset = isCrypto ? random.nextInt(5) == 0 ? "ETH" : "BTC" : "SPY";
        BigDecimal amount = BigDecimal.valueOf(random.nextInt(60_000), 2);
        return new Trade(
                random.nextInt(3) == 0 ? Action.SELL : Action.BUY,
                new AssetSymbol(asset),
                isCrypto ? AssetType.CRYPTO : AssetType.TRADFI,
                new Usd(amount),
                null);
    }
}
