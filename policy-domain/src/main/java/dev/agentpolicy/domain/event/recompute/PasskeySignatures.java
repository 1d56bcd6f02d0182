package dev.agentpolicy.domain.event.recompute;

import static dev.agentpolicy.domain.document.Schema.required;

import dev.agentpolicy.domain.document.Codec;
import dev.agentpolicy.domain.document.Decimals;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Fields;
import dev.agentpolicy.domain.document.Instants;
import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.document.Schema;
import dev.agentpolicy.domain.event.canonical.CanonicalForm;
import dev.agentpolicy.domain.event.canonical.WireFields;
import dev.agentpolicy.domain.event.chain.EventKind;
import dev.agentpolicy.domain.event.chain.PolicyEvent;
import dev.agentpolicy.domain.event.content.EventPayloads;
import dev.agentpolicy.domain.event.passkey.AttestedChange;
import dev.agentpolicy.domain.event.passkey.AttestedRequest;
import dev.agentpolicy.domain.event.passkey.PasskeyAssertion;
import dev.agentpolicy.domain.event.passkey.PasskeyKey;
import dev.agentpolicy.domain.event.recompute.Recomputation.Difference;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Checks what users signed with passkeys in a chain, acceptances and changes of the policy, from the chain alone
 * (docs/verify.md, What a person signed).
 *
 * <p>Reads the rows of a verified chain one by one and holds the passkeys, the hashes of proposals and the challenges
 * that were used. The service's signatures prove that the service recorded an acceptance or a change; this proves that the
 * owner of a passkey gave or made it.
 */
public final class PasskeySignatures {
    private static final Pattern HOST = Pattern.compile("[a-z0-9.-]{1,253}");
    private static final Codec<Document> OBJECT = Codec.object(document -> document, Document::members);
    private static final Schema<PasskeyAssertion> ASSERTION = Schema.of(
            row -> new PasskeyAssertion(row.next(), row.next(), row.next(), row.next()),
            required("credentialId", WireFields.BYTES, PasskeyAssertion::credentialId),
            required("authenticatorData", WireFields.BYTES, PasskeyAssertion::authenticatorData),
            required("clientDataJSON", WireFields.BYTES, PasskeyAssertion::clientDataJson),
            required("signature", WireFields.BYTES, PasskeyAssertion::signature));

    private final boolean isWhole;
    private final Map<String, MintedPasskey> passkeys = new HashMap<>();
    private final Map<String, MintedPasskey> revoked = new HashMap<>();
    private final Map<Long, String> proposals = new HashMap<>();
    private final Set<String> used = new HashSet<>();
    private final List<Long> requests = new ArrayList<>();
    private final List<Long> versions = new ArrayList<>();
    private int unchecked;
    private final Set<String> erasedDecisions = new HashSet<>();
    private boolean isKeyErased;

    /** @param isWhole whether the first row that is read is that of the chain */
    public PasskeySignatures(boolean isWhole) {
        this.isWhole = isWhole;
    }

    /** @param revokedAt time of the row that revoked it; null while it is not */
    private record MintedPasskey(
            PasskeyKey key, String rpId, @Nullable Instant revokedAt) {}

    /** The requests whose acceptance a person signed, in the order of the chain. */
    public List<Long> requests() {
        return List.copyOf(requests);
    }

    /** The versions of the policy that a person signed, in the order of the chain. */
    public List<Long> versions() {
        return List.copyOf(versions);
    }

    /** The number of signatures that could not be checked, because what they refer to is erased or in earlier rows. */
    public int unchecked() {
        return unchecked;
    }

    /** Reads the next row and returns what is wrong with it, if anything. After that no further row may be read. */
    public Optional<Difference> row(PolicyEvent row) {
        String wrong;
        try {
            wrong = row.payload() == null ? erased(row) : contents(row);
        } catch (RuntimeException unreadable) {
            // A payload may hold anything; the message of its reader is the difference.
            wrong = "The payload is not one this service writes: " + unreadable.getMessage();
        }
        return Optional.ofNullable(wrong).map(what -> new Difference(row.seq(), what));
    }

