package dev.agentpolicy.domain.compare;

import static dev.agentpolicy.domain.document.Schema.optional;
import static dev.agentpolicy.domain.document.Schema.required;

import dev.agentpolicy.domain.compare.TradeWitness.Situation;
import dev.agentpolicy.domain.compare.TradeWitness.UsedFlow;
import dev.agentpolicy.domain.decision.Decision;
import dev.agentpolicy.domain.decision.Headroom;
import dev.agentpolicy.domain.document.Codec;
import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.document.Schema;
import dev.agentpolicy.domain.document.Schema.Row;
import dev.agentpolicy.domain.document.Word;
import dev.agentpolicy.domain.ips.Ips;
import dev.agentpolicy.domain.ips.Limit;
import dev.agentpolicy.domain.portfolio.CanonicalHoldings;
import dev.agentpolicy.domain.portfolio.CustodianHoldings;
import dev.agentpolicy.domain.portfolio.CustodianHoldings.CustodianKind;
import dev.agentpolicy.domain.portfolio.HoldingsDocument;
import dev.agentpolicy.domain.portfolio.Position;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.rule.Rule;
import dev.agentpolicy.domain.rule.Violation;
import dev.agentpolicy.domain.trade.AssetResolver;
import dev.agentpolicy.domain.trade.Trade;
import dev.agentpolicy.domain.trade.TradePayload;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * An example of the owner: a trade in a situation, and how a policy must decide it (docs/reference/policy-tests.md).
 *
 * @param name tells it from the other tests
 * @param held the portfolio
 * @param used what a flow limit counted before; null for nothing
 * @param trade the trade, of a key without caps
 * @param at when it is decided; null for the time of the run
 * @param expected how it must be decided
 */
