package dev.agentpolicy.app;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agentpolicy.domain.event.TestKey;
import dev.agentpolicy.domain.event.canonical.Base64Url;
import dev.agentpolicy.domain.event.canonical.TestJson;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * The inputs of docs/vectors/forms: files on which programs that read JSON differ, and values beside the forms of
 * docs/verify/forms.txt, each signed properly if it can be.
 */
final class FormVectors {
    static final Path VECTORS = TestJson.docs().resolve("vectors");
    static final ObjectNode STORY = SignedPages.read(VECTORS.resolve("hostile/genuine/events.json"));
    static final ObjectNode KEYS = SignedPages.read(VECTORS.resolve("hostile/genuine/signing-keys.json"));
    /** The story with a change of the policy in place of its second proposal. */
    static final ObjectNode CHANGED = changed();

    private static final String ANSWER = "/events/3/payload/attestation";
    private static final byte[] MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

    private final Map<String, byte[]> files = new LinkedHashMap<>();
    private final ArrayNode index = SignedPages.JSON.createArrayNode();

    private FormVectors() {}

    /** All files by their path under docs/vectors/forms. */
    static Map<String, byte[]> files() {
        FormVectors vectors = new FormVectors();
        vectors.files.put("events.json", pretty(STORY));
        vectors.files.put("signing-keys.json", pretty(KEYS));
        vectors.texts();
        vectors.numbers();
        vectors.values();
        vectors.passkeys();
        vectors.changes();
        vectors.manifests();
        vectors.options();
        vectors.files.put("forms.json", pretty(vectors.index));
        return vectors.files;
    }

    private void texts() {
        String genuine = STORY.toString();
        text("byte-order-mark", 2, joined(MARK, bytes(genuine)));
        text("two-documents", 2, bytes(genuine + "\n" + genuine));
        text("two-documents-in-one-line", 2, bytes(genuine + "[]"));
        text("text-after-the-document", 2, bytes(genuine + "x"));
        text("comma-after-the-last-page", 2, bytes("[" + genuine + ",]"));
        text("no-comma-between-pages", 2, bytes("[" + genuine + " " + genuine + "]"));
        text("array-of-arrays", 2, bytes("[[" + genuine + "]]"));
        text("a-number", 2, bytes("1"));
        text("an-array-of-a-number", 2, bytes("[1]"));
        text("empty", 2, new byte[0]);
        text("no-pages", 2, bytes("[]"));
        text("broken-utf-8", 2, joined(bytes(genuine.replace("Phone", "")), new byte[] {(byte) 0xC3}));
        text("utf-8-beyond-unicode", 2, latin(member("x", "\"\u00f4\u0090\u0080\u0080\"")));
        text("surrogate-in-utf-8", 2, latin(member("x", "\"\u00ed\u00a0\u0080\"")));
        text("line-feed-in-a-text", 2, bytes(member("x", "\"a\nb\"")));
        text("tab-in-a-text", 2, bytes(member("x", "\"a\tb\"")));
        text("nul-in-a-text", 2, bytes(member("x", "\"a\0b\"")));
        text("delete-in-a-text", 0, bytes(member("x", "\"a\u007fb\"")));
        text("unknown-escape", 2, bytes(member("x", "\"\\x41\"")));
        text("other-blank", 2, bytes(member("x", "\f1")));
        text("single-quotes", 2, bytes(member("x", "'a'")));
        text("comment", 2, bytes(member("x", "1/**/")));
        text("nested-64-deep", 0, bytes(member("x", "[".repeat(63) + "]".repeat(63))));
        text("nested-65-deep", 2, bytes(member("x", "[".repeat(64) + "]".repeat(64))));
        text("nested-65-deep-in-an-array", 2, bytes("[" + member("x", "[".repeat(63) + "]".repeat(63)) + "]"));
        text("nested-100000-deep", 2, bytes(member("x", "[".repeat(100_000) + "]".repeat(100_000))));
        text("member-twice", 1, bytes(member("nextCursor", "null")));
        text("member-twice-by-an-escape", 1, bytes(member("next\\u0043ursor", "null")));
        text("member-twice-in-a-member-of-no-meaning", 1, bytes(member("x", "{\"a\":1,\"a\":1}")));
        text("member-twice-and-unreadable", 2, bytes(member("nextCursor", "null") + "x"));
        text("lone-surrogate", 1, bytes(member("x", "\"\\ud800\"")));
        text("lone-surrogate-in-a-name", 1, bytes(member("\\ud800", "1")));
        text("surrogates-the-wrong-way-round", 1, bytes(member("x", "\"\\udc00\\ud800\"")));
        text("surrogate-pair", 0, bytes(member("x", "\"\\ud83d\\ude00\"")));
        text("escaped-backslash-before-a-surrogate", 0, bytes(member("x", "\"\\\\ud800\"")));
        text(
                "lone-surrogate-in-nextCursor",
                1,
                bytes(genuine.replace("\"nextCursor\":null", "\"nextCursor\":\"\\ud800\"")));
        text("nan-in-nextCursor", 2, bytes(genuine.replace("\"nextCursor\":null", "\"nextCursor\":NaN")));
    }

