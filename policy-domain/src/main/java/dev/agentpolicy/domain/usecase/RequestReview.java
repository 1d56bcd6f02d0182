package dev.agentpolicy.domain.usecase;

import dev.agentpolicy.domain.agent.FlowCounts.LimitStanding;
import dev.agentpolicy.domain.quantity.Fraction;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.rule.Rule;
import dev.agentpolicy.domain.rule.Violation;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a waiting request would be decided at this moment, with what its user needs to know to decide
 * (docs/reference/app-api.md, requests).
 *
 * @param violations the rules that block it; empty when it is allowed
 * @param tightest the limit that would stop a larger trade first; null when it is blocked and when there is none
 * @param executionProblem why accepting it would not get it executed, in a sentence for its user; null when nothing is
 *     known that stands in the way
 * @param ifAllPending the rules that would block it once all other waiting requests have been accepted
 * @param allInOrder whether all waiting requests can be accepted, one after the other
 * @param limits the limits that are about the trade, as they stand
 * @param estimate what it would buy or sell; null when the asset has no price
 * @param position the value held of the asset; null without a portfolio, or when the agent is wrong about the asset
 * @param portfolioShare the amount as a part of the portfolio; null without a portfolio
 * @param isFirstOfAsset whether the account holds none of the asset and never traded it
 * @param custodian the custodian that would execute it; null when none can
 * @param ipsVersion the version of the IPS in force; null when there is none
 * @param portfolioRevision grows with every change of quantities and cash; 0 without a portfolio
 */
public record RequestReview(
        List<Violation> violations,
        @Nullable Tightest tightest,
        @Nullable String executionProblem,
        List<Violation> ifAllPending,
        AllInOrder allInOrder,
        List<LimitStanding> limits,
        @Nullable Estimate estimate,
        @Nullable HeldValue position,
        @Nullable Fraction portfolioShare,
        boolean isFirstOfAsset,
        @Nullable String custodian,
        @Nullable Integer ipsVersion,
        long portfolioRevision) {

    public RequestReview {
        violations = List.copyOf(violations);
        ifAllPending = List.copyOf(ifAllPending);
        limits = List.copyOf(limits);
    }

    /** Whether the request could be accepted now. */
    public boolean isAllowed() {
        return violations.isEmpty();
    }

    /**
     * What comes of accepting every waiting request, the oldest first: each is decided as if those before it were filled.
     *
     * @param checked how many were looked at
     * @param hasMore whether others wait that were not looked at
     * @param firstBlocked the first that would be blocked, after which none was looked at; null when there was none
     */
    public record AllInOrder(
            int checked, boolean hasMore, @Nullable BlockedRequest firstBlocked) {}

    /** A waiting request and the rules that would block it. */
    public record BlockedRequest(long id, List<Violation> violations) {
        public BlockedRequest {
            violations = List.copyOf(violations);
        }
    }

    /**
     * A limit and how close to it the trade comes.
     *
     * @param rule the rule of the limit
     * @param limit in the unit of the rule; null for a rule without numbers
     * @param actual what the trade would make of it
     * @param ruleId the id of the standing rule or limit; null for any other
     */
    public record Tightest(
            Rule rule,
            @Nullable BigDecimal limit,
            @Nullable BigDecimal actual,
            @Nullable String ruleId) {}

    /**
     * What a trade would buy or sell at the last known price.
     *
     * @param quantity units, rounded down to 8 places
     * @param price of one unit in USD
     * @param priceAt when the custodian reported the price
     */
    public record Estimate(BigDecimal quantity, Usd price, Instant priceAt) {}

    /** The value held of an asset before a trade and after it. */
    public record HeldValue(Usd before, Usd after) {}

    /**
     * What a user was shown when accepting.
     *
     * @param ipsVersion the version of the IPS; null when there was none
     * @param portfolioRevision the revision of quantities and cash
     */
    public record Shown(@Nullable Integer ipsVersion, long portfolioRevision) {}
}
