package dev.agentpolicy.domain.usecase.signin;

import dev.agentpolicy.domain.account.Notice;
import dev.agentpolicy.domain.account.Outcome;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.agent.Viewer;
import dev.agentpolicy.domain.document.Decimals;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Fields;
import dev.agentpolicy.domain.document.Instants;
import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.document.Sha256;
import dev.agentpolicy.domain.event.chain.EventKind;
import dev.agentpolicy.domain.event.content.EventPayloads;
import dev.agentpolicy.domain.event.passkey.OwnerPasskeys;
import dev.agentpolicy.domain.event.passkey.Passkey;
import dev.agentpolicy.domain.port.Accounts;
import dev.agentpolicy.domain.port.Notices;
import dev.agentpolicy.domain.port.signin.MailTokens;
import dev.agentpolicy.domain.port.signin.MailTokens.MailToken;
import dev.agentpolicy.domain.port.signin.MailTokens.Purpose;
import dev.agentpolicy.domain.port.signin.Passwords;
import dev.agentpolicy.domain.port.signin.Users;
import dev.agentpolicy.domain.usecase.Answer;
import dev.agentpolicy.domain.usecase.signin.SignIn.Visitor;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Changes the password of a user who knows the present one or followed a link in a mail, which ends the user's other sessions
 * and all links (docs/reference/sign-in.md).
 *
 * @param common passwords that are refused; read at the first change
 * @param keyRevoker revokes all keys of a user
 */
public record ChangePassword(
        SignIn signIn,
        Users users,
        MailTokens tokens,
        Passwords passwords,
        Supplier<CommonPasswords> common,
        Accounts accounts,
        Consumer<UserId> keyRevoker,
        Notices notices,
        InstantSource clock) {

    /**
     * What a user sends to change the password. Passwords are never printed.
     *
     * @param current the present password, as typed
     * @param next the password that takes its place
     */
    public record PasswordChange(String current, String next) {

        /** Reads a change; the new password has the length of {@link Login#readNew}. */
        public static Reading<PasswordChange> read(Document sent) {
            Fields fields = new Fields(sent, Decimals.NUMBERS);
            String current = fields.text("current", 1, Login.MAX_PASSWORD);
            String next = fields.text("new", Login.MIN_PASSWORD, Login.MAX_PASSWORD);
            fields.require("current", "new");
            return fields.finish(() -> new PasswordChange(Fields.present(current), Fields.present(next)));
        }

        @Override
        public String toString() {
            return "PasswordChange[]";
        }
    }

    /**
     * Changes the password of a user who knows the present one. A wrong one is refused and counts like a wrong password at
     * a sign-in. The session and the device of the browser stay.
     */
    public Answer<UserId> change(UserId user, PasswordChange change, Visitor visitor) {
        if (common.get().contains(change.next)) {
            return Answer.refused(CommonPasswords.refusal("new"));
        }
        return signIn.confirm(user, change.current, visitor).map(confirmed -> {
            Consumer<Notice> told = notices.beforeDevicesEnd(user);
            users.changePassword(user, passwords.hash(change.next), visitor.sessionHash(), visitor.deviceHash());
            told.accept(changed());
            return user;
        });
    }

    /**
     * Sets the password of the user of a token, which is used up by it, and ends all sessions of the user. The address
     * that the token was sent to is confirmed. If it was not before, somebody else may have signed up with it: then the
     * passkeys and viewers are removed and the keys and connections revoked, first, so that a call that is repeated after a
     * crash does the rest.
     *
     * @throws dev.agentpolicy.domain.account.Unavailable when the service is too busy; the token can be used again
     */
    public Answer<UserId> reset(String token, String password) {
        if (!notices.sendsMails()) {
            return Answer.refused(MailLinks.noMail());
        }
        if (common.get().contains(password)) {
            return Answer.refused(CommonPasswords.refusal("password"));
        }
        String hash = Sha256.hex(token);
        // Only the password of a link that works is worth a slow hash.
        Optional<UserId> user = tokens.find(hash, Purpose.PASSWORD_RESET, clock.instant())
                .flatMap(found -> {
                    Consumer<Notice> told = notices.beforeDevicesEnd(found.userId());
                    Optional<UserId> changed = reset(hash, found, passwords.hash(password));
                    changed.ifPresent(one -> told.accept(changed()));
                    return changed;
                });
        return user.map(Answer::given).orElseGet(() -> Answer.refused(MailLinks.unknown()));
    }

    private Optional<UserId> reset(String hash, MailToken token, String passwordHash) {
        boolean confirmsFirst = users.byId(token.userId())
                .filter(user -> !user.isEmailConfirmed() && user.email().equals(token.email()))
                .isPresent();
        if (!confirmsFirst) {
            return users.resetPassword(hash, clock.instant(), passwordHash);
        }
        endAccess(token.userId());
        Optional<UserId> user = users.resetPassword(hash, clock.instant(), passwordHash);
        // Until the reset ended the sessions, somebody may have added what was just removed.
        user.ifPresent(this::endAccess);
        return user;
    }

    /** Removes all passkeys and viewers of a user, and revokes all keys and connections. */
    private void endAccess(UserId user) {
        accounts.changeAndWait(user, account -> {
            OwnerPasskeys before = account.passkeys();
            if (before.equals(before.cleared())) {
                return Outcome.nothing(user);
            }
            Outcome.Recording recording = new Outcome.Recording().passkeys(before.cleared());
            for (Passkey passkey : before.all()) {
                recording.event(EventPayloads.passkey(EventKind.KEY_REVOKED, passkey));
            }
            for (Viewer viewer : before.viewers()) {
                if (viewer.isWorking(account.now())) {
                    recording.event(EventPayloads.viewer(EventKind.KEY_REVOKED, viewer));
                }
            }
            return recording.answer(receipts -> user);
        });
        keyRevoker.accept(user);
    }

    private Notice changed() {
        return new Notice.PasswordChanged(Instants.truncated(clock.instant()));
    }
}
