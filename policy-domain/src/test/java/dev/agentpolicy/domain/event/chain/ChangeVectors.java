package dev.agentpolicy.domain.event.chain;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.SoftPasskey;
import dev.agentpolicy.domain.event.SoftPasskey.Circumstances;
import dev.agentpolicy.domain.event.TestKey;
import dev.agentpolicy.domain.event.canonical.CanonicalForm;
import dev.agentpolicy.domain.event.content.EventPayloads;
import dev.agentpolicy.domain.event.passkey.AttestedChange;
import dev.agentpolicy.domain.event.passkey.AttestedChange.SignedChange;
import dev.agentpolicy.domain.event.passkey.AttestedRequest;
import dev.agentpolicy.domain.event.passkey.Passkey;
import dev.agentpolicy.domain.event.passkey.PasskeyKey.PasskeyAlgorithm;
import dev.agentpolicy.domain.ips.Approval;
import dev.agentpolicy.domain.ips.Ips;
import dev.agentpolicy.domain.ips.IpsVersion;
import dev.agentpolicy.domain.sample.SampleValues;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The chains of docs/vectors/changes: one with versions of the policy that a person signed, and others in which whoever has
 * the service's signing key claims such a signature.
 */
public final class ChangeVectors {
    private static final UserId USER = TestChain.USER;
    private static final Ips STRICT = SampleValues.ips("{\"allowedActions\":[\"sell\"],\"maxDrawdown\":0.1}");
    private static final Ips LOOSE = SampleValues.ips(
            "{\"standingRules\":[{\"id\":\"ask\",\"effect\":\"require_approval\",\"reason\":\"Gr\u00f6\u00dfere \\\"K\u00e4ufe\\\"\"}]}");
    private static final String MEMBER = "confirmation";

    private final VectorFolder folder = new VectorFolder("changes");

    private ChangeVectors() {}

    /** All files by their path under docs/vectors. */
    public static Map<String, String> files() {
        ChangeVectors vectors = new ChangeVectors();
        vectors.genuine();
        vectors.otherContents();
        VectorFolder.circumstances(vectors::made);
        vectors.otherKeys();
        vectors.otherForms();
        return vectors.folder.files();
    }

    /** A chain with a passkey and a first policy that nobody signed; what is claimed follows as row 3. */
    private static final class Story {
        private final TestChain chain = new TestChain(USER);
        private final SoftPasskey phone;
        private @Nullable IpsVersion inForce;

        Story(PasskeyAlgorithm algorithm) {
            this.phone = new SoftPasskey(algorithm);
            minted(phone, "Phone").put(STRICT, null, null);
        }

        Story() {
            this(PasskeyAlgorithm.ES256);
        }

        Story(SoftPasskey phone) {
            this.phone = phone;
        }

        Story minted(SoftPasskey passkey, String name) {
            return append(EventPayloads.passkey(EventKind.KEY_MINTED, registered(passkey, name)));
        }

        Story revoked(SoftPasskey passkey) {
            return append(EventPayloads.passkey(EventKind.KEY_REVOKED, registered(passkey, "Phone")));
        }

        private static Passkey registered(SoftPasskey passkey, String name) {
            return passkey.registered(name, TestChain.START);
        }

        Story append(EventDraft draft) {
            chain.append(draft, TestKey.ONE);
            return this;
        }

        Instant now() {
            return TestChain.START.plusSeconds(chain.head().seq());
        }

        int version() {
            return inForce == null ? 0 : inForce.version();
        }

        Story put(Ips ips, @Nullable Instant scheduledAt, @Nullable SignedChange signed) {
            IpsVersion next = new IpsVersion(version() + 1, ips, now());
            EventDraft draft = EventPayloads.ips(next, inForce, scheduledAt, signed);
            inForce = next;
            return append(draft);
        }

        Story put(Ips ips, @Nullable SignedChange signed) {
            return put(ips, null, signed);
        }

        /** What is signed of a statement while the present version is in force. */
        AttestedChange attested(Ips ips) {
            return attested(USER, ips, inForce == null ? null : inForce.version(), now().plusSeconds(300));
        }

        static AttestedChange attested(UserId user, Ips ips, @Nullable Integer previous, Instant expiresAt) {
            return new AttestedChange(
                    user, previous, AttestedChange.documentHash(ips), expiresAt, "AAECAwQFBgcICQoLDA0ODw");
        }

        SignedChange signed(Ips ips) {
            return signed(attested(ips), phone, new Circumstances());
        }

        static SignedChange signed(AttestedChange attested, SoftPasskey by, Circumstances how) {
            return new SignedChange(
                    attested, by.assertion(USER, attested.challenge(), how).assertion());
        }
    }

