package dev.agentpolicy.adapter.http.server;

import dev.agentpolicy.adapter.http.agent.AgentCall;
import dev.agentpolicy.adapter.http.agent.CallGate;
import dev.agentpolicy.adapter.http.authzen.AuthzenApi;
import dev.agentpolicy.adapter.http.console.ConsoleFiles;
import dev.agentpolicy.adapter.http.metric.Metrics;
import dev.agentpolicy.adapter.http.oauth.OAuthApi;
import dev.agentpolicy.adapter.http.route.Route;
import dev.agentpolicy.adapter.http.wire.Body;
import dev.agentpolicy.adapter.http.wire.ErrorCode;
import dev.agentpolicy.adapter.http.wire.ErrorHandling;
import dev.agentpolicy.adapter.http.wire.ErrorResponse;
import dev.agentpolicy.adapter.http.wire.EventStream;
import dev.agentpolicy.adapter.http.wire.Reply;
import dev.agentpolicy.adapter.http.wire.RequestDispatch;
import dev.agentpolicy.adapter.http.wire.RequestHeaders;
import dev.agentpolicy.adapter.http.wire.RequestIdLog;
import dev.agentpolicy.adapter.http.wire.ResponseHeaders;
import dev.agentpolicy.domain.usage.CallRecord;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import io.javalin.http.HandlerType;
import io.javalin.http.HttpResponseException;
import io.javalin.http.MethodNotAllowedResponse;
import io.javalin.http.NotFoundResponse;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** Registers the route tables and answers all calls that match no row. */
final class Routes {
    /** Off by default: decisions are in the signed log, counts in usage, and unknown callers could fill the disk. */
    private static final Logger CALLS = LoggerFactory.getLogger("dev.agentpolicy.calls");

    private static final int FIRST_REFUSED = 400;
    private static final List<String> APIS = List.of(
            "/api/", "/access/", "/mcp", "/oauth/", "/health/", "/metrics", "/assets/", "/.well-known/", "/tlog/");
    /** Others share a label in metrics, because clients could invent any number of them. */
    private static final Set<String> KNOWN_METHODS =
            Set.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT");

    private static final String ROUTE = "route";
    private static final String BEGUN = "begun";

    private final List<Route> routes;
    private final CallGate gate;
    private final Metrics metrics;

    Routes(List<Route> routes, CallGate gate, Metrics metrics) {
        this.routes = List.copyOf(routes);
        this.gate = gate;
        this.metrics = metrics;
    }

    void into(RoutesConfig config) {
        config.before(this::begin);
        routes.forEach(route -> add(config, route));
        allowed().forEach((path, methods) -> config.options(path, options(path, String.join(", ", methods))));
        config.after(gate::note);
        config.after(this::measure);
        config.after(Body::discardRest);
        config.after(RequestDispatch::beforeSending);
        config.exception(HttpResponseException.class, this::answerMiss);
        config.exception(Exception.class, gate::answerFailure);
        config.error(500, Routes::answerTimeout);
    }

    private void begin(Context ctx) {
        ResponseHeaders.on(ctx);
        ctx.attribute(BEGUN, System.nanoTime());
        if (!ctx.method().isHttpMethod()) {
            throw strange(ctx.path());
        }
    }

    /** An unknown method matches no row, like any other method that a path does not support. */
    private HttpResponseException strange(String path) {
        return described(path)
                .<HttpResponseException>map(entry -> new MethodNotAllowedResponse(
                        "Method not allowed", Map.of("availableMethods", String.join(", ", entry.getValue()))))
                .orElseGet(NotFoundResponse::new);
    }

    /** The path of the row that matches a path, and its methods. */
    private Optional<Map.Entry<String, Set<String>>> described(String path) {
        return allowed().entrySet().stream()
                .filter(entry -> path.matches(Pattern.quote(entry.getKey())
                        .replaceAll("\\{[^}]*}", "\\\\E[^/]+\\\\Q")
                        .replaceAll("<[^>]*>", "\\\\E.+\\\\Q")))
                .findFirst();
    }

    private static void add(RoutesConfig config, Route route) {
        Handler named = RequestIdLog.handler(ctx -> {
            ctx.attribute(ROUTE, route);
            route.handler().handle(ctx);
        });
        config.addHttpHandler(HandlerType.findOrCreate(route.method()), route.path(), named);
        if (route.method().equals("GET")) {
            config.head(route.path(), named);
        }
    }

