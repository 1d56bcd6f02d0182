package dev.agentpolicy.domain.usecase.signin;

import static dev.agentpolicy.domain.usecase.UseCaseFixture.given;
import static dev.agentpolicy.domain.usecase.UseCaseFixture.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.account.Outcome.Recording;
import dev.agentpolicy.domain.agent.User;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.document.Sha256;
import dev.agentpolicy.domain.event.SoftPasskey;
import dev.agentpolicy.domain.event.SoftPasskey.Circumstances;
import dev.agentpolicy.domain.event.canonical.CanonicalForm;
import dev.agentpolicy.domain.event.chain.EventKind;
import dev.agentpolicy.domain.event.passkey.AttestedRequest;
import dev.agentpolicy.domain.event.passkey.ChangeProtection;
import dev.agentpolicy.domain.event.passkey.OwnerPasskeys;
import dev.agentpolicy.domain.event.passkey.Passkey;
import dev.agentpolicy.domain.port.signin.MailTokens;
import dev.agentpolicy.domain.port.signin.MailTokens.MailToken;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.sample.SampleValues;
import dev.agentpolicy.domain.usecase.Answer;
import dev.agentpolicy.domain.usecase.Refusal.Code;
import dev.agentpolicy.domain.usecase.SignedUpOwner;
import dev.agentpolicy.domain.usecase.UseCaseFixture;
import dev.agentpolicy.domain.usecase.signin.ManagePasskeys.Confirmation;
import dev.agentpolicy.domain.usecase.signin.ManagePasskeys.Demands;
import dev.agentpolicy.domain.usecase.signin.ManagePasskeys.NewPasskey;
import dev.agentpolicy.domain.usecase.signin.SignIn.Session;
import dev.agentpolicy.domain.usecase.signin.SignIn.Visitor;
import java.time.Duration;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Passkeys of a user: registered, removed, demanded, and signed in with. */
class ManagePasskeysTest extends SignedUpOwner {
    private static final UserId USER = UseCaseFixture.USER;
    private static final UserId OTHER = new UserId(UUID.fromString("00000000-0000-4000-8000-000000000002"));
    private static final Visitor HERE = Visitor.at("192.0.2.1");

    private final SoftPasskey laptop = new SoftPasskey();

    @BeforeEach
    void signUpOther() {
        fixture.store.users().add(new User(OTHER, "otto@example.org", passwords.hash(PASSWORD), SampleValues.NOON));
    }

    @Test
    void the_first_passkey_needs_the_session_only_and_is_recorded_with_its_key() {
        Passkey registered = given(register(phone, NONE));

        assertThat(registered).isEqualTo(phone.registered("Phone", SampleValues.NOON));
        assertThat(passkeys.of(USER).all()).containsExactly(registered);
        var minted = fixture.payloads(EventKind.KEY_MINTED);
        assertThat(minted).hasSize(1);
        assertThat(minted.get(0).get("keyClass")).isEqualTo("passkey");
        assertThat(minted.get(0).get("credentialId")).isEqualTo(phone.credentialId());
    }

    @Test
    void every_further_passkey_needs_the_password_or_a_passkey() {
        given(register(phone, NONE));

        assertThat(refused(register(laptop, NONE)).code()).isEqualTo(Code.CONFIRMATION_REQUIRED);
        assertThat(refused(register(laptop, WRONG)).code()).isEqualTo(Code.CONFIRMATION_REQUIRED);
        assertThat(refused(register(laptop, signedBy(laptop))).code()).isEqualTo(Code.INVALID_PASSKEY);
        assertThat(passkeys.of(USER).all()).hasSize(1);
        given(register(laptop, signedBy(phone)));
        given(register(new SoftPasskey(), RIGHT));

        assertThat(passkeys.of(USER).all()).hasSize(3);
        assertThat(passkeys.of(USER).find(phone.credentialId()).orElseThrow().lastUsedAt())
                .isEqualTo(SampleValues.NOON);
    }

    @Test
    void wrong_passwords_of_confirmations_count_towards_the_limit_of_sign_ins() {
        given(register(phone, NONE));
        IntStream.range(0, 5).forEach(i -> refused(register(laptop, WRONG)));

        assertThat(refused(register(laptop, RIGHT)).code()).isEqualTo(Code.SIGN_IN_THROTTLED);
    }

