package dev.agentpolicy.domain.agent;

import java.time.Instant;

/**
 * A person who can sign in.
 *
 * @param id names the account
 * @param email lower-cased address
 * @param passwordHash Argon2id, in its own text form
 * @param createdAt when they signed up
 */
public record User(UserId id, String email, String passwordHash, Instant createdAt) {

    @Override
    public String toString() {
        return "User[" + id + "]";
    }
}
