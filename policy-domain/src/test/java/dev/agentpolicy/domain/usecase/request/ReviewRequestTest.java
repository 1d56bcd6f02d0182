package dev.agentpolicy.domain.usecase.request;

import static dev.agentpolicy.domain.usecase.UseCaseFixture.USER;
import static dev.agentpolicy.domain.usecase.UseCaseFixture.given;
import static dev.agentpolicy.domain.usecase.UseCaseFixture.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.quantity.Fraction;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.request.ServiceRequest;
import dev.agentpolicy.domain.request.ServiceRequest.Pending;
import dev.agentpolicy.domain.rule.Rule;
import dev.agentpolicy.domain.rule.Violation;
import dev.agentpolicy.domain.sample.SampleValues;
import dev.agentpolicy.domain.sample.Seeded;
import dev.agentpolicy.domain.usecase.Refusal;
import dev.agentpolicy.domain.usecase.RequestReview;
import dev.agentpolicy.domain.usecase.RequestReview.AllInOrder;
import dev.agentpolicy.domain.usecase.RequestReview.Estimate;
import dev.agentpolicy.domain.usecase.RequestReview.HeldValue;
import dev.agentpolicy.domain.usecase.RequestReview.Shown;
import dev.agentpolicy.domain.usecase.RequestReview.Tightest;
import dev.agentpolicy.domain.usecase.UseCaseFixture;
import dev.agentpolicy.domain.usecase.WaitingRequests;
import dev.agentpolicy.domain.usecase.agent.Caller;
import dev.agentpolicy.domain.usecase.request.ReviewRequest.Verdict;
import dev.agentpolicy.domain.usecase.request.ReviewRequest.Verdicts;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** How a waiting request would be decided now: 30 000 USD of BTC, 55 000 of SPY, 15 000 in cash. */
class ReviewRequestTest {
    private final UseCaseFixture fixture = UseCaseFixture.furnished();
    private final Caller agent = fixture.agent("{}");

    @Test
    void a_request_within_policy_says_what_the_trade_would_do() {
        long id = fixture.queued(agent, "buy 3000 BTC crypto");

        RequestReview now = review(id);

        assertThat(now.isAllowed()).isTrue();
        assertThat(now.estimate())
                .isEqualTo(new Estimate(new BigDecimal("0.10000000"), Usd.of(30_000), SampleValues.NOON));
        assertThat(now.position()).isEqualTo(new HeldValue(Usd.of(30_000), Usd.of(33_000)));
        assertThat(now.portfolioShare()).isEqualTo(Fraction.of("0.03"));
        assertThat(now.isFirstOfAsset()).isFalse();
        assertThat(now.custodian()).isEqualTo("broker");
        assertThat(now.ipsVersion()).isEqualTo(1);
        assertThat(now.tightest()).isNotNull();
    }

    @Test
    void all_that_waits_is_judged_in_one_list_each_by_itself_the_oldest_first() {
        long fits = fixture.queued(agent, "buy 3000 BTC crypto");
        long blocked = fixture.queued(agent, "buy 5000 BTC crypto");
        given(fixture.amendIps.put(USER, SampleValues.ips("{\"cashFloor\":0.115}")));
        long last = fixture.queued(agent, "buy 100 SPY tradfi");

        assertThat(fixture.review.verdicts(USER))
                .isEqualTo(new Verdicts(
                        new Shown(2, review(last).portfolioRevision()),
                        List.of(
                                new Verdict(fits, true, true, Fraction.of("0.03")),
                                new Verdict(blocked, false, true, Fraction.of("0.05")),
                                new Verdict(last, true, true, Fraction.of("0.001")))));
        given(fixture.attest.reject(USER, fits, null));
        assertThat(fixture.review.verdicts(USER).verdicts()).hasSize(2);
        assertThat(fixture.review.verdicts(new UserId(UUID.randomUUID())).verdicts())
                .isEmpty();
    }

    @Test
    void the_tightest_limit_is_the_one_that_stops_a_larger_trade_first() {
        given(fixture.amendIps.put(USER, SampleValues.ips("{\"cashFloor\":0.115}")));
        Tightest tightest = review(fixture.queued(agent, "buy 3000 BTC crypto")).tightest();

        assertThat(tightest)
                .isEqualTo(new Tightest(Rule.CASH_FLOOR, new BigDecimal("0.115"), new BigDecimal("0.12"), null));
    }

    @Test
    void the_value_of_a_cap_is_that_of_this_trade() {
        Caller capped = fixture.agent("{\"aumCapUsd\":4000}");
        Tightest tightest =
                review(fixture.queued(capped, "buy 2500 BTC crypto")).tightest();

        assertThat(tightest.rule()).isEqualTo(Rule.AGENT_AUM_CAP);
        assertThat(tightest.limit()).isEqualByComparingTo("4000");
        assertThat(tightest.actual()).isEqualByComparingTo("2500");
    }

    @Test
    void a_request_that_is_blocked_by_now_says_by_which_rules() {
        long id = fixture.queued(agent, "buy 3000 BTC crypto");
        fixture.hold(30_000, 55_000, 2_000);

        RequestReview now = review(id);

        assertThat(now.violations()).extracting(Violation::rule).contains(Rule.INSUFFICIENT_CASH);
        assertThat(now.tightest()).isNull();
        assertThat(now.custodian()).isNull();
    }

