package dev.agentpolicy.adapter.http.oauth;

import dev.agentpolicy.adapter.http.app.Origins;
import dev.agentpolicy.adapter.http.json.JsonReader;
import dev.agentpolicy.adapter.http.json.JsonWriter;
import dev.agentpolicy.adapter.http.route.Access;
import dev.agentpolicy.adapter.http.route.Route;
import dev.agentpolicy.adapter.http.wire.Body;
import dev.agentpolicy.adapter.http.wire.CacheableAnswer;
import dev.agentpolicy.adapter.http.wire.ClientAddress;
import dev.agentpolicy.adapter.http.wire.ErrorCode;
import dev.agentpolicy.adapter.http.wire.ErrorResponse;
import dev.agentpolicy.adapter.http.wire.HttpConfig;
import dev.agentpolicy.adapter.http.wire.Reply;
import dev.agentpolicy.adapter.http.wire.ServiceAddress;
import dev.agentpolicy.domain.agent.Scope;
import dev.agentpolicy.domain.port.ConnectionStore.RegisteredClient;
import dev.agentpolicy.domain.usecase.connection.GrantTokens;
import dev.agentpolicy.domain.usecase.connection.GrantTokens.TokenSet;
import dev.agentpolicy.domain.usecase.connection.OAuthAnswer;
import dev.agentpolicy.domain.usecase.connection.OAuthAnswer.OAuthError;
import dev.agentpolicy.domain.usecase.connection.OAuthAnswer.OAuthParameters;
import dev.agentpolicy.domain.usecase.connection.OAuthClients;
import dev.agentpolicy.domain.usecase.connection.RequestConnection;
import dev.agentpolicy.domain.usecase.connection.RequestConnection.ConnectionCall;
import dev.agentpolicy.domain.usecase.connection.RequestConnection.NextStep;
import dev.agentpolicy.domain.usecase.connection.RequestConnection.ToClient;
import dev.agentpolicy.domain.usecase.connection.RequestConnection.ToConsent;
import dev.agentpolicy.domain.usecase.connection.RequestConnection.ToErrorPage;
import io.javalin.http.Context;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * OAuth 2.1 for programs that cannot be given a key (docs/reference/connections.md): metadata (RFC 8414, RFC 9728), the
 * authorization and token endpoints, registration (RFC 7591) and revocation (RFC 7009). Consent is given in the console.
 */
public final class OAuthApi {
    private static final String AUTHORIZE = "/oauth/authorize";
    private static final String TOKEN = "/oauth/token";
    private static final String REGISTER = "/oauth/register";
    private static final String REVOKE = "/oauth/revoke";
    private static final String SERVER_METADATA = "/.well-known/oauth-authorization-server";
    private static final String OPENID_METADATA = "/.well-known/openid-configuration";
    private static final int FOUND = 302;
    private static final int CREATED = 201;
    private static final int BAD_REQUEST = 400;
    private static final int TOO_MANY = 429;

    private final OAuthUseCases useCases;
    private final ServiceAddress address;
    private final Origins origins;
    private final ClientAddress client;

    /** The use cases by which programs are connected. */
    public record OAuthUseCases(OAuthClients clients, RequestConnection requests, GrantTokens tokens) {}

    public OAuthApi(OAuthUseCases useCases, HttpConfig config) {
        this.useCases = useCases;
        this.address = config.address();
        this.origins = new Origins(config);
        this.client = new ClientAddress(config.trustsProxy());
    }

    /** All endpoints. The metadata of resources are at the place derived from the path of the base address too. */
    public List<Route> routes() {
        List<Route> routes = new ArrayList<>();
        for (String path : Stream.of("", address.basePath()).distinct().toList()) {
            routes.add(
                    row("GET", ServiceAddress.RESOURCE_METADATA + path + ServiceAddress.MCP, "-", this::mcpResource));
            routes.add(row("GET", ServiceAddress.RESOURCE_METADATA + path, "-", this::resource));
        }
        routes.add(row("GET", SERVER_METADATA, "-", this::server));
        routes.add(row("GET", OPENID_METADATA, "-", this::server));
        routes.add(row(
                "GET",
                AUTHORIZE,
                "response_type, client_id, redirect_uri, code_challenge, code_challenge_method, resource, scope, state",
                this::authorize));
        routes.add(row(
                "POST",
                TOKEN,
                "grant_type, code, redirect_uri, code_verifier, refresh_token, client_id, resource, scope",
                this::token));
        routes.add(row("POST", REGISTER, "client metadata", this::register));
        routes.add(row("POST", REVOKE, "token, client_id", this::revoke));
        return List.copyOf(routes);
    }

