package dev.agentpolicy.domain.event.chain;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.agentpolicy.domain.document.Instants;
import dev.agentpolicy.domain.document.Sha256;
import dev.agentpolicy.domain.event.SoftPasskey;
import dev.agentpolicy.domain.event.TestKey;
import dev.agentpolicy.domain.event.canonical.Base64Url;
import dev.agentpolicy.domain.event.signing.SigningKey;
import dev.agentpolicy.domain.event.signing.SigningKey.Purpose;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The inputs of docs/vectors/hostile: chains whose texts are programs for sed, a shell or a pattern, each properly
 * signed by the service's key and by the passkey. A command that ran leaves the file {@code pwned} where the verifier
 * was started. All keys are public.
 */
public final class HostileVectors {
    /** Ends a program of sed, and has sed run a command. */
    public static final String SED = "x//;1eid>pwned;echo${IFS}ran;#";

    /** Runs a command where a shell calculates. */
    public static final String ARITHMETIC = "a[$(id>pwned)]";

    /** Everything else that a shell, a pattern, a path or a format could take for its own. */
    private static final String TEXT =
            SED + "'\"`id>pwned`$(id>pwned)&&id>pwned|\\0154\\n\\c%s%n*?[a-z]{1,}.^$/../../pwned";

    private static final String BLANKS = "x 9 $(id>pwned) ;id>pwned; * \\";
    private static final String ATTESTED = "/attestation/attested";
    private static final String CLIENT = "clientData";

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final ObjectMapper SORTED =
            new ObjectMapper().configure(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS, true);
    private static final TestKey SERVICE = TestKey.ONE;
    private static final TestKey PASSKEY = TestKey.of("04".repeat(32));

    private final Map<String, String> files = new LinkedHashMap<>();
    private final ArrayNode index = JSON.createArrayNode();

    private HostileVectors() {}

    /** All files by their path under docs/vectors. */
    public static Map<String, String> files() {
        HostileVectors vectors = new HostileVectors();
        vectors.everyText();
        vectors.acceptance();
        vectors.newlines();
        vectors.rotation();
        vectors.files.put("hostile/hostile.json", AttackVectors.pretty(vectors.index));
        return vectors.files;
    }

    /** Texts that no verifier interprets: such a chain is whole. */
    private void everyText() {
        put("genuine", "A chain with an acceptance that a person signed", 0, new Story().page());
        for (String hostile : List.of(TEXT, BLANKS)) {
            Story story = new Story();
            for (int row : List.of(1, 2)) {
                texts(story.payloads.get(row)).forEach(path -> story.set(row, path, hostile));
            }
            story.set(0, "/name", hostile);
            story.set(3, "/attestation/reason", hostile);
            story.set(3, ATTESTED + "/custodian", hostile);
            story.set(3, ATTESTED + "/nonce", hostile);
            story.set(1, "/kind", "propose");
            String name = hostile.equals(BLANKS) ? "every-text-with-blanks" : "every-text";
            put(name, "Every text that is not interpreted", null, story.page());
        }
    }

    /** Texts that verifiers interpret, one by one. */
    private void acceptance() {
        for (String path : texts(new Story().payloads.get(0))) {
            edited("passkey" + path, 0, path, TEXT, 1);
        }
        for (String path : texts(new Story().payloads.get(3))) {
            Integer brokenAt = path.startsWith("/attestation/") && !path.contains("/trade/") ? 4 : null;
            boolean isFree = List.of("/attestation/reason", ATTESTED + "/custodian", ATTESTED + "/nonce")
                    .contains(path);
            if (!isFree) {
                edited("acceptance" + path, 3, path, TEXT, brokenAt);
            }
        }
        edited("request", 3, ATTESTED + "/serviceRequestId", SED, 4);
        edited("request-with-blanks", 3, ATTESTED + "/serviceRequestId", BLANKS, 4);
        edited("request-to-calculate", 3, ATTESTED + "/serviceRequestId", ARITHMETIC, 4);
        edited("policy-to-calculate", 3, ATTESTED + "/ipsVersion", ARITHMETIC, 4);
        edited("holdings-to-calculate", 3, ATTESTED + "/portfolioRevision", ARITHMETIC, 4);
        for (String member : List.of("type", "challenge", "origin", "crossOrigin")) {
            edited("acceptance/client/" + member, 3, CLIENT + member, TEXT, 4);
            edited("acceptance/client/" + member + "-with-line-feed", 3, CLIENT + member, "x\nok 9 rows", 4);
        }
    }

