package dev.agentpolicy.domain.usecase.policy;

import static dev.agentpolicy.domain.usecase.UseCaseFixture.USER;
import static dev.agentpolicy.domain.usecase.UseCaseFixture.given;
import static dev.agentpolicy.domain.usecase.UseCaseFixture.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.account.Outcome.Recording;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Sha256;
import dev.agentpolicy.domain.event.chain.EventKind;
import dev.agentpolicy.domain.event.chain.PolicyEvent;
import dev.agentpolicy.domain.event.passkey.ChangeProtection;
import dev.agentpolicy.domain.event.passkey.PasskeyAssertion;
import dev.agentpolicy.domain.event.passkey.SentAssertion;
import dev.agentpolicy.domain.event.recompute.PasskeySignatures;
import dev.agentpolicy.domain.ips.Ips;
import dev.agentpolicy.domain.sample.SampleValues;
import dev.agentpolicy.domain.usecase.Answer;
import dev.agentpolicy.domain.usecase.Refusal;
import dev.agentpolicy.domain.usecase.Refusal.Code;
import dev.agentpolicy.domain.usecase.SignedUpOwner;
import dev.agentpolicy.domain.usecase.UseCaseFixture;
import dev.agentpolicy.domain.usecase.policy.AmendIps.Amended;
import dev.agentpolicy.domain.usecase.policy.AmendIps.Amendment;
import dev.agentpolicy.domain.usecase.signin.ConfirmingOwner;
import dev.agentpolicy.domain.usecase.signin.ManagePasskeys;
import dev.agentpolicy.domain.usecase.signin.ManagePasskeys.Confirmation;
import dev.agentpolicy.domain.usecase.upkeep.BringIntoForce;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A policy that its owner confirms with a passkey is recorded with the signature, which is over this change. */
class SignedChangesTest extends SignedUpOwner {
    private static final Duration DELAY = Duration.ofHours(24);
    private static final Ips TIGHT = SampleValues.ips("{\"allowedActions\":[\"sell\"]}");
    private static final Ips LOOSE = SampleValues.plainIps();

    private final AmendIps amend = new AmendIps(accounts, UseCaseFixture.OWNER_LIMITS, Runnable::run);
    private final BringIntoForce sweep = new BringIntoForce(accounts, fixture.store, fixture.clock);

    @BeforeEach
    void furnish() {
        given(amend.put(USER, TIGHT));
        given(register(phone, RIGHT));
    }

    @Test
    void a_policy_is_recorded_with_the_signature_over_its_hash() {
        Amended amended = given(put(signed(LOOSE), LOOSE));

        assertThat(amended.version().version()).isEqualTo(2);
        Document confirmation =
                (Document) fixture.payloads(EventKind.IPS_AMENDED).get(0).get("confirmation");
        Document attested = (Document) confirmation.get("attested");
        assertThat(attested.members().keySet())
                .containsExactlyInAnyOrder(
                        "userId", "kind", "previousIpsVersion", "documentHash", "expiresAt", "nonce");
        assertThat(attested.get("kind")).isEqualTo("ips");
        assertThat(((Document) confirmation.get("passkey")).get("credentialId")).isEqualTo(phone.credentialId());
        assertThat(signedVersions()).containsExactly(2L);
    }

    @Test
    void the_first_policy_is_signed_as_one_that_follows_none() {
        SignedUpOwner newcomer = new SignedUpOwner() {};
        newcomer.signUp();
        given(newcomer.register(phone, RIGHT));
        String challenge = given(newcomer.passkeys.confirm(USER, LOOSE)).challenge();

        given(newcomer.fixture.amendIps.put(
                ConfirmingOwner.of(
                        newcomer.passkeys, BROWSER, new Confirmation(null, phone.assertion(USER, challenge), null)),
                Amendment.of(LOOSE)));

        assertThat(signedVersions(newcomer.fixture.events())).containsExactly(1L);
    }

    @Test
    void a_signature_is_good_for_the_policy_that_was_signed_and_no_other() {
        int rows = fixture.events().size();

        assertThat(refused(put(signed(LOOSE), SampleValues.ips("{\"maxSlippage\":0.5}")))
                        .code())
                .isEqualTo(Code.INVALID_PASSKEY);
        String call = Sha256.hex("another call");
        String challenge = given(passkeys.confirm(USER, call)).challenge();
        assertThat(refused(put(new Confirmation(null, phone.assertion(USER, challenge), null), LOOSE))
                        .code())
                .isEqualTo(Code.INVALID_PASSKEY);
        Confirmation ofChange = signed(LOOSE);
        assertThat(refused(amend.pause(
                                ConfirmingOwner.of(passkeys, BROWSER, new Confirmation(null, ofChange.passkey(), call)),
                                true))
                        .code())
                .as("a change confirms no other call")
                .isEqualTo(Code.INVALID_PASSKEY);
        Confirmation once = signed(LOOSE);
        given(put(once, LOOSE));
        assertThat(refused(put(once, LOOSE)).code()).isEqualTo(Code.INVALID_PASSKEY);
        assertThat(fixture.events()).hasSize(rows + 1);
    }

