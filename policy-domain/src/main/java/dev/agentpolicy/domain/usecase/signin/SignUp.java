package dev.agentpolicy.domain.usecase.signin;

import dev.agentpolicy.domain.agent.SlidingWindow;
import dev.agentpolicy.domain.agent.User;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.document.Instants;
import dev.agentpolicy.domain.port.RandomSource;
import dev.agentpolicy.domain.port.signin.Passwords;
import dev.agentpolicy.domain.port.signin.Users;
import dev.agentpolicy.domain.usecase.Answer;
import dev.agentpolicy.domain.usecase.Refusal;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Supplier;

/** Creates accounts (docs/reference/sign-in.md). */
public final class SignUp {
    private final Users users;
    private final Passwords passwords;
    private final MailLinks links;
    private final RandomSource random;
    private final InstantSource clock;
    private final Rules rules;
    private final SlidingWindow throttle;

    public SignUp(
            Users users, Passwords passwords, MailLinks links, RandomSource random, InstantSource clock, Rules rules) {
        this.users = users;
        this.passwords = passwords;
        this.links = links;
        this.random = random;
        this.clock = clock;
        this.rules = rules;
        this.throttle = new SlidingWindow(rules.perHour);
    }

    /**
     * The rules for signing up.
     *
     * @param isOpen whether anyone may sign up
     * @param perHour maximum number of sign-ups of one network within an hour; 0 for no limit
     * @param common passwords that are refused; read at the first sign-up
     */
    public record Rules(boolean isOpen, int perHour, Supplier<CommonPasswords> common) {}

    /**
     * Signs up a user, if sign-up is open, and has a link sent to the address that confirms it. The sign-up limit also
     * limits how many addresses a network can test for existing accounts.
     *
     * @param network the IPv4 address, or the /64 network of an IPv6 address
     */
    public Answer<UserId> signUp(Login login, String network) {
        if (!rules.isOpen) {
            return Answer.refused(Refusal.of(Refusal.Code.SIGN_UP_CLOSED, "Sign-up is closed on this service."));
        }
        if (rules.common.get().contains(login.password())) {
            return Answer.refused(CommonPasswords.refusal("password"));
        }
        Optional<Refusal> refusal = links.refusalOf(login.email());
        if (refusal.isPresent()) {
            return Answer.refused(refusal.get());
        }
        long wait = throttle.secondsToWait(network, clock.instant());
        if (wait > 0) {
            String message = "Too many sign-ups from your address; try again in " + wait + " seconds.";
            return Answer.refused(Refusal.throttled(Refusal.Code.SIGN_UP_THROTTLED, message, null, wait));
        }
        return add(login).map(id -> {
            links.confirmLater(id, login.email(), network);
            return id;
        });
    }

    /** Adds a user on behalf of the operator, without any limit and without a mail. */
    public Answer<UserId> add(Login login) {
        if (users.byEmail(login.email()).isPresent()) {
            return taken();
        }
        UserId id = new UserId(random.uuid());
        User user = new User(id, login.email(), passwords.hash(login.password()), Instants.truncated(clock.instant()));
        return users.add(user) ? Answer.given(id) : taken();
    }

    private static Answer<UserId> taken() {
        return Answer.refused(Refusal.of(Refusal.Code.EMAIL_TAKEN, "This address has an account already; sign in."));
    }
}
