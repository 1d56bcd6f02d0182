package dev.agentpolicy.domain.event.chain;

import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.CapUsage;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.decision.Decision;
import dev.agentpolicy.domain.event.SoftPasskey;
import dev.agentpolicy.domain.event.SoftPasskey.Circumstances;
import dev.agentpolicy.domain.event.TestKey;
import dev.agentpolicy.domain.event.canonical.Base64Url;
import dev.agentpolicy.domain.event.content.DecisionPayload;
import dev.agentpolicy.domain.event.content.DecisionRecord;
import dev.agentpolicy.domain.event.content.DecisionRecord.Attestation;
import dev.agentpolicy.domain.event.content.DecisionRecord.Kind;
import dev.agentpolicy.domain.event.content.EventPayloads;
import dev.agentpolicy.domain.event.passkey.AttestedRequest;
import dev.agentpolicy.domain.event.passkey.AttestedRequest.SignedAcceptance;
import dev.agentpolicy.domain.event.passkey.Passkey;
import dev.agentpolicy.domain.event.passkey.PasskeyAssertion;
import dev.agentpolicy.domain.event.passkey.PasskeyKey.PasskeyAlgorithm;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.sample.SampleValues;
import dev.agentpolicy.domain.trade.Trade;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The chains of docs/vectors/passkeys: one with acceptances that a person signed, and others in which whoever has the
 * service's signing key claims such an acceptance.
 */
public final class PasskeyVectors {
    private static final UserId USER = TestChain.USER;
    private static final AgentKeyId AGENT = new AgentKeyId(UUID.fromString("0f8fad5b-d9cb-469f-a165-70867728950e"));
    private static final Trade TRADE = SampleValues.trade("buy 3000 BTC crypto");
    private static final Trade LARGER = SampleValues.trade("buy 30000 BTC crypto");

    private final VectorFolder folder = new VectorFolder("passkeys");

    private PasskeyVectors() {}

    /** All files by their path under docs/vectors. */
    public static Map<String, String> files() {
        PasskeyVectors vectors = new PasskeyVectors();
        vectors.genuine();
        vectors.circumstances();
        vectors.otherContents();
        vectors.otherKeys();
        vectors.otherForms();
        vectors.together();
        return vectors.folder.files();
    }

    /** A chain with a passkey and two proposals; acceptances follow as row 4. */
    private static final class Story {
        private final TestChain chain = new TestChain(USER);
        private final SoftPasskey passkey;

        Story(PasskeyAlgorithm algorithm) {
            this.passkey = new SoftPasskey(algorithm);
            minted(passkey, "Phone").proposed(1, TRADE).proposed(2, TRADE);
        }

        Story() {
            this(PasskeyAlgorithm.ES256);
        }

        Story minted(SoftPasskey other, String name) {
            return append(EventPayloads.passkey(EventKind.KEY_MINTED, registered(other, name)));
        }

        Story revoked(SoftPasskey other) {
            return append(EventPayloads.passkey(EventKind.KEY_REVOKED, registered(other, "Phone")));
        }

        private static Passkey registered(SoftPasskey other, String name) {
            return other.registered(name, TestChain.START);
        }

        Story proposed(long id, Trade trade) {
            return append(DecisionPayload.draft(record(Kind.PROPOSE, id, trade, null, now())));
        }

        Story accepted(long id, Trade trade, @Nullable SignedAcceptance signed) {
            return append(DecisionPayload.draft(
                    record(Kind.ATTESTATION, id, trade, new Attestation(true, null, signed), now())));
        }

        Story append(EventDraft draft) {
            chain.append(draft, TestKey.ONE);
            return this;
        }

        Instant now() {
            return TestChain.START.plusSeconds(chain.head().seq());
        }

        String hash(int seq) {
            return chain.rows().get(seq - 1).hash();
        }

        /** What is signed of a request, whose proposal is the row after it. */
        AttestedRequest attested(long id) {
            return attested(id, TRADE, hash(Math.toIntExact(id) + 1), now().plusSeconds(300));
        }

