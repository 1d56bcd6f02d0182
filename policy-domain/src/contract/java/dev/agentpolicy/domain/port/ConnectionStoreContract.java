package dev.agentpolicy.domain.port;

import static dev.agentpolicy.domain.port.StoreSamples.START;
import static dev.agentpolicy.domain.port.StoreSamples.hash;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.account.Outcome;
import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.AgentKey.ConnectedClient;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.KeyPolicy;
import dev.agentpolicy.domain.agent.KeyRequest;
import dev.agentpolicy.domain.agent.KeyType;
import dev.agentpolicy.domain.agent.Scope;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.document.Sha256;
import dev.agentpolicy.domain.event.chain.EventKind;
import dev.agentpolicy.domain.event.content.EventPayloads;
import dev.agentpolicy.domain.port.ConnectionStore.AskedConnection;
import dev.agentpolicy.domain.port.ConnectionStore.AskingClient;
import dev.agentpolicy.domain.port.ConnectionStore.AuthorizationRequest;
import dev.agentpolicy.domain.port.ConnectionStore.CodedConsent;
import dev.agentpolicy.domain.port.ConnectionStore.Consent;
import dev.agentpolicy.domain.port.ConnectionStore.RegisteredClient;
import dev.agentpolicy.domain.port.ConnectionStore.Succession;
import dev.agentpolicy.domain.port.ConnectionStore.TokenOwner;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.sample.SeededRandomSource;
import dev.agentpolicy.domain.usecase.connection.GrantTokens;
import dev.agentpolicy.domain.usecase.connection.OAuthAnswer.OAuthParameters;
import dev.agentpolicy.domain.usecase.policy.IssueKeys;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The contract of {@link ConnectionStore}, and of access tokens as credentials. */
public interface ConnectionStoreContract extends StoreContract {
    Duration GRACE = Duration.ofHours(2);

    /** The challenge of RFC 7636, appendix B. */
    String CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

    @Test
    default void a_client_is_found_as_it_registered_and_is_removed_if_nobody_consents() {
        RegisteredClient named =
                new RegisteredClient(hash(), "Robot", List.of("https://a.example/cb", "http://localhost/cb"), START);
        RegisteredClient unnamed = new RegisteredClient(hash(), null, List.of("cursor://x/cb"), START.plusSeconds(9));
        connections().register(named);
        connections().register(unnamed);
        assertThat(connections().client(named.id())).contains(named);
        assertThat(connections().client(unnamed.id())).contains(unnamed);

        connections().removeExpired(START.minusSeconds(1_000_000), START);

        assertThat(connections().client(named.id())).isEmpty();
        assertThat(connections().client(unnamed.id())).contains(unnamed);
        AuthorizationRequest request = begun(unnamed.id(), START.plusSeconds(600));
        connections().approve(request.id(), hash(), consent(StoreSamples.user()), START);
        connections().removeExpired(START.minusSeconds(1_000_000), START.plusSeconds(9));
        assertThat(connections().client(unnamed.id())).contains(unnamed);
    }

    @Test
    default void a_request_is_answered_once_and_in_time() {
        AuthorizationRequest first = begun("client", START.plusSeconds(600));
        AuthorizationRequest second = begun("client", START.plusSeconds(600));
        assertThat(connections().request(first.id())).contains(first);
        assertThat(connections().request(UUID.randomUUID())).isEmpty();
        String code = hash();
        Consent consent = consent(StoreSamples.user());

        assertThat(connections().deny(first.id(), START.plusSeconds(600))).isFalse();
        assertThat(connections().approve(first.id(), code, consent, START)).isTrue();
        assertThat(connections().approve(first.id(), hash(), consent(StoreSamples.user()), START))
                .isFalse();
        assertThat(connections().deny(first.id(), START)).isFalse();
        assertThat(connections().deny(second.id(), START)).isTrue();
        assertThat(connections().approve(second.id(), hash(), consent(StoreSamples.user()), START))
                .isFalse();

        assertThat(connections().request(first.id()).orElseThrow().isAnswered()).isTrue();
        assertThat(connections().consent(code)).contains(new CodedConsent(first.asked(), consent, false, false));
    }

    @Test
    default void a_request_waits_for_the_user_who_was_the_first_to_see_it_until_it_is_answered_or_over() {
        UserId user = StoreSamples.user();
        UserId other = StoreSamples.user();
        AuthorizationRequest request = begun("client", START.plusSeconds(600));
        AuthorizationRequest answered = begun("client", START.plusSeconds(600));
        assertThat(connections().waiting(user, START)).isEmpty();
        connections().seen(request.id(), user);
        connections().seen(request.id(), other);
        connections().seen(answered.id(), user);
        assertThat(connections().waiting(user, START)).containsExactlyInAnyOrder(request, answered);

        connections().deny(answered.id(), START);

        assertThat(connections().waiting(user, START.plusSeconds(599))).containsExactly(request);
        assertThat(connections().waiting(user, START.plusSeconds(600))).isEmpty();
        assertThat(connections().waiting(other, START)).isEmpty();
    }

