package dev.agentpolicy.domain.agent;

import java.time.Instant;

/**
 * A person who can sign in.
 *
 * @param id also the id of the account
 * @param email in lower case
 * @param passwordHash Argon2id hash in its standard text form
 * @param createdAt when they signed up
 */
public record User(UserId id, String email, String passwordHash, Instant createdAt) {

    @Override
    public String toString() {
        return "User[" + id + "]";
    }
}