        static AttestedRequest attested(long id, Trade trade, String decision, Instant expiresAt) {
            return attested(List.of(new AttestedRequest.Signed(id, trade, "main", decision)), expiresAt);
        }

        static AttestedRequest attested(List<AttestedRequest.Signed> requests, Instant expiresAt) {
            return new AttestedRequest(USER, requests, 1, 1, expiresAt, "AAECAwQFBgcICQoLDA0ODw");
        }

        SignedAcceptance signed(long id) {
            return signed(attested(id), passkey, new Circumstances());
        }

        static SignedAcceptance signed(AttestedRequest attested, SoftPasskey by, Circumstances how) {
            return new SignedAcceptance(
                    attested, by.assertion(USER, attested.challenge(), how).assertion());
        }
    }

    private static DecisionRecord record(
            Kind kind, long id, Trade trade, @Nullable Attestation attestation, Instant now) {
        return new DecisionRecord(
                kind,
                null,
                AGENT,
                trade,
                null,
                null,
                Usd.ZERO,
                new CapUsage(0, Usd.ZERO, Usd.ZERO),
                new Decision(List.of(), 1, null, now),
                List.of(),
                List.of(),
                List.of(),
                attestation,
                id);
    }

    private void genuine() {
        Story story = new Story();
        SoftPasskey laptop = new SoftPasskey(PasskeyAlgorithm.EDDSA);
        SoftPasskey card = new SoftPasskey(PasskeyAlgorithm.RS256);
        story.minted(laptop, "Laptop").minted(card, "Card").accepted(1, TRADE, story.signed(1));
        AttestedRequest second = story.attested(2);
        story.accepted(2, TRADE, Story.signed(second, laptop, new Circumstances().origin("http://localhost")));
        story.proposed(3, LARGER).proposed(4, TRADE);
        AttestedRequest third =
                Story.attested(3, LARGER, story.hash(8), story.now().plusSeconds(300));
        story.accepted(3, LARGER, Story.signed(third, card, new Circumstances().counter(7)));
        story.revoked(laptop).accepted(4, TRADE, null);
        folder.put("genuine", story.chain);
    }

    private void circumstances() {
        VectorFolder.circumstances(this::made);
        made(new Circumstances().crossOrigin("\"false\""), "cross-origin-text", "Not saying whether in a frame");
        made(new Circumstances().crossOrigin("0"), "cross-origin-number", "A number for whether in a frame");
    }

    private void made(Circumstances how, String name, String what) {
        Story story = new Story();
        forged(name, what, 4, story.accepted(1, TRADE, Story.signed(story.attested(1), story.passkey, how)));
    }

    private void otherContents() {
        Story rebound = new Story();
        SignedAcceptance first = rebound.signed(1);
        AttestedRequest second = rebound.attested(2);
        forged(
                "rebound-request",
                "The signature of request 1 shown for request 2",
                4,
                rebound.accepted(2, TRADE, new SignedAcceptance(second, first.assertion())));
        Story larger = new Story();
        SignedAcceptance signed = larger.signed(1);
        AttestedRequest attested = larger.attested(1);
        AttestedRequest changed = Story.attested(1, LARGER, larger.hash(2), attested.expiresAt());
        forged(
                "rebound-trade",
                "Ten times the amount that was signed",
                4,
                larger.accepted(1, LARGER, new SignedAcceptance(changed, signed.assertion())));
        Story recorded = new Story();
        forged(
                "another-trade-recorded",
                "Another trade recorded than is signed",
                4,
                recorded.accepted(1, LARGER, recorded.signed(1)));
        Story replayed = new Story();
        SignedAcceptance once = replayed.signed(1);
        forged(
                "replayed",
                "A signature used twice for one request",
                5,
                replayed.accepted(1, TRADE, once).accepted(1, TRADE, once));
        Story decision = new Story();
        AttestedRequest ofAnother =
                Story.attested(1, TRADE, decision.hash(3), decision.now().plusSeconds(300));
        forged(
                "another-decision",
                "Signed for the decision of another proposal",
                4,
                decision.accepted(1, TRADE, Story.signed(ofAnother, decision.passkey, new Circumstances())));
        Story late = new Story();
        AttestedRequest over = Story.attested(1, TRADE, late.hash(2), late.now());
        forged(
                "expired",
                "Recorded when the challenge was over",
                4,
                late.accepted(1, TRADE, Story.signed(over, late.passkey, new Circumstances())));
        Story validated = new Story();
        forged(
                "signed-validation",
                "A signature recorded with a validation",
                4,
                validated.append(DecisionPayload.draft(record(
                        Kind.VALIDATE, 1, TRADE, new Attestation(true, null, validated.signed(1)), validated.now()))));
        answered("signed-rejection", "A signature recorded with a rejection", members -> {
            members.put("accepted", false);
            return members;
        });
        answered("without-what-was-signed", "A signature without what it is over", members -> {
            members.remove("attested");
            return members;
        });
        answered("without-signature", "What was signed, without a signature", members -> {
            members.remove("passkey");
            return members;
        });
    }

