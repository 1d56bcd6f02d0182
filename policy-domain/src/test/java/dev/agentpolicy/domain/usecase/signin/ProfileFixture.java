package dev.agentpolicy.domain.usecase.signin;

import dev.agentpolicy.domain.agent.User;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.port.PlainPasswords;
import dev.agentpolicy.domain.port.RandomSource;
import dev.agentpolicy.domain.port.RecordedNotices;
import dev.agentpolicy.domain.sample.CountingRandomSource;
import dev.agentpolicy.domain.sample.SampleValues;
import dev.agentpolicy.domain.usecase.Answer;
import dev.agentpolicy.domain.usecase.Refusal;
import dev.agentpolicy.domain.usecase.UseCaseFixture;
import dev.agentpolicy.domain.usecase.signin.SignIn.Session;
import dev.agentpolicy.domain.usecase.signin.SignIn.Visitor;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/** The use cases of a user's own account with ports in memory, and two users: Anna, who has the sample portfolio, and Otto. */
public final class ProfileFixture {
    public static final UserId ANNA = UseCaseFixture.USER;
    public static final UserId OTTO = new UserId(UUID.fromString("00000000-0000-4000-8000-000000000002"));
    public static final String EMAIL = "anna@example.org";
    public static final String OTTOS_EMAIL = "otto@example.org";
    public static final String PASSWORD = "correct horse battery";
    public static final String WRONG = "wrong horse battery";
    public static final String NEXT = "a staple nobody tries";
    public static final String COMMON = "a common password";
    public static final Visitor HERE = Visitor.at("192.0.2.1");

    private static final CommonPasswords COMMON_PASSWORDS = new CommonPasswords(Set.of(COMMON));

    public final UseCaseFixture domain = UseCaseFixture.furnished();
    public final RecordedNotices notices = new RecordedNotices();
    public final PlainPasswords hashes = new PlainPasswords();
    private final RandomSource random = new CountingRandomSource();
    public final SignIn signIn = new SignIn(
            domain.store.users(),
            domain.store.sessions(),
            domain.store.devices(),
            hashes,
            random,
            domain.clock,
            notices);
    public final ChangePassword passwords = new ChangePassword(
            signIn,
            domain.store.users(),
            domain.store.mailTokens(),
            hashes,
            () -> COMMON_PASSWORDS,
            domain.store,
            domain.keys::revokeAll,
            notices,
            domain.clock);
    public final MailLinks links = new MailLinks(
            domain.store.users(),
            domain.store.mailTokens(),
            notices,
            address -> !address.startsWith("."),
            random,
            domain.clock);
    public final ManageProfile profiles =
            new ManageProfile(signIn, domain.store.users(), domain.store.mailTokens(), links, notices, domain.clock);
    public final ManageSessions sessions = new ManageSessions(domain.store.sessions(), domain.clock);

    public ProfileFixture() {
        domain.store.users().add(new User(ANNA, EMAIL, hashes.hash(PASSWORD), SampleValues.NOON));
        domain.store.users().add(new User(OTTO, OTTOS_EMAIL, hashes.hash(PASSWORD), SampleValues.NOON));
    }

    public Optional<User> user(UserId id) {
        return domain.store.users().byId(id);
    }

    /** Opens a session of Anna. */
    public Session session() {
        return given(signIn.signIn(new Login(EMAIL, PASSWORD), HERE));
    }

    public boolean isOpen(Session session) {
        return signIn.user(session.token()).isPresent();
    }

    public boolean matches(UserId id, String password) {
        return user(id).map(User::passwordHash).equals(Optional.of(hashes.hash(password)));
    }

    public static <T> T given(Answer<T> answer) {
        return UseCaseFixture.given(CompletableFuture.completedFuture(answer));
    }

    public static <T> Refusal refused(Answer<T> answer) {
        return UseCaseFixture.refused(CompletableFuture.completedFuture(answer));
    }
}
