package dev.agentpolicy.app;

import java.io.PrintWriter;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Serves until the process is told to stop, then finishes what it accepted. */
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
        config.unknown().forEach(name -> LOG.warn("{} is no setting; see docs/configuration.md", name));
        Running running = Wiring.start(config);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> drain(running), "drain"));
        out.println("Listening on " + running.address());
        afterwards.accept(running, out);
        out.flush();
        return untilStopped();
    }

    /** Ends the process with exit code 0, as stopping when told to is no failure; otherwise it would be the signal's. */
    private static void drain(Running running) {
        int exitCode = 0;
        try {
            running.close();
            LOG.info("Stopped");
        } catch (RuntimeException failed) {
            LOG.error("Stopping failed", failed);
            exitCode = Failure.EXIT_CODE;
        }
        Runtime.getRuntime().halt(exitCode);
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