    /** A genuine acceptance whose answer was edited before it was signed by the service. */
    private void answered(String name, String what, UnaryOperator<Map<String, @Nullable Object>> change) {
        Story story = new Story();
        EventDraft draft = DecisionPayload.draft(
                record(Kind.ATTESTATION, 1, TRADE, new Attestation(true, null, story.signed(1)), story.now()));
        Map<String, @Nullable Object> payload = new HashMap<>(draft.payload());
        @SuppressWarnings("unchecked") // The payload is made of maps.
        Map<String, @Nullable Object> answer = (Map<String, @Nullable Object>) payload.get("attestation");
        payload.put("attestation", change.apply(new HashMap<>(answer)));
        forged(name, what, 4, story.append(new EventDraft(EventKind.GUARDRAIL_DECISION, payload)));
    }

    /** Requests 1 and 2 accepted with one signature over both, and what is wrong with others that claim that. */
    private void together() {
        folder.put("genuine-together", both().accepted(2).story.chain);
        forged(
                "together-replayed",
                "A signature of two requests used twice for one",
                6,
                both().accepted(2).accepted(2));
        Together beside = both();
        beside.story.proposed(3, TRADE);
        forged(
                "together-without-the-request",
                "A request accepted with the signature of two others",
                6,
                beside.accepted(3));
        Together larger = both();
        forged(
                "together-another-trade-recorded",
                "Another trade recorded than is signed of the second request",
                5,
                larger.story.accepted(2, LARGER, larger.signed));
        Together edited = both();
        forged(
                "together-edited",
                "The trade of the second request edited after the signature",
                5,
                edited.story.accepted(2, LARGER, edited.with(List.of(edited.request(1), edited.request(2, LARGER)))));
        Together reversed = both();
        forged(
                "together-reversed",
                "The requests in another order than was signed",
                5,
                reversed.story.accepted(2, TRADE, reversed.with(List.of(reversed.request(2), reversed.request(1)))));
        Together cut = both();
        forged(
                "together-cut",
                "One of two requests left out of what was signed",
                5,
                cut.story.accepted(2, TRADE, cut.with(List.of(cut.request(2), cut.request(2)))));
        Together decision = new Together(new Story());
        decision.sign(
                List.of(decision.request(1), new AttestedRequest.Signed(2, TRADE, "main", decision.story.hash(2))));
        forged(
                "together-another-decision",
                "Signed for the decision of another proposal, among two",
                5,
                decision.accepted(1).accepted(2));
        answered("together-and-alone", "A list of requests beside the members of one", members -> {
            Map<String, @Nullable Object> attested = without(members.get("attested"), "requests");
            attested.put("requests", List.of());
            members.put("attested", attested);
            return members;
        });
        answered("together-of-none", "A list of no requests", members -> {
            Map<String, @Nullable Object> attested = new HashMap<>();
            for (String kept : List.of("userId", "ipsVersion", "portfolioRevision", "expiresAt", "nonce")) {
                attested.put(kept, without(members.get("attested"), "").get(kept));
            }
            attested.put("requests", List.of());
            members.put("attested", attested);
            return members;
        });
    }

