package dev.agentpolicy.domain.usecase.signin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentpolicy.domain.account.Unavailable;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.document.Problem;
import dev.agentpolicy.domain.document.Sha256;
import dev.agentpolicy.domain.port.Notices;
import dev.agentpolicy.domain.port.signin.Passwords;
import dev.agentpolicy.domain.port.signin.Passwords.HashQueue;
import dev.agentpolicy.domain.sample.CountingRandomSource;
import dev.agentpolicy.domain.sample.SampleValues;
import dev.agentpolicy.domain.usecase.Answer;
import dev.agentpolicy.domain.usecase.Refusal;
import dev.agentpolicy.domain.usecase.UseCaseFixture;
import dev.agentpolicy.domain.usecase.signin.SignIn.Person;
import dev.agentpolicy.domain.usecase.signin.SignIn.Session;
import dev.agentpolicy.domain.usecase.signin.SignIn.Visitor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Sign-in, sign-up, sessions and devices. */
class SignInTest {
    private static final Login ANNA = new Login("anna@example.org", "a long password");
    private static final Login MALLORY = new Login("mallory@example.org", "a long password");
    private static final String NETWORK = "192.0.2.1";
    private static final Login WRONG = new Login("anna@example.org", "another password");
    private static final Visitor HERE = Visitor.at(NETWORK);
    private static final CommonPasswords COMMON = new CommonPasswords(Set.of("a common password"));
    private final UseCaseFixture fixture = new UseCaseFixture();
    private final RecordingPasswords passwords = new RecordingPasswords();
    private final SignUp signUp = signUp(true);
    private final SignIn signIn = new SignIn(
            fixture.store.users(),
            fixture.store.sessions(),
            fixture.store.devices(),
            passwords,
            new CountingRandomSource(),
            fixture.clock,
            Notices.NONE);

    @Test
    void a_user_has_at_most_fifty_sessions_and_a_further_one_ends_the_one_used_longest_ago() {
        given(signUp.signUp(ANNA, NETWORK));
        List<Session> sessions = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            sessions.add(given(signIn.signIn(ANNA, HERE)));
            fixture.clock.advance(Duration.ofMinutes(2));
        }
        assertThat(signIn.user(sessions.get(0).token())).as("used again").isPresent();

        Session further = given(signIn.signIn(ANNA, HERE));

