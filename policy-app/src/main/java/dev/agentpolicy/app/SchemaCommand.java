package dev.agentpolicy.app;

import dev.agentpolicy.adapter.jdbc.distribution.Distribution;
import dev.agentpolicy.app.config.CannotStart;
import dev.agentpolicy.app.config.Config;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Changes how the tables of the configured database are stored (docs/scaling.md). */
@Command(
        name = "schema",
        description =
                "Distribute the tables over the workers of a Citus cluster. Needs the settings of the service, and"
                        + " the owner of the schema as its database user.",
        mixinStandardHelpOptions = true)
final class SchemaCommand extends ServiceCommand {
    private static final String POSTGRES = "jdbc:postgresql:";

    SchemaCommand(Map<String, String> environment) {
        super(environment);
    }

    @Override
    public Integer call() {
        throw misused("Say what to do: distribute.");
    }

    @Command(
            description =
                    "Say what is to be done to distribute the tables by user, and with --yes do it. All nodes of the"
                            + " service must be stopped. After a failure, run it again: what is done is not done twice.",
            mixinStandardHelpOptions = true)
    int distribute(
            @Option(names = "--yes", description = "Do it.") boolean isConfirmed,
            @Option(
                            names = "--shards",
                            paramLabel = "N",
                            defaultValue = "" + Distribution.DEFAULT_SHARDS,
                            description = "Over how many shards, ${DEFAULT-VALUE} if not given; it cannot be changed"
                                    + " later without moving everything.")
                    int shards) {
        Config config = config();
        if (!config.database().url().startsWith(POSTGRES)) {
            throw new CannotStart(
                    "Only tables of PostgreSQL can be distributed; POLICY_DB_URL names another database.");
        }
        Distribution distribution = Distribution.of(Wiring.database(config), shards);
        List<String> words = distribution.words();
        if (words.isEmpty()) {
            say("Everything is distributed.");
        } else if (isConfirmed) {
            distribution.run(done -> say("Done: " + done));
            say("Everything is distributed. Start the nodes of the service again.");
        } else {
            words.forEach(step -> say("To do: " + step));
            say("Nothing was done. Make a backup, stop all nodes of the service, and run this with --yes.");
        }
        return 0;
    }
}
