package dev.agentpolicy.domain.usecase.connection;

import dev.agentpolicy.domain.agent.SlidingWindow;
import dev.agentpolicy.domain.document.Decimals;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Fields;
import dev.agentpolicy.domain.document.Instants;
import dev.agentpolicy.domain.document.PlainText;
import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.port.ClientDocuments;
import dev.agentpolicy.domain.port.ClientDocuments.FetchedDocument;
import dev.agentpolicy.domain.port.ConnectionStore;
import dev.agentpolicy.domain.port.ConnectionStore.RegisteredClient;
import dev.agentpolicy.domain.port.RandomSource;
import dev.agentpolicy.domain.usecase.connection.OAuthAnswer.OAuthError;
import java.lang.Character.UnicodeScript;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The programs that may ask for a connection: those that register themselves (RFC 7591), and those whose client id is the
 * address of a document that describes them. Documents of well-known programs come with the service.
 */
public final class OAuthClients {
    /** Registrations of one client address within an hour. */
    public static final int REGISTRATIONS_PER_HOUR = 60;

    /** Documents that are fetched for one client address within a minute. */
    public static final int FETCHES_PER_MINUTE = 10;

    private static final int MAX_NAME = 100;
    private static final int MAX_REDIRECTS = 20;
    private static final int MAX_CACHED = 1_000;
    private static final int ID_BYTES = 16;
    private static final Duration MIN_AGE = Duration.ofMinutes(5);
    private static final Duration MAX_AGE = Duration.ofHours(24);

    /** What their vendors publish at these addresses, as of September 2026 (docs/reference/connections.md names the sources). */
    private static final Map<String, OAuthClient> SHIPPED = Stream.of(
                    shipped(
                            "https://claude.ai/oauth/mcp-oauth-client-metadata",
                            "Claude",
                            "https://claude.ai/api/mcp/auth_callback",
                            "https://claude.com/api/mcp/auth_callback"),
                    shipped(
                            "https://claude.ai/oauth/claude-code-client-metadata",
                            "Claude Code",
                            "http://localhost/callback",
                            "http://127.0.0.1/callback"),
                    shipped(
                            "https://chatgpt.com/oauth/client.json",
                            "ChatGPT",
                            "https://chatgpt.com/connector_platform_oauth_redirect"),
                    shipped(
                            "https://chatgpt.com/oauth/codex/client.json",
                            "Codex",
                            "http://127.0.0.1/callback",
                            "http://localhost/callback"),
                    shipped(
                            "https://vscode.dev/oauth/client-metadata.json",
                            "Visual Studio Code",
                            "http://127.0.0.1:33418/",
                            "https://vscode.dev/redirect"),
                    shipped("https://zed.dev/oauth/client-metadata.json", "Zed", "http://127.0.0.1/callback"))
            .collect(LinkedHashMap::new, (all, client) -> all.put(client.id, client), Map::putAll);

    /** Which client documents are used. */
    public enum DocumentUse {
        /** Those that come with the service, and others, which are fetched. */
        FETCH,
        /** Those that come with the service. */
        PINNED,
        /** None. */
        OFF
    }

    /**
     * A program that may ask for a connection.
     *
     * @param name what it calls itself; null for none that can be shown
     * @param documentHost the host of its document; null for a registered client
     * @param isShipped whether its document comes with the service
     */
    record OAuthClient(
            String id,
            @Nullable String name,
            @Nullable String documentHost,
            List<String> redirectUris,
            boolean isShipped) {
        boolean has(String redirectUri) {
            return redirectUris.stream().anyMatch(registered -> RedirectUris.matches(registered, redirectUri));
        }
    }

    private final ConnectionStore store;
    private final ClientDocuments documents;
    private final DocumentUse use;
    private final RandomSource random;
    private final InstantSource clock;
    private final SlidingWindow registrations = new SlidingWindow(REGISTRATIONS_PER_HOUR, Duration.ofHours(1));
    private final SlidingWindow fetches = new SlidingWindow(FETCHES_PER_MINUTE, Duration.ofMinutes(1));
    private final Map<String, CachedClient> fetched = new LinkedHashMap<>();

