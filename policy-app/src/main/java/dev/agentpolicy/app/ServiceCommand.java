package dev.agentpolicy.app;

import dev.agentpolicy.adapter.jdbc.JdbcStore;
import dev.agentpolicy.adapter.signing.KeyRing;
import dev.agentpolicy.app.config.CannotStart;
import dev.agentpolicy.app.config.Config;
import dev.agentpolicy.domain.event.signing.SigningKey;
import dev.agentpolicy.domain.event.signing.SigningKey.Purpose;
import dev.agentpolicy.domain.usecase.upkeep.ErasePayloads;
import java.io.PrintWriter;
import java.time.Clock;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command that needs the settings of the service. */
abstract class ServiceCommand implements Callable<Integer> {
    protected final InstantSource clock = Clock.systemUTC();
    private final Map<String, String> environment;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    /** @param environment has the settings */
    ServiceCommand(Map<String, String> environment) {
        this.environment = environment;
    }

    Config config() {
        return Config.of(environment);
    }

    PrintWriter out() {
        return spec.commandLine().getOut();
    }

    void say(String line) {
        out().println(line);
        out().flush();
    }

    /** Refuses how the command was called; the message is printed with its usage. */
    ParameterException misused(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    /**
     * The signing keys of a database.
     *
     * @throws CannotStart when there is none
     */
    static List<SigningKey> requireKeys(JdbcStore store) {
        List<SigningKey> keys = store.sealedKeys().all();
        if (keys.isEmpty()) {
            throw new CannotStart("There is no signing key in this database, so the service never ran on it."
                    + " Does POLICY_DB_URL name the right one?");
        }
        return keys;
    }

    /** Erases payloads with evidence that the event key signs. */
    ErasePayloads erasing(JdbcStore store, KeyRing keys) {
        return new ErasePayloads(store.eventLog(), store.erasures(), keys.signer(Purpose.EVENT), clock);
    }
}
