package dev.agentpolicy.domain.usecase.signin;

import dev.agentpolicy.domain.account.Notice;
import dev.agentpolicy.domain.agent.User;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.document.Instants;
import dev.agentpolicy.domain.document.Sha256;
import dev.agentpolicy.domain.port.Notices;
import dev.agentpolicy.domain.port.RandomSource;
import dev.agentpolicy.domain.port.signin.Devices;
import dev.agentpolicy.domain.port.signin.Passwords;
import dev.agentpolicy.domain.port.signin.Sessions;
import dev.agentpolicy.domain.port.signin.Sessions.SessionOrigin;
import dev.agentpolicy.domain.port.signin.Users;
import dev.agentpolicy.domain.usecase.Answer;
import dev.agentpolicy.domain.usecase.Refusal;
import dev.agentpolicy.domain.usecase.signin.SignInThrottle.Comparison;
import dev.agentpolicy.domain.usecase.signin.SignInThrottle.WrongLimit;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Opens and closes the sessions of users (docs/reference/sign-in.md). */
public final class SignIn {
    /** How long a session lasts at most. */
    public static final Duration MAX_SESSION = Duration.ofDays(30);
    /** How long a session lasts without being used. */
    public static final Duration MAX_IDLE = Duration.ofDays(14);
    /** How long a device is known after the last sign-in on it. */
    public static final Duration MAX_DEVICE_AGE = Duration.ofDays(365);

    /** Maximum number of open sessions of a user. */
    public static final int MAX_SESSIONS = 50;

    static final int MAX_DEVICES = 10;
    private static final Duration USE_WRITTEN_EVERY = Duration.ofHours(1);
    private static final int TOKEN_BYTES = 32;

    private final Users users;
    private final Sessions sessions;
    private final Devices devices;
    private final Passwords passwords;
    private final RandomSource random;
    private final InstantSource clock;
    private final Notices notices;
    private final SignInThrottle throttle = new SignInThrottle();

    /** @param notices tells users of sign-ins from somewhere new */
    public SignIn(
            Users users,
            Sessions sessions,
            Devices devices,
            Passwords passwords,
            RandomSource random,
            InstantSource clock,
            Notices notices) {
        this.users = users;
        this.sessions = sessions;
        this.devices = devices;
        this.passwords = passwords;
        this.random = random;
        this.clock = clock;
        this.notices = notices;
    }

    /**
     * The browser of a call.
     *
     * @param network the IPv4 address, or the /64 network of an IPv6 address
     * @param session token of its session; null for none
     * @param device token of its device; null for none
     * @param origin its address, and what it calls itself
     */
    public record Visitor(
            String network,
            @Nullable String session,
            @Nullable String device,
            SessionOrigin origin) {

        /** A visitor without any token, whose network is one address. */
        public static Visitor at(String network) {
            return at(network, new SessionOrigin(network, null));
        }

        /** A visitor without any token. */
        public static Visitor at(String network, SessionOrigin origin) {
            return new Visitor(network, null, null, origin);
        }

        public Visitor withSession(@Nullable String token) {
            return new Visitor(network, token, device, origin);
        }

        public Visitor withDevice(@Nullable String token) {
            return new Visitor(network, session, token, origin);
        }

        /** The hash of the token of its session; null for none. */
        public @Nullable String sessionHash() {
            return session == null ? null : Sha256.hex(session);
        }

        /** The hash of the token of its device; null for none. */
        public @Nullable String deviceHash() {
            return device == null ? null : Sha256.hex(device);
        }

        @Override
        public String toString() {
            return "Visitor[" + network + "]";
        }
    }

    /**
     * A session that was opened. The browser keeps both tokens; only their hashes are stored.
     *
     * @param token of the session
     * @param userId the user of the session
     * @param expiresAt when it ends at the latest
     * @param device token by which the browser is known at its next sign-in
     */
    public record Session(String token, UserId userId, Instant expiresAt, String device) {
        @Override
        public String toString() {
            return "Session[" + userId + "]";
        }
    }

    /**
     * Signs in and ends the browser's former session. An unknown address takes as long as a wrong password and gets the
     * same answer.
     */
    public Answer<Session> signIn(Login login, Visitor visitor) {
        Optional<User> user = users.byEmail(login.email());
        boolean isKnown = isKnown(visitor, user);
        return compare(login.email(), user, login.password(), visitor, isKnown, wrongLogin())
                .then(known -> open(known, visitor, isKnown));
    }

    private static Refusal wrongLogin() {
        return Refusal.of(Refusal.Code.UNAUTHORIZED, "The address or the password is wrong.");
    }

    /** Asks a user who is signed in for the password again, within the limits of sign-ins. */
    public Answer<User> confirm(UserId id, String password, Visitor visitor) {
        Optional<User> user = users.byId(id);
        Refusal wrong = Refusal.of(Refusal.Code.WRONG_PASSWORD, "The password is wrong.");
        return compare(user.map(User::email).orElse(""), user, password, visitor, isKnown(visitor, user), wrong);
    }