    /** Numbers in a payload, in a row and in a member of no meaning. */
    private void numbers() {
        Map<String, List<String>> spellings = new LinkedHashMap<>();
        spellings.put("0", List.of("-0", "0.0", "0e0", "1e-400", "00", "+0"));
        spellings.put("1", List.of("1.0", "1e0", "10e-1", "1.00000000000000001", "01", "+1", "1.", ".1e1", "0x1"));
        spellings.put(
                "9",
                List.of(
                        "9007199254740992",
                        "-9007199254740992",
                        "1e999",
                        "9".repeat(400),
                        "NaN",
                        "nan",
                        "Infinity",
                        "-Infinity",
                        "-",
                        "1e",
                        "--1"));
        spellings.forEach((value, others) -> {
            for (String other : others) {
                boolean isJson = other.matches("-?(0|[1-9][0-9]*)([.][0-9]+)?([eE][-+]?[0-9]+)?");
                String name = "number-"
                        + other.substring(0, Math.min(20, other.length())).replace("+", "plus");
                text(name + "-in-a-member-of-no-meaning", isJson ? 1 : 2, bytes(member("x", other)));
                if (!value.equals("9")) {
                    String place = value.equals("0") ? "\"calls\":" : "\"seq\":";
                    text(name, isJson ? 1 : 2, bytes(STORY.toString().replaceFirst(place + value, place + other)));
                }
            }
        });
        text("number-largest", 0, bytes(member("x", "-9007199254740991")));
    }

