package dev.agentpolicy.domain.event.chain;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.document.Instants;
import java.time.Instant;
import java.util.UUID;

/**
 * The exact texts that are hashed and signed. Each begins with a line that names its purpose, so none can pass for
 * another.
 */
final class Messages {
    private static final String PAYLOAD = "agent-policy/payload/v1\n";
    private static final String EVENT = "agent-policy/event/v1\n";
    private static final String EVENT_SIGNATURE = "agent-policy/event-sig/v1\n";
    private static final String KEY_PROOF = "agent-policy/key-proof/v1\n";
    private static final String HEAD = "agent-policy/head/v1\n";
    private static final int ROW_LENGTH = 512;

    private Messages() {}

    static String payload(String canonical) {
        return PAYLOAD + canonical;
    }

    /** A row without payload, hash and signature. */
    static String header(
            UserId userId,
            long seq,
            UUID eventId,
            EventKind kind,
            Instant createdAt,
            String payloadHash,
            String prevHash,
            String signingKeyId) {
        StringBuilder out = new StringBuilder(ROW_LENGTH).append(EVENT).append("{\"createdAt\":\"");
        Instants.append(out, createdAt);
        out.append("\",\"eventId\":\"").append(eventId);
        out.append("\",\"eventType\":\"").append(kind.wireName());
        out.append("\",\"payloadHash\":\"").append(payloadHash);
        out.append("\",\"prevHash\":\"").append(prevHash);
        out.append("\",\"seq\":").append(seq);
        out.append(",\"signingKeyId\":\"").append(signingKeyId);
        out.append("\",\"userId\":\"").append(userId.value());
        return out.append("\",\"v\":1}").toString();
    }

    static String header(PolicyEvent row) {
        return header(
                row.userId(),
                row.seq(),
                row.eventId(),
                row.kind(),
                row.createdAt(),
                row.payloadHash(),
                row.prevHash(),
                row.signingKeyId());
    }

    static String eventSignature(String hash) {
        return EVENT_SIGNATURE + hash + "\n";
    }

    /** The text that a new key signs to prove its possession, bound to one place of one chain. */
    static String keyProof(UserId userId, String oldKeyId, String newKeyId, String prevHash) {
        return KEY_PROOF + userId + "\n" + oldKeyId + "\n" + newKeyId + "\n" + prevHash + "\n";
    }

    static String head(UserId userId, long seq, String hash, Instant issuedAt, String signingKeyId) {
        StringBuilder out = new StringBuilder(ROW_LENGTH)
                .append(HEAD)
                .append("{\"hash\":\"")
                .append(hash);
        out.append("\",\"issuedAt\":\"");
        Instants.append(out, issuedAt);
        out.append("\",\"seq\":").append(seq);
        out.append(",\"signingKeyId\":\"").append(signingKeyId);
        out.append("\",\"userId\":\"").append(userId.value());
        return out.append("\",\"v\":1}").toString();
    }
}