    private @Nullable String erased(PolicyEvent row) {
        switch (row.kind()) {
            case GUARDRAIL_DECISION -> erasedDecisions.add(row.hash());
            case KEY_MINTED, KEY_ROTATED, KEY_REVOKED -> isKeyErased = true;
            default -> {
                // Nothing that is signed refers to the other kinds.
            }
        }
        return null;
    }

    private @Nullable String contents(PolicyEvent row) {
        return switch (row.kind()) {
            case KEY_MINTED, KEY_ROTATED, KEY_REVOKED ->
                key(row, CanonicalForm.read(Objects.requireNonNull(row.payload())));
            case GUARDRAIL_DECISION -> decision(row, Objects.requireNonNull(row.payload()));
            case IPS_CREATED, IPS_AMENDED -> policy(row, Objects.requireNonNull(row.payload()));
            default -> null;
        };
    }

    private @Nullable String key(PolicyEvent row, Document payload) {
        EventKind kind = row.kind();
        if (!EventPayloads.isOfPasskey(payload)) {
            return null;
        }
        if (kind == EventKind.KEY_ROTATED) {
            return "A passkey is never rotated.";
        }
        Fields fields = new Fields(payload, Decimals.NUMBERS);
        String id = WireFields.BYTES.reader().read(fields, "credentialId");
        if (id == null) {
            return "The passkey is malformed.";
        }
        if (kind == EventKind.KEY_REVOKED) {
            MintedPasskey known = passkeys.remove(id);
            if (known != null) {
                revoked.put(id, new MintedPasskey(known.key, known.rpId, row.createdAt()));
            }
            return known == null && areKeysKnown() ? "The passkey " + id + " was never minted." : null;
        }
        if (!(payload.get("rpId") instanceof String rpId && HOST.matcher(rpId).matches())
                || !(payload.get("publicKey") instanceof Document jwk)) {
            return "The passkey is malformed.";
        }
        MintedPasskey minted = new MintedPasskey(PasskeyKey.read(jwk), rpId, null);
        return passkeys.put(id, minted) == null ? null : "The passkey " + id + " is minted a second time.";
    }

    private @Nullable String decision(PolicyEvent row, String payload) {
        // Most rows are decisions that agents asked for; proposals are the only ones of them that matter here. A
        // signature is looked at in a row of any kind.
        boolean isSigned = payload.contains("\"attested\":") || payload.contains("\"passkey\":");
        if (!isSigned && !payload.contains("\"kind\":\"propose\"")) {
            return null;
        }
        Document it = CanonicalForm.read(payload);
        if ("propose".equals(it.get("kind")) && it.get("serviceRequestId") instanceof BigDecimal request) {
            proposals.put(request.longValueExact(), row.hash());
        }
        boolean isAnswer = it.get("attestation") instanceof Document answer
                && (answer.members().containsKey("attested") || answer.members().containsKey("passkey"));
        return isAnswer ? signed(row, it, (Document) Objects.requireNonNull(it.get("attestation"))) : null;
    }

    private @Nullable String signed(PolicyEvent row, Document it, Document answer) {
        if (!(answer.get("attested") instanceof Document attested && isAttested(attested))
                || !(answer.get("passkey") instanceof Document signature)
                || !Boolean.TRUE.equals(answer.get("accepted"))
                || !"attestation".equals(it.get("kind"))) {
            return "The signature of the passkey is malformed.";
        }
        Reading<PasskeyAssertion> read = ASSERTION.read(signature, Decimals.NUMBERS);
        if (!read.isRead()) {
            return "The signature of the passkey is malformed.";
        }
        Document one = request(it, attested);
        String other = one == null ? "request" : other(row, it, attested, one);
        if (one == null || other != null) {
            return "The passkey signed another " + other + " than is recorded.";
        }
        String challenge = AttestedRequest.challenge(CanonicalForm.write(attested));
        long request = ((BigDecimal) Objects.requireNonNull(one.get("serviceRequestId"))).longValueExact();
        if (!used.add(challenge + " " + request)) {
            return "The signature of the passkey was used before.";
        }
        PasskeyAssertion assertion = read.orElseThrow();
        String decision = (String) Objects.requireNonNull(one.get("decisionHash"));
        MintedPasskey passkey = passkeys.get(assertion.credentialId());
        String proposal = proposals.get(request);
        boolean isErased = erasedDecisions.contains(decision);
        if (proposal == null ? isWhole && !isErased : !proposal.equals(decision)) {
            return "The passkey signed another decision than that of the proposal.";
        }
        if (passkey == null && areKeysKnown()) {
            return "The acceptance is signed with a passkey that this chain does not have at that time.";
        }
        if (passkey == null || proposal == null && !isErased) {
            unchecked++;
            return null;
        }
        String wrong = assertion.wrong(passkey.key, passkey.rpId, challenge);
        if (wrong != null) {
            return "The acceptance is not signed by its passkey: " + wrong + ".";
        }
        requests.add(request);
        return null;
    }

