package dev.agentpolicy.adapter.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.adapter.http.Client;
import dev.agentpolicy.adapter.http.Client.Seen;
import dev.agentpolicy.adapter.http.agent.CallGate;
import dev.agentpolicy.adapter.http.metric.Metrics;
import dev.agentpolicy.adapter.http.metric.ServiceStatus;
import dev.agentpolicy.adapter.http.wire.HttpConfig;
import dev.agentpolicy.domain.usecase.upkeep.WriteGate;
import dev.agentpolicy.domain.usecase.upkeep.WriteGate.Obstacle;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class OpsApiTest {
    private final AtomicBoolean isDatabaseReady = new AtomicBoolean(true);
    private final AtomicBoolean isSignerWarm = new AtomicBoolean(true);
    private final AtomicReference<String> signingKey = new AtomicReference<>("first");
    private final Metrics metrics = new Metrics();
    private final HttpServer server = start();
    private final Client client = new Client(server.address());

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void a_process_that_answers_is_live() {
        isDatabaseReady.set(false);

        Seen seen = client.get("/health/live");

        assertThat(seen.status()).isEqualTo(200);
        assertThat(seen.json()).isEqualTo(Client.json("{\"status\":\"live\"}"));
    }

    @Test
    void it_is_ready_when_the_database_answers_and_the_signer_is_warm() {
        Seen seen = client.get("/health/ready");

        assertThat(seen.status()).isEqualTo(200);
        assertThat(seen.json()).isEqualTo(Client.json("{\"status\":\"ready\",\"database\":true,\"signer\":true}"));
    }

    @Test
    void it_is_not_ready_while_the_database_is_away() {
        isDatabaseReady.set(false);

        Seen seen = client.get("/health/ready");

        assertThat(seen.status()).isEqualTo(503);
        assertThat(seen.json()).isEqualTo(Client.json("{\"status\":\"not ready\",\"database\":false,\"signer\":true}"));
    }

    @Test
    void it_is_not_ready_while_the_signer_is_cold() {
        isSignerWarm.set(false);

        assertThat(client.get("/health/ready").status()).isEqualTo(503);
    }

    @Test
    void calls_are_counted_by_route_and_status() {
        client.get("/health/live");
        client.get("/health/live");
        client.get("/made/up/by/a/stranger");

        Seen seen = client.get("/metrics");

        assertThat(seen.header("Content-Type")).startsWith("text/plain");
        assertThat(seen.text())
                .contains("policy_http_call_seconds_count{method=\"GET\",route=\"/health/live\",status=\"200\"} 2")
                .contains("policy_http_call_seconds_count{method=\"GET\",route=\"(unknown)\",status=\"404\"} 1")
                .doesNotContain("stranger");
    }

    @Test
    void unknown_methods_are_counted_as_one() {
        for (String method : List.of("BREW", "WHEN", "BEFORE")) {
            client.send(method, "/health/live", BodyPublishers.noBody());
        }
        client.with("X-HTTP-Method-Override", "STEEP").get("/health/live");

        assertThat(client.get("/metrics").text())
                .contains("policy_http_call_seconds_count{method=\"(unknown)\",route=\"(unknown)\",status=\"405\"} 3")
                .contains("policy_http_call_seconds_count{method=\"GET\",route=\"/health/live\",status=\"200\"} 1")
                .doesNotContain("BREW", "WHEN", "BEFORE", "STEEP");
    }

    @Test
    void the_metrics_count_waiting_and_committed_changes() {
        metrics.committed(3, 5, Duration.ofMillis(2));

        assertThat(client.get("/metrics").text())
                .contains("policy_waiting_changes 7.0")
                .contains("policy_waiting_oldest_seconds 1.5")
                .contains("policy_counter_away 1.0")
                .contains("policy_counter_uncounted_total 12.0")
                .contains("policy_commit_changes_sum 3.0")
                .contains("policy_commit_changes_bucket{le=\"4.0\"} 1")
                .contains("policy_pool_connections{pool=\"lanes\",state=\"active\"} 3.0")
                .contains("policy_pool_connections{pool=\"lanes\",state=\"idle\"} 1.0")
                .contains("policy_pool_connections{pool=\"lanes\",state=\"most\"} 4.0")
                .contains("policy_pool_waiting{pool=\"lanes\"} 2.0")
                .contains("policy_decisions_stopped{reason=\"disk\"} 1.0")
                .contains("policy_decisions_stopped{reason=\"clock\"} 0.0")
                .contains("policy_writes_stopped 1.0")
                .contains("policy_disk_free_bytes 4096.0")
                .contains("policy_commit_seconds_count 1")
                .contains("policy_changes_total 3.0")
                .contains("policy_events_total 5.0")
                .contains("jvm_memory_used_bytes");
    }

    @Test
    void the_metrics_name_the_signing_key_also_after_a_rotation() {
        assertThat(client.get("/metrics").text())
                .contains("policy_signer{implementation=\"Some Ed25519\",key=\"first\"} 1.0");

        signingKey.set("second");

        assertThat(client.get("/metrics").text())
                .contains("policy_signer{implementation=\"Some Ed25519\",key=\"second\"} 1.0")
                .doesNotContain("first");
    }

    private HttpServer start() {
        ServiceStatus status = new ServiceStatus(
                isDatabaseReady::get,
                isSignerWarm::get,
                () -> 7,
                () -> Duration.ofMillis(1_500),
                () -> true,
                () -> 12,
                () -> new ServiceStatus.Signing("Some Ed25519", signingKey.get()),
                () -> List.of(new ServiceStatus.Pool("lanes", 4, 3, 1, 2)),
                new WriteGate(List.of(
                        new Obstacle("disk", () -> Optional.of("The disk is nearly full.")),
                        new Obstacle("clock", Optional::empty))),
                () -> true,
                () -> 4_096);
        HttpConfig config = HttpConfig.of("127.0.0.1", 0, List.of());
        CallGate nobody = new CallGate(null, null, Clock.systemUTC(), config);
        return HttpServer.start(config, nobody, new OpsApi(status, metrics).routes(), metrics);
    }
}
