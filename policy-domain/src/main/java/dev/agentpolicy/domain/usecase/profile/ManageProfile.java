package dev.agentpolicy.domain.usecase.profile;

import dev.agentpolicy.domain.account.Notice;
import dev.agentpolicy.domain.agent.RequestMails;
import dev.agentpolicy.domain.agent.User;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.document.Instants;
import dev.agentpolicy.domain.document.Sha256;
import dev.agentpolicy.domain.port.Notices;
import dev.agentpolicy.domain.port.RandomSource;
import dev.agentpolicy.domain.port.signin.MailTokens;
import dev.agentpolicy.domain.port.signin.MailTokens.MailToken;
import dev.agentpolicy.domain.port.signin.MailTokens.Purpose;
import dev.agentpolicy.domain.port.signin.Users;
import dev.agentpolicy.domain.usecase.Answer;
import dev.agentpolicy.domain.usecase.Refusal;
import dev.agentpolicy.domain.usecase.owner.Login;
import dev.agentpolicy.domain.usecase.owner.SignIn;
import dev.agentpolicy.domain.usecase.owner.SignIn.Visitor;
import java.time.Instant;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/** The e-mail address of a user, and which mails it gets (docs/reference/sign-in.md). */
public final class ManageProfile {
    private final SignIn signIn;
    private final Users users;
    private final MailTokens tokens;
    private final Notices notices;
    private final RandomSource random;
    private final InstantSource clock;

    public ManageProfile(
            SignIn signIn, Users users, MailTokens tokens, Notices notices, RandomSource random, InstantSource clock) {
        this.signIn = signIn;
        this.users = users;
        this.tokens = tokens;
        this.notices = notices;
        this.random = random;
        this.clock = clock;
    }

    /**
     * What a user may see of the own account.
     *
     * @param pendingEmail an address that waits for its confirmation; null for none
     * @param sendsMails whether this service sends mails
     */
    public record Profile(User user, @Nullable String pendingEmail, boolean sendsMails) {}

    /** The profile of a user. Blocks on two queries. */
    public Profile read(UserId id) {
        User user = user(id);
        String pending = tokens.of(id, Purpose.EMAIL_CONFIRMATION, clock.instant())
                .map(MailToken::email)
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
     * mails are sent. The present address ends what waits for a confirmation.
     */
    public Answer<Profile> changeEmail(UserId id, Login next, Visitor visitor) {
        return signIn.confirm(id, next.password(), visitor)
                .fold(user -> changeEmail(user, next.email()), Answer::refused);
    }

    private Answer<Profile> changeEmail(User user, String email) {
        if (user.email().equals(email)) {
            tokens.remove(user.id(), Purpose.EMAIL_CONFIRMATION);
            return Answer.given(read(user.id()));
        }
        if (users.byEmail(email).isPresent()) {
            return Answer.refused(taken());
        }
        if (!notices.isSetUp()) {
            return set(user, email);
        }
        String token = ResetPassword.newToken(random);
        Instant expiresAt = Instants.truncated(clock.instant()).plus(ResetPassword.TOKEN_AGE);
        tokens.store(Sha256.hex(token), new MailToken(user.id(), Purpose.EMAIL_CONFIRMATION, email, expiresAt));
        notices.send(user.id(), new Notice.EmailConfirmation(email, token));
        return Answer.given(read(user.id()));
    }

    /** Changes an address to the one that a token confirms, which is used up by it. */
    public Answer<Profile> confirmEmail(String token) {
        MailToken found = tokens.take(Sha256.hex(token), Purpose.EMAIL_CONFIRMATION, clock.instant())
                .orElse(null);
        String email = found == null ? null : found.email();
        return found == null || email == null
                ? Answer.refused(ResetPassword.unknown())
                : set(user(found.userId()), email);
    }

    /** Removes expired tokens, and returns how many. */
    public int forgetExpired() {
        return tokens.removeExpired(clock.instant());
    }

    private Answer<Profile> set(User user, String email) {
        if (!users.setEmail(user.id(), email)) {
            return Answer.refused(taken());
        }
        // A link that was sent to the former address.
        tokens.remove(user.id(), Purpose.PASSWORD_RESET);
        notices.send(user.id(), new Notice.EmailChanged(user.email(), Instants.truncated(clock.instant())));
        return Answer.given(read(user.id()));
    }

    private User user(UserId id) {
        return users.byId(id).orElseThrow(() -> new IllegalStateException("User " + id + " is gone."));
    }

    private static Refusal taken() {
        return Refusal.of(Refusal.Code.EMAIL_TAKEN, "This address has an account already.");
    }
}
