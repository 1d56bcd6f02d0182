package dev.agentpolicy.domain.usecase;

import static dev.agentpolicy.domain.usecase.UseCaseFixture.USER;
import static dev.agentpolicy.domain.usecase.UseCaseFixture.given;
import static dev.agentpolicy.domain.usecase.UseCaseFixture.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentpolicy.domain.account.OwnerWrites;
import dev.agentpolicy.domain.ips.Approval;
import dev.agentpolicy.domain.ips.ApprovalCounts;
import dev.agentpolicy.domain.ips.Ips;
import dev.agentpolicy.domain.request.OwnTrade;
import dev.agentpolicy.domain.sample.CountingRandomSource;
import dev.agentpolicy.domain.sample.JsonSamples;
import dev.agentpolicy.domain.sample.SampleValues;
import dev.agentpolicy.domain.usecase.Refusal.Code;
import dev.agentpolicy.domain.usecase.custodian.ObservePortfolio;
import dev.agentpolicy.domain.usecase.policy.AmendIps;
import dev.agentpolicy.domain.usecase.policy.AmendIps.Amended;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class OwnerLimitsTest {
    private static final Instant NOON = SampleValues.NOON;

    private final UseCaseFixture fixture = new UseCaseFixture();
    private final AmendIps amend = new AmendIps(fixture.store, new OwnerLimits(3, 2), Runnable::run);

    @Test
    void an_owner_puts_no_more_versions_of_the_policy_in_force_than_the_quota_of_a_day() {
        given(amend.put(USER, ips(1)));
        given(amend.put(USER, ips(2)));
        Amended third = given(amend.put(USER, ips(3)));

        Refusal refusal = refused(amend.put(USER, ips(4)));

        assertThat(refusal.code()).isEqualTo(Code.QUOTA_EXCEEDED);
        assertThat(refusal.message())
                .isEqualTo("At most 3 versions of the policy, of 4 MB together, may be made a day;"
                        + " the next day begins at midnight UTC.");
        assertThat(refusal.retryAfterSeconds())
                .isEqualTo(Duration.between(fixture.clock.instant(), midnight()).toSeconds());
        assertThat(given(amend.put(USER, ips(3))))
                .as("makes no version")
                .isEqualTo(new Amended(third.version(), false, ApprovalCounts.NONE));
        fixture.clock.advance(Duration.between(fixture.clock.instant(), midnight()));
        assertThat(given(amend.put(USER, ips(4))).version().version()).isEqualTo(4);
    }

    @Test
    void pausing_resuming_and_approving_are_neither_refused_nor_counted() {
        for (int i = 0; i < 5; i++) {
            if (i == 0) {
                given(amend.put(USER, asking(1)));
            }
            given(amend.pause(USER, true));
            given(amend.pause(USER, false));
            given(amend.approve(USER, approval(i)));
        }
        given(amend.put(USER, asking(2)));
        given(amend.put(USER, asking(3)));
        assertThat(refused(amend.put(USER, asking(4))).code()).isEqualTo(Code.QUOTA_EXCEEDED);

        assertThat(given(amend.pause(USER, true)).isNew()).isTrue();
        assertThat(given(amend.pause(USER, false)).isNew()).isTrue();
        assertThat(given(amend.approve(USER, approval(9))).isNew()).isTrue();
    }

    @Test
    void versions_of_a_day_have_at_most_four_megabytes_together() {
        AmendIps any = new AmendIps(fixture.store, new OwnerLimits(1_000, 0), Runnable::run);
        int made = 0;
        Refusal refusal = null;
        while (refusal == null) {
            Ips ips = large(made);
            refusal =
                    any.put(USER, ips).toCompletableFuture().join().<Refusal>fold(amended -> null, refused -> refused);
            made += refusal == null ? 1 : 0;
        }

        assertThat(refusal.code()).isEqualTo(Code.QUOTA_EXCEEDED);
        assertThat(made).isBetween(4_000_000 / 32_768, 200);
        given(any.put(USER, ips(1)));
    }

    @Test
    void an_owner_writes_holdings_no_more_often_than_the_quota_of_a_day() {
        ObservePortfolio observe = new ObservePortfolio(
                fixture.store,
                fixture.store,
                fixture.custodian,
                fixture.custodian,
                fixture.sync,
                fixture.store.fillLog(),
                new CountingRandomSource(),
                new OwnerLimits(0, 2));
        given(observe.observe(USER, UseCaseFixture.setup("a", holdings(1))));
        assertThat(refused(observe.trade(USER, "unknown", trade())).code()).isEqualTo(Code.NOT_FOUND);
        given(observe.trade(USER, "a", trade()));

        Refusal refusal = refused(observe.observe(USER, UseCaseFixture.setup("a", holdings(2))));

        assertThat(refusal.code()).isEqualTo(Code.QUOTA_EXCEEDED);
        assertThat(refusal.message())
                .isEqualTo("Holdings may be written 2 times a day; the next day begins at midnight UTC.");
        assertThat(refused(observe.trade(USER, "a", trade())).code()).isEqualTo(Code.QUOTA_EXCEEDED);
        fixture.clock.advance(Duration.ofDays(1));
        given(observe.observe(USER, UseCaseFixture.setup("a", holdings(2))));
    }

    @Test
    void zero_is_no_limit() {
        AmendIps any = new AmendIps(fixture.store, OwnerLimits.NONE, Runnable::run);
        for (int i = 0; i < 250; i++) {
            given(any.put(USER, large(i)));
        }
    }

    @Test
    void what_was_written_is_counted_for_one_day_even_if_a_clock_is_behind() {
        OwnerWrites today = OwnerWrites.NONE.at(NOON).plusIpsVersion(10).plusHoldings();

        assertThat(today.at(NOON.minus(Duration.ofDays(1)))).isEqualTo(today);
        assertThat(today.at(NOON.plus(Duration.ofDays(1))))
                .isEqualTo(new OwnerWrites(today.day().plusDays(1), 0, 0, 0));
        assertThatThrownBy(() -> new OwnerLimits(-1, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new OwnerLimits(0, -1)).isInstanceOf(IllegalArgumentException.class);
    }

    private static Instant midnight() {
        return Instant.parse(NOON.toString().substring(0, 10) + "T00:00:00Z").plus(Duration.ofDays(1));
    }

    private static Ips ips(int number) {
        return SampleValues.ips("{\"cashFloor\":0.0%d}".formatted(number));
    }

    /** A statement whose rule asks for approval. */
    private static Ips asking(int number) {
        return SampleValues.ips(
                "{\"cashFloor\":0.0%d,\"standingRules\":[{\"id\":\"ask\",\"effect\":\"require_approval\",\"when\":{}}]}"
                        .formatted(number));
    }

    private static Approval approval(int number) {
        return new Approval("ask", null, null, null, null, NOON.plus(Duration.ofDays(1 + number)), null, null);
    }

    /** A statement of almost 32 KiB. */
    private static Ips large(int number) {
        String rules = IntStream.range(0, 50)
                .mapToObj(i ->
                        "{\"id\":\"rule-%d-%d\",\"effect\":\"block\",\"reason\":\"%s\",\"when\":{\"symbols\":[%s]}}"
                                .formatted(
                                        number,
                                        i,
                                        "x".repeat(290),
                                        IntStream.range(0, 24)
                                                .mapToObj(symbol -> "\"SYMBOL" + symbol + "\"")
                                                .collect(Collectors.joining(","))))
                .collect(Collectors.joining(",", "[", "]"));
        return SampleValues.ips("{\"standingRules\":" + rules + "}");
    }

    private static String holdings(int cash) {
        return "{\"name\":\"A\",\"kind\":\"paper\",\"cash\":%d000,\"positions\":[]}".formatted(cash);
    }

    private static OwnTrade trade() {
        return OwnTrade.read(JsonSamples.object(
                        "{\"action\":\"buy\",\"symbol\":\"SPY\",\"assetType\":\"tradfi\",\"quantity\":1,\"price\":1}"))
                .orElseThrow();
    }
}