    @Test
    void requests_that_fit_alone_may_not_fit_together() {
        given(fixture.amendIps.put(USER, SampleValues.ips("{\"cashFloor\":0.1}")));
        long first = fixture.queued(agent, "buy 4000 BTC crypto");
        long second = fixture.queued(agent, "buy 4000 SPY tradfi");

        assertThat(review(first).isAllowed()).isTrue();
        assertThat(review(first).ifAllPending()).extracting(Violation::rule).containsExactly(Rule.CASH_FLOOR);
        given(fixture.attest.reject(USER, second, null));
        assertThat(review(first).ifAllPending()).isEmpty();
    }

    @Test
    void accepting_everything_is_not_promised_while_another_waiting_request_would_be_blocked() {
        long sell = fixture.queued(agent, "sell 1000 BTC crypto");
        long buy = fixture.queued(agent, "buy 3000 BTC crypto");
        assertThat(review(sell).allInOrder()).isEqualTo(new AllInOrder(2, false, null));

        given(fixture.amendIps.put(USER, SampleValues.ips("{\"allowedActions\":[\"sell\"]}")));

        assertThat(review(sell).ifAllPending()).isEmpty();
        AllInOrder all = review(sell).allInOrder();
        assertThat(all.firstBlocked()).isNotNull();
        assertThat(all.firstBlocked().id()).isEqualTo(buy);
        assertThat(all.firstBlocked().violations())
                .extracting(Violation::rule)
                .containsExactly(Rule.ACTION_NOT_ALLOWED);
        assertThat(review(buy).allInOrder()).isEqualTo(all);
    }

    @Test
    void the_first_that_would_be_blocked_is_the_first_that_is_when_all_are_accepted_in_order() {
        AtomicInteger blocked = new AtomicInteger();
        Seeded.times(40, random -> {
            UseCaseFixture account = UseCaseFixture.furnished();
            account.hold(20_000, 50_000, 20_000);
            List<Caller> callers = List.of(account.agent("{}"), account.agent("{\"aumCapUsd\":6000}"));
            for (int i = 0; i < 8; i++) {
                String trade = (random.nextInt(3) == 0 ? "sell " : "buy ")
                        + (1 + random.nextInt(30)) * 100
                        + (random.nextBoolean() ? " BTC crypto" : " SPY tradfi");
                account.proposed(callers.get(random.nextInt(2)), trade, null);
            }
            given(account.amendIps.put(USER, SampleValues.ips("{\"cashFloor\":0.1%d}".formatted(random.nextInt(10)))));
            List<Pending> waiting = WaitingRequests.of(account.store.requestQueue(), USER, 100);
            AllInOrder said = account.review
                    .find(USER, waiting.get(random.nextInt(waiting.size())).id())
                    .orElseThrow()
                    .now()
                    .allInOrder();

            Long first = null;
            int accepted = 0;
            while (first == null && accepted < waiting.size()) {
                long next = waiting.get(accepted++).id();
                first = account.attest.accept(USER, next).fold(done -> null, no -> next);
            }

            assertThat(said.checked()).isEqualTo(accepted);
            assertThat(said.firstBlocked() == null ? null : said.firstBlocked().id())
                    .isEqualTo(first);
            blocked.addAndGet(first == null ? 0 : 1);
        });
        assertThat(blocked.get()).isBetween(5, 35);
    }

    @Test
    void more_requests_than_are_looked_at_are_not_said_to_fit() {
        long first = fixture.queued(agent, "buy 1 BTC crypto");
        Caller caller = agent;
        for (int i = 1; i <= ReviewRequest.MAX_IN_ORDER; i++) {
            caller = i % 20 == 0 ? fixture.agent("{}") : caller;
            fixture.queued(caller, "buy 1 BTC crypto");
        }

        assertThat(review(first).allInOrder()).isEqualTo(new AllInOrder(ReviewRequest.MAX_IN_ORDER, true, null));
    }

    @Test
    void within_policy_says_when_no_custodian_can_execute_the_trade() {
        assertThat(review(fixture.queued(agent, "buy 3000 BTC crypto")).executionProblem())
                .isNull();
        assertThat(review(fixture.queued(agent, "buy 100 XRP crypto")))
                .satisfies(now -> assertThat(now.isAllowed()).isTrue())
                .extracting(RequestReview::executionProblem)
                .isEqualTo("The paper custodian has no price for XRP; give it one.");

        fixture.hold(30_000, 55_000, 2_000);
        fixture.holdElsewhere("other", 13_000);
        long split = fixture.queued(agent, "buy 4000 BTC crypto");
        fixture.hold(30_000, 55_000, 3_000);
        fixture.holdElsewhere("other", 3_900);
        assertThat(review(split).custodian()).isNull();
        assertThat(review(split).executionProblem())
                .isEqualTo("No single custodian has 4000 USD in cash for this buy.");
    }

