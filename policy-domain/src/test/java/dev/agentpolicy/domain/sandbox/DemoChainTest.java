package dev.agentpolicy.domain.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.event.chain.ChainHead;
import dev.agentpolicy.domain.event.chain.ChainPoint;
import dev.agentpolicy.domain.event.chain.EventChain;
import dev.agentpolicy.domain.event.chain.EventKind;
import dev.agentpolicy.domain.event.chain.PolicyEvent;
import dev.agentpolicy.domain.event.page.EventPage;
import dev.agentpolicy.domain.event.page.EventQuery;
import dev.agentpolicy.domain.event.page.EventQuery.Direction;
import dev.agentpolicy.domain.event.recompute.Recomputation;
import dev.agentpolicy.domain.event.signing.SignatureCheck;
import dev.agentpolicy.domain.event.signing.SigningKey.Purpose;
import dev.agentpolicy.domain.port.JdkSigner;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** The demonstration chain can be verified and recomputed like any other. */
class DemoChainTest {
    private final JdkSigner signer = new JdkSigner(Purpose.SANDBOX);
    private final List<PolicyEvent> rows =
            DemoChain.signedBy(signer).page(EventQuery.all()).rows();

    @Test
    void the_demonstration_chain_is_valid_under_its_own_key() {
        assertThat(EventChain.verify(
                                ChainPoint.fresh(FixedPolicy.NOBODY),
                                rows,
                                List.of(signer.key()),
                                Purpose.SANDBOX,
                                SignatureCheck.ofJdk())
                        .isIntact())
                .isTrue();
    }

    @Test
    void the_decisions_of_the_demonstration_chain_can_be_recomputed() {
        Recomputation recomputation = Recomputation.begin();

        assertThat(rows).allSatisfy(row -> assertThat(recomputation.row(row)).isEmpty());
        assertThat(recomputation.count(Recomputation.RecomputationResult.RECOMPUTED))
                .isEqualTo(2);
    }

    @Test
    void the_demonstration_chain_is_read_by_page_order_kind_and_time() {
        DemoChain chain = DemoChain.signedBy(signer);
        EventQuery two = new EventQuery(2, Direction.ASC, Optional.empty(), Optional.empty(), OptionalLong.empty());
        EventQuery back = new EventQuery(2, Direction.DESC, Optional.empty(), Optional.empty(), OptionalLong.of(3));
        EventQuery decisions = new EventQuery(
                10, Direction.ASC, Optional.of(EventKind.GUARDRAIL_DECISION), Optional.empty(), OptionalLong.empty());
        EventQuery since = new EventQuery(
                10, Direction.ASC, Optional.empty(), Optional.of(rows.get(2).createdAt()), OptionalLong.empty());

        assertThat(rows).extracting(PolicyEvent::seq).containsExactly(1L, 2L, 3L, 4L);
        assertThat(rows.get(3).createdAt()).isEqualTo(FixedPolicy.SINCE.plusSeconds(180));
        assertThat(rows.get(3).eventId()).hasToString("00000000-0000-7000-8000-000000000004");
        assertThat(chain.head()).isEqualTo(ChainHead.after(rows.get(3)));
        EventPage first = chain.page(two);
        assertThat(first.rows()).hasSize(2);
        assertThat(chain.page(two.after(first.nextCursor()).orElseThrow()).rows())
                .containsExactly(rows.get(2), rows.get(3));
        assertThat(chain.page(back).rows()).containsExactly(rows.get(1), rows.get(0));
        assertThat(chain.page(decisions).rows()).containsExactly(rows.get(2), rows.get(3));
        assertThat(chain.page(since).rows()).containsExactly(rows.get(2), rows.get(3));
    }
}
