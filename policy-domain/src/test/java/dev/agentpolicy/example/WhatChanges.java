package dev.agentpolicy.example;

import dev.agentpolicy.domain.compare.PolicyComparison;
import dev.agentpolicy.domain.ips.Ips;
import java.time.Instant;

/** Says what a higher maximum newly allows. */
public final class WhatChanges {
    private WhatChanges() {}

    public static void main(String[] args) {
        Ips old = Ips.ofCrypto("0.10", "0.20", "0.35")
                .tradfi("0.55", "0.65", "0.80")
                .cashFloor("0.05")
                .maxDrawdown("0.25")
                .maxSlippage("0.01");
        Ips next = Ips.ofCrypto("0.10", "0.20", "0.40")
                .tradfi("0.55", "0.65", "0.80")
                .cashFloor("0.05")
                .maxDrawdown("0.25")
                .maxSlippage("0.01");
        PolicyComparison comparison = PolicyComparison.of(old, next, Instant.parse("2026-11-21T12:00:00Z"));
        System.out.println(comparison.relation());
        comparison.witnesses().forEach(witness -> {
            System.out.println(witness.situation().trade());
            witness.before().violations().forEach(violation -> System.out.println(violation.message()));
        });
    }
}
