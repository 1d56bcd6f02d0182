package dev.agentpolicy.app;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Sessions of one user, used in turn to call faster than the budget of one session allows; signs in as they are needed. */
public final class SessionRing {
    private static final int MAX_SESSIONS = 30;

    private final Supplier<String> signIn;
    private final List<String> cookies = new ArrayList<>();
    private int next;
    private String current;

    private SessionRing(Supplier<String> signIn, String current) {
        this.signIn = signIn;
        this.current = current;
        this.cookies.add(current);
    }

    /** @param signIn opens another session and returns its cookie */
    static SessionRing of(String cookie, Supplier<String> signIn) {
        return new SessionRing(signIn, cookie);
    }

    public static SessionRing of(TestHousehold household) {
        return of(household.signInAgain(), household::signInAgain);
    }

    /** The cookie of the next session. */
    public synchronized String cookie() {
        if (cookies.size() < MAX_SESSIONS) {
            cookies.add(signIn.get());
        }
        next = (next + 1) % cookies.size();
        current = cookies.get(next);
        return current;
    }

    /** The cookie that was returned last. */
    synchronized String current() {
        return current;
    }

    /** Moves to the next session, unless another thread already did. */
    synchronized void leave(String usedUp) {
        if (current.equals(usedUp)) {
            cookie();
        }
    }
}
