package dev.agentpolicy.adapter.http.metric;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** Metrics that are read from the parts of the service at each scrape. */
final class Gauges {
    private final MeterRegistry registry;
    private final ServiceStatus status;
    private final MultiGauge signer;
    private final MultiGauge connections;
    private final MultiGauge waiting;
    private final MultiGauge stopped;

    Gauges(MeterRegistry registry, ServiceStatus status) {
        this.registry = registry;
        this.status = status;
        this.signer = multi("policy.signer", "1 for the signing implementation and key in use");
        this.connections = multi("policy.pool.connections", "Database connections by state");
        this.waiting = multi("policy.pool.waiting", "Threads waiting for a connection");
        this.stopped = multi("policy.decisions.stopped", "1 while agents' decisions are stopped, by reason");
        gauge(
                "policy.writes.stopped",
                "1 while writes are stopped for lack of disk space",
                v -> v.isReadOnly().getAsBoolean() ? 1 : 0);
        gauge(
                "policy.disk.free.bytes",
                "Free space on the volume of the database file",
                v -> v.freeBytes().getAsDouble());
        gauge(
                "policy.waiting.changes",
                "Changes waiting for their commit",
                v -> v.waitingChanges().getAsInt());
        gauge(
                "policy.waiting.oldest.seconds",
                "How long the oldest change has waited",
                v -> v.oldestWaiting().get().toNanos() / 1e9);
        gauge(
                "policy.counter.away",
                "1 while calls are admitted uncounted",
                v -> v.isCounterAway().getAsBoolean() ? 1 : 0);
        FunctionCounter.builder(
                        "policy.counter.uncounted", status, v -> v.uncounted().getAsLong())
                .description("Calls admitted uncounted")
                .register(registry);
    }

    /** Updates the metrics whose labels come and go. */
    void refresh() {
        ServiceStatus.Signing signing = status.signing().get();
        Tags signs = Tags.of("implementation", signing.implementation(), "key", signing.keyId());
        signer.register(List.of(Row.of(signs, 1)), true);
        stopped.register(
                status.decisions()
                        .obstacles()
                        .<Row<?>>map(it -> Row.of(
                                Tags.of("reason", it.name()), it.reason().get().isPresent() ? 1 : 0))
                        .toList(),
                true);
        List<ServiceStatus.Pool> pools = status.pools().get();
        connections.register(pools.stream().flatMap(Gauges::connections).toList(), true);
        waiting.register(
                pools.stream()
                        .<Row<?>>map(pool -> Row.of(Tags.of("pool", pool.name()), pool.waiting()))
                        .toList(),
                true);
    }

    private static Stream<Row<?>> connections(ServiceStatus.Pool pool) {
        return Stream.of(
                connection(pool, "active", pool.active()),
                connection(pool, "idle", pool.idle()),
                connection(pool, "most", pool.most()));
    }

    private static Row<?> connection(ServiceStatus.Pool pool, String state, int count) {
        return Row.of(Tags.of("pool", pool.name(), "state", state), count);
    }

    private MultiGauge multi(String name, String description) {
        return MultiGauge.builder(name).description(description).register(registry);
    }

    private void gauge(String name, String description, ToDoubleFunction<ServiceStatus> value) {
        Gauge.builder(name, status, value)
                .description(description)
                .strongReference(true)
                .register(registry);
    }
}