    @Test
    void a_policy_that_changed_since_it_was_signed_is_read_again() {
        Confirmation signed = signed(LOOSE);
        given(amend.pause(USER, true));

        assertThat(refused(put(signed, LOOSE)).code()).isEqualTo(Code.CHANGED);
        given(put(signed(LOOSE), LOOSE));
        assertThat(signedVersions()).containsExactly(3L);
    }

    @Test
    void what_is_signed_must_be_valid_and_needs_a_passkey() {
        Refusal refused = refused(passkeys.confirm(
                USER,
                SampleValues.ips("{\"standingRules\":[{\"id\":\"a\",\"effect\":\"block\","
                        + "\"when\":{\"symbols\":[\"BTC\",\"BTCUSD\"]}}]}")));

        assertThat(refused.code()).isEqualTo(Code.INVALID);
        UseCaseFixture empty = new UseCaseFixture();
        assertThat(refused(new ManagePasskeys(empty.store, empty.store, empty.proofs, signIn).confirm(USER, LOOSE))
                        .code())
                .isEqualTo(Code.NOT_FOUND);
    }

    @Test
    void a_password_is_not_in_the_log() {
        given(put(new Confirmation(PASSWORD, null, null), LOOSE));

        assertThat(fixture.payloads(EventKind.IPS_AMENDED).get(0).members()).doesNotContainKey("confirmation");
    }

    @Test
    void a_signature_that_would_not_fit_beside_a_policy_is_refused() {
        SentAssertion sent = Objects.requireNonNull(signed(LOOSE).passkey());
        PasskeyAssertion padded = new PasskeyAssertion(
                sent.assertion().credentialId(),
                "A".repeat(4_096),
                sent.assertion().clientDataJson(),
                sent.assertion().signature());

        assertThat(refused(put(new Confirmation(null, new SentAssertion(padded, null), null), LOOSE))
                        .message())
                .contains("too long");
    }

    @Test
    void a_policy_that_waits_keeps_its_signature_although_the_passkey_is_removed_meanwhile() {
        delay();
        assertThat(given(put(signed(LOOSE), LOOSE)).scheduled()).isNotNull();
        given(amend.pause(USER, true));
        given(passkeys.remove(BROWSER, phone.credentialId(), new Confirmation(PASSWORD, null, "")));
        fixture.clock.advance(DELAY);

        assertThat(sweep.sweep()).isEqualTo(1);

        assertThat(signedVersions()).containsExactly(3L);
        assertThat(fixture.payloads(EventKind.IPS_AMENDED).get(1).get("scheduledAt"))
                .isNotNull();
    }

    /** A node whose clock is behind removes the passkey right after another node had it sign a policy that waits. */
    @Test
    void a_passkey_is_never_removed_before_the_policy_that_waits_was_put() {
        delay();
        given(put(signed(LOOSE), LOOSE));
        fixture.clock.advance(Duration.ofSeconds(-3));
        given(passkeys.remove(BROWSER, phone.credentialId(), new Confirmation(PASSWORD, null, "")));
        fixture.clock.advance(DELAY.plusSeconds(3));

        sweep.sweep();

        assertThat(signedVersions()).containsExactly(2L);
    }

    @Test
    void a_policy_whose_asset_has_another_name_by_then_is_dropped() {
        delay();
        Ips naming = SampleValues.ips(
                "{\"standingRules\":[{\"id\":\"a\",\"effect\":\"block\",\"when\":{\"symbols\":[\"FOOUSD\"]}}]}");
        assertThat(given(put(signed(naming), naming)).scheduled()).isNotNull();
        fixture.observe.observe(
                USER,
                UseCaseFixture.setup(
                        "main",
                        "{\"name\":\"Main\",\"kind\":\"paper\",\"cash\":9,\"positions\":[{\"symbol\":\"FOO\","
                                + "\"assetType\":\"crypto\",\"quantity\":\"1\",\"price\":1}]}"));
        fixture.clock.advance(DELAY);

        sweep.sweep();

        ChangeProtection after = fixture.store.view(USER).passkeys().protection();
        assertThat(after.scheduled()).isNull();
        assertThat(after.dropped().reason()).contains("known by another name");
        assertThat(signedVersions()).isEmpty();
    }

    private void delay() {
        fixture.store.change(
                USER,
                account -> new Recording()
                        .passkeys(account.passkeys()
                                .protectedBy(ChangeProtection.NONE.withDelay(
                                        Math.toIntExact(DELAY.toHours()), account.now())))
                        .answer(receipts -> true));
    }

    private Confirmation signed(Ips ips) {
        String challenge = given(passkeys.confirm(USER, ips)).challenge();
        return new Confirmation(null, phone.assertion(USER, challenge), null);
    }

    private Answer<Amended> put(Confirmation sent, Ips ips) {
        return amend.put(ConfirmingOwner.of(passkeys, BROWSER, sent), Amendment.of(ips))
                .toCompletableFuture()
                .join();
    }

    private List<Long> signedVersions() {
        return signedVersions(fixture.events());
    }

    private static List<Long> signedVersions(List<PolicyEvent> rows) {
        PasskeySignatures signatures = new PasskeySignatures(true);
        rows.forEach(row -> assertThat(signatures.row(row)).isEmpty());
        assertThat(signatures.unchecked()).isZero();
        return new ArrayList<>(signatures.versions());
    }
}
