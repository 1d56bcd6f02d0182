package dev.agentpolicy.domain.usecase.signin;

import dev.agentpolicy.domain.account.Account;
import dev.agentpolicy.domain.account.Outcome;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.passkey.AttestedChange.SignedChange;
import dev.agentpolicy.domain.event.passkey.OwnerPasskeys;
import dev.agentpolicy.domain.usecase.Answer;
import dev.agentpolicy.domain.usecase.Refusal;
import dev.agentpolicy.domain.usecase.signin.ManagePasskeys.Confirmation;
import dev.agentpolicy.domain.usecase.signin.ManagePasskeys.OwnerBrowser;
import dev.agentpolicy.domain.usecase.signin.ManagePasskeys.Proof;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A user who makes a change, with the confirmation that came with the call. This is the one place that says whether a change
 * is confirmed: one that lets agents do more must be on an account with {@code confirmChanges}, and whatever was sent must
 * hold, needed or not (docs/reference/passkeys.md).
 */
public final class ConfirmingOwner {
    private final UserId user;
    private final Proof proof;
    private final boolean hasSent;

    private ConfirmingOwner(UserId user, Proof proof, boolean hasSent) {
        this.user = user;
        this.proof = proof;
        this.hasSent = hasSent;
    }

    /** A user who sent no confirmation. */
    public static ConfirmingOwner unconfirmed(UserId user) {
        return new ConfirmingOwner(user, Proof.NONE, false);
    }

    /** A user who has confirmed a call that this change is a part of. */
    public static ConfirmingOwner alreadyConfirmed(UserId user) {
        return new ConfirmingOwner(user, account -> Answer.given(account.passkeys()), true);
    }

    /** The user of a browser, with what was sent to confirm a change. Blocks as {@link ManagePasskeys#proof} does. */
    public static ConfirmingOwner of(ManagePasskeys passkeys, OwnerBrowser by, Confirmation sent) {
        return sent.isGiven() ? new ConfirmingOwner(by.user(), passkeys.proof(by, sent), true) : unconfirmed(by.user());
    }

    public UserId user() {
        return user;
    }

    /** The change of the policy that a passkey signed, if the confirmation holds; null when none was signed. */
    public @Nullable SignedChange signed() {
        return proof.change();
    }

    /**
     * The passkeys of the account after the confirmation, or why it does not hold. A passkey proves once: its counter must
     * grow.
     *
     * @param permitsMore whether the change lets agents do more
     */
    public Answer<OwnerPasskeys> confirmed(Account account, boolean permitsMore) {
        boolean isNeeded = permitsMore && account.passkeys().protection().confirms();
        return isNeeded || hasSent ? proof.in(account) : Answer.given(account.passkeys());
    }

    /**
     * A change of the account if it is confirmed, with the use of the passkey. A change that is refused or records nothing
     * needs no confirmation.
     *
     * @param permitsMore whether the change lets agents do more
     * @param change is given the account with the passkeys after the confirmation, and may change them further
     */
    public <T> Outcome<Answer<T>> change(
            Account account, boolean permitsMore, Function<Account, Outcome<Answer<T>>> change) {
        if (hasSent) {
            return confirmed(account, permitsMore)
                    .fold(
                            proven -> recorded(account, change.apply(account.withPasskeys(proven)), proven),
                            ConfirmingOwner::refused);
        }
        Outcome<Answer<T>> outcome = change.apply(account);
        return outcome.isEmpty()
                ? outcome
                : confirmed(account, permitsMore).fold(proven -> outcome, ConfirmingOwner::refused);
    }

    private static <T> Outcome<Answer<T>> recorded(Account account, Outcome<Answer<T>> outcome, OwnerPasskeys proven) {
        return outcome.passkeys() != null || proven.equals(account.passkeys()) ? outcome : outcome.withPasskeys(proven);
    }

    private static <T> Outcome<Answer<T>> refused(Refusal refusal) {
        return Outcome.nothing(Answer.refused(refusal));
    }
}
