package dev.agentpolicy.domain.usecase.profile;

import dev.agentpolicy.domain.account.Notice;
import dev.agentpolicy.domain.account.Unavailable;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.document.Sha256;
import dev.agentpolicy.domain.port.Notices;
import dev.agentpolicy.domain.port.RandomSource;
import dev.agentpolicy.domain.port.signin.MailTokens;
import dev.agentpolicy.domain.port.signin.MailTokens.MailToken;
import dev.agentpolicy.domain.port.signin.MailTokens.Purpose;
import dev.agentpolicy.domain.port.signin.Users;
import dev.agentpolicy.domain.usecase.Answer;
import dev.agentpolicy.domain.usecase.Refusal;
import dev.agentpolicy.domain.usecase.signin.CommonPasswords;
import dev.agentpolicy.domain.usecase.signin.MailLinks;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Supplier;

/** Lets a user who forgot the password set another one, by a link in a mail (docs/reference/sign-in.md). */
public final class ResetPassword {
    private final Users users;
    private final MailTokens tokens;
    private final ChangePassword passwords;
    private final Supplier<CommonPasswords> common;
    private final Notices notices;
    private final InstantSource clock;
    private final MailLinks links;

    public ResetPassword(
            Users users,
            MailTokens tokens,
            ChangePassword passwords,
            Supplier<CommonPasswords> common,
            Notices notices,
            RandomSource random,
            InstantSource clock) {
        this.users = users;
        this.tokens = tokens;
        this.passwords = passwords;
        this.common = common;
        this.notices = notices;
        this.clock = clock;
        this.links = MailLinks.of(Purpose.PASSWORD_RESET, tokens, random, clock);
    }

    /**
     * Has a link sent to an address that has an account. The caller learns neither whether it has one nor whether a
     * mail is sent: everything happens later, and too many calls for an address or from a network are ignored.
     *
     * @param network the IPv4 address, or the /64 network of an IPv6 address
     */
    public Answer<String> request(String email, String network) {
        if (!notices.isSetUp()) {
            return Answer.refused(noMail());
        }
        if (links.admits(email, network)) {
            notices.execute(() -> send(email));
        }
        return Answer.given(email);
    }

    private void send(String email) {
        users.byEmail(email)
                .ifPresent(user -> notices.send(
                        user.id(), new Notice.PasswordReset(user.email(), links.store(user.id(), user.email()))));
    }

    /**
     * Sets the password of the user of a token, which is used up by it, and ends all sessions of the user. The address
     * that the token was sent to is confirmed.
     *
     * @throws Unavailable when the service is too busy; the token can be used again
     */
    public Answer<UserId> reset(String token, String password) {
        if (!notices.isSetUp()) {
            return Answer.refused(noMail());
        }
        if (common.get().contains(password)) {
            return Answer.refused(Refusal.invalid(List.of(CommonPasswords.problem("password"))));
        }
        String hash = Sha256.hex(token);
        return tokens.take(hash, Purpose.PASSWORD_RESET, clock.instant())
                .map(found -> set(hash, found, password))
                .orElseGet(() -> Answer.refused(unknown()));
    }

    private Answer<UserId> set(String tokenHash, MailToken taken, String password) {
        String address = taken.email();
        if (address != null) {
            users.confirmEmail(taken.userId(), address);
        }
        try {
            passwords.set(taken.userId(), password, null, null);
            return Answer.given(taken.userId());
        } catch (Unavailable busy) {
            tokens.store(tokenHash, taken);
            throw busy;
        }
    }

    static Refusal unknown() {
        return Refusal.of(Refusal.Code.NOT_FOUND, "This link has expired or was used already; ask for another one.");
    }

    static Refusal noMail() {
        return Refusal.of(Refusal.Code.NOT_FOUND, "This service sends no mails.");
    }
}