    @Test
    default void of_many_who_exchange_a_code_at_once_one_gets_it() {
        AuthorizationRequest request = begun("client", START.plusSeconds(600));
        String code = hash();
        connections().approve(request.id(), code, consent(StoreSamples.user()), START);

        long taken = IntStream.range(0, 8)
                .parallel()
                .filter(i -> connections().exchange(code))
                .count();

        assertThat(taken).isEqualTo(1);
        assertThat(connections().consent(code).orElseThrow().wasExchanged()).isTrue();
        assertThat(connections().consent(code).orElseThrow().wasReplayed()).isTrue();
        assertThat(connections().exchange(hash())).isFalse();
    }

    @Test
    default void a_code_that_is_used_again_is_remembered_as_such() {
        String code = hash();
        connections().approve(begun("client", START.plusSeconds(600)).id(), code, consent(StoreSamples.user()), START);
        assertThat(connections().exchange(code)).isTrue();
        assertThat(connections().consent(code).orElseThrow().wasExchanged()).isTrue();
        assertThat(connections().consent(code).orElseThrow().wasReplayed()).isFalse();

        assertThat(connections().exchange(code)).isFalse();

        assertThat(connections().consent(code).orElseThrow().wasExchanged()).isTrue();
        assertThat(connections().consent(code).orElseThrow().wasReplayed()).isTrue();
    }

    @Test
    default void a_code_that_is_used_twice_at_the_same_moment_leaves_no_connection() {
        GrantTokens tokens = grantTokens();
        for (int round = 0; round < 30; round++) {
            UserId user = StoreSamples.user();
            String code = hash();
            connections().approve(begun("client", START.plusSeconds(600)).id(), Sha256.hex(code), consent(user), START);
            String from = "network " + round;

            IntStream.range(0, 4).parallel().forEach(i -> tokens.give(exchange(code), List.of(), from));

            assertThat(ports().accountReader().view(user).keys().values())
                    .as("round %d", round)
                    .noneMatch(key -> key.isActive(START));
        }
    }

    @Test
    default void an_old_refresh_token_gives_the_same_successor_until_that_was_in_use_for_long() {
        Tokens tokens = issued();
        Instant later = START.plusSeconds(60);

        Succession first = tokens.refreshed(0, later).orElseThrow();
        assertThat(first).isEqualTo(new Succession(1, later.plus(ConnectionStore.ACCESS_TOKEN_AGE)));
        assertThat(tokens.refreshed(0, later.plusSeconds(3_000))).contains(first);

        // Less than five minutes are left of the access token, so there is another one.
        Instant nearEnd = later.plusSeconds(3_301);
        assertThat(tokens.refreshed(0, nearEnd))
                .contains(new Succession(2, nearEnd.plus(ConnectionStore.ACCESS_TOKEN_AGE)));
        assertThat(connections().owner(tokens.access(1, 1), nearEnd)).isPresent();
        assertThat(connections().owner(tokens.access(1, 2), nearEnd)).isPresent();

        // The successor is used, which begins the time that the old token has left.
        Instant used = nearEnd.plusSeconds(10);
        assertThat(tokens.refreshed(1, used)).isPresent();
        assertThat(tokens.refreshed(0, used.plus(GRACE)).orElseThrow().isReplay())
                .isFalse();
        assertThat(tokens.refreshed(0, used.plus(GRACE).plusMillis(1))
                        .orElseThrow()
                        .isReplay())
                .isTrue();
    }

    @Test
    default void calls_with_one_refresh_token_at_once_get_one_successor() {
        Tokens tokens = issued();

        List<Succession> all = IntStream.range(0, 16)
                .parallel()
                .mapToObj(i -> tokens.refreshed(0, START).orElseThrow())
                .toList();

        assertThat(all).containsOnly(new Succession(1, START.plus(ConnectionStore.ACCESS_TOKEN_AGE)));
    }

    @Test
    default void a_refresh_token_that_is_not_used_for_thirty_days_ends() {
        Tokens tokens = issued();

        assertThat(tokens.refreshed(0, START.plus(ConnectionStore.REFRESH_TOKEN_AGE)))
                .isEmpty();
        assertThat(tokens.refreshed(7, START)).isEmpty();
        assertThat(connections().succeed(tokens.access(0, 1), hash(), number -> hash(), GRACE, START))
                .isEmpty();
    }

    @Test
    default void an_access_token_finds_the_key_of_its_consent_for_an_hour() {
        UserId user = StoreSamples.user();
        String consent = hash();
        AgentKey key = connect(user, consent);
        Tokens tokens = issued(user, consent);

        AgentKey found = found(tokens.access(0, 1)).orElseThrow();

        assertThat(found).isEqualTo(key.presentedUntil(START.plus(ConnectionStore.ACCESS_TOKEN_AGE)));
        assertThat(found.isActive(START.plusSeconds(3_599))).isTrue();
        assertThat(found.isActive(START.plusSeconds(3_600))).isFalse();
        assertThat(ports().agentKeys().recall(tokens.access(0, 1))).contains(found);
        assertThat(found(tokens.refresh(0))).isEmpty();
        assertThat(found(consent)).isEmpty();
    }

