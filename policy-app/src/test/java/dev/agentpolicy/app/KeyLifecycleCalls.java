package dev.agentpolicy.app;

import static dev.agentpolicy.app.TestHousehold.APP;

import dev.agentpolicy.app.NumberedCall.Kind;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicInteger;

/** Calls of a user that mint keys, rotate every other one, and revoke them, one after the other. */
final class KeyLifecycleCalls {
    private static final int WORKING = 3;

    private final ApiCaller user;
    private final AtomicInteger numbers;
    private final Deque<NumberedCall> working = new ArrayDeque<>();

    KeyLifecycleCalls(ApiCaller user, AtomicInteger numbers) {
        this.user = user;
        this.numbers = numbers;
    }

    /** Leaves a key alone whose change was not answered. */
    NumberedCall next() {
        NumberedCall call = working.size() < WORKING ? mint() : change(working.remove());
        if (call.isAcknowledged() && call.kind() != Kind.REVOKE) {
            working.add(call);
        }
        return call;
    }

    private NumberedCall mint() {
        int number = numbers.getAndIncrement();
        return NumberedCall.now(Kind.MINT, number, 0, () -> user.post(APP + "keys", NumberedBodies.key(number)));
    }

    private NumberedCall change(NumberedCall issued) {
        String path = APP + "keys/"
                + issued.answer().orElseThrow().json().get("agentKeyId").textValue();
        return issued.kind() == Kind.MINT && issued.number() % 2 == 0
                ? NumberedCall.now(Kind.ROTATE, issued.number(), 0, () -> user.post(path + "/rotate", ""))
                : NumberedCall.now(Kind.REVOKE, issued.number(), 0, () -> user.delete(path));
    }
}
