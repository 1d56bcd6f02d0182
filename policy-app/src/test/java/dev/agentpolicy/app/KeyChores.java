package dev.agentpolicy.app;

import static dev.agentpolicy.app.TestHousehold.APP;

import dev.agentpolicy.app.SentProposal.Kind;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicInteger;

/** A user who mints keys, rotates every other one, and revokes them, one call after the other. */
final class KeyChores {
    private static final int WORKING = 3;

    private final ApiCaller user;
    private final AtomicInteger numbers;
    private final Deque<SentProposal> working = new ArrayDeque<>();

    KeyChores(ApiCaller user, AtomicInteger numbers) {
        this.user = user;
        this.numbers = numbers;
    }

    /** Leaves a key alone whose change was not answered. */
    SentProposal next() {
        SentProposal call = working.size() < WORKING ? mint() : change(working.remove());
        if (call.isAcknowledged() && call.kind() != Kind.REVOKE) {
            working.add(call);
        }
        return call;
    }

    private SentProposal mint() {
        int number = numbers.getAndIncrement();
        return SentProposal.now(Kind.MINT, number, 0, () -> user.post(APP + "keys", Sent.key(number)));
    }

    private SentProposal change(SentProposal issued) {
        String path = APP + "keys/"
                + issued.answer().orElseThrow().json().get("agentKeyId").textValue();
        return issued.kind() == Kind.MINT && issued.number() % 2 == 0
                ? SentProposal.now(Kind.ROTATE, issued.number(), 0, () -> user.post(path + "/rotate", ""))
                : SentProposal.now(Kind.REVOKE, issued.number(), 0, () -> user.delete(path));
    }
}
