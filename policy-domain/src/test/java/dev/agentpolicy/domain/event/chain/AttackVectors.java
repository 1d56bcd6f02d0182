package dev.agentpolicy.domain.event.chain;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.document.Instants;
import dev.agentpolicy.domain.event.TestKey;
import dev.agentpolicy.domain.event.canonical.CanonicalForm;
import dev.agentpolicy.domain.event.signing.SigningKey;
import dev.agentpolicy.domain.event.signing.SigningKey.Purpose;
import dev.agentpolicy.domain.event.signing.SigningKeyManifest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The inputs of docs/vectors/attacks, docs/vectors/erased and docs/vectors/erased-account. All keys are public. */
public final class AttackVectors {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String ISSUER = "policy.example/agent/v1";
    private static final Instant MADE = Instant.parse("2026-11-01T00:00:00Z");
    private static final Instant ERASED_AT = Instant.parse("2026-11-21T10:00:00Z");
    private static final Instant ISSUED_AT = Instant.parse("2026-11-21T10:00:01Z");
    private static final UserId OTHER = new UserId(UUID.fromString("00000000-0000-4000-8000-000000000000"));
    private static final String REASON = "Asked for by the user";
    private static final int SAVED_ROWS = 3;

    private static final TestKey FORGED_EVENT = TestKey.of("01".repeat(32));
    private static final TestKey FORGED_ANCHOR = TestKey.of("02".repeat(32));
    private static final TestKey FORGED_ROOT = TestKey.of("03".repeat(32));

    private static final SigningKey ONE = TestKey.ONE.active(Purpose.EVENT, MADE);
    private static final SigningKey ANCHOR = TestKey.ANCHOR.active(Purpose.ANCHOR, MADE);
    private static final SigningKey ROOT = TestKey.ROOT.active(Purpose.ROOT, MADE);
    private static final SigningKey OTHER_ANCHOR = FORGED_ANCHOR.active(Purpose.ANCHOR, MADE);

    private final Map<String, String> files = new LinkedHashMap<>();
    private final ArrayNode index = JSON.createArrayNode();

    private AttackVectors() {}

    /** All files by their path under docs/vectors. */
    public static Map<String, String> files() {
        AttackVectors vectors = new AttackVectors();
        vectors.accepted();
        vectors.forgedKeys();
        vectors.hiddenPayloads();
        vectors.falseErasures();
        vectors.falseAccountErasures();
        vectors.files.put("attacks/attacks.json", pretty(vectors.index));
        return vectors.files;
    }

    private static TestChain chain() {
        return chain(TestKey.ONE);
    }

    private static TestChain chain(TestKey key) {
        return new TestChain(TestChain.USER)
                .append(draft(EventKind.IPS_CREATED, "cashFloorUsd", "2000"), key)
                .append(draft(EventKind.KEY_MINTED, "name", "Rebalancer"), key)
                .append(draft(EventKind.GUARDRAIL_DECISION, "allowed", true), key)
                .append(draft(EventKind.GUARDRAIL_DECISION, "allowed", false), key)
                .append(draft(EventKind.DRIFT_DETECTED, "rule", "cash_floor"), key);
    }

    private static EventDraft draft(EventKind kind, String member, Object value) {
        return new EventDraft(kind, Map.of(member, value));
    }

    private void accepted() {
        TestChain chain = chain();
        put("attacks/genuine", page(chain, TestKey.ONE), genuine());
        files.put("attacks/state.json", state(chain));
        put("erased", page(chain, TestKey.ONE, List.of(of(chain, 4)), 4), genuine());
        put("erased-account", page(chain, TestKey.ONE, List.of(ofAccount(chain, 5)), 1, 2, 3, 4, 5), genuine());
    }