    /** Whether pages of other sites may call a path, since everything in it is public or known to the caller. */
    public static boolean isOpenToPages(String path) {
        return path.startsWith(ServiceAddress.RESOURCE_METADATA)
                || path.equals(SERVER_METADATA)
                || path.equals(OPENID_METADATA)
                || path.equals(TOKEN)
                || path.equals(REGISTER);
    }

    /** Lets pages of other sites make calls and read the answers; no cookie is sent with those. */
    public static void openToPages(Context ctx, String methods) {
        ctx.header("Access-Control-Allow-Origin", "*")
                .header("Access-Control-Allow-Methods", methods)
                .header("Access-Control-Allow-Headers", "Authorization, Content-Type, MCP-Protocol-Version")
                .header("Access-Control-Max-Age", "86400");
    }

    private Route row(String method, String path, String input, BiConsumer<Context, String> work) {
        return new Route(method, path, Access.PUBLIC, input, ctx -> {
            if (isOpenToPages(path)) {
                ctx.header("Access-Control-Allow-Origin", "*");
            }
            String issuer = address.issuer(ctx);
            boolean isElsewhere = path.equals(AUTHORIZE) ? origins.isMisdirected(ctx) : !address.isNamed(ctx);
            if (issuer == null) {
                ErrorResponse.of(
                                ErrorCode.NOT_FOUND,
                                "Nothing can be connected here: the operator has not set POLICY_APP_URL.")
                        .send(ctx);
            } else if (isElsewhere) {
                ErrorResponse.misdirected().send(ctx);
            } else {
                work.accept(ctx, issuer);
            }
        });
    }

    // Metadata

    private void mcpResource(Context ctx, String issuer) {
        resource(ctx, issuer, address.resources(issuer).get(0));
    }

    private void resource(Context ctx, String issuer) {
        resource(ctx, issuer, address.resources(issuer).get(1));
    }

    private void resource(Context ctx, String issuer, String resource) {
        metadata(
                ctx,
                out -> texts(
                                texts(out.text("resource", resource), "authorization_servers", issuer),
                                "scopes_supported",
                                "read",
                                "validate",
                                "propose")
                        .texts("bearer_methods_supported", List.of("header"), it -> it)
                        .text("resource_name", "Agent Policy"));
    }

    private void server(Context ctx, String issuer) {
        metadata(ctx, out -> {
            out.text("issuer", issuer)
                    .text("authorization_endpoint", issuer + AUTHORIZE)
                    .text("token_endpoint", issuer + TOKEN)
                    .text("registration_endpoint", issuer + REGISTER)
                    .text("revocation_endpoint", issuer + REVOKE);
            texts(out, "response_types_supported", "code");
            texts(out, "response_modes_supported", "query");
            texts(out, "grant_types_supported", "authorization_code", "refresh_token");
            texts(out, "code_challenge_methods_supported", "S256");
            texts(out, "token_endpoint_auth_methods_supported", "none");
            texts(out, "revocation_endpoint_auth_methods_supported", "none");
            texts(out, "scopes_supported", "read", "validate", "propose", "offline_access");
            out.truth("client_id_metadata_document_supported", useCases.clients.takesDocuments())
                    .truth("authorization_response_iss_parameter_supported", true);
        });
    }

    private static JsonWriter texts(JsonWriter out, String name, String... texts) {
        return out.texts(name, List.of(texts), it -> it);
    }

    private void metadata(Context ctx, Consumer<JsonWriter> members) {
        CacheableAnswer.of(JsonWriter.object(members)).answer(ctx);
        if (address.app() == null) {
            // The address is what the caller sent, so no cache may hand it to others.
            ctx.header("Cache-Control", "private, max-age=300");
        }
    }

    // Authorization

    private void authorize(Context ctx, String issuer) {
        NextStep next = useCases.requests.begin(new ConnectionCall(
                new OAuthParameters(ctx.queryParamMap()),
                issuer,
                address.resources(issuer),
                origins.connecting(ctx),
                client.network(ctx)));
        if (next instanceof ToConsent consent) {
            origins.setConnecting(ctx, consent.browser());
            ctx.status(FOUND).header("Location", "/connect/" + consent.id());
        } else if (next instanceof ToClient back) {
            ctx.status(FOUND).header("Location", back.address());
        } else {
            page(ctx, (ToErrorPage) next);
        }
    }

