package dev.agentpolicy.domain.usecase.signin;

import static dev.agentpolicy.domain.usecase.signin.ProfileFixture.ANNA;
import static dev.agentpolicy.domain.usecase.signin.ProfileFixture.HERE;
import static dev.agentpolicy.domain.usecase.signin.ProfileFixture.OTTO;
import static dev.agentpolicy.domain.usecase.signin.ProfileFixture.OTTOS_EMAIL;
import static dev.agentpolicy.domain.usecase.signin.ProfileFixture.PASSWORD;
import static dev.agentpolicy.domain.usecase.signin.ProfileFixture.given;
import static dev.agentpolicy.domain.usecase.signin.ProfileFixture.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.document.Sha256;
import dev.agentpolicy.domain.usecase.Refusal.Code;
import dev.agentpolicy.domain.usecase.signin.ManageSessions.OpenSession;
import dev.agentpolicy.domain.usecase.signin.SignIn.Session;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ManageSessionsTest {
    private final ProfileFixture fixture = new ProfileFixture();

    @Test
    void the_open_sessions_of_a_user_are_listed_newest_first_and_the_asking_one_is_marked() {
        Session older = fixture.session();
        given(fixture.signIn.signIn(new Login(OTTOS_EMAIL, PASSWORD), HERE));
        fixture.domain.clock.advance(Duration.ofMinutes(1));
        fixture.session();

        List<OpenSession> listed = listed(older);

        assertThat(listed).extracting(OpenSession::isThis).containsExactly(false, true);
        assertThat(listed).allMatch(open -> open.session().userId().equals(ANNA));
    }

    @Test
    void a_session_that_has_ended_is_not_listed_even_before_it_is_removed() {
        fixture.session();
        fixture.domain.clock.advance(SignIn.MAX_IDLE);
        Session mine = fixture.session();

        assertThat(listed(mine)).extracting(OpenSession::isThis).containsExactly(true);
    }

    @Test
    void a_session_is_ended_by_its_id_and_only_by_its_user() {
        Session mine = fixture.session();
        UUID id = listed(mine).get(0).session().id();

        assertThat(refused(fixture.sessions.end(OTTO, id)).code()).isEqualTo(Code.NOT_FOUND);
        assertThat(fixture.isOpen(mine)).isTrue();
        assertThat(given(fixture.sessions.end(ANNA, id))).isEqualTo(id);
        assertThat(fixture.isOpen(mine)).isFalse();
        assertThat(refused(fixture.sessions.end(ANNA, id)).code()).isEqualTo(Code.NOT_FOUND);
    }

    @Test
    void all_sessions_but_the_asking_one_are_ended_at_once() {
        Session one = fixture.session();
        Session mine = fixture.session();
        Session ottos = given(fixture.signIn.signIn(new Login(OTTOS_EMAIL, PASSWORD), HERE));

        fixture.sessions.endOthers(ANNA, Sha256.hex(mine.token()));

        assertThat(List.of(fixture.isOpen(one), fixture.isOpen(mine), fixture.isOpen(ottos)))
                .containsExactly(false, true, true);
    }

    private List<OpenSession> listed(Session asking) {
        return fixture.sessions.list(ANNA, Sha256.hex(asking.token()));
    }
}
