package dev.agentpolicy.domain.usecase.signin;

import dev.agentpolicy.domain.account.Notice;
import dev.agentpolicy.domain.agent.NoticeSettings;
import dev.agentpolicy.domain.agent.User;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.document.Instants;
import dev.agentpolicy.domain.document.Sha256;
import dev.agentpolicy.domain.port.Notices;
import dev.agentpolicy.domain.port.signin.MailTokens;
import dev.agentpolicy.domain.port.signin.MailTokens.MailToken;
import dev.agentpolicy.domain.port.signin.MailTokens.Purpose;
import dev.agentpolicy.domain.port.signin.Users;
import dev.agentpolicy.domain.port.signin.Users.EmailConfirmation;
import dev.agentpolicy.domain.usecase.Answer;
import dev.agentpolicy.domain.usecase.Refusal;
import dev.agentpolicy.domain.usecase.signin.SignIn.Visitor;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The e-mail address of a user, and how the user is told of requests (docs/reference/sign-in.md). */
public record ManageProfile(
        SignIn signIn, Users users, MailTokens tokens, MailLinks links, Notices notices, InstantSource clock) {

    /**
     * What a user may see of the own account.
     *
     * @param pendingEmail another address, which waits for its confirmation; null for none
     * @param sendsMails whether this service sends mails
     * @param sendsPushes whether it pushes notifications to devices
     */
    public record Profile(User user, @Nullable String pendingEmail, boolean sendsMails, boolean sendsPushes) {}

    /** The profile of a user. Blocks on two queries. */
    public Profile read(UserId id) {
        User user = user(id);
        String pending = tokens.of(id, Purpose.EMAIL_CONFIRMATION, clock.instant())
                .map(MailToken::email)
                .filter(email -> !email.equals(user.email()))
                .orElse(null);
        return new Profile(user, pending, notices.sendsMails(), notices.sendsPushes());
    }

    /** Changes how the user is told of requests that wait. */
    public Profile choose(UserId id, UnaryOperator<NoticeSettings> change) {
        users.setNotices(id, change.apply(user(id).notices()));
        return read(id);
    }

    /**
     * Changes the address of a user who knows the password: once the new address is confirmed, or at once where no
     * mails are sent. The change ends the user's other sessions. The present address ends what waits for a confirmation,
     * and gets its own link again if it is not confirmed itself. Where mails are sent, the answer is the same whether the
     * new address has an account or not, and however often one asks.
     */
    public Answer<Profile> changeEmail(UserId id, Login next, Visitor visitor) {
        return signIn.confirm(id, next.password(), visitor).then(user -> changeEmail(user, next.email(), visitor));
    }

    private Answer<Profile> changeEmail(User user, String email, Visitor visitor) {
        boolean isPresent = user.email().equals(email);
        Optional<Refusal> refusal = isPresent ? Optional.empty() : links.refusalOf(email);
        if (refusal.isPresent()) {
            return Answer.refused(refusal.get());
        }
        if (isPresent && (user.isEmailConfirmed() || !notices.sendsMails())) {
            tokens.remove(user.id(), Purpose.EMAIL_CONFIRMATION);
        } else if (notices.sendsMails()) {
            links.confirm(user.id(), email, visitor.network());
        } else if (users.setEmail(
                user.id(), email, false, Instants.truncated(clock.instant()), visitor.sessionHash())) {
            announce(user);
        } else {
            return Answer.refused(taken());
        }
        return Answer.given(read(user.id()));
    }

    /**
     * Confirms the address of a token, which is used up by it. If it is another one than the user has, it takes its place,
     * which ends the user's sessions but that of the browser, if it has one.
     */
    public Answer<Profile> confirmEmail(String token, Visitor visitor) {
        String hash = Sha256.hex(token);
        Instant now = clock.instant();
        MailToken found = tokens.find(hash, Purpose.EMAIL_CONFIRMATION, now).orElse(null);
        if (found == null) {
            return Answer.refused(MailLinks.unknown());
        }
        User before = user(found.userId());
        EmailConfirmation confirmation = users.confirmEmail(hash, now, visitor.sessionHash());
        if (confirmation == EmailConfirmation.NO_TOKEN) {
            return Answer.refused(MailLinks.unknown());
        }
        if (confirmation == EmailConfirmation.TAKEN) {
            tokens.remove(before.id(), Purpose.EMAIL_CONFIRMATION);
            return Answer.refused(taken());
        }
        if (!before.email().equals(found.email())) {
            announce(before);
        }
        return Answer.given(read(before.id()));
    }

    /** Tells the former address of a user, if it was confirmed, that another one counts. */
    private void announce(User before) {
        if (before.isEmailConfirmed()) {
            notices.send(before.id(), new Notice.EmailChanged(before.email(), Instants.truncated(clock.instant())));
        }
    }

    private User user(UserId id) {
        return users.byId(id).orElseThrow(() -> new IllegalStateException("User " + id + " is gone."));
    }

    private static Refusal taken() {
        return Refusal.of(Refusal.Code.EMAIL_TAKEN, "This address has an account already.");
    }
}
