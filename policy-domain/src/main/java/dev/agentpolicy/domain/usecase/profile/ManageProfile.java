package dev.agentpolicy.domain.usecase.profile;

import dev.agentpolicy.domain.account.Notice;
import dev.agentpolicy.domain.agent.RequestMails;
import dev.agentpolicy.domain.agent.User;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.document.Instants;
import dev.agentpolicy.domain.document.Sha256;
import dev.agentpolicy.domain.port.Notices;
import dev.agentpolicy.domain.port.signin.MailTokens;
import dev.agentpolicy.domain.port.signin.MailTokens.MailToken;
import dev.agentpolicy.domain.port.signin.MailTokens.Purpose;
import dev.agentpolicy.domain.port.signin.Sessions;
import dev.agentpolicy.domain.port.signin.Users;
import dev.agentpolicy.domain.usecase.Answer;
import dev.agentpolicy.domain.usecase.Refusal;
import dev.agentpolicy.domain.usecase.signin.EmailConfirmations;
import dev.agentpolicy.domain.usecase.signin.Login;
import dev.agentpolicy.domain.usecase.signin.SignIn;
import dev.agentpolicy.domain.usecase.signin.SignIn.Visitor;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The e-mail address of a user, and which mails it gets (docs/reference/sign-in.md). */
public final class ManageProfile {
    private final SignIn signIn;
    private final Users users;
    private final Sessions sessions;
    private final MailTokens tokens;
    private final EmailConfirmations confirmations;
    private final Notices notices;
    private final InstantSource clock;

    public ManageProfile(
            SignIn signIn,
            Users users,
            Sessions sessions,
            MailTokens tokens,
            EmailConfirmations confirmations,
            Notices notices,
            InstantSource clock) {
        this.signIn = signIn;
        this.users = users;
        this.sessions = sessions;
        this.tokens = tokens;
        this.confirmations = confirmations;
        this.notices = notices;
        this.clock = clock;
    }

    /**
     * What a user may see of the own account.
     *
     * @param pendingEmail another address, which waits for its confirmation; null for none
     * @param sendsMails whether this service sends mails
     */
    public record Profile(User user, @Nullable String pendingEmail, boolean sendsMails) {}

    /** The profile of a user. Blocks on two queries. */
    public Profile read(UserId id) {
        User user = user(id);
        String pending = tokens.of(id, Purpose.EMAIL_CONFIRMATION, clock.instant())
                .map(MailToken::email)
                .filter(email -> !email.equals(user.email()))
                .orElse(null);
        return new Profile(user, pending, notices.isSetUp());
    }

    /** Chooses what the user is told by mail when a request waits. */
    public Profile choose(UserId id, RequestMails mails) {
        users.setRequestMails(id, mails);
        return read(id);
    }

    /**
     * Changes the address of a user who knows the password: once the new address is confirmed, or at once where no
     * mails are sent. The change ends the user's other sessions. The present address ends what waits for a confirmation,
     * and gets its own link again if it is not confirmed itself. Where mails are sent, the answer is the same whether the
     * new address has an account or not, and however often one asks.
     */
    public Answer<Profile> changeEmail(UserId id, Login next, Visitor visitor) {
        return signIn.confirm(id, next.password(), visitor)
                .fold(user -> changeEmail(user, next.email(), visitor), Answer::refused);
    }

    private Answer<Profile> changeEmail(User user, String email, Visitor visitor) {
        boolean isPresent = user.email().equals(email);
        Optional<Refusal> refusal = isPresent ? Optional.empty() : confirmations.refusalOf(email);
        if (refusal.isPresent()) {
            return Answer.refused(refusal.get());
        }
        if (isPresent && (user.isEmailConfirmed() || !notices.isSetUp())) {
            tokens.remove(user.id(), Purpose.EMAIL_CONFIRMATION);
            return Answer.given(read(user.id()));
        }
        if (!notices.isSetUp()) {
            return set(user, email, false, visitor);
        }
        confirmations.send(user.id(), email, visitor.network());
        return Answer.given(read(user.id()));
    }

    /**
     * Confirms the address of a token, which is used up by it. If it is another one than the user has, it takes its place,
     * which ends the user's sessions but that of the browser, if it has one.
     */
    public Answer<Profile> confirmEmail(String token, Visitor visitor) {
        MailToken found = tokens.take(Sha256.hex(token), Purpose.EMAIL_CONFIRMATION, clock.instant())
                .orElse(null);
        String email = found == null ? null : found.email();
        if (found == null || email == null) {
            return Answer.refused(ResetPassword.unknown());
        }
        User user = user(found.userId());
        if (!user.email().equals(email)) {
            return set(user, email, true, visitor);
        }
        users.confirmEmail(user.id(), email);
        return Answer.given(read(user.id()));
    }

    /** Removes expired tokens, and returns how many. */
    public int forgetExpired() {
        return tokens.removeExpired(clock.instant());
    }

    private Answer<Profile> set(User user, String email, boolean isConfirmed, Visitor visitor) {
        if (!users.setEmail(user.id(), email, isConfirmed)) {
            return Answer.refused(taken());
        }
        sessions.closeAll(user.id(), visitor.sessionHash());
        // A link that was sent to the former address.
        tokens.remove(user.id(), Purpose.PASSWORD_RESET);
        if (user.isEmailConfirmed()) {
            notices.send(user.id(), new Notice.EmailChanged(user.email(), Instants.truncated(clock.instant())));
        }
        return Answer.given(read(user.id()));
    }

    private User user(UserId id) {
        return users.byId(id).orElseThrow(() -> new IllegalStateException("User " + id + " is gone."));
    }

    private static Refusal taken() {
        return Refusal.of(Refusal.Code.EMAIL_TAKEN, "This address has an account already.");
    }
}