    private void forgedKeys() {
        TestChain tail = chain();
        ChainHead before = tail.head();
        SigningKey forged = FORGED_EVENT.active(Purpose.EVENT, MADE).attestedBy(FORGED_ROOT.keyId(), FORGED_ROOT::sign);
        tail.append(
                        KeyRotation.emergency(before, ONE.kid(), forged, before.seq(), FORGED_EVENT::sign)
                                .draft(),
                        FORGED_EVENT)
                .append(draft(EventKind.GUARDRAIL_DECISION, "allowed", true), FORGED_EVENT);
        SigningKey forgedRoot = FORGED_ROOT.active(Purpose.ROOT, MADE);
        attack(
                "forged-emergency",
                "An emergency rotation to a key of the forger, who signed the manifest and vouched by keys of its own",
                6,
                page(tail, FORGED_EVENT),
                signed(FORGED_ANCHOR, ONE, ANCHOR, ROOT, forged, OTHER_ANCHOR, forgedRoot));
        attack(
                "manifest-unsigned",
                "The manifest without its signature",
                1,
                page(chain(), TestKey.ONE),
                without(genuine(), "signature"));
        attack(
                "manifest-signed-by-another",
                "The manifest, signed again by an anchor key of the forger",
                1,
                page(chain(), TestKey.ONE),
                signed(FORGED_ANCHOR, ONE, ANCHOR, ROOT, OTHER_ANCHOR),
                node -> node.put("unlessAnchorIsKnown", OTHER_ANCHOR.kid()));
        SigningKey sandbox = TestKey.TWO.active(Purpose.SANDBOX, MADE);
        ObjectNode edited = signed(TestKey.ANCHOR, sandbox, ANCHOR, ROOT);
        edited.withArray("keys").forEach(key -> {
            if (key.get("purpose").textValue().equals("sandbox")) {
                ((ObjectNode) key).put("purpose", "event");
            }
        });
        String demonstration = page(chain(TestKey.TWO), TestKey.TWO);
        attack(
                "sandbox-as-live",
                "The demonstration chain, and the purpose of its key edited in the manifest",
                1,
                demonstration,
                edited);
        attack(
                "sandbox-as-live-unsigned",
                "The same without the manifest's signature",
                1,
                demonstration,
                without(edited, "signature"));
        attack(
                "sandbox-as-live-signed-by-another",
                "The same, signed again by an anchor key of the forger",
                1,
                demonstration,
                signed(FORGED_ANCHOR, TestKey.TWO.active(Purpose.EVENT, MADE), ANCHOR, ROOT, OTHER_ANCHOR),
                node -> node.put("unlessAnchorIsKnown", OTHER_ANCHOR.kid()));
    }

    private void hiddenPayloads() {
        nulled("nulled-policy", "The policy set to null by hand", 1, List.of());
        nulled("nulled-decision", "A blocked decision set to null by hand", 4, List.of());
    }

    private void falseErasures() {
        TestChain chain = chain();
        Erasure fourth = of(chain, 4);
        String third = chain.rows().get(2).hash();
        nulled("erasure-of-another-hash", "An erasure of row 4 that names the hash of row 3", 4, of(4, third));
        nulled(
                "erasure-edited",
                "An erasure whose reason was edited",
                4,
                new Erasure(
                        TestChain.USER,
                        Erasure.Extent.ROW,
                        4,
                        fourth.hash(),
                        ERASED_AT,
                        "Another reason",
                        ONE.kid(),
                        fourth.signature()));
        nulled(
                "erasure-by-the-anchor-key",
                "An erasure signed by a key of another purpose",
                4,
                Erasure.ofRow(TestChain.USER, 4, fourth.hash(), ERASED_AT, REASON, ANCHOR.kid(), TestKey.ANCHOR::sign));
        attack(
                "erasure-by-a-key-the-chain-does-not-reach",
                "An erasure signed by an event key that the manifest lists and no rotation hands the chain to",
                4,
                page(
                        chain,
                        TestKey.ONE,
                        List.of(Erasure.ofRow(
                                TestChain.USER,
                                4,
                                fourth.hash(),
                                ERASED_AT,
                                REASON,
                                TestKey.TWO.keyId(),
                                TestKey.TWO::sign)),
                        4),
                signed(TestKey.ANCHOR, ONE, TestKey.TWO.active(Purpose.EVENT, MADE), ANCHOR, ROOT));
        nulled(
                "erasure-of-another-user",
                "An erasure of the same row of another user",
                4,
                Erasure.ofRow(OTHER, 4, fourth.hash(), ERASED_AT, REASON, ONE.kid(), TestKey.ONE::sign));
        nulled("erasure-of-another-row", "The erasure of row 3 shown for row 4", 4, of(chain, 3));
        nulled("erasure-of-a-policy", "An erasure of ips.created alone", 1, of(chain, 1));
        nulled("erasure-of-a-key", "An erasure of key.minted alone", 2, of(chain, 2));
    }

    private void falseAccountErasures() {
        TestChain chain = chain();
        String third = chain.rows().get(2).hash();
        accountNulled("account-erasure-of-another-hash", "An erasure up to row 5 with the hash of row 3", 5, 5, third);
        accountNulled("account-erasure-past-the-end", "An erasure up to a row the chain does not have", 6, 9, third);
        accountNulled("account-erasure-too-short", "An erasure up to row 3 shown for row 4", 4, 3, third);
    }

