package dev.agentpolicy.domain.usecase.profile;

import dev.agentpolicy.domain.account.Notice;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.document.Instants;
import dev.agentpolicy.domain.port.Notices;
import dev.agentpolicy.domain.port.signin.Devices;
import dev.agentpolicy.domain.port.signin.MailTokens;
import dev.agentpolicy.domain.port.signin.Passwords;
import dev.agentpolicy.domain.port.signin.Sessions;
import dev.agentpolicy.domain.port.signin.Users;
import dev.agentpolicy.domain.usecase.Answer;
import dev.agentpolicy.domain.usecase.Refusal;
import dev.agentpolicy.domain.usecase.signin.CommonPasswords;
import dev.agentpolicy.domain.usecase.signin.SignIn;
import dev.agentpolicy.domain.usecase.signin.SignIn.Visitor;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Changes the password of a user, which ends the user's other sessions (docs/reference/sign-in.md). */
public final class ChangePassword {
    private final SignIn signIn;
    private final Users users;
    private final Sessions sessions;
    private final Devices devices;
    private final MailTokens tokens;
    private final Passwords passwords;
    private final Supplier<CommonPasswords> common;
    private final Notices notices;
    private final InstantSource clock;

    /** @param common passwords that are refused; read at the first change */
    public ChangePassword(
            SignIn signIn,
            Users users,
            Sessions sessions,
            Devices devices,
            MailTokens tokens,
            Passwords passwords,
            Supplier<CommonPasswords> common,
            Notices notices,
            InstantSource clock) {
        this.signIn = signIn;
        this.users = users;
        this.sessions = sessions;
        this.devices = devices;
        this.tokens = tokens;
        this.passwords = passwords;
        this.common = common;
        this.notices = notices;
        this.clock = clock;
    }

    /**
     * Changes the password of a user who knows the present one. A wrong one is refused and counts like a wrong password at
     * a sign-in.
     */
    public Answer<UserId> change(UserId user, PasswordChange change, Visitor visitor) {
        if (common.get().contains(change.next())) {
            return Answer.refused(Refusal.invalid(List.of(CommonPasswords.problem("new"))));
        }
        return signIn.confirm(user, change.current(), visitor).map(confirmed -> {
            set(confirmed.id(), change.next(), visitor.sessionHash(), visitor.deviceHash());
            return confirmed.id();
        });
    }

    /** Sets a password, and ends all sessions and forgets all devices but the given ones. */
    void set(UserId user, String password, @Nullable String session, @Nullable String device) {
        users.setPassword(user, passwords.hash(password));
        sessions.closeAll(user, session);
        devices.forget(user, device);
        // Whoever asked for these links may be the one whom the new password keeps out.
        for (MailTokens.Purpose purpose : MailTokens.Purpose.values()) {
            tokens.remove(user, purpose);
        }
        notices.send(user, new Notice.PasswordChanged(Instants.truncated(clock.instant())));
    }
}
