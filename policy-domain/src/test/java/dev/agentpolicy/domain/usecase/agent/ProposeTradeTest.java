package dev.agentpolicy.domain.usecase.agent;

import static dev.agentpolicy.domain.sample.SampleValues.violations;
import static dev.agentpolicy.domain.usecase.UseCaseFixture.given;
import static dev.agentpolicy.domain.usecase.UseCaseFixture.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.event.page.AuditQuery;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.request.IdempotencyKey;
import dev.agentpolicy.domain.request.ProposalBody;
import dev.agentpolicy.domain.request.ServiceRequest;
import dev.agentpolicy.domain.request.ServiceRequest.RequestStatus;
import dev.agentpolicy.domain.sample.JsonSamples;
import dev.agentpolicy.domain.sample.SampleValues;
import dev.agentpolicy.domain.usecase.Refusal;
import dev.agentpolicy.domain.usecase.Refusal.Code;
import dev.agentpolicy.domain.usecase.UseCaseFixture;
import dev.agentpolicy.domain.usecase.agent.ProposeTrade.Proposed;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ProposeTradeTest {
    private final UseCaseFixture fixture = UseCaseFixture.furnished();
    private final Caller agent = fixture.agent("{}");

    @Test
    void an_allowed_proposal_waits_for_its_user() {
        Proposed proposed = fixture.proposed(agent, "buy 100 BTC crypto", null);

        ServiceRequest request = requests().get(0);

        assertThat(proposed.decision().isAllowed()).isTrue();
        assertThat(proposed.isReplay()).isFalse();
        assertThat(request.id()).isEqualTo(proposed.requestId());
        assertThat(request.status()).isEqualTo(RequestStatus.PENDING);
        assertThat(request.proposal().trade()).isEqualTo(SampleValues.trade("buy 100 BTC crypto"));
        assertThat(request.proposal().rationale()).isEqualTo("because");
        assertThat(request.proposal().agentName()).isEqualTo("Robot");
        assertThat(request.proposal().expiresAt()).isEqualTo(SampleValues.NOON.plus(UseCaseFixture.WINDOW));
    }

    @Test
    void the_audit_feed_shows_the_proposal_with_its_request() {
        Proposed proposed = fixture.proposed(agent, "buy 100 BTC crypto", null);

        ReadAudit.AuditEntry entry =
                fixture.audit.read(UseCaseFixture.USER, AuditQuery.latest(1)).get(0);

        assertThat(entry.decision().rationale()).isEqualTo("because");
        assertThat(entry.request().id()).isEqualTo(proposed.requestId());
        assertThat(entry.event().seq()).isEqualTo(proposed.receipt().seq());
    }

    @Test
    void a_blocked_proposal_creates_no_request_and_does_not_use_its_idempotency_key() {
        Proposed blocked = fixture.proposed(agent, "buy 9000 BTC crypto", "once");
        Proposed allowed = fixture.proposed(agent, "buy 100 BTC crypto", "once");

        assertThat(violations(blocked.decision())).isEqualTo("crypto_max_allocation 0.35 0.39");
        assertThat(blocked.requestId()).isNull();
        assertThat(allowed.isReplay()).isFalse();
        assertThat(requests()).hasSize(1);
        assertThat(fixture.tally(agent).usd()).isEqualTo(Usd.of(100));
        assertThat(fixture.tally(agent).calls()).isEqualTo(2);
    }

    @Test
    void the_same_idempotency_key_makes_one_request() {
        Proposed first = fixture.proposed(agent, "buy 100 BTC crypto", "once");
        int rows = fixture.events().size();
        Proposed again = fixture.proposed(agent, "buy 100.00 btc crypto", "once");

        assertThat(again).isEqualTo(new Proposed(null, first.requestId(), first.receipt(), true, true));
        assertThat(requests()).hasSize(1);
        assertThat(fixture.events()).hasSize(rows);
        assertThat(fixture.tally(agent).calls()).isEqualTo(1);
        assertThat(fixture.tally(agent).usd()).isEqualTo(Usd.of(100));
    }

    @Test
    void the_same_idempotency_key_with_another_body_returns_the_first_request_and_says_so() {
        Proposed first = fixture.proposed(agent, "buy 100 BTC crypto", "once");
        Proposed other = fixture.proposed(agent, "sell 100 BTC crypto", "once");

        assertThat(other).isEqualTo(new Proposed(null, first.requestId(), first.receipt(), true, false));
    }

    @Test
    void an_idempotency_key_is_remembered_for_24_hours() {
        Proposed first = fixture.proposed(agent, "buy 100 BTC crypto", "once");
        fixture.clock.advance(IdempotencyKey.WINDOW.minusNanos(1_000));
        assertThat(fixture.proposed(agent, "buy 100 BTC crypto", "once").requestId())
                .isEqualTo(first.requestId());

        fixture.clock.advance(Duration.ofNanos(1_000));
        Proposed later = fixture.proposed(agent, "buy 100 BTC crypto", "once");

        assertThat(later.isReplay()).isFalse();
        assertThat(later.requestId()).isNotEqualTo(first.requestId());
    }

    @Test
    void each_agent_key_has_its_own_idempotency_keys() {
        Caller other = fixture.agent("{}");

        Proposed ours = fixture.proposed(agent, "buy 100 BTC crypto", "once");
        Proposed theirs = fixture.proposed(other, "buy 100 BTC crypto", "once");

        assertThat(theirs.isReplay()).isFalse();
        assertThat(theirs.requestId()).isNotEqualTo(ours.requestId());
    }

    @Test
    void a_replay_counts_as_a_call_and_is_refused_beyond_the_daily_call_cap() {
        Caller capped = fixture.agent("{\"dailyCallCap\":2}");
        Proposed first = fixture.proposed(capped, "buy 100 BTC crypto", "once");
        int rows = fixture.events().size();

        assertThat(fixture.proposed(capped, "buy 100 BTC crypto", "once").requestId())
                .isEqualTo(first.requestId());
        assertThat(fixture.calls(capped)).isEqualTo(2);
        assertThat(fixture.tally(capped).calls()).isOne();
        assertThat(refusedBuy(capped, "once").code()).isEqualTo(Code.DAILY_CALL_CAP);
        assertThat(fixture.calls(capped)).isEqualTo(2);
        assertThat(fixture.events()).hasSize(rows);
    }

    @Test
    void a_key_has_a_limit_of_pending_requests() {
        Proposed first = fixture.proposed(agent, "buy 1 BTC crypto", "first");
        for (int i = 1; i < UseCaseFixture.LIMITS.maxPendingPerKey(); i++) {
            fixture.queued(agent, i % 2 == 0 ? "buy 1 BTC crypto" : "sell 1 BTC crypto");
        }
        int rows = fixture.events().size();

        Refusal refusal = refusedBuy(agent, "another");

        assertThat(refusal.code()).isEqualTo(Code.TOO_MANY_PENDING);
        assertThat(refusal.retryAfterSeconds()).isEqualTo(60);
        assertThat(fixture.events()).hasSize(rows);
        assertThat(refused(fixture.propose.propose(
                                agent, new ProposalBody(SampleValues.sent("buy 9000 BTC crypto"), null), null))
                        .code())
                .isEqualTo(Code.TOO_MANY_PENDING);
        assertThat(fixture.proposed(agent, "buy 1 BTC crypto", "first").requestId())
                .isEqualTo(first.requestId());
        assertThat(fixture.queued(fixture.agent("{}"), "buy 1 BTC crypto")).isPositive();
    }

    @Test
    void a_resolved_request_makes_room_for_another() {
        List<Long> queued = IntStream.range(0, UseCaseFixture.LIMITS.maxPendingPerKey())
                .mapToObj(i -> fixture.queued(agent, "buy 1 BTC crypto"))
                .toList();

        given(fixture.attest.reject(UseCaseFixture.USER, queued.get(0), "no"));
        fixture.queued(agent, "buy 1 BTC crypto");
        given(fixture.attest.accept(UseCaseFixture.USER, queued.get(1)));
        fixture.queued(agent, "buy 1 BTC crypto");
        assertThat(refusedBuy(agent, null).code()).isEqualTo(Code.TOO_MANY_PENDING);
        fixture.clock.advance(UseCaseFixture.WINDOW);
        fixture.expire.sweep();
        assertThat(fixture.tally(agent).pending()).isZero();
        fixture.queued(agent, "buy 1 BTC crypto");
    }

    @Test
    void a_blocked_proposal_is_not_pending() {
        for (int i = 0; i < UseCaseFixture.LIMITS.maxPendingPerKey() + 5; i++) {
            fixture.proposed(agent, "buy 9000 BTC crypto", null);
        }

        assertThat(fixture.tally(agent).pending()).isZero();
    }

    @Test
    void the_daily_usd_cap_counts_buys_and_sells_until_midnight() {
        Caller capped = fixture.agent("{\"dailyUsdCap\":1000}");
        fixture.proposed(capped, "buy 600 BTC crypto", null);
        fixture.proposed(capped, "sell 400 BTC crypto", null);

        assertThat(violations(
                        fixture.proposed(capped, "buy 0.01 BTC crypto", null).decision()))
                .isEqualTo("agent_aum_cap 1000 1000.01");

        fixture.clock.advance(Duration.ofHours(12));
        assertThat(fixture.proposed(capped, "buy 1000 BTC crypto", null)
                        .decision()
                        .isAllowed())
                .isTrue();
    }

    @Test
    void pending_buys_count_towards_the_aum_cap_beyond_midnight() {
        Caller capped = fixture.agent("{\"aumCapUsd\":1000}");
        fixture.proposed(capped, "buy 1000 BTC crypto", null);
        fixture.clock.advance(Duration.ofHours(36));

        assertThat(violations(
                        fixture.proposed(capped, "buy 0.01 BTC crypto", null).decision()))
                .isEqualTo("agent_aum_cap 1000 1000.01");
        assertThat(fixture.proposed(capped, "sell 500 BTC crypto", null)
                        .decision()
                        .isAllowed())
                .isTrue();
    }

    @Test
    void without_an_idempotency_key_every_proposal_is_new() {
        fixture.proposed(agent, "buy 100 BTC crypto", null);
        fixture.proposed(agent, "buy 100 BTC crypto", null);

        assertThat(requests()).hasSize(2);
    }

    @Test
    void a_key_without_the_scope_is_refused() {
        Caller reader = fixture.agent("live", "\"validate\"", "{}");

        Refusal refusal = refused(
                fixture.propose.propose(reader, new ProposalBody(SampleValues.sent("buy 1 BTC crypto"), null), null));

        assertThat(refusal.code()).isEqualTo(Code.FORBIDDEN);
        assertThat(refusal.message()).isEqualTo("This key lacks the scope propose.");
    }

    @Test
    void a_rotated_key_keeps_its_idempotency_keys() {
        Proposed first = fixture.proposed(agent, "buy 100 BTC crypto", "once");
        Caller rotated = new Caller(
                given(fixture.keys.rotate(UseCaseFixture.USER, agent.key().id()))
                        .key(),
                UseCaseFixture.USER,
                fixture.live,
                "127.0.0.1");

        assertThat(fixture.proposed(rotated, "buy 100 BTC crypto", "once").requestId())
                .isEqualTo(first.requestId());
        assertThat(refused(fixture.propose.propose(
                                agent, new ProposalBody(SampleValues.sent("buy 1 BTC crypto"), null), "once"))
                        .code())
                .isEqualTo(Code.UNAUTHORIZED);
    }

    @Test
    void the_lines_of_a_rationale_are_kept_without_control_characters() {
        String body = "{\"action\":\"buy\",\"assetSymbol\":\"BTC\",\"assetType\":\"crypto\",\"amountUsd\":1,"
                + "\"rationale\":\"one\\r\\ntwo\\n\\nthree\\rfour\"}";

        assertThat(ProposalBody.read(JsonSamples.object(body)).orElseThrow().rationale())
                .isEqualTo("one\u2028two\u2028\u2028three\u2028four");
    }

    @Test
    void a_rationale_is_at_most_500_plain_characters() {
        String body =
                "{\"action\":\"buy\",\"assetSymbol\":\"BTC\",\"assetType\":\"crypto\",\"amountUsd\":1,\"rationale\":%s}";

        assertThat(ProposalBody.read(JsonSamples.object(body.formatted("\"" + "\\ud83d\\ude00".repeat(500) + "\"")))
                        .isRead())
                .isTrue();
        assertThat(ProposalBody.read(JsonSamples.object(body.formatted("null"))).isRead())
                .isTrue();
        assertThat(ProposalBody.read(JsonSamples.object(body.formatted("\"" + "x".repeat(501) + "\"")))
                        .problems()
                        .get(0)
                        .message())
                .isEqualTo("rationale must have 0 to 500 characters.");
        assertThat(ProposalBody.read(JsonSamples.object(body.formatted("\"a\\tb\"")))
                        .problems()
                        .get(0)
                        .message())
                .isEqualTo("rationale must not contain control characters or broken Unicode.");
    }

    @Test
    void only_bodies_with_equal_meaning_have_equal_hashes() {
        ProposalBody asked = new ProposalBody(SampleValues.sent("buy 1.10 btc crypto"), null);

        assertThat(asked.hash()).isEqualTo(new ProposalBody(SampleValues.sent("buy 1.1 BTC crypto"), null).hash());
        assertThat(asked.hash())
                .isNotEqualTo(new ProposalBody(asked.sent(), "null").hash())
                .isNotEqualTo(new ProposalBody(asked.sent(), "").hash())
                .isNotEqualTo(new ProposalBody(SampleValues.sent("buy 1.1 BTC crypto 0%"), null).hash());
    }

    private Refusal refusedBuy(Caller caller, @Nullable String once) {
        return refused(
                fixture.propose.propose(caller, new ProposalBody(SampleValues.sent("buy 1 BTC crypto"), null), once));
    }

    private List<ServiceRequest> requests() {
        return fixture.store.requestQueue().page(UseCaseFixture.USER, null, null, 10);
    }
}
