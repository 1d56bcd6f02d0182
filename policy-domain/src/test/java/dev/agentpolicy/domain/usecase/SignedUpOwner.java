package dev.agentpolicy.domain.usecase;

import static dev.agentpolicy.domain.usecase.UseCaseFixture.USER;

import dev.agentpolicy.domain.agent.User;
import dev.agentpolicy.domain.document.Sha256;
import dev.agentpolicy.domain.event.SoftPasskey;
import dev.agentpolicy.domain.event.passkey.Passkey;
import dev.agentpolicy.domain.event.passkey.RelyingParty;
import dev.agentpolicy.domain.port.Notices;
import dev.agentpolicy.domain.port.PlainPasswords;
import dev.agentpolicy.domain.sample.CountingRandomSource;
import dev.agentpolicy.domain.sample.SampleValues;
import dev.agentpolicy.domain.usecase.policy.AmendIps;
import dev.agentpolicy.domain.usecase.signin.ManagePasskeys;
import dev.agentpolicy.domain.usecase.signin.ManagePasskeys.Confirmation;
import dev.agentpolicy.domain.usecase.signin.ManagePasskeys.Invitation;
import dev.agentpolicy.domain.usecase.signin.ManagePasskeys.NewPasskey;
import dev.agentpolicy.domain.usecase.signin.ManagePasskeys.OwnerBrowser;
import dev.agentpolicy.domain.usecase.signin.SignIn;
import dev.agentpolicy.domain.usecase.signin.SignIn.Visitor;
import org.junit.jupiter.api.BeforeEach;

/** Tests of a user who confirms changes with a password or a passkey. */
public abstract class SignedUpOwner {
    public static final RelyingParty PARTY = new RelyingParty(SoftPasskey.RP_ID, SoftPasskey.ORIGIN);
    public static final OwnerBrowser BROWSER = new OwnerBrowser(USER, Visitor.at("192.0.2.1"), PARTY);
    public static final String PASSWORD = "correct horse battery";
    public static final String CALL = Sha256.hex("this call");
    public static final Confirmation NONE = new Confirmation(null, null, CALL);
    public static final Confirmation RIGHT = new Confirmation(PASSWORD, null, CALL);
    public static final Confirmation WRONG = new Confirmation("wrong horse battery", null, CALL);

    public final UseCaseFixture fixture = new UseCaseFixture();
    public final ScheduledAccounts accounts = new ScheduledAccounts(fixture.store, AmendIps::comeIntoForce);
    public final PlainPasswords passwords = new PlainPasswords();
    public final SignIn signIn = new SignIn(
            fixture.store.users(),
            fixture.store.sessions(),
            fixture.store.devices(),
            passwords,
            new CountingRandomSource(),
            fixture.clock,
            Notices.NONE);
    public final ManagePasskeys passkeys = new ManagePasskeys(accounts, fixture.store, fixture.proofs, signIn);
    public final SoftPasskey phone = new SoftPasskey();

    @BeforeEach
    public void signUp() {
        fixture.store.users().add(new User(USER, "anna@example.org", passwords.hash(PASSWORD), SampleValues.NOON));
    }

    public Answer<Passkey> register(SoftPasskey passkey, Confirmation confirmation) {
        String challenge = passkeys.invite(USER).challenge();
        return passkeys.register(BROWSER, new NewPasskey("Phone", passkey.registration(challenge), confirmation));
    }

    public Confirmation signedBy(SoftPasskey passkey) {
        String challenge =
                passkeys.confirm(USER, CALL).fold(Invitation::challenge, withoutPasskey -> passkeys.challenge());
        return new Confirmation(null, passkey.assertion(USER, challenge), CALL);
    }
}
