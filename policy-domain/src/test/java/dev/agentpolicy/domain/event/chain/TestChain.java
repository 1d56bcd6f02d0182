package dev.agentpolicy.domain.event.chain;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.TestKey;
import dev.agentpolicy.domain.event.canonical.TestJson;
import dev.agentpolicy.domain.event.signing.SignatureCheck;
import dev.agentpolicy.domain.event.signing.SigningKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A chain that grows row by row, one row a second. */
public final class TestChain {
    public static final UserId USER = new UserId(UUID.fromString("7c9e6679-7425-40de-944b-e07fc1f90ae7"));
    public static final Instant START = Instant.parse("2026-11-21T09:40:00Z");
    static final String SALT = "AAECAwQFBgcICQoLDA0ODw";
    public static final SignatureCheck CHECK = SignatureCheck.ofJdk();

    private final List<PolicyEvent> rows = new ArrayList<>();
    private ChainHead head;

    TestChain(UserId user) {
        head = ChainHead.genesis(user);
    }

    /** A chain of a few decisions signed by the first key. */
    public static TestChain ofDecisions(int count) {
        TestChain chain = new TestChain(USER);
        for (int i = 0; i < count; i++) {
            chain.decision(TestKey.ONE);
        }
        return chain;
    }

    /** A chain that each of these keys hands over to the next one. */
    public static TestChain ofRotations(List<TestKey> keys) {
        TestChain chain = new TestChain(USER);
        for (int i = 1; i < keys.size(); i++) {
            chain.rotateTo(keys.get(i), keys.get(i - 1));
        }
        return chain;
    }

    TestChain decision(TestKey key) {
        Map<String, @Nullable Object> payload = new HashMap<>();
        payload.put("allowed", true);
        payload.put("amountUsd", "100." + (head.seq() + 1));
        payload.put("rationale", null);
        return append(new EventDraft(EventKind.GUARDRAIL_DECISION, payload), key);
    }

    TestChain append(EventDraft draft, TestKey key) {
        Instant now = START.plus(Duration.ofSeconds(head.seq()));
        UUID eventId = new UUID(0x019aa5b17b2c7defL, 0x8a11000000000000L + head.seq() + 1);
        PolicyEvent row = EventChain.next(head, draft, eventId, SALT, now, key.keyId(), key::sign);
        rows.add(row);
        head = ChainHead.after(row);
        return this;
    }

    TestChain rotateTo(TestKey next, TestKey current) {
        SigningKey key = next.active(SigningKey.Purpose.EVENT, START);
        return append(
                KeyRotation.scheduled(head, current.keyId(), key, next::sign).draft(), current);
    }

    TestChain rescueTo(TestKey next, TestKey lost, long trustedThroughSeq) {
        SigningKey key = next.active(SigningKey.Purpose.EVENT, START);
        return append(
                KeyRotation.emergency(head, lost.keyId(), key, trustedThroughSeq, next::sign)
                        .draft(),
                next);
    }

    public List<PolicyEvent> rows() {
        return List.copyOf(rows);
    }

    ChainHead head() {
        return head;
    }

    /** The rows as a client receives them. */
    List<Map<String, @Nullable Object>> wire() {
        List<Map<String, @Nullable Object>> wire = new ArrayList<>();
        for (PolicyEvent row : rows) {
            StringBuilder json = new StringBuilder();
            RowJson.append(json, row);
            wire.add(new HashMap<>(TestJson.object(json.toString()).members()));
        }
        return wire;
    }
}
