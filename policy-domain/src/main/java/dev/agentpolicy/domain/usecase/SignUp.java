package dev.agentpolicy.domain.usecase;

import dev.agentpolicy.domain.agent.User;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.document.Instants;
import dev.agentpolicy.domain.port.Chance;
import dev.agentpolicy.domain.port.Passwords;
import dev.agentpolicy.domain.port.Users;
import java.time.InstantSource;

/** Makes a user of a person (contract, section 6). */
public final class SignUp {
    private final Users users;
    private final Passwords passwords;
    private final Chance chance;
    private final InstantSource clock;
    private final boolean isOpen;

    /** @param isOpen whether strangers may sign up */
    public SignUp(Users users, Passwords passwords, Chance chance, InstantSource clock, boolean isOpen) {
        this.users = users;
        this.passwords = passwords;
        this.chance = chance;
        this.clock = clock;
        this.isOpen = isOpen;
    }

    /** Signs up a stranger, where that is open. */
    public Answer<UserId> signUp(Login login) {
        return isOpen
                ? add(login)
                : Answer.refused(Refusal.of(Refusal.Code.SIGN_UP_CLOSED, "Sign-up is closed on this service."));
    }

    /** Adds a user on behalf of whoever runs the service. */
    public Answer<UserId> add(Login login) {
        if (users.byEmail(login.email()).isPresent()) {
            return taken();
        }
        UserId id = new UserId(chance.uuid());
        User user = new User(id, login.email(), passwords.hash(login.password()), Instants.truncated(clock.instant()));
        return users.add(user) ? Answer.given(id) : taken();
    }

    private static Answer<UserId> taken() {
        return Answer.refused(Refusal.of(Refusal.Code.EMAIL_TAKEN, "This address has an account already; sign in."));
    }
}
