package dev.agentpolicy.app;

import dev.agentpolicy.adapter.http.app.AppUseCases;
import dev.agentpolicy.adapter.http.json.JsonReader;
import dev.agentpolicy.app.config.CannotStart;
import dev.agentpolicy.app.security.SecureRandomSource;
import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.Credential;
import dev.agentpolicy.domain.agent.KeyPolicy;
import dev.agentpolicy.domain.agent.KeyRequest;
import dev.agentpolicy.domain.agent.KeyType;
import dev.agentpolicy.domain.agent.Scope;
import dev.agentpolicy.domain.agent.User;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.custodian.PaperSetupDocument;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.ips.Ips;
import dev.agentpolicy.domain.ips.IpsDocument;
import dev.agentpolicy.domain.port.RandomSource;
import dev.agentpolicy.domain.port.signin.Passwords;
import dev.agentpolicy.domain.port.signin.Passwords.HashQueue;
import dev.agentpolicy.domain.port.signin.Users;
import dev.agentpolicy.domain.usecase.Answer;
import dev.agentpolicy.domain.usecase.policy.IssueKeys;
import dev.agentpolicy.domain.usecase.signin.Login;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The user of the demonstration: a policy, a paper portfolio of 100 000 USD, and two keys.
 *
 * <p>An existing user keeps the policy and the portfolio. The keys get new secrets and the user gets a new password at
 * every start, because the earlier ones are not stored.
 *
 * @param id of the user
 * @param password of a user who was signed up just now; null for one who was known
 * @param live secret of the key that acts on the portfolio
 * @param test secret of the key that acts on the sandbox
 */
record DemoUser(UserId id, @Nullable String password, Credential live, Credential test) {
    static final String EMAIL = "demo@example.com";

    private static final String CUSTODIAN = "paper";
    private static final String LIVE_KEY = "demo agent";
    private static final String TEST_KEY = "demo sandbox";

    /**
     * Creates the parts of the user that are missing.
     *
     * @param now the time of the service
     */
    static DemoUser of(Users users, AppUseCases useCases, Instant now) {
        Optional<UserId> known = users.byEmail(EMAIL).map(User::id);
        String password = DemoPassword.random(new SecureRandomSource());
        UserId user = known.orElseGet(() -> given(useCases.signUp().add(new Login(EMAIL, password))));
        if (useCases.readState().ips(user).isEmpty()) {
            given(useCases.amendIps().put(user, policy()));
        }
        if (useCases.readState().portfolio(user).isEmpty()) {
            given(useCases.observePortfolio()
                    .observe(
                            user,
                            PaperSetupDocument.read(CUSTODIAN, resource("holdings.json"), now)
                                    .orElseThrow()));
        }
        return new DemoUser(
                user,
                known.isPresent() ? null : password,
                secret(useCases.issueKeys(), user, LIVE_KEY, KeyType.LIVE, now),
                secret(useCases.issueKeys(), user, TEST_KEY, KeyType.TEST, now));
    }

    /** The policy of the demonstration. */
    static Ips policy() {
        return IpsDocument.read(resource("ips.json")).orElseThrow();
    }

    /** The key of the agent of the demonstration, unless its user revoked it. */
    static Optional<AgentKey> agent(IssueKeys keys, UserId user, Instant now) {
        return key(keys, user, LIVE_KEY, KeyType.LIVE, now);
    }

    private static Optional<AgentKey> key(IssueKeys keys, UserId user, String name, KeyType type, Instant now) {
        return keys.list(user).stream()
                .filter(key -> key.name().equals(name) && key.type() == type && key.isActive(now))
                .findFirst();
    }

    private static Credential secret(IssueKeys keys, UserId user, String name, KeyType type, Instant now) {
        Optional<AgentKey> known = key(keys, user, name, type, now);
        KeyRequest asked = new KeyRequest(name, type, EnumSet.allOf(Scope.class), KeyPolicy.NO_CAPS, null);
        return given(known.isPresent() ? keys.rotate(user, known.get().id()) : keys.mint(user, asked))
                .credential();
    }

    static <T> T given(CompletionStage<Answer<T>> answer) {
        return given(answer.toCompletableFuture().join());
    }

    static <T> T given(Answer<T> answer) {
        return answer.fold(value -> value, refusal -> {
            throw new CannotStart("The demonstration cannot be set up: " + refusal.message());
        });
    }

    private static Document resource(String name) {
        try (InputStream in = DemoUser.class.getResourceAsStream("/demo/" + name)) {
            if (in == null) {
                throw new IllegalStateException("The jar lacks demo/" + name + ".");
            }
            return JsonReader.read(in.readAllBytes()).orElseThrow();
        } catch (IOException unreadable) {
            throw new IllegalStateException("The jar is damaged: demo/" + name + " cannot be read.", unreadable);
        }
    }

    /**
     * The password of the demonstration's user. Each start of {@code demo} sets and prints a new random one,
     * so only the reader of that output knows it.
     */
    record DemoPassword(Users users, Passwords passwords, RandomSource random) {
        private static final Logger LOG = LoggerFactory.getLogger(DemoPassword.class);
        private static final String PUBLISHED_BEFORE = "try-it-in-a-minute";
        /** 32 letters and digits that are not mistaken for each other. */
        private static final String LETTERS = "abcdefghijkmnpqrstuvwxyz23456789";

        private static final int GROUPS = 4;
        private static final int GROUP = 5;

        /** Sets a new password, and answers it. */
        String renew(UserId user) {
            String password = random(random);
            users.setPassword(user, passwords.hash(password));
            return password;
        }

        /** Replaces the password that earlier versions gave every demonstration, where it is still in use. */
        void retirePublished() {
            users.byEmail(DemoUser.EMAIL)
                    .filter(this::hasPublished)
                    .map(User::id)
                    .ifPresent(user -> {
                        renew(user);
                        LOG.warn(
                                "{} still had the password that earlier versions published; it has a random one now, and demo sets another",
                                DemoUser.EMAIL);
                    });
        }

        /** A password of 100 random bits that is easy to copy. */
        static String random(RandomSource random) {
            StringBuilder letters = new StringBuilder();
            for (byte each : random.bytes(GROUPS * GROUP)) {
                letters.append(letters.length() % (GROUP + 1) == GROUP ? "-" : "")
                        .append(LETTERS.charAt(each & (LETTERS.length() - 1)));
            }
            return letters.toString();
        }

        private boolean hasPublished(User user) {
            return passwords.matches(PUBLISHED_BEFORE, user.passwordHash(), HashQueue.SIGN_IN);
        }
    }
}
