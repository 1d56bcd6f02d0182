package dev.agentpolicy.domain.event.recompute;

import static dev.agentpolicy.domain.event.chain.ToldChain.NO;
import static dev.agentpolicy.domain.event.chain.ToldChain.YES;
import static dev.agentpolicy.domain.event.chain.ToldChain.used;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.agent.CapUsage;
import dev.agentpolicy.domain.event.chain.ToldChain;
import dev.agentpolicy.domain.event.content.DecisionRecord;
import org.junit.jupiter.api.Test;

/** What a key manages follows from the requests the chain tells of. */
class RecomputedAssetsTest {
    private static final String BUY = "buy 100 BTC crypto";
    private static final String SELL = "sell 30 BTC crypto";
    private final ToldChain chain = ToldChain.begun();

    @Test
    void a_request_is_created_once() {
        assertThat(chain.proposed(BUY, CapUsage.NOTHING, 1L)).isNull();
        assertThat(chain.proposed(BUY, used(1, 100, 100), 1L)).isEqualTo("The request 1 was created before.");
    }

    @Test
    void a_buy_that_waits_may_count_or_have_expired() {
        assertThat(chain.proposed(BUY, CapUsage.NOTHING, 1L)).isNull();

        assertThat(chain.validated(BUY, used(1, 100, 0))).isNull();
        assertThat(chain.validated(BUY, used(2, 100, 100))).isNull();
        assertThat(chain.validated(BUY, used(3, 100, 101))).isEqualTo("The key managed 0 to 100 USD, not 101.");
    }

    @Test
    void a_sell_that_waits_is_not_managed() {
        assertThat(chain.proposed(SELL, CapUsage.NOTHING, 1L)).isNull();

        assertThat(chain.validated(BUY, used(1, 30, 1))).isEqualTo("The key managed 0 to 0 USD, not 1.");
    }

    @Test
    void what_the_user_turned_down_is_managed_no_more() {
        chain.proposed(BUY, CapUsage.NOTHING, 1L);

        assertThat(chain.attested(NO, BUY, 0, 1)).isNull();
        assertThat(chain.recomputation.count(Recomputation.Outcome.TURNED_DOWN)).isOne();
        assertThat(chain.validated(BUY, used(1, 100, 100))).isEqualTo("The key managed 0 to 0 USD, not 100.");
    }

    @Test
    void what_was_bought_is_managed_for_certain() {
        chain.proposed(BUY, CapUsage.NOTHING, 1L);
        assertThat(chain.attested(YES, BUY, 0, 1)).isNull();
        assertThat(chain.filled(BUY, 1L)).isNull();

        assertThat(chain.validated(BUY, used(1, 100, 100))).isNull();
        assertThat(chain.validated(BUY, used(2, 100, 99))).isEqualTo("The key managed 100 to 100 USD, not 99.");
    }

    @Test
    void what_was_sold_is_managed_no_more_and_nothing_is_below_nothing() {
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
        ToldChain other = ToldChain.begun();
        other.proposed(BUY, CapUsage.NOTHING, 1L);
        assertThat(other.attested(NO, BUY, 0, 1)).isNull();
        assertThat(other.attested(YES, BUY, 0, 1)).isEqualTo(wrong);
    }

    @Test
    void a_request_is_executed_once() {
        chain.proposed(BUY, CapUsage.NOTHING, 7L);
        assertThat(chain.filled(BUY, 7L)).isNull();

        assertThat(chain.filled(BUY, 7L)).isEqualTo("A trade executes the request 7, which is not open.");
    }

    @Test
    void after_a_trade_was_erased_nothing_is_said_of_requests_and_assets() {
        assertThat(chain.erased(chain.fill(BUY, 1L))).isNull();

        assertThat(chain.validated(BUY, used(0, 0, 5_000))).isNull();
        assertThat(chain.attested(YES, BUY, 77, 9)).isNull();
        assertThat(chain.filled(BUY, 8L)).isNull();
    }

    @Test
    void after_a_decision_was_erased_nothing_is_said_of_requests_and_assets() {
        assertThat(chain.erased(chain.decided(DecisionRecord.Kind.PROPOSE, null, BUY, CapUsage.NOTHING, null, 1L)))
                .isNull();

        assertThat(chain.recomputation.count(Recomputation.Outcome.ERASED)).isOne();
        assertThat(chain.filled(BUY, 1L)).isNull();
    }
}
