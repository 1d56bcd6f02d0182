package dev.agentpolicy.domain.usecase.signin;

import static dev.agentpolicy.domain.usecase.signin.ProfileFixture.ANNA;
import static dev.agentpolicy.domain.usecase.signin.ProfileFixture.EMAIL;
import static dev.agentpolicy.domain.usecase.signin.ProfileFixture.HERE;
import static dev.agentpolicy.domain.usecase.signin.ProfileFixture.NEXT;
import static dev.agentpolicy.domain.usecase.signin.ProfileFixture.OTTO;
import static dev.agentpolicy.domain.usecase.signin.ProfileFixture.OTTOS_EMAIL;
import static dev.agentpolicy.domain.usecase.signin.ProfileFixture.PASSWORD;
import static dev.agentpolicy.domain.usecase.signin.ProfileFixture.WRONG;
import static dev.agentpolicy.domain.usecase.signin.ProfileFixture.given;
import static dev.agentpolicy.domain.usecase.signin.ProfileFixture.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.account.Notice;
import dev.agentpolicy.domain.account.Unavailable;
import dev.agentpolicy.domain.agent.RequestNotices;
import dev.agentpolicy.domain.sample.SampleValues;
import dev.agentpolicy.domain.usecase.Answer;
import dev.agentpolicy.domain.usecase.Refusal.Code;
import dev.agentpolicy.domain.usecase.signin.ManageProfile.Profile;
import dev.agentpolicy.domain.usecase.signin.SignIn.Session;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ManageProfileTest {
    private static final String NEW = "new@example.org";

    private final ProfileFixture fixture = new ProfileFixture();

    @Test
    void a_new_address_waits_until_the_mail_that_went_there_is_followed() {
        Profile waiting = given(changed(NEW));

        assertThat(waiting.user().email()).isEqualTo(EMAIL);
        assertThat(waiting.pendingEmail()).isEqualTo(NEW);
        assertThat(waiting.sendsMails()).isTrue();
        Notice.EmailConfirmation mail = fixture.notices.last(Notice.EmailConfirmation.class);
        assertThat(mail.recipient()).contains(NEW);

        Profile confirmed = given(fixture.profiles.confirmEmail(mail.token(), HERE));
        assertThat(confirmed.user().email()).isEqualTo(NEW);
        assertThat(confirmed.pendingEmail()).isNull();
        assertThat(refused(fixture.profiles.confirmEmail(mail.token(), HERE)).code())
                .isEqualTo(Code.NOT_FOUND);
    }

    @Test
    void a_confirmation_works_for_an_hour_and_is_then_forgotten() {
        given(changed(NEW));
        String token = fixture.notices.last(Notice.EmailConfirmation.class).token();
        fixture.domain.clock.advance(MailLinks.TOKEN_AGE);

        assertThat(fixture.profiles.read(ANNA).pendingEmail()).isNull();
        assertThat(refused(fixture.profiles.confirmEmail(token, HERE)).code()).isEqualTo(Code.NOT_FOUND);
        assertThat(fixture.links.forgetExpired()).isEqualTo(1);
        assertThat(fixture.user(ANNA).orElseThrow().email()).isEqualTo(EMAIL);
    }

    @Test
    void a_service_without_mails_changes_the_address_at_once() {
        fixture.notices.turn(false);

        Profile changed = given(changed(NEW));

        assertThat(changed.user().email()).isEqualTo(NEW);
        assertThat(changed.pendingEmail()).isNull();
        assertThat(changed.sendsMails()).isFalse();
        assertThat(fixture.notices.of(Notice.EmailConfirmation.class)).isEmpty();
    }

    @Test
    void an_address_changes_only_with_the_password() {
        Login sent = new Login(NEW, WRONG);

        assertThat(refused(fixture.profiles.changeEmail(ANNA, sent, HERE)).code())
                .isEqualTo(Code.WRONG_PASSWORD);
        assertThat(fixture.profiles.read(ANNA).pendingEmail()).isNull();
    }

    @Test
    void an_address_of_somebody_else_waits_like_any_other_and_gets_no_mail() {
        assertThat(given(changed(OTTOS_EMAIL)).pendingEmail()).isEqualTo(OTTOS_EMAIL);
        assertThat(fixture.notices.of(Notice.EmailConfirmation.class)).isEmpty();
    }

    @Test
    void asking_for_the_address_of_somebody_else_uses_up_none_of_its_mails() {
        for (int i = 0; i <= MailLinks.TO_ADDRESS_PER_HOUR; i++) {
            given(changed(OTTOS_EMAIL));
        }

        fixture.links.confirm(OTTO, OTTOS_EMAIL, "198.51.100.1");

        assertThat(fixture.notices.of(Notice.EmailConfirmation.class)).hasSize(1);
    }

    @Test
    void an_address_of_somebody_else_is_refused_where_no_mails_are_sent() {
        fixture.notices.turn(false);

        assertThat(refused(changed(OTTOS_EMAIL)).code()).isEqualTo(Code.EMAIL_TAKEN);
        assertThat(fixture.user(ANNA).orElseThrow().email()).isEqualTo(EMAIL);
    }

    @Test
    void an_address_that_somebody_else_took_meanwhile_is_refused() {
        given(changed(NEW));
        String token = fixture.notices.last(Notice.EmailConfirmation.class).token();
        fixture.domain.store.users().setEmail(OTTO, NEW, true, SampleValues.NOON, null);
        assertThat(refused(fixture.profiles.confirmEmail(token, HERE)).code()).isEqualTo(Code.EMAIL_TAKEN);
        assertThat(fixture.user(ANNA).orElseThrow().email()).isEqualTo(EMAIL);
    }

    @Test
    void the_present_address_ends_what_waits_for_a_confirmation() {
        given(changed(NEW));
        String token = fixture.notices.last(Notice.EmailConfirmation.class).token();

        assertThat(given(changed(EMAIL)).pendingEmail()).isNull();
        assertThat(refused(fixture.profiles.confirmEmail(token, HERE)).code()).isEqualTo(Code.NOT_FOUND);
    }

    @Test
    void a_link_that_resets_the_password_ends_with_the_address_it_was_sent_to() {
        given(fixture.links.reset(EMAIL, "192.0.2.9"));
        String reset = fixture.notices.last(Notice.PasswordReset.class).token();
        given(changed(NEW));

        given(fixture.profiles.confirmEmail(
                fixture.notices.last(Notice.EmailConfirmation.class).token(), HERE));

        assertThat(refused(fixture.passwords.reset(reset, NEXT)).code()).isEqualTo(Code.NOT_FOUND);
    }

    @Test
    void the_choice_of_mails_is_kept_beside_everything_else() {
        fixture.domain.clock.advance(Duration.ofDays(1));

        Profile chosen = fixture.profiles.choose(ANNA, before -> before.withMail(RequestNotices.WITH_AMOUNTS));

        assertThat(chosen.user().notices().mail()).isEqualTo(RequestNotices.WITH_AMOUNTS);
        assertThat(chosen.user().email()).isEqualTo(EMAIL);
        assertThat(fixture.matches(ANNA, PASSWORD)).isTrue();
        assertThat(fixture.user(OTTO).orElseThrow().notices().mail()).isEqualTo(RequestNotices.PLAIN);
    }

    @Test
    void a_confirmation_that_fails_at_any_step_leaves_no_session_beside_a_new_address() {
        boolean isDone = false;
        for (int calls = 0; !isDone; calls++) {
            ProfileFixture failing = new ProfileFixture();
            Session session = failing.session();
            given(failing.profiles.changeEmail(ANNA, new Login(NEW, PASSWORD), HERE));
            String token = failing.notices.last(Notice.EmailConfirmation.class).token();
            failing.domain.store.failingAfter(calls, new Unavailable("The store is away."));
            try {
                failing.profiles.confirmEmail(token, HERE);
                isDone = true;
            } catch (Unavailable away) {
                isDone = false;
            }
            failing.domain.store.failing(null);

            boolean isNew = failing.user(ANNA).orElseThrow().email().equals(NEW);
            assertThat(failing.isOpen(session)).as("after %d calls", calls).isEqualTo(!isNew);
            if (!isNew) {
                assertThat(given(failing.profiles.confirmEmail(token, HERE))
                                .user()
                                .email())
                        .isEqualTo(NEW);
            }
        }
    }

    private Answer<Profile> changed(String email) {
        return fixture.profiles.changeEmail(ANNA, new Login(email, PASSWORD), HERE);
    }
}
