package dev.agentpolicy.adapter.http.metric;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.ToDoubleFunction;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Counts and times what the service does, for Prometheus (docs/operations.md). */
public final class Metrics {
    private static final Duration[] STEPS = LongStream.of(1, 2, 5, 10, 25, 50, 100, 250, 1_000, 5_000)
            .mapToObj(Duration::ofMillis)
            .toArray(Duration[]::new);

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

    /** Counts a push message by what became of it. */
    public void push(String outcome) {
        registry.counter("policy.pushes", "outcome", outcome).increment();
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

    /** Registers the metrics of the transparency log. */
    public void watchLog(
            LongSupplier published, IntSupplier cosignatures, LongSupplier witnessErrors, BooleanSupplier isStopped) {
        Gauge.builder("policy.tlog.cosignatures", cosignatures, IntSupplier::getAsInt)
                .description("Witnesses that have cosigned the published checkpoint of the transparency log")
                .strongReference(true)
                .register(registry);
        FunctionCounter.builder("policy.tlog.witness.errors", witnessErrors, LongSupplier::getAsLong)
                .description("Requests to witnesses that did not bring a cosignature")
                .register(registry);
        Gauge.builder("policy.tlog.size", published, LongSupplier::getAsLong)
                .description("Entries of the transparency log that are published")
                .strongReference(true)
                .register(registry);
        Gauge.builder("policy.tlog.stopped", isStopped, stopped -> stopped.getAsBoolean() ? 1 : 0)
                .description("1 if the transparency log signs nothing any more")
                .strongReference(true)
                .register(registry);
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

    /** Metrics that are read from the parts of the service at each scrape. */
    private static final class Gauges {
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
                            "policy.counter.uncounted",
                            status,
                            v -> v.uncounted().getAsLong())
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
                                    Tags.of("reason", it.name()),
                                    it.reason().get().isPresent() ? 1 : 0))
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
}