public record PolicyTest(
        String name,
        Held held,
        @Nullable Used used,
        Trade trade,
        @Nullable Instant at,
        Expectation expected) {
    private static final int MAX_NAME = 100;
    private static final int MAX_ID = 64;
    private static final int MAX_TRADES = 1_000_000;

    /** The members that users send, and that are stored. */
    static final Schema<PolicyTest> SCHEMA = Schema.of(
            row -> new PolicyTest(row.next(), row.next(), row.next(), row.next(), row.next(), row.next()),
            required("name", Codec.plainText(1, MAX_NAME), PolicyTest::name),
            required("portfolio", Codec.object(Held.SCHEMA), PolicyTest::held),
            optional("used", Codec.object(Used.SCHEMA), PolicyTest::used),
            required("trade", TradePayload.TRADE, PolicyTest::trade),
            optional("at", Codec.DATE_TIME, PolicyTest::at),
            required("expect", Codec.object(Expectation.SCHEMA), PolicyTest::expected));

    /**
     * A portfolio at one custodian.
     *
     * @param cash in USD
     * @param positions as sent
     * @param peak the highest value so far; null when the portfolio stands at it
     * @param peakDaysAgo how many UTC days ago the peak was; null for today
     */
    public record Held(
            Usd cash,
            List<Position> positions,
            @Nullable Usd peak,
            @Nullable Integer peakDaysAgo) {
        private static final Codec<Usd> PEAK = Codec.decimal(
                        BigDecimal.ZERO, new BigDecimal("1000000000000000"), HoldingsDocument.USD_DECIMALS)
                .as(Usd::new, Usd::value);

        private static final Schema<Held> SCHEMA = Schema.<Held>of(
                        row -> new Held(row.next(), row.next(), row.next(), row.next()),
                        required("cash", HoldingsDocument.AMOUNT, Held::cash),
                        required("positions", HoldingsDocument.POSITIONS, Held::positions),
                        optional("peakValue", PEAK, Held::peak),
                        optional("peakDaysAgo", Codec.integer(0, Limit.MAX_WINDOW_DAYS), Held::peakDaysAgo))
                .checked(Held::check);

        public Held {
            positions = List.copyOf(positions);
        }

        private static void check(Row row) {
            Usd cash = row.next();
            List<Position> positions = row.next();
            Usd peak = row.next();
            Integer days = row.next();
            if (cash == null || positions == null) {
                return;
            }
            Held held = new Held(cash, positions, peak, days);
            if (!held.spelled().isRead()) {
                row.problem("positions", "must not have one asset twice or in two sleeves");
            } else if (peak != null && held.holdings().total().isAbove(peak)) {
                row.problem("peakValue", "must not be below the value of the portfolio");
            }
            if (peak == null && days != null) {
                row.problem("peakDaysAgo", "needs peakValue");
            }
        }

        private CustodianHoldings holdings() {
            return new CustodianHoldings("test", "Test", CustodianKind.PAPER, Instant.EPOCH, 1, cash, positions);
        }

        /** The holdings under canonical symbols. */
        private Reading<CustodianHoldings> spelled() {
            return CanonicalHoldings.of(holdings(), AssetResolver.ofDirectory(), null);
        }
    }

    /**
     * What a flow limit counted before the trade. Other limits with the same form counted as much.
     *
     * @param ruleId the limit; a policy without it counted nothing
     * @param usd the amounts
     * @param trades how many
     */
    public record Used(String ruleId, Usd usd, int trades) {
        private static final Schema<Used> SCHEMA = Schema.of(
                row -> new Used(row.next(), row.nextOr(Usd.ZERO), row.nextOr(0)),
                required("ruleId", Codec.plainText(1, MAX_ID), Used::ruleId),
                optional("usd", TradePayload.AMOUNT, Used::usd),
                optional("trades", Codec.integer(0, MAX_TRADES), Used::trades));

        /** The count of a policy; null when it has no such flow limit. */
        private @Nullable UsedFlow of(Ips ips) {
            return ips.limits().stream()
                    .filter(limit -> limit.id().equals(ruleId) && limit.isFlow())
                    .findFirst()
                    .map(limit -> new UsedFlow(ruleId, limit.flow(), null, usd, trades))
                    .orElse(null);
        }
    }

    /**
     * How a trade must be decided.
     *
     * @param isAllowed the verdict
     * @param rules exactly those that block it; null for any
     * @param maxAllowed the largest amount that would be allowed, 0 if none is; null for any
     */
    public record Expectation(
            boolean isAllowed,
            @Nullable Set<Rule> rules,
            @Nullable Usd maxAllowed) {
        private static final Schema<Expectation> SCHEMA = Schema.<Expectation>of(
                        row -> new Expectation(row.next(), row.next(), row.next()),
                        required("allowed", Codec.TRUTH, Expectation::isAllowed),
                        optional("rules", Codec.words(Rule.class), Expectation::rules),
                        optional("maxAllowedUsd", TradePayload.AMOUNT, Expectation::maxAllowed))
                .checked(Expectation::check);

        private static void check(Row row) {
            Boolean allowed = row.next();
            Set<Rule> rules = row.next();
            if (allowed != null && rules != null && allowed != rules.isEmpty()) {
                row.problem("rules", allowed ? "must be empty for a trade that is allowed" : "must not be empty");
            }
        }
    }

    /** A member of the expectation. */
    public enum Member implements Word {
        ALLOWED("allowed"),
        RULES("rules"),
        MAX_ALLOWED_USD("maxAllowedUsd");

        private final String wireName;

        Member(String wireName) {
            this.wireName = wireName;
        }

        @Override
        public String wireName() {
            return wireName;
        }
    }

    /**
     * What came of a test.
     *
     * @param test the test
     * @param decision of the evaluator
     * @param maxAllowed the largest amount that would be allowed; 0 if none is
     * @param unmet what is not as expected; empty when the test passed
     */
    public record Result(PolicyTest test, Decision decision, Usd maxAllowed, Set<Member> unmet) {
        public boolean isPassed() {
            return unmet.isEmpty();
        }
    }

    /**
     * Decides the trade by the evaluator. Agents count as not paused, and approvals that were given do not count.
     *
     * @param ips a policy with canonical symbols
     * @param now the time of a test without a time
     */
    Result run(Ips ips, Instant now) {
        Ips plain = ips.withPaused(false).withApprovals(List.of());
        Situation situation = situation(plain, now);
        Decision decision = situation.decide(plain);
        Usd maxAllowed =
                Objects.requireNonNullElse(Headroom.of(situation.context(plain)).maxAllowed(), Usd.ZERO);
        return new Result(this, decision, maxAllowed, unmet(decision, maxAllowed));
    }

    private Situation situation(Ips ips, Instant now) {
        return new Situation(
                trade,
                held.cash,
                held.spelled().orElseThrow().positions(),
                held.peak,
                held.peakDaysAgo == null ? 0 : held.peakDaysAgo,
                used == null ? null : used.of(ips),
                null,
                at == null ? now : at);
    }

    private Set<Member> unmet(Decision decision, Usd maxAllowed) {
        Set<Member> unmet = EnumSet.noneOf(Member.class);
        if (decision.isAllowed() != expected.isAllowed) {
            unmet.add(Member.ALLOWED);
        }
        Set<Rule> broken = decision.violations().stream().map(Violation::rule).collect(Collectors.toSet());
        if (expected.rules != null && !broken.equals(expected.rules)) {
            unmet.add(Member.RULES);
        }
        if (expected.maxAllowed != null && expected.maxAllowed.compareTo(maxAllowed) != 0) {
            unmet.add(Member.MAX_ALLOWED_USD);
        }
        return unmet;
    }
}
