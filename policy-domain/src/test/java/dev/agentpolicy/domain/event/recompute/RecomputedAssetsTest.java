package dev.agentpolicy.domain.event.recompute;

import static dev.agentpolicy.domain.event.chain.ScriptedChain.NO;
import static dev.agentpolicy.domain.event.chain.ScriptedChain.YES;
import static dev.agentpolicy.domain.event.chain.ScriptedChain.used;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.agent.CapUsage;
import dev.agentpolicy.domain.event.chain.ScriptedChain;
import dev.agentpolicy.domain.event.content.DecisionRecord;
import org.junit.jupiter.api.Test;

/** The assets under management of a key follow from the requests of the chain. */
class RecomputedAssetsTest {
    private static final String BUY = "buy 100 BTC crypto";
    private static final String SELL = "sell 30 BTC crypto";
    private final ScriptedChain chain = ScriptedChain.begun();

    @Test
    void a_request_is_created_once() {
        assertThat(chain.proposed(BUY, CapUsage.NOTHING, 1L)).isNull();
        assertThat(chain.proposed(BUY, used(1, 100, 100), 1L)).isEqualTo("The request 1 was created before.");
    }

    @Test
    void a_pending_buy_may_count_or_have_expired() {
        assertThat(chain.proposed(BUY, CapUsage.NOTHING, 1L)).isNull();

        assertThat(chain.validated(BUY, used(1, 100, 0))).isNull();
        assertThat(chain.validated(BUY, used(2, 100, 100))).isNull();
        assertThat(chain.validated(BUY, used(3, 100, 101))).isEqualTo("The key managed 0 to 100 USD, not 101.");
    }

    @Test
    void a_pending_sell_does_not_count() {
        assertThat(chain.proposed(SELL, CapUsage.NOTHING, 1L)).isNull();

        assertThat(chain.validated(BUY, used(1, 30, 1))).isEqualTo("The key managed 0 to 0 USD, not 1.");
    }

    @Test
    void a_rejected_buy_does_not_count() {
        chain.proposed(BUY, CapUsage.NOTHING, 1L);

        assertThat(chain.attested(NO, BUY, 0, 1)).isNull();
        assertThat(chain.recomputation.count(Recomputation.RecomputationResult.TURNED_DOWN))
                .isOne();
        assertThat(chain.validated(BUY, used(1, 100, 100))).isEqualTo("The key managed 0 to 0 USD, not 100.");
    }

    @Test
    void an_executed_buy_counts() {
        chain.proposed(BUY, CapUsage.NOTHING, 1L);
        assertThat(chain.attested(YES, BUY, 0, 1)).isNull();
        assertThat(chain.filled(BUY, 1L)).isNull();

        assertThat(chain.validated(BUY, used(1, 100, 100))).isNull();
        assertThat(chain.validated(BUY, used(2, 100, 99))).isEqualTo("The key managed 100 to 100 USD, not 99.");
    }

    @Test
    void an_executed_sell_lowers_the_assets_to_zero_at_least() {
        chain.proposed(BUY, CapUsage.NOTHING, 1L);
        chain.filled(BUY, 1L);
        chain.proposed(SELL, used(1, 100, 100), 2L);
        assertThat(chain.filled(SELL, 2L)).isNull();
        assertThat(chain.validated(BUY, used(2, 130, 70))).isNull();

        assertThat(chain.proposed("sell 500 BTC crypto", used(3, 130, 70), 3L)).isNull();
        assertThat(chain.filled("sell 500 BTC crypto", 3L)).isNull();
        assertThat(chain.validated(BUY, used(4, 630, 0))).isNull();
        assertThat(chain.validated(BUY, used(5, 630, 1))).isEqualTo("The key managed 0 to 0 USD, not 1.");
    }

    @Test
    void a_blocked_proposal_is_no_request() {
        assertThat(chain.proposed("buy 9000 BTC crypto", CapUsage.NOTHING, null))
                .isNull();

        assertThat(chain.validated(BUY, used(1, 0, 9_000))).isEqualTo("The key managed 0 to 0 USD, not 9000.");
    }