    /** A story whose requests 1 and 2 are signed together, the first of which is accepted as row 4. */
    private static Together both() {
        Together both = new Together(new Story());
        both.sign(List.of(both.request(1), both.request(2)));
        return both.accepted(1);
    }

    private static final class Together {
        private final Story story;
        private @Nullable SignedAcceptance signed;

        Together(Story story) {
            this.story = story;
        }

        AttestedRequest.Signed request(long id) {
            return request(id, TRADE);
        }

        AttestedRequest.Signed request(long id, Trade trade) {
            return new AttestedRequest.Signed(id, trade, "main", story.hash(Math.toIntExact(id) + 1));
        }

        void sign(List<AttestedRequest.Signed> requests) {
            AttestedRequest attested = Story.attested(requests, story.now().plusSeconds(300));
            signed = Story.signed(attested, story.passkey, new Circumstances());
        }

        Together accepted(long id) {
            story.accepted(id, TRADE, signed);
            return this;
        }

        /** The signature, shown for other requests. */
        SignedAcceptance with(List<AttestedRequest.Signed> requests) {
            SignedAcceptance right = Objects.requireNonNull(signed);
            return new SignedAcceptance(
                    Story.attested(requests, right.attested().expiresAt()), right.assertion());
        }
    }

    private void forged(String name, String what, long brokenAt, Together together) {
        forged(name, what, brokenAt, together.story);
    }

    private void otherKeys() {
        for (PasskeyAlgorithm algorithm : PasskeyAlgorithm.values()) {
            Story story = new Story(algorithm);
            Circumstances how = new Circumstances().credentialId(story.passkey.credentialId());
            forged(
                    "forged-signature-" + algorithm.wireName().toLowerCase(Locale.ROOT),
                    "Signed with another key than that of the passkey, " + algorithm.wireName(),
                    4,
                    story.accepted(1, TRADE, Story.signed(story.attested(1), new SoftPasskey(algorithm), how)));
        }
        Story edited = new Story();
        PasskeyAssertion right = edited.signed(1).assertion();
        String data = right.authenticatorData();
        char last = data.charAt(data.length() - 3);
        String other =
                data.substring(0, data.length() - 3) + (last == 'A' ? 'B' : 'A') + data.substring(data.length() - 2);
        forged(
                "edited-authenticator-data",
                "The counter edited after the signature",
                4,
                edited.accepted(
                        1,
                        TRADE,
                        new SignedAcceptance(
                                edited.attested(1),
                                new PasskeyAssertion(
                                        right.credentialId(), other, right.clientDataJson(), right.signature()))));
        Story unknown = new Story();
        forged(
                "unknown-passkey",
                "Signed with a passkey that was never minted",
                4,
                unknown.accepted(1, TRADE, Story.signed(unknown.attested(1), new SoftPasskey(), new Circumstances())));
        Story revoked = new Story();
        revoked.revoked(revoked.passkey);
        forged(
                "revoked-passkey",
                "Signed with a passkey that was revoked before",
                5,
                revoked.accepted(1, TRADE, revoked.signed(1)));
        Story early = new Story();
        SoftPasskey later = new SoftPasskey();
        forged(
                "passkey-minted-later",
                "Signed with a passkey that was minted afterwards",
                4,
                early.accepted(1, TRADE, Story.signed(early.attested(1), later, new Circumstances()))
                        .minted(later, "Later"));
        Story twice = new Story();
        forged(
                "passkey-minted-twice",
                "Another key for a passkey that there is",
                4,
                twice.minted(twice.passkey, "Again"));
        Story never = new Story();
        forged(
                "revoked-without-being-minted",
                "A passkey revoked that was never minted",
                4,
                never.revoked(new SoftPasskey()));
    }