    private void values() {
        page("seq-true", "/events/0/seq", "true");
        page("v-true", "/events/0/v", "true");
        page("head-v-true", "/head/v", "true");
        page("head-seq-text", "/head/seq", "\"4\"");
        page("hash-in-an-array", "/events/0/payloadHash", "[" + STORY.at("/events/0/payloadHash") + "]");
        page("user-in-an-array", "/events/0/userId", "[" + STORY.at("/events/0/userId") + "]");
        page("kind-in-an-array", "/events/0/eventType", "[\"key.minted\"]");
        page("kind-of-all-objects", "/events/0/eventType", "\"toString\"");
        for (String day : List.of("2026-13-45", "2026-02-29", "2026-04-31", "2026-00-10", "2026-11-00", "2100-02-29")) {
            page("time-" + day, "/head/issuedAt", "\"" + day + "T10:00:01.000000Z\"");
        }
        page("time-24-hours", "/head/issuedAt", "\"2026-11-21T24:00:00.000000Z\"");
        page("time-leap-second", "/head/issuedAt", "\"2026-11-21T23:59:60.000000Z\"");
        page("time-with-other-digits", "/head/issuedAt", "\"202\u0666-11-21T10:00:01.000000Z\"");
        put("time-leap-day", 0, edited("/head/issuedAt", "\"2028-02-29T10:00:01.000000Z\""), KEYS);
        page("row-seen-with-another-time", "/events/0/createdAt", "\"2026-11-31T09:40:00.000000Z\"");
        page("events-null", "/events", "null");
        page("events-an-object", "/events", "{}");
        page("erasures-a-text", "/erasures", "\"abc\"");
        page("erasures-an-object", "/erasures", "{\"a\":1}");
        put("erasures-null", 0, edited("/erasures", "null"), KEYS);
        put("erasures-of-no-form", 0, edited("/erasures", "[1,\"a\",{},null]"), KEYS);
        page("cursor-a-number", "/nextCursor", "1");
        page("cursor-empty", "/nextCursor", "\"\"");
        page("cursor-false", "/nextCursor", "false");
        page("head-false", "/head", "false");
        page("head-in-an-array", "/head", "[]");
        page("payload-false", "/events/0/payload", "false");
        page("payload-zero", "/events/0/payload", "0");
        put("payload-8-deep", 0, edited("/events/1/payload/snapshot", nested(7)), KEYS);
        page("payload-9-deep", "/events/1/payload/snapshot", nested(8));
        put("payload-8-deep-in-arrays", 0, edited("/events/1/payload/snapshot", "[".repeat(7) + "]".repeat(7)), KEYS);
        page("payload-9-deep-in-arrays", "/events/1/payload/snapshot", "[".repeat(8) + "]".repeat(8));
        page("payload-with-a-line-feed", "/events/1/payload/rationale", "\"a\\nb\"");
        page("payload-with-delete", "/events/1/payload/rationale", "\"a\\u007fb\"");
        page("payload-with-another-name", "/events/1/payload/a-b", "1");
        page("payload-with-a-proto", "/events/1/payload/__proto__", "1");
        put("payload-of-64-kib", 0, sized(65_536), KEYS);
        put("payload-above-64-kib", 1, sized(65_537), KEYS);
        ObjectNode empty = STORY.deepCopy();
        empty.putArray("events");
        empty.putNull("head");
        put("an-empty-page-before", 0, "[" + empty + "," + STORY + "]", KEYS);
        put("only-an-empty-page", 1, empty.toString(), KEYS);
        put("rows", 0, STORY.get("events").toString(), KEYS);
    }

    private void passkeys() {
        page("passkey-id-with-a-blank", "/events/0/payload/credentialId", "\"AAEC AwQF\"");
        page("passkey-id-with-unused-bits", "/events/0/payload/credentialId", "\"AAECA\"");
        page("passkey-id-a-number", "/events/0/payload/credentialId", "7");
        page("passkey-of-a-backslash", "/events/0/payload/rpId", "\"a\\\\b\"");
        page("passkey-key-with-another-member", "/events/0/payload/publicKey/d", "1");
        page("passkey-key-with-a-curve-of-null", "/events/0/payload/publicKey/crv", "null");
        page("passkey-algorithm-of-all-objects", "/events/0/payload/publicKey/alg", "\"toString\"");
        for (String trade : List.of("null", "1", "\"BTC\"", "[]")) {
            ObjectNode page = STORY.deepCopy();
            set(page, ANSWER + "/attested/trade", trade);
            set(page, "/events/3/payload/trade", trade);
            put(
                    "trade-" + trade.replaceAll("\\W", "") + (trade.equals("[]") ? "array" : ""),
                    1,
                    SignedPages.signed(page, true),
                    KEYS);
        }
        ObjectNode other = STORY.deepCopy();
        set(other, ANSWER + "/attested/trade", "{\"any\":\"thing\"}");
        set(other, "/events/3/payload/trade", "{\"any\":\"thing\"}");
        put("trade-of-other-members", 0, SignedPages.signed(other, true), KEYS);
        put("proposal-of-other-members", 0, edited("/events/1/payload/trade", "\"none\""), KEYS);
        page("accepted-one", ANSWER + "/accepted", "1");
        page("version-true", "/events/3/payload/ipsVersion", "true");
        page("version-missing", "/events/3/payload/ipsVersion", "");
        page("attested-nonce-missing", ANSWER + "/attested/nonce", "");
        page("attested-with-another-member", ANSWER + "/attested/x", "1");
        page("attested-null", ANSWER + "/attested", "null");
        page("passkey-of-an-acceptance-false", ANSWER + "/passkey", "false");
        client("client-with-a-name-twice", said -> said.replace("{", "{\"type\":\"webauthn.get\","));
        client("client-with-a-byte-order-mark", said -> "\ufeff" + said);
        client("client-with-two-documents", said -> said + "{}");
        client("client-with-a-number-of-its-own", said -> said.replace("{", "{\"x\":1.0,"));
        client("client-with-a-lone-surrogate", said -> said.replace("{", "{\"x\":\"\\ud800\","));
        client("origin-with-a-backslash", said -> said.replace("http://localhost", "http://localhost\\\\@x"));
        client("origin-with-a-path", said -> said.replace("http://localhost:8080", "http://localhost/"));
        client("origin-in-capitals", said -> said.replace("http://localhost", "HTTP://localhost"));
        client("origin-with-a-user", said -> said.replace("http://localhost", "http://localhost@localhost"));
        client("origin-with-a-long-port", said -> said.replaceAll("localhost(:[0-9]+)?", "localhost:000080"));
        client("type-a-list", said -> said.replace("\"webauthn.get\"", "[\"webauthn.get\"]"));
        der();
    }

