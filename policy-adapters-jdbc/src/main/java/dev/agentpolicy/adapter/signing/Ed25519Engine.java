package dev.agentpolicy.adapter.signing;

import java.security.Provider;
import java.security.Security;
import org.jspecify.annotations.Nullable;

/** Selects the implementation that Tink uses for Ed25519: Conscrypt if its jar is on the class path, else pure Java. */
final class Ed25519Engine {
    private static final String CONSCRYPT = "Conscrypt";

    private Ed25519Engine() {}

    /**
     * Registers Conscrypt as the last provider, so that only Tink uses it. Conscrypt signs four times as fast. Must be
     * called before Tink makes its first primitive.
     */
    static synchronized void register() {
        Provider conscrypt = Security.getProvider(CONSCRYPT) == null ? load() : null;
        if (conscrypt != null) {
            Security.addProvider(conscrypt);
        }
    }

    /** The name of the implementation in use, for the log. */
    static String name() {
        Provider conscrypt = Security.getProvider(CONSCRYPT);
        return conscrypt == null
                ? "Tink (pure Java; add conscrypt-openjdk-uber to the class path to sign four times faster)"
                : "Tink over Conscrypt " + conscrypt.getVersionStr();
    }

    /** The provider, or null if the jar is absent or has no library for this machine. */
    private static @Nullable Provider load() {
        try {
            return (Provider) Class.forName("org.conscrypt.Conscrypt")
                    .getMethod("newProvider")
                    .invoke(null);
        } catch (ReflectiveOperationException | LinkageError absent) {
            return null;
        }
    }
}
