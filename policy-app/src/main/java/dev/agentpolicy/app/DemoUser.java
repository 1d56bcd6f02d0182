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
import dev.agentpolicy.domain.ips.IpsDocument;
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

/**
 * The user of the demonstration: a policy, a paper portfolio of 100 000 USD, and two keys.
 *
 * <p>An existing user keeps the policy and the portfolio. The keys get new secrets and the user gets a new password at
 * every start, because the earlier ones are not stored.
 *
 * @param id of the user
 * @param live secret of the key that acts on the portfolio
 * @param test secret of the key that acts on the sandbox
 */
record DemoUser(UserId id, Credential live, Credential test) {
    static final String EMAIL = "demo@example.com";

    private static final String CUSTODIAN = "paper";
    private static final String LIVE_KEY = "demo agent";
    private static final String TEST_KEY = "demo sandbox";

    /** Creates the parts of the user that are missing. */
    static DemoUser of(Users users, AppUseCases useCases) {
        UserId user = users.byEmail(EMAIL).map(User::id).orElseGet(() -> signedUp(useCases));
        if (useCases.readState().ips(user).isEmpty()) {
            given(useCases.amendIps()
                    .put(user, IpsDocument.read(resource("ips.json")).orElseThrow()));
        }
        if (useCases.readState().portfolio(user).isEmpty()) {
            given(useCases.observePortfolio()
                    .observe(
                            user,
                            PaperSetupDocument.read(CUSTODIAN, resource("holdings.json"), Instant.now())
                                    .orElseThrow()));
        }
        return new DemoUser(
                user,
                secret(useCases.issueKeys(), user, LIVE_KEY, KeyType.LIVE),
                secret(useCases.issueKeys(), user, TEST_KEY, KeyType.TEST));
    }

    /** This password is not printed; {@link DemoPassword#renew} sets the one that is. */
    private static UserId signedUp(AppUseCases useCases) {
        return given(useCases.signUp().add(new Login(EMAIL, DemoPassword.random(new SecureRandomSource()))));
    }

    private static Credential secret(IssueKeys keys, UserId user, String name, KeyType type) {
        Optional<AgentKey> known = keys.list(user).stream()
                .filter(key -> key.name().equals(name) && key.type() == type && key.isActive(Instant.now()))
                .findFirst();
        KeyRequest asked = new KeyRequest(name, type, EnumSet.allOf(Scope.class), KeyPolicy.NO_CAPS, null);
        return given(known.isPresent() ? keys.rotate(user, known.get().id()) : keys.mint(user, asked))
                .credential();
    }

    private static <T> T given(CompletionStage<Answer<T>> answer) {
        return given(answer.toCompletableFuture().join());
    }

    private static <T> T given(Answer<T> answer) {
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
}
