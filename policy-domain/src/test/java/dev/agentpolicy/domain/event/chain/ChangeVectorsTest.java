package dev.agentpolicy.domain.event.chain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.event.recompute.PasskeySignatures;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Chains with versions of the policy that a person signed, and chains that only claim them. */
class ChangeVectorsTest extends SignedVectors {
    private static final Map<String, String> MADE = ChangeVectors.files();

    ChangeVectorsTest() {
        super("changes", MADE);
    }

    @Test
    void the_signatures_of_a_genuine_chain_hold() throws IOException {
        for (List<PolicyEvent> rows : all("genuine")) {
            PasskeySignatures signatures = new PasskeySignatures(true);

            assertThat(difference(rows, signatures)).isEmpty();
            assertThat(signatures.versions()).containsExactly(1L, 2L, 5L);
            assertThat(signatures.requests()).isEmpty();
            assertThat(signatures.unchecked()).isZero();
        }
    }

    @Test
    void in_a_chain_that_is_continued_what_earlier_passkeys_signed_is_not_checked() {
        List<PolicyEvent> rows = rows("genuine");
        PasskeySignatures signatures = new PasskeySignatures(false);

        assertThat(difference(rows.subList(3, rows.size()), signatures)).isEmpty();
        assertThat(signatures.versions()).isEmpty();
        assertThat(signatures.unchecked()).isEqualTo(3);
    }

    @Test
    void after_an_erased_key_an_unknown_passkey_is_not_checked() {
        PasskeySignatures signatures = new PasskeySignatures(true);

        assertThat(difference(erased(rows("genuine"), 1), signatures)).isEmpty();
        assertThat(signatures.versions()).containsExactly(2L, 5L);
        assertThat(signatures.unchecked()).isEqualTo(1);
    }
}
