package dev.agentpolicy.app;

import dev.agentpolicy.adapter.jdbc.JdbcStore;
import dev.agentpolicy.adapter.jdbc.backup.H2Backup;
import dev.agentpolicy.adapter.signing.KeyRing;
import dev.agentpolicy.app.config.CannotStart;
import dev.agentpolicy.app.config.Config;
import dev.agentpolicy.app.guard.RollbackGuard;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.signing.SigningKey.Purpose;
import dev.agentpolicy.domain.usecase.upkeep.DeleteAccount;
import dev.agentpolicy.domain.usecase.upkeep.ErasePayloads;
import java.io.PrintWriter;
import java.time.Clock;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * Erases the payloads that are left of deleted accounts, where the role of the service may not (docs/operations.md, Erasing
 * a payload).
 */
@Command(
        name = "erase-deleted",
        description = "Erase the payloads that are left of deleted accounts. Needs the settings of the service, and the"
                + " owner of the schema as its database user.",
        mixinStandardHelpOptions = true)
final class EraseDeletedCommand implements Callable<Integer> {
    private static final int AT_ONCE = 1_000;

    private final InstantSource clock = Clock.systemUTC();
    private final Map<String, String> environment;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    EraseDeletedCommand(Map<String, String> environment) {
        this.environment = environment;
    }

    @Override
    public Integer call() {
        Config config = Config.of(environment);
        H2Backup.requireExists(config.database().url());
        try (JdbcStore store = Wiring.open(config)) {
            if (store.sealedKeys().all().isEmpty()) {
                throw new CannotStart("There is no signing key in this database, so the service never ran on it."
                        + " Does POLICY_DB_URL name the right one?");
            }
            RollbackGuard.requireNone(config, store);
            KeyRing keys = KeyRing.open(config.masterKeyFile(), store.sealedKeys(), clock);
            ErasePayloads erase =
                    new ErasePayloads(store.eventLog(), store.erasures(), keys.signer(Purpose.EVENT), clock);
            long accounts = 0;
            long payloads = 0;
            for (List<UserId> found = next(store); !found.isEmpty(); found = next(store)) {
                for (UserId user : found) {
                    accounts++;
                    payloads += erased(erase, user);
                }
            }
            PrintWriter out = spec.commandLine().getOut();
            out.println("Erased " + payloads + " payloads of " + accounts + " deleted accounts.");
            out.flush();
        }
        return 0;
    }

    private static List<UserId> next(JdbcStore store) {
        return store.erasures().ofDeletedAccounts(AT_ONCE);
    }

    private static int erased(ErasePayloads erase, UserId user) {
        if (erase.eraseAccount(user, DeleteAccount.REASON) instanceof ErasePayloads.Erased erased) {
            return erased.rows();
        }
        throw new CannotStart("The payloads of user " + user + " could not be erased; run the command again.");
    }
}
