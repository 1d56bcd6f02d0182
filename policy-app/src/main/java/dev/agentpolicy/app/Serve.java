package dev.agentpolicy.app;

import dev.agentpolicy.app.config.Config;
import dev.agentpolicy.app.config.FailureReport;
import java.io.PrintWriter;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;

/** Serves until the process is told to stop, then finishes the calls it has accepted. */
@Command(name = "serve", description = "Serve until stopped.", mixinStandardHelpOptions = true)
final class Serve extends ServiceCommand {
    private static final Logger LOG = LoggerFactory.getLogger(Serve.class);

    Serve(Map<String, String> environment) {
        super(environment);
    }

    @Override
    public Integer call() {
        return serve(config(), out(), (running, out) -> {});
    }

    /**
     * Serves.
     *
     * @param afterwards what else to print once it listens
     */
    static int serve(Config config, PrintWriter out, BiConsumer<Running, PrintWriter> afterwards) {
        return serve(config, out, afterwards, Wiring::start);
    }

    /** @param how starts the service */
    static int serve(
            Config config,
            PrintWriter out,
            BiConsumer<Running, PrintWriter> afterwards,
            Function<Config, Running> how) {
        config.unknown().forEach(name -> LOG.warn("{} is no setting; see docs/configuration.md", name));
        GracefulShutdown drain = GracefulShutdown.prepare();
        Running running = start(config, how, drain);
        out.println("Listening on " + running.address());
        tell(running, out, afterwards, drain);
        return untilStopped();
    }

    private static Running start(Config config, Function<Config, Running> how, GracefulShutdown drain) {
        try {
            Running running = how.apply(config);
            drain.begin(running);
            return running;
        } catch (RuntimeException | Error failed) {
            drain.forget(failed);
            throw failed;
        }
    }

    /** A signal may come meanwhile; then the rest is not printed. */
    private static void tell(
            Running running, PrintWriter out, BiConsumer<Running, PrintWriter> what, GracefulShutdown drain) {
        try {
            what.accept(running, out);
            out.flush();
        } catch (RuntimeException failed) {
            if (!drain.isStopping()) {
                drain.fail();
                throw failed;
            }
        }
    }

    private static int untilStopped() {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
        return 0;
    }

    /**
     * Stops the process on a signal at any time: accepted calls are finished, and the exit code is
     * 0 instead of that of the signal.
     */
    private static final class GracefulShutdown {
        private static final long MAX_START_SECONDS = 60;

        private final CompletableFuture<Running> started = new CompletableFuture<>();
        private final Thread hook = new Thread(this::drain, "drain");
        private volatile boolean isStopping;
        private volatile int exitCode;

        private GracefulShutdown() {}

        /** Begins to listen for the signal; to be called before anything is opened. */
        static GracefulShutdown prepare() {
            GracefulShutdown drain = new GracefulShutdown();
            Runtime.getRuntime().addShutdownHook(drain.hook);
            return drain;
        }

        /** Sets the service to close. */
        void begin(Running running) {
            started.complete(running);
        }

        /** Nothing was opened, so nothing is to be closed. */
        void forget(Throwable failed) {
            started.completeExceptionally(failed);
            try {
                Runtime.getRuntime().removeShutdownHook(hook);
            } catch (IllegalStateException stopping) {
                LOG.debug("The process is being stopped already.", stopping);
            }
        }

        /** Ends the service after a failure, without a signal. */
        void fail() {
            exitCode = FailureReport.EXIT_CODE;
        }

        /** Whether what fails now may fail only because everything is being closed. */
        boolean isStopping() {
            return isStopping;
        }

        private void drain() {
            isStopping = true;
            int code = FailureReport.EXIT_CODE;
            try {
                close();
                code = exitCode;
            } catch (RuntimeException | Error failed) {
                LOG.error("Stopping failed", failed);
            } finally {
                Runtime.getRuntime().halt(code);
            }
        }

        /** A signal during the start waits for the end of the start, because a half-opened service cannot be closed cleanly. */
        private void close() {
            try {
                started.get(MAX_START_SECONDS, TimeUnit.SECONDS).close();
                LOG.info("Stopped");
            } catch (ExecutionException neverBegun) {
                LOG.info("Stopped before it began", neverBegun.getCause());
            } catch (TimeoutException stuck) {
                LOG.warn("Stopped while it could not begin");
            } catch (InterruptedException hurried) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