    private record CachedClient(OAuthClient client, Instant until) {}

    public OAuthClients(
            ConnectionStore store,
            ClientDocuments documents,
            DocumentUse use,
            RandomSource random,
            InstantSource clock) {
        this.store = store;
        this.documents = documents;
        this.use = use;
        this.random = random;
        this.clock = clock;
    }

    /** Whether client ids may be addresses of documents. */
    public boolean takesDocuments() {
        return use != DocumentUse.OFF;
    }

    /**
     * The client with an id and a redirect. Blocks while a document is fetched.
     *
     * @param network where the call came from, whose fetches are counted
     */
    OAuthAnswer<OAuthClient> find(String id, String redirectUri, String network) {
        URI document = documentUrl(id);
        if (document == null) {
            return OAuthAnswer.of(
                    Optional.of(id)
                            .filter(PlainText::isPlain)
                            .flatMap(store::client)
                            .map(client -> new OAuthClient(id, client.name(), null, client.redirectUris(), false))
                            .filter(client -> client.has(redirectUri))
                            .orElse(null),
                    unknown("This client is not registered here, or not with this redirect_uri."));
        }
        OAuthClient shipped = takesDocuments() ? SHIPPED.get(id) : null;
        if (shipped != null && shipped.has(redirectUri)) {
            return OAuthAnswer.given(shipped);
        }
        if (use != DocumentUse.FETCH) {
            return OAuthAnswer.refused(unknown("This service does not know the document of this client."));
        }
        OAuthClient cached = cached(id);
        if (cached == null) {
            long wait = fetches.secondsToWait(network, clock.instant());
            if (wait > 0) {
                return OAuthAnswer.refused(OAuthError.tooMany("Too many client documents in a minute.", wait));
            }
            cached = fetch(id, document);
        }
        return OAuthAnswer.of(
                cached == null || !cached.has(redirectUri) ? null : cached,
                unknown(
                        cached == null
                                ? "The document of this client cannot be read."
                                : "The document of this client does not have this redirect_uri."));
    }

    private static OAuthError unknown(String message) {
        return OAuthError.of("invalid_client", message);
    }

    private @Nullable OAuthClient cached(String id) {
        synchronized (fetched) {
            CachedClient cached = fetched.get(id);
            return cached != null && clock.instant().isBefore(cached.until) ? cached.client : null;
        }
    }

    private @Nullable OAuthClient fetch(String id, URI url) {
        FetchedDocument document = documents.fetch(url).orElse(null);
        if (document == null) {
            return null;
        }
        OAuthClient client =
                Document.parse(document.json()).then(OAuthClients::metadata).fold(it -> it, problems -> null);
        if (client == null || !client.id.equals(id)) {
            return null;
        }
        Duration age = document.maxAge().compareTo(MIN_AGE) < 0
                ? MIN_AGE
                : document.maxAge().compareTo(MAX_AGE) > 0 ? MAX_AGE : document.maxAge();
        OAuthClient ofHost = new OAuthClient(
                id, client.name, url.getHost().toLowerCase(Locale.ROOT), client.redirectUris, SHIPPED.containsKey(id));
        synchronized (fetched) {
            fetched.remove(id);
            fetched.put(id, new CachedClient(ofHost, clock.instant().plus(age)));
            if (fetched.size() > MAX_CACHED) {
                fetched.remove(fetched.keySet().iterator().next());
            }
        }
        return ofHost;
    }

