package dev.agentpolicy.domain.agent;

import java.time.Instant;

/**
 * A person who can sign in.
 *
 * @param id also the id of the account
 * @param email in lower case
 * @param passwordHash Argon2id hash in its standard text form
 * @param createdAt when they signed up
 * @param requestMails what they are told by mail when a request waits
 * @param isEmailConfirmed whether a link in a mail to the address was followed
 */
public record User(
        UserId id,
        String email,
        String passwordHash,
        Instant createdAt,
        RequestMails requestMails,
        boolean isEmailConfirmed) {

    /** A user who has neither chosen which mails to get nor confirmed the address. */
    public User(UserId id, String email, String passwordHash, Instant createdAt) {
        this(id, email, passwordHash, createdAt, RequestMails.PLAIN, false);
    }

    @Override
    public String toString() {
        return "User[" + id + "]";
    }
}
