package dev.agentpolicy.domain.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.event.ChainPoint;
import dev.agentpolicy.domain.event.EventChain;
import dev.agentpolicy.domain.event.EventQuery;
import dev.agentpolicy.domain.event.PolicyEvent;
import dev.agentpolicy.domain.event.Recomputation;
import dev.agentpolicy.domain.event.SignatureCheck;
import dev.agentpolicy.domain.event.SigningKey.Purpose;
import dev.agentpolicy.domain.port.JdkSigner;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The chain that test keys read is one like any other, but for its key. */
class DemoChainTest {
    private final JdkSigner signer = new JdkSigner(Purpose.SANDBOX);
    private final List<PolicyEvent> rows =
            DemoChain.signedBy(signer).page(EventQuery.all()).rows();

    @Test
    void it_is_intact_under_its_own_key() {
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
    void its_verdicts_follow_from_it() {
        Recomputation recomputation = Recomputation.begin();

        assertThat(rows).allSatisfy(row -> assertThat(recomputation.row(row)).isEmpty());
        assertThat(recomputation.count(Recomputation.Outcome.RECOMPUTED)).isEqualTo(2);
    }
}
