package dev.agentpolicy.app;

import dev.agentpolicy.app.config.Config;
import java.io.PrintWriter;
import java.net.URI;
import java.util.Map;
import picocli.CommandLine.Command;

/** Serves with the user of the demonstration, prints commands to try, and lets the market move. */
@Command(
        name = "demo",
        description = "Serve with a user, a policy, a paper portfolio and two keys to try it with.",
        mixinStandardHelpOptions = true)
final class Demo extends ServiceCommand {
    Demo(Map<String, String> environment) {
        super(environment);
    }

    @Override
    public Integer call() {
        Config config = config();
        return Serve.serve(config, out(), (running, out) -> {
            welcome(running, config.appUrl().map(URI::toString).orElseGet(running::address), out);
            running.demoMarket().begin();
        });
    }

    /** @param console where the user signs in */
    static void welcome(Running running, String console, PrintWriter out) {
        DemoUser user = DemoUser.of(running.users(), running.useCases());
        out.printf(
                """

                Sign in    %6$s  as %2$s with %3$s
                Live key   %4$s
                Test key   %5$s  (sandbox: fixed policy, nothing is kept)

                What is allowed?
                  curl -s %1$s/api/agent/v1/mandate -H 'Authorization: Bearer %4$s'

                May I? Yes:
                  curl -s %1$s/api/agent/v1/policy/validate -H 'Authorization: Bearer %4$s' -H 'Content-Type: application/json' -d '{"action":"buy","assetSymbol":"SPY","assetType":"tradfi","amountUsd":1000}'

                May I? No, and why:
                  curl -s %1$s/api/agent/v1/policy/validate -H 'Authorization: Bearer %4$s' -H 'Content-Type: application/json' -d '{"action":"sell","assetSymbol":"BTC","assetType":"crypto","amountUsd":15000}'

                """,
                running.address(),
                DemoUser.EMAIL,
                running.demoPassword().renew(user.id()),
                user.live().reveal(),
                user.test().reveal(),
                console);
    }
}
