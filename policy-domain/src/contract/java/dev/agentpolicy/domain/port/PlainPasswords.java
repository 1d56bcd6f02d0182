package dev.agentpolicy.domain.port;

import dev.agentpolicy.domain.port.signin.Passwords;
import org.jspecify.annotations.Nullable;

/** Passwords that are quick to check. */
public final class PlainPasswords implements Passwords {

    @Override
    public String hash(String password) {
        return "hash of " + password;
    }

    @Override
    public boolean matches(String password, @Nullable String hash, HashQueue queue) {
        return hash(password).equals(hash);
    }
}
