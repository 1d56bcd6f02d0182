package dev.agentpolicy.domain.port;

import static dev.agentpolicy.domain.document.Schema.nullable;
import static dev.agentpolicy.domain.document.Schema.required;

import dev.agentpolicy.domain.agent.KeyPolicy;
import dev.agentpolicy.domain.agent.KeyRequest;
import dev.agentpolicy.domain.agent.KeyType;
import dev.agentpolicy.domain.agent.Scope;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.document.Codec;
import dev.agentpolicy.domain.document.Schema;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Stores how programs are connected by consent, for all nodes: registered clients, requests for a connection, and tokens. Of
 * codes and tokens it has hashes only. Methods block.
 */
public interface ConnectionStore {
    /** How long an access token works. */
    Duration ACCESS_TOKEN_AGE = Duration.ofHours(1);

    /** An access token that works for less is not given out again. */
    Duration MIN_ACCESS_TOKEN_REST = Duration.ofMinutes(5);

    /** How long a user may take to answer a request. */
    Duration REQUEST_AGE = Duration.ofMinutes(10);

    /** How long a refresh token works without being used. */
    Duration REFRESH_TOKEN_AGE = Duration.ofDays(30);

    /**
     * A program that registered itself.
     *
     * @param id the id it was given
     * @param name what it calls itself; null for none that can be shown
     */
    record RegisteredClient(String id, @Nullable String name, List<String> redirectUris, Instant createdAt) {
        public RegisteredClient {
            redirectUris = List.copyOf(redirectUris);
        }
    }

    /**
     * A program that asks for a connection.
     *
     * @param id its client id
     * @param name what it calls itself; null for none that can be shown
     * @param host the host of its metadata document, else of its redirect, or the scheme of one without a host
     * @param isVerifiedHost whether the host is that of its document
     */
    record AskingClient(String id, @Nullable String name, String host, boolean isVerifiedHost) {}

    /**
     * What a program asks for.
     *
     * @param client who asks
     * @param redirectUri where the answer goes
     * @param state what goes back with it; null for none
     * @param scopes those that were asked for
     * @param challenge the S256 challenge of PKCE (RFC 7636)
     * @param issuer the address of this service, as the client knows it
     */
    record AskedConnection(
            AskingClient client,
            String redirectUri,
            @Nullable String state,
            Set<Scope> scopes,
            String challenge,
            String issuer) {
        /** The form in which it is stored. */
        public static final Schema<AskedConnection> STORED = Schema.of(
                row -> new AskedConnection(
                        new AskingClient(row.next(), row.next(), row.next(), row.next()),
                        row.next(),
                        row.next(),
                        row.next(),
                        row.next(),
                        row.next()),
                required("clientId", Codec.TEXT, asked -> asked.client.id),
                nullable("clientName", Codec.TEXT, asked -> asked.client.name),
                required("host", Codec.TEXT, asked -> asked.client.host),
                required("isVerifiedHost", Codec.TRUTH, asked -> asked.client.isVerifiedHost),
                required("redirectUri", Codec.TEXT, AskedConnection::redirectUri),
                nullable("state", Codec.TEXT, AskedConnection::state),
                required("scopes", Codec.words(Scope.class), AskedConnection::scopes),
                required("challenge", Codec.TEXT, AskedConnection::challenge),
                required("issuer", Codec.TEXT, AskedConnection::issuer));

        public AskedConnection {
            scopes = Set.copyOf(scopes);
        }
    }

    /**
     * A request for a connection, which a user may answer once.
     *
     * @param browserHash hash of the token of the browser that must answer it
     * @param expiresAt when it can be answered no more
     * @param isAnswered whether it was answered
     */
    record AuthorizationRequest(
            UUID id, String browserHash, AskedConnection asked, Instant expiresAt, boolean isAnswered) {}

    /**
     * The consent of a user to a connection.
     *
     * @param user who consented
     * @param id a random id of 64 hex characters, by which the tokens of the connection find its key
     * @param key the key to be made
     * @param codeExpiresAt when the code can be exchanged no more
     */
    record Consent(UserId user, String id, KeyRequest key, Instant codeExpiresAt) {
        /** The form in which the key is stored. */
        public static final Schema<KeyRequest> STORED_KEY = Schema.of(
                row -> new KeyRequest(row.next(), row.next(), row.next(), row.next(), (Integer) row.next()),
                required("name", Codec.TEXT, KeyRequest::name),
                required("keyType", Codec.word(KeyType.class), KeyRequest::type),
                required("scopes", Codec.words(Scope.class), KeyRequest::scopes),
                required("policy", Codec.object(KeyPolicy.SCHEMA), KeyRequest::policy),
                nullable("expiresInDays", Codec.INTEGER, KeyRequest::expiresInDays));
    }

    /**
     * A consent that was found by its code.
     *
     * @param wasExchanged whether the code was exchanged before
     * @param wasReplayed whether it was then used again
     */
    record CodedConsent(AskedConnection asked, Consent consent, boolean wasExchanged, boolean wasReplayed) {}

    /**
     * The connection that a token belongs to.
     *
     * @param consent the id of its consent
     */
    record TokenOwner(UserId user, String consent, Instant expiresAt) {}

    /**
     * What follows a refresh token.
     *
     * @param accessNumber the number of the access token among those of the successor; 0 if the old token was used too long
     *     after its successor
     * @param accessExpiresAt when that access token ends
     */
    record Succession(int accessNumber, Instant accessExpiresAt) {
        public boolean isReplay() {
            return accessNumber == 0;
        }
    }

    void register(RegisteredClient client);

    Optional<RegisteredClient> client(String id);

    void begin(AuthorizationRequest request);

    Optional<AuthorizationRequest> request(UUID id);

    /** Notes that a user has seen a request, if nobody has before. */
    void seen(UUID id, UserId user);

    /** The requests that a user was the first to see and that can be answered still. */
    List<AuthorizationRequest> waiting(UserId user, Instant now);

    /**
     * Records the consent of a user, and that a registered client is in use; false if the request was answered before or is
     * over.
     *
     * @param codeHash hash of the code that the client exchanges
     */
    boolean approve(UUID id, String codeHash, Consent consent, Instant now);

    /** Records that a user refused; false if the request was answered before or is over. */
    boolean deny(UUID id, Instant now);

    /** The consent of a code, also one that was exchanged or is over. */
    Optional<CodedConsent> consent(String codeHash);

    /** Takes a code; true for the one call that gets it. That there was a further call is remembered. */
    boolean exchange(String codeHash);

    /**
     * Stores the first tokens of a connection.
     *
     * @param refreshHash hash of its refresh token
     * @param accessHash hash of its access token, the first of that refresh token
     */
    void issue(TokenOwner owner, String refreshHash, String accessHash, Instant now);

    /** The owner of an access token or a refresh token that has not expired. */
    Optional<TokenOwner> owner(String tokenHash, Instant now);

    /**
     * The tokens that follow a refresh token: the same ones for all calls with that token, on every node.
     *
     * @param successorHash hash of the refresh token that follows
     * @param accessHash hash of the access token of that one with a number, which counts from 1
     * @param grace how long the old token works after its successor was first used
     * @return empty if there is no such token, or it has expired
     */
    Optional<Succession> succeed(
            String refreshHash, String successorHash, IntFunction<String> accessHash, Duration grace, Instant now);

    /**
     * Removes what is over, and returns how much.
     *
     * @param unusedSince clients that registered at this moment or before, and were never connected, are removed
     */
    int removeExpired(Instant now, Instant unusedSince);
}
