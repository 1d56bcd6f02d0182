package dev.agentpolicy.domain.event.chain;

import static dev.agentpolicy.domain.event.chain.ScriptedChain.NO;
import static dev.agentpolicy.domain.event.chain.ScriptedChain.used;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.CapUsage;
import dev.agentpolicy.domain.agent.KeyPolicy;
import dev.agentpolicy.domain.event.content.DecisionRecord.Kind;
import dev.agentpolicy.domain.event.content.EventPayloads;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The usage of a key on a day follows from the decisions of the chain. */
class RecomputedDaysTest {
    private static final String BUY = "buy 100 BTC crypto";
    private static final String BROKEN = "The items of the batch do not follow each other.";
    private static final AgentKey CAPPED =
            ScriptedChain.key(new AgentKeyId(new UUID(0, 2)), new KeyPolicy(1_000, null, null, null, null));
    private final ScriptedChain chain = ScriptedChain.begun();

    @Test
    void every_decision_counts_as_a_call_and_only_allowed_proposals_count_in_usd() {
        assertThat(chain.validated(BUY, CapUsage.NOTHING)).isNull();
        assertThat(chain.proposed(BUY, used(1, 0, 0), 1L)).isNull();
        assertThat(chain.proposed("buy 9000 BTC crypto", used(2, 100, 0), null)).isNull();

        assertThat(chain.validated(BUY, used(3, 100, 0))).isNull();
        assertThat(chain.validated(BUY, used(3, 100, 0))).isEqualTo("The key had used 4 calls of the day, not 3.");
    }

    @Test
    void wrong_usd_are_found() {
        assertThat(chain.proposed(BUY, CapUsage.NOTHING, 1L)).isNull();

        assertThat(chain.validated(BUY, used(1, 0, 0))).isEqualTo("The key had used 100 USD of the day, not 0.");
    }

    @Test
    void a_new_day_begins_with_nothing_used() {
        chain.proposed(BUY, CapUsage.NOTHING, 1L);
        chain.later(Duration.ofDays(1));

        assertThat(chain.validated(BUY, CapUsage.NOTHING)).isNull();
        assertThat(chain.validated(BUY, used(2, 100, 0))).isEqualTo("The key had used 1 calls of the day, not 2.");
    }

    @Test
    void the_calls_of_a_key_with_a_cap_never_shrink() {
        assertThat(chain.tell(EventPayloads.key(EventKind.KEY_MINTED, CAPPED))).isNull();

        assertThat(ofCapped(4)).isNull();
        assertThat(ofCapped(5)).isNull();
        assertThat(ofCapped(9)).isNull();
        assertThat(ofCapped(9)).isEqualTo("The key had used at least 10 calls of the day, not 9.");
    }

    @Test
    void the_calls_of_a_key_with_a_cap_restart_with_the_day_and_with_each_rotation() {
        chain.tell(EventPayloads.key(EventKind.KEY_MINTED, CAPPED));
        assertThat(ofCapped(9)).isNull();

        assertThat(chain.tell(EventPayloads.key(EventKind.KEY_ROTATED, CAPPED))).isNull();
        assertThat(ofCapped(3)).isNull();
        assertThat(chain.validated(BUY, CapUsage.NOTHING)).isNull();
        chain.later(Duration.ofDays(1));
        assertThat(ofCapped(0)).isNull();
        assertThat(ofCapped(0)).isEqualTo("The key had used at least 1 calls of the day, not 0.");
    }

    @Test
    void the_usd_of_a_key_with_a_cap_are_exact() {
        chain.tell(EventPayloads.key(EventKind.KEY_MINTED, CAPPED));
        chain.tell(chain.decided(CAPPED.id(), Kind.PROPOSE, null, BUY, used(4, 0, 0), null, 1L));

        assertThat(ofCapped(7)).isEqualTo("The key had used 100 USD of the day, not 0.");
    }

    @Test
    void the_calls_of_a_key_with_a_cap_grow_on_a_day_with_an_erased_decision_too() {
        chain.tell(EventPayloads.key(EventKind.KEY_MINTED, CAPPED));
        assertThat(ofCapped(9)).isNull();
        assertThat(chain.erased(chain.decided(Kind.VALIDATE, null, BUY, CapUsage.NOTHING, null, null)))
                .isNull();

        assertThat(ofCapped(9)).isEqualTo("The key had used at least 10 calls of the day, not 9.");
    }

