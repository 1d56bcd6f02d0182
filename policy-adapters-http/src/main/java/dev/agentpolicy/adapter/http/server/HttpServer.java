package dev.agentpolicy.adapter.http.server;

import dev.agentpolicy.adapter.http.agent.CallGate;
import dev.agentpolicy.adapter.http.json.JsonWriter;
import dev.agentpolicy.adapter.http.metric.Metrics;
import dev.agentpolicy.adapter.http.route.Route;
import dev.agentpolicy.adapter.http.server.ConnectionLimit.LimitedConnector;
import dev.agentpolicy.adapter.http.wire.ErrorCode;
import dev.agentpolicy.adapter.http.wire.ErrorHandling;
import dev.agentpolicy.adapter.http.wire.ErrorResponse;
import dev.agentpolicy.adapter.http.wire.HttpConfig;
import dev.agentpolicy.adapter.http.wire.Reply;
import dev.agentpolicy.adapter.http.wire.RequestDispatch;
import dev.agentpolicy.adapter.http.wire.ResponseHeaders;
import io.javalin.Javalin;
import io.javalin.compression.CompressionStrategy;
import io.javalin.config.JavalinConfig;
import io.javalin.util.JavalinException;
import java.io.IOException;
import java.io.Serial;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.eclipse.jetty.http.HttpCompliance;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The HTTP/1.1 server: one address, or both of {@code localhost}; limits on everything, and a stop that loses no accepted call. {@link
 * RequestDispatch} says which threads run calls.
 */
