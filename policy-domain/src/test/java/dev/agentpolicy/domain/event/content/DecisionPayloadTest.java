package dev.agentpolicy.domain.event.content;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.CapUsage;
import dev.agentpolicy.domain.decision.Decision;
import dev.agentpolicy.domain.event.chain.EventDraft;
import dev.agentpolicy.domain.event.chain.EventKind;
import dev.agentpolicy.domain.event.content.DecisionRecord.Kind;
import dev.agentpolicy.domain.rule.Rule;
import dev.agentpolicy.domain.rule.Violation;
import dev.agentpolicy.domain.sample.SampleValues;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The audit feed finds decisions by their key and verdict. */
class DecisionPayloadTest {
    private static final UUID KEY = new UUID(0, 7);
    private static final Violation PAUSED = Violation.of(Rule.ACTION_NOT_ALLOWED, "Buying is paused by the user.");

    @Test
    void a_decision_is_found_by_its_key_and_its_verdict() {
        EventDraft allowed = draft(List.of());
        EventDraft blocked = draft(List.of(PAUSED));

        assertThat(DecisionPayload.agentKeyId(allowed)).isEqualTo(KEY);
        assertThat(DecisionPayload.allowed(allowed)).isTrue();
        assertThat(DecisionPayload.allowed(blocked)).isFalse();
    }

    @Test
    void other_events_have_neither_key_nor_verdict() {
        EventDraft minted = new EventDraft(EventKind.KEY_MINTED, Map.of("agentKeyId", KEY.toString(), "allowed", true));

        assertThat(DecisionPayload.agentKeyId(minted)).isNull();
        assertThat(DecisionPayload.allowed(minted)).isNull();
    }

    @Test
    void the_items_of_a_batch_are_shown_as_validations() {
        assertThat(Kind.VALIDATE_BATCH.auditName()).isEqualTo("validate");
        assertThat(Kind.VALIDATE.auditName()).isEqualTo("validate");
        assertThat(Kind.PROPOSE.auditName()).isEqualTo("propose");
        assertThat(Kind.ATTESTATION.auditName()).isEqualTo("attestation");
    }

    private static EventDraft draft(List<Violation> violations) {
        return DecisionPayload.draft(new DecisionRecord(
                Kind.VALIDATE,
                null,
                new AgentKeyId(KEY),
                SampleValues.trade("buy 1 BTC crypto"),
                null,
                null,
                null,
                CapUsage.NOTHING,
                new Decision(violations, 1, null, SampleValues.NOON),
                List.of(),
                List.of(),
                List.of(),
                null,
                null));
    }
}