    private static ObjectNode changed() {
        ObjectNode page = STORY.deepCopy();
        ObjectNode attested = SignedPages.JSON
                .createObjectNode()
                .put("userId", STORY.at("/events/0/userId").textValue())
                .put("kind", "ips")
                .put("previousIpsVersion", 3)
                .put("documentHash", "")
                .put("expiresAt", "2026-11-21T09:45:00.000000Z")
                .put("nonce", "AAECAwQFBgcICQoLDA0ODw");
        ObjectNode payload = SignedPages.JSON
                .createObjectNode()
                .put("salt", STORY.at("/events/2/payload/salt").textValue())
                .put("ipsVersion", 4)
                .put("previousIpsVersion", 3);
        payload.putObject("document").put("maxSlippage", "0.01").putNull("tier").put("paused", true);
        payload.putObject("confirmation")
                .<ObjectNode>set("attested", attested)
                .set(
                        "passkey",
                        STORY.at("/events/3/payload/attestation/passkey").deepCopy());
        ((ObjectNode) page.at("/events/2")).put("eventType", "ips.amended").set("payload", payload);
        return SignedPages.signed(page, true);
    }

    /** Each signed properly by the passkey. */
    private void changes() {
        String attested = "/confirmation/attested";
        change("change", 0, "/previousIpsVersion", "3");
        change("change-recorded-after-another-version", 0, "/previousIpsVersion", "7");
        change("change-of-an-earlier-version", 0, attested + "/previousIpsVersion", "2");
        change("change-of-no-version", 0, attested + "/previousIpsVersion", "null");
        change("change-of-a-later-version", 1, attested + "/previousIpsVersion", "4");
        change("change-that-follows-nothing", 1, "/previousIpsVersion", "null");
        change("change-of-another-user", 1, attested + "/userId", "\"0f8fad5b-d9cb-469f-a165-70867728950e\"");
        change("change-of-another-kind", 1, attested + "/kind", "\"shadow\"");
        change("change-recorded-in-time", 0, attested + "/expiresAt", "\"2026-11-21T09:40:02.000001Z\"");
        change("change-recorded-too-late", 1, attested + "/expiresAt", "\"2026-11-21T09:40:02.000000Z\"");
        change("change-that-waited", 0, "/scheduledAt", "\"2026-11-20T09:40:02.000000Z\"");
        change("change-scheduled-too-late", 1, "/scheduledAt", "\"2026-11-21T09:45:00.000000Z\"");
        change("change-scheduled-null", 0, "/scheduledAt", "null");
        change("change-scheduled-in-another-form", 1, "/scheduledAt", "\"2026-11-20T09:40:02Z\"");
        change("change-scheduled-false", 1, "/scheduledAt", "false");
        change("change-of-a-document-with-more-that-is-not-signed", 0, "/document/approvals", "[{\"a\":[1]}]");
        change("change-of-a-document-of-other-members", 0, "/document/any", "{\"b\":null,\"a\":\"\u00e9\"}");
        change("change-of-a-list", 1, "/document", "[]");
        change("change-of-a-version-zero", 1, "/ipsVersion", "0");
        change("change-of-a-version-in-an-array", 1, "/ipsVersion", "[4]");
        change("change-with-another-member", 0, "/note", "1");
        change("confirmation-null", 1, "/confirmation", "null");
        change("confirmation-false", 1, "/confirmation", "false");
        change(
                "confirmation-in-an-array",
                1,
                "/confirmation",
                "[" + CHANGED.at("/events/2/payload/confirmation") + "]");
        change("confirmation-with-another-member", 1, "/confirmation/note", "1");
        change("confirmation-without-a-signature", 1, "/confirmation/passkey", "");
        change("confirmation-of-a-decision", 0, "", "");
    }