    /** Signed with each algorithm, also the first version, one that waited, and one whose passkey was revoked meanwhile. */
    private void genuine() {
        SoftPasskey phone = new SoftPasskey();
        SoftPasskey laptop = new SoftPasskey(PasskeyAlgorithm.EDDSA);
        SoftPasskey card = new SoftPasskey(PasskeyAlgorithm.RS256);
        Story story = new Story(phone);
        story.minted(phone, "Phone").minted(laptop, "Laptop").minted(card, "Card");
        story.put(STRICT, story.signed(STRICT));
        story.put(LOOSE, Story.signed(story.attested(LOOSE), laptop, new Circumstances().origin("http://localhost")));
        Instant put = story.now();
        SignedChange waits = Story.signed(story.attested(STRICT), card, new Circumstances().counter(7));
        Approval approval =
                new Approval("ask", null, null, null, null, TestChain.START.plusSeconds(86_400), null, null);
        story.put(LOOSE.withPaused(true), null).revoked(card);
        story.put(LOOSE.withPaused(true).withApprovals(List.of(approval)), null);
        story.put(STRICT.withPaused(true).withDrawdownSince(TestChain.START), put, waits);
        folder.put("genuine", story.chain);
    }

    private void otherContents() {
        Story changed = new Story();
        forged(
                "another-policy",
                "Another policy recorded than is signed",
                changed.put(SampleValues.plainIps(), changed.signed(LOOSE)));
        Story rebound = new Story();
        SignedChange signed = rebound.signed(LOOSE);
        forged(
                "rebound-policy",
                "A signature shown for another policy",
                rebound.put(
                        SampleValues.plainIps(),
                        new SignedChange(rebound.attested(SampleValues.plainIps()), signed.assertion())));
        Story above = new Story();
        forged(
                "previous-version-above",
                "Signed after a version that came later",
                above.put(LOOSE, ofVersion(above, 2)));
        Story first = new Story(new SoftPasskey());
        first.minted(first.phone, "Phone");
        first.minted(new SoftPasskey(), "Laptop");
        forged(
                "previous-version-of-the-first",
                "A first version signed after another",
                first.put(LOOSE, ofVersion(first, 1)));
        Story late = new Story();
        forged("expired", "Recorded when the challenge was over", late.put(LOOSE, until(late, late.now())));
        Story scheduled = new Story();
        Instant at = TestChain.START.plusSeconds(1);
        forged(
                "expired-when-scheduled",
                "Scheduled when the challenge was over",
                scheduled.put(LOOSE, at, until(scheduled, at)));
        Story user = new Story();
        UserId other = new UserId(UUID.fromString("0f8fad5b-d9cb-469f-a165-70867728950e"));
        AttestedChange ofOther = Story.attested(other, LOOSE, 1, user.now().plusSeconds(300));
        forged(
                "another-user",
                "Signed by another user",
                user.put(LOOSE, Story.signed(ofOther, user.phone, new Circumstances())));
        Story replayed = new Story();
        SignedChange once = replayed.signed(LOOSE);
        replayed.put(LOOSE, once).put(STRICT, null);
        forged("replayed", "A signature used twice", 5, replayed.put(LOOSE, once));
        Story request = new Story();
        AttestedChange attested = request.attested(LOOSE);
        String challenge = AttestedRequest.challenge(CanonicalForm.write(AttestedChange.SCHEMA.write(attested)));
        forged(
                "signature-of-a-request",
                "Signed as if a request were accepted",
                request.put(
                        LOOSE,
                        new SignedChange(
                                attested,
                                request.phone.assertion(USER, challenge).assertion())));
    }

    private static SignedChange ofVersion(Story story, int previous) {
        AttestedChange attested =
                Story.attested(USER, LOOSE, previous, story.now().plusSeconds(300));
        return Story.signed(attested, story.phone, new Circumstances());
    }

    private static SignedChange until(Story story, Instant expiresAt) {
        return Story.signed(Story.attested(USER, LOOSE, 1, expiresAt), story.phone, new Circumstances());
    }

    private void made(Circumstances how, String name, String what) {
        Story story = new Story();
        forged(name, what, story.put(LOOSE, Story.signed(story.attested(LOOSE), story.phone, how)));
    }

