package dev.agentpolicy.domain.port.signin;

import dev.agentpolicy.domain.agent.NoticeSettings;
import dev.agentpolicy.domain.agent.User;
import dev.agentpolicy.domain.agent.UserId;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Stores the users who can sign in. A change of who may come in is one transaction, with the sessions, devices and links that
 * end by it: after a failure everything of it has happened, or nothing.
 */
public interface Users {

    /** Stores a new user; returns false when the address is taken. */
    boolean add(User user);

    /** The user with this e-mail address; case does not matter. */
    Optional<User> byEmail(String email);

    Optional<User> byId(UserId id);

    /** Replaces the password hash of a user and nothing else; a user who does not exist is ignored. */
    void setPassword(UserId id, String passwordHash);

    /**
     * Replaces the password hash of a user, ends the user's sessions, forgets the devices, also those that get push
     * notifications, and removes the mail tokens.
     *
     * @param keptSession hash of the token of the session that goes on; null for none
     * @param keptDevice hash of the token of the device that stays known; null for none
     */
    void changePassword(UserId id, String passwordHash, @Nullable String keptSession, @Nullable String keptDevice);

    /**
     * Uses up a token of {@link MailTokens.Purpose#PASSWORD_RESET}, confirms the address it was sent to if its user still has
     * that one, records the time of the recovery, and does what {@link #changePassword} does without keeping anything.
     *
     * @return the user; empty, with nothing changed, when there is no such token or it has expired. Of callers at the same
     *     time, one gets the user
     */
    Optional<UserId> resetPassword(String tokenHash, Instant now, String passwordHash);

    /**
     * Replaces the address of a user, records the time of the recovery, ends the user's sessions and removes the tokens that
     * reset the password; returns false, and changes nothing, when another user has the address.
     *
     * @param keptSession hash of the token of the session that goes on; null for none
     */
    boolean setEmail(UserId id, String email, boolean isConfirmed, Instant now, @Nullable String keptSession);

    /** What became of the confirmation of an address. */
    enum EmailConfirmation {
        CONFIRMED,
        /** There is no such token, or it has expired. */
        NO_TOKEN,
        /** Another user has the address. The token is still there. */
        TAKEN
    }

    /**
     * Uses up a token of {@link MailTokens.Purpose#EMAIL_CONFIRMATION} and confirms the address it was sent to. If that is
     * another one than its user has, it takes its place as by {@link #setEmail}.
     */
    EmailConfirmation confirmEmail(String tokenHash, Instant now, @Nullable String keptSession);

    /** Replaces how a user is told of requests that wait. A user who was to be told later is due, so that it is decided anew. */
    void setNotices(UserId id, NoticeSettings notices);

    /** The ids of what the user is done with in the inbox. */
    Set<String> doneItems(UserId id);

    /**
     * Adds an id to {@link #doneItems}.
     *
     * @param present what is in the inbox; ids of other things are forgotten
     */
    void addDoneItem(UserId id, String item, Set<String> present);
}
