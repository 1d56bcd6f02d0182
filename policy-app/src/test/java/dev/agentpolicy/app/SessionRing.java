package dev.agentpolicy.app;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Sessions of one user, used in turn to call faster than the budget of one session allows; signs in as they are needed. The
 * budget of a user is that of two sessions.
 */
public final class SessionRing {
    static final int MAX_SESSIONS = 3;

    private final Function<String, String> signIn;
    private final String address;
    private final List<String> cookies = new ArrayList<>();
    private int next;
    private String current;

    private SessionRing(Function<String, String> signIn, String address, String current) {
        this.signIn = signIn;
        this.address = address;
        this.current = current;
        this.cookies.add(current);
    }

    /** @param signIn opens another session at an address of the service and returns its cookie */
    static SessionRing of(String address, String cookie, Function<String, String> signIn) {
        return new SessionRing(signIn, address, cookie);
    }

    public static SessionRing of(TestHousehold household) {
        return of(household.user().address(), household.signInAgain(), address -> household.signInAgain());
    }

    /** The cookie of the next session. */
    public String cookie() {
        return cookie(address);
    }

    private synchronized String cookie(String at) {
        if (cookies.size() < MAX_SESSIONS) {
            cookies.add(signIn.apply(at));
        }
        next = (next + 1) % cookies.size();
        current = cookies.get(next);
        return current;
    }

    /** The cookie that was returned last. */
    synchronized String current() {
        return current;
    }

    /** Moves to the next session, unless another thread already did; the service may have another address by now. */
    synchronized void leave(String usedUp, String at) {
        if (current.equals(usedUp)) {
            cookie(at);
        }
    }
}