    private void otherKeys() {
        for (PasskeyAlgorithm algorithm : PasskeyAlgorithm.values()) {
            Story story = new Story(algorithm);
            Circumstances how = new Circumstances().credentialId(story.phone.credentialId());
            forged(
                    "forged-signature-" + algorithm.wireName().toLowerCase(Locale.ROOT),
                    "Signed with another key than that of the passkey, " + algorithm.wireName(),
                    story.put(LOOSE, Story.signed(story.attested(LOOSE), new SoftPasskey(algorithm), how)));
        }
        Story unknown = new Story();
        forged(
                "unknown-passkey",
                "Signed with a passkey that was never minted",
                unknown.put(LOOSE, Story.signed(unknown.attested(LOOSE), new SoftPasskey(), new Circumstances())));
        Story revoked = new Story();
        revoked.revoked(revoked.phone);
        forged(
                "revoked-passkey",
                "Signed with a passkey that was revoked before",
                4,
                revoked.put(LOOSE, revoked.signed(LOOSE)));
        Story before = new Story();
        before.revoked(before.phone);
        forged(
                "revoked-before-it-was-scheduled",
                "Scheduled with a passkey that was revoked before",
                4,
                before.put(LOOSE, before.now(), before.signed(LOOSE)));
        Story early = new Story();
        SoftPasskey later = new SoftPasskey();
        forged(
                "passkey-minted-later",
                "Signed with a passkey that was minted afterwards",
                early.put(LOOSE, Story.signed(early.attested(LOOSE), later, new Circumstances()))
                        .minted(later, "Later"));
    }

    private void otherForms() {
        edited("confirmation-null", "A confirmation of null", null, MEMBER);
        edited("confirmation-true", "A confirmation of true", true, MEMBER);
        edited("confirmation-of-nothing", "A confirmation without members", Map.of(), MEMBER);
        edited("more-than-a-confirmation", "A member beside what was signed and the signature", "x", MEMBER, "note");
        edited("without-signature", "What was signed, without a signature", null, MEMBER, "passkey");
        edited("without-what-was-signed", "A signature without what it is over", null, MEMBER, "attested");
        edited("more-than-a-signature", "A member beside the signature", "AAAA", MEMBER, "passkey", "userHandle");
        edited("more-than-was-signed", "A member beside what was signed", "x", MEMBER, "attested", "note");
        edited("another-kind", "Signed for another kind of change", "shadow", MEMBER, "attested", "kind");
        edited("previous-version-a-text", "A version that is a text", "1", MEMBER, "attested", "previousIpsVersion");
        edited("previous-version-below-zero", "A version below 0", -1, MEMBER, "attested", "previousIpsVersion");
        edited("hash-in-capitals", "A hash in capitals", "AB".repeat(32), MEMBER, "attested", "documentHash");
        edited(
                "time-of-another-form",
                "A time without fractions",
                "2026-11-21T09:50:00Z",
                MEMBER,
                "attested",
                "expiresAt");
        edited("nonce-empty", "An empty nonce", "", MEMBER, "attested", "nonce");
        edited(
                "scheduled-in-another-form",
                "Scheduled at a time without fractions",
                "2026-11-21T09:40:00Z",
                "scheduledAt");
        edited("version-a-text", "The number of the version as a text", "2", "ipsVersion");
        edited("version-zero", "A version 0", 0, "ipsVersion");
        edited("previous-recorded-as-a-text", "The version before as a text", "1", "previousIpsVersion");
        edited("document-a-list", "A list in place of the policy", List.of(), "document");
        Story without = new Story();
        Map<String, @Nullable Object> payload = payload(without);
        payload.remove("previousIpsVersion");
        forged(
                "without-previous-version",
                "A version that follows nothing",
                without.append(new EventDraft(EventKind.IPS_AMENDED, payload)));
    }

    private static Map<String, @Nullable Object> payload(Story story) {
        IpsVersion next = new IpsVersion(2, LOOSE, story.now());
        return new HashMap<>(EventPayloads.ips(next, story.inForce, null, story.signed(LOOSE))
                .payload());
    }

    /** A genuine change, one member of which was edited before the service signed it. */
    private void edited(String name, String what, @Nullable Object value, String... path) {
        Story story = new Story();
        Map<String, @Nullable Object> payload = payload(story);
        set(payload, value, new ArrayList<>(Arrays.asList(path)));
        forged(name, what, story.append(new EventDraft(EventKind.IPS_AMENDED, payload)));
    }

    @SuppressWarnings("unchecked") // The payload is made of maps.
    private static void set(Map<String, @Nullable Object> members, @Nullable Object value, List<String> path) {
        String name = path.remove(0);
        if (path.isEmpty()) {
            members.put(name, value);
            return;
        }
        Map<String, @Nullable Object> inner = new HashMap<>((Map<String, @Nullable Object>) members.get(name));
        set(inner, value, path);
        members.put(name, inner);
    }

    private void forged(String name, String what, Story story) {
        forged(name, what, 3, story);
    }

    private void forged(String name, String what, long brokenAt, Story story) {
        folder.forged(name, what, brokenAt, story.chain);
    }
}
