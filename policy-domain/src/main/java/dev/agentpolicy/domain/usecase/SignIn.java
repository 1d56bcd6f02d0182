package dev.agentpolicy.domain.usecase;

import dev.agentpolicy.domain.agent.User;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.document.Sha256;
import dev.agentpolicy.domain.port.Chance;
import dev.agentpolicy.domain.port.Passwords;
import dev.agentpolicy.domain.port.Sessions;
import dev.agentpolicy.domain.port.Users;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Optional;

/** Opens and closes the sessions of users (contract, section 6). */
public final class SignIn {
    public static final Duration SESSION = Duration.ofHours(24);
    private static final int TOKEN_BYTES = 32;

    private final Users users;
    private final Sessions sessions;
    private final Passwords passwords;
    private final Chance chance;
    private final InstantSource clock;
    private final WrongPasswords wrong = new WrongPasswords();

    public SignIn(Users users, Sessions sessions, Passwords passwords, Chance chance, InstantSource clock) {
        this.users = users;
        this.sessions = sessions;
        this.passwords = passwords;
        this.chance = chance;
        this.clock = clock;
    }

    /**
     * An open session.
     *
     * @param token what the browser holds; only its hash is stored
     * @param userId whose session it is
     * @param expiresAt when it ends by itself
     */
    public record Session(String token, UserId userId, Instant expiresAt) {
        @Override
        public String toString() {
            return "Session[" + userId + "]";
        }
    }

    /** Signs in; an unknown address takes as long as a wrong password and is told the same. */
    public Answer<Session> signIn(Login login, String address) {
        Instant now = clock.instant();
        long wait = wrong.secondsToWait(login.email(), address, now);
        if (wait > 0) {
            String message = "Too many wrong passwords; try again in " + wait + " seconds.";
            return Answer.refused(Refusal.throttled(Refusal.Code.SIGN_IN_THROTTLED, message, null, wait));
        }
        Optional<User> user = users.byEmail(login.email());
        boolean matches =
                passwords.matches(login.password(), user.map(User::passwordHash).orElse(null));
        if (user.isEmpty() || !matches) {
            return Answer.refused(Refusal.of(Refusal.Code.UNAUTHORIZED, "The address or the password is wrong."));
        }
        wrong.forget(login.email(), address);
        return Answer.given(open(user.get().id(), now));
    }

    /** Who is signed in, and by which address. */
    public record Person(UserId id, String email) {}

    /** The user of a session that is still open. */
    public Optional<Person> user(String token) {
        return sessions.find(Sha256.hex(token), clock.instant())
                .flatMap(users::byId)
                .map(user -> new Person(user.id(), user.email()));
    }

    public void signOut(String token) {
        sessions.close(Sha256.hex(token));
    }

    private Session open(UserId user, Instant now) {
        String token = Base64.getUrlEncoder().withoutPadding().encodeToString(chance.bytes(TOKEN_BYTES));
        Session session = new Session(token, user, now.plus(SESSION));
        sessions.open(Sha256.hex(token), user, session.expiresAt());
        return session;
    }
}