    /** Records the route and not the path, because clients could invent any number of paths. */
    private void measure(Context ctx) {
        Route route = ctx.attribute(ROUTE);
        Long begun = ctx.attribute(BEGUN);
        if (begun != null) {
            String path = route == null ? CallRecord.UNKNOWN_PATH : route.path();
            long nanos = EventStream.answeredAt(ctx) - begun;
            String method =
                    KNOWN_METHODS.contains(ctx.method().name()) ? ctx.method().name() : "(unknown)";
            metrics.call(method, path, ctx.statusCode(), nanos);
            if (AgentCall.isDecided(ctx)) {
                metrics.decided(nanos);
            }
            log(ctx, method, path, nanos);
        }
    }

    /**
     * Logs an answered call: at INFO if it was refused, else at DEBUG. The line names the route and not the path, so the
     * only text in it that a caller chooses is a well-formed request id.
     */
    private static void log(Context ctx, String method, String route, long nanos) {
        int status = ctx.statusCode();
        Level level = status >= FIRST_REFUSED ? Level.INFO : Level.DEBUG;
        if (CALLS.isEnabledForLevel(level)) {
            RequestIdLog.run(
                    ctx,
                    () -> CALLS.atLevel(level)
                            .addKeyValue("method", method)
                            .addKeyValue("route", route)
                            .addKeyValue("status", status)
                            .addKeyValue("micros", TimeUnit.NANOSECONDS.toMicros(nanos))
                            .log("{} {} {}", method, route, status));
        }
    }

    private Map<String, Set<String>> allowed() {
        Map<String, Set<String>> allowed = new LinkedHashMap<>();
        for (Route route : routes) {
            Set<String> methods = allowed.computeIfAbsent(route.path(), path -> new TreeSet<>(Set.of("OPTIONS")));
            methods.add(route.method());
            if (route.method().equals("GET")) {
                methods.add("HEAD");
            }
        }
        return allowed;
    }

    private Handler options(String path, String methods) {
        Consumer<Context> answer = ctx -> {
            ctx.status(204).header("Allow", methods);
            if (OAuthApi.isOpenToPages(path)) {
                OAuthApi.openToPages(ctx, methods);
            }
        };
        return isAgents(path) ? gate.admitAnyone(path, answer) : answer::accept;
    }

    /** Answers 404, or 405 if the path supports other methods. */
    private void answerMiss(HttpResponseException miss, Context ctx) {
        try {
            if (isAgents(ctx.path())) {
                gate.countMiss(ctx, path(miss, ctx.path()), it -> miss(miss).send(it));
            } else if (isOfBrowser(miss, ctx)) {
                ConsoleFiles.sendNothing(ctx);
            } else {
                miss(miss).send(ctx);
            }
        } catch (RuntimeException failed) {
            ErrorHandling.answer(failed, ctx);
        }
    }

    /** Whether a person opened a path where there is nothing, in a browser and beside the APIs. */
    private boolean isOfBrowser(HttpResponseException miss, Context ctx) {
        return miss.getStatus() == ErrorCode.NOT_FOUND.status()
                && ctx.method().equals(HandlerType.GET)
                && RequestHeaders.accepts(ctx, "text/html")
                && APIS.stream().noneMatch(ctx.path()::startsWith);
    }

    /** The path under which an unmatched call is counted: that of the row for a wrong method, else a fixed name. */
    private String path(HttpResponseException miss, String path) {
        Optional<String> known = miss.getStatus() == ErrorCode.METHOD_NOT_ALLOWED.status()
                ? described(path).map(Map.Entry::getKey)
                : Optional.empty();
        return known.orElse(CallRecord.UNKNOWN_PATH);
    }

    private static ErrorResponse miss(HttpResponseException miss) {
        if (miss.getStatus() != ErrorCode.METHOD_NOT_ALLOWED.status()) {
            return ErrorResponse.of(ErrorCode.NOT_FOUND, "There is nothing at this path.");
        }
        String allowed = String.join(", ", miss.getDetails().values());
        return ErrorResponse.of(ErrorCode.METHOD_NOT_ALLOWED, "This path allows " + allowed + ".")
                .with("Allow", allowed);
    }

    /** Answers a call that took too long. Without this the server would close it with an empty answer. */
    private static void answerTimeout(Context ctx) {
        if (ctx.resultInputStream() == null) {
            Reply.timeOut(ctx);
            boolean isBodyLate = Body.isAwaited(ctx);
            if (!isBodyLate) {
                ErrorHandling.timedOut(ctx);
            }
            ErrorResponse answer = isBodyLate ? Body.tooSlow() : ErrorResponse.unavailable();
            answer.with("Connection", "close").send(ctx);
        }
    }

    private static boolean isAgents(String path) {
        return (path + "/").startsWith(CallGate.PREFIX) || AuthzenApi.isAt(path);
    }
}
