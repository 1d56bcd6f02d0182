package dev.agentpolicy.domain.usecase.policy;

import dev.agentpolicy.domain.account.Account;
import dev.agentpolicy.domain.compare.PolicyComparison;
import dev.agentpolicy.domain.compare.PolicyRelation;
import dev.agentpolicy.domain.ips.Ips;
import dev.agentpolicy.domain.ips.IpsVersion;
import dev.agentpolicy.domain.portfolio.Portfolio;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A change of a policy that is guarded, and how the new statement stands to the one in force. Comparing takes too long to do
 * it while an account is changed: the change is tried, the two statements are compared, and it is tried again with what came
 * of it.
 *
 * @param known what was held when they were read, which says what class the assets have
 * @param at when they were read
 * @param relation of the new statement to the one in force; null until they are compared
 */
record ComparedChange(
        Ips inForce,
        Ips next,
        @Nullable Portfolio known,
        Instant at,
        @Nullable PolicyRelation relation) {

    /** The change to a statement; null where nothing depends on how it stands to the one in force. */
    static @Nullable ComparedChange of(Account account, Ips next) {
        IpsVersion inForce = account.ips();
        return inForce == null || !account.passkeys().protection().guards(account.now())
                ? null
                : new ComparedChange(inForce.ips(), next, account.portfolio(), account.now(), null);
    }

    /**
     * The change with the relation. That agents are paused makes no difference: while they are, every statement allows the
     * same.
     */
    ComparedChange compared() {
        PolicyComparison comparison = PolicyComparison.of(inForce.withPaused(false), next.withPaused(false), known, at);
        return new ComparedChange(inForce, next, known, at, comparison.relation());
    }

    /** Whether another one is of the same two statements. */
    boolean isSame(@Nullable ComparedChange other) {
        return other != null && inForce.equals(other.inForce) && next.equals(other.next);
    }

    /** Whether agents may do something that they could not do before. What was not compared may let them. */
    boolean permitsMore() {
        return relation == null || !relation.allowsNothingNew();
    }
}
