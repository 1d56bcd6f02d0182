package dev.agentpolicy.app;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agentpolicy.domain.document.Sha256;
import dev.agentpolicy.domain.event.TestKey;
import dev.agentpolicy.domain.event.canonical.Base64Url;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Signs pages and manifests of docs/vectors again after an edit, whatever they hold then, so that nothing else is wrong. */
final class SignedPages {
    static final ObjectMapper JSON = new ObjectMapper();
    private static final ObjectMapper SORTED =
            new ObjectMapper().configure(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS, true);
    private static final List<TestKey> KEYS = List.of(TestKey.ONE, TestKey.TWO, TestKey.ANCHOR, TestKey.ROOT);
    private static final TestKey PASSKEY = TestKey.of("04".repeat(32));

    private static final Map<String, String> SIGNATURES = new HashMap<>();

    private SignedPages() {}

    static ObjectNode read(Path file) {
        try {
            return (ObjectNode) JSON.readTree(file.toFile());
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** Signs the rows, erasures and the head of a page by the keys they name; with a passkey also its acceptances and changes. */
    static ObjectNode signed(ObjectNode page, boolean isAcceptedAnew) {
        String previous = "0".repeat(64);
        String proposal = "";
        JsonNode last = null;
        for (JsonNode each : page.path("events")) {
            if (!(each instanceof ObjectNode row)) {
                continue;
            }
            set(row, "prevHash", previous);
            if (isAcceptedAnew && row.at("/payload/attestation/passkey").isObject()) {
                accept(row.get("payload"), proposal);
            }
            if (isAcceptedAnew && row.at("/payload/confirmation/passkey").isObject()) {
                confirm(row.get("payload"));
            }
            if (row.path("payload").isObject()) {
                prove(row);
                set(row, "payloadHash", hash("payload", row.get("payload")));
            }
            previous = hash("event", without(row, "payload", "hash", "signature"));
            set(row, "hash", previous);
            set(row, "signature", sign(row, "agent-policy/event-sig/v1\n" + previous + "\n"));
            boolean isFirst = row.at("/payload/kind").asText().equals("propose")
                    && row.at("/payload/serviceRequestId").asInt() == 1;
            proposal = isFirst ? previous : proposal;
            last = row;
        }
        erasures(page);
        if (page.path("head") instanceof ObjectNode head && last != null) {
            set(head, "hash", previous);
            set(head, "signature", sign(head, "agent-policy/head/v1\n" + canonical(without(head, "signature"))));
        }
        return page;
    }

    private static void erasures(ObjectNode page) {
        for (JsonNode each : page.path("erasures")) {
            for (JsonNode row : page.path("events")) {
                if (each instanceof ObjectNode erasure && row.path("seq").equals(erasure.path("seq"))) {
                    set(erasure, "hash", row.path("hash").asText());
                }
            }
            if (each instanceof ObjectNode erasure) {
                JsonNode unsigned = without(erasure, "signingKeyId", "signature");
                set(erasure, "signature", sign(erasure, "agent-policy/erasure/v1\n" + canonical(unsigned)));
            }
        }
    }

    /** Signs a manifest by the anchor key. */
    static ObjectNode signed(ObjectNode manifest) {
        if (manifest.path("signature") instanceof ObjectNode signature) {
            String message = "agent-policy/manifest/v1\n" + canonical(without(manifest, "signature"));
            set(signature, "value", TestKey.ANCHOR.sign(message));
        }
        return manifest;
    }

    private static void prove(ObjectNode row) {
        if (row.get("payload") instanceof ObjectNode payload
                && payload.path("newKeyProof").isTextual()) {
            String proof = "agent-policy/key-proof/v1\n" + row.path("userId").asText() + "\n"
                    + payload.path("oldKeyId").asText() + "\n"
                    + payload.path("newKeyId").asText() + "\n"
                    + row.path("prevHash").asText() + "\n";
            payload.put("newKeyProof", TestKey.TWO.sign(proof));
        }
    }

    private static void accept(JsonNode payload, String proposal) {
        ObjectNode signature = (ObjectNode) payload.at("/attestation/passkey");
        if (!(payload.at("/attestation/attested") instanceof ObjectNode attested)) {
            return;
        }
        set(attested, "decisionHash", proposal);
        assertion("attestation", attested, signature);
    }

    /** Signs a change of the policy, for the document that is recorded. */
    private static void confirm(JsonNode payload) {
        ObjectNode signature = (ObjectNode) payload.at("/confirmation/passkey");
        if (!(payload.at("/confirmation/attested") instanceof ObjectNode attested)) {
            return;
        }
        if (payload.path("document") instanceof ObjectNode document) {
            JsonNode signed = without(document, "approvals", "paused", "drawdownSince");
            set(attested, "documentHash", Sha256.hex(canonical(signed)));
        }
        assertion("change", attested, signature);
    }

    private static void assertion(String what, ObjectNode attested, ObjectNode signature) {
        String challenge = Base64Url.encode(Sha256.of("agent-policy/" + what + "/v1\n" + canonical(attested)));
        byte[] client = decoded(signature, "clientDataJSON");
        byte[] authenticator = decoded(signature, "authenticatorData");
        String said = new String(client, StandardCharsets.UTF_8)
                .replaceAll("\"challenge\":\"[A-Za-z0-9_-]{43}\"", "\"challenge\":\"" + challenge + "\"");
        set(signature, "clientDataJSON", Base64Url.encode(said.getBytes(StandardCharsets.UTF_8)));
        ByteArrayOutputStream message = new ByteArrayOutputStream();
        message.writeBytes(authenticator);
        message.writeBytes(Sha256.of(said));
        set(signature, "signature", PASSKEY.sign(message.toByteArray()));
    }

    private static byte[] decoded(JsonNode node, String member) {
        byte[] bytes = Base64Url.decode(node.path(member).asText());
        return bytes == null ? new byte[0] : bytes;
    }

    /** Sets a text, unless an edit took the member away or gave it another type. */
    private static void set(ObjectNode node, String member, String text) {
        if (node.path(member).isTextual()) {
            node.put(member, text);
        }
    }

    /** The signature by the key that is named. Most messages were signed before. */
    private static String sign(JsonNode signed, String message) {
        String id = signed.path("signingKeyId").asText();
        if (SIGNATURES.size() > 10_000) {
            SIGNATURES.clear();
        }
        return SIGNATURES.computeIfAbsent(id + message, any -> key(id).sign(message));
    }

    private static TestKey key(String id) {
        return KEYS.stream().filter(key -> key.keyId().equals(id)).findFirst().orElse(TestKey.ONE);
    }

    private static String hash(String what, JsonNode node) {
        return Sha256.hex("agent-policy/" + what + "/v1\n" + canonical(node));
    }

    private static JsonNode without(ObjectNode node, String... members) {
        return node.deepCopy().without(List.of(members));
    }

    /** RFC 8785 without its profile. */
    private static String canonical(JsonNode node) {
        try {
            return SORTED.writeValueAsString(SORTED.treeToValue(node, Object.class));
        } catch (JsonProcessingException impossible) {
            throw new AssertionError(impossible);
        }
    }
}
