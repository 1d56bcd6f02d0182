package dev.agentpolicy.domain.agent;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A person who can sign in.
 *
 * @param id also the id of the account
 * @param email in lower case
 * @param passwordHash Argon2id hash in its standard text form
 * @param createdAt when they signed up
 * @param notices how they are told of requests that wait
 * @param isEmailConfirmed whether a link in a mail to the address was followed
 * @param recoveredAt when the password was last reset by mail, or the address changed; null when neither happened
 */
public record User(
        UserId id,
        String email,
        String passwordHash,
        Instant createdAt,
        NoticeSettings notices,
        boolean isEmailConfirmed,
        @Nullable Instant recoveredAt) {
    /** For how long after that a password does not do in place of a passkey. */
    public static final Duration RECOVERY = Duration.ofHours(24);

    /** A user who has neither chosen how to be told of requests nor confirmed the address. */
    public User(UserId id, String email, String passwordHash, Instant createdAt) {
        this(id, email, passwordHash, createdAt, NoticeSettings.DEFAULT, false, null);
    }

    /** Whether somebody who can read the user's mail may just have set the password. */
    public boolean isRecovering(Instant now) {
        return recoveredAt != null && now.isBefore(recoveredAt.plus(RECOVERY));
    }

    @Override
    public String toString() {
        return "User[" + id + "]";
    }
}
