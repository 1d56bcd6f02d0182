package dev.agentpolicy.domain.event.recompute;

import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Stored;
import dev.agentpolicy.domain.event.canonical.CanonicalForm;
import dev.agentpolicy.domain.event.chain.EventKind;
import dev.agentpolicy.domain.event.chain.PolicyEvent;
import dev.agentpolicy.domain.event.content.DecisionPayload;
import dev.agentpolicy.domain.event.content.DecisionRecord;
import dev.agentpolicy.domain.event.content.DecisionRecord.Attestation;
import dev.agentpolicy.domain.event.content.DecisionRecord.Kind;
import dev.agentpolicy.domain.event.content.EventPayloads;
import dev.agentpolicy.domain.event.passkey.AttestedRequest;
import dev.agentpolicy.domain.event.passkey.AttestedRequest.SignedAcceptance;
import dev.agentpolicy.domain.event.passkey.PasskeyAssertion;
import dev.agentpolicy.domain.event.passkey.PasskeyKey;
import dev.agentpolicy.domain.event.recompute.Recomputation.Difference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Checks the acceptances of a chain that users signed with passkeys, from the chain alone (docs/verify.md, Acceptances
 * that a person signed).
 *
 * <p>Reads the rows of a verified chain one by one and holds the passkeys, the hashes of proposals and the challenges
 * that were used. The service's signatures prove that the service recorded an acceptance; this proves that the owner of
 * a passkey gave it.
 */
public final class SignedAcceptances {
    private final boolean isWhole;
    private final Map<String, MintedPasskey> passkeys = new HashMap<>();
    private final Map<Long, String> proposals = new HashMap<>();
    private final Set<String> used = new HashSet<>();
    private final List<Long> signed = new ArrayList<>();
    private int unchecked;
    private final Set<String> erasedDecisions = new HashSet<>();
    private boolean isKeyErased;

    /** @param isWhole whether the first row that is read is that of the chain */
    public SignedAcceptances(boolean isWhole) {
        this.isWhole = isWhole;
    }

    private record MintedPasskey(PasskeyKey key, String rpId) {}

    /** The requests whose acceptance a person signed, in the order of the chain. */
    public List<Long> requests() {
        return List.copyOf(signed);
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
                key(row.kind(), CanonicalForm.read(Objects.requireNonNull(row.payload())));
            case GUARDRAIL_DECISION -> decision(row, Objects.requireNonNull(row.payload()));
            default -> null;
        };
    }

    private @Nullable String key(EventKind kind, Document payload) {
        if (!EventPayloads.isOfPasskey(payload)) {
            return null;
        }
        if (kind == EventKind.KEY_ROTATED) {
            return "A passkey is never rotated.";
        }
        Stored stored = new Stored(payload);
        String id = stored.text("credentialId");
        if (kind == EventKind.KEY_REVOKED) {
            return passkeys.remove(id) == null && areKeysKnown() ? "The passkey " + id + " was never minted." : null;
        }
        MintedPasskey minted =
                new MintedPasskey(PasskeyKey.read(stored.object("publicKey").document()), stored.text("rpId"));
        return passkeys.put(id, minted) == null ? null : "The passkey " + id + " is minted a second time.";
    }

    private @Nullable String decision(PolicyEvent row, String payload) {
        // Most rows are decisions that agents asked for; proposals are the only ones of them that matter here. A
        // signature is looked at in a row of any kind.
        boolean isSigned = payload.contains("\"attested\":") || payload.contains("\"passkey\":");
        if (!isSigned && !payload.contains("\"kind\":\"propose\"")) {
            return null;
        }
        DecisionRecord it = DecisionPayload.read(CanonicalForm.read(payload));
        Long request = it.serviceRequestId();
        if (it.kind() == Kind.PROPOSE && request != null) {
            proposals.put(request, row.hash());
        }
        Attestation answer = it.attestation();
        return answer == null || answer.signed() == null ? null : signed(row, it, answer, answer.signed());
    }

    private @Nullable String signed(
            PolicyEvent row, DecisionRecord it, Attestation answer, SignedAcceptance signature) {
        if (it.kind() != Kind.ATTESTATION) {
            return "A " + it.kind().wireName() + " is signed with a passkey.";
        }
        AttestedRequest attested = signature.attested();
        String other = other(row, it, attested);
        if (!answer.isAccepted() || other != null) {
            return "The passkey signed another " + (other == null ? "answer" : other) + " than is recorded.";
        }
        if (!used.add(attested.challenge())) {
            return "The signature of the passkey was used before.";
        }
        PasskeyAssertion assertion = signature.assertion();
        MintedPasskey passkey = passkeys.get(assertion.credentialId());
        String proposal = proposals.get(attested.serviceRequestId());
        boolean isProposal = proposal == null
                ? !isWhole || erasedDecisions.contains(attested.decisionHash())
                : proposal.equals(attested.decisionHash());
        if (!isProposal) {
            return "The passkey signed another decision than that of the proposal.";
        }
        if (passkey == null && areKeysKnown()) {
            return "The acceptance is signed with a passkey that this chain does not have at that time.";
        }
        if (passkey == null || proposal == null && !erasedDecisions.contains(attested.decisionHash())) {
            unchecked++;
            return null;
        }
        String wrong = assertion.wrong(passkey.key, passkey.rpId, attested.challenge());
        if (wrong != null) {
            return "The acceptance is not signed by its passkey: " + wrong + ".";
        }
        signed.add(attested.serviceRequestId());
        return null;
    }

    /** What is not as it was signed, or null. */
    private static @Nullable String other(PolicyEvent row, DecisionRecord it, AttestedRequest attested) {
        if (!attested.userId().equals(row.userId())) {
            return "user";
        }
        if (!Objects.equals(attested.serviceRequestId(), it.serviceRequestId())) {
            return "request";
        }
        if (!attested.trade().equals(it.trade())) {
            return "trade";
        }
        // A decision about a misdeclared asset has no version.
        Integer version = it.decision().ipsVersion();
        if (version != null && !version.equals(attested.ipsVersion())) {
            return "version of the policy";
        }
        return row.createdAt().isBefore(attested.expiresAt()) ? null : "time";
    }

    private boolean areKeysKnown() {
        return isWhole && !isKeyErased;
    }
}
