package dev.agentpolicy.domain.usecase.profile;

import static dev.agentpolicy.domain.usecase.profile.ProfileFixture.ANNA;
import static dev.agentpolicy.domain.usecase.profile.ProfileFixture.COMMON;
import static dev.agentpolicy.domain.usecase.profile.ProfileFixture.EMAIL;
import static dev.agentpolicy.domain.usecase.profile.ProfileFixture.HERE;
import static dev.agentpolicy.domain.usecase.profile.ProfileFixture.NEXT;
import static dev.agentpolicy.domain.usecase.profile.ProfileFixture.PASSWORD;
import static dev.agentpolicy.domain.usecase.profile.ProfileFixture.WRONG;
import static dev.agentpolicy.domain.usecase.profile.ProfileFixture.given;
import static dev.agentpolicy.domain.usecase.profile.ProfileFixture.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.account.Notice;
import dev.agentpolicy.domain.document.Problem;
import dev.agentpolicy.domain.document.Sha256;
import dev.agentpolicy.domain.sample.SampleValues;
import dev.agentpolicy.domain.usecase.Refusal.Code;
import dev.agentpolicy.domain.usecase.signin.SignIn.Session;
import dev.agentpolicy.domain.usecase.signin.SignIn.Visitor;
import org.junit.jupiter.api.Test;

class ChangePasswordTest {
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
        given(fixture.resets.request(EMAIL, "192.0.2.9"));
        String token = fixture.notices.last(Notice.PasswordReset.class).token();

        given(fixture.passwords.change(ANNA, new PasswordChange(PASSWORD, NEXT), HERE));

        assertThat(refused(fixture.resets.reset(token, "the password of a thief"))
                        .code())
                .isEqualTo(Code.NOT_FOUND);
        assertThat(fixture.matches(ANNA, NEXT)).isTrue();
    }

    private boolean isKnown(Session session) {
        return fixture.domain
                .store
                .devices()
                .find(Sha256.hex(session.device()), SampleValues.NOON.minusSeconds(1))
                .isPresent();
    }
}