    @Test
    void a_passkey_is_registered_once() {
        given(register(phone, NONE));

        assertThat(refused(register(phone, RIGHT)).code()).isEqualTo(Code.INVALID_PASSKEY);
        assertThat(passkeys.invite(USER).registered()).hasSize(1);
    }

    @Test
    void a_user_has_at_most_twenty_passkeys() {
        OwnerPasskeys full = OwnerPasskeys.NONE;
        for (int i = 0; i < OwnerPasskeys.MAX; i++) {
            full = full.with(new SoftPasskey().registered("Key " + i, SampleValues.NOON));
        }
        OwnerPasskeys all = full;
        fixture.store.change(USER, account -> new Recording().passkeys(all).answer(receipts -> all));

        assertThat(refused(register(phone, RIGHT)).code()).isEqualTo(Code.TOO_MANY);
    }

    @Test
    void a_challenge_registers_once_for_its_user_and_only_until_it_ends() {
        String challenge = passkeys.invite(USER).challenge();
        given(register(phone, challenge));
        assertThat(refused(register(laptop, challenge)).code()).isEqualTo(Code.INVALID_PASSKEY);

        assertThat(refused(register(laptop, passkeys.invite(OTHER).challenge())).code())
                .isEqualTo(Code.INVALID_PASSKEY);
        assertThat(refused(register(laptop, passkeys.challenge())).code()).isEqualTo(Code.INVALID_PASSKEY);
        String late = passkeys.invite(USER).challenge();
        fixture.clock.advance(AttestedRequest.MAX_AGE);
        assertThat(refused(register(laptop, late)).code()).isEqualTo(Code.INVALID_PASSKEY);
        assertThat(passkeys.of(USER).all()).hasSize(1);
    }

    @Test
    void removing_a_passkey_needs_a_confirmation_and_is_recorded() {
        given(register(phone, NONE));

        assertThat(refused(passkeys.remove(BROWSER, laptop.credentialId(), RIGHT))
                        .code())
                .isEqualTo(Code.NOT_FOUND);
        assertThat(refused(passkeys.remove(BROWSER, phone.credentialId(), NONE)).code())
                .isEqualTo(Code.CONFIRMATION_REQUIRED);
        given(passkeys.remove(BROWSER, phone.credentialId(), signedBy(phone)));

        assertThat(passkeys.of(USER).all()).isEmpty();
        assertThat(fixture.payloads(EventKind.KEY_REVOKED))
                .extracting(payload -> payload.get("credentialId"))
                .containsExactly(phone.credentialId());
        given(register(laptop, NONE));
    }

    @Test
    void only_a_threshold_that_demands_less_needs_a_confirmation() {
        given(register(phone, NONE));
        assertThat(given(passkeys.demand(BROWSER, Demands.above(Usd.of(100)), NONE))
                        .passkeys()
                        .above())
                .isEqualTo(Usd.of(100));
        assertThat(given(passkeys.demand(BROWSER, Demands.above(Usd.of(50)), NONE))
                        .passkeys()
                        .above())
                .isEqualTo(Usd.of(50));

        assertThat(refused(passkeys.demand(BROWSER, Demands.above(Usd.of(51)), NONE))
                        .code())
                .isEqualTo(Code.CONFIRMATION_REQUIRED);
        assertThat(refused(passkeys.demand(BROWSER, Demands.above(null), WRONG)).code())
                .isEqualTo(Code.CONFIRMATION_REQUIRED);
        assertThat(passkeys.of(USER).above()).isEqualTo(Usd.of(50));
        assertThat(given(passkeys.demand(BROWSER, Demands.above(null), RIGHT))
                        .passkeys()
                        .above())
                .isNull();
    }

    @Test
    void without_a_passkey_every_other_threshold_needs_the_password() {
        assertThat(refused(passkeys.demand(BROWSER, Demands.above(Usd.ZERO), NONE))
                        .code())
                .isEqualTo(Code.CONFIRMATION_REQUIRED);
        assertThat(given(passkeys.demand(BROWSER, Demands.above(null), NONE))
                        .passkeys()
                        .above())
                .isNull();
        given(passkeys.demand(BROWSER, Demands.above(Usd.of(100)), RIGHT));
        assertThat(refused(passkeys.demand(BROWSER, Demands.above(Usd.of(99)), NONE))
                        .code())
                .isEqualTo(Code.CONFIRMATION_REQUIRED);
        given(passkeys.demand(BROWSER, Demands.above(Usd.of(100)), NONE));

        assertThat(passkeys.of(USER).above()).isEqualTo(Usd.of(100));
    }

