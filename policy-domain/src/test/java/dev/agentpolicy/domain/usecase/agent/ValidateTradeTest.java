package dev.agentpolicy.domain.usecase.agent;

import static dev.agentpolicy.domain.sample.SampleValues.violations;
import static dev.agentpolicy.domain.usecase.UseCaseFixture.given;
import static dev.agentpolicy.domain.usecase.UseCaseFixture.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentpolicy.domain.account.Unavailable;
import dev.agentpolicy.domain.agent.CapUsage;
import dev.agentpolicy.domain.decision.AdvisedDecision;
import dev.agentpolicy.domain.decision.Decision;
import dev.agentpolicy.domain.decision.Receipt;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.event.canonical.CanonicalForm;
import dev.agentpolicy.domain.event.chain.PolicyEvent;
import dev.agentpolicy.domain.event.content.DecisionPayload;
import dev.agentpolicy.domain.event.content.DecisionRecord;
import dev.agentpolicy.domain.event.content.DecisionRecord.Kind;
import dev.agentpolicy.domain.event.page.AuditQuery;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.request.ProposalBody;
import dev.agentpolicy.domain.request.ServiceRequest.RequestStatus;
import dev.agentpolicy.domain.rule.Rule;
import dev.agentpolicy.domain.rule.Violation;
import dev.agentpolicy.domain.sample.JsonSamples;
import dev.agentpolicy.domain.sample.SampleValues;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import dev.agentpolicy.domain.trade.ResolvedAsset;
import dev.agentpolicy.domain.trade.ResolvedAsset.Source;
import dev.agentpolicy.domain.trade.TradePayload;
import dev.agentpolicy.domain.usecase.Refusal;
import dev.agentpolicy.domain.usecase.Refusal.Code;
import dev.agentpolicy.domain.usecase.UseCaseFixture;
import dev.agentpolicy.domain.usecase.agent.ValidateTrade.Recorded;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ValidateTradeTest {
    private final UseCaseFixture fixture = UseCaseFixture.furnished();

    @Test
    void a_decision_is_recorded_with_everything_it_depended_on() {
        Caller agent = fixture.agent("{}");
        Recorded<Decision> answer = fixture.validated(agent, "sell 30001 BTC crypto 0.5%");
        PolicyEvent row = fixture.events().get(fixture.events().size() - 1);

        DecisionRecord records = DecisionPayload.read(UseCaseFixture.payload(row));

        assertThat(answer.receipt()).isEqualTo(new Receipt(row.seq(), row.hash()));
        assertThat(records)
                .isEqualTo(new DecisionRecord(
                        Kind.VALIDATE,
                        null,
                        agent.key().id(),
                        SampleValues.trade("sell 30001 BTC crypto 0.5%"),
                        new ResolvedAsset(new AssetSymbol("BTC"), "BTC", AssetType.CRYPTO, Source.HELD),
                        null,
                        Usd.of(30_000),
                        CapUsage.NOTHING,
                        answer.value(),
                        List.of(),
                        List.of(),
                        List.of(),
                        null,
                        null));
        assertThat(answer.value().ipsVersion()).isEqualTo(1);
        assertThat(violations(answer.value()))
                .isEqualTo("action_not_allowed 30000 30001, crypto_min_allocation 0.1 -0.00001");
    }

    @Test
    void a_validation_changes_nothing_else() {
        Caller agent = fixture.agent("{}");

        fixture.validated(agent, "buy 100 BTC crypto");

        assertThat(fixture.store.requestQueue().page(UseCaseFixture.USER, null, null, 10))
                .isEmpty();
        assertThat(fixture.tally(agent).usd()).isEqualTo(Usd.ZERO);
        assertThat(fixture.tally(agent).aum()).isEqualTo(Usd.ZERO);
        assertThat(fixture.tally(agent).calls()).isEqualTo(1);
    }

    @Test
    void the_audit_feed_shows_decisions_newest_first() {
        Caller agent = fixture.agent("{}");
        fixture.validated(agent, "buy 1 BTC crypto");
        fixture.validated(agent, "buy 9000 BTC crypto");

        assertThat(fixture.audit.read(UseCaseFixture.USER, AuditQuery.latest(25)))
                .extracting(entry -> entry.decision().reason())
                .containsExactly("1 violation: crypto_max_allocation", "Within policy");
    }

    @Test
    void a_key_beyond_its_daily_call_cap_is_refused_until_midnight() {
        Caller agent = fixture.agent("{\"dailyCallCap\":2}");
        fixture.validated(agent, "buy 1 BTC crypto");
        fixture.validated(agent, "buy 1 BTC crypto");
        int rows = fixture.events().size();

        Refusal refusal = refused(fixture.validate.one(agent, SampleValues.sent("buy 1 BTC crypto")));

        assertThat(refusal.code()).isEqualTo(Code.DAILY_CALL_CAP);
        assertThat(refusal.limit()).isEqualTo(2);
        assertThat(refusal.retryAfterSeconds()).isEqualTo(12 * 3600);
        assertThat(fixture.events()).hasSize(rows);

        fixture.clock.advance(Duration.ofHours(12));
        assertThat(fixture.validated(agent, "buy 1 BTC crypto").value().isAllowed())
                .isTrue();
    }

    @Test
    void an_empty_batch_beyond_the_daily_call_cap_is_refused_too() {
        Caller agent = fixture.agent("{\"dailyCallCap\":0}");

        assertThat(refused(fixture.validate.batch(agent, List.of())).code()).isEqualTo(Code.DAILY_CALL_CAP);
    }

    @Test
    void an_empty_batch_counts_as_a_call() {
        Caller agent = fixture.agent("{\"dailyCallCap\":1}");
        fixture.validated(agent, List.of());

        assertThat(fixture.calls(agent)).isEqualTo(1);
        assertThat(refused(fixture.validate.batch(agent, List.of())).code()).isEqualTo(Code.DAILY_CALL_CAP);
    }

    @Test
    void calls_without_a_decision_count_towards_the_cap_and_are_recorded() {
        Caller agent = fixture.agent("{\"dailyCallCap\":5}");
        fixture.validated(agent, "buy 1 BTC crypto");
        fixture.counted(agent);
        fixture.counted(agent);
        fixture.validated(agent, "buy 1 BTC crypto");
        fixture.counted(agent);

        assertThat(refused(fixture.validate.one(agent, SampleValues.sent("buy 1 BTC crypto")))
                        .code())
                .isEqualTo(Code.DAILY_CALL_CAP);
        assertThat(fixture.counted(agent)).isEmpty();
        assertThat(records()).extracting(it -> it.used().calls()).containsExactly(0L, 3L);
        assertThat(fixture.tally(agent).calls()).isEqualTo(2);
    }

    @Test
    void an_account_has_a_daily_quota_of_decisions() {
        Caller agent = fixture.agent("{}");
        Caller other = fixture.agent("{}");
        for (int i = 0; i < UseCaseFixture.LIMITS.decisionsPerDay() / 25 - 1; i++) {
            fixture.validated(agent, Collections.nCopies(25, ""));
        }
        fixture.validated(other, Collections.nCopies(24, "buy 1 BTC crypto"));
        int rows = fixture.events().size();

        Refusal batch = refused(fixture.validate.batch(
                agent,
                List.of(
                        Reading.of(SampleValues.sent("buy 1 BTC crypto")),
                        Reading.of(SampleValues.sent("buy 1 BTC crypto")))));
        assertThat(batch.code()).isEqualTo(Code.QUOTA_EXCEEDED);
        assertThat(batch.retryAfterSeconds()).isEqualTo(12 * 3600);
        assertThat(fixture.events()).hasSize(rows);
        fixture.proposed(agent, "buy 1 BTC crypto", "last");

        assertThat(refused(fixture.validate.one(other, SampleValues.sent("buy 1 BTC crypto")))
                        .code())
                .isEqualTo(Code.QUOTA_EXCEEDED);
        assertThat(refused(fixture.propose.propose(
                                other, new ProposalBody(SampleValues.sent("buy 1 BTC crypto"), null), null))
                        .code())
                .isEqualTo(Code.QUOTA_EXCEEDED);
        assertThat(fixture.proposed(agent, "buy 1 BTC crypto", "last").isReplay())
                .isTrue();
        assertThat(fixture.validated(agent, List.of())).isEmpty();
        fixture.clock.advance(Duration.ofHours(12));
        fixture.validated(other, "buy 1 BTC crypto");
    }

    @Test
    void a_key_without_read_learns_no_figures_of_holdings() {
        Caller blind = fixture.agent("live", "\"validate\",\"propose\"", "{\"aumCapUsd\":20000}");
        String many = "buy 20001 BTC crypto 5%";

        AdvisedDecision told =
                given(fixture.validate.one(blind, SampleValues.sent(many))).value();

        assertThat(told.maxAllowed()).isNull();
        assertThat(told.decision().snapshot()).isNull();
        assertThat(told.decision().violations())
                .extracting(Violation::toString)
                .containsExactly(
                        "crypto_max_allocation: Stopped by crypto_max_allocation.",
                        "insufficient_cash: Stopped by insufficient_cash.",
                        "slippage_exceeded: Expected slippage is 5%; the maximum is 1%.",
                        "agent_aum_cap: The key would manage 20,001 USD; its cap is 20,000 USD.");
        assertThat(told.decision().violations())
                .extracting(Violation::actual)
                .containsExactly(null, null, new BigDecimal("0.05"), new BigDecimal("20001"));
        assertThat(violations(fixture.validated(blind, "sell 30001 BTC crypto").value()))
                .isEqualTo("action_not_allowed, crypto_min_allocation");
        assertThat(fixture.validated(blind, "buy 1 BTC crypto").value().snapshot())
                .isNull();
        assertThat(fixture.advised(blind, List.of(many))).containsExactly(told);
        assertThat(fixture.proposed(blind, many, null).advised()).isEqualTo(told);
        DecisionRecord signed = records().get(0);
        assertThat(violations(signed.decision())).startsWith("crypto_max_allocation 0.35 0.");
        assertThat(signed.decision().snapshot()).isNotNull();
    }

    @Test
    void the_quota_of_decisions_does_not_limit_the_user() {
        Caller agent = fixture.agent("{}");
        long accepted = fixture.queued(agent, "buy 1 BTC crypto");
        long refused = fixture.queued(agent, "buy 1 BTC crypto");
        for (int i = 0; i < (UseCaseFixture.LIMITS.decisionsPerDay() - 2) / 24; i++) {
            fixture.validated(agent, Collections.nCopies(24, ""));
        }
        for (int i = 0; i < (UseCaseFixture.LIMITS.decisionsPerDay() - 2) % 24; i++) {
            fixture.validated(agent, "buy 1 BTC crypto");
        }
        assertThat(refused(fixture.validate.one(agent, SampleValues.sent("buy 1 BTC crypto")))
                        .code())
                .isEqualTo(Code.QUOTA_EXCEEDED);

        assertThat(given(fixture.attest.accept(UseCaseFixture.USER, accepted)).status())
                .isEqualTo(RequestStatus.COMPLETED);
        assertThat(given(fixture.attest.reject(UseCaseFixture.USER, refused, null))
                        .status())
                .isEqualTo(RequestStatus.REJECTED);
        given(fixture.amendIps.put(UseCaseFixture.USER, SampleValues.ips("{\"allowedActions\":[]}")));
        given(fixture.keys.revoke(UseCaseFixture.USER, agent.key().id()));
    }

    @Test
    void in_a_batch_earlier_trades_count_towards_the_daily_usd_cap() {
        Caller agent = fixture.agent("{\"dailyUsdCap\":1000}");

        List<Decision> decisions = fixture.validated(
                agent,
                List.of(
                        "buy 600 BTC crypto",
                        "buy 401 BTC crypto",
                        "buy 400 BTC crypto",
                        "buy 0.01 BTC crypto",
                        "buy 0 BTC crypto"));

        assertThat(decisions.stream().map(SampleValues::violations))
                .containsExactly("-", "agent_aum_cap 1000 1001", "-", "agent_aum_cap 1000 1000.01", "-");
        assertThat(fixture.tally(agent).usd()).isEqualTo(Usd.ZERO);
    }

    @Test
    void in_a_batch_items_beyond_the_daily_call_cap_are_blocked() {
        Caller agent = fixture.agent("{\"dailyCallCap\":3}");
        fixture.validated(agent, "buy 1 BTC crypto");

        List<Decision> decisions =
                fixture.validated(agent, List.of("buy 1 BTC crypto", "", "buy 2 BTC crypto", "buy 3 BTC crypto"));

        assertThat(decisions.stream().map(SampleValues::violations))
                .containsExactly(
                        "-",
                        "invalid_payload, invalid_payload, invalid_payload, invalid_payload",
                        "agent_aum_cap 3 4",
                        "agent_aum_cap 3 5");
        assertThat(fixture.calls(agent)).isEqualTo(5);
        assertThat(fixture.tally(agent).calls()).isEqualTo(5);
    }

    @Test
    void in_a_batch_earlier_trades_do_not_count_towards_the_aum_cap() {
        Caller agent = fixture.agent("{\"aumCapUsd\":100}");

        assertThat(fixture.validated(agent, List.of("buy 100 BTC crypto", "buy 100 BTC crypto")))
                .allMatch(Decision::isAllowed);
    }

    @Test
    void an_unreadable_item_is_a_decision_too() {
        Caller agent = fixture.agent("{}");

        Decision decision =
                fixture.validated(agent, List.of("", "buy 1 BTC crypto")).get(0);
        List<DecisionRecord> records = records();

        assertThat(decision.violations()).allMatch(it -> it.rule() == Rule.INVALID_PAYLOAD);
        assertThat(decision.ipsVersion()).isNull();
        assertThat(decision.snapshot()).isNull();
        assertThat(records).extracting(DecisionRecord::batchIndex).containsExactly(0, 1);
        assertThat(records).extracting(DecisionRecord::kind).containsOnly(Kind.VALIDATE_BATCH);
        assertThat(records.get(0).trade()).isNull();
        assertThat(records).extracting(it -> it.used().calls()).containsExactly(0L, 1L);
    }

    @Test
    void an_item_with_hostile_field_names_is_recorded() {
        Caller agent = fixture.agent("{}");
        Document hostile = JsonSamples.object(IntStream.range(0, 3_000)
                .mapToObj(i -> "\"\\u0001" + i + "\":1")
                .collect(Collectors.joining(",", "{\"\\u0000\":1,\"\\u0000\":2,", "}")));

        assertThat(given(fixture.validate.batch(agent, List.of(TradePayload.read(hostile))))
                        .value()
                        .get(0)
                        .decision()
                        .isAllowed())
                .isFalse();
        assertThat(records()).hasSize(1);
    }

    @Test
    void an_unreadable_item_takes_at_most_four_kilobytes_of_the_log() {
        Caller agent = fixture.agent("{}");
        String wide = "\u4e2d".repeat(100);
        Document flood = JsonSamples.object(IntStream.range(0, 400)
                .mapToObj(i -> "\"" + (char) ('a' + i % 26) + i + wide + "\":1")
                .collect(Collectors.joining(
                        ",",
                        "{\"action\":\"buy\",\"assetSymbol\":\"BTC\",\"assetType\":\"crypto\",\"amountUsd\":1,",
                        "}")));

        given(fixture.validate.batch(agent, List.of(TradePayload.read(flood))));
        PolicyEvent row = fixture.events().get(fixture.events().size() - 1);
        Document payload = UseCaseFixture.payload(row);

        assertThat(row.payload().getBytes(StandardCharsets.UTF_8).length).isLessThanOrEqualTo(4_096);
        assertThat(CanonicalForm.isCanonical(row.payload())).isTrue();
        assertThat(DecisionPayload.read(payload).decision().violations())
                .hasSize(8)
                .allMatch(violation -> violation.message().contains("\u4e2d..."));
        assertThat(row.payload()).contains("In all, 400 fields are wrong.");
    }

    @Test
    void an_empty_batch_records_nothing() {
        Caller agent = fixture.agent("{}");
        int rows = fixture.events().size();

        Recorded<List<AdvisedDecision>> answer = given(fixture.validate.batch(agent, List.of()));

        assertThat(answer.value()).isEmpty();
        assertThat(answer.receipt()).isNull();
        assertThat(fixture.events()).hasSize(rows);
        assertThat(fixture.tally(agent).calls()).isZero();
    }

    @Test
    void a_batch_of_25_decisions_of_maximum_size_fits_into_the_log() {
        String reason = "\u4e2d".repeat(150);
        String rules = IntStream.range(0, 50)
                .mapToObj(i -> "{\"id\":\"r" + i + "\",\"effect\":\"block\",\"reason\":\"" + reason + "\"}")
                .collect(Collectors.joining(",", "{\"standingRules\":[", "]}"));
        given(fixture.amendIps.put(UseCaseFixture.USER, SampleValues.ips(rules)));

        assertThat(fixture.validated(fixture.agent("{}"), Collections.nCopies(25, "buy 1 BTC crypto")))
                .allMatch(decision -> decision.violations().size() == 50);
    }

    @Test
    void a_key_without_the_scope_is_refused() {
        Caller reader = fixture.agent("live", "\"read\"", "{}");

        Refusal refusal = refused(fixture.validate.one(reader, SampleValues.sent("buy 1 BTC crypto")));

        assertThat(refusal.code()).isEqualTo(Code.FORBIDDEN);
        assertThat(records()).isEmpty();
    }

    @Test
    void a_key_revoked_after_admission_is_refused() {
        Caller agent = fixture.agent("{}");
        given(fixture.keys.revoke(UseCaseFixture.USER, agent.key().id()));

        assertThat(refused(fixture.validate.one(agent, SampleValues.sent("buy 1 BTC crypto")))
                        .code())
                .isEqualTo(Code.UNAUTHORIZED);
    }

    @Test
    void a_decision_that_cannot_be_recorded_is_not_returned() {
        Caller agent = fixture.agent("{}");
        fixture.store.away(true);

        assertThatThrownBy(() -> fixture.validated(agent, "buy 1 BTC crypto")).hasCauseInstanceOf(Unavailable.class);
    }

    private List<DecisionRecord> records() {
        return fixture.events().stream()
                .filter(event -> event.kind().wireName().equals("guardrail.decision"))
                .map(event -> DecisionPayload.read(UseCaseFixture.payload(event)))
                .toList();
    }
}
