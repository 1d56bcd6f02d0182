package dev.agentpolicy.domain.usecase.connection;

import dev.agentpolicy.domain.account.Notice;
import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.AgentKey.ConnectedClient;
import dev.agentpolicy.domain.agent.Credential;
import dev.agentpolicy.domain.agent.Scope;
import dev.agentpolicy.domain.agent.SlidingWindow;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.document.Instants;
import dev.agentpolicy.domain.document.Sha256;
import dev.agentpolicy.domain.event.canonical.Base64Url;
import dev.agentpolicy.domain.port.AccountReader;
import dev.agentpolicy.domain.port.Accounts;
import dev.agentpolicy.domain.port.ConnectionStore;
import dev.agentpolicy.domain.port.ConnectionStore.AskedConnection;
import dev.agentpolicy.domain.port.ConnectionStore.CodedConsent;
import dev.agentpolicy.domain.port.ConnectionStore.Consent;
import dev.agentpolicy.domain.port.ConnectionStore.Succession;
import dev.agentpolicy.domain.port.ConnectionStore.TokenOwner;
import dev.agentpolicy.domain.port.Notices;
import dev.agentpolicy.domain.port.RandomSource;
import dev.agentpolicy.domain.port.TokenDerivation;
import dev.agentpolicy.domain.usecase.connection.OAuthAnswer.OAuthError;
import dev.agentpolicy.domain.usecase.connection.OAuthAnswer.OAuthParameters;
import dev.agentpolicy.domain.usecase.policy.IssueKeys;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Gives out the tokens of connections (RFC 6749, sections 4.1.3 and 6), and ends connections by them (RFC 7009). Methods block.
 *
 * <p>A refresh token is replaced whenever it is used. Its successor is derived from it, so that an answer can be lost, and two
 * programs can share a token: for as long as its successor has not been in use for long, an old token gives the same tokens
 * again. Used after that, it may be stolen, and the connection is ended.
 */
public final class GrantTokens {
    /** Calls from one address within a second. */
    public static final int CALLS_PER_SECOND = 50;

    private static final String REFRESH_TOKEN = "svc_rt_";
    private static final int SECRET_BYTES = 32;
    private static final Pattern VERIFIER = Pattern.compile("[A-Za-z0-9._~-]{43,128}");

    private final ConnectionStore store;
    private final Accounts accounts;
    private final AccountReader reader;
    private final IssueKeys keys;
    private final TokenDerivation derivation;
    private final Notices notices;
    private final RandomSource random;
    private final InstantSource clock;
    private final Duration grace;
    private final SlidingWindow calls = new SlidingWindow(CALLS_PER_SECOND, Duration.ofSeconds(1));

    /** @param grace how long a refresh token works after its successor was first used */
    public GrantTokens(
            ConnectionStore store,
            Accounts accounts,
            AccountReader reader,
            IssueKeys keys,
            TokenDerivation derivation,
            Notices notices,
            RandomSource random,
            InstantSource clock,
            Duration grace) {
        this.store = store;
        this.accounts = accounts;
        this.reader = reader;
        this.keys = keys;
        this.derivation = derivation;
        this.notices = notices;
        this.random = random;
        this.clock = clock;
        this.grace = grace;
    }

    /**
     * Tokens of a connection; never printed.
     *
     * @param expiresInSeconds how long the access token works
     */
    public record TokenSet(String accessToken, long expiresInSeconds, String refreshToken, Set<Scope> scopes) {
        @Override
        public String toString() {
            return "TokenSet[]";
        }
    }

    /**
     * Exchanges a code or a refresh token.
     *
     * @param sent the members of the form
     * @param resources what tokens may be asked for
     * @param network where the call comes from
     */
    public OAuthAnswer<TokenSet> give(OAuthParameters sent, List<String> resources, String network) {
        long wait = calls.secondsToWait(network, clock.instant());
        if (wait > 0) {
            return OAuthAnswer.refused(OAuthError.tooMany("Too many calls from this address.", wait));
        }
        if (sent.repeated() != null || sent.get("client_id") == null) {
            return OAuthAnswer.refused(
                    "invalid_request", "Every parameter is sent once, and client_id is one of them.");
        }
        if (!sent.isFor(resources)) {
            return OAuthAnswer.refused("invalid_target", "The resource must be one of this service.");
        }
        return switch (sent.text("grant_type")) {
            case "authorization_code" -> exchange(sent);
            case "refresh_token" -> refresh(sent);
            case "" -> OAuthAnswer.refused("invalid_request", "The grant_type is missing.");
            default ->
                OAuthAnswer.refused(
                        "unsupported_grant_type", "The grant_type must be authorization_code or refresh_token.");
        };
    }

    private OAuthAnswer<TokenSet> exchange(OAuthParameters sent) {
        String codeHash = Sha256.hex(sent.text("code"));
        CodedConsent found = store.consent(codeHash).orElse(null);
        if (found == null) {
            return invalid("The code is not known, or over.");
        }
        Consent consent = found.consent();
        if (found.wasExchanged()) {
            store.exchange(codeHash);
            return replayed(consent);
        }
        AskedConnection asked = found.asked();
        boolean isBound = asked.client().id().equals(sent.text("client_id"))
                && asked.redirectUri().equals(sent.text("redirect_uri"));
        if (!isBound || !clock.instant().isBefore(consent.codeExpiresAt())) {
            return invalid("The code is over, or was given to another client_id or redirect_uri.");
        }
        String verifier = sent.text("code_verifier");
        if (!VERIFIER.matcher(verifier).matches()
                || !Base64Url.encode(Sha256.of(verifier)).equals(asked.challenge())) {
            return invalid("The code_verifier is not that of the code_challenge.");
        }
        if (!store.exchange(codeHash)) {
            return replayed(consent);
        }
        ConnectedClient client =
                new ConnectedClient(asked.client().id(), asked.client().host());
        OAuthAnswer<TokenSet> tokens = accounts.await(keys.connect(consent.user(), consent.key(), client, consent.id()))
                .fold(key -> first(key, consent), refusal -> invalid(refusal.message()));
        // A second use that came before the key was made found nothing to end.
        boolean wasReplayed =
                store.consent(codeHash).filter(CodedConsent::wasReplayed).isPresent();
        return wasReplayed ? replayed(consent) : tokens;
    }