    private void accountNulled(String name, String what, long brokenAt, long throughSeq, String hash) {
        Erasure entry =
                Erasure.ofAccount(TestChain.USER, throughSeq, hash, ERASED_AT, REASON, ONE.kid(), TestKey.ONE::sign);
        attack(name, what, brokenAt, page(chain(), TestKey.ONE, List.of(entry), 1, 2, 3, 4), genuine());
    }

    private void nulled(String name, String what, int seq, Erasure entry) {
        nulled(name, what, seq, List.of(entry));
    }

    private void nulled(String name, String what, int seq, List<Erasure> entries) {
        attack(name, what, seq, page(chain(), TestKey.ONE, entries, seq), genuine());
    }

    private static Erasure of(TestChain chain, int seq) {
        return of(seq, chain.rows().get(seq - 1).hash());
    }

    private static Erasure of(int seq, String hash) {
        return Erasure.ofRow(TestChain.USER, seq, hash, ERASED_AT, REASON, ONE.kid(), TestKey.ONE::sign);
    }

    private static Erasure ofAccount(TestChain chain, int throughSeq) {
        String hash = chain.rows().get(throughSeq - 1).hash();
        return Erasure.ofAccount(TestChain.USER, throughSeq, hash, ERASED_AT, REASON, ONE.kid(), TestKey.ONE::sign);
    }

    private void attack(String name, String what, long brokenAt, String page, ObjectNode keys) {
        attack(name, what, brokenAt, page, keys, node -> {});
    }

    private void attack(
            String name, String what, long brokenAt, String page, ObjectNode keys, Consumer<ObjectNode> more) {
        put("attacks/" + name, page, keys);
        ObjectNode entry = index.addObject().put("name", name).put("what", what).put("brokenAt", brokenAt);
        more.accept(entry);
    }

    private void put(String folder, String page, ObjectNode keys) {
        try {
            files.put(folder + "/events.json", pretty(JSON.readTree(page)));
        } catch (JsonProcessingException impossible) {
            throw new AssertionError(impossible);
        }
        files.put(folder + "/signing-keys.json", pretty(keys));
    }

    static String page(TestChain chain, TestKey headKey) {
        return page(chain, headKey, List.of());
    }

    private static String page(TestChain chain, TestKey headKey, List<Erasure> erasures, int... nulled) {
        StringBuilder json = new StringBuilder("{\"events\":[");
        List<PolicyEvent> rows = new ArrayList<>(chain.rows());
        Arrays.stream(nulled).forEach(seq -> rows.set(seq - 1, EmergencyVectors.erased(rows.get(seq - 1))));
        for (int i = 0; i < rows.size(); i++) {
            json.append(i == 0 ? "" : ",");
            RowJson.append(json, rows.get(i));
        }
        json.append("],\"nextCursor\":null,\"head\":");
        SignedHead.issue(chain.head(), ISSUED_AT, headKey.keyId(), headKey::sign)
                .appendJson(json);
        for (int i = 0; i < erasures.size(); i++) {
            json.append(i == 0 ? ",\"erasures\":[" : ",");
            erasures.get(i).appendJson(json);
        }
        return json.append(erasures.isEmpty() ? "}" : "]}").toString();
    }

    static ObjectNode with(SigningKey other) {
        return signed(TestKey.ANCHOR, ONE, other, ANCHOR, ROOT);
    }

    static ObjectNode genuine() {
        return signed(TestKey.ANCHOR, ONE, ANCHOR, ROOT);
    }

    private static ObjectNode signed(TestKey by, SigningKey... keys) {
        SigningKeyManifest manifest =
                SigningKeyManifest.of(ISSUER, List.of(keys)).signed(by.keyId(), by::sign);
        return JSON.valueToTree(manifest.tree());
    }

    private static ObjectNode without(ObjectNode node, String member) {
        ObjectNode rest = node.deepCopy();
        rest.remove(member);
        return rest;
    }

    /** The state that --save writes after three rows of the genuine chain. */
    private static String state(TestChain chain) {
        PolicyEvent last = chain.rows().get(SAVED_ROWS - 1);
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        members.put("userId", last.userId().toString());
        members.put("seq", last.seq());
        members.put("hash", last.hash());
        members.put("signingKeyId", ONE.kid());
        members.put("createdAt", Instants.format(last.createdAt()));
        members.put("firstKeyId", ONE.kid());
        members.put("anchorKeyId", ANCHOR.kid());
        members.put("rootKeyId", null);
        members.put("manifestVersion", 6);
        members.put("erasedRows", 0);
        return CanonicalForm.write(members) + "\n";
    }

    static String pretty(Object node) {
        try {
            return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(node) + "\n";
        } catch (JsonProcessingException impossible) {
            throw new AssertionError(impossible);
        }
    }
}