    /** A page for the person whose program brought the browser here. It has no link, and no part of the request but a host. */
    private static void page(Context ctx, ToErrorPage page) {
        retryAfter(ctx, page.error());
        String host = page.host();
        ctx.status(page.error().retryAfterSeconds() > 0 ? TOO_MANY : BAD_REQUEST)
                .contentType("text/html; charset=utf-8")
                .result(
                        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>This program cannot be connected"
                                + "</title><h1>This program cannot be connected</h1><p>"
                                + escaped(page.error().description())
                                + "</p><p>Nothing was changed, and nothing was sent"
                                + (host == null ? "" : " to " + escaped(host))
                                + ". Go back to the program and begin again; if that does not help, tell its makers that the"
                                + " answer was <code>" + escaped(page.error().code()) + "</code>.</p></html>");
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    // Tokens

    private void token(Context ctx, String issuer) {
        Body.form(
                ctx,
                sent -> {
                    ctx.header("Pragma", "no-cache");
                    answer(
                            ctx,
                            useCases.tokens.give(
                                    new OAuthParameters(sent), address.resources(issuer), client.network(ctx)),
                            OAuthApi::tokens);
                },
                unreadable -> refuse(ctx, unreadable));
    }

    private static void tokens(Context ctx, TokenSet tokens) {
        Reply.object(
                ctx,
                200,
                out -> out.text("access_token", tokens.accessToken())
                        .text("token_type", "Bearer")
                        .integer("expires_in", tokens.expiresInSeconds())
                        .text("refresh_token", tokens.refreshToken())
                        .text(
                                "scope",
                                tokens.scopes().stream()
                                        .sorted()
                                        .map(Scope::wireName)
                                        .collect(Collectors.joining(" "))));
    }

    private void revoke(Context ctx, String issuer) {
        Body.form(
                ctx,
                sent -> answer(
                        ctx,
                        useCases.tokens.revoke(new OAuthParameters(sent), client.network(ctx)),
                        (call, done) -> call.status(200)),
                unreadable -> refuse(ctx, unreadable));
    }

    private void register(Context ctx, String issuer) {
        Body.bytes(
                ctx,
                sent -> JsonReader.read(sent)
                        .fold(
                                document -> {
                                    answer(
                                            ctx,
                                            useCases.clients.register(document, client.network(ctx)),
                                            OAuthApi::registered);
                                    return true;
                                },
                                problems -> {
                                    refuse(
                                            ctx,
                                            new OAuthError(
                                                    "invalid_client_metadata",
                                                    problems.get(0).message(),
                                                    0));
                                    return false;
                                }));
    }

    private static void registered(Context ctx, RegisteredClient registered) {
        Reply.object(ctx, CREATED, out -> {
            out.text("client_id", registered.id())
                    .integer("client_id_issued_at", registered.createdAt().getEpochSecond())
                    .present("client_name", registered.name(), JsonWriter::text)
                    .texts("redirect_uris", registered.redirectUris(), it -> it);
            texts(out, "grant_types", "authorization_code", "refresh_token");
            texts(out, "response_types", "code");
            out.text("token_endpoint_auth_method", "none").text("scope", ServiceAddress.SCOPES);
        });
    }

    private static <T> void answer(Context ctx, OAuthAnswer<T> answer, BiConsumer<Context, T> success) {
        answer.<Runnable>fold(value -> () -> success.accept(ctx, value), error -> () -> refuse(ctx, error))
                .run();
    }

    /** Answers an error as OAuth says (RFC 6749, section 5.2). */
    private static void refuse(Context ctx, OAuthError error) {
        retryAfter(ctx, error);
        Reply.object(
                ctx,
                error.retryAfterSeconds() > 0 ? TOO_MANY : BAD_REQUEST,
                out -> out.text("error", error.code()).text("error_description", error.description()));
    }

    /** Answers what is wrong with a form, in the members of OAuth. */
    private static void refuse(Context ctx, ErrorResponse unreadable) {
        unreadable.headers().forEach(ctx::header);
        Reply.object(
                ctx,
                unreadable.code().status(),
                out -> out.text("error", "invalid_request").text("error_description", unreadable.message()));
    }

    private static void retryAfter(Context ctx, @Nullable OAuthError error) {
        if (error != null && error.retryAfterSeconds() > 0) {
            ctx.header("Retry-After", Long.toString(error.retryAfterSeconds()));
        }
    }
}
