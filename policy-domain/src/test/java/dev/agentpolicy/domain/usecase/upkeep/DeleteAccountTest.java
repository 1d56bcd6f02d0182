package dev.agentpolicy.domain.usecase.upkeep;

import static dev.agentpolicy.domain.usecase.signin.ProfileFixture.ANNA;
import static dev.agentpolicy.domain.usecase.signin.ProfileFixture.HERE;
import static dev.agentpolicy.domain.usecase.signin.ProfileFixture.OTTO;
import static dev.agentpolicy.domain.usecase.signin.ProfileFixture.PASSWORD;
import static dev.agentpolicy.domain.usecase.signin.ProfileFixture.WRONG;
import static dev.agentpolicy.domain.usecase.signin.ProfileFixture.given;
import static dev.agentpolicy.domain.usecase.signin.ProfileFixture.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentpolicy.domain.account.Outcome;
import dev.agentpolicy.domain.account.Unavailable;
import dev.agentpolicy.domain.agent.User;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.SoftPasskey;
import dev.agentpolicy.domain.event.chain.PolicyEvent;
import dev.agentpolicy.domain.event.page.EventQuery;
import dev.agentpolicy.domain.event.passkey.OwnerPasskeys;
import dev.agentpolicy.domain.event.passkey.RelyingParty;
import dev.agentpolicy.domain.port.InMemoryStore;
import dev.agentpolicy.domain.port.JdkSigner;
import dev.agentpolicy.domain.request.ServiceRequest.RequestStatus;
import dev.agentpolicy.domain.sample.SampleValues;
import dev.agentpolicy.domain.usecase.Answer;
import dev.agentpolicy.domain.usecase.Refusal.Code;
import dev.agentpolicy.domain.usecase.ScriptedCustodian;
import dev.agentpolicy.domain.usecase.agent.Caller;
import dev.agentpolicy.domain.usecase.signin.ManagePasskeys;
import dev.agentpolicy.domain.usecase.signin.ManagePasskeys.Confirmation;
import dev.agentpolicy.domain.usecase.signin.ManagePasskeys.OwnerBrowser;
import dev.agentpolicy.domain.usecase.signin.ProfileFixture;
import dev.agentpolicy.domain.usecase.signin.SignIn.Session;
import dev.agentpolicy.domain.usecase.signin.SignIn.Visitor;
import org.junit.jupiter.api.Test;

class DeleteAccountTest {
    private static final String CALL = "hash of the call";
    private static final SoftPasskey PHONE = new SoftPasskey();

    private final ProfileFixture fixture = new ProfileFixture();
    private final InMemoryStore store = fixture.domain.store;
    private final ManagePasskeys passkeys = new ManagePasskeys(store, store, fixture.domain.proofs, fixture.signIn);
    private final DeleteAccount deletion = new DeleteAccount(
            passkeys,
            store,
            fixture.domain.keys,
            fixture.domain.connect,
            store.sessions(),
            store.erasures(),
            new ErasePayloads(store.eventLog(), store.erasures(), new JdkSigner(), fixture.domain.clock),
            store.accountRemoval(),
            fixture.domain.clock);

    @Test
    void what_remains_of_an_account_is_its_chain_without_payloads() {
        Session session = fixture.session();
        Caller agent = fixture.domain.agent("{}");
        long waiting = fixture.domain.queued(agent, "buy 3000 BTC crypto");

        assertThat(given(delete(PASSWORD))).isEqualTo(ANNA);

        assertThat(fixture.user(ANNA)).isEmpty();
        assertThat(fixture.isOpen(session)).isFalse();
        assertThat(fixture.domain.keys.list(ANNA)).isEmpty();
        assertThat(store.requestQueue().find(ANNA, waiting)).isEmpty();
        assertThat(store.view(ANNA).ips()).isNull();
        assertThat(store.view(ANNA).portfolio()).isNull();
        assertThat(fixture.domain.events()).isNotEmpty().allMatch(event -> event.payload() == null);
        assertThat(store.eventLog().page(ANNA, EventQuery.all()).erasures())
                .extracting(entry -> entry.reason())
                .containsExactly(DeleteAccount.REASON);
        assertThat(fixture.user(OTTO)).isPresent();
    }

    @Test
    void its_keys_are_revoked_in_the_chain_before_it_is_gone() {
        fixture.domain.agent("{}");

        given(delete(PASSWORD));

        assertThat(fixture.domain.eventKinds()).endsWith("key.revoked");
    }

    @Test
    void a_passkey_deletes_the_account_also_right_after_a_reset_by_mail() {
        OwnerPasskeys one = OwnerPasskeys.NONE.with(PHONE.registered("phone", SampleValues.NOON));
        store.changeAndWait(
                ANNA, account -> new Outcome.Recording().passkeys(one).answer(receipts -> true));
        store.users().setEmail(ANNA, "next@example.org", true, fixture.domain.clock.instant(), null);
        Confirmation ofAnother = signed("hash of another call");

        assertThat(refused(deletion.delete(by(HERE), ofAnother)).code()).isEqualTo(Code.INVALID_PASSKEY);
        Confirmation signed = signed(CALL);
        assertThat(given(deletion.delete(by(HERE), signed))).isEqualTo(ANNA);
        assertThat(fixture.user(ANNA)).isEmpty();
    }

