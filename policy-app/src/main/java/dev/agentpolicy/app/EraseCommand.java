package dev.agentpolicy.app;

import dev.agentpolicy.adapter.jdbc.JdbcStore;
import dev.agentpolicy.adapter.jdbc.backup.H2Backup;
import dev.agentpolicy.adapter.signing.KeyRing;
import dev.agentpolicy.app.config.CannotStart;
import dev.agentpolicy.app.config.Config;
import dev.agentpolicy.app.guard.RollbackGuard;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.signing.SigningKey.Purpose;
import dev.agentpolicy.domain.port.EventSigner;
import dev.agentpolicy.domain.usecase.upkeep.ErasePayloads;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Clock;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** Erases the payload of one row and leaves signed evidence of it (docs/operations.md, Erasing a payload). */
@Command(
        name = "erase",
        description = "Erase the payload of one row of a chain and record who was erased, when and why."
                + " Needs the settings of the service.",
        mixinStandardHelpOptions = true)
final class EraseCommand implements Callable<Integer> {
    /** The command to the service that has an H2 file open to erase a payload. */
    static final String CONTROL_COMMAND = "erase";

    private final InstantSource clock = Clock.systemUTC();
    private final Map<String, String> environment;

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

    @Spec
    private CommandSpec spec = CommandSpec.create();

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
        this.environment = environment;
    }

    @Override
    public Integer call() {
        if (!ErasePayloads.isReason(reason)) {
            throw new CannotStart(ErasePayloads.REASON_RULE);
        }
        Config config = Config.of(environment);
        Optional<Path> file = H2Backup.databaseOf(config.database().url());
        String done = file.flatMap(
                        it -> ControlSocket.ask(it, CONTROL_COMMAND, user.toString(), Long.toString(seq), reason))
                .orElseGet(() -> eraseInPlace(config));
        PrintWriter out = spec.commandLine().getOut();
        out.println(done);
        out.flush();
        return 0;
    }

    private String eraseInPlace(Config config) {
        H2Backup.requireExists(config.database().url());
        try (JdbcStore store = Wiring.open(config)) {
            if (store.sealedKeys().all().isEmpty()) {
                throw new CannotStart("There is no signing key in this database, so the service never ran on it."
                        + " Does POLICY_DB_URL name the right one?");
            }
            RollbackGuard.requireNone(config, store);
            KeyRing keys = KeyRing.open(config.masterKeyFile(), store.sealedKeys(), clock);
            return erase(store, keys.signer(Purpose.EVENT), clock, user, seq, reason);
        }
    }

    /** What a running service does when it receives the command. */
    static ControlSocket.ControlCommand controlCommand(JdbcStore store, EventSigner signer, InstantSource clock) {
        return arguments -> carryOut(store, signer, clock, arguments);
    }

    private static String carryOut(JdbcStore store, EventSigner signer, InstantSource clock, List<String> arguments) {
        if (arguments.size() != 3) {
            throw new CannotStart("The command to erase needs a user, a row and a reason.");
        }
        UUID user = UUID.fromString(arguments.get(0));
        return erase(store, signer, clock, user, Long.parseLong(arguments.get(1)), arguments.get(2));
    }

    private static String erase(
            JdbcStore store, EventSigner signer, InstantSource clock, UUID user, long seq, String reason) {
        ErasePayloads.ErasureResult result = new ErasePayloads(store.eventLog(), store.erasures(), signer, clock)
                .eraseRow(new UserId(user), seq, reason);
        if (result instanceof ErasePayloads.NotErased refused) {
            throw new CannotStart(refused.reason());
        }
        return "Erased the payload of row " + seq + " of user " + user + "; pages that hold the row say when and why.";
    }
}
