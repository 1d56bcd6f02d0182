package dev.agentpolicy.domain.request;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.account.Outcome;
import dev.agentpolicy.domain.account.Outcome.Recording;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.Tally;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.decision.Decision;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.request.ServiceRequest.Pending;
import dev.agentpolicy.domain.sample.SampleValues;
import java.math.BigDecimal;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A request in each of its states. */
class ServiceRequestTest {
    private static final AgentKeyId KEY = new AgentKeyId(new UUID(0, 2));
    private static final Proposal PROPOSAL = new Proposal(
            7,
            new UserId(new UUID(0, 1)),
            KEY,
            "Robot",
            SampleValues.trade("buy 100 BTC crypto"),
            null,
            null,
            new Decision(List.of(), 1, null, SampleValues.NOON),
            SampleValues.NOON,
            SampleValues.NOON.plusSeconds(60),
            null);
    private static final Pending PENDING = Pending.of(PROPOSAL);

    @Test
    void only_a_rejected_request_has_a_reason_and_only_a_resolved_one_a_time() {
        Execution execution = new Execution("paper", "x", BigDecimal.ONE, Usd.of(100), Usd.of(100), SampleValues.NOON);

        assertThat(PENDING.reason()).isNull();
        assertThat(PENDING.resolvedAt()).isEmpty();
        assertThat(PENDING.completed(execution, SampleValues.NOON).reason()).isNull();
        assertThat(PENDING.completed(execution, SampleValues.NOON).resolvedAt()).contains(SampleValues.NOON);
        assertThat(PENDING.rejected("no", SampleValues.NOON).reason()).isEqualTo("no");
        assertThat(PENDING.rejected(null, SampleValues.NOON).resolvedAt()).contains(SampleValues.NOON);
    }

    @Test
    void every_acceptance_is_a_new_attempt() {
        Pending once = PENDING.accepted("paper", SampleValues.NOON);
        Pending twice = once.notExecuted("Closed.").accepted("paper", SampleValues.NOON);

        assertThat(once.acceptance().attempt()).isOne();
        assertThat(once.notExecuted("Closed.").executionError()).isEqualTo("Closed.");
        assertThat(twice.acceptance().attempt()).isEqualTo(2);
        assertThat(twice.executionError()).isNull();
    }

    @Test
    void a_proposal_body_has_the_trade_and_the_rationale() {
        ProposalBody plain = new ProposalBody(PROPOSAL.sent(), null);

        assertThat(plain.hash()).hasSize(64).isEqualTo(new ProposalBody(PROPOSAL.sent(), null).hash());
        assertThat(new ProposalBody(PROPOSAL.sent(), "why").hash()).isNotEqualTo(plain.hash());
        assertThat(new ProposalBody(PROPOSAL.sent(), "why").hash())
                .isNotEqualTo(new ProposalBody(PROPOSAL.sent(), "else").hash());
    }

    @Test
    void an_outcome_is_empty_only_without_any_content() {
        Replay replay = new Replay(new IdempotencyKey(KEY, "once"), 7, "0".repeat(64), SampleValues.NOON);

        assertThat(Outcome.nothing(true).isEmpty()).isTrue();
        assertThat(outcome(new Recording().tally(KEY, Tally.NONE)).isEmpty()).isFalse();
        assertThat(outcome(new Recording().request(PENDING)).isEmpty()).isFalse();
        assertThat(outcome(new Recording().replay(replay)).isEmpty()).isFalse();
        assertThat(outcome(new Recording().ips(SampleValues.version(SampleValues.plainIps())))
                        .isEmpty())
                .isFalse();
        assertThat(outcome(new Recording().replay(replay).replay(replay)).replays())
                .hasSize(2);
    }

    private static Outcome<Boolean> outcome(Recording recording) {
        return recording.answer(receipts -> true);
    }
}