    /** The story with a change of the policy of which one member is another; or with its confirmation in a decision. */
    private void change(String name, int code, String pointer, String value) {
        ObjectNode page = CHANGED.deepCopy();
        if (pointer.isEmpty()) {
            ((ObjectNode) page.at("/events/2")).put("eventType", "guardrail.decision");
        } else {
            set(page, "/events/2/payload" + pointer, value);
        }
        put(name, code, SignedPages.signed(page, true), KEYS);
    }

    /** The signature of an ES256 passkey with one more zero byte than its number needs. */
    private void der() {
        Path folder = VECTORS.resolve("passkeys/genuine");
        ObjectNode page = SignedPages.read(folder.resolve("events.json"));
        for (JsonNode row : page.get("events")) {
            JsonNode signature = row.at("/payload/attestation/passkey/signature");
            byte[] der = signature.isTextual() ? Base64Url.decode(signature.textValue()) : null;
            if (der != null && der[0] == 0x30 && der.length < 80) {
                byte[] longer = new byte[der.length + 1];
                System.arraycopy(der, 0, longer, 0, 4);
                System.arraycopy(der, 4, longer, 5, der.length - 4);
                longer[1]++;
                longer[3]++;
                ((ObjectNode) row.at("/payload/attestation/passkey")).put("signature", Base64Url.encode(longer));
                break;
            }
        }
        put(
                "der-with-a-superfluous-zero",
                1,
                SignedPages.signed(page, false),
                SignedPages.read(folder.resolve("signing-keys.json")));
    }

    private void manifests() {
        keys("manifest-version-true", "/manifestVersion", "true");
        keys("manifest-version-text", "/manifestVersion", "\"8\"");
        keys("manifest-version-negative", "/manifestVersion", "-1");
        keys("manifest-with-another-member", "/x", "1");
        keys("manifest-without-an-issuer", "/issuer", "");
        keys("manifest-issuer-empty", "/issuer", "\"\"");
        keys("manifest-keys-an-object", "/keys", "{}");
        keys("manifest-key-a-text", "/keys/1", "\"x\"");
        keys("manifest-of-another-scheme", "/scheme/hash", "\"SHA-512\"");
        keys("manifest-scheme-with-another-member", "/scheme/x", "1");
        keys("manifest-signature-false", "/signature", "false");
        keys("manifest-signature-with-another-member", "/signature/x", "1");
        keys("key-with-another-member", "/keys/0/x5c", "[]");
        keys("key-use-missing", "/keys/0/use", "");
        keys("key-use-null", "/keys/0/use", "null");
        keys("key-operations-empty", "/keys/0/key_ops", "[]");
        keys("key-operations-a-text", "/keys/0/key_ops", "\"verify\"");
        keys("key-purpose-escaped-for-a-shell", "/keys/0/purpose", "\"\\\\0145vent\"");
        keys("key-purpose-in-an-array", "/keys/0/purpose", "[\"event\"]");
        more("key-of-the-log", 0, "\"log\"");
        more("key-of-a-later-purpose", 0, "\"escrow-2\"");
        more("key-of-a-purpose-of-no-form", 1, "\"Escrow\"");
        keys("key-status-unknown", "/keys/0/status", "\"lost\"");
        keys("key-revoked-without-a-time", "/keys/0/status", "\"revoked\"");
        keys("key-revoked-in-part", "/keys/0/revokedAt", "\"2026-11-21T10:00:00.000000Z\"");
        keys("key-reason-without-being-revoked", "/keys/0/revocationReason", "\"compromise\"");
        keys("key-valid-until-missing", "/keys/0/validUntil", "");
        keys("key-valid-from-a-wrong-day", "/keys/0/validFrom", "\"2026-02-30T00:00:00.000000Z\"");
        keys("key-attestations-null", "/keys/0/attestations", "null");
        keys("key-attestations-a-text", "/keys/0/attestations", "\"\"");
        keys("key-attestation-of-no-form", "/keys/0/attestations", "[{\"byKeyId\":1,\"signature\":\"x\"}]");
        keys("key-x-in-an-array", "/keys/0/x", "[" + KEYS.at("/keys/0/x") + "]");
        keys(
                "key-x-with-unused-bits",
                "/keys/0/x",
                KEYS.at("/keys/0/x").toString().replaceAll(".\"$", "R\""));
        keys("keys-in-an-array", 2, "[" + KEYS + "]");
        keys("keys-with-a-byte-order-mark", 2, "\ufeff" + KEYS);
        keys("keys-twice", 2, KEYS + "\n" + KEYS);
        keys("keys-with-a-member-twice", 1, KEYS.toString().replaceFirst("\\{", "{\"issuer\":\"x\","));
        keys(
                "keys-with-another-spelling-of-a-number",
                1,
                KEYS.toString().replaceFirst("(\"manifestVersion\":[0-9]+)", "$1.0"));
        keys("keys-with-a-lone-surrogate", 1, KEYS.toString().replaceFirst("\\{", "{\"x\":\"\\\\ud800\","));
        keys(
                "keys-nested-65-deep",
                2,
                KEYS.toString().replaceFirst("\\{", "{\"x\":" + "[".repeat(64) + "]".repeat(64) + ","));
    }

