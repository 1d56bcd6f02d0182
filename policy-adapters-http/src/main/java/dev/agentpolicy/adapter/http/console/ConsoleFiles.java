package dev.agentpolicy.adapter.http.console;

import static dev.agentpolicy.adapter.http.route.Access.PUBLIC;

import dev.agentpolicy.adapter.http.app.Origins;
import dev.agentpolicy.adapter.http.route.Route;
import dev.agentpolicy.adapter.http.wire.ErrorCode;
import dev.agentpolicy.adapter.http.wire.ErrorResponse;
import dev.agentpolicy.adapter.http.wire.HttpConfig;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import java.util.ArrayList;
import java.util.List;

/**
 * Serves the console, which is a client of the app API only: one page at every path it handles, and the files that the
 * page loads.
 */
public final class ConsoleFiles {
    /** The paths a person can open or reload; {@code pages.js} decides what each of them shows. */
    private static final List<String> PAGES = List.of(
            "/",
            "/sign-in",
            "/sign-up",
            "/welcome",
            "/inbox",
            "/requests",
            "/requests/{id}",
            "/policy",
            "/portfolio",
            "/agents",
            "/agents/{id}",
            "/connect/{id}",
            "/activity",
            "/reconciliation",
            "/proof",
            "/usage",
            "/account");

    /**
     * Allows only our own files, no inline script or style and no embedding; text can never become script, and only the address of
     * the service worker can become that of one.
     */
    private static final String POLICY = String.join(
            "; ",
            "default-src 'none'",
            "script-src 'self'",
            "style-src 'self'",
            "img-src 'self' data:",
            "font-src 'self'",
            "connect-src 'self'",
            "manifest-src 'self'",
            "form-action 'self'",
            "base-uri 'none'",
            "frame-ancestors 'none'",
            "require-trusted-types-for 'script'",
            "trusted-types service-worker");

    /** The worker only fetches our own files. */
    private static final String WORKER_POLICY = "default-src 'none'; connect-src 'self'";

    private static final String CONTENT_SECURITY_POLICY = "Content-Security-Policy";

    private ConsoleFiles() {}

    /** Reads the files now, so that the first visitor need not wait for that. */
    public static void load() {
        ConsoleContent.get();
    }

    public static List<Route> routes(HttpConfig config) {
        Origins origins = new Origins(config);
        List<Route> routes = new ArrayList<>();
        PAGES.forEach(path -> routes.add(route(path, origins, ConsoleFiles::sendPage)));
        routes.add(route("/service-worker.js", origins, ctx -> {
            ctx.header(CONTENT_SECURITY_POLICY, WORKER_POLICY);
            ConsoleContent.get().worker().send(ctx);
        }));
        routes.add(route(
                "/manifest.webmanifest",
                origins,
                ctx -> ConsoleContent.get().manifest().send(ctx)));
        routes.add(route(ConsoleContent.ASSETS + "{version}/<name>", origins, ConsoleFiles::sendAsset));
        return routes;
    }

    private static Route route(String path, Origins origins, Handler send) {
        return new Route("GET", path, PUBLIC, "-", ctx -> {
            if (origins.isMisdirected(ctx)) {
                ErrorResponse.misdirected().send(ctx);
            } else {
                send.handle(ctx);
            }
        });
    }

    private static void sendPage(Context ctx) {
        headers(ctx);
        ConsoleContent.get().page().send(ctx);
    }

    /** Answers 404 with a page, for a browser at a path where there is nothing. */
    public static void sendNothing(Context ctx) {
        headers(ctx);
        ConsoleContent.get().nothing().sendAs(ctx, ErrorCode.NOT_FOUND.status());
    }

    private static void headers(Context ctx) {
        ctx.header(CONTENT_SECURITY_POLICY, POLICY)
                .header("Cross-Origin-Opener-Policy", "same-origin")
                .header("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=()");
    }

    private static void sendAsset(Context ctx) {
        ConsoleContent.ConsoleFile asset = ConsoleContent.get().asset(ctx.pathParam("version"), ctx.pathParam("name"));
        if (asset == null) {
            ErrorResponse.of(ErrorCode.NOT_FOUND, "There is nothing at this path.")
                    .send(ctx);
        } else {
            asset.send(ctx);
        }
    }
}
