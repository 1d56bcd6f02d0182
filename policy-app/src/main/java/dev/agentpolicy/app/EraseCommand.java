package dev.agentpolicy.app;

import dev.agentpolicy.adapter.jdbc.JdbcStore;
import dev.agentpolicy.adapter.jdbc.backup.H2Backup;
import dev.agentpolicy.adapter.signing.KeyRing;
import dev.agentpolicy.app.config.CannotStart;
import dev.agentpolicy.app.config.Config;
import dev.agentpolicy.app.guard.RollbackGuard;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.port.EventSigner;
import dev.agentpolicy.domain.usecase.upkeep.DeleteAccount;
import dev.agentpolicy.domain.usecase.upkeep.ErasePayloads;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** Erases the payload of one row and leaves signed evidence of it (docs/operations.md, Erasing a payload). */
@Command(
        name = "erase",
        description = "Erase the payload of one row of a chain and record who was erased, when and why."
                + " Needs the settings of the service.",
        mixinStandardHelpOptions = true)
final class EraseCommand extends ServiceCommand {
    /** The command to the service that has an H2 file open to erase a payload. */
    static final String CONTROL_COMMAND = "erase";

    @Option(
            names = "--user",
            required = true,
            paramLabel = "UUID",
            converter = UserUuid.class,
            description = "Whose chain.")
    private UUID user = new UUID(0, 0);

    @Option(names = "--seq", required = true, paramLabel = "N", description = "Which row.")
    private long seq;

    @Option(
            names = "--reason",
            required = true,
            paramLabel = "TEXT",
            description = "Why; everyone who may read the chain can read it.")
    private String reason = "";

    /** Reads the id of a user as it was typed. */
    private static final class UserUuid implements ITypeConverter<UUID> {
        @Override
        public UUID convert(String text) {
            try {
                UUID user = UUID.fromString(text);
                if (user.toString().equalsIgnoreCase(text)) {
                    return user;
                }
            } catch (IllegalArgumentException malformed) {
                // Said below, as for one with parts that are too short.
            }
            throw new TypeConversionException(
                    "'" + text + "' is not the id of a user, like 7c9e6679-7425-40de-944b-e07fc1f90ae7");
        }
    }

    EraseCommand(Map<String, String> environment) {
        super(environment);
    }

    @Override
    public Integer call() {
        if (!ErasePayloads.isReason(reason)) {
            throw new CannotStart(ErasePayloads.REASON_RULE);
        }
        Config config = config();
        Optional<Path> file = H2Backup.databaseOf(config.database().url());
        String done = file.flatMap(
                        it -> ControlSocket.ask(it, CONTROL_COMMAND, user.toString(), Long.toString(seq), reason))
                .orElseGet(() -> eraseInPlace(config));
        say(done);
        return 0;
    }

    private String eraseInPlace(Config config) {
        try (JdbcStore store = open(config)) {
            KeyRing keys = KeyRing.open(config.masterKeyFile(), store.sealedKeys(), clock);
            return erase(erasing(store, keys), user, seq, reason);
        }
    }

    /** Opens a database that is there, was served, and lacks no rows. */
    private static JdbcStore open(Config config) {
        H2Backup.requireExists(config.database().url());
        JdbcStore store = Wiring.open(config);
        try {
            requireKeys(store);
            RollbackGuard.requireNone(config, store);
            return store;
        } catch (RuntimeException refused) {
            store.close();
            throw refused;
        }
    }

    /** What a running service does when it receives the command. */
    static ControlSocket.ControlCommand controlCommand(JdbcStore store, EventSigner signer, InstantSource clock) {
        ErasePayloads erase = new ErasePayloads(store.eventLog(), store.erasures(), signer, clock);
        return arguments -> {
            if (arguments.size() != 3) {
                throw new CannotStart("The command to erase needs a user, a row and a reason.");
            }
            UUID user = UUID.fromString(arguments.get(0));
            return erase(erase, user, Long.parseLong(arguments.get(1)), arguments.get(2));
        };
    }

    private static String erase(ErasePayloads erase, UUID user, long seq, String reason) {
        if (erase.eraseRow(new UserId(user), seq, reason) instanceof ErasePayloads.NotErased refused) {
            throw new CannotStart(refused.reason());
        }
        return "Erased the payload of row " + seq + " of user " + user + "; pages that hold the row say when and why.";
    }

    /**
     * Erases the payloads that are left of deleted accounts, where the role of the service may not (docs/operations.md,
     * Erasing a payload).
     */
    @Command(
            name = "erase-deleted",
            description =
                    "Erase the payloads that are left of deleted accounts. Needs the settings of the service, and the"
                            + " owner of the schema as its database user.",
            mixinStandardHelpOptions = true)
    static final class Deleted extends ServiceCommand {
        private static final int AT_ONCE = 1_000;

        Deleted(Map<String, String> environment) {
            super(environment);
        }

        @Override
        public Integer call() {
            Config config = config();
            try (JdbcStore store = open(config)) {
                ErasePayloads erase = erasing(store, KeyRing.open(config.masterKeyFile(), store.sealedKeys(), clock));
                long accounts = 0;
                long payloads = 0;
                for (List<UserId> found = next(store); !found.isEmpty(); found = next(store)) {
                    for (UserId user : found) {
                        accounts++;
                        payloads += erased(erase, user);
                    }
                }
                say("Erased " + payloads + " payloads of " + accounts + " deleted accounts.");
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
}
