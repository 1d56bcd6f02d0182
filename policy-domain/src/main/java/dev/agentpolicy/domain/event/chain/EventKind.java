package dev.agentpolicy.domain.event.chain;

import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The kinds of events (specification, Events). */
public enum EventKind {
    IPS_CREATED("ips.created"),
    IPS_AMENDED("ips.amended"),
    KEY_MINTED("key.minted"),
    KEY_REVOKED("key.revoked"),
    KEY_ROTATED("key.rotated"),
    GUARDRAIL_DECISION("guardrail.decision"),
    DRIFT_DETECTED("policy.drift_detected"),
    DRIFT_CLEARED("policy.drift_cleared"),
    TRADE_OBSERVED("broker.trade_observed"),
    SIGNING_KEY_ROTATED("signing_key.rotated");

    private static final Map<String, EventKind> NAMED =
            Stream.of(values()).collect(Collectors.toUnmodifiableMap(EventKind::wireName, Function.identity()));

    private final String wireName;

    EventKind(String wireName) {
        this.wireName = wireName;
    }

    /** The kind as the specification writes it. */
    public String wireName() {
        return wireName;
    }

    public static Optional<EventKind> named(String wireName) {
        return Optional.ofNullable(NAMED.get(wireName));
    }
}
