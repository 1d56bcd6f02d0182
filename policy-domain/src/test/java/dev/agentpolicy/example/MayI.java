package dev.agentpolicy.example;

import dev.agentpolicy.domain.decision.Policy;
import dev.agentpolicy.domain.ips.Ips;
import dev.agentpolicy.domain.portfolio.Snapshot;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.trade.Trade;
import java.time.Instant;

/** Asks a policy about two purchases. */
public final class MayI {
    private MayI() {}

    public static void main(String[] args) {
        Policy policy = Policy.of(Ips.ofCrypto("0.10", "0.20", "0.35")
                .tradfi("0.55", "0.65", "0.80")
                .cashFloor("0.05")
                .maxDrawdown("0.25")
                .maxSlippage("0.01"));
        Snapshot portfolio = Snapshot.ofCrypto(Usd.of(30_000))
                .tradfi(Usd.of(55_000))
                .cash(Usd.of(15_000))
                .peak(Usd.of(100_000))
                .asOf(Instant.parse("2026-11-21T12:00:00Z"));
        for (long amount : new long[] {5_000, 6_400}) {
            var decision = policy.decide(Trade.buy("BTC", Usd.of(amount)), portfolio);
            System.out.println(amount + " USD: " + decision.reason());
            decision.violations().forEach(violation -> System.out.println(violation.message()));
        }
    }
}
