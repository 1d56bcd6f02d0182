package dev.agentpolicy.app;

import dev.agentpolicy.domain.agent.User;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.port.RandomSource;
import dev.agentpolicy.domain.port.signin.Passwords;
import dev.agentpolicy.domain.port.signin.Passwords.HashQueue;
import dev.agentpolicy.domain.port.signin.Users;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The password of the demonstration's user. Each start of {@code demo} sets and prints a new random one,
 * so only the reader of that output knows it.
 */
record DemoPassword(Users users, Passwords passwords, RandomSource random) {
    private static final Logger LOG = LoggerFactory.getLogger(DemoPassword.class);
    private static final String PUBLISHED_BEFORE = "try-it-in-a-minute";
    /** 32 letters and digits that are not mistaken for each other. */
    private static final String LETTERS = "abcdefghijkmnpqrstuvwxyz23456789";

    private static final int GROUPS = 4;
    private static final int GROUP = 5;

    /** Sets a new password, and answers it. */
    String renew(UserId user) {
        String password = random(random);
        users.setPassword(user, passwords.hash(password));
        return password;
    }

    /** Replaces the password that earlier versions gave every demonstration, where it is still in use. */
    void retirePublished() {
        users.byEmail(DemoUser.EMAIL).filter(this::hasPublished).map(User::id).ifPresent(user -> {
            renew(user);
            LOG.warn(
                    "{} still had the password that earlier versions published; it has a random one now, and demo sets another",
                    DemoUser.EMAIL);
        });
    }

    /** A password of 100 random bits that is easy to copy. */
    static String random(RandomSource random) {
        return Stream.generate(() -> group(random.bytes(GROUP))).limit(GROUPS).collect(Collectors.joining("-"));
    }

    private static String group(byte[] random) {
        StringBuilder letters = new StringBuilder();
        for (byte each : random) {
            letters.append(LETTERS.charAt(each & (LETTERS.length() - 1)));
        }
        return letters.toString();
    }

    private boolean hasPublished(User user) {
        return passwords.matches(PUBLISHED_BEFORE, user.passwordHash(), HashQueue.SIGN_IN);
    }
}
