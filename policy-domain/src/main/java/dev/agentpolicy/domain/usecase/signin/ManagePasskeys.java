package dev.agentpolicy.domain.usecase.signin;

import dev.agentpolicy.domain.account.Account;
import dev.agentpolicy.domain.account.Outcome;
import dev.agentpolicy.domain.agent.User;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.document.Decimals;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Fields;
import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.event.chain.EventKind;
import dev.agentpolicy.domain.event.content.EventPayloads;
import dev.agentpolicy.domain.event.passkey.AttestedChange;
import dev.agentpolicy.domain.event.passkey.AttestedChange.SignedChange;
import dev.agentpolicy.domain.event.passkey.ChangeProtection;
import dev.agentpolicy.domain.event.passkey.OwnerPasskeys;
import dev.agentpolicy.domain.event.passkey.Passkey;
import dev.agentpolicy.domain.event.passkey.PasskeyRegistration;
import dev.agentpolicy.domain.event.passkey.RelyingParty;
import dev.agentpolicy.domain.event.passkey.SentAssertion;
import dev.agentpolicy.domain.ips.CanonicalIps;
import dev.agentpolicy.domain.ips.Ips;
import dev.agentpolicy.domain.ips.IpsVersion;
import dev.agentpolicy.domain.port.AccountReader;
import dev.agentpolicy.domain.port.AccountReader.AccountView;
import dev.agentpolicy.domain.port.Accounts;
import dev.agentpolicy.domain.port.signin.PasskeyChallenges.Purpose;
import dev.agentpolicy.domain.port.signin.PasskeyVerifier.NewCredential;
import dev.agentpolicy.domain.portfolio.KnownAssets;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.usecase.Answer;
import dev.agentpolicy.domain.usecase.Refusal;
import dev.agentpolicy.domain.usecase.signin.PasskeyProofs.TakenAssertion;
import dev.agentpolicy.domain.usecase.signin.SignIn.Session;
import dev.agentpolicy.domain.usecase.signin.SignIn.Visitor;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Registers and removes the passkeys of a user, signs in with them, and sets what is demanded of acceptances and of changes
 * (docs/reference/passkeys.md). Methods block.
 */
public record ManagePasskeys(Accounts accounts, AccountReader reader, PasskeyProofs proofs, SignIn signIn) {
    private static final String MEMBER = "confirmation";
    private static final Refusal NO_PASSKEY =
            Refusal.of(Refusal.Code.NOT_FOUND, "You have no passkey; use your password.");

    /**
     * The browser of a user who manages passkeys.
     *
     * @param user who is signed in
     * @param visitor the browser
     * @param party the console
     */
    public record OwnerBrowser(UserId user, Visitor visitor, RelyingParty party) {}

    /**
     * The password or passkey assertion that confirms a sensitive call. The password is never printed.
     *
     * @param password as typed; null for none
     * @param passkey an assertion for a challenge of this call; null for none
     * @param call the hash of the call; null where a passkey signs the change itself
     */
    public record Confirmation(
            @Nullable String password,
            @Nullable SentAssertion passkey,
            @Nullable String call) {

        /** Reads the member {@code confirmation}. */
        public static Confirmation read(Fields fields, @Nullable String call) {
            Confirmation sent = fields.object(MEMBER, members -> readMembers(members, call));
            return sent == null ? new Confirmation(null, null, call) : sent;
        }

        /** As {@link #read}; the members may also be beside others, without {@code confirmation}. */
        public static Confirmation readAnywhere(Fields fields, String call) {
            Confirmation beside = readMembers(fields, call);
            Confirmation sent = read(fields, call);
            if (sent.isGiven() && beside.isGiven()) {
                fields.problem(MEMBER, "must not be sent beside a password or passkey");
            }
            return sent.isGiven() ? sent : beside;
        }

        /** As {@link #readAnywhere}, of a call that needs a confirmation and takes nothing else. */
        public static Reading<Confirmation> readRequired(Document sent, String call) {
            Fields fields = new Fields(sent, Decimals.NUMBERS);
            Confirmation confirmation = readAnywhere(fields, call);
            if (!confirmation.isGiven()) {
                fields.require("password");
            }
            return fields.finish(() -> confirmation);
        }

        private static Confirmation readMembers(Fields fields, @Nullable String call) {
            String password = fields.text("password", 1, Login.MAX_PASSWORD);
            SentAssertion passkey = fields.object("passkey", SentAssertion::read);
            if (password != null && passkey != null) {
                fields.problem("passkey", "must not be sent beside a password");
            }
            return new Confirmation(password, passkey, call);
        }

        /** Whether anything was sent that can be checked. */
        boolean isGiven() {
            return password != null || passkey != null;
        }

        @Override
        public String toString() {
            return "Confirmation[]";
        }
    }