    private void options() {
        String hash = STORY.at("/events/3/hash").textValue();
        String key = STORY.at("/events/3/signingKeyId").textValue();
        String at = STORY.at("/events/1/createdAt").textValue();
        String second = STORY.at("/events/1/hash").textValue();
        option("pin", 0, "--pin", key);
        option("pin-of-no-form", 2, "--pin", "x");
        option("anchor-of-no-form", 2, "--anchor", key.substring(1));
        option("root-with-unused-bits", 2, "--root", key.substring(0, 42) + "R");
        option("receipt", 0, "--receipt", "4:" + hash);
        option("receipt-with-zeros", 0, "--receipt", "0004: " + hash);
        option("receipt-of-16-digits", 2, "--receipt", "0000000000000004:" + hash);
        option("receipt-with-other-digits", 2, "--receipt", "\u0664:" + hash);
        option("receipt-with-another-blank", 2, "--receipt", "\u00a04:" + hash);
        option("receipt-of-another-row", 1, "--receipt", "3:" + hash);
        option("issued-since", 0, "--issued-since", "2026-11-21T10:00:01.000000Z");
        option("issued-since-later", 1, "--issued-since", "2026-11-21T10:00:01.000001Z");
        option("issued-since-of-no-form", 2, "--issued-since", "2026-13-45T10:00:00.000000Z");
        option("from", 0, "--from", "2," + second + "," + key + "," + at);
        option("from-with-other-digits", 2, "--from", "\u0662," + second + "," + key + "," + at);
        option("from-a-wrong-day", 2, "--from", "2," + second + "," + key + "," + at.replace("-11-", "-13-"));
        option("from-a-key-with-unused-bits", 2, "--from", "2," + second + "," + key.substring(0, 42) + "R," + at);
        option("purpose-of-no-form", 2, "--purpose", "anchor");
    }

    private void option(String name, int code, String... options) {
        index.addObject()
                .put("name", "option-" + name)
                .put("code", code)
                .put("events", "events.json")
                .put("keys", "signing-keys.json")
                .set("options", SignedPages.JSON.valueToTree(Arrays.asList(options)));
    }

    /** The text of the page with one more member at its end. */
    private static String member(String name, String value) {
        String text = STORY.toString();
        return text.substring(0, text.length() - 1) + ",\"" + name + "\":" + value + "}";
    }

    private static String nested(int depth) {
        return "{\"a\":".repeat(depth - 1) + "{}" + "}".repeat(depth - 1);
    }