    private @Nullable String policy(PolicyEvent row, String payload) {
        if (!payload.contains("\"confirmation\":")) {
            return null;
        }
        Document it = CanonicalForm.read(payload);
        return it.members().containsKey(EventPayloads.CONFIRMATION) ? changed(row, it) : null;
    }

    private @Nullable String changed(PolicyEvent row, Document it) {
        ConfirmedVersion version = ConfirmedVersion.read(it);
        if (version == null) {
            return "The signature of the passkey is malformed.";
        }
        String other = version.other(row);
        if (other != null) {
            return "The passkey signed another " + other + " than is recorded.";
        }
        String challenge = AttestedChange.challenge(CanonicalForm.write(version.attested));
        if (!used.add(challenge)) {
            return "The signature of the passkey was used before.";
        }
        MintedPasskey passkey = ofChange(version.assertion.credentialId(), version.scheduledAt);
        if (passkey == null && areKeysKnown()) {
            return "The change is signed with a passkey that this chain does not have at that time.";
        }
        if (passkey == null) {
            unchecked++;
            return null;
        }
        String wrong = version.assertion.wrong(passkey.key, passkey.rpId, challenge);
        if (wrong != null) {
            return "The change is not signed by its passkey: " + wrong + ".";
        }
        versions.add(version.number);
        return null;
    }

    /** The passkey with an id; for a change that waited also one that was revoked while it did. */
    private @Nullable MintedPasskey ofChange(String id, @Nullable Instant scheduledAt) {
        MintedPasskey known = passkeys.get(id);
        MintedPasskey before = revoked.get(id);
        return known == null
                        && before != null
                        && scheduledAt != null
                        && before.revokedAt != null
                        && !before.revokedAt.isBefore(scheduledAt)
                ? before
                : known;
    }

    /**
     * The payload of a version that is confirmed, in the forms of docs/verify/forms.txt.
     *
     * @param previous the version before; 0 for none
     * @param scheduledAt when it was put, if it waited
     * @param attested what was signed
     */
    private record ConfirmedVersion(
            long number,
            long previous,
            Document document,
            @Nullable Instant scheduledAt,
            Document attested,
            PasskeyAssertion assertion) {
        private static final String PREVIOUS = "previousIpsVersion";

        static @Nullable ConfirmedVersion read(Document payload) {
            Fields it = new Fields(payload, Decimals.NUMBERS);
            Long number = WireFields.seq(1).reader().read(it, "ipsVersion");
            Long previous = WireFields.seq(0).reader().read(it, PREVIOUS);
            Document document = OBJECT.reader().read(it, "document");
            Instant scheduledAt = WireFields.INSTANT.reader().read(it, "scheduledAt");
            Document signed = OBJECT.reader().read(it, EventPayloads.CONFIRMATION);
            it.require("ipsVersion", "document", EventPayloads.CONFIRMATION);
            it.requireMember(PREVIOUS);
            it.ignoreUnknown();
            if (!it.finish(() -> true).isRead()
                    || signed == null
                    || !(signed.get("attested") instanceof Document attested && isChange(attested))
                    || !(signed.get("passkey") instanceof Document passkey)
                    || signed.members().size() != 2) {
                return null;
            }
            Reading<PasskeyAssertion> assertion = ASSERTION.read(passkey, Decimals.NUMBERS);
            return assertion.isRead()
                    ? new ConfirmedVersion(
                            Fields.present(number),
                            previous == null ? 0 : previous,
                            Fields.present(document),
                            scheduledAt,
                            attested,
                            assertion.orElseThrow())
                    : null;
        }

        private static boolean isChange(Document attested) {
            Fields it = new Fields(attested, Decimals.NUMBERS);
            WireFields.USER_ID.reader().read(it, "userId");
            WireFields.only("ips").reader().read(it, "kind");
            WireFields.seq(0).reader().read(it, PREVIOUS);
            WireFields.HASH.reader().read(it, "documentHash");
            WireFields.INSTANT.reader().read(it, "expiresAt");
            WireFields.TEXT.reader().read(it, "nonce");
            it.require("userId", "kind", "documentHash", "expiresAt", "nonce");
            it.requireMember(PREVIOUS);
            return it.finish(() -> true).isRead();
        }

        /** What is not as it was signed, or null. */
        @Nullable
        String other(PolicyEvent row) {
            if (!row.userId().toString().equals(attested.get("userId"))) {
                return "user";
            }
            if (!AttestedChange.documentHash(document).equals(attested.get("documentHash"))) {
                return "policy";
            }
            long signed = attested.get(PREVIOUS) instanceof BigDecimal number ? number.longValueExact() : 0;
            if (signed > previous) {
                return "previous version";
            }
            String text = (String) Objects.requireNonNull(attested.get("expiresAt"));
            Instant expiresAt = Objects.requireNonNull(Instants.parse(text));
            Instant put = scheduledAt == null ? row.createdAt() : scheduledAt;
            return put.isBefore(expiresAt) ? null : "time";
        }
    }

