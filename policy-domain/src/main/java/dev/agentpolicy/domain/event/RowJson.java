package dev.agentpolicy.domain.event;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.document.Decimals;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Fields;
import dev.agentpolicy.domain.document.Instants;
import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.document.Sha256;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A row on the wire (docs/reference/events.md, The row): its payload is spliced in as it was stored and signed. */
public final class RowJson {
    private static final BigDecimal MAX_SEQ = BigDecimal.valueOf(CanonicalForm.MAX_INTEGER);

    private RowJson() {}

    /** Appends the JSON text of a row, members in the order of the documentation. */
    public static void append(StringBuilder out, PolicyEvent row) {
        out.append("{\"v\":1,\"userId\":\"").append(row.userId().value());
        out.append("\",\"seq\":").append(row.seq());
        out.append(",\"eventId\":\"").append(row.eventId());
        out.append("\",\"eventType\":\"").append(row.kind().wireName());
        out.append("\",\"createdAt\":\"");
        Instants.append(out, row.createdAt());
        out.append("\",\"payload\":").append(row.payload());
        out.append(",\"payloadHash\":\"").append(row.payloadHash());
        out.append("\",\"prevHash\":\"").append(row.prevHash());
        out.append("\",\"signingKeyId\":\"").append(row.signingKeyId());
        out.append("\",\"hash\":\"").append(row.hash());
        out.append("\",\"signature\":\"").append(row.signature()).append("\"}");
    }

    /** Reads a row someone hands us: an unknown, missing, repeated or loosely written member is a problem. */
    public static Reading<PolicyEvent> read(Document document) {
        Fields fields = new Fields(document, Decimals.NUMBERS);
        fields.integer("v", 1, 1);
        UserId userId = userId(fields);
        BigDecimal seq = seq(fields, BigDecimal.ONE);
        UUID eventId = fields.meaning("eventId", "must be a UUID in lower case", RowJson::uuid);
        EventKind kind = fields.meaning(
                "eventType",
                "must be a known kind",
                name -> EventKind.named(name).orElse(null));
        Instant createdAt = instant(fields, "createdAt");
        String payload = payload(fields, document);
        String payloadHash = hash(fields, "payloadHash");
        String prevHash = hash(fields, "prevHash");
        String keyId = keyId(fields, "signingKeyId");
        String hash = hash(fields, "hash");
        String signature = signature(fields, "signature");
        fields.require("v", "userId", "seq", "eventId", "eventType", "createdAt", "payloadHash", "prevHash");
        fields.require("signingKeyId", "hash", "signature");
        return fields.finish(() -> new PolicyEvent(
                Fields.present(userId),
                Fields.present(seq).longValueExact(),
                Fields.present(eventId),
                Fields.present(kind),
                Fields.present(createdAt),
                payload,
                Fields.present(payloadHash),
                Fields.present(prevHash),
                Fields.present(keyId),
                Fields.present(hash),
                Fields.present(signature)));
    }

    static @Nullable UserId userId(Fields fields) {
        UUID uuid = fields.meaning("userId", "must be a UUID in lower case", RowJson::uuid);
        return uuid == null ? null : new UserId(uuid);
    }

    static @Nullable BigDecimal seq(Fields fields, BigDecimal min) {
        return fields.decimal("seq", min, MAX_SEQ, 0);
    }

    static @Nullable Instant instant(Fields fields, String name) {
        return fields.meaning(name, "must be written YYYY-MM-DDTHH:MM:SS.ffffffZ", Instants::parse);
    }

    static @Nullable String hash(Fields fields, String name) {
        return fields.meaning(name, "must be 64 lower-case hex characters", text -> Sha256.isHex(text) ? text : null);
    }

    static @Nullable String keyId(Fields fields, String name) {
        return bytes(fields, name, Base64Url.KEY_BYTES);
    }

    static @Nullable String signature(Fields fields, String name) {
        return bytes(fields, name, Base64Url.SIGNATURE_BYTES);
    }

    private static @Nullable String bytes(Fields fields, String name, int length) {
        String expected = "must be " + length + " bytes in base64url without padding";
        return fields.meaning(name, expected, text -> Base64Url.isText(text, length) ? text : null);
    }

    private static @Nullable String payload(Fields fields, Document document) {
        if (!document.members().containsKey("payload")) {
            fields.problem("payload", "is missing");
        }
        if (fields.has("payload") && !(document.get("payload") instanceof Document)) {
            fields.problem("payload", "must be an object or null");
        }
        if (!(document.get("payload") instanceof Document payload)) {
            return null;
        }
        try {
            return CanonicalForm.write(payload);
        } catch (IllegalArgumentException refused) {
            fields.problem("payload", "has no canonical form: " + clause(refused));
            return null;
        }
    }

    /** What is told of a refusal within a sentence, which brings a full stop of its own. */
    static String clause(IllegalArgumentException refused) {
        return String.valueOf(refused.getMessage()).replaceFirst("\\.$", "");
    }

    static @Nullable UUID uuid(String text) {
        try {
            UUID uuid = UUID.fromString(text);
            return uuid.toString().equals(text) ? uuid : null;
        } catch (IllegalArgumentException malformed) {
            return null;
        }
    }
}
