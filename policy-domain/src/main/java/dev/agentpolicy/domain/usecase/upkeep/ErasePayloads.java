package dev.agentpolicy.domain.usecase.upkeep;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.document.PlainText;
import dev.agentpolicy.domain.event.chain.ChainHead;
import dev.agentpolicy.domain.event.chain.Erasure;
import dev.agentpolicy.domain.event.chain.PolicyEvent;
import dev.agentpolicy.domain.event.page.EventQuery;
import dev.agentpolicy.domain.event.page.EventQuery.Direction;
import dev.agentpolicy.domain.event.signing.SignatureCheck;
import dev.agentpolicy.domain.event.signing.SigningKey;
import dev.agentpolicy.domain.port.Erasures;
import dev.agentpolicy.domain.port.EventLog;
import dev.agentpolicy.domain.port.EventSigner;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Erases payloads of a chain and records signed evidence of it (docs/reference/events.md, Erasure). */
public final class ErasePayloads {
    /** The rule for reasons, as a sentence for the operator. */
    public static final String REASON_RULE = "The reason must have 1 to " + Erasure.MAX_REASON_LENGTH
            + " characters, not only blanks, and no control characters.";

    private final EventLog events;
    private final Erasures erasures;
    private final EventSigner signer;
    private final InstantSource clock;

    public ErasePayloads(EventLog events, Erasures erasures, EventSigner signer, InstantSource clock) {
        this.events = events;
        this.erasures = erasures;
        this.signer = signer;
        this.clock = clock;
    }

    /** The result of an erasure. */
    public sealed interface ErasureResult permits Erased, NotErased {}

    /**
     * The payloads are erased durably.
     *
     * @param entry the signed evidence
     * @param rows number of erased payloads
     */
    public record Erased(Erasure entry, int rows) implements ErasureResult {}

    /**
     * Nothing was changed.
     *
     * @param reason a sentence for the operator
     */
    public record NotErased(String reason) implements ErasureResult {}

    /** Erases the payload of one row. */
    public ErasureResult eraseRow(UserId user, long seq, String reason) {
        if (!isReason(reason)) {
            return new NotErased(REASON_RULE);
        }
        PolicyEvent row = seq < 1 ? null : row(user, seq).orElse(null);
        if (row == null) {
            return noRow(user, seq);
        }
        if (!Erasure.Extent.ROW.mayErase(row.kind())) {
            return new NotErased("Row " + seq + " is of kind " + row.kind().wireName()
                    + ", without which the rows after it cannot be checked; it is not erased.");
        }
        if (row.payload() == null) {
            return alreadyErased(seq);
        }
        EventSigner active = signer.current();
        Erasure entry = Erasure.ofRow(user, seq, row.hash(), clock.instant(), reason, active.keyId(), active::sign);
        int erased = erasures.erase(entry);
        return erased == 0 ? alreadyErased(seq) : new Erased(entry, erased);
    }

    /** Erases all payloads of a chain up to its present end, except those of {@code signing_key.rotated}. */
    public ErasureResult eraseAccount(UserId user, String reason) {
        if (!isReason(reason)) {
            return new NotErased(REASON_RULE);
        }
        ChainHead head = events.head(user);
        if (head.seq() == 0) {
            return noChain(user);
        }
        EventSigner active = signer.current();
        Erasure entry =
                Erasure.ofAccount(user, head.seq(), head.hash(), clock.instant(), reason, active.keyId(), active::sign);
        int erased = erasures.erase(entry);
        return erased == 0
                ? new NotErased("The payloads of user " + user + " are erased already.")
                : new Erased(entry, erased);
    }

    /**
     * Signs entries again, with the active key, that one of the given keys signed after it was compromised. Verifiers
     * reject such entries, so the chains they explain would stay broken. The operator vouches for the entries by
     * calling this. Times and reasons stay the same; an entry with a wrong signature is left unchanged.
     *
     * @return the number of entries signed again
     */
    public int signAnew(List<SigningKey> keys, SignatureCheck check) {
        EventSigner active = signer.current();
        List<Erasure> resigned = keys.stream()
                .filter(SigningKey::isCompromised)
                .flatMap(key -> erasures.signedBy(key.kid()).stream()
                        .filter(entry -> !entry.isSignedBy(key, check) && entry.hasSignatureOf(key, check)))
                .map(entry -> entry.signedAnew(active.keyId(), active::sign))
                .toList();
        erasures.replace(resigned);
        return resigned.size();
    }

    /** Whether a text may be the reason of an erasure. */
    public static boolean isReason(String text) {
        return Erasure.isReason(text) && PlainText.isClean(text) && !text.isBlank();
    }

    private Optional<PolicyEvent> row(UserId user, long seq) {
        EventQuery one = new EventQuery(1, Direction.ASC, Optional.empty(), Optional.empty(), OptionalLong.of(seq - 1));
        return events.page(user, one).rows().stream()
                .filter(row -> row.seq() == seq)
                .findFirst();
    }

    private NotErased noRow(UserId user, long seq) {
        long last = events.head(user).seq();
        return last == 0
                ? noChain(user)
                : new NotErased("The chain of user " + user + " has rows 1 to " + last + ", and no row " + seq + ".");
    }

    private static NotErased noChain(UserId user) {
        return new NotErased("There is no chain of a user " + user + ".");
    }

    private static NotErased alreadyErased(long seq) {
        return new NotErased("The payload of row " + seq + " is erased already.");
    }
}
