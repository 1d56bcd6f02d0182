package dev.agentpolicy.domain.usecase.signin;

import static dev.agentpolicy.domain.usecase.signin.ProfileFixture.ANNA;
import static dev.agentpolicy.domain.usecase.signin.ProfileFixture.COMMON;
import static dev.agentpolicy.domain.usecase.signin.ProfileFixture.EMAIL;
import static dev.agentpolicy.domain.usecase.signin.ProfileFixture.HERE;
import static dev.agentpolicy.domain.usecase.signin.ProfileFixture.NEXT;
import static dev.agentpolicy.domain.usecase.signin.ProfileFixture.PASSWORD;
import static dev.agentpolicy.domain.usecase.signin.ProfileFixture.WRONG;
import static dev.agentpolicy.domain.usecase.signin.ProfileFixture.given;
import static dev.agentpolicy.domain.usecase.signin.ProfileFixture.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.account.Notice;
import dev.agentpolicy.domain.account.Unavailable;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.document.Problem;
import dev.agentpolicy.domain.document.Sha256;
import dev.agentpolicy.domain.port.signin.MailTokens.Purpose;
import dev.agentpolicy.domain.sample.SampleValues;
import dev.agentpolicy.domain.usecase.Answer;
import dev.agentpolicy.domain.usecase.Refusal.Code;
import dev.agentpolicy.domain.usecase.signin.ChangePassword.PasswordChange;
import dev.agentpolicy.domain.usecase.signin.SignIn.Session;
import dev.agentpolicy.domain.usecase.signin.SignIn.Visitor;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class ChangePasswordTest {
    private static final PasswordChange CHANGE = new PasswordChange(PASSWORD, NEXT);

    private final ProfileFixture fixture = new ProfileFixture();

    @Test
    void a_changed_password_ends_all_sessions_and_forgets_all_devices_but_those_of_the_browser_that_changed_it() {
        Session other = fixture.session();
        Session mine = fixture.session();
        Visitor browser = HERE.withSession(mine.token()).withDevice(mine.device());

        assertThat(given(fixture.passwords.change(ANNA, new PasswordChange(PASSWORD, NEXT), browser)))
                .isEqualTo(ANNA);

        assertThat(fixture.matches(ANNA, NEXT)).isTrue();
        assertThat(fixture.isOpen(mine)).isTrue();
        assertThat(fixture.isOpen(other)).isFalse();
        assertThat(isKnown(mine)).isTrue();
        assertThat(isKnown(other)).isFalse();
        assertThat(fixture.notices.of(Notice.PasswordChanged.class))
                .containsExactly(new Notice.PasswordChanged(SampleValues.NOON));
    }

    @Test
    void a_wrong_present_password_changes_nothing_and_counts_like_a_wrong_sign_in() {
        Session other = fixture.session();
        for (int i = 0; i < 5; i++) {
            assertThat(refused(fixture.passwords.change(ANNA, new PasswordChange(WRONG, NEXT), HERE))
                            .code())
                    .isEqualTo(Code.WRONG_PASSWORD);
        }

        assertThat(refused(fixture.passwords.change(ANNA, new PasswordChange(PASSWORD, NEXT), HERE))
                        .code())
                .isEqualTo(Code.SIGN_IN_THROTTLED);
        assertThat(fixture.matches(ANNA, PASSWORD)).isTrue();
        assertThat(fixture.isOpen(other)).isTrue();
        assertThat(fixture.notices.of(Notice.PasswordChanged.class)).isEmpty();
    }

    @Test
    void a_common_password_is_refused_before_the_present_one_is_compared() {
        assertThat(refused(fixture.passwords.change(ANNA, new PasswordChange(WRONG, COMMON), HERE))
                        .problems())
                .extracting(Problem::field)
                .containsExactly("new");
    }

    @Test
    void links_that_were_mailed_before_the_change_work_no_more() {
        given(fixture.links.reset(EMAIL, "192.0.2.9"));
        String token = fixture.notices.last(Notice.PasswordReset.class).token();

        given(fixture.passwords.change(ANNA, new PasswordChange(PASSWORD, NEXT), HERE));

        assertThat(refused(fixture.passwords.reset(token, "the password of a thief"))
                        .code())
                .isEqualTo(Code.NOT_FOUND);
        assertThat(fixture.matches(ANNA, NEXT)).isTrue();
    }

    @Test
    void a_change_that_fails_at_any_step_leaves_no_session_of_a_thief_beside_a_new_password() {
        for (int step = 0; !failsAfter(step, fixture -> fixture.passwords.change(ANNA, CHANGE, HERE)); step++) {}
    }

    @Test
    void a_reset_that_fails_at_any_step_leaves_no_session_of_a_thief_beside_a_new_password() {
        for (int step = 0; !failsAfter(step, fixture -> reset(fixture)); step++) {}
    }

    private static Answer<UserId> reset(ProfileFixture fixture) {
        return fixture.passwords.reset(
                fixture.notices.last(Notice.PasswordReset.class).token(), NEXT);
    }

    /** Has the store fail after some of its calls, and succeed again; returns whether nothing failed. */
    private static boolean failsAfter(int calls, Function<ProfileFixture, Answer<UserId>> change) {
        ProfileFixture fixture = new ProfileFixture();
        Session thief = fixture.session();
        given(fixture.links.reset(EMAIL, "192.0.2.9"));
        String link = fixture.notices.last(Notice.PasswordReset.class).token();
        fixture.domain.store.failingAfter(calls, new Unavailable("The store is away."));
        boolean isDone;
        try {
            given(change.apply(fixture));
            isDone = true;
        } catch (Unavailable away) {
            isDone = false;
        }
        fixture.domain.store.failing(null);

        boolean isNew = fixture.matches(ANNA, NEXT);
        // What is removed once more after a reset may fail; the password is new then.
        assertThat(isNew || !isDone).as("after %d calls", calls).isTrue();
        assertThat(fixture.isOpen(thief)).isEqualTo(!isNew);
        assertThat(isKnown(fixture, thief)).isEqualTo(!isNew);
        assertThat(fixture.domain
                        .store
                        .mailTokens()
                        .find(Sha256.hex(link), Purpose.PASSWORD_RESET, SampleValues.NOON)
                        .isPresent())
                .isEqualTo(!isNew);
        return isDone;
    }

    private boolean isKnown(Session session) {
        return isKnown(fixture, session);
    }

    private static boolean isKnown(ProfileFixture fixture, Session session) {
        return fixture.domain
                .store
                .devices()
                .find(Sha256.hex(session.device()), SampleValues.NOON.minusSeconds(1))
                .isPresent();
    }
}
