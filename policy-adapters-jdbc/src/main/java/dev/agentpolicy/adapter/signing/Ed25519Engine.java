package dev.agentpolicy.adapter.signing;

import java.security.Provider;
import java.security.Security;
import org.jspecify.annotations.Nullable;

/** Which code does the arithmetic behind Tink: Conscrypt where its jar is on the class path, else Tink's own Java. */
final class Ed25519Engine {
    private static final String CONSCRYPT = "Conscrypt";

    private Ed25519Engine() {}

    /**
     * Registers Conscrypt as the last provider, so that nothing but Tink chooses it; four times faster to sign. Must come
     * before the first primitive is made.
     */
    static synchronized void register() {
        Provider conscrypt = Security.getProvider(CONSCRYPT) == null ? load() : null;
        if (conscrypt != null) {
            Security.addProvider(conscrypt);
        }
    }

    /** What signs now, for the log. */
    static String name() {
        Provider conscrypt = Security.getProvider(CONSCRYPT);
        return conscrypt == null
                ? "Tink (pure Java; add conscrypt-openjdk-uber to the class path to sign four times faster)"
                : "Tink over Conscrypt " + conscrypt.getVersionStr();
    }

    /** The provider, or null where the jar is absent or has no library for this machine. */
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