    @Test
    void changes_are_confirmed_from_when_anybody_says_so_until_the_owner_says_otherwise() {
        Demands on = new Demands(false, null, true, null);
        Demands off = new Demands(false, null, false, null);

        assertThat(given(passkeys.demand(BROWSER, on, NONE))
                        .passkeys()
                        .protection()
                        .confirms())
                .isTrue();
        assertThat(refused(register(phone, NONE)).code())
                .as("the first passkey")
                .isEqualTo(Code.CONFIRMATION_REQUIRED);
        given(register(phone, RIGHT));
        given(passkeys.demand(BROWSER, Demands.above(Usd.of(50)), NONE));
        assertThat(refused(passkeys.demand(BROWSER, off, NONE)).code()).isEqualTo(Code.CONFIRMATION_REQUIRED);
        assertThat(refused(passkeys.demand(BROWSER, off, WRONG)).code()).isEqualTo(Code.CONFIRMATION_REQUIRED);
        assertThat(passkeys.of(USER).protection().confirms()).isTrue();
        assertThat(passkeys.of(USER).above()).isEqualTo(Usd.of(50));

        given(passkeys.demand(BROWSER, off, signedBy(phone)));
        assertThat(passkeys.of(USER).protection()).isEqualTo(ChangeProtection.NONE);
        assertThat(passkeys.of(USER).above()).isEqualTo(Usd.of(50));
    }

    @Test
    void a_delay_is_raised_at_once_and_lowered_after_itself() {
        given(passkeys.demand(BROWSER, delay(48), NONE));
        assertThat(delay()).isEqualTo(Duration.ofHours(48));

        given(passkeys.demand(BROWSER, delay(0), NONE));
        fixture.clock.advance(Duration.ofHours(40));
        given(passkeys.demand(BROWSER, delay(0), NONE));
        assertThat(delay()).isEqualTo(Duration.ofHours(48));
        fixture.clock.advance(Duration.ofHours(8).minusNanos(1000));
        assertThat(delay()).isEqualTo(Duration.ofHours(48));
        fixture.clock.advance(Duration.ofNanos(1000));
        assertThat(delay()).isZero();

        given(passkeys.demand(BROWSER, delay(24), NONE));
        given(passkeys.demand(BROWSER, delay(12), NONE));
        given(passkeys.demand(BROWSER, delay(168), NONE));
        fixture.clock.advance(Duration.ofHours(24));
        assertThat(delay()).as("the lower one is gone").isEqualTo(Duration.ofHours(168));
    }

    @Test
    void where_changes_are_confirmed_a_shorter_delay_is() {
        given(passkeys.demand(BROWSER, new Demands(false, null, true, 24), NONE));

        given(passkeys.demand(BROWSER, delay(36), NONE));
        assertThat(refused(passkeys.demand(BROWSER, delay(35), NONE)).code()).isEqualTo(Code.CONFIRMATION_REQUIRED);
        given(passkeys.demand(BROWSER, delay(35), RIGHT));
        assertThat(refused(passkeys.demand(BROWSER, delay(34), NONE)).code()).isEqualTo(Code.CONFIRMATION_REQUIRED);
        given(passkeys.demand(BROWSER, delay(36), NONE));
        fixture.clock.advance(Duration.ofHours(36));

        assertThat(delay()).isEqualTo(Duration.ofHours(36));
    }

    private static Demands delay(int hours) {
        return new Demands(false, null, null, hours);
    }

    private Duration delay() {
        return passkeys.of(USER).protection().delay(fixture.clock.instant());
    }