    /** A line feed lies outside of the profile, wherever it is. */
    private void newlines() {
        Story story = new Story();
        texts(story.payloads.get(3)).forEach(path -> story.set(3, path, "x\n;id>pwned\nok 9 rows\n"));
        put("line-feeds", "A line feed in every text", 4, story.page());
    }

    private void rotation() {
        ObjectNode payload = JSON.createObjectNode()
                .put("salt", TestChain.SALT)
                .put("oldKeyId", SERVICE.keyId())
                .put("newKeyId", TestKey.TWO.keyId())
                .put("newPublicKey", TestKey.TWO.x())
                .put("newKeyProof", "")
                .put("reason", "compromise")
                .put("trustedThroughSeq", 4);
        for (Iterator<String> members = payload.fieldNames(); members.hasNext(); ) {
            String member = members.next();
            if (!member.equals("salt")) {
                Story story = new Story();
                story.append("signing_key.rotated", payload.deepCopy());
                story.set(4, "/" + member, member.equals("trustedThroughSeq") ? ARITHMETIC : TEXT);
                put("rotation-" + member, member + " of a rotation", 5, story.page());
            }
        }
    }

    private void edited(String name, int row, String path, String hostile, @Nullable Integer brokenAt) {
        Story story = new Story();
        story.set(row, path, hostile);
        // A passkey of another class is none, and its name is not interpreted.
        boolean isOther = path.equals("/keyClass") || path.equals("/name");
        Integer at = path.equals("/keyClass") ? Integer.valueOf(4) : isOther ? null : brokenAt;
        // A credential may have any id; it is another one than the acceptance names.
        Integer found = row == 0 && (path.equals("/credentialId") || path.equals("/rpId")) ? null : at;
        put(name.replace('/', '-'), path + " of row " + (row + 1), found, story.page());
    }

    private void put(String name, String what, @Nullable Integer brokenAt, ObjectNode page) {
        files.put("hostile/" + name + "/events.json", AttackVectors.pretty(page));
        SigningKey two = TestKey.TWO.active(Purpose.EVENT, Instant.parse("2026-11-21T10:00:00Z"));
        files.put(
                "hostile/" + name + "/signing-keys.json",
                AttackVectors.pretty(name.startsWith("rotation") ? AttackVectors.with(two) : AttackVectors.genuine()));
        index.addObject().put("name", name).put("what", what).put("brokenAt", brokenAt);
    }

    /** The pointers of all texts below a node. */
    private static List<String> texts(JsonNode node) {
        List<String> found = new ArrayList<>();
        if (node instanceof ObjectNode object) {
            object.fieldNames().forEachRemaining(name -> {
                if (!name.equals("salt")) {
                    texts(object.get(name)).forEach(path -> found.add("/" + name + path));
                }
            });
        } else if (node.isTextual()) {
            found.add("");
        }
        return found;
    }

    /** A passkey, two proposals and an acceptance, signed when the page is made. */
    private static final class Story {
        private final List<String> kinds = new ArrayList<>();
        private final List<ObjectNode> payloads = new ArrayList<>();
        private final List<Consumer<Map<String, String>>> client = new ArrayList<>();
        private final List<Consumer<ObjectNode>> assertion = new ArrayList<>();

