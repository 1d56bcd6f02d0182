package dev.agentpolicy.domain.usecase.signin;

import static dev.agentpolicy.domain.usecase.signin.ProfileFixture.ANNA;
import static dev.agentpolicy.domain.usecase.signin.ProfileFixture.COMMON;
import static dev.agentpolicy.domain.usecase.signin.ProfileFixture.EMAIL;
import static dev.agentpolicy.domain.usecase.signin.ProfileFixture.NEXT;
import static dev.agentpolicy.domain.usecase.signin.ProfileFixture.OTTO;
import static dev.agentpolicy.domain.usecase.signin.ProfileFixture.OTTOS_EMAIL;
import static dev.agentpolicy.domain.usecase.signin.ProfileFixture.PASSWORD;
import static dev.agentpolicy.domain.usecase.signin.ProfileFixture.given;
import static dev.agentpolicy.domain.usecase.signin.ProfileFixture.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.account.Notice;
import dev.agentpolicy.domain.account.Outcome;
import dev.agentpolicy.domain.account.Unavailable;
import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.document.Problem;
import dev.agentpolicy.domain.event.SoftPasskey;
import dev.agentpolicy.domain.event.chain.EventKind;
import dev.agentpolicy.domain.event.content.EventPayloads;
import dev.agentpolicy.domain.event.passkey.Passkey;
import dev.agentpolicy.domain.event.passkey.RelyingParty;
import dev.agentpolicy.domain.port.AccountReader;
import dev.agentpolicy.domain.usecase.Refusal.Code;
import dev.agentpolicy.domain.usecase.signin.ManagePasskeys.Confirmation;
import dev.agentpolicy.domain.usecase.signin.ManagePasskeys.OwnerBrowser;
import dev.agentpolicy.domain.usecase.signin.SignIn.Session;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ResetPasswordTest {
    private static final String NETWORK = "192.0.2.9";
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final ProfileFixture fixture = new ProfileFixture();

    @Test
    void a_mailed_link_sets_the_password_once_and_ends_all_sessions() {
        Session session = fixture.session();
        String token = asked(EMAIL);

        assertThat(given(fixture.passwords.reset(token, NEXT))).isEqualTo(ANNA);

        assertThat(fixture.matches(ANNA, NEXT)).isTrue();
        assertThat(fixture.isOpen(session)).isFalse();
        assertThat(fixture.notices.of(Notice.PasswordChanged.class)).hasSize(1);
        assertThat(refused(fixture.passwords.reset(token, "another password of mine"))
                        .code())
                .isEqualTo(Code.NOT_FOUND);
        assertThat(fixture.matches(ANNA, NEXT)).isTrue();
    }

    @Test
    void a_link_works_for_an_hour() {
        String token = asked(EMAIL);
        fixture.domain.clock.advance(MailLinks.TOKEN_AGE.minus(SECOND));
        given(fixture.passwords.reset(token, NEXT));
        String late = asked(EMAIL);
        fixture.domain.clock.advance(MailLinks.TOKEN_AGE);

        assertThat(refused(fixture.passwords.reset(late, PASSWORD)).code()).isEqualTo(Code.NOT_FOUND);
    }

    @Test
    void a_further_mail_ends_the_link_of_the_one_before() {
        String first = asked(EMAIL);
        String second = asked(EMAIL);

        assertThat(refused(fixture.passwords.reset(first, NEXT)).code()).isEqualTo(Code.NOT_FOUND);
        assertThat(given(fixture.passwords.reset(second, NEXT))).isEqualTo(ANNA);
    }

    @Test
    void an_address_without_an_account_gets_the_same_answer_and_no_mail() {
        assertThat(given(fixture.links.reset("nobody@example.org", NETWORK))).isEqualTo("nobody@example.org");
        assertThat(fixture.notices.of(Notice.PasswordReset.class)).isEmpty();
    }

    @Test
    void an_address_gets_three_mails_an_hour_and_another_address_its_own_three() {
        for (int i = 0; i < 5; i++) {
            given(fixture.links.reset(EMAIL, NETWORK));
        }
        assertThat(fixture.notices.of(Notice.PasswordReset.class)).hasSize(MailLinks.TO_ADDRESS_PER_HOUR);
        String token = asked(OTTOS_EMAIL);
        assertThat(given(fixture.passwords.reset(token, NEXT))).isEqualTo(OTTO);

        fixture.domain.clock.advance(Duration.ofHours(1));
        asked(EMAIL);
    }

    @Test
    void a_network_that_asks_for_twenty_addresses_an_hour_is_ignored_afterwards() {
        for (int i = 0; i < 20; i++) {
            given(fixture.links.reset("nobody" + i + "@example.org", NETWORK));
        }
        given(fixture.links.reset(EMAIL, NETWORK));
        assertThat(fixture.notices.of(Notice.PasswordReset.class)).isEmpty();

        given(fixture.links.reset(EMAIL, "198.51.100.1"));
        assertThat(fixture.notices.of(Notice.PasswordReset.class)).hasSize(1);
    }

    @Test
    void a_common_password_is_refused_and_the_link_goes_on_working() {
        String token = asked(EMAIL);

        assertThat(refused(fixture.passwords.reset(token, COMMON)).problems())
                .extracting(Problem::field)
                .containsExactly("password");
        given(fixture.passwords.reset(token, NEXT));
    }

    @Test
    void a_link_that_confirms_an_address_sets_no_password() {
        given(fixture.profiles.changeEmail(ANNA, new Login("new@example.org", PASSWORD), ProfileFixture.HERE));
        String token = fixture.notices.last(Notice.EmailConfirmation.class).token();

        assertThat(refused(fixture.passwords.reset(token, NEXT)).code()).isEqualTo(Code.NOT_FOUND);
        assertThat(given(fixture.profiles.confirmEmail(token, ProfileFixture.HERE))
                        .user()
                        .email())
                .isEqualTo("new@example.org");
    }

    @Test
    void whoever_signed_up_with_the_address_of_somebody_else_keeps_no_passkey_and_no_key_after_a_reset() {
        AgentKey key = furnishedByAnother(fixture);
        Session session = fixture.session();

        given(fixture.passwords.reset(asked(EMAIL), NEXT));

        assertThat(account(fixture).passkeys().all()).isEmpty();
        assertThat(isActive(fixture, key)).isFalse();
        assertThat(fixture.isOpen(session)).isFalse();
        assertThat(fixture.domain.payloads(EventKind.KEY_REVOKED))
                .extracting(payload -> payload.get("keyClass"))
                .contains("passkey")
                .hasSize(2);
        // The owner is not shut out by the passkey that was removed.
        ManagePasskeys passkeys =
                new ManagePasskeys(fixture.domain.store, fixture.domain.store, fixture.domain.proofs, fixture.signIn);
        OwnerBrowser browser =
                new OwnerBrowser(ANNA, ProfileFixture.HERE, new RelyingParty(SoftPasskey.RP_ID, SoftPasskey.ORIGIN));
        assertThat(given(passkeys.check(browser, new Confirmation(NEXT, null, "call"))))
                .isEqualTo(ANNA);
    }

    @Test
    void a_reset_of_an_address_that_was_confirmed_leaves_passkeys_and_keys() {
        AgentKey key = furnishedByAnother(fixture);
        given(fixture.passwords.reset(asked(EMAIL), NEXT));
        AgentKey later = furnishedByAnother(fixture);

        given(fixture.passwords.reset(asked(EMAIL), PASSWORD));

        assertThat(account(fixture).passkeys().all()).hasSize(1);
        assertThat(isActive(fixture, key)).isFalse();
        assertThat(isActive(fixture, later)).isTrue();
    }

    @Test
    void a_reset_that_fails_at_any_step_leaves_no_key_beside_a_new_password_and_is_finished_when_it_is_repeated() {
        boolean isDone = false;
        for (int calls = 0; !isDone; calls++) {
            ProfileFixture failing = new ProfileFixture();
            AgentKey key = furnishedByAnother(failing);
            given(failing.links.reset(EMAIL, NETWORK));
            String token = failing.notices.last(Notice.PasswordReset.class).token();
            failing.domain.store.failingAfter(calls, new Unavailable("The store is away."));
            try {
                failing.passwords.reset(token, NEXT);
                isDone = true;
            } catch (Unavailable away) {
                isDone = false;
            }
            failing.domain.store.failing(null);

            if (!failing.matches(ANNA, NEXT)) {
                given(failing.passwords.reset(token, NEXT));
            }
            assertThat(account(failing).passkeys().all())
                    .as("after %d calls", calls)
                    .isEmpty();
            assertThat(isActive(failing, key)).as("after %d calls", calls).isFalse();
        }
    }

    /** Registers a passkey and mints a key in Anna's account. */
    private static AgentKey furnishedByAnother(ProfileFixture of) {
        Passkey passkey = new SoftPasskey().registered("Phone", of.domain.clock.instant());
        of.domain.store.changeAndWait(
                ANNA,
                account -> new Outcome.Recording()
                        .passkeys(account.passkeys().with(passkey))
                        .event(EventPayloads.passkey(EventKind.KEY_MINTED, passkey))
                        .answer(receipts -> passkey));
        return of.domain.mint("live", "\"read\"", "{}").key();
    }

    private static AccountReader.AccountView account(ProfileFixture of) {
        return of.domain.store.view(ANNA);
    }

    private static boolean isActive(ProfileFixture of, AgentKey key) {
        return account(of).keys().values().stream()
                .anyMatch(each -> each.id().equals(key.id()) && each.isActive(of.domain.clock.instant()));
    }

    @Test
    void a_service_without_mails_says_so() {
        String token = asked(EMAIL);
        fixture.notices.turn(false);

        assertThat(refused(fixture.links.reset(EMAIL, NETWORK)).code()).isEqualTo(Code.NOT_FOUND);
        assertThat(refused(fixture.passwords.reset(token, NEXT)).code()).isEqualTo(Code.NOT_FOUND);
        assertThat(fixture.matches(ANNA, PASSWORD)).isTrue();
    }

    /** Asks for a mail, and returns the token of its link. */
    private String asked(String email) {
        int before = fixture.notices.of(Notice.PasswordReset.class).size();
        given(fixture.links.reset(email, NETWORK));
        assertThat(fixture.notices.of(Notice.PasswordReset.class)).hasSize(before + 1);
        return fixture.notices.last(Notice.PasswordReset.class).token();
    }
}