    private void otherForms() {
        answered("more-than-was-signed", "A member beside what was signed", members -> {
            members.put("attested", with(members.get("attested"), "note", "urgent"));
            return members;
        });
        answered("less-than-was-signed", "What was signed, without its custodian", members -> {
            members.put("attested", without(members.get("attested"), "custodian"));
            return members;
        });
        answered("more-than-a-signature", "A member beside the signature", members -> {
            members.put("passkey", with(members.get("passkey"), "userHandle", "AAAA"));
            return members;
        });
        Story rotated = new Story();
        forged(
                "rotated-passkey",
                "A passkey that is rotated",
                4,
                rotated.append(new EventDraft(
                        EventKind.KEY_ROTATED,
                        EventPayloads.passkey(EventKind.KEY_MINTED, Story.registered(rotated.passkey, "Phone"))
                                .payload())));
        key("short-coordinate", "A coordinate of 31 bytes", PasskeyAlgorithm.ES256, "x", base64(31, 1));
        key("point-off-the-curve", "A point that is not on P-256", PasskeyAlgorithm.ES256, "y", base64(32, 1));
        key("point-of-small-order", "A key with which anybody can sign", PasskeyAlgorithm.EDDSA, "x", ed25519(0, 0, 0));
        key(
                "point-of-small-order-negated",
                "The same with another sign",
                PasskeyAlgorithm.EDDSA,
                "x",
                ed25519(1, 0, 0x80));
        key(
                "point-of-order-eight",
                "Another key with which anybody can sign",
                PasskeyAlgorithm.EDDSA,
                "x",
                Base64Url.encode(
                        HexFormat.of().parseHex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85")));
        key(
                "number-not-below-the-prime",
                "Another encoding of a key with which anybody can sign",
                PasskeyAlgorithm.EDDSA,
                "x",
                ed25519(0xee, 0xff, 0x7f));
        key("short-modulus", "An RSA key of 1024 bits", PasskeyAlgorithm.RS256, "n", base64(128, 1));
        key("long-modulus", "An RSA key of 8192 bits", PasskeyAlgorithm.RS256, "n", base64(1024, 1));
        key("even-modulus", "An RSA key that two divides", PasskeyAlgorithm.RS256, "n", base64(256, 0));
        key(
                "exponent-of-one",
                "An RSA key by which every padded text is a signature",
                PasskeyAlgorithm.RS256,
                "e",
                "AQ");
        key("long-exponent", "An RSA exponent of 40 bits", PasskeyAlgorithm.RS256, "e", base64(5, 1));
    }

    /** A number of so many bytes that ends with a given one. */
    private static String base64(int length, int last) {
        byte[] bytes = new byte[length];
        Arrays.fill(bytes, (byte) 0xab);
        bytes[length - 1] = (byte) last;
        return Base64Url.encode(bytes);
    }

    /** The 32 bytes of an Ed25519 key. */
    private static String ed25519(int first, int between, int last) {
        byte[] bytes = new byte[32];
        Arrays.fill(bytes, (byte) between);
        bytes[0] = (byte) first;
        bytes[31] = (byte) last;
        return Base64Url.encode(bytes);
    }

    /** A passkey whose JWK has another number. */
    private void key(String name, String what, PasskeyAlgorithm algorithm, String member, String number) {
        Story story = new Story();
        EventDraft draft =
                EventPayloads.passkey(EventKind.KEY_MINTED, Story.registered(new SoftPasskey(algorithm), "Other"));
        Map<String, @Nullable Object> payload = new HashMap<>(draft.payload());
        payload.put("publicKey", with(payload.get("publicKey"), member, number));
        forged(name, what, 4, story.append(new EventDraft(EventKind.KEY_MINTED, payload)));
    }

    private static Map<String, @Nullable Object> with(@Nullable Object members, String name, String value) {
        Map<String, @Nullable Object> changed = without(members, name);
        changed.put(name, value);
        return changed;
    }

    @SuppressWarnings("unchecked") // The payload is made of maps.
    private static Map<String, @Nullable Object> without(@Nullable Object members, String name) {
        Map<String, @Nullable Object> changed = new HashMap<>((Map<String, @Nullable Object>) members);
        changed.remove(name);
        return changed;
    }

    private void forged(String name, String what, long brokenAt, Story story) {
        folder.forged(name, what, brokenAt, story.chain);
    }
}
