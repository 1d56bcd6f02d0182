package dev.agentpolicy.domain.usecase.connection;

import dev.agentpolicy.domain.agent.Scope;
import dev.agentpolicy.domain.agent.SlidingWindow;
import dev.agentpolicy.domain.document.Instants;
import dev.agentpolicy.domain.document.PlainText;
import dev.agentpolicy.domain.document.Sha256;
import dev.agentpolicy.domain.event.canonical.Base64Url;
import dev.agentpolicy.domain.port.ConnectionStore;
import dev.agentpolicy.domain.port.ConnectionStore.AskedConnection;
import dev.agentpolicy.domain.port.ConnectionStore.AskingClient;
import dev.agentpolicy.domain.port.ConnectionStore.AuthorizationRequest;
import dev.agentpolicy.domain.port.RandomSource;
import dev.agentpolicy.domain.usecase.connection.OAuthAnswer.OAuthError;
import dev.agentpolicy.domain.usecase.connection.OAuthAnswer.OAuthParameters;
import dev.agentpolicy.domain.usecase.connection.OAuthClients.OAuthClient;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Takes the request of a program for a connection, which its browser brings (RFC 6749, section 4.1.1, with PKCE). A user
 * answers it on a page of the console, by {@link AnswerConnection}.
 */
public final class RequestConnection {
    /** How long a user may take to answer. */
    public static final Duration MAX_AGE = ConnectionStore.REQUEST_AGE;

    /** Requests that come from one address within a minute. */
    public static final int CALLS_PER_MINUTE = 120;

    private static final String OFFLINE = "offline_access";
    private static final int BROWSER_BYTES = 32;

    private final OAuthClients clients;
    private final ConnectionStore store;
    private final RandomSource random;
    private final InstantSource clock;
    private final SlidingWindow calls = new SlidingWindow(CALLS_PER_MINUTE, Duration.ofMinutes(1));

    public RequestConnection(OAuthClients clients, ConnectionStore store, RandomSource random, InstantSource clock) {
        this.clients = clients;
        this.store = store;
        this.random = random;
        this.clock = clock;
    }

    /**
     * A call that asks for a connection.
     *
     * @param parameters of the query
     * @param issuer the address of this service
     * @param resources what a connection may be asked for
     * @param browser the token that the browser brought; null for none
     * @param network where it comes from
     */
    public record ConnectionCall(
            OAuthParameters parameters,
            String issuer,
            List<String> resources,
            @Nullable String browser,
            String network) {}

    /** What becomes of the browser. */
    public sealed interface NextStep {}

    /**
     * It goes to the page where a user answers.
     *
     * @param browser the token that it keeps, to be known again
     */
    public record ToConsent(UUID id, String browser) implements NextStep {}

    /** It goes back to the program, with an error. */
    public record ToClient(String address) implements NextStep {}

    /**
     * It stays here and shows what went wrong.
     *
     * @param host where it would have gone; null if it is not known that it may go there
     */
    public record ToErrorPage(OAuthError error, @Nullable String host) implements NextStep {}

    /** Takes a request. Blocks, for a few seconds where the document of a client is fetched. */
    public NextStep begin(ConnectionCall call) {
        OAuthParameters sent = call.parameters;
        long wait = calls.secondsToWait(call.network, clock.instant());
        if (wait > 0) {
            return new ToErrorPage(OAuthError.tooMany("Too many requests from this address.", wait), null);
        }
        String redirectUri = sent.text("redirect_uri");
        return clients.find(sent.text("client_id"), redirectUri, call.network)
                .fold(client -> begin(call, client, redirectUri), error -> new ToErrorPage(error, null));
    }

    private NextStep begin(ConnectionCall call, OAuthClient client, String redirectUri) {
        OAuthParameters sent = call.parameters;
        Set<Scope> scopes = scopes(sent.text("scope"));
        OAuthError error = error(call, scopes);
        if (error != null) {
            // A page of anybody could otherwise send browsers on through this service.
            return client.isShipped() || RedirectUris.isLoopback(redirectUri)
                    ? new ToClient(answerTo(
                            redirectUri,
                            List.of("error", error.code(), "error_description", error.description()),
                            sent.get("state"),
                            call.issuer))
                    : new ToErrorPage(error, RedirectUris.host(redirectUri));
        }
        String browser = call.browser == null ? HexFormat.of().formatHex(random.bytes(BROWSER_BYTES)) : call.browser;
        String documentHost = client.documentHost();
        UUID id = random.uuid();
        Instant expiresAt = Instants.truncated(clock.instant()).plus(MAX_AGE);
        store.begin(new AuthorizationRequest(
                id,
                Sha256.hex(browser),
                new AskedConnection(
                        new AskingClient(
                                client.id(),
                                client.name(),
                                documentHost == null ? RedirectUris.host(redirectUri) : documentHost,
                                documentHost != null),
                        redirectUri,
                        sent.get("state"),
                        scopes,
                        sent.text("code_challenge"),
                        call.issuer),
                expiresAt,
                false));
        return new ToConsent(id, browser);
    }

    private static @Nullable OAuthError error(ConnectionCall call, Set<Scope> scopes) {
        OAuthParameters sent = call.parameters;
        String repeated = sent.repeated();
        if (repeated != null) {
            return OAuthError.of("invalid_request", "A parameter was sent more than once.");
        }
        if (!PlainText.isClean(sent.text("state"))) {
            return OAuthError.of("invalid_request", "The state must have no control characters.");
        }
        if (!sent.text("response_type").equals("code")) {
            return OAuthError.of("unsupported_response_type", "The response_type must be code.");
        }
        if (!sent.text("code_challenge_method").equals("S256")
                || !Base64Url.isText(sent.text("code_challenge"), Base64Url.KEY_BYTES)) {
            return OAuthError.of("invalid_request", "PKCE with a code_challenge of the method S256 is required.");
        }
        if (!sent.isFor(call.resources)) {
            return OAuthError.of("invalid_target", "The resource must be " + String.join(" or ", call.resources) + ".");
        }
        return scopes.isEmpty() ? OAuthError.of("invalid_scope", "The scopes are read, validate and propose.") : null;
    }

    /** The scopes that a program asks for: all if it names none. Those of others are ignored beside ours. */
    private static Set<Scope> scopes(String asked) {
        Set<Scope> known = EnumSet.noneOf(Scope.class);
        boolean isAny = true;
        for (String word : asked.split(" ", -1)) {
            EnumSet.allOf(Scope.class).stream()
                    .filter(scope -> scope.wireName().equals(word))
                    .forEach(known::add);
            isAny &= word.isEmpty() || word.equals(OFFLINE);
        }
        return isAny ? EnumSet.allOf(Scope.class) : known;
    }

    /** A redirect with the members of an answer (RFC 6749, section 4.1.2; RFC 9207). */
    static String answerTo(String redirectUri, List<String> members, @Nullable String state, String issuer) {
        StringBuilder address = new StringBuilder(redirectUri);
        char before = redirectUri.indexOf('?') < 0 ? '?' : '&';
        for (int i = 0; i < members.size(); i += 2) {
            address.append(before).append(members.get(i)).append('=').append(encoded(members.get(i + 1)));
            before = '&';
        }
        if (state != null) {
            address.append("&state=").append(encoded(state));
        }
        return address.append("&iss=").append(encoded(issuer)).toString();
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