    @Test
    void after_a_reset_nothing_deletes_an_account_whose_last_passkey_was_removed_since() {
        store.users().setEmail(ANNA, "next@example.org", true, fixture.domain.clock.instant(), null);
        OwnerPasskeys gone = OwnerPasskeys.NONE
                .with(PHONE.registered("phone", SampleValues.NOON))
                .without(PHONE.credentialId(), fixture.domain.clock.instant());
        store.changeAndWait(
                ANNA, account -> new Outcome.Recording().passkeys(gone).answer(receipts -> true));

        assertThat(refused(delete(PASSWORD)).code()).isEqualTo(Code.CONFIRMATION_REQUIRED);
    }

    private Confirmation signed(String call) {
        String challenge = given(passkeys.confirm(ANNA, call)).challenge();
        return new Confirmation(null, PHONE.assertion(ANNA, challenge), CALL);
    }

    @Test
    void a_mailbox_alone_deletes_no_account_that_has_a_passkey() {
        OwnerPasskeys one = OwnerPasskeys.NONE.with(PHONE.registered("phone", SampleValues.NOON));
        store.changeAndWait(
                ANNA, account -> new Outcome.Recording().passkeys(one).answer(receipts -> true));
        store.users().setEmail(ANNA, "next@example.org", true, fixture.domain.clock.instant(), null);

        assertThat(refused(delete(PASSWORD)).code()).isEqualTo(Code.CONFIRMATION_REQUIRED);
        assertThat(fixture.user(ANNA)).isPresent();
        fixture.domain.clock.advance(User.RECOVERY);
        assertThat(given(delete(PASSWORD))).isEqualTo(ANNA);
    }

    @Test
    void a_wrong_password_deletes_nothing() {
        Session session = fixture.session();
        Caller agent = fixture.domain.agent("{}");

        assertThat(refused(delete(WRONG)).code()).isEqualTo(Code.WRONG_PASSWORD);
        assertThat(fixture.isOpen(session)).isTrue();
        assertThat(store.view(ANNA).keys().get(agent.key().id()).isActive(fixture.domain.clock.instant()))
                .isTrue();
    }

    @Test
    void an_order_under_way_keeps_the_account_and_its_sessions() {
        Session session = fixture.session();
        Caller agent = fixture.domain.agent("{}");
        long id = fixture.domain.queued(agent, "buy 3000 BTC crypto");
        fixture.domain.custodian.is(ScriptedCustodian.Mood.AWAY);
        given(fixture.domain.attest.accept(ANNA, id));

        assertThat(refused(delete(PASSWORD)).code()).isEqualTo(Code.ORDER_UNDER_WAY);
        assertThat(fixture.isOpen(session)).isTrue();
        assertThat(fixture.domain.request(id).status()).isEqualTo(RequestStatus.PENDING);
    }

    @Test
    void a_deletion_that_fails_on_the_way_is_finished_by_the_next_one() {
        fixture.domain.agent("{}");
        store.away(true);
        assertThatThrownBy(() -> delete(PASSWORD)).isInstanceOf(Unavailable.class);
        assertThat(fixture.user(ANNA)).isPresent();
        store.away(false);

        given(delete(PASSWORD));

        assertThat(fixture.user(ANNA)).isEmpty();
        assertThat(fixture.domain.events()).extracting(PolicyEvent::payload).containsOnlyNulls();
    }

    @Test
    void a_deletion_that_fails_at_any_step_lets_nobody_in_who_was_out_and_is_finished_by_the_next_one() {
        boolean isDone = false;
        for (int calls = 0; !isDone; calls++) {
            DeleteAccountTest failing = new DeleteAccountTest();
            Session thief = failing.fixture.session();
            Session own = failing.fixture.session();
            Visitor browser = HERE.withSession(own.token());
            failing.fixture.domain.agent("{}");
            failing.fixture.domain.agent("{}");
            failing.store.failingAfter(calls, new Unavailable("The store is away."));
            try {
                given(failing.deletion.delete(by(browser), by(PASSWORD)));
                isDone = true;
            } catch (Unavailable away) {
                failing.store.failing(null);
                boolean isAnyKeyGone = failing.fixture.domain.eventKinds().contains("key.revoked");
                assertThat(isAnyKeyGone && failing.fixture.isOpen(thief))
                        .as("after %d calls", calls)
                        .isFalse();
                given(failing.deletion.delete(by(browser), by(PASSWORD)));
            }
            failing.store.failing(null);
            assertThat(failing.fixture.user(ANNA)).isEmpty();
            assertThat(failing.fixture.isOpen(own)).isFalse();
        }
    }

    private Answer<UserId> delete(String password) {
        return deletion.delete(by(HERE), by(password));
    }

    private static OwnerBrowser by(Visitor visitor) {
        return new OwnerBrowser(ANNA, visitor, new RelyingParty(SoftPasskey.RP_ID, SoftPasskey.ORIGIN));
    }

    private static Confirmation by(String password) {
        return new Confirmation(password, null, CALL);
    }
}
