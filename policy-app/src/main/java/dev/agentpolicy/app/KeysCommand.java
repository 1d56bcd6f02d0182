package dev.agentpolicy.app;

import dev.agentpolicy.adapter.jdbc.JdbcStore;
import dev.agentpolicy.adapter.signing.KeyRing;
import dev.agentpolicy.adapter.signing.MasterKeyRewrap;
import dev.agentpolicy.adapter.signing.MasterKeyRewrap.Rewrapped;
import dev.agentpolicy.adapter.signing.RootKey;
import dev.agentpolicy.app.anchor.Anchors;
import dev.agentpolicy.app.config.CannotStart;
import dev.agentpolicy.app.config.Config;
import dev.agentpolicy.app.guard.RollbackGuard;
import dev.agentpolicy.app.security.SecureRandomSource;
import dev.agentpolicy.domain.document.Instants;
import dev.agentpolicy.domain.event.signing.SignatureCheck;
import dev.agentpolicy.domain.event.signing.SigningKey;
import dev.agentpolicy.domain.event.signing.SigningKey.Purpose;
import dev.agentpolicy.domain.port.EventSigner;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Lists and rotates the signing keys of the configured database (docs/verify.md, Rotation). */
@Command(
        name = "keys",
        description = "List the signing keys, or go over to a new one. Needs the settings of the service.",
        mixinStandardHelpOptions = true)
final class KeysCommand extends ServiceCommand {
    /** Twice as long as readers may keep the manifest. */
    private static final Duration NOTICE = Duration.ofMinutes(10);

    private static final String LEASE = "signing-keys";
    private static final Duration LEASE_LENGTH = Duration.ofMinutes(5);

    KeysCommand(Map<String, String> environment) {
        super(environment);
    }

    @Override
    public Integer call() {
        throw misused("Say what to do: list, rotate, rewrap or root.");
    }

    @Command(description = "Every signing key there ever was, oldest first.", mixinStandardHelpOptions = true)
    int list() {
        try (JdbcStore store = Wiring.open(config())) {
            requireKeys(store).forEach(this::print);
        }
        return 0;
    }

    @Command(
            description = "Publish a new event key and go over to it after ten minutes, or at once.",
            mixinStandardHelpOptions = true)
    int rotate(
            @Option(names = "--now", description = "Do not wait until every reader has seen the new key.") boolean now,
            @Option(names = "--compromised", description = "Someone else may have the present key: revoke it, at once.")
                    boolean isCompromised,
            @Option(names = "--since", paramLabel = "TIME", description = "From when on; needed with --compromised.")
                    @Nullable
                    String since,
            @Option(names = "--root-key", paramLabel = "FILE", description = "Vouches; needed with --compromised.")
                    @Nullable
                    Path rootKey) {
        if (isCompromised != (since != null) || isCompromised != (rootKey != null)) {
            throw misused("--compromised goes with --since, a time like 2026-11-21T09:40:00Z, and --root-key.");
        }
        Config config = config();
        Instant from = since == null ? null : since(since);
        EventSigner root = rootKey == null ? null : RootKey.read(rootKey);
        try (JdbcStore store = Wiring.open(config)) {
            RollbackGuard.requireNone(config, store);
            alone(store, () -> {
                KeyRing ring = KeyRing.open(config.masterKeyFile(), store.sealedKeys(), clock);
                SigningKey next = from == null || root == null
                        ? ring.prepareNext(clock.instant().plus(now ? Duration.ZERO : NOTICE))
                        : rescue(config, store, ring, from, root);
                ring.refresh();
                store.sealedKeys().all().stream()
                        .filter(key -> key.kid().equals(next.kid()))
                        .forEach(this::print);
                if (from != null) {
                    signErasuresAnew(store, ring);
                }
            });
        }
        return 0;
    }

    /** Those that a stolen key signed count no more, and the operator vouches for them as for the rows. */
    private void signErasuresAnew(JdbcStore store, KeyRing ring) {
        int signed = erasing(store, ring).signAnew(store.sealedKeys().all(), SignatureCheck.ofJdk());
        if (signed > 0) {
            say("Signed anew: " + signed + (signed == 1 ? " erasure" : " erasures")
                    + " of payloads, which a compromised key had signed.");
        }
    }

    @Command(
            description = "Make a new master key and seal every signing key and custodian anew with it.",
            mixinStandardHelpOptions = true)
    int rewrap() {
        Config config = config();
        try (JdbcStore store = Wiring.open(config)) {
            requireKeys(store);
            alone(store, () -> {
                Rewrapped sealed =
                        MasterKeyRewrap.run(config.masterKeyFile(), store.sealedKeys(), store.sealedCredentials());
                if (sealed.custodians() > 0) {
                    say("The credentials of " + sealed.custodians() + " custodians are sealed anew.");
                }
                say(sealed.signingKeys() + " keys are sealed with a new master key in " + config.masterKeyFile()
                        + "; give this file to every node.");
            });
        }
        return 0;
    }

    /**
     * With the new key the operator vouches for all that is in the database, so it is held against the last anchor, too.
     */
    private SigningKey rescue(Config config, JdbcStore store, KeyRing ring, Instant since, EventSigner root) {
        config.anchoring()
                .ifPresent(it -> new Anchors(it, store, ring.signer(Purpose.ANCHOR), clock, new SecureRandomSource())
                        .requireNotBehind());
        return ring.replaceCompromised(since, root, clock.instant());
    }

    private Instant since(String text) {
        try {
            Instant since = Instant.parse(text);
            if (!since.isAfter(clock.instant())) {
                return since;
            }
        } catch (DateTimeParseException malformed) {
            // Said below, as for a time that is still to come.
        }
        throw misused("--since must be a time that has passed, like 2026-11-21T09:40:00Z.");
    }

    @Command(
            description = "Make a root key in a new file, to be kept elsewhere, and publish its public part.",
            mixinStandardHelpOptions = true)
    int root(@Parameters(paramLabel = "FILE", description = "A file that is not there yet.") Path file) {
        Config config = config();
        try (JdbcStore store = Wiring.open(config)) {
            KeyRing.open(config.masterKeyFile(), store.sealedKeys(), clock);
            SigningKey root = RootKey.create(file, clock.instant());
            store.sealedKeys().storePublic(root);
            print(root);
        }
        return 0;
    }

    private void print(SigningKey key) {
        String until = key.validUntil() == null ? "" : " until " + Instants.format(key.validUntil());
        say(String.format(
                "%s  %-7s  %-7s  from %s%s",
                key.kid(), key.purpose().wireName(), key.status().wireName(), Instants.format(key.validFrom()), until));
    }

    /**
     * Lets one command at a time make or seal signing keys: a key that is sealed while the master key is replaced would
     * be lost with the old one.
     */
    private void alone(JdbcStore store, Runnable work) {
        UUID holder = UUID.randomUUID();
        if (!store.chains().lease(LEASE, holder, clock.instant(), LEASE_LENGTH)) {
            throw new CannotStart("Another command changes the signing keys at this moment; try again when it has"
                    + " ended, or in five minutes if it was killed.");
        }
        try {
            work.run();
        } finally {
            store.chains().release(LEASE, holder);
        }
    }
}
