package dev.agentpolicy.domain.usecase.signin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Problem;
import dev.agentpolicy.domain.document.Reading;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The rules for addresses and passwords. */
class LoginTest {
    private static final String PASSWORD = "p".repeat(12);

    @Test
    void an_address_is_kept_in_lower_case_and_a_password_as_it_is() {
        Login login = Login.readNew(sent("Anna@Example.ORG", "Twelve Chars")).orElseThrow();

        assertThat(login).isEqualTo(new Login("anna@example.org", "Twelve Chars"));
        assertThat(login.toString()).isEqualTo("Login[anna@example.org]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a@b", "a!b@c", "ä@ö"})
    void any_text_in_the_form_of_an_address_is_accepted(String email) {
        assertThat(Login.read(sent(email, PASSWORD)).problems()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "anna", "@b", "a@", "a@b@c", "a b@c", "a@b\u007f", "a@b\u0085", "a@\uD83D\uDE00"})
    void a_text_without_local_part_or_domain_or_with_control_characters_is_refused(String email) {
        assertThat(Login.read(sent(email, PASSWORD)).problems())
                .extracting(Problem::field)
                .containsExactly("email");
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                0x00a0, 0x00ad, 0x034f, 0x061c, 0x115f, 0x1160, 0x17b4, 0x180b, 0x180e, 0x180f, 0x200b, 0x200d, 0x200e,
                0x200f, 0x2028, 0x2029, 0x202a, 0x202e, 0x2060, 0x2066, 0x2069, 0x206f, 0x2800, 0x3000, 0x3164, 0xfe00,
                0xfe0f, 0xfeff, 0xffa0, 0xfff0, 0xfff9, 0xe000
            })
    void a_new_address_has_no_character_that_is_invisible_or_reorders_text(int character) {
        String email = "anna" + (char) character + "@example.org";

        assertThat(Login.readNew(sent(email, PASSWORD)).problems())
                .containsExactly(new Problem("email", "email must be an e-mail address."));
        assertThat(Login.read(sent(email, PASSWORD)).problems())
                .describedAs("an account made before can still be used")
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"ä@ö", "дом@пример", "אנה@דוגמה", "安@例", "a.b+c-d_e@f-g.h"})
    void a_new_address_may_have_letters_of_any_script(String email) {
        assertThat(Login.readNew(sent(email, PASSWORD)).problems()).isEmpty();
    }

    @Test
    void an_address_has_254_characters_at_most() {
        assertThat(Login.read(sent("a@" + "b".repeat(252), PASSWORD)).problems())
                .isEmpty();
        assertThat(Login.read(sent("a@" + "b".repeat(253), PASSWORD)).problems())
                .hasSize(1);
    }

    @Test
    void a_new_password_has_twelve_to_128_characters_and_any_may_be_tried() {
        assertThat(passwords(Login::readNew, 11, 12, 128, 129)).containsExactly(1, 0, 0, 1);
        assertThat(passwords(Login::read, 0, 1, 128, 129)).containsExactly(1, 0, 0, 1);
    }

    @Test
    void address_and_password_are_required() {
        assertThat(Login.read(Document.of(Map.of())).problems())
                .extracting(Problem::field)
                .containsExactly("email", "password");
    }

    private static List<Integer> passwords(Function<Document, Reading<Login>> read, int... lengths) {
        return Arrays.stream(lengths)
                .mapToObj(length ->
                        read.apply(sent("a@b", "p".repeat(length))).problems().size())
                .toList();
    }

    private static Document sent(String email, String password) {
        Map<String, Object> members = new HashMap<>();
        members.put("email", email);
        members.put("password", password);
        return Document.of(members);
    }
}
