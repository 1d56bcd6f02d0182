package dev.agentpolicy.domain.port;

import dev.agentpolicy.domain.agent.UserId;
import java.time.Instant;
import java.util.Optional;

/** Keeps who may sign in. */
public interface Users {

    /** Stores a new user; false when the address is taken. */
    boolean add(User user);

    /** The user of an address, in whatever case it was typed. */
    Optional<User> byEmail(String email);

    Optional<User> byId(UserId id);

    /**
     * A person who can sign in.
     *
     * @param id names the account
     * @param email lower-cased address
     * @param passwordHash Argon2id, in its own text form
     * @param createdAt when they signed up
     */
    record User(UserId id, String email, String passwordHash, Instant createdAt) {

        @Override
        public String toString() {
            return "User[" + id + "]";
        }
    }
}
