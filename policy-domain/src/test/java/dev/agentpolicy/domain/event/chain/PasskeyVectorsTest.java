package dev.agentpolicy.domain.event.chain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.event.SoftPasskey;
import dev.agentpolicy.domain.event.passkey.PasskeyKey;
import dev.agentpolicy.domain.event.passkey.PasskeyKey.PasskeyAlgorithm;
import dev.agentpolicy.domain.event.recompute.PasskeySignatures;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Chains with acceptances that a person signed, and chains that only claim them. */
class PasskeyVectorsTest extends SignedVectors {
    private static final Map<String, String> MADE = PasskeyVectors.files();

    PasskeyVectorsTest() {
        super("passkeys", MADE);
    }

    @Test
    void the_signatures_of_a_genuine_chain_hold() throws IOException {
        for (List<PolicyEvent> rows : all("genuine")) {
            PasskeySignatures acceptances = new PasskeySignatures(true);

            assertThat(difference(rows, acceptances)).isEmpty();
            assertThat(acceptances.requests()).containsExactly(1L, 2L, 3L);
            assertThat(acceptances.unchecked()).isZero();
        }
    }

    @Test
    void one_signature_of_two_requests_holds_for_both() throws IOException {
        for (List<PolicyEvent> rows : all("genuine-together")) {
            PasskeySignatures acceptances = new PasskeySignatures(true);

            assertThat(difference(rows, acceptances)).isEmpty();
            assertThat(acceptances.requests()).containsExactly(1L, 2L);
        }
    }

    @Test
    void an_edwards_key_is_usable_when_its_number_is_that_of_a_point() {
        List<Integer> points = IntStream.range(2, 12)
                .filter(y -> {
                    byte[] bytes = new byte[32];
                    bytes[0] = (byte) y;
                    return PasskeyKey.ed25519(bytes).isUsable();
                })
                .boxed()
                .toList();

        assertThat(points).containsExactly(3, 4, 5, 6, 9, 10);
        assertThat(new SoftPasskey(PasskeyAlgorithm.EDDSA).key().isUsable()).isTrue();
    }

    @Test
    void in_a_chain_that_is_continued_what_refers_to_earlier_rows_is_not_checked() {
        List<PolicyEvent> rows = rows("genuine");

        for (int known : IntStream.rangeClosed(1, 5).toArray()) {
            PasskeySignatures acceptances = new PasskeySignatures(false);

            assertThat(difference(rows.subList(known, rows.size()), acceptances))
                    .isEmpty();
            assertThat(acceptances.requests().size() + acceptances.unchecked()).isEqualTo(3);
            assertThat(acceptances.unchecked()).isPositive();
        }
    }

    @Test
    void an_erased_proposal_still_binds_the_signature_by_its_hash() {
        List<PolicyEvent> rows = erased(rows("genuine"), 2);
        PasskeySignatures acceptances = new PasskeySignatures(true);

        assertThat(difference(rows, acceptances)).isEmpty();
        assertThat(acceptances.requests()).containsExactly(1L, 2L, 3L);
        assertThat(difference(erased(rows("another-decision"), 2), new PasskeySignatures(true)))
                .isPresent();
    }

    @Test
    void after_an_erased_key_an_unknown_passkey_is_not_checked() {
        PasskeySignatures acceptances = new PasskeySignatures(true);

        assertThat(difference(erased(rows("genuine"), 1), acceptances)).isEmpty();
        assertThat(acceptances.requests()).containsExactly(2L, 3L);
        assertThat(acceptances.unchecked()).isEqualTo(1);
    }
}
