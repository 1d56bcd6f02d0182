package dev.agentpolicy.app;

import dev.agentpolicy.app.config.Config;
import dev.agentpolicy.app.config.FailureReport;
import dev.agentpolicy.app.connection.PublicHttps;
import dev.agentpolicy.app.guard.Clocks;
import dev.agentpolicy.app.security.Argon2Passwords;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.util.concurrent.Executor;
import java.util.function.Function;

/**
 * The service as it is, but for hashes of passwords that cost next to nothing: tests sign up hundreds of people. Hashes at
 * their full cost are made by the tests of hashing, and by those that start {@link Main} itself.
 */
final class QuickService {
    private static final Argon2Passwords.Cost NEXT_TO_NOTHING = new Argon2Passwords.Cost(64, 1);

    private QuickService() {}

    static Running start(Config config) {
        return start(config, Clocks.system());
    }

    static Running start(Config config, Clocks clocks) {
        return Wiring.start(config, clocks, NEXT_TO_NOTHING);
    }

    /** Starts a node that calls push services in another way. */
    static Running start(Config config, Function<Executor, PublicHttps> web) {
        return Wiring.start(config, Clocks.system(), NEXT_TO_NOTHING, web);
    }

    /** What {@link Main} does without a command. */
    public static void main(String[] none) {
        System.exit(serve());
    }

    private static int serve() {
        try {
            return Serve.serve(
                    Config.of(System.getenv()),
                    new PrintWriter(System.out, true, Charset.defaultCharset()),
                    (running, out) -> {},
                    QuickService::start);
        } catch (RuntimeException failed) {
            return FailureReport.explain(failed, new PrintWriter(System.err, true, Charset.defaultCharset()));
        }
    }
}