    @Test
    void what_is_asked_of_changes_is_stored_only_where_it_is() {
        ChangeProtection asked = ChangeProtection.NONE
                .confirming(true)
                .withDelay(24, SampleValues.NOON)
                .withDelay(0, SampleValues.NOON);
        OwnerPasskeys stored = OwnerPasskeys.NONE.protectedBy(asked);

        assertThat(OwnerPasskeys.STORED.write(OwnerPasskeys.NONE)).containsOnlyKeys("passkeys", "above");
        String text = CanonicalForm.writeStored(OwnerPasskeys.STORED.write(stored));
        assertThat(OwnerPasskeys.STORED.readStored(CanonicalForm.readStored(text)))
                .isEqualTo(stored);
    }

    @Test
    void a_confirmation_that_is_sent_is_checked_where_none_is_needed() {
        assertThat(refused(register(phone, WRONG)).code()).isEqualTo(Code.CONFIRMATION_REQUIRED);
        given(register(phone, NONE));
        given(passkeys.demand(BROWSER, Demands.above(Usd.of(100)), NONE));

        assertThat(refused(passkeys.demand(BROWSER, Demands.above(Usd.of(50)), WRONG))
                        .code())
                .isEqualTo(Code.CONFIRMATION_REQUIRED);
        assertThat(refused(passkeys.demand(BROWSER, Demands.above(Usd.of(50)), signedBy(laptop)))
                        .code())
                .isEqualTo(Code.INVALID_PASSKEY);
        assertThat(passkeys.of(USER).above()).isEqualTo(Usd.of(100));
    }

    @Test
    void a_signature_confirms_the_call_that_it_was_asked_for_and_is_no_sign_in() {
        given(register(phone, NONE));
        String other = Sha256.hex("another call");

        assertThat(refused(register(laptop, signedBy(phone, other))).code()).isEqualTo(Code.INVALID_PASSKEY);
        Confirmation signIn = new Confirmation(null, phone.assertion(USER, passkeys.challenge()), CALL);
        assertThat(refused(register(laptop, signIn)).code()).isEqualTo(Code.INVALID_PASSKEY);
        String challenge = given(passkeys.confirm(USER, CALL)).challenge();
        assertThat(refused(signIn(phone, challenge, new Circumstances())).code())
                .isEqualTo(Code.INVALID_PASSKEY);
        Confirmation once = signedBy(phone);
        given(register(laptop, once));
        assertThat(refused(register(new SoftPasskey(), once)).code()).isEqualTo(Code.INVALID_PASSKEY);
        Confirmation late = signedBy(phone);
        fixture.clock.advance(AttestedRequest.MAX_AGE);
        assertThat(refused(register(new SoftPasskey(), late)).code()).isEqualTo(Code.INVALID_PASSKEY);
        assertThat(refused(passkeys.confirm(OTHER, CALL)).code()).isEqualTo(Code.NOT_FOUND);
    }

    @Test
    void a_mailbox_alone_removes_no_passkey() {
        given(register(phone, NONE));
        given(passkeys.demand(BROWSER, Demands.above(Usd.ZERO), NONE));
        resetByMail();

        assertThat(refused(passkeys.remove(BROWSER, phone.credentialId(), RIGHT))
                        .code())
                .isEqualTo(Code.CONFIRMATION_REQUIRED);
        assertThat(refused(passkeys.demand(BROWSER, Demands.above(null), RIGHT)).message())
                .isEqualTo(
                        "Your password was reset, or your address changed, within the last 24 hours; confirm this with"
                                + " one of your passkeys.");
        assertThat(refused(register(laptop, RIGHT)).code()).isEqualTo(Code.CONFIRMATION_REQUIRED);
        given(register(laptop, signedBy(phone)));
        fixture.clock.advance(User.RECOVERY.minusNanos(1000));
        assertThat(refused(passkeys.demand(BROWSER, Demands.above(null), RIGHT)).code())
                .isEqualTo(Code.CONFIRMATION_REQUIRED);
        fixture.clock.advance(Duration.ofNanos(1000));

        given(passkeys.demand(BROWSER, Demands.above(null), RIGHT));
    }

    @Test
    void after_a_reset_a_password_does_not_do_where_the_last_passkey_was_removed() {
        given(register(phone, NONE));
        resetByMail();
        fixture.clock.advance(Duration.ofHours(1));
        given(passkeys.remove(BROWSER, phone.credentialId(), signedBy(phone)));

        assertThat(refused(passkeys.demand(BROWSER, Demands.above(Usd.of(1)), RIGHT))
                        .message())
                .endsWith("and your last passkey was removed since; wait until they are over.");
        assertThat(refused(register(laptop, RIGHT)).code()).isEqualTo(Code.CONFIRMATION_REQUIRED);
        fixture.clock.advance(User.RECOVERY.minusHours(1));
        given(register(laptop, NONE));
    }

