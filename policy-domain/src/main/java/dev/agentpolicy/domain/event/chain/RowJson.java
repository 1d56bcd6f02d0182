package dev.agentpolicy.domain.event.chain;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.document.Codec;
import dev.agentpolicy.domain.document.Decimals;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Fields;
import dev.agentpolicy.domain.document.Instants;
import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.event.canonical.CanonicalForm;
import dev.agentpolicy.domain.event.canonical.WireFields;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Rows as JSON (docs/reference/events.md, The row). The payload is written as it was signed. */
public final class RowJson {
    private RowJson() {}

    /** Appends the JSON text of a row, with its members in the documented order. */
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

    /** Reads a row. An unknown, missing, repeated or malformed member is a problem. */
    public static Reading<PolicyEvent> read(Document document) {
        Fields fields = new Fields(document, Decimals.NUMBERS);
        fields.integer("v", 1, 1);
        UserId userId = read(fields, "userId", WireFields.USER_ID);
        Long seq = read(fields, "seq", WireFields.seq(1));
        UUID eventId = read(fields, "eventId", Codec.ID);
        EventKind kind = fields.meaning(
                "eventType",
                "must be a known kind",
                name -> EventKind.named(name).orElse(null));
        Instant createdAt = read(fields, "createdAt", WireFields.INSTANT);
        String payload = payload(fields, document);
        String payloadHash = read(fields, "payloadHash", WireFields.HASH);
        String prevHash = read(fields, "prevHash", WireFields.HASH);
        String keyId = read(fields, "signingKeyId", WireFields.KEY_ID);
        String hash = read(fields, "hash", WireFields.HASH);
        String signature = read(fields, "signature", WireFields.SIGNATURE);
        fields.require("v", "userId", "seq", "eventId", "eventType", "createdAt", "payloadHash", "prevHash");
        fields.require("signingKeyId", "hash", "signature");
        return fields.finish(() -> new PolicyEvent(
                Fields.present(userId),
                Fields.present(seq),
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

    private static <V> @Nullable V read(Fields fields, String name, Codec<V> form) {
        return form.reader().read(fields, name);
    }

    private static @Nullable String payload(Fields fields, Document document) {
        fields.requireMember("payload");
        if (fields.has("payload") && !(document.get("payload") instanceof Document)) {
            fields.problem("payload", "must be an object or null");
        }
        if (!(document.get("payload") instanceof Document payload)) {
            return null;
        }
        try {
            return CanonicalForm.write(payload);
        } catch (IllegalArgumentException refused) {
            fields.problem("payload", "has no canonical form: " + WireFields.clause(refused));
            return null;
        }
    }
}