    /**
     * A passkey to register.
     *
     * @param name the user's name for it
     * @param registration what the browser sent
     * @param confirmation needed for every passkey but the first
     */
    public record NewPasskey(String name, PasskeyRegistration registration, Confirmation confirmation) {}

    /**
     * What a browser needs to make a passkey, or to sign with one.
     *
     * @param challenge base64url
     * @param registered the passkeys there are
     */
    public record Invitation(String challenge, List<Passkey> registered) {}

    public OwnerPasskeys of(UserId user) {
        return reader.view(user).passkeys();
    }

    /** What the user demands of acceptances and of changes now. */
    public Demanded demanded(UserId user) {
        return new Demanded(of(user), proofs.clock().instant());
    }

    /** Gives out the challenge of a registration. */
    public Invitation invite(UserId user) {
        return new Invitation(proofs.challenge(Purpose.REGISTRATION, user), of(user).all());
    }

    /**
     * Gives out the challenge with which a passkey confirms one call.
     *
     * @param call the hash of the call
     */
    public Answer<Invitation> confirm(UserId user, String call) {
        List<Passkey> registered = of(user).all();
        return registered.isEmpty()
                ? Answer.refused(NO_PASSKEY)
                : Answer.given(new Invitation(proofs.confirmation(user, call), registered));
    }

    /**
     * Gives out the challenge with which a passkey confirms that a statement is put in force: the hash of that change, which
     * the log keeps with the signature. Refused when the statement is invalid for the user's portfolio.
     */
    public Answer<Invitation> confirm(UserId user, Ips statement) {
        AccountView account = reader.view(user);
        List<Passkey> registered = account.passkeys().all();
        if (registered.isEmpty()) {
            return Answer.refused(NO_PASSKEY);
        }
        IpsVersion before = account.ips();
        return CanonicalIps.of(
                        statement,
                        KnownAssets.resolver(account.portfolio(), null, List.of()),
                        before == null ? null : before.ips())
                .fold(
                        spelled -> Answer.given(new Invitation(
                                proofs.challenge(new AttestedChange(
                                        user,
                                        before == null ? null : before.version(),
                                        AttestedChange.documentHash(spelled),
                                        proofs.expiry(),
                                        proofs.nonce())),
                                registered)),
                        problems -> Answer.refused(Refusal.invalid(problems)));
    }

    /**
     * Registers a passkey. Every one but the first needs a confirmation, and for a while after the user was let in again by
     * mail the first one does as well, as on accounts where changes are confirmed.
     */
    public Answer<Passkey> register(OwnerBrowser by, NewPasskey sent) {
        boolean isRecovering = signIn.isRecovering(by.user);
        Proof proof = proof(by, sent.confirmation);
        return proofs.registered(by.user, sent.registration, by.party)
                .then(credential -> accounts.changeAndWait(by.user, account -> {
                    OwnerPasskeys before = account.passkeys();
                    boolean isNeeded = isRecovering
                            || before.protection().confirms()
                            || !before.all().isEmpty();
                    return registered(
                            account, by.party, sent, credential, isNeeded ? proof : proof.ifSent(sent.confirmation));
                }));
    }

    private static Outcome<Answer<Passkey>> registered(
            Account account, RelyingParty party, NewPasskey sent, NewCredential credential, Proof proof) {
        OwnerPasskeys before = account.passkeys();
        if (before.find(credential.credentialId()).isPresent()) {
            return refused(PasskeyProofs.invalid("This passkey is registered already."));
        }
        if (before.all().size() >= OwnerPasskeys.MAX) {
            String message = "There are " + OwnerPasskeys.MAX + " passkeys already; remove one first.";
            return refused(Refusal.of(Refusal.Code.TOO_MANY, message));
        }
        Passkey passkey = new Passkey(
                credential.credentialId(),
                sent.name,
                credential.key(),
                party.id(),
                sent.registration.transports(),
                credential.signCount(),
                account.now(),
                null);
        return proof.in(account)
                .fold(
                        passkeys -> new Outcome.Recording()
                                .passkeys(passkeys.with(passkey))
                                .event(EventPayloads.passkey(EventKind.KEY_MINTED, passkey))
                                .answer(receipts -> Answer.given(passkey)),
                        ManagePasskeys::refused);
    }

