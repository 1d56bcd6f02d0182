package dev.agentpolicy.domain.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.document.Sha256;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CredentialTest {
    private static final String HEX = "0123456789abcdef".repeat(4);

    @Test
    void a_credential_is_its_prefix_and_64_hex_characters() {
        Credential live = Credential.parse("svc_live_" + HEX).orElseThrow();

        assertThat(live.reveal()).isEqualTo("svc_live_" + HEX);
        assertThat(live.last4()).isEqualTo("cdef");
        assertThat(live.hash()).isEqualTo(Sha256.hex("svc_live_" + HEX));
        assertThat(Credential.parse("svc_test_" + HEX).orElseThrow().reveal()).isEqualTo("svc_test_" + HEX);
        assertThat(Credential.parse("svc_at_" + HEX).orElseThrow()).hasToString("svc_at_...");
    }

    @Test
    void it_is_never_printed() {
        assertThat(Credential.parse("svc_live_" + HEX).orElseThrow()).hasToString("svc_live_...");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "svc_live_",
                "svc_live_0123",
                "svc_prod_0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
                "SVC_LIVE_0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
                "svc_live_0123456789ABCDEF0123456789abcdef0123456789abcdef0123456789abcdef",
                "svc_live_0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdeg",
                "svc_live_0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0",
                " svc_live_0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
            })
    void any_other_text_is_no_credential(String text) {
        assertThat(Credential.parse(text)).isEmpty();
    }

    @Test
    void a_new_credential_is_made_from_32_random_bytes() {
        assertThat(Credential.of(KeyType.TEST, new byte[32]).reveal()).isEqualTo("svc_test_" + "0".repeat(64));
    }
}