    @Test
    void what_is_said_of_the_execution_is_what_accepting_comes_to() {
        AtomicInteger impossible = new AtomicInteger();
        Seeded.times(60, random -> {
            UseCaseFixture account = UseCaseFixture.furnished();
            Caller caller = account.agent("{}");
            String asset = List.of("BTC crypto", "ETH crypto", "XRP crypto", "SPY tradfi", "IBM tradfi")
                    .get(random.nextInt(5));
            long id = account.queued(caller, "buy " + (1 + random.nextInt(3000)) + " " + asset);
            account.hold(30_000, 55_000, 1_000 + random.nextInt(4_000));
            account.holdElsewhere("other", 9_000 + random.nextInt(4_000));
            RequestReview now = account.review.find(USER, id).orElseThrow().now();
            assertThat(now.isAllowed()).isTrue();

            ServiceRequest after = given(account.attest.accept(USER, id));

            String error = after.fold(Pending::executionError, done -> null, no -> null);
            assertThat(now.executionProblem()).isEqualTo(error);
            impossible.addAndGet(error == null ? 0 : 1);
        });
        assertThat(impossible.get()).isBetween(8, 55);
    }

    @Test
    void an_asset_is_new_until_the_account_holds_or_traded_it() {
        long id = fixture.queued(agent, "buy 100 ETH crypto");
        assertThat(review(id).isFirstOfAsset()).isTrue();
        assertThat(review(id).position()).isEqualTo(new HeldValue(Usd.ZERO, Usd.of(100)));

        given(fixture.attest.accept(USER, id));
        given(fixture.attest.accept(USER, fixture.queued(agent, "sell 100 ETH crypto")));

        assertThat(review(fixture.queued(agent, "buy 100 ETH crypto")).isFirstOfAsset())
                .isFalse();
    }

    @Test
    void a_request_that_no_longer_waits_has_no_review() {
        long id = fixture.queued(agent, "buy 3000 BTC crypto");
        given(fixture.attest.accept(USER, id));

        assertThat(fixture.review.find(USER, id).orElseThrow().now()).isNull();
        assertThat(fixture.review.find(new UserId(new UUID(4, 2)), id)).isEmpty();
    }

    @Test
    void prices_do_not_change_the_revision_and_quantities_and_cash_do() {
        long id = fixture.queued(agent, "buy 3000 BTC crypto");
        long shown = review(id).portfolioRevision();
        fixture.hold(29_000, 55_000, 15_000);
        assertThat(review(id).portfolioRevision()).isEqualTo(shown);

        fixture.hold(29_000, 55_000, 15_001);
        assertThat(review(id).portfolioRevision()).isGreaterThan(shown);
    }

    @Test
    void what_was_shown_is_accepted_while_it_is_in_force_and_refused_without_a_trace_after() {
        long id = fixture.queued(agent, "buy 3000 BTC crypto");
        RequestReview seen = review(id);
        fixture.hold(30_000, 55_000, 15_001);
        int events = fixture.events().size();

        Refusal refusal =
                refused(fixture.attest.accept(USER, id, new Shown(seen.ipsVersion(), seen.portfolioRevision())));

        assertThat(refusal.code()).isEqualTo(Refusal.Code.CHANGED);
        assertThat(fixture.events()).hasSize(events);
        RequestReview again = review(id);
        assertThat(given(fixture.attest.accept(USER, id, new Shown(again.ipsVersion(), again.portfolioRevision())))
                        .resolvedAt())
                .isPresent();
    }

    @Test
    void an_acceptance_that_is_blocked_by_prices_is_refused_as_changed_and_recorded() {
        long id = fixture.queued(agent, "buy 3000 BTC crypto");
        RequestReview seen = review(id);
        fixture.hold(300_000, 55_000, 15_000);
        int events = fixture.events().size();

        Refusal refusal =
                refused(fixture.attest.accept(USER, id, new Shown(seen.ipsVersion(), seen.portfolioRevision())));

        assertThat(refusal.code()).isEqualTo(Refusal.Code.CHANGED);
        assertThat(refusal.violations()).isNotEmpty();
        assertThat(fixture.events()).hasSize(events + 1);
    }

    @Test
    void the_verdict_is_always_the_one_that_accepting_comes_to() {
        Seeded.times(60, random -> {
            UseCaseFixture account = UseCaseFixture.furnished();
            Caller caller = account.agent(random.nextBoolean() ? "{}" : "{\"aumCapUsd\":5000}");
            long id = account.queued(caller, "buy " + (1 + random.nextInt(3000)) + " BTC crypto");
            account.hold(10_000 + random.nextInt(40_000), 40_000 + random.nextInt(30_000), random.nextInt(20_000));
            account.clock.advance(Duration.ofMinutes(random.nextInt(60)));
            RequestReview now = account.review.find(USER, id).orElseThrow().now();

            boolean isTaken = account.attest
                    .accept(USER, id, new Shown(now.ipsVersion(), now.portfolioRevision()))
                    .fold(request -> true, refusal -> false);

            assertThat(isTaken).isEqualTo(now.isAllowed());
        });
    }

    private RequestReview review(long id) {
        return fixture.review.find(USER, id).orElseThrow().now();
    }
}
