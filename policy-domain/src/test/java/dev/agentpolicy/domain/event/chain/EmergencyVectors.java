package dev.agentpolicy.domain.event.chain;

import dev.agentpolicy.domain.event.TestKey;
import dev.agentpolicy.domain.event.signing.SigningKey;
import dev.agentpolicy.domain.event.signing.SigningKeyManifest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The inputs of docs/vectors/emergency: three rows, one of them erased, a lost key, and two rows of its successor. */
public final class EmergencyVectors {
    private static final Instant MADE = Instant.parse("2026-11-01T00:00:00Z");
    private static final Instant COMPROMISED = Instant.parse("2026-11-21T09:40:02.500000Z");
    private static final Instant REVOKED = Instant.parse("2026-11-21T09:40:03Z");
    private static final int ERASED = 1;

    private EmergencyVectors() {}

    static TestChain chain() {
        return TestChain.ofDecisions(3).rescueTo(TestKey.TWO, TestKey.ONE, 3).decision(TestKey.TWO);
    }

    static List<PolicyEvent> rows() {
        List<PolicyEvent> rows = new ArrayList<>(chain().rows());
        rows.set(ERASED, erased(rows.get(ERASED)));
        return rows;
    }

    public static PolicyEvent erased(PolicyEvent row) {
        return new PolicyEvent(
                row.userId(),
                row.seq(),
                row.eventId(),
                row.kind(),
                row.createdAt(),
                null,
                row.payloadHash(),
                row.prevHash(),
                row.signingKeyId(),
                row.hash(),
                row.signature());
    }

    static String page() {
        StringBuilder json = new StringBuilder("{\"events\":[");
        String comma = "";
        for (PolicyEvent row : rows()) {
            json.append(comma);
            RowJson.append(json, row);
            comma = ",";
        }
        json.append("],\"nextCursor\":null,\"head\":");
        SignedHead.issue(chain().head(), Instant.parse("2026-11-21T09:40:05Z"), TestKey.TWO.keyId(), TestKey.TWO::sign)
                .appendJson(json);
        json.append(",\"erasures\":[");
        erasure().appendJson(json);
        return json.append("]}").toString();
    }

    /** Signed by the successor of the lost key, which the chain reaches after the erased row. */
    static Erasure erasure() {
        PolicyEvent row = chain().rows().get(ERASED);
        return Erasure.ofRow(
                row.userId(),
                row.seq(),
                row.hash(),
                Instant.parse("2026-11-21T09:40:05Z"),
                "Asked for by the user",
                TestKey.TWO.keyId(),
                TestKey.TWO::sign);
    }

    static SigningKeyManifest manifest() {
        return SigningKeyManifest.of("policy.example/agent/v1", keys())
                .signed(TestKey.ANCHOR.keyId(), TestKey.ANCHOR::sign);
    }

    static List<SigningKey> keys() {
        return List.of(
                lost(TestKey.ONE, COMPROMISED),
                TestKey.TWO
                        .active(SigningKey.Purpose.EVENT, REVOKED)
                        .attestedBy(TestKey.ROOT.keyId(), TestKey.ROOT::sign),
                TestKey.ANCHOR.active(SigningKey.Purpose.ANCHOR, MADE),
                TestKey.ROOT.active(SigningKey.Purpose.ROOT, MADE));
    }

    public static SigningKey lost(TestKey key, Instant since) {
        return new SigningKey(
                key.keyId(),
                key.x(),
                SigningKey.Purpose.EVENT,
                SigningKey.KeyStatus.REVOKED,
                MADE,
                REVOKED,
                REVOKED,
                SigningKey.RevocationReason.COMPROMISE,
                since,
                List.of());
    }
}
