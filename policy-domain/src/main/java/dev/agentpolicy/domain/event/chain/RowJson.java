package dev.agentpolicy.domain.event.chain;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.document.Codec;
import dev.agentpolicy.domain.document.Decimals;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Fields;
import dev.agentpolicy.domain.document.Instants;
import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.document.Sha256;
import dev.agentpolicy.domain.event.canonical.Base64Url;
import dev.agentpolicy.domain.event.canonical.CanonicalForm;
import dev.agentpolicy.domain.event.canonical.WireFields;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
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

    /** The members of a row without its payload. */
    public static Map<String, Object> header(PolicyEvent row) {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("v", 1L);
        members.put("userId", row.userId().toString());
        members.put("seq", row.seq());
        members.put("eventId", row.eventId().toString());
        members.put("eventType", row.kind().wireName());
        members.put("createdAt", Instants.format(row.createdAt()));
        members.put("payloadHash", row.payloadHash());
        members.put("prevHash", row.prevHash());
        members.put("signingKeyId", row.signingKeyId());
        members.put("hash", row.hash());
        members.put("signature", row.signature());
        return members;
    }

    /** Reads a row. An unknown, missing, repeated or malformed member is a problem. */
    public static Reading<PolicyEvent> read(Document document) {
        Fields fields = new Fields(document, Decimals.NUMBERS);
        String payload = payload(fields, document);
        PolicyEvent row = row(fields, payload);
        return fields.finish(() -> Fields.present(row));
    }

    /** Reads a row without the member payload; null when it has another form. */
    static @Nullable PolicyEvent header(Fields fields) {
        return row(fields, null);
    }

    private static @Nullable PolicyEvent row(Fields fields, @Nullable String payload) {
        fields.integer("v", 1, 1);
        UserId userId = read(fields, "userId", WireFields.USER_ID);
        Long seq = read(fields, "seq", WireFields.seq(1));
        UUID eventId = read(fields, "eventId", Codec.ID);
        EventKind kind = fields.meaning(
                "eventType",
                "must be a known kind",
                name -> EventKind.named(name).orElse(null));
        Instant createdAt = read(fields, "createdAt", WireFields.INSTANT);
        String payloadHash = read(fields, "payloadHash", WireFields.HASH);
        String prevHash = read(fields, "prevHash", WireFields.HASH);
        String keyId = read(fields, "signingKeyId", WireFields.KEY_ID);
        String hash = read(fields, "hash", WireFields.HASH);
        String signature = read(fields, "signature", WireFields.SIGNATURE);
        fields.require("v", "userId", "seq", "eventId", "eventType", "createdAt", "payloadHash", "prevHash");
        fields.require("signingKeyId", "hash", "signature");
        return userId == null
                        || seq == null
                        || eventId == null
                        || kind == null
                        || createdAt == null
                        || payloadHash == null
                        || prevHash == null
                        || keyId == null
                        || hash == null
                        || signature == null
                ? null
                : new PolicyEvent(
                        userId, seq, eventId, kind, createdAt, payload, payloadHash, prevHash, keyId, hash, signature);
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

    /**
     * A fast parser for rows that are written exactly as {@link RowJson#append} writes them, which is how a service sends
     * its pages. It is several times as fast as a JSON parser. Use {@link RowJson#read} for rows written in any other way.
     *
     * @param row the row
     * @param end the index after its text, in bytes
     */
    public record RowText(PolicyEvent row, int end) {
        private static final int UUID_LENGTH = 36;
        private static final int INSTANT_LENGTH = 27;
        private static final int HASH_LENGTH = 64;
        private static final int KEY_LENGTH = 43;
        private static final int SIGNATURE_LENGTH = 86;
        private static final int MAX_SEQ_DIGITS = 16;
        private static final int MAX_KIND_LENGTH = 32;
        private static final int LAST_ASCII = 0x7f;
        private static final String NULL = "null";

        /** Bytes as text with one character for each byte, which is cheap to make and to split. */
        public static String bytes(byte[] utf8) {
            return new String(utf8, StandardCharsets.ISO_8859_1);
        }

        /**
         * The row that begins at an index, or null when it must be read as JSON.
         *
         * @param bytes as {@link #bytes} gives them
         */
        public static @Nullable RowText at(String bytes, int from) {
            Cut cut = new Cut(bytes, from);
            UUID user = Codec.parsedUuid(cut.next("{\"v\":1,\"userId\":\"", UUID_LENGTH));
            String seq = cut.until("\",\"seq\":", ',', MAX_SEQ_DIGITS);
            UUID eventId = Codec.parsedUuid(cut.next(",\"eventId\":\"", UUID_LENGTH));
            String kindName = cut.until("\",\"eventType\":\"", '"', MAX_KIND_LENGTH);
            EventKind kind = EventKind.named(kindName).orElse(null);
            Instant createdAt = Instants.parse(cut.next("\",\"createdAt\":\"", INSTANT_LENGTH));
            String payload = cut.payload("\",\"payload\":");
            String payloadHash = cut.next(",\"payloadHash\":\"", HASH_LENGTH);
            String prevHash = cut.next("\",\"prevHash\":\"", HASH_LENGTH);
            String keyId = cut.next("\",\"signingKeyId\":\"", KEY_LENGTH);
            String hash = cut.next("\",\"hash\":\"", HASH_LENGTH);
            String signature = cut.next("\",\"signature\":\"", SIGNATURE_LENGTH);
            int end = cut.after("\"}");
            if (user == null || eventId == null || kind == null || createdAt == null || end < 0 || !isSeq(seq)) {
                return null;
            }
            boolean isFormed = Sha256.isHex(payloadHash)
                    && Sha256.isHex(prevHash)
                    && Sha256.isHex(hash)
                    && Base64Url.isText(keyId, Base64Url.KEY_BYTES)
                    && Base64Url.isText(signature, Base64Url.SIGNATURE_BYTES);
            PolicyEvent row = new PolicyEvent(
                    new UserId(user),
                    Long.parseLong(seq),
                    eventId,
                    kind,
                    createdAt,
                    payload.equals(NULL) ? null : payload,
                    payloadHash,
                    prevHash,
                    keyId,
                    hash,
                    signature);
            return isFormed ? new RowText(row, end) : null;
        }

        private static boolean isSeq(String digits) {
            for (int i = 0; i < digits.length(); i++) {
                if (digits.charAt(i) < '0' || digits.charAt(i) > '9') {
                    return false;
                }
            }
            return !digits.isEmpty() && digits.charAt(0) != '0' && Long.parseLong(digits) <= CanonicalForm.MAX_INTEGER;
        }

        /** Cuts a text into parts. After the first mismatch every part is empty. */
        private static final class Cut {
            private static final int LOST = -1;

            private final String text;
            private int place;

            Cut(String text, int from) {
                this.text = text;
                this.place = from;
            }

            /** A number of characters after a literal. */
            String next(String words, int length) {
                int from = after(words);
                return from == LOST || from + length > text.length() ? lost() : cut(from, from + length);
            }

            /** The text between a literal and a character. */
            String until(String words, char last, int maxLength) {
                int from = after(words);
                int end = from == LOST ? LOST : text.indexOf(last, from);
                return end == LOST || end - from > maxLength ? lost() : cut(from, end);
            }

            /** The canonical object or null after a literal. */
            String payload(String words) {
                int from = after(words);
                int end = from == LOST
                        ? LOST
                        : text.startsWith(NULL, from) ? from + NULL.length() : CanonicalForm.end(text, from);
                String decoded = end == LOST ? null : decoded(cut(from, end));
                return decoded == null ? lost() : decoded;
            }

            private static @Nullable String decoded(String bytes) {
                for (int i = 0; i < bytes.length(); i++) {
                    if (bytes.charAt(i) > LAST_ASCII) {
                        return utf8(bytes);
                    }
                }
                return bytes;
            }

            /** The text of well-formed UTF-8, or null when it is malformed. */
            private static @Nullable String utf8(String bytes) {
                byte[] utf8 = bytes.getBytes(StandardCharsets.ISO_8859_1);
                String text = new String(utf8, StandardCharsets.UTF_8);
                return Arrays.equals(text.getBytes(StandardCharsets.UTF_8), utf8) ? text : null;
            }

            /** The index after a literal, negative after a mismatch. */
            int after(String words) {
                return place != LOST && text.startsWith(words, place) ? place + words.length() : LOST;
            }

            private String cut(int from, int end) {
                place = end;
                return text.substring(from, end);
            }

            private String lost() {
                place = LOST;
                return "";
            }
        }
    }
}