    @Test
    void an_erased_rotation_may_concern_any_key() {
        chain.tell(EventPayloads.key(EventKind.KEY_MINTED, CAPPED));
        assertThat(ofCapped(9)).isNull();
        assertThat(chain.erased(EventPayloads.key(EventKind.KEY_ROTATED, CAPPED)))
                .isNull();

        assertThat(ofCapped(3)).isNull();
    }

    private @Nullable String ofCapped(long calls) {
        return chain.tell(chain.decided(CAPPED.id(), Kind.VALIDATE, null, BUY, used(calls, 0, 0), null, null));
    }

    @Test
    void usage_is_unknown_on_a_day_with_an_erased_decision_and_known_on_the_next() {
        assertThat(chain.erased(chain.decided(Kind.VALIDATE, null, BUY, CapUsage.NOTHING, null, null)))
                .isNull();

        assertThat(chain.validated(BUY, used(7, 70, 0))).isNull();
        chain.later(Duration.ofDays(1));
        assertThat(chain.validated(BUY, used(7, 70, 0))).isEqualTo("The key had used 0 calls of the day, not 7.");
    }

    @Test
    void allowed_items_of_a_batch_count_within_the_batch_only() {
        assertThat(chain.batched(0, BUY, CapUsage.NOTHING)).isNull();
        assertThat(chain.batched(1, "buy 9000 BTC crypto", used(1, 100, 0))).isNull();
        assertThat(chain.batched(2, BUY, used(2, 100, 0))).isNull();
        assertThat(chain.batched(3, BUY, used(3, 200, 0))).isNull();

        assertThat(chain.validated(BUY, used(4, 0, 0))).isNull();
    }

    @Test
    void a_second_batch_may_have_the_same_time() {
        assertThat(chain.batched(0, BUY, CapUsage.NOTHING)).isNull();

        assertThat(chain.batched(0, BUY, used(1, 0, 0))).isNull();
        assertThat(chain.batched(1, BUY, used(2, 100, 0))).isNull();
    }

    @Test
    void a_batch_begins_with_its_first_item() {
        assertThat(chain.batched(1, BUY, CapUsage.NOTHING)).isEqualTo(BROKEN);
    }

    @Test
    void all_items_of_a_batch_have_the_same_time() {
        chain.batched(0, BUY, CapUsage.NOTHING);
        chain.later(Duration.ofSeconds(1));

        assertThat(chain.batched(1, BUY, used(1, 100, 0))).isEqualTo(BROKEN);
    }

    @Test
    void a_decision_between_its_items_ends_a_batch() {
        chain.batched(0, BUY, CapUsage.NOTHING);
        assertThat(chain.validated(BUY, used(1, 0, 0))).isNull();

        assertThat(chain.batched(1, BUY, used(2, 100, 0))).isEqualTo(BROKEN);
    }

    @Test
    void an_attestation_between_its_items_ends_a_batch() {
        chain.proposed(BUY, CapUsage.NOTHING, 1L);
        chain.batched(0, BUY, used(1, 100, 0));
        assertThat(chain.attested(NO, BUY, 0, 1)).isNull();

        assertThat(chain.batched(1, BUY, used(2, 200, 0))).isEqualTo(BROKEN);
    }

    @Test
    void any_other_row_between_its_items_ends_a_batch() {
        chain.batched(0, BUY, CapUsage.NOTHING);
        assertThat(chain.statement(2)).isNull();

        assertThat(chain.batched(1, BUY, used(1, 100, 0))).isEqualTo(BROKEN);
    }

    @Test
    void an_erased_row_between_its_items_ends_a_batch() {
        chain.batched(0, BUY, CapUsage.NOTHING);
        assertThat(chain.erased(new EventDraft(EventKind.DRIFT_CLEARED, Map.of("rule", "cash_floor"))))
                .isNull();

        assertThat(chain.batched(1, BUY, used(1, 100, 0))).isEqualTo(BROKEN);
    }
}