    @Test
    void a_user_attests_an_open_request_once_and_as_it_was_proposed() {
        String wrong = "The user attested a request that is not open, or another trade than was proposed.";
        chain.proposed(BUY, CapUsage.NOTHING, 1L);

        assertThat(chain.attested(NO, SELL, 0, 1)).isEqualTo(wrong);
        ScriptedChain other = ScriptedChain.begun();
        other.proposed(BUY, CapUsage.NOTHING, 1L);
        assertThat(other.attested(NO, BUY, 0, 1)).isNull();
        assertThat(other.attested(YES, BUY, 0, 1)).isEqualTo(wrong);
    }

    @Test
    void the_fills_of_a_request_count_and_its_rest_may_have_ended() {
        chain.proposed("buy 100 BTC crypto", CapUsage.NOTHING, 7L);
        assertThat(chain.filled("buy 30 BTC crypto", 7L)).isNull();
        assertThat(chain.validated(BUY, used(1, 100, 100))).isNull();
        assertThat(chain.validated(BUY, used(2, 100, 30))).isNull();
        assertThat(chain.filled("buy 50 BTC crypto", 7L)).isNull();
        assertThat(chain.validated(BUY, used(3, 100, 80))).isNull();
        assertThat(chain.validated(BUY, used(4, 100, 100))).isNull();

        assertThat(chain.validated(BUY, used(5, 100, 79))).isEqualTo("The key managed 80 to 100 USD, not 79.");
    }

    @Test
    void more_than_was_proposed_can_be_filled_and_counts() {
        chain.proposed("buy 100 BTC crypto", CapUsage.NOTHING, 7L);
        assertThat(chain.filled("buy 60 BTC crypto", 7L)).isNull();
        assertThat(chain.filled("buy 50 BTC crypto", 7L)).isNull();

        assertThat(chain.validated(BUY, used(1, 100, 110))).isNull();
        assertThat(chain.validated(BUY, used(2, 100, 100))).isEqualTo("The key managed 110 to 110 USD, not 100.");
    }

    @Test
    void the_fills_of_a_sell_reduce_what_the_key_manages() {
        chain.proposed("buy 100 BTC crypto", CapUsage.NOTHING, 7L);
        chain.filled("buy 100 BTC crypto", 7L);
        chain.proposed("sell 90 BTC crypto", used(1, 100, 100), 8L);
        assertThat(chain.filled("sell 40 BTC crypto", 8L)).isNull();
        assertThat(chain.filled("sell 50 BTC crypto", 8L)).isNull();
        assertThat(chain.validated(BUY, used(2, 190, 10))).isNull();

        assertThat(chain.validated(BUY, used(3, 190, 60))).isEqualTo("The key managed 10 to 10 USD, not 60.");
    }

    @Test
    void a_fill_of_a_request_that_was_rejected_or_never_made_is_found() {
        chain.proposed(BUY, CapUsage.NOTHING, 7L);
        assertThat(chain.attested(NO, BUY, 0, 7)).isNull();

        assertThat(chain.filled(BUY, 7L)).isEqualTo("A trade executes the request 7, which is not open.");
        ScriptedChain other = ScriptedChain.begun();
        assertThat(other.filled(BUY, 8L)).isEqualTo("A trade executes the request 8, which is not open.");
    }

    @Test
    void after_an_erased_trade_requests_and_assets_are_not_checked() {
        assertThat(chain.erased(chain.fill(BUY, 1L))).isNull();

        assertThat(chain.validated(BUY, used(0, 0, 5_000))).isNull();
        assertThat(chain.attested(YES, BUY, 77, 9)).isNull();
        assertThat(chain.filled(BUY, 8L)).isNull();
    }

    @Test
    void after_an_erased_decision_requests_and_assets_are_not_checked() {
        assertThat(chain.erased(chain.decided(DecisionRecord.Kind.PROPOSE, null, BUY, CapUsage.NOTHING, null, 1L)))
                .isNull();

        assertThat(chain.recomputation.count(Recomputation.RecomputationResult.ERASED))
                .isOne();
        assertThat(chain.filled(BUY, 1L)).isNull();
    }
}
