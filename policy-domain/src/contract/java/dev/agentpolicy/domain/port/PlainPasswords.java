package dev.agentpolicy.domain.port;

import dev.agentpolicy.domain.account.Unavailable;
import dev.agentpolicy.domain.port.signin.Passwords;
import org.jspecify.annotations.Nullable;

/** Passwords that are quick to check. */
public final class PlainPasswords implements Passwords {

    private volatile boolean isBusy;

    /** Has hashes of new passwords fail, or not. */
    public void setBusy(boolean busy) {
        isBusy = busy;
    }

    @Override
    public String hash(String password) {
        if (isBusy) {
            throw new Unavailable("Too many sign-ups.");
        }
        return hashed(password);
    }

    private static String hashed(String password) {
        return "hash of " + password;
    }

    @Override
    public boolean matches(String password, @Nullable String hash, HashQueue queue) {
        return hashed(password).equals(hash);
    }
}
