package dev.agentpolicy.domain.usecase;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.port.Passwords;
import dev.agentpolicy.domain.sample.Samples;
import dev.agentpolicy.domain.usecase.SignIn.Person;
import dev.agentpolicy.domain.usecase.SignIn.Session;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Who gets in by which password, and who has to wait. */
class SignInTest {
    private static final Login ANNA = new Login("anna@example.org", "a long password");
    private static final Login WRONG = new Login("anna@example.org", "another password");
    private static final String HERE = "192.0.2.1";
    private static final Passwords BACKWARDS = new Passwords() {
        @Override
        public String hash(String password) {
            return new StringBuilder(password).reverse().toString();
        }

        @Override
        public boolean matches(String password, @Nullable String hash) {
            return hash(password).equals(hash);
        }
    };

    private final House house = new House();
    private final SignUp signUp = signUp(true);
    private final SignIn signIn =
            new SignIn(house.store.users(), house.store.sessions(), BACKWARDS, new House.CountingChance(), house.clock);

    @Test
    void whoever_signed_up_gets_a_session_of_a_day() {
        UserId id = given(signUp.signUp(ANNA));

        Session session = given(signIn.signIn(ANNA, HERE));

        assertThat(session.userId()).isEqualTo(id);
        assertThat(session.expiresAt()).isEqualTo(Samples.NOON.plus(Duration.ofHours(24)));
        assertThat(session.token()).hasSize(43);
        assertThat(session.toString()).isEqualTo("Session[" + id + "]");
        assertThat(signIn.user(session.token())).contains(new Person(id, "anna@example.org"));
        house.clock.advance(Duration.ofHours(24));
        assertThat(signIn.user(session.token())).isEmpty();
    }

    @Test
    void a_session_ends_when_its_user_signs_out() {
        signUp.signUp(ANNA);
        Session session = given(signIn.signIn(ANNA, HERE));

        signIn.signOut(session.token());

        assertThat(signIn.user(session.token())).isEqualTo(Optional.empty());
    }

    @Test
    void an_unknown_address_and_a_wrong_password_are_told_the_same() {
        signUp.signUp(ANNA);

        Refusal wrong = refused(signIn.signIn(WRONG, HERE));
        Refusal unknown = refused(signIn.signIn(new Login("bob@example.org", "a long password"), HERE));

        assertThat(wrong).isEqualTo(unknown);
        assertThat(wrong.code()).isEqualTo(Refusal.Code.UNAUTHORIZED);
    }

    @Test
    void nobody_knows_the_password_of_an_address_that_nobody_signed_up_with() {
        Login guess = new Login("bob@example.org", "the password of an address nobody signed up with");

        assertThat(refused(signIn.signIn(guess, HERE)).code()).isEqualTo(Refusal.Code.UNAUTHORIZED);
    }

    @Test
    void a_sixth_wrong_password_has_to_wait_until_a_quarter_of_an_hour_after_the_first() {
        signUp.signUp(ANNA);
        wrongPasswords(5);
        house.clock.advance(Duration.ofMinutes(10));

        Refusal refusal = refused(signIn.signIn(ANNA, HERE));

        assertThat(refusal.code()).isEqualTo(Refusal.Code.SIGN_IN_THROTTLED);
        assertThat(refusal.message()).isEqualTo("Too many wrong passwords; try again in 301 seconds.");
        assertThat(refusal.retryAfterSeconds()).isEqualTo(301);
        house.clock.advance(Duration.ofSeconds(301));
        given(signIn.signIn(ANNA, HERE));
    }

    @Test
    void a_right_password_forgets_the_wrong_ones_before_it() {
        signUp.signUp(ANNA);
        wrongPasswords(4);
        given(signIn.signIn(ANNA, HERE));
        wrongPasswords(4);

        given(signIn.signIn(ANNA, HERE));
    }

    @Test
    void an_address_that_is_taken_is_not_given_twice() {
        signUp.signUp(ANNA);

        assertThat(refused(signUp.signUp(ANNA)).code()).isEqualTo(Refusal.Code.EMAIL_TAKEN);
    }

    @Test
    void where_sign_up_is_closed_only_the_operator_adds_users() {
        SignUp closed = signUp(false);

        assertThat(refused(closed.signUp(ANNA)).code()).isEqualTo(Refusal.Code.SIGN_UP_CLOSED);
        given(closed.add(ANNA));
        given(signIn.signIn(ANNA, HERE));
    }

    private void wrongPasswords(int times) {
        for (int i = 0; i < times; i++) {
            assertThat(refused(signIn.signIn(WRONG, HERE)).code()).isEqualTo(Refusal.Code.UNAUTHORIZED);
        }
    }

    private SignUp signUp(boolean isOpen) {
        return new SignUp(house.store.users(), BACKWARDS, new House.CountingChance(), house.clock, isOpen);
    }

    private static <T> T given(Answer<T> answer) {
        return House.given(CompletableFuture.completedFuture(answer));
    }

    private static <T> Refusal refused(Answer<T> answer) {
        return House.refused(CompletableFuture.completedFuture(answer));
    }
}
