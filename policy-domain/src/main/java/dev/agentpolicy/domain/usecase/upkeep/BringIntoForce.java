package dev.agentpolicy.domain.usecase.upkeep;

import dev.agentpolicy.domain.account.Outcome;
import dev.agentpolicy.domain.account.Unavailable;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.port.AccountReader;
import dev.agentpolicy.domain.port.Accounts;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Brings scheduled policies into force of accounts that nobody changes (docs/reference/ips.md).
 *
 * @param accounts bring the scheduled policy of an account into force with any change
 */
public record BringIntoForce(Accounts accounts, AccountReader reader, InstantSource clock) {
    private static final int MAX_PER_SWEEP = 1_000;

    /**
     * Brings at most {@value #MAX_PER_SWEEP} policies that are due into force, and returns how many. Blocks. One that fails
     * does not stop the others.
     *
     * @throws Unavailable when nothing can be read or written
     * @throws RuntimeException the first other failure
     */
    public int sweep() {
        List<UserId> due = reader.dueSchedules(clock.instant(), MAX_PER_SWEEP);
        RuntimeException first = null;
        for (UserId user : due) {
            RuntimeException failed = failure(user);
            first = first == null ? failed : first;
        }
        if (first != null) {
            throw first;
        }
        return due.size();
    }

    private @Nullable RuntimeException failure(UserId user) {
        try {
            accounts.changeAndWait(user, account -> Outcome.nothing(true));
            return null;
        } catch (Unavailable away) {
            throw away;
        } catch (RuntimeException failed) {
            return failed;
        }
    }
}