        Story() {
            ObjectNode minted = JSON.createObjectNode()
                    .put("keyClass", "passkey")
                    .put("credentialId", "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8")
                    .put("name", "Phone")
                    .put("rpId", SoftPasskey.RP_ID)
                    .put("salt", TestChain.SALT);
            minted.putObject("publicKey")
                    .put("kty", "OKP")
                    .put("alg", "EdDSA")
                    .put("crv", "Ed25519")
                    .put("x", PASSKEY.x());
            append("key.minted", minted);
            append("guardrail.decision", decision("propose", 1));
            append("guardrail.decision", decision("propose", 2));
            ObjectNode accepted = decision("attestation", 1);
            ObjectNode answer =
                    accepted.putObject("attestation").put("accepted", true).put("reason", "Yes");
            ObjectNode attested = answer.putObject("attested");
            attested.put("userId", TestChain.USER.toString()).put("serviceRequestId", 1);
            attested.set("trade", accepted.get("trade"));
            attested.put("custodian", "main").put("ipsVersion", 1).put("portfolioRevision", 1);
            attested.put("decisionHash", "").put("expiresAt", "2026-11-21T09:45:00.000000Z");
            attested.put("nonce", TestChain.SALT);
            answer.putObject("passkey")
                    .put("credentialId", minted.get("credentialId").textValue())
                    .put("authenticatorData", "")
                    .put("clientDataJSON", "")
                    .put("signature", "");
            append("guardrail.decision", accepted);
        }

        private static ObjectNode decision(String kind, int request) {
            ObjectNode made = JSON.createObjectNode()
                    .put("salt", TestChain.SALT)
                    .put("kind", kind)
                    .putNull("batchIndex")
                    .put("actor", kind.equals("propose") ? "agent" : "user")
                    .put("agentKeyId", "0f8fad5b-d9cb-469f-a165-70867728950e")
                    .put("rationale", "Cheap")
                    .put("heldUsd", "0")
                    .put("allowed", true)
                    .put("reason", "Within policy")
                    .putNull("attestation")
                    .put("ipsVersion", 1)
                    .putNull("snapshot")
                    .put("checkedAt", "2026-11-21T09:40:01.000000Z")
                    .put("serviceRequestId", request);
            made.putArray("violations");
            made.putObject("used").put("calls", 0).put("usd", "0").put("aum", "0");
            made.putObject("trade")
                    .put("action", "buy")
                    .put("assetSymbol", "BTC")
                    .put("assetType", "crypto")
                    .put("amountUsd", "3000")
                    .putNull("expectedSlippagePct");
            return made;
        }

        final void append(String kind, ObjectNode payload) {
            kinds.add(kind);
            payloads.add(payload);
        }

        /** Sets a text, before what signs it is made. What is signed and what is recorded stay the same. */
        void set(int row, String path, String text) {
            if (path.startsWith(CLIENT)) {
                client.add(members -> members.put(path.substring(CLIENT.length()), quoted(text)));
                return;
            }
            Consumer<ObjectNode> edit = payload -> put(payload, path, text);
            if (path.startsWith("/attestation/passkey/") || path.endsWith("decisionHash")) {
                assertion.add(edit);
                return;
            }
            edit.accept(payloads.get(row));
            String recorded = path.replace(ATTESTED, "");
            if (path.startsWith(ATTESTED) && !payloads.get(row).at(recorded).isMissingNode()) {
                put(payloads.get(row), recorded, text);
            }
        }

        private static void put(ObjectNode payload, String path, String text) {
            int last = path.lastIndexOf('/');
            ((ObjectNode) payload.at(path.substring(0, last))).set(path.substring(last + 1), TextNode.valueOf(text));
        }