    @Test
    void after_a_reset_or_a_changed_address_the_first_passkey_needs_the_password() {
        given(register(phone, NONE));
        given(passkeys.remove(BROWSER, phone.credentialId(), RIGHT));
        fixture.clock.advance(Duration.ofHours(1));
        fixture.store.users().setEmail(USER, "next@example.org", true, fixture.clock.instant(), null);

        assertThat(refused(register(laptop, NONE)).code()).isEqualTo(Code.CONFIRMATION_REQUIRED);
        given(register(laptop, RIGHT));
    }

    private void resetByMail() {
        String token = Sha256.hex("token");
        fixture.store
                .mailTokens()
                .store(
                        token,
                        new MailToken(
                                USER,
                                MailTokens.Purpose.PASSWORD_RESET,
                                "anna@example.org",
                                fixture.clock.instant().plusSeconds(1)));
        fixture.store.users().resetPassword(token, fixture.clock.instant(), passwords.hash(PASSWORD));
    }

    @Test
    void a_user_is_recognised_by_a_passkey_and_signed_in() {
        given(register(phone, NONE));
        fixture.clock.advance(Duration.ofMinutes(1));

        Session session = given(signIn(phone, passkeys.challenge(), new Circumstances()));

        assertThat(signIn.user(session.token()).orElseThrow().id()).isEqualTo(USER);
        assertThat(fixture.store.sessions().find(Sha256.hex(session.token()))).isPresent();
        assertThat(passkeys.of(USER).all().get(0).lastUsedAt())
                .isEqualTo(SampleValues.NOON.plus(Duration.ofMinutes(1)));
    }

    @Test
    void a_challenge_signs_in_once() {
        given(register(phone, NONE));
        String challenge = passkeys.challenge();
        given(signIn(phone, challenge, new Circumstances()));

        assertThat(refused(signIn(phone, challenge, new Circumstances())).code())
                .isEqualTo(Code.INVALID_PASSKEY);
    }

    @Test
    void a_challenge_is_used_up_by_a_signature_that_is_refused() {
        given(register(phone, NONE));
        String challenge = passkeys.challenge();
        refused(signIn(phone, challenge, new Circumstances().unverified()));

        assertThat(refused(signIn(phone, challenge, new Circumstances())).code())
                .isEqualTo(Code.INVALID_PASSKEY);
    }

    @Test
    void nobody_is_recognised_by_a_passkey_of_another_account_origin_or_time() {
        given(register(phone, NONE));

        assertThat(refused(signIn(laptop, passkeys.challenge(), new Circumstances()))
                        .code())
                .isEqualTo(Code.INVALID_PASSKEY);
        assertThat(refused(passkeys.signIn(phone.assertion(OTHER, passkeys.challenge()), PARTY, HERE))
                        .code())
                .isEqualTo(Code.INVALID_PASSKEY);
        assertThat(refused(signIn(phone, passkeys.challenge(), new Circumstances().origin("http://localhost:1")))
                        .code())
                .isEqualTo(Code.INVALID_PASSKEY);
        String late = passkeys.challenge();
        fixture.clock.advance(AttestedRequest.MAX_AGE);
        assertThat(refused(signIn(phone, late, new Circumstances())).code()).isEqualTo(Code.INVALID_PASSKEY);
    }

    private Answer<Passkey> register(SoftPasskey one, String challenge) {
        return passkeys.register(BROWSER, new NewPasskey("Phone", one.registration(challenge), RIGHT));
    }

    private Confirmation signedBy(SoftPasskey one, String call) {
        String challenge = given(passkeys.confirm(USER, call)).challenge();
        return new Confirmation(null, one.assertion(USER, challenge), CALL);
    }

    private Answer<Session> signIn(SoftPasskey one, String challenge, Circumstances how) {
        return passkeys.signIn(one.assertion(USER, challenge, how), PARTY, HERE);
    }
}