    private OAuthAnswer<TokenSet> replayed(Consent consent) {
        end(consent.user(), consent.id());
        return invalid("The code was exchanged before; the connection is ended.");
    }

    private OAuthAnswer<TokenSet> first(AgentKey key, Consent consent) {
        Instant now = Instants.truncated(clock.instant());
        String refresh = REFRESH_TOKEN + HexFormat.of().formatHex(random.bytes(SECRET_BYTES));
        Credential access = access(refresh, 1);
        store.issue(
                new TokenOwner(consent.user(), consent.id(), now.plus(ConnectionStore.REFRESH_TOKEN_AGE)),
                Sha256.hex(refresh),
                access.hash(),
                now);
        return OAuthAnswer.given(
                new TokenSet(access.reveal(), ConnectionStore.ACCESS_TOKEN_AGE.toSeconds(), refresh, key.scopes()));
    }

    private OAuthAnswer<TokenSet> refresh(OAuthParameters sent) {
        Instant now = Instants.truncated(clock.instant());
        String token = sent.text("refresh_token");
        TokenOwner owner = token.startsWith(REFRESH_TOKEN)
                ? store.owner(Sha256.hex(token), now).orElse(null)
                : null;
        AgentKey key = owner == null ? null : key(owner.user(), owner.consent()).orElse(null);
        ConnectedClient client = key == null ? null : key.client();
        if (owner == null || key == null || client == null || !client.id().equals(sent.text("client_id"))) {
            return invalid("The refresh_token is not known, has ended, or was given to another client_id.");
        }
        boolean isWithin = Arrays.stream(sent.text("scope").split(" "))
                .filter(word -> !word.isEmpty() && !word.equals("offline_access"))
                .allMatch(word ->
                        key.scopes().stream().anyMatch(scope -> scope.wireName().equals(word)));
        if (!isWithin) {
            return OAuthAnswer.refused("invalid_scope", "The scope goes beyond what the user consented to.");
        }
        String next = REFRESH_TOKEN + HexFormat.of().formatHex(derivation.derive("refresh " + token));
        Succession succession = store.succeed(
                        Sha256.hex(token),
                        Sha256.hex(next),
                        number -> access(next, number).hash(),
                        grace,
                        now)
                .orElse(null);
        if (succession == null) {
            return invalid("The refresh_token has ended.");
        }
        if (succession.isReplay()) {
            notices.send(owner.user(), new Notice.TokenReused(key.name(), client.host(), now));
            end(owner.user(), owner.consent());
            return invalid("The refresh_token was used long after its successor; the connection is ended.");
        }
        return OAuthAnswer.given(new TokenSet(
                access(next, succession.accessNumber()).reveal(),
                Duration.between(now, succession.accessExpiresAt()).toSeconds(),
                next,
                key.scopes()));
    }

    /** The access token of a refresh token with a number. */
    private Credential access(String refreshToken, int number) {
        return Credential.accessToken(
                derivation.derive(String.format(Locale.ROOT, "access %d %s", number, refreshToken)));
    }

    /** Ends the connection of a token. A token that is not known is no error, since it does not work. */
    public OAuthAnswer<Boolean> revoke(OAuthParameters sent, String network) {
        long wait = calls.secondsToWait(network, clock.instant());
        if (wait > 0) {
            return OAuthAnswer.refused(OAuthError.tooMany("Too many calls from this address.", wait));
        }
        if (sent.repeated() != null || sent.get("token") == null) {
            return OAuthAnswer.refused("invalid_request", "Every parameter is sent once, and token is one of them.");
        }
        TokenOwner owner =
                store.owner(Sha256.hex(sent.text("token")), clock.instant()).orElse(null);
        AgentKey key = owner == null ? null : key(owner.user(), owner.consent()).orElse(null);
        if (owner == null || key == null) {
            return OAuthAnswer.given(false);
        }
        String client = sent.get("client_id");
        if (client != null && (key.client() == null || !key.client().id().equals(client))) {
            return OAuthAnswer.refused("invalid_client", "The token was given to another client_id.");
        }
        end(owner.user(), owner.consent());
        return OAuthAnswer.given(true);
    }

    private void end(UserId user, String consent) {
        key(user, consent).ifPresent(key -> accounts.await(keys.revoke(user, key.id())));
    }

    /** The key of a consent, if it works. */
    private Optional<AgentKey> key(UserId user, String consent) {
        Instant now = clock.instant();
        return reader.view(user).keys().values().stream()
                .filter(key -> key.credentialHash().equals(consent) && key.isActive(now))
                .findFirst();
    }

    private static <T> OAuthAnswer<T> invalid(String description) {
        return OAuthAnswer.refused("invalid_grant", description);
    }

    /** Removes what is over, and returns how much. */
    public int forgetOld() {
        Instant now = clock.instant();
        return store.removeExpired(now, now.minus(ConnectionStore.REFRESH_TOKEN_AGE));
    }
}
