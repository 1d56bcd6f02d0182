package dev.agentpolicy.domain.usecase.signin;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which passwords count as common. */
class CommonPasswordsTest {
    private final CommonPasswords common = new CommonPasswords(Set.of("password", "123456789012"));

    @ParameterizedTest
    @ValueSource(
            strings = {
                "password",
                "PassWord",
                "123456789012",
                "password1234",
                "Password!",
                "PASSWORD-2026!",
                "password~"
            })
    void a_common_password_is_found_in_any_case_and_with_digits_and_punctuation_appended(String password) {
        assertThat(common.contains(password)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "passwor", "passwords", "1password", "password one", "password ", "pässword", "12345678901"})
    void any_other_password_is_not_common(String password) {
        assertThat(common.contains(password)).isFalse();
    }
}
