package dev.agentpolicy.adapter.http;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/** What the service counts and times of itself, for Prometheus (docs/configuration.md, Watching it). */
public final class Metrics {
    private static final Duration[] STEPS = {
        Duration.ofMillis(1),
        Duration.ofMillis(2),
        Duration.ofMillis(5),
        Duration.ofMillis(10),
        Duration.ofMillis(25),
        Duration.ofMillis(50),
        Duration.ofMillis(100),
        Duration.ofMillis(250),
        Duration.ofSeconds(1),
        Duration.ofSeconds(5)
    };

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final ConcurrentMap<Answered, Timer> calls = new ConcurrentHashMap<>();
    private final Timer commits = timer("policy.commit", "Batches of changes, from asking for a connection to durable")
            .register(registry);
    private final Counter changes =
            Counter.builder("policy.changes").description("Changes committed").register(registry);
    private final Counter events = Counter.builder("policy.events")
            .description("Events signed and committed")
            .register(registry);

    /** One kind of answer; there are few, as routes are named and not paths. */
    private record Answered(String method, String route, int status) {}

    /** Takes note of an answered call. */
    void call(String method, String route, int status, long nanos) {
        calls.computeIfAbsent(new Answered(method, route, status), this::timer).record(nanos, TimeUnit.NANOSECONDS);
    }

    /** Takes note of a batch of changes that is durable. */
    public void committed(int changesApplied, int eventsWritten, Duration took) {
        commits.record(took);
        changes.increment(changesApplied);
        events.increment(eventsWritten);
    }

    /** Watches the parts behind the door, and the process. */
    void watch(Vitals vitals) {
        gauge(
                "policy.waiting.changes",
                "Changes that wait for their commit",
                vitals,
                v -> v.waitingChanges().getAsInt());
        gauge(
                "policy.waiting.oldest.seconds",
                "How long the oldest of them waits",
                vitals,
                v -> v.oldestWaiting().get().toNanos() / 1e9);
        gauge(
                "policy.counter.away",
                "1 while calls are admitted uncounted",
                vitals,
                v -> v.isCounterAway().getAsBoolean() ? 1 : 0);
        new JvmMemoryMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        new UptimeMetrics().bindTo(registry);
    }

    /** Everything, in the text form of Prometheus. */
    String text() {
        return registry.scrape();
    }

    private void gauge(String name, String description, Vitals vitals, ToDoubleFunction<Vitals> value) {
        Gauge.builder(name, vitals, value)
                .description(description)
                .strongReference(true)
                .register(registry);
    }

    private Timer timer(Answered answered) {
        return timer("policy.http.call", "Calls, from their arrival to their answer")
                .tag("method", answered.method())
                .tag("route", answered.route())
                .tag("status", Integer.toString(answered.status()))
                .register(registry);
    }

    private static Timer.Builder timer(String name, String description) {
        return Timer.builder(name).description(description).serviceLevelObjectives(STEPS);
    }
}
