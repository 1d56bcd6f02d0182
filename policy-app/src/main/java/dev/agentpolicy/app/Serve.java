package dev.agentpolicy.app;

import dev.agentpolicy.app.config.Config;
import java.io.PrintWriter;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Serves until the process is told to stop, then finishes the calls it has accepted. */
@Command(name = "serve", description = "Serve until stopped.", mixinStandardHelpOptions = true)
final class Serve implements Callable<Integer> {
    private static final Logger LOG = LoggerFactory.getLogger(Serve.class);

    private final Map<String, String> environment;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    Serve(Map<String, String> environment) {
        this.environment = environment;
    }

    @Override
    public Integer call() {
        return serve(Config.of(environment), spec.commandLine().getOut(), (running, out) -> {});
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
}