    /** Compares a password within the limits of wrong ones. An unknown user takes as long as a wrong password. */
    private Answer<User> compare(
            String email, Optional<User> user, String password, Visitor visitor, boolean isKnown, Refusal wrong) {
        Instant now = Instants.truncated(clock.instant());
        List<WrongLimit> limits = isKnown
                ? SignInThrottle.device(String.valueOf(visitor.deviceHash()))
                : SignInThrottle.stranger(email, visitor.network);
        long wait = throttle.begin(limits, now);
        if (wait > 0) {
            String message = wait == SignInThrottle.SECONDS_UNTIL_COMPARED
                    ? "Too many sign-ins at once; try again in a second."
                    : "Too many wrong passwords; try again in " + wait + " seconds.";
            return Answer.refused(Refusal.throttled(Refusal.Code.SIGN_IN_THROTTLED, message, null, wait));
        }
        Comparison comparison = Comparison.NOT_MADE;
        try {
            boolean matches = passwords.matches(
                    password,
                    user.map(User::passwordHash).orElse(null),
                    isKnown ? Passwords.HashQueue.KNOWN_DEVICE : Passwords.HashQueue.SIGN_IN);
            comparison = matches && user.isPresent() ? Comparison.MATCHED : Comparison.DIFFERED;
        } finally {
            throttle.end(limits, comparison, now);
        }
        return comparison == Comparison.MATCHED ? Answer.given(user.orElseThrow()) : Answer.refused(wrong);
    }

    /** Opens a session for a user whose passkey was checked. */
    Session openFor(UserId id, Visitor visitor) {
        return open(id, visitor, isKnown(visitor, users.byId(id)));
    }

    /** The address of a user. */
    String email(UserId id) {
        return users.byId(id).orElseThrow().email();
    }

    /** Whether the password of a user was reset by mail, or the address changed, a short while ago. */
    boolean isRecovering(UserId id) {
        return users.byId(id).orElseThrow().isRecovering(clock.instant());
    }

    /**
     * Whose session it is.
     *
     * @param viewer the viewer whose address opened it, who may have ended; null for a session of the user
     */
    public record Person(UserId id, String email, @Nullable UUID viewer) {}

    /** The user of an open session; empty when the session has ended or does not exist. */
    public Optional<Person> user(String token) {
        Instant now = Instants.truncated(clock.instant());
        String hash = Sha256.hex(token);
        Optional<Sessions.StoredSession> open = sessions.find(hash).filter(session -> isOpen(session, now));
        if (open.isPresent() && !open.get().lastUsedAt().plus(USE_WRITTEN_EVERY).isAfter(now)) {
            sessions.use(hash, now);
        }
        return open.flatMap(session ->
                users.byId(session.userId()).map(user -> new Person(user.id(), user.email(), session.viewer())));
    }

    public void signOut(String token) {
        sessions.close(Sha256.hex(token));
    }

    /** Removes ended sessions and expired devices, and returns how many. */
    public int forgetEnded() {
        Instant now = clock.instant();
        return sessions.removeEnded(now, now.minus(MAX_IDLE)) + devices.removeUnused(now.minus(MAX_DEVICE_AGE));
    }

    /** Whether a stored session has not ended. */
    public static boolean isOpen(Sessions.StoredSession session, Instant now) {
        return now.isBefore(session.expiresAt())
                && now.isBefore(session.lastUsedAt().plus(MAX_IDLE));
    }

    /** Looks up the device even if the account does not exist, so that the time does not reveal whether it does. */
    private boolean isKnown(Visitor visitor, Optional<User> user) {
        if (visitor.device == null) {
            return false;
        }
        Optional<UserId> owner =
                devices.find(Sha256.hex(visitor.device), clock.instant().minus(MAX_DEVICE_AGE));
        return owner.isPresent() && owner.equals(user.map(User::id));
    }

    /**
     * Opens a session for a user whose password matched. It may have waited to be compared while it was changed, which
     * ends the sessions and forgets the devices there are; the new session is checked after it is among them.
     */
    private Answer<Session> open(User user, Visitor visitor, boolean isKnown) {
        Session session = open(user.id(), visitor, isKnown);
        boolean isCurrent = users.byId(user.id()).map(User::passwordHash).equals(Optional.of(user.passwordHash()));
        if (!isCurrent) {
            sessions.close(Sha256.hex(session.token));
            devices.forget(user.id(), null);
        }
        return isCurrent ? Answer.given(session) : Answer.refused(wrongLogin());
    }

    private Session open(UserId user, Visitor visitor, boolean isKnown) {
        Instant now = Instants.truncated(clock.instant());
        if (notices.isSetUp() && !isKnown && isNew(user, visitor.origin)) {
            notices.send(user, new Notice.NewSignIn(visitor.origin.address(), visitor.origin.agent(), now));
        }
        String device = isKnown && visitor.device != null ? visitor.device : token(random);
        Session session = new Session(token(random), user, now.plus(MAX_SESSION), device);
        devices.remember(Sha256.hex(device), user, now, MAX_DEVICES);
        sessions.open(
                Sha256.hex(session.token),
                new Sessions.StoredSession(random.uuid(), user, now, now, session.expiresAt, visitor.origin));
        if (visitor.session != null) {
            sessions.close(Sha256.hex(visitor.session));
        }
        sessions.closeBeyond(user, null, Sha256.hex(session.token), now, MAX_SESSIONS);
        return session;
    }

    /** Whether the user has no session that was opened at the same address by the same kind of browser. */
    private boolean isNew(UserId user, SessionOrigin origin) {
        return sessions.of(user).stream().noneMatch(session -> session.origin().equals(origin));
    }

    /** A new unpredictable token. */
    static String token(RandomSource random) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(random.bytes(TOKEN_BYTES));
    }
}
