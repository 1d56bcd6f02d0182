package dev.agentpolicy.domain.usecase.upkeep;

import dev.agentpolicy.domain.account.Account;
import dev.agentpolicy.domain.account.Change;
import dev.agentpolicy.domain.account.LoadSpec;
import dev.agentpolicy.domain.account.Outcome;
import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.port.AccountRemoval;
import dev.agentpolicy.domain.port.Accounts;
import dev.agentpolicy.domain.port.Erasures;
import dev.agentpolicy.domain.port.signin.Sessions;
import dev.agentpolicy.domain.request.ServiceRequest.Pending;
import dev.agentpolicy.domain.usecase.Answer;
import dev.agentpolicy.domain.usecase.Refusal;
import dev.agentpolicy.domain.usecase.custodian.ConnectCustodian;
import dev.agentpolicy.domain.usecase.custodian.ConnectCustodian.ListedCustodian;
import dev.agentpolicy.domain.usecase.policy.IssueKeys;
import dev.agentpolicy.domain.usecase.signin.ConfirmingOwner;
import dev.agentpolicy.domain.usecase.signin.ManagePasskeys;
import dev.agentpolicy.domain.usecase.signin.ManagePasskeys.Confirmation;
import dev.agentpolicy.domain.usecase.signin.ManagePasskeys.OwnerBrowser;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/**
 * Deletes the account of a user (docs/reference/sign-in.md, Deleting the account). What remains is the chain without its
 * payloads.
 *
 * <p>Each step can be repeated, and the user is removed last: a deletion that fails is asked for again.
 */
public record DeleteAccount(
        ManagePasskeys passkeys,
        Accounts accounts,
        IssueKeys keys,
        ConnectCustodian custodians,
        Sessions sessions,
        Erasures erasures,
        ErasePayloads erase,
        AccountRemoval removal,
        InstantSource clock) {
    /** The reason in the evidence of the erasure. */
    public static final String REASON = "The user deleted the account.";

    /**
     * Deletes an account whose user confirms it and has no order under way. For a while after a reset of the password by mail an
     * account with a passkey wants the passkey, so that a mailbox alone deletes nothing. Blocks until everything is durable. Where
     * the database lets nobody but the owner of its schema erase payloads, they stay until the operator does.
     */
    public Answer<UserId> delete(OwnerBrowser by, Confirmation confirmation) {
        UserId user = by.user();
        return passkeys.check(by, confirmation)
                .then(confirmed -> requireNoOrder(user))
                .then(idle -> {
                    sessions.closeAll(user, by.visitor().sessionHash());
                    Instant now = clock.instant();
                    for (AgentKey key : keys.list(user)) {
                        if (key.isActive(now)) {
                            awaited(keys.revoke(user, key.id()));
                        }
                    }
                    // Another session may have accepted a request until the sessions were ended.
                    return requireNoOrder(user);
                })
                .then(stillIdle -> removeCustodians(user))
                .map(removed -> {
                    if (erasures.isPermitted()) {
                        erase.eraseAccount(user, REASON);
                    }
                    removal.remove(user);
                    return user;
                });
    }

    private Answer<UserId> removeCustodians(UserId user) {
        Answer<UserId> answer = Answer.given(user);
        for (ListedCustodian custodian : custodians.list(user)) {
            answer = answer.then(before -> custodians
                    .remove(ConfirmingOwner.alreadyConfirmed(user), custodian.id())
                    .map(removed -> user));
        }
        return answer;
    }

    private Answer<UserId> requireNoOrder(UserId user) {
        return accounts.changeAndWait(user, new RequireNoOrder(user));
    }

    /** Refuses while an order is under way. Records nothing. */
    private record RequireNoOrder(UserId user) implements Change<Answer<UserId>> {
        @Override
        public LoadSpec needs() {
            return LoadSpec.accepted();
        }

        @Override
        public Outcome<Answer<UserId>> apply(Account account) {
            boolean isIdle = account.requests().values().stream()
                    .noneMatch(request -> request.fold(Pending::isAccepted, completed -> false, rejected -> false));
            String message = "An order is under way; cancel it or wait for its end.";
            return Outcome.nothing(
                    isIdle ? Answer.given(user) : Answer.refused(Refusal.of(Refusal.Code.ORDER_UNDER_WAY, message)));
        }
    }

    private static <T> T awaited(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().join();
        } catch (CompletionException failed) {
            throw failed.getCause() instanceof RuntimeException cause ? cause : failed;
        }
    }
}