    @Test
    default void the_tokens_of_an_earlier_consent_find_nothing_once_the_client_was_connected_anew() {
        UserId user = StoreSamples.user();
        String consent = hash();
        AgentKey key = connect(user, consent);
        Tokens tokens = issued(user, consent);
        assertThat(found(tokens.access(0, 1))).isPresent();

        AgentKey again = key.reconnected(request(), hash(), new ConnectedClient("client", "a.example"), START);
        ports().accounts()
                .changeAndWait(
                        user,
                        account -> new Outcome.Recording()
                                .key(again)
                                .event(EventPayloads.key(EventKind.KEY_ROTATED, again))
                                .answer(receipts -> again));

        assertThat(found(tokens.access(0, 1))).isEmpty();
    }

    @Test
    default void tokens_and_consents_of_a_removed_user_are_gone() {
        UserId user = StoreSamples.user();
        String consent = hash();
        connect(user, consent);
        Tokens tokens = issued(user, consent);
        String code = hash();
        connections().approve(begun("client", START.plusSeconds(600)).id(), code, consent(user), START);

        ports().accountRemoval().remove(user);

        assertThat(found(tokens.access(0, 1))).isEmpty();
        assertThat(connections().owner(tokens.refresh(0), START)).isEmpty();
        assertThat(connections().consent(code)).isEmpty();
    }

    @Test
    default void tokens_that_are_over_are_removed() {
        Tokens tokens = issued();

        connections().removeExpired(START.plusSeconds(3_600), START.minusSeconds(1_000_000));

        assertThat(connections().owner(tokens.access(0, 1), START)).isEmpty();
        assertThat(connections().owner(tokens.refresh(0), START)).isPresent();
    }

    /** The tokens of one connection, by their place in the row of successors. */
    record Tokens(ConnectionStore store, String mark) {
        String refresh(int place) {
            return padded("r" + place);
        }

        String access(int place, int number) {
            return padded("a" + place + "-" + number);
        }

        Optional<Succession> refreshed(int place, Instant now) {
            IntFunction<String> access = number -> access(place + 1, number);
            return store.succeed(refresh(place), refresh(place + 1), access, GRACE, now);
        }

        private String padded(String name) {
            return (mark + name).substring((mark + name).length() - 64);
        }
    }

    private Tokens issued() {
        return issued(StoreSamples.user(), hash());
    }

    private Tokens issued(UserId user, String consent) {
        Tokens tokens = new Tokens(connections(), hash());
        connections()
                .issue(
                        new TokenOwner(user, consent, START.plus(ConnectionStore.REFRESH_TOKEN_AGE)),
                        tokens.refresh(0),
                        tokens.access(0, 1),
                        START);
        return tokens;
    }

    private AgentKey connect(UserId user, String consent) {
        ConnectedClient client = new ConnectedClient("client", "a.example");
        return ports().accounts().changeAndWait(user, account -> {
            AgentKey key = AgentKey.connected(
                    new AgentKeyId(UUID.randomUUID()), user, request(), consent, client, account.now());
            return new Outcome.Recording()
                    .key(key)
                    .event(EventPayloads.key(EventKind.KEY_MINTED, key))
                    .answer(receipts -> key);
        });
    }

    private GrantTokens grantTokens() {
        RandomSource random = new SeededRandomSource(new Random());
        return new GrantTokens(
                connections(),
                ports().accounts(),
                ports().accountReader(),
                new IssueKeys(ports().accounts(), ports().accountReader(), random),
                text -> Sha256.of(text),
                Notices.NONE,
                random,
                () -> START,
                GRACE);
    }

    /** The form that exchanges a code for the challenge of RFC 7636, appendix B. */
    private static OAuthParameters exchange(String code) {
        return new OAuthParameters(Map.of(
                "grant_type", List.of("authorization_code"),
                "code", List.of(code),
                "client_id", List.of("client"),
                "redirect_uri", List.of("https://a.example/cb"),
                "code_verifier", List.of("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")));
    }

    private Optional<AgentKey> found(String hash) {
        return ports().agentKeys().find(hash).toCompletableFuture().join();
    }

    private AuthorizationRequest begun(String client, Instant expiresAt) {
        AuthorizationRequest request = new AuthorizationRequest(
                UUID.randomUUID(),
                hash(),
                new AskedConnection(
                        new AskingClient(client, null, "a.example", false),
                        "https://a.example/cb",
                        "ünstable \"state\"",
                        Set.of(Scope.READ, Scope.PROPOSE),
                        CHALLENGE,
                        "https://policy.example"),
                expiresAt,
                false);
        connections().begin(request);
        return request;
    }

    private static Consent consent(UserId user) {
        return new Consent(user, hash(), request(), START.plusSeconds(60));
    }

    private static KeyRequest request() {
        KeyPolicy policy = KeyPolicy.NO_CAPS.withDailyUsdCap(Usd.of("500.5"));
        return new KeyRequest("Claude", KeyType.LIVE, Set.of(Scope.READ), policy, 90);
    }

    private ConnectionStore connections() {
        return ports().connections();
    }
}