        ObjectNode page() {
            ObjectNode page = JSON.createObjectNode();
            ArrayNode rows = page.putArray("events");
            String previous = ChainHead.GENESIS_HASH;
            for (int i = 0; i < payloads.size(); i++) {
                if (i == 3) {
                    accept(rows.get(1).get("hash").textValue());
                }
                ObjectNode row = row(i, previous);
                previous = row.get("hash").textValue();
                rows.add(row);
            }
            StringBuilder head = new StringBuilder();
            SignedHead.issue(
                            new ChainHead(TestChain.USER, payloads.size(), previous, TestChain.START),
                            Instant.parse("2026-11-21T10:00:01Z"),
                            SERVICE.keyId(),
                            SERVICE::sign)
                    .appendJson(head);
            page.putNull("nextCursor");
            page.putArray("erasures");
            return page.set("head", read(head.toString()));
        }

        private ObjectNode row(int place, String previous) {
            ObjectNode payload = payloads.get(place);
            Instant at = TestChain.START.plusSeconds(place);
            ObjectNode row = JSON.createObjectNode()
                    .put("v", 1)
                    .put("userId", TestChain.USER.toString())
                    .put("seq", place + 1)
                    .put("eventId", new UUID(0x019aa5b17b2c7defL, 0x8a11000000000000L + place + 1).toString())
                    .put("eventType", kinds.get(place))
                    .put("createdAt", Instants.format(at))
                    .put("payloadHash", Sha256.hex("agent-policy/payload/v1\n" + canonical(payload)))
                    .put("prevHash", previous)
                    .put("signingKeyId", SERVICE.keyId());
            String hash = Sha256.hex("agent-policy/event/v1\n" + canonical(row));
            row.set("payload", payload);
            return row.put("hash", hash).put("signature", SERVICE.sign(Messages.eventSignature(hash)));
        }

        /** Signs the acceptance with the passkey, whatever it says. */
        private void accept(String decisionHash) {
            ObjectNode payload = payloads.get(3);
            ObjectNode attested = (ObjectNode) payload.at(ATTESTED);
            attested.put("decisionHash", decisionHash);
            assertion.forEach(edit -> edit.accept(payload));
            String challenge = Base64Url.encode(Sha256.of("agent-policy/attestation/v1\n" + canonical(attested)));
            Map<String, String> said = new LinkedHashMap<>();
            said.put("type", quoted("webauthn.get"));
            said.put("challenge", quoted(challenge));
            said.put("origin", quoted(SoftPasskey.ORIGIN));
            said.put("crossOrigin", "false");
            client.forEach(edit -> edit.accept(said));
            StringBuilder text = new StringBuilder();
            said.forEach((name, value) -> text.append(text.length() == 0 ? "{" : ",")
                    .append(quoted(name))
                    .append(':')
                    .append(value));
            byte[] clientData = text.append('}').toString().getBytes(StandardCharsets.UTF_8);
            byte[] authenticator = joined(Sha256.of(SoftPasskey.RP_ID), new byte[] {5, 0, 0, 0, 0});
            ObjectNode signed = (ObjectNode) payload.at("/attestation/passkey");
            signed.put("authenticatorData", Base64Url.encode(authenticator))
                    .put("clientDataJSON", Base64Url.encode(clientData))
                    .put("signature", PASSKEY.sign(joined(authenticator, Sha256.of(text.toString()))));
            assertion.forEach(edit -> edit.accept(payload));
        }

        private static byte[] joined(byte[] first, byte[] second) {
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            all.writeBytes(first);
            all.writeBytes(second);
            return all.toByteArray();
        }

        private static String quoted(String text) {
            return TextNode.valueOf(text).toString();
        }

        private static JsonNode read(String json) {
            try {
                return JSON.readTree(json);
            } catch (JsonProcessingException impossible) {
                throw new AssertionError(impossible);
            }
        }

        /** RFC 8785 without its profile: of texts and small numbers, also of texts that the profile refuses. */
        private static String canonical(ObjectNode node) {
            try {
                return SORTED.writeValueAsString(SORTED.treeToValue(node, Map.class));
            } catch (JsonProcessingException impossible) {
                throw new AssertionError(impossible);
            }
        }
    }
}
