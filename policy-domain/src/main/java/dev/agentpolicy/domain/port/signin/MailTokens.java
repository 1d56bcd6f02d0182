package dev.agentpolicy.domain.port.signin;

import dev.agentpolicy.domain.agent.UserId;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Stores the tokens in the links of mails, by their hashes. A user has at most one token of each purpose. */
public interface MailTokens {

    /** What a token is good for. */
    enum Purpose {
        PASSWORD_RESET,
        EMAIL_CONFIRMATION
    }

    /**
     * A stored token.
     *
     * @param email the address it was sent to, which following the link confirms; null in tokens of earlier versions
     */
    record MailToken(
            UserId userId, Purpose purpose, @Nullable String email, Instant expiresAt) {}

    /** Stores a token in place of an earlier one of the user for the same purpose. */
    void store(String tokenHash, MailToken token);

    /** The token with this hash, if it is for this purpose and has not expired. {@link Users} uses tokens up. */
    Optional<MailToken> find(String tokenHash, Purpose purpose, Instant now);

    /** The token of a user for a purpose, if it has not expired. */
    Optional<MailToken> of(UserId user, Purpose purpose, Instant now);

    /** Removes the tokens of a user for a purpose. */
    void remove(UserId user, Purpose purpose);

    /** Removes tokens that expire at the given moment or before, and returns how many. */
    int removeExpired(Instant now);
}
