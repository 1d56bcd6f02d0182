package dev.agentpolicy.app;

import dev.agentpolicy.adapter.http.agent.AgentApi;
import dev.agentpolicy.adapter.http.agent.AgentOperations;
import dev.agentpolicy.adapter.http.agent.CallGate;
import dev.agentpolicy.adapter.http.app.AppApi;
import dev.agentpolicy.adapter.http.app.AppUseCases;
import dev.agentpolicy.adapter.http.authzen.AuthzenApi;
import dev.agentpolicy.adapter.http.console.ConsoleFiles;
import dev.agentpolicy.adapter.http.mcp.McpEndpoint;
import dev.agentpolicy.adapter.http.metric.Metrics;
import dev.agentpolicy.adapter.http.metric.ServiceStatus;
import dev.agentpolicy.adapter.http.oauth.OAuthApi;
import dev.agentpolicy.adapter.http.oauth.OAuthApi.OAuthUseCases;
import dev.agentpolicy.adapter.http.route.Access;
import dev.agentpolicy.adapter.http.route.Route;
import dev.agentpolicy.adapter.http.server.HttpServer;
import dev.agentpolicy.adapter.http.server.OpsApi;
import dev.agentpolicy.adapter.http.wire.FairShare;
import dev.agentpolicy.adapter.http.wire.HttpConfig;
import dev.agentpolicy.adapter.http.wire.ServiceAddress;
import dev.agentpolicy.app.config.Config;
import dev.agentpolicy.app.security.PublishedKeys;
import dev.agentpolicy.domain.usecase.agent.AdmitCall;
import java.net.URI;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The servers of a node.
 *
 * @param routes the routes of both APIs, the console and the operations endpoints
 * @param mcp the endpoint among the routes that should be loaded once the servers listen
 * @param app ends its streams before the servers stop
 * @param server answers all calls, except for the metrics where they have a port of their own
 * @param metricsServer answers the metrics, where they have a port of their own
 */
record HttpListeners(
        List<Route> routes, McpEndpoint mcp, AppApi app, HttpServer server, Optional<HttpServer> metricsServer)
        implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HttpListeners.class);

    /** What the routes call. */
    record Backend(
            AdmitCall admitCall,
            AppUseCases useCases,
            OAuthUseCases connecting,
            PublishedKeys keys,
            ServiceStatus vitals,
            Metrics metrics) {}

    /** Starts the servers at the configured addresses. */
    static HttpListeners open(Config config, Backend backend, InstantSource clock) {
        HttpConfig http = http(config);
        CallGate gate = new CallGate(backend.admitCall, backend.useCases.readUsage(), clock, http);
        OpsApi ops = new OpsApi(backend.vitals, backend.metrics);
        AuthzenApi authzen =
                new AuthzenApi(gate, http, config.baseUrl().map(URI::toString).orElse(null));
        FairShare share = new FairShare();
        AgentOperations operations = new AgentOperations(backend.useCases.readUsage(), share);
        McpEndpoint mcp = new McpEndpoint(gate, operations, http, Main.version());
        AppApi app = new AppApi(backend.useCases, share, clock, http);
        List<Route> routes = Stream.of(
                        new AgentApi(gate, backend.keys, operations).routes(),
                        List.of(mcp.route()),
                        authzen.routes(),
                        app.routes(),
                        logRoutes(config, app, backend, gate),
                        new OAuthApi(backend.connecting, http).routes(),
                        ops.routes(),
                        ConsoleFiles.routes(http))
                .flatMap(List::stream)
                .toList();
        if (config.metricsPort().isEmpty()) {
            HttpServer only = HttpServer.start(http, gate, routes, backend.metrics);
            return new HttpListeners(routes, mcp, app, only, Optional.empty());
        }
        HttpConfig operators = http.forOperators(config.metricsPort().getAsInt());
        HttpServer metrics = HttpServer.start(operators, gate, ops.metrics(), backend.metrics);
        try {
            List<Route> others =
                    routes.stream().filter(route -> !OpsApi.isMetrics(route)).toList();
            HttpServer server = HttpServer.start(http, gate, others, backend.metrics);
            LOG.info("Metrics at {}{}", metrics.address(), OpsApi.METRICS);
            return new HttpListeners(routes, mcp, app, server, Optional.of(metrics));
        } catch (RuntimeException failed) {
            metrics.close();
            throw failed;
        }
    }

    private static List<Route> logRoutes(Config config, AppApi app, Backend backend, CallGate gate) {
        return switch (config.log().readers()) {
            case OFF -> List.of();
            case KEYS -> app.logRoutes(backend.useCases.readLog(), gate, Access.READ_OR_SESSION);
            case PUBLIC -> app.logRoutes(backend.useCases.readLog(), gate, Access.PUBLIC);
        };
    }

    /** Answers the accepted calls. The metrics stay readable until then. */
    @Override
    public void close() {
        app.close();
        server.close();
        metricsServer.ifPresent(HttpServer::close);
    }

    private static HttpConfig http(Config config) {
        List<String> publicUrls = Stream.of(config.appUrl(), config.baseUrl())
                .flatMap(url -> url.stream().map(URI::toString))
                .toList();
        HttpConfig any = HttpConfig.of(config.host(), config.port(), publicUrls)
                .withAddress(new ServiceAddress(
                        config.appUrl().orElse(null), config.baseUrl().orElse(null)));
        HttpConfig http =
                config.appUrl().map(url -> any.withAppHost(url.getHost())).orElse(any);
        return config.trustProxy() == Config.Choice.YES ? http.trustingProxy() : http;
    }
}
