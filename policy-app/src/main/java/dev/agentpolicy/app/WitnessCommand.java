package dev.agentpolicy.app;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.agentpolicy.app.config.CannotStart;
import dev.agentpolicy.app.tlog.Witness;
import dev.agentpolicy.app.tlog.Witness.Answer;
import dev.agentpolicy.domain.event.tlog.VerifierKey;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Watches the transparency logs of other services, and cosigns them (docs/witnessing.md, Watching others). */
@Command(
        name = "witness",
        description = "Cosign the transparency logs of other services. Needs no settings and no database.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
final class WitnessCommand implements Callable<Integer> {
    private static final int MAX_BODY = 65_536;
    private static final int THREADS = 64;
    private static final int TOO_LARGE = 413;
    private static final int NOT_ALLOWED = 405;
    private static final int FAILED = 500;
    private static final int CONFLICT = 409;
    private static final Pattern ADDRESS = Pattern.compile("(.+):([0-9]{1,5})");
    private static final Pattern SHOWN = Pattern.compile("/([0-9a-f]{64})/checkpoint");

    @Option(names = "--listen", required = true, paramLabel = "HOST:PORT", description = "Where to answer, in clear.")
    private String listen = "";

    @Option(
            names = "--log",
            required = true,
            paramLabel = "VKEY",
            description = "Verifier key of a log to watch; repeatable.")
    private List<String> logs = new ArrayList<>();

    @Option(
            names = "--name",
            required = true,
            paramLabel = "NAME",
            description = "Name of the key of this witness, such as alice.example/witness.")
    private String name = "";

    @Option(
            names = "--state",
            paramLabel = "DIR",
            defaultValue = "./witness",
            description = "Where the key is, and what was cosigned; ${DEFAULT-VALUE} if absent.")
    private Path state = Path.of("");

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws InterruptedException {
        try (Listening listening = open()) {
            spec.commandLine().getOut().println("Listening at " + listening.url() + " as " + listening.key());
            spec.commandLine().getOut().flush();
            new CountDownLatch(1).await();
            return 0;
        } catch (CannotStart | IllegalArgumentException unusable) {
            spec.commandLine().getErr().println("witness: " + unusable.getMessage());
            return 1;
        }
    }

    private Listening open() {
        List<VerifierKey> keys = logs.stream()
                .map(text -> VerifierKey.read(text).fold(key -> key, problems -> {
                    throw new CannotStart(
                            "--log " + text + ": " + problems.get(0).message());
                }))
                .toList();
        Matcher address = ADDRESS.matcher(listen);
        if (!address.matches()) {
            throw new CannotStart("--listen must be HOST:PORT, not '" + listen + "'.");
        }
        return Listening.open(
                new InetSocketAddress(address.group(1), Integer.parseInt(address.group(2))),
                new Witness(state, name, keys, Clock.systemUTC()));
    }

    /** A witness that answers over HTTP. */
    static final class Listening implements AutoCloseable {
        private final HttpServer server;
        private final Witness witness;
        private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);

        private Listening(HttpServer server, Witness witness) {
            this.server = server;
            this.witness = witness;
        }

        static Listening open(InetSocketAddress at, Witness witness) {
            // Seconds within which a request must have come and an answer must be taken. Each holds a thread meanwhile.
            System.setProperty("sun.net.httpserver.maxReqTime", "2");
            System.setProperty("sun.net.httpserver.maxRspTime", "2");
            try {
                Listening listening = new Listening(HttpServer.create(at, 0), witness);
                listening.server.setExecutor(listening.threads);
                listening.server.createContext("/", listening::handle);
                listening.server.start();
                return listening;
            } catch (IOException taken) {
                throw new CannotStart("Nothing can listen at " + at + ": " + taken.getMessage(), taken);
            }
        }

        String url() {
            return "http://" + server.getAddress().getHostString() + ":"
                    + server.getAddress().getPort();
        }

        String key() {
            return witness.key().text();
        }

        private void handle(HttpExchange exchange) throws IOException {
            try (exchange) {
                Answer answer = answer(exchange);
                exchange.getResponseHeaders()
                        .set(
                                "Content-Type",
                                answer.status() == CONFLICT ? "text/x.tlog.size" : "text/plain; charset=utf-8");
                byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
                exchange.sendResponseHeaders(answer.status(), body.length);
                try (OutputStream out = exchange.getResponseBody()) {
                    out.write(body);
                }
            }
        }

        private Answer answer(HttpExchange exchange) throws IOException {
            String path = exchange.getRequestURI().getPath();
            boolean isPost = exchange.getRequestMethod().equals("POST");
            Matcher shown = SHOWN.matcher(path);
            if (shown.matches() && exchange.getRequestMethod().equals("GET")) {
                return witness.checkpoint(shown.group(1));
            }
            if (!path.equals("/add-checkpoint") || !isPost) {
                return new Answer(
                        path.equals("/add-checkpoint") ? NOT_ALLOWED : 404, "There is nothing at this path.\n");
            }
            byte[] body = exchange.getRequestBody().readNBytes(MAX_BODY + 1);
            if (body.length > MAX_BODY) {
                return new Answer(TOO_LARGE, "A request has at most " + MAX_BODY + " bytes.\n");
            }
            try {
                return witness.add(new String(body, StandardCharsets.UTF_8));
            } catch (IOException full) {
                return new Answer(FAILED, "The checkpoint cannot be stored: " + full.getMessage() + "\n");
            }
        }

        @Override
        public void close() {
            server.stop(0);
            threads.shutdownNow();
        }
    }
}
