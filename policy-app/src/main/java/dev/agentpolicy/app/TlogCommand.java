package dev.agentpolicy.app;

import dev.agentpolicy.adapter.jdbc.JdbcStore;
import dev.agentpolicy.adapter.signing.KeyRing;
import dev.agentpolicy.app.config.CannotStart;
import dev.agentpolicy.app.config.Config;
import dev.agentpolicy.app.guard.RollbackGuard;
import dev.agentpolicy.domain.port.TransparencyLog;
import dev.agentpolicy.domain.port.TransparencyLog.State;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Ends the transparency log and begins another one (docs/witnessing.md, When the log ends). */
@Command(
        name = "tlog",
        description = "End the transparency log and begin another one. Needs the settings of the service.",
        mixinStandardHelpOptions = true)
final class TlogCommand extends ServiceCommand {
    TlogCommand(Map<String, String> environment) {
        super(environment);
    }

    @Override
    public Integer call() {
        throw misused("Say what to do: new-origin.");
    }

    @Command(
            name = "new-origin",
            description =
                    "Begin a log with another origin and key. The last checkpoint of the ended one is kept. Stop all"
                            + " nodes before.",
            mixinStandardHelpOptions = true)
    int newOrigin(
            @Parameters(paramLabel = "ORIGIN", description = "The identity of the new log, such as example.com/tlog-2.")
                    String origin) {
        Config config = config();
        config.log().requireOrigin(origin);
        try (JdbcStore store = Wiring.open(config)) {
            requireKeys(store);
            RollbackGuard.requireNone(config, store);
            TransparencyLog log = store.transparencyLog();
            State ended = log.state().orElseThrow(() -> new CannotStart("This service has no transparency log."));
            if (ended.origin().equals(origin)) {
                throw new CannotStart("The log has this origin; name another one.");
            }
            KeyRing keys = KeyRing.open(config.masterKeyFile(), store.sealedKeys(), clock);
            if (!log.replace(ended, origin, keys.replaceLogKey(clock.instant()))) {
                throw new CannotStart("Another log was begun meanwhile; look at it first.");
            }
            say("The log " + ended.origin() + " ended with " + ended.published() + " entries; the next start begins "
                    + origin + ".");
        }
        return 0;
    }
}