    /** A page with a payload of so many bytes. */
    private static ObjectNode sized(int bytes) {
        ObjectNode page = STORY.deepCopy();
        ObjectNode payload = (ObjectNode) page.at("/events/2/payload");
        payload.put("rationale", "");
        payload.put("rationale", "x".repeat(bytes - payload.toString().length()));
        return SignedPages.signed(page, true);
    }

    private static ObjectNode edited(String pointer, String value) {
        ObjectNode page = STORY.deepCopy();
        set(page, pointer, value);
        SignedPages.signed(page, true);
        set(page, pointer, value);
        return page;
    }

    private void page(String name, String pointer, String value) {
        put(name, 1, edited(pointer, value), KEYS);
    }

    private void client(String name, UnaryOperator<String> edit) {
        ObjectNode page = STORY.deepCopy();
        ObjectNode signature = (ObjectNode) page.at(ANSWER + "/passkey");
        String said =
                new String(Base64Url.decode(signature.get("clientDataJSON").textValue()), StandardCharsets.UTF_8);
        signature.put("clientDataJSON", Base64Url.encode(bytes(edit.apply(said))));
        put(name, 1, SignedPages.signed(page, true), KEYS);
    }

    private void keys(String name, String pointer, String value) {
        ObjectNode keys = KEYS.deepCopy();
        set(keys, pointer, value);
        put(name, 1, STORY, SignedPages.signed(keys));
    }

    /** A manifest with a key more, in which nothing but its purpose need be right if a later version knows that. */
    private void more(String name, int code, String purpose) {
        ObjectNode keys = KEYS.deepCopy();
        ObjectNode more = KEYS.at("/keys/0").deepCopy();
        if (purpose.equals("\"log\"")) {
            more.put("x", TestKey.STRANGER.x()).put("kid", TestKey.STRANGER.keyId());
        } else {
            more.put("kty", "AKP").remove("crv");
        }
        set(more, "/purpose", purpose);
        ((ArrayNode) keys.get("keys")).add(more);
        put(name, code, STORY, SignedPages.signed(keys));
    }

    private void keys(String name, int code, String keys) {
        put(name, code, bytes(STORY.toString()), bytes(keys));
    }

    private void text(String name, int code, byte[] events) {
        put(name, code, events, bytes(KEYS.toString()));
    }

    private void put(String name, int code, Object events, ObjectNode keys) {
        put(name, code, bytes(events.toString()), bytes(keys.toString()));
    }

    private void put(String name, int code, byte[] events, byte[] keys) {
        boolean isKeysOnly = Arrays.equals(events, bytes(STORY.toString()));
        boolean isEventsOnly = Arrays.equals(keys, bytes(KEYS.toString()));
        index.addObject()
                .put("name", name)
                .put("code", code)
                .put("events", isKeysOnly ? "events.json" : name + ".json")
                .put("keys", isEventsOnly ? "signing-keys.json" : name + ".keys.json");
        List<String> taken = new ArrayList<>(files.keySet());
        if (taken.contains(name + ".json") || taken.contains(name + ".keys.json")) {
            throw new AssertionError("Two vectors are named " + name);
        }
        if (!isKeysOnly) {
            files.put(name + ".json", events);
        }
        if (!isEventsOnly) {
            files.put(name + ".keys.json", keys);
        }
    }

    /** Sets what is at a pointer; an empty value removes it. */
    static void set(JsonNode root, String pointer, String value) {
        int last = pointer.lastIndexOf('/');
        JsonNode parent = root.at(pointer.substring(0, last));
        String name = pointer.substring(last + 1);
        try {
            if (parent instanceof ArrayNode array) {
                array.set(Integer.parseInt(name), SignedPages.JSON.readTree(value));
            } else if (value.isEmpty()) {
                ((ObjectNode) parent).remove(name);
            } else {
                ((ObjectNode) parent).set(name, SignedPages.JSON.readTree(value));
            }
        } catch (JsonProcessingException impossible) {
            throw new AssertionError(impossible);
        }
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] latin(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static byte[] joined(byte[] first, byte[] second) {
        byte[] joined = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, joined, first.length, second.length);
        return joined;
    }

    private static byte[] pretty(JsonNode node) {
        return bytes(node.toPrettyString() + "\n");
    }
}
