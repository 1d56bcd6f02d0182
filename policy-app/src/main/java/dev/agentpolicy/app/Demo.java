package dev.agentpolicy.app;

import dev.agentpolicy.app.config.Config;
import dev.agentpolicy.app.guard.Clocks;
import dev.agentpolicy.app.security.Argon2Passwords;
import java.io.PrintWriter;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Serves with the user of the demonstration, prints commands to try, lets the market move, and has an agent propose now and
 * then. On a new embedded database it makes a history first.
 */
@Command(
        name = "demo",
        description = "Serve with a user, a policy, a paper portfolio and two keys to try it with.",
        mixinStandardHelpOptions = true)
final class Demo extends ServiceCommand {
    @Option(names = "--quiet", description = "Without the agent that proposes a trade now and then.")
    private boolean isQuiet;

    Demo(Map<String, String> environment) {
        super(environment);
    }

    @Override
    public Integer call() {
        Config config = config();
        return DemoHistory.isFor(config)
                ? serveAnew(config)
                : Serve.serve(config, out(), (running, out) -> {
                    DemoUser user = DemoUser.of(running.users(), running.useCases(), Instant.now());
                    begin(config, running, user, "", out);
                });
    }

    private int serveAnew(Config config) {
        DemoClock clock = new DemoClock(Duration.ofDays(DemoHistory.DAYS));
        String note = "The last " + DemoHistory.DAYS
                + " days were made up just now: prices, questions and answers. Their signatures are real.\n";
        return Serve.serve(
                config,
                out(),
                (running, out) -> begin(config, running, DemoHistory.make(running, clock), note, out),
                it -> Wiring.start(it, Clocks.leaping(clock), Argon2Passwords.Cost.OWASP));
    }

    private void begin(Config config, Running running, DemoUser user, String note, PrintWriter out) {
        welcome(running, user, config.appUrl().map(URI::toString).orElseGet(running::address), out);
        out.print(note);
        running.demoMarket().begin();
        if (!isQuiet) {
            out.println("An agent proposes a trade now and then; demo --quiet starts without it.");
            running.demoAgent().begin(user.id());
        }
    }

    /** @param console where the user signs in */
    static void welcome(Running running, DemoUser user, String console, PrintWriter out) {
        String password = user.password();
        out.printf(
                """

                Sign in    %6$s  as %2$s with %3$s
                Live key   %4$s
                Test key   %5$s  (sandbox: fixed policy, nothing is kept)

                Propose a trade, which waits for you in the console:
                  curl -s %1$s/api/agent/v1/trades/propose -H 'Authorization: Bearer %4$s' -H 'Content-Type: application/json' -d '{"action":"buy","assetSymbol":"SPY","assetType":"tradfi","amountUsd":1000,"rationale":"Stocks are below their target."}'

                What is allowed?
                  curl -s %1$s/api/agent/v1/mandate -H 'Authorization: Bearer %4$s'

                May I? Yes:
                  curl -s %1$s/api/agent/v1/policy/validate -H 'Authorization: Bearer %4$s' -H 'Content-Type: application/json' -d '{"action":"buy","assetSymbol":"SPY","assetType":"tradfi","amountUsd":1000}'

                May I? No, and why:
                  curl -s %1$s/api/agent/v1/policy/validate -H 'Authorization: Bearer %4$s' -H 'Content-Type: application/json' -d '{"action":"sell","assetSymbol":"BTC","assetType":"crypto","amountUsd":15000}'

                """,
                running.address(),
                DemoUser.EMAIL,
                password == null ? running.demoPassword().renew(user.id()) : password,
                user.live().reveal(),
                user.test().reveal(),
                console);
    }
}