public final class HttpServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HttpServer.class);
    private static final int HEADER_BYTES = 8 * 1024;

    private static final String LOCALHOST = "localhost";
    /** The hosts that are served at {@code localhost}, which browsers look for at {@link #LOOPBACK_6} first. */
    private static final Set<String> LOOPBACK = Set.of("127.0.0.1", LOCALHOST);

    private static final String LOOPBACK_6 = "::1";
    private static final Set<String> ANY_ADDRESS = Set.of("0.0.0.0", "::");

    /**
     * Connections that wait to be accepted. The operating system drops further ones, and their clients try again a
     * second later.
     */
    private static final int BACKLOG = 1024;

    /** Everything the router can parse, which excludes the obsolete form {@code %u0041}. */
    private static final UriCompliance PATHS =
            UriCompliance.LEGACY.without("POLICY", UriCompliance.Violation.UTF16_ENCODINGS);

    /** Lines must end with CR LF. A proxy that treats a bare LF differently would see other headers. */
    private static final HttpCompliance LINES =
            HttpCompliance.RFC9110.without("CRLF", HttpCompliance.Violation.LF_HEADER_TERMINATION);

    /** How long an idle connection is kept during a stop, for a call that is on its way. */
    private static final Duration LAST_WORD = Duration.ofMillis(200);

    private final Javalin javalin;
    private final String host;
    private final int port;

    private HttpServer(Javalin javalin, String host) {
        this.javalin = javalin;
        this.host = host;
        this.port = javalin.port();
    }

    /** Loads the classes of a server in advance, which takes a while and needs no use case. */
    public static void prepare() {
        HttpConfig any = HttpConfig.of(LOCALHOST, 0, List.of());
        Javalin.create(javalin -> http(javalin, any));
        connector(new Server(), new HttpConfiguration(), any);
        new Metrics().watchProcess();
    }

    /** Starts a server; returns when it listens. */
    public static HttpServer start(HttpConfig config, CallGate gate, List<Route> routes, Metrics metrics) {
        Routes routing = new Routes(routes, gate, metrics);
        Javalin javalin = Javalin.create(javalinConfig -> {
            http(javalinConfig, config);
            jetty(javalinConfig, config, routes);
            routing.into(javalinConfig.routes);
        });
        return new HttpServer(bound(javalin, config), config.host());
    }

    private static Javalin bound(Javalin javalin, HttpConfig config) {
        try {
            javalin.start();
        } catch (JavalinException failed) {
            javalin.stop();
            throw unusable(config.host(), config.port(), failed);
        }
        if (LOOPBACK.contains(config.host()) && isOfThisMachine(LOOPBACK_6)) {
            listenToo(javalin, config);
        }
        return javalin;
    }

    /** Listens at the other address of localhost: who opens it must not reach another program there. */
    private static void listenToo(Javalin javalin, HttpConfig config) {
        Server server = javalin.jettyServer().server();
        LimitedConnector too = ((LimitedConnector) server.getConnectors()[0]).at(LOOPBACK_6);
        server.addConnector(too);
        server.manage(too);
        try {
            too.start();
        } catch (Exception failed) {
            if (config.port() == 0) {
                LOG.warn("Not listening on [{}]:{}: {}", LOOPBACK_6, too.getPort(), reason(failed));
                server.removeConnector(too);
                return;
            }
            javalin.stop();
            throw unusable("[" + LOOPBACK_6 + "]", config.port(), failed);
        }
    }

    private static boolean isOfThisMachine(String address) {
        try {
            return NetworkInterface.getByInetAddress(InetAddress.getByName(address)) != null;
        } catch (IOException without) {
            return false;
        }
    }

    private static UnusableAddress unusable(String host, int port, Exception failed) {
        return new UnusableAddress(
                "Cannot listen on " + host + ":" + port + ": " + reason(failed)
                        + ". Set POLICY_HOST and POLICY_PORT (POLICY_METRICS_PORT for the metrics) to an address of"
                        + " this machine that is free.",
                failed);
    }

    /** The message of the operating system. */
    private static @Nullable String reason(Throwable failed) {
        Throwable cause = failed;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause.getMessage();
    }

    /** The port that was bound. */
    public int port() {
        return port;
    }

    /** The base URL, {@code http://host:port}. */
    public String address() {
        return "http://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }

    /**
     * The base URL for browsers of this machine. They offer passkeys at the name {@code localhost}, and at no address that
     * is a number.
     */
    public String browserAddress() {
        return LOOPBACK.contains(host) || ANY_ADDRESS.contains(host) ? "http://" + LOCALHOST + ":" + port : address();
    }

    /** Stops listening, waits for accepted calls as long as it is configured to, then closes. */
    @Override
    public void close() {
        try {
            javalin.stop();
        } catch (JavalinException failed) {
            if (!(failed.getCause() instanceof TimeoutException)) {
                throw failed;
            }
            LOG.warn("Calls that were not answered in time were ended by the stop");
        }
    }

    private static void http(JavalinConfig javalin, HttpConfig config) {
        javalin.startup.showJavalinBanner = false;
        javalin.startup.showOldJavalinVersionWarning = false;
        javalin.startup.startupWatcherEnabled = false;
        javalin.concurrency.useVirtualThreads = false;
        javalin.router.ignoreTrailingSlashes = false;
        javalin.router.javaLangErrorHandler(ErrorHandling::answer);
        javalin.http.prefer405over404 = true;
        javalin.http.defaultContentType = "application/json";
        javalin.http.compressionStrategy = CompressionStrategy.NONE;
        javalin.appData(ErrorHandling.WARNING, ErrorHandling.warning());
        javalin.http.asyncTimeout = config.limits().answerTimeout().toMillis();
    }

    private static void jetty(JavalinConfig javalin, HttpConfig config, List<Route> routes) {
        javalin.jetty.threadPool = RequestDispatch.threads(config.limits().maxThreads());
        javalin.jetty.modifyHttpConfiguration(HttpServer::limits);
        javalin.jetty.modifyServer(server -> {
            server.setStopTimeout(config.limits().drainTimeout().toMillis());
            server.setErrorHandler(new ProtocolErrorHandler());
            server.setHandler(new RequestGuard());
            server.insertHandler(new RequestDispatch(quick(routes)));
            if (!config.trustsProxy()) {
                server.insertHandler(new UntrustedForwarding());
            }
        });
        javalin.jetty.addConnector((server, http) -> connector(server, http, config));
    }

    /**
     * The calls that start on the I/O thread. They only queue there: other threads look up keys, decide trades and
     * probe the database.
     */
    private static Map<String, Set<String>> quick(List<Route> routes) {
        return routes.stream()
                .filter(route -> route.access().runsOnIoThread())
                .collect(Collectors.groupingBy(Route::method, Collectors.mapping(Route::path, Collectors.toSet())));
    }

    private static void limits(HttpConfiguration http) {
        http.setSendServerVersion(false);
        http.setSendXPoweredBy(false);
        http.setRequestHeaderSize(HEADER_BYTES);
        http.setOutputBufferSize(Reply.BUFFERED);
        http.setOutputAggregationSize(Reply.BUFFERED);
        // The cache would hold credentials, and a lookup in it costs more than parsing the header.
        http.setHeaderCacheSize(0);
        http.setUriCompliance(PATHS);
        http.setHttpCompliance(LINES);
    }

    private static LimitedConnector connector(Server server, HttpConfiguration http, HttpConfig config) {
        ConnectionLimit limit = new ConnectionLimit(config.limits().maxConnections());
        LimitedConnector connector = new LimitedConnector(
                server,
                limit,
                new HeaderTimeoutConnection.Factory(http, config.limits().idleTimeout()));
        connector.setHost(config.host());
        connector.setPort(config.port());
        connector.setAcceptQueueSize(BACKLOG);
        connector.setIdleTimeout(config.limits().idleTimeout().toMillis());
        connector.setShutdownIdleTimeout(LAST_WORD.toMillis());
        return connector;
    }

    /** Answers requests that are no valid HTTP and reach no route, with the same error body. */
    private static final class ProtocolErrorHandler extends ErrorHandler {
        private static final int BAD_REQUEST = 400;
        private static final int FIRST_OF_THE_SERVER = 500;

        /** Unknown methods, codings and versions. HTTP counts them as errors of the server, but the client caused them. */
        private static final Set<Integer> OF_THE_CALLER = Set.of(501, 505);

        @Override
        public boolean handle(Request request, Response response, Callback callback) {
            if (OF_THE_CALLER.contains(response.getStatus())) {
                response.setStatus(BAD_REQUEST);
            }
            ResponseHeaders.headers(request.getHeaders().get(ResponseHeaders.REQUEST_ID), response.getHeaders()::put);
            response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/json");
            String id = response.getHeaders().get(ResponseHeaders.REQUEST_ID);
            byte[] json = JsonWriter.object(out -> answer(response.getStatus()).write(out, id));
            response.write(true, ByteBuffer.wrap(json), callback);
            return true;
        }

        private static ErrorResponse answer(int status) {
            if (status == ErrorCode.REQUEST_TIMEOUT.status()) {
                return ErrorResponse.of(
                        ErrorCode.REQUEST_TIMEOUT, "The head of the request did not arrive in time; send it again.");
            }
            return status >= FIRST_OF_THE_SERVER
                    ? ErrorResponse.internal()
                    : ErrorResponse.of(
                            ErrorCode.BAD_REQUEST,
                            "The request is not well-formed HTTP, or its headers are too large.");
        }
    }

    /** The service cannot listen on the configured address. The message says what to do. */
    public static final class UnusableAddress extends RuntimeException {
        @Serial
        private static final long serialVersionUID = 1;

        UnusableAddress(String message, Throwable cause) {
            super(message, cause);
        }
    }
}
