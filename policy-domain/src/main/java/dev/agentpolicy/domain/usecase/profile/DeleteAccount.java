package dev.agentpolicy.domain.usecase.profile;

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
import dev.agentpolicy.domain.usecase.signin.SignIn;
import dev.agentpolicy.domain.usecase.signin.SignIn.Visitor;
import dev.agentpolicy.domain.usecase.upkeep.ErasePayloads;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * Deletes the account of a user (docs/reference/sign-in.md, Deleting the account). What remains is the chain without its
 * payloads.
 *
 * <p>Each step can be repeated, and the user is removed last: a deletion that fails is asked for again.
 */
public final class DeleteAccount {
    /** The reason in the evidence of the erasure. */
    public static final String REASON = "The user deleted the account.";

    private final SignIn signIn;
    private final Accounts accounts;
    private final IssueKeys keys;
    private final ConnectCustodian custodians;
    private final Sessions sessions;
    private final Erasures erasures;
    private final ErasePayloads erase;
    private final AccountRemoval removal;
    private final InstantSource clock;

    public DeleteAccount(
            SignIn signIn,
            Accounts accounts,
            IssueKeys keys,
            ConnectCustodian custodians,
            Sessions sessions,
            Erasures erasures,
            ErasePayloads erase,
            AccountRemoval removal,
            InstantSource clock) {
        this.signIn = signIn;
        this.accounts = accounts;
        this.keys = keys;
        this.custodians = custodians;
        this.sessions = sessions;
        this.erasures = erasures;
        this.erase = erase;
        this.removal = removal;
        this.clock = clock;
    }

    /**
     * Deletes an account whose user knows the password and has no order under way. Blocks until everything is durable.
     * Where the database lets nobody but the owner of its schema erase payloads, they stay until the operator does.
     */
    public Answer<UserId> delete(UserId user, String password, Visitor visitor) {
        return chained(signIn.confirm(user, password, visitor), confirmed -> delete(user, visitor));
    }

    private Answer<UserId> delete(UserId user, Visitor visitor) {
        return chained(requireNoOrder(user), idle -> {
            sessions.closeAll(user, visitor.sessionHash());
            Instant now = clock.instant();
            for (AgentKey key : keys.list(user)) {
                if (key.isActive(now)) {
                    awaited(keys.revoke(user, key.id()));
                }
            }
            // Another session may have accepted a request until the sessions were ended.
            return chained(requireNoOrder(user), stillIdle -> removeCustodians(user));
        });
    }

    private Answer<UserId> removeCustodians(UserId user) {
        Answer<UserId> answer = Answer.given(user);
        for (ListedCustodian custodian : custodians.list(user)) {
            answer = chained(
                    answer, before -> custodians.remove(user, custodian.id()).map(removed -> user));
        }
        return answer.map(removed -> {
            if (erasures.isPermitted()) {
                erase.eraseAccount(user, REASON);
            }
            removal.remove(user);
            return user;
        });
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

    private static <T, R> Answer<R> chained(Answer<T> first, Function<T, Answer<R>> next) {
        return first.fold(next, Answer::refused);
    }

    private static <T> T awaited(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().join();
        } catch (CompletionException failed) {
            throw failed.getCause() instanceof RuntimeException cause ? cause : failed;
        }
    }
}