    /** Registers a program. A registration that nobody consents to within 30 days is removed. */
    public OAuthAnswer<RegisteredClient> register(Document sent, String network) {
        long wait = registrations.secondsToWait(network, clock.instant());
        if (wait > 0) {
            return OAuthAnswer.refused(OAuthError.tooMany("Too many registrations from this address.", wait));
        }
        Object redirects = sent.get("redirect_uris");
        if (redirects instanceof List<?> list) {
            for (Object redirect : list) {
                if (!(redirect instanceof String text) || !RedirectUris.isAcceptable(text)) {
                    return OAuthAnswer.refused(OAuthError.of(
                            "invalid_redirect_uri",
                            PlainText.shown(String.valueOf(redirect))
                                    + " is no address that an answer can be sent to: it must be https, loopback, or of a"
                                    + " scheme like com.example.app."));
                }
            }
        }
        return metadata(sent)
                .fold(
                        client -> {
                            RegisteredClient registered = new RegisteredClient(
                                    "svc_client_" + HexFormat.of().formatHex(random.bytes(ID_BYTES)),
                                    client.name,
                                    client.redirectUris,
                                    Instants.truncated(clock.instant()));
                            store.register(registered);
                            return OAuthAnswer.given(registered);
                        },
                        problems -> OAuthAnswer.refused(OAuthError.of(
                                problems.get(0).field().startsWith("redirect_uris")
                                        ? "invalid_redirect_uri"
                                        : "invalid_client_metadata",
                                problems.get(0).message())));
    }

    /** Reads what is used of the metadata of a client (RFC 7591, section 2). */
    private static Reading<OAuthClient> metadata(Document sent) {
        Fields fields = new Fields(sent, Decimals.NUMBERS);
        String id = fields.text("client_id", 1, ClientDocuments.MAX_BYTES);
        String name = fields.text("client_name", 0, ClientDocuments.MAX_BYTES);
        List<String> redirects = fields.texts(
                "redirect_uris",
                MAX_REDIRECTS,
                "must be https, loopback, or of a scheme like com.example.app",
                text -> RedirectUris.isAcceptable(text) ? text : null);
        fields.require("redirect_uris");
        fields.ignoreUnknown();
        if (redirects.isEmpty() && fields.isRight()) {
            fields.problem("redirect_uris", "must name at least one address");
        }
        return fields.finish(() -> new OAuthClient(id == null ? "" : id, shownName(name), null, redirects, false));
    }

    /**
     * A name that can be shown to a user; null for one that is too long, has invisible characters, or mixes scripts so that
     * it can look like another name.
     */
    static @Nullable String shownName(@Nullable String name) {
        String text = name == null ? "" : name.strip();
        if (text.isEmpty() || text.codePointCount(0, text.length()) > MAX_NAME || !PlainText.isClean(text)) {
            return null;
        }
        Set<UnicodeScript> scripts = EnumSet.noneOf(UnicodeScript.class);
        text.codePoints().mapToObj(UnicodeScript::of).forEach(scripts::add);
        boolean isInvisible = text.codePoints()
                .anyMatch(point -> Character.getType(point) == Character.FORMAT
                        || Character.getType(point) == Character.UNASSIGNED
                        || Character.getType(point) == Character.PRIVATE_USE);
        scripts.removeAll(EnumSet.of(UnicodeScript.COMMON, UnicodeScript.INHERITED));
        boolean isEastAsian = scripts.removeAll(EnumSet.of(
                UnicodeScript.HAN,
                UnicodeScript.HIRAGANA,
                UnicodeScript.KATAKANA,
                UnicodeScript.HANGUL,
                UnicodeScript.BOPOMOFO));
        boolean isMixed =
                scripts.size() > 1 || isEastAsian && !scripts.isEmpty() && !scripts.contains(UnicodeScript.LATIN);
        return isInvisible || isMixed ? null : text;
    }

    /** The address of the document that a client id is; null for another id. */
    private static @Nullable URI documentUrl(String id) {
        if (!id.startsWith("https://")) {
            return null;
        }
        try {
            URI url = new URI(id);
            boolean isUsable = url.getHost() != null
                    && url.getRawUserInfo() == null
                    && url.getRawFragment() == null
                    && url.getRawPath().length() > 1
                    && url.normalize().equals(url);
            return isUsable ? url : null;
        } catch (URISyntaxException malformed) {
            return null;
        }
    }

    private static OAuthClient shipped(String url, String name, String... redirectUris) {
        return new OAuthClient(url, name, URI.create(url).getHost(), List.of(redirectUris), true);
    }
}
