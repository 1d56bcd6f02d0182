package dev.agentpolicy.domain.port;

import org.jspecify.annotations.Nullable;

/** Turns passwords into what may be stored, and compares. */
public interface Passwords {

    String hash(String password);

    /**
     * Whether a password is the one that was hashed.
     *
     * @param hash null for that of nobody, which no password is and which takes as long to find out
     */
    boolean matches(String password, @Nullable String hash);
}