    /** Whether what was signed has the members and forms of docs/verify/forms.txt. */
    private static boolean isAttested(Document attested) {
        Fields it = new Fields(attested, Decimals.NUMBERS);
        if (attested.members().containsKey("requests")) {
            it.objects("requests", Integer.MAX_VALUE, requests -> isRequest(requests) ? true : null);
            it.require("requests");
        } else {
            isRequest(it);
        }
        WireFields.USER_ID.reader().read(it, "userId");
        WireFields.seq(0).reader().read(it, "ipsVersion");
        WireFields.seq(0).reader().read(it, "portfolioRevision");
        WireFields.INSTANT.reader().read(it, "expiresAt");
        WireFields.TEXT.reader().read(it, "nonce");
        it.require("userId", "portfolioRevision", "expiresAt", "nonce");
        it.requireMember("ipsVersion");
        return it.finish(() -> true).isRead();
    }

    /** Reads the members of one request among others; what is wrong with them becomes a problem of the fields. */
    private static boolean isRequest(Fields it) {
        WireFields.seq(0).reader().read(it, "serviceRequestId");
        OBJECT.reader().read(it, "trade");
        WireFields.TEXT.reader().read(it, "custodian");
        WireFields.HASH.reader().read(it, "decisionHash");
        it.require("serviceRequestId", "trade", "decisionHash");
        it.requireMember("custodian");
        return true;
    }

    /** The request of what was signed that a row is about; null if it is not among it. */
    private static @Nullable Document request(Document it, Document attested) {
        List<?> requests = attested.get("requests") instanceof List<?> several ? several : List.of(attested);
        for (Object request : requests) {
            if (request instanceof Document one
                    && Objects.equals(one.get("serviceRequestId"), it.get("serviceRequestId"))) {
                return one;
            }
        }
        return null;
    }

    /** What is not as it was signed, or null. */
    private static @Nullable String other(PolicyEvent row, Document it, Document attested, Document one) {
        if (!row.userId().toString().equals(attested.get("userId"))) {
            return "user";
        }
        if (!(one.get("trade") instanceof Document signed
                && it.get("trade") instanceof Document recorded
                && CanonicalForm.write(signed).equals(CanonicalForm.write(recorded)))) {
            return "trade";
        }
        // A decision about a misdeclared asset has no version.
        boolean hasVersion = it.members().containsKey("ipsVersion");
        Object version = it.get("ipsVersion");
        if (!hasVersion || version != null && !version.equals(attested.get("ipsVersion"))) {
            return "version of the policy";
        }
        String expiresAt = (String) Objects.requireNonNull(attested.get("expiresAt"));
        return row.createdAt().isBefore(Objects.requireNonNull(Instants.parse(expiresAt))) ? null : "time";
    }

    private boolean areKeysKnown() {
        return isWhole && !isKeyErased;
    }
}
