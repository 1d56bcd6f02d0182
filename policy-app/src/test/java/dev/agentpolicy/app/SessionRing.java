package dev.agentpolicy.app;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** Sessions of one user, taken in turn by those who call faster than one session may. */
public final class SessionRing {
    private static final int SESSIONS = 30;

    private final List<String> cookies;
    private final AtomicInteger next = new AtomicInteger();

    private SessionRing(List<String> cookies) {
        this.cookies = List.copyOf(cookies);
    }

    public static SessionRing of(TestHousehold household) {
        return new SessionRing(
                Stream.generate(household::signInAgain).limit(SESSIONS).toList());
    }

    /** The header of the next call. */
    public String cookie() {
        return cookies.get(Math.floorMod(next.getAndIncrement(), SESSIONS));
    }
}