    /** Removes a passkey. */
    public Answer<Passkey> remove(OwnerBrowser by, String credentialId, Confirmation confirmation) {
        if (of(by.user).find(credentialId).isEmpty()) {
            return Answer.refused(unknown());
        }
        Proof proof = proof(by, confirmation);
        return accounts.changeAndWait(by.user, account -> {
            Passkey passkey = account.passkeys().find(credentialId).orElse(null);
            if (passkey == null) {
                return refused(unknown());
            }
            return proof.in(account)
                    .fold(
                            passkeys -> new Outcome.Recording()
                                    .passkeys(passkeys.without(credentialId, account.now()))
                                    .event(EventPayloads.passkey(EventKind.KEY_REVOKED, passkey))
                                    .answer(receipts -> Answer.given(passkey)),
                            ManagePasskeys::refused);
        });
    }

    /**
     * What a user demands, of acceptances and of changes.
     *
     * @param setsAbove whether an amount is set
     * @param above acceptances of larger amounts need a passkey; null for none
     * @param confirmsChanges whether changes that let agents do more need a confirmation; null leaves it
     * @param delayHours for how many hours a looser policy waits; null leaves it
     */
    public record Demands(
            boolean setsAbove,
            @Nullable Usd above,
            @Nullable Boolean confirmsChanges,
            @Nullable Integer delayHours) {

        /** An amount above which acceptances need a passkey, and nothing else. */
        public static Demands above(@Nullable Usd amount) {
            return new Demands(true, amount, null, null);
        }

        private OwnerPasskeys in(OwnerPasskeys before, Instant now) {
            ChangeProtection protection = before.protection();
            ChangeProtection confirming = confirmsChanges == null ? protection : protection.confirming(confirmsChanges);
            return (setsAbove ? before.requiredAbove(above) : before)
                    .protectedBy(delayHours == null ? confirming : confirming.withDelay(delayHours, now));
        }
    }

    /** What a user demands, at a time: a shorter delay counts later. */
    public record Demanded(OwnerPasskeys passkeys, Instant at) {}

    /**
     * Sets above which amount acceptances need a passkey, whether changes need a confirmation, and for how long looser
     * policies wait. A higher amount than the present one, and none, need a confirmation. Without a passkey every other amount
     * does, so that nobody with only a session can make an account that accepts nothing. Where changes are confirmed, so are
     * the end of that and a shorter delay.
     */
    public Answer<Demanded> demand(OwnerBrowser by, Demands demands, Confirmation confirmation) {
        Proof proof = proof(by, confirmation);
        return accounts.changeAndWait(by.user, account -> {
            OwnerPasskeys before = account.passkeys();
            OwnerPasskeys wanted = demands.in(before, account.now());
            boolean isNeeded = before.isLoosenedBy(wanted.above())
                    || before.all().isEmpty() && !Objects.equals(before.above(), wanted.above())
                    || before.protection().confirms()
                            && before.protection().isLoosenedBy(wanted.protection(), account.now());
            return (isNeeded ? proof : proof.ifSent(confirmation))
                    .in(account)
                    .fold(
                            passkeys -> {
                                OwnerPasskeys next = demands.in(passkeys, account.now());
                                return new Outcome.Recording()
                                        .passkeys(next)
                                        .answer(receipts -> Answer.given(new Demanded(next, account.now())));
                            },
                            ManagePasskeys::refused);
        });
    }

    /** Gives out a challenge to sign in with. */
    public String challenge() {
        return proofs.challenge(Purpose.SIGN_IN, null);
    }

    /** Signs in the user whose passkey signed the challenge, and ends the browser's former session. */
    public Answer<Session> signIn(SentAssertion sent, RelyingParty party, Visitor visitor) {
        UserId user = sent.user()
                .filter(known -> of(known).find(sent.assertion().credentialId()).isPresent())
                .orElse(null);
        if (user == null) {
            return Answer.refused(PasskeyProofs.invalid("No account has this passkey."));
        }
        return proofs.taken(user, Purpose.SIGN_IN, sent, party)
                .then(taken -> accounts.changeAndWait(user, account -> used(account, taken)))
                .map(used -> signIn.openFor(user, visitor));
    }

    private Outcome<Answer<OwnerPasskeys>> used(Account account, TakenAssertion taken) {
        return proofs.used(account.userId(), account.passkeys(), taken, account.now())
                .fold(
                        passkeys ->
                                new Outcome.Recording().passkeys(passkeys).answer(receipts -> Answer.given(passkeys)),
                        ManagePasskeys::refused);
    }

    /** The address of a user. */
    public String email(UserId user) {
        return signIn.email(user);
    }

    /** That the user is there, checked as far as it can be outside of a change. */
    public interface Proof {
        Proof NONE = account -> Answer.refused(Refusal.of(
                Refusal.Code.CONFIRMATION_REQUIRED, "Confirm this with your password or with one of your passkeys."));

