package dev.agentpolicy.domain.usecase;

import dev.agentpolicy.domain.account.Account;
import dev.agentpolicy.domain.account.Change;
import dev.agentpolicy.domain.account.LoadSpec;
import dev.agentpolicy.domain.account.Outcome;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.passkey.ScheduledIps;
import dev.agentpolicy.domain.port.Accounts;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Accounts whose scheduled policies come into force with the first change after their time. That change is applied
 * afterwards, to the account as it is then.
 *
 * @param comeIntoForce puts the scheduled policy of an account in force, which is due, or drops it
 */
public record ScheduledAccounts(Accounts accounts, Function<Account, Outcome<Boolean>> comeIntoForce)
        implements Accounts {

    @Override
    public <R> CompletionStage<R> change(UserId user, Change<R> change) {
        return accounts.change(user, new AfterSchedule<>(change, comeIntoForce))
                .thenCompose(applied ->
                        applied.isDue ? change(user, change) : CompletableFuture.completedFuture(applied.result));
    }

    /**
     * What became of a change.
     *
     * @param isDue whether a scheduled policy was due, which came into force in place of the change
     * @param result of the change; null when a policy was due
     */
    private record Applied<R>(boolean isDue, @Nullable R result) {}

    private record AfterSchedule<R>(Change<R> change, Function<Account, Outcome<Boolean>> comeIntoForce)
            implements Change<Applied<R>> {
        @Override
        public LoadSpec needs() {
            return change.needs();
        }

        @Override
        public int maxDecisions() {
            return change.maxDecisions();
        }

        @Override
        public Outcome<Applied<R>> apply(Account account) {
            ScheduledIps scheduled = account.passkeys().protection().scheduled();
            return scheduled != null && scheduled.isDue(account.now())
                    ? comeIntoForce.apply(account).map(done -> new Applied<>(true, null))
                    : change.apply(account).map(result -> new Applied<>(false, result));
        }
    }
}
