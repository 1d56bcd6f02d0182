package dev.agentpolicy.app;

import static dev.agentpolicy.app.Household.APP;

import dev.agentpolicy.app.Asked.Kind;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicInteger;

/** A user who mints keys, rotates every other one, and revokes them, one call after the other. */
final class KeyChores {
    private static final int WORKING = 3;

    private final Caller user;
    private final AtomicInteger numbers;
    private final Deque<Asked> working = new ArrayDeque<>();

    KeyChores(Caller user, AtomicInteger numbers) {
        this.user = user;
        this.numbers = numbers;
    }

    /** Leaves a key alone whose change was not answered. */
    Asked next() {
        Asked call = working.size() < WORKING ? mint() : change(working.remove());
        if (call.isAcknowledged() && call.kind() != Kind.REVOKE) {
            working.add(call);
        }
        return call;
    }

    private Asked mint() {
        int number = numbers.getAndIncrement();
        return Asked.now(Kind.MINT, number, 0, () -> user.post(APP + "keys", Sent.key(number)));
    }

    private Asked change(Asked issued) {
        String path = APP + "keys/"
                + issued.answer().orElseThrow().json().get("agentKeyId").textValue();
        return issued.kind() == Kind.MINT && issued.number() % 2 == 0
                ? Asked.now(Kind.ROTATE, issued.number(), 0, () -> user.post(path + "/rotate", ""))
                : Asked.now(Kind.REVOKE, issued.number(), 0, () -> user.delete(path));
    }
}
