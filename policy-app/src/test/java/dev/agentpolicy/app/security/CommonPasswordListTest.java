package dev.agentpolicy.app.security;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.usecase.signin.Login;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The list of common passwords. */
class CommonPasswordListTest {
    private final Set<String> passwords = CommonPasswordList.get().lowerCase();

    @Test
    void it_has_the_ten_thousand_commonest_and_those_that_are_long_enough_for_a_password_here() {
        assertThat(passwords).hasSize(10_466);
        assertThat(passwords.stream().filter(it -> it.length() >= Login.MIN_PASSWORD))
                .hasSize(490);
        assertThat(passwords)
                .contains("123456", "password", "qwertyuiop", "passwordpassword", "qwerty123456", "1q2w3e4r5t6y");
    }

    @Test
    void it_holds_passwords_only_in_lower_case() {
        assertThat(passwords)
                .allSatisfy(it -> assertThat(it)
                        .isEqualTo(it.toLowerCase(Locale.ROOT))
                        .isEqualTo(it.strip())
                        .isNotEmpty());
    }
}