        assertThat(signIn.user(sessions.get(1).token())).isEmpty();
        sessions.remove(1);
        sessions.add(further);
        assertThat(sessions).allMatch(session -> signIn.user(session.token()).isPresent());
    }

    @Test
    void a_signed_up_user_gets_a_session_of_thirty_days() {
        UserId id = given(signUp.signUp(ANNA, NETWORK));

        Session session = given(signIn.signIn(ANNA, HERE));

        assertThat(session.userId()).isEqualTo(id);
        assertThat(session.expiresAt()).isEqualTo(SampleValues.NOON.plus(Duration.ofDays(30)));
        assertThat(session.token()).hasSize(43);
        assertThat(session.toString()).isEqualTo("Session[" + id + "]");
        assertThat(signIn.user(session.token())).contains(new Person(id, "anna@example.org", null));
    }

    @Test
    void a_session_ends_after_thirty_days_even_if_it_is_used() {
        given(signUp.signUp(ANNA, NETWORK));
        Session session = given(signIn.signIn(ANNA, HERE));

        for (int day = 1; day < 30; day++) {
            fixture.clock.advance(Duration.ofDays(1));
            assertThat(signIn.user(session.token())).describedAs("day %s", day).isPresent();
        }
        fixture.clock.advance(Duration.ofDays(1));

        assertThat(signIn.user(session.token())).isEmpty();
    }

    @Test
    void a_session_unused_for_fourteen_days_ends() {
        given(signUp.signUp(ANNA, NETWORK));
        Session used = given(signIn.signIn(ANNA, HERE));
        Session unused = given(signIn.signIn(ANNA, HERE));
        fixture.clock.advance(Duration.ofDays(13));
        assertThat(signIn.user(used.token())).isPresent();
        fixture.clock.advance(Duration.ofDays(1));

        assertThat(signIn.user(used.token())).isPresent();
        assertThat(signIn.user(unused.token())).isEmpty();
        assertThat(signIn.forgetEnded()).isEqualTo(1);
        assertThat(signIn.user(used.token())).isPresent();
    }

    @Test
    void the_use_of_a_session_is_stored_at_most_once_an_hour() {
        given(signUp.signUp(ANNA, NETWORK));
        Session session = given(signIn.signIn(ANNA, HERE));
        String hash = Sha256.hex(session.token());

        fixture.clock.advance(Duration.ofMinutes(59));
        signIn.user(session.token());
        assertThat(fixture.store.sessions().find(hash).orElseThrow().lastUsedAt())
                .isEqualTo(SampleValues.NOON);

        fixture.clock.advance(Duration.ofMinutes(1));
        signIn.user(session.token());
        assertThat(fixture.store.sessions().find(hash).orElseThrow().lastUsedAt())
                .isEqualTo(SampleValues.NOON.plus(Duration.ofHours(1)));
    }

    @Test
    void a_new_sign_in_ends_the_session_it_replaces_and_no_other() {
        given(signUp.signUp(ANNA, NETWORK));
        Session replaced = given(signIn.signIn(ANNA, HERE));
        Session elsewhere = given(signIn.signIn(ANNA, HERE));

        refused(signIn.signIn(WRONG, HERE.withSession(replaced.token())));
        assertThat(signIn.user(replaced.token())).isPresent();
        Session next = given(signIn.signIn(ANNA, HERE.withSession(replaced.token())));

        assertThat(signIn.user(replaced.token())).isEmpty();
        assertThat(signIn.user(elsewhere.token())).isPresent();
        assertThat(signIn.user(next.token())).isPresent();
    }

    @Test
    void fifty_wrong_passwords_from_ten_addresses_do_not_lock_out_a_known_device() {
        given(signUp.signUp(ANNA, NETWORK));
        String device = given(signIn.signIn(ANNA, HERE)).device();
        int compared = guessesOfStrangers();
        assertThat(compared)
                .describedAs("nor may strangers guess without limit")
                .isEqualTo(50);

        assertThat(refused(signIn.signIn(ANNA, HERE)).code()).isEqualTo(Refusal.Code.SIGN_IN_THROTTLED);
        Session session = given(signIn.signIn(ANNA, HERE.withDevice(device)));

        assertThat(session.device()).isEqualTo(device);
        assertThat(passwords.queues).endsWith(HashQueue.SIGN_IN, HashQueue.KNOWN_DEVICE);
    }

    @Test
    void a_known_device_has_a_limit_of_wrong_passwords_too() {
        given(signUp.signUp(ANNA, NETWORK));
        Visitor known = HERE.withDevice(given(signIn.signIn(ANNA, HERE)).device());
        for (int i = 0; i < 5; i++) {
            assertThat(refused(signIn.signIn(WRONG, known)).code()).isEqualTo(Refusal.Code.UNAUTHORIZED);
        }

        assertThat(refused(signIn.signIn(ANNA, known)).code()).isEqualTo(Refusal.Code.SIGN_IN_THROTTLED);
    }

    @Test
    void a_device_is_known_for_its_own_user_only() {
        given(signUp.signUp(ANNA, NETWORK));
        given(signUp.signUp(MALLORY, NETWORK));
        String device = given(signIn.signIn(MALLORY, HERE)).device();
        guessesOfStrangers();

        for (String token : List.of(device, "made up")) {
            Refusal refusal = refused(signIn.signIn(ANNA, HERE.withDevice(token)));
            assertThat(refusal.code()).isEqualTo(Refusal.Code.SIGN_IN_THROTTLED);
        }
    }

    @Test
    void a_device_of_another_user_is_replaced_by_a_new_one() {
        given(signUp.signUp(ANNA, NETWORK));
        given(signUp.signUp(MALLORY, NETWORK));
        String planted = given(signIn.signIn(MALLORY, HERE)).device();

        String own = given(signIn.signIn(ANNA, HERE.withDevice(planted))).device();

        assertThat(own).isNotEqualTo(planted).hasSize(43);
    }

    @Test
    void a_device_is_known_for_a_year_after_its_last_sign_in() {
        given(signUp.signUp(ANNA, NETWORK));
        String device = given(signIn.signIn(ANNA, HERE)).device();
        fixture.clock.advance(Duration.ofDays(364));
        given(signIn.signIn(ANNA, HERE.withDevice(device)));
        fixture.clock.advance(Duration.ofDays(364));
        assertThat(given(signIn.signIn(ANNA, HERE.withDevice(device))).device()).isEqualTo(device);
        fixture.clock.advance(Duration.ofDays(365));

        assertThat(given(signIn.signIn(ANNA, HERE.withDevice(device))).device()).isNotEqualTo(device);
    }

    @Test
    void a_user_has_ten_devices_at_most() {
        given(signUp.signUp(ANNA, NETWORK));
        String first = given(signIn.signIn(ANNA, HERE)).device();
        for (int i = 0; i < SignIn.MAX_DEVICES; i++) {
            fixture.clock.advance(Duration.ofSeconds(1));
            given(signIn.signIn(ANNA, HERE));
        }

        assertThat(given(signIn.signIn(ANNA, HERE.withDevice(first))).device()).isNotEqualTo(first);
    }

    @Test
    void a_password_that_was_not_compared_does_not_count_as_wrong() {
        given(signUp.signUp(ANNA, NETWORK));
        passwords.isBusy = true;
        for (int i = 0; i < 60; i++) {
            assertThatThrownBy(() -> signIn.signIn(ANNA, HERE)).isInstanceOf(Unavailable.class);
        }
        passwords.isBusy = false;

        given(signIn.signIn(ANNA, HERE));
    }

    @Test
    void the_sign_up_limit_bounds_the_testing_of_addresses() {
        List<String> people = IntStream.range(0, 30)
                .mapToObj(i -> "user" + i + "@example.org")
                .toList();
        people.forEach(email -> given(signUp.add(new Login(email, "a long password"))));

        List<Refusal.Code> answers = people.stream()
                .map(email -> refused(signUp.signUp(new Login(email, "a long password"), NETWORK))
                        .code())
                .toList();

        assertThat(answers.subList(0, 10)).containsOnly(Refusal.Code.EMAIL_TAKEN);
        assertThat(answers.subList(10, 30)).containsOnly(Refusal.Code.SIGN_UP_THROTTLED);
    }

    @Test
    void a_sign_up_beyond_the_limit_of_its_network_must_wait() {
        for (int i = 0; i < 10; i++) {
            given(signUp.signUp(new Login("user" + i + "@example.org", "a long password"), NETWORK));
        }
        fixture.clock.advance(Duration.ofMinutes(10));

        Refusal refusal = refused(signUp.signUp(ANNA, NETWORK));

        assertThat(refusal.code()).isEqualTo(Refusal.Code.SIGN_UP_THROTTLED);
        assertThat(refusal.message()).isEqualTo("Too many sign-ups from your address; try again in 3001 seconds.");
        assertThat(refusal.retryAfterSeconds()).isEqualTo(3_001);
        given(signUp.signUp(ANNA, "198.51.100.7"));
    }

    @Test
    void a_common_password_is_refused_and_does_not_count_as_a_sign_up() {
        Login common = new Login("anna@example.org", "A Common Password");
        for (int i = 0; i < 20; i++) {
            Refusal refusal = refused(signUp.signUp(common, NETWORK));
            assertThat(refusal.code()).isEqualTo(Refusal.Code.INVALID);
            assertThat(refusal.problems()).extracting(Problem::field).containsExactly("password");
        }

        given(signUp.signUp(ANNA, NETWORK));
    }

    @Test
    void a_session_ends_when_its_user_signs_out() {
        signUp.signUp(ANNA, NETWORK);
        Session session = given(signIn.signIn(ANNA, HERE));

        signIn.signOut(session.token());

        assertThat(signIn.user(session.token())).isEqualTo(Optional.empty());
    }

    @Test
    void an_unknown_address_and_a_wrong_password_get_the_same_answer() {
        signUp.signUp(ANNA, NETWORK);

        Refusal wrong = refused(signIn.signIn(WRONG, HERE));
        Refusal unknown = refused(signIn.signIn(new Login("bob@example.org", "a long password"), HERE));

        assertThat(wrong).isEqualTo(unknown);
        assertThat(wrong.code()).isEqualTo(Refusal.Code.UNAUTHORIZED);
    }

    @Test
    void no_password_matches_an_unknown_address() {
        Login guess = new Login("bob@example.org", "the password of an address nobody signed up with");

        assertThat(refused(signIn.signIn(guess, HERE)).code()).isEqualTo(Refusal.Code.UNAUTHORIZED);
    }

    @Test
    void a_sixth_sign_in_must_wait_until_15_minutes_after_the_first_wrong_password() {
        signUp.signUp(ANNA, NETWORK);
        wrongPasswords(5);
        fixture.clock.advance(Duration.ofMinutes(10));

        Refusal refusal = refused(signIn.signIn(ANNA, HERE));

        assertThat(refusal.code()).isEqualTo(Refusal.Code.SIGN_IN_THROTTLED);
        assertThat(refusal.message()).isEqualTo("Too many wrong passwords; try again in 301 seconds.");
        assertThat(refusal.retryAfterSeconds()).isEqualTo(301);
        fixture.clock.advance(Duration.ofSeconds(301));
        given(signIn.signIn(ANNA, HERE));
    }

    @Test
    void a_right_password_clears_earlier_wrong_ones() {
        signUp.signUp(ANNA, NETWORK);
        wrongPasswords(4);
        given(signIn.signIn(ANNA, HERE));
        wrongPasswords(4);

        given(signIn.signIn(ANNA, HERE));
    }

    @Test
    void an_address_cannot_be_signed_up_twice() {
        signUp.signUp(ANNA, NETWORK);

        assertThat(refused(signUp.signUp(ANNA, NETWORK)).code()).isEqualTo(Refusal.Code.EMAIL_TAKEN);
    }

    @Test
    void when_sign_up_is_closed_only_the_operator_adds_users() {
        SignUp closed = signUp(false);

        assertThat(refused(closed.signUp(ANNA, NETWORK)).code()).isEqualTo(Refusal.Code.SIGN_UP_CLOSED);
        given(closed.add(ANNA));
        given(signIn.signIn(ANNA, HERE));
    }

    /** Tries six wrong passwords from each of eleven addresses and returns how many were compared. */
    private int guessesOfStrangers() {
        int compared = 0;
        for (int place = 0; place < 11; place++) {
            for (int i = 0; i < 6; i++) {
                Refusal refusal = refused(signIn.signIn(WRONG, Visitor.at("198.51.100." + place)));
                compared += refusal.code() == Refusal.Code.UNAUTHORIZED ? 1 : 0;
            }
        }
        return compared;
    }

    @Test
    void a_password_that_is_changed_while_it_waits_to_be_compared_opens_no_session() {
        UserId id = given(signUp.signUp(ANNA, NETWORK));
        passwords.whileWaiting = () -> fixture.store.users().setPassword(id, passwords.hash(WRONG.password()));

        assertThat(refused(signIn.signIn(ANNA, HERE)).code()).isEqualTo(Refusal.Code.UNAUTHORIZED);
        assertThat(fixture.store.sessions().of(id)).isEmpty();

        passwords.whileWaiting = () -> {};
        given(signIn.signIn(WRONG, HERE));
    }

    private void wrongPasswords(int times) {
        for (int i = 0; i < times; i++) {
            assertThat(refused(signIn.signIn(WRONG, HERE)).code()).isEqualTo(Refusal.Code.UNAUTHORIZED);
        }
    }

    private SignUp signUp(boolean isOpen) {
        SignUp.Rules rules = new SignUp.Rules(isOpen, 10, () -> COMMON);
        CountingRandomSource random = new CountingRandomSource();
        MailLinks links = new MailLinks(
                fixture.store.users(),
                fixture.store.mailTokens(),
                Notices.NONE,
                address -> true,
                random,
                fixture.clock);
        return new SignUp(fixture.store.users(), passwords, links, random, fixture.clock, rules);
    }

    /** Passwords whose hash is the password reversed; records the queues that were used. */
    private static final class RecordingPasswords implements Passwords {
        private final List<HashQueue> queues = new ArrayList<>();
        private boolean isBusy;
        private Runnable whileWaiting = () -> {};

        @Override
        public String hash(String password) {
            return new StringBuilder(password).reverse().toString();
        }

        @Override
        public boolean matches(String password, @Nullable String hash, HashQueue queue) {
            if (isBusy) {
                throw new Unavailable("Too many sign-ins.");
            }
            queues.add(queue);
            whileWaiting.run();
            return hash(password).equals(hash);
        }
    }

    private static <T> T given(Answer<T> answer) {
        return UseCaseFixture.given(CompletableFuture.completedFuture(answer));
    }

    private static <T> Refusal refused(Answer<T> answer) {
        return UseCaseFixture.refused(CompletableFuture.completedFuture(answer));
    }
}
