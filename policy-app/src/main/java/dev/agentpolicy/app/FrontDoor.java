package dev.agentpolicy.app;

import dev.agentpolicy.adapter.http.AgentApi;
import dev.agentpolicy.adapter.http.AppApi;
import dev.agentpolicy.adapter.http.AppUseCases;
import dev.agentpolicy.adapter.http.CallGate;
import dev.agentpolicy.adapter.http.ConsoleFiles;
import dev.agentpolicy.adapter.http.HttpConfig;
import dev.agentpolicy.adapter.http.HttpServer;
import dev.agentpolicy.adapter.http.Metrics;
import dev.agentpolicy.adapter.http.OpsApi;
import dev.agentpolicy.adapter.http.Route;
import dev.agentpolicy.adapter.http.Vitals;
import dev.agentpolicy.domain.usecase.AdmitCall;
import java.net.URI;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.Stream;

/**
 * What listens.
 *
 * @param routes everything that is answered, by everybody's table
 * @param server which does
 */
record FrontDoor(List<Route> routes, HttpServer server) {

    /** Who stands behind the door. */
    record Behind(AdmitCall admitCall, AppUseCases useCases, PublishedKeys keys, Vitals vitals, Metrics metrics) {}

    /** Listens where the settings say. */
    static FrontDoor open(Config config, Behind behind, InstantSource clock) {
        HttpConfig http = http(config);
        CallGate gate = new CallGate(behind.admitCall, behind.useCases.readUsage(), clock, http);
        List<Route> routes = Stream.of(
                        new AgentApi(gate, behind.keys, behind.useCases.readUsage()).routes(),
                        new AppApi(behind.useCases, clock, http).routes(),
                        new OpsApi(behind.vitals, behind.metrics).routes(),
                        ConsoleFiles.routes())
                .flatMap(List::stream)
                .toList();
        return new FrontDoor(routes, HttpServer.start(http, gate, routes, behind.metrics));
    }

    private static HttpConfig http(Config config) {
        List<String> publicUrls = Stream.of(config.appUrl(), config.baseUrl())
                .flatMap(url -> url.stream().map(URI::toString))
                .toList();
        HttpConfig http = HttpConfig.of(config.host(), config.port(), publicUrls);
        return config.trustProxy() == Config.Choice.YES ? http.trustingProxy() : http;
    }
}