        /** The passkeys of the account after the proof, or why it does not hold. */
        Answer<OwnerPasskeys> in(Account account);

        /** The change of the policy that a passkey signed, if {@link #in} says that it did; null for any other proof. */
        default @Nullable SignedChange change() {
            return null;
        }

        /** This proof for a call that needs none: a confirmation that was sent must hold all the same. */
        default Proof ifSent(Confirmation confirmation) {
            return confirmation.isGiven() ? this : account -> Answer.given(account.passkeys());
        }
    }

    /**
     * Checks the confirmation of a call that changes nothing of the account by itself. A wrong password is refused as in a
     * sign-in. Blocks as {@link #proof} does.
     */
    public Answer<UserId> check(OwnerBrowser by, Confirmation sent) {
        Proof proof = proof(by, sent, wrong -> wrong);
        return accounts.changeAndWait(
                by.user,
                account -> proof.in(account)
                        .fold(
                                passkeys -> passkeys.equals(account.passkeys())
                                        ? Outcome.nothing(Answer.given(by.user))
                                        : new Outcome.Recording()
                                                .passkeys(passkeys)
                                                .answer(receipts -> Answer.given(by.user)),
                                ManagePasskeys::refused));
    }

    /** Checks a confirmation. Blocks on a few queries, and on the hash of a password. */
    public Proof proof(OwnerBrowser by, Confirmation sent) {
        return proof(by, sent, ManagePasskeys::unconfirmed);
    }

    private Proof proof(OwnerBrowser by, Confirmation sent, UnaryOperator<Refusal> ofPassword) {
        if (sent.passkey() != null) {
            return proofs.taken(by.user, Purpose.CONFIRMATION, sent.passkey(), by.party)
                    .<Proof>fold(
                            taken -> Objects.equals(
                                            sent.call(), taken.challenge().call())
                                    ? new PasskeyProof(proofs, taken)
                                    : account ->
                                            Answer.refused(PasskeyProofs.invalid("The passkey signed another call.")),
                            refusal -> account -> Answer.refused(refusal));
        }
        return sent.password() == null
                ? Proof.NONE
                : signIn.confirm(by.user, sent.password(), by.visitor)
                        .<Proof>fold(
                                user -> account -> byPassword(user, account),
                                refusal -> account -> Answer.refused(ofPassword.apply(refusal)));
    }

    /** A signature over a challenge of the call. */
    private record PasskeyProof(PasskeyProofs proofs, TakenAssertion taken) implements Proof {
        @Override
        public Answer<OwnerPasskeys> in(Account account) {
            return proofs.used(account.userId(), account.passkeys(), taken, account.now());
        }

        @Override
        public @Nullable SignedChange change() {
            AttestedChange attested = taken.challenge().change();
            return attested == null
                    ? null
                    : new SignedChange(attested, taken.sent().assertion());
        }
    }

    /** Whether the password of a user does: one that was just set by mail does not where a passkey is, or was at that time. */
    private static boolean isTrusted(User user, OwnerPasskeys passkeys, Instant now) {
        Instant recovered = user.recoveredAt();
        Instant removed = passkeys.removedAt();
        return recovered == null
                || !user.isRecovering(now)
                || passkeys.all().isEmpty() && (removed == null || removed.isBefore(recovered));
    }

    private static Answer<OwnerPasskeys> byPassword(User user, Account account) {
        OwnerPasskeys passkeys = account.passkeys();
        if (isTrusted(user, passkeys, account.now())) {
            return Answer.given(passkeys);
        }
        String since = "Your password was reset, or your address changed, within the last 24 hours";
        if (!passkeys.all().isEmpty()) {
            return Answer.refused(Refusal.of(
                    Refusal.Code.CONFIRMATION_REQUIRED, since + "; confirm this with one of your passkeys."));
        }
        return Answer.refused(Refusal.of(
                Refusal.Code.CONFIRMATION_REQUIRED,
                since + ", and your last passkey was removed since; wait until they are over."));
    }

    private static Refusal unconfirmed(Refusal refusal) {
        return refusal.code() == Refusal.Code.WRONG_PASSWORD
                ? Refusal.of(Refusal.Code.CONFIRMATION_REQUIRED, refusal.message())
                : refusal;
    }

    private static <T> Outcome<Answer<T>> refused(Refusal refusal) {
        return Outcome.nothing(Answer.refused(refusal));
    }

    private static Refusal unknown() {
        return Refusal.of(Refusal.Code.NOT_FOUND, "You have no passkey with this id.");
    }
}
