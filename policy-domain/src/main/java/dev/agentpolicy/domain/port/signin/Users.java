package dev.agentpolicy.domain.port.signin;

import dev.agentpolicy.domain.agent.RequestMails;
import dev.agentpolicy.domain.agent.User;
import dev.agentpolicy.domain.agent.UserId;
import java.util.Optional;

/** Stores the users who can sign in. */
public interface Users {

    /** Stores a new user; returns false when the address is taken. */
    boolean add(User user);

    /** The user with this e-mail address; case does not matter. */
    Optional<User> byEmail(String email);

    Optional<User> byId(UserId id);

    /** Replaces the password hash of a user; a user who does not exist is ignored. */
    void setPassword(UserId id, String passwordHash);

    /** Replaces the address of a user; returns false, and changes nothing, when another user has it. */
    boolean setEmail(UserId id, String email, boolean isConfirmed);

    /** Marks the address of a user as confirmed; changes nothing when the user has another address by now. */
    void confirmEmail(UserId id, String email);

    /** Replaces what a user is told by mail when a request waits. */
    void setRequestMails(UserId id, RequestMails mails);
}
