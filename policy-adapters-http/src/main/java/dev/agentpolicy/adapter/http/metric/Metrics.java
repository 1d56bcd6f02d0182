package dev.agentpolicy.adapter.http.metric;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
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
import org.jspecify.annotations.Nullable;

/** Counts and times what the service does, for Prometheus (docs/operations.md). */
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
    private final Timer commits = timer(
                    "policy.commit", "Time to commit a batch of changes, with the wait for a connection")
            .register(registry);
    private final Timer decisions = timer("policy.decision", "Time from the arrival of a call to its decision")
            .register(registry);
    private final DistributionSummary batches = DistributionSummary.builder("policy.commit.changes")
            .description("Changes in one commit")
            .serviceLevelObjectives(1, 2, 4, 8, 16, 32, 64, 128, 256)
            .register(registry);
    private final Counter changes =
            Counter.builder("policy.changes").description("Changes committed").register(registry);
    private final Counter events = Counter.builder("policy.events")
            .description("Events signed and committed")
            .register(registry);

    private volatile @Nullable Gauges gauges;

    /** The labels of an answer. There are few, because unknown methods and routes share one name. */
    private record Answered(String method, String route, int status) {}

    /** Records an answered call. */
    public void call(String method, String route, int status, long nanos) {
        calls.computeIfAbsent(new Answered(method, route, status), this::timer).record(nanos, TimeUnit.NANOSECONDS);
    }

    /** Records a call that was answered with one or more decisions. */
    public void decided(long nanos) {
        decisions.record(nanos, TimeUnit.NANOSECONDS);
    }

    /** Records a batch of changes that was committed. */
    public void committed(int changesApplied, int eventsWritten, Duration took) {
        commits.record(took);
        batches.record(changesApplied);
        changes.increment(changesApplied);
        events.increment(eventsWritten);
    }

    /** Counts a mail by what became of it. */
    public void mail(String outcome) {
        registry.counter("policy.mails", "outcome", outcome).increment();
    }

    /** Counts work with a custodian that failed without a caller who could be told, by its cause. */
    public void custodianFailed(String cause) {
        registry.counter("policy.custodian.failures", "cause", cause).increment();
    }

    /** Registers the metrics of the service's parts and of the process. */
    public void watch(ServiceStatus status) {
        gauges = new Gauges(registry, status);
        watchProcess();
    }

    /** Registers memory, threads, processor and uptime of the process. */
    public void watchProcess() {
        new JvmMemoryMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        new UptimeMetrics().bindTo(registry);
    }

    /** All metrics in the text format of Prometheus. */
    public String text() {
        Gauges watched = gauges;
        if (watched != null) {
            watched.refresh();
        }
        return registry.scrape();
    }

    private Timer timer(Answered answered) {
        return timer("policy.http.call", "Time from the arrival of a call to its answer")
                .tag("method", answered.method())
                .tag("route", answered.route())
                .tag("status", Integer.toString(answered.status()))
                .register(registry);
    }

    private static Timer.Builder timer(String name, String description) {
        return Timer.builder(name).description(description).serviceLevelObjectives(STEPS);
    }
}
