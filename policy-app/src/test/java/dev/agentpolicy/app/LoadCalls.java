package dev.agentpolicy.app;

import static dev.agentpolicy.app.TestHousehold.API;
import static dev.agentpolicy.app.TestHousehold.APP;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentpolicy.app.ApiCaller.Seen;
import dev.agentpolicy.app.NumberedCall.Kind;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;

/** The calls of a load. Each caller makes one at a time. */
final class LoadCalls {
    private static final int WAIT_MILLIS = 50;

    private final ProposalClient queue;
    private final ApiCaller user;
    private final AtomicInteger numbers;
    private final KeyLifecycleCalls keys;
    private final BlockingQueue<NumberedCall> toAccept = new LinkedBlockingQueue<>();
    private final BlockingQueue<NumberedCall> toReject = new LinkedBlockingQueue<>();

    /** No number is used twice. */
    LoadCalls(ProposalClient queue, AtomicInteger numbers) {
        this.queue = queue;
        this.user = queue.household().user();
        this.numbers = numbers;
        this.keys = new KeyLifecycleCalls(user, numbers);
    }

    /** Makes a call of a kind, for {@code MINT} the next in the life of some key; null when there is nothing to do. */
    NumberedCall next(Kind kind) throws InterruptedException {
        return switch (kind) {
            case VALIDATE -> call(kind, i -> queue.agent().post(API + "policy/validate", NumberedBodies.trade(i)));
            case BATCH -> call(kind, i -> queue.agent().post(API + "policy/validate-batch", NumberedBodies.batch(i)));
            case PROPOSE -> propose();
            case ACCEPT -> answer(kind, toAccept.poll(WAIT_MILLIS, TimeUnit.MILLISECONDS));
            case REJECT -> answer(kind, toReject.poll(WAIT_MILLIS, TimeUnit.MILLISECONDS));
            case AMEND -> call(kind, i -> user.put(APP + "ips", NumberedBodies.statement(i)));
            case HOLD ->
                call(kind, i -> user.put(APP + "custodians/" + NumberedBodies.SAVINGS, NumberedBodies.savings(i)));
            case SIGN_UP -> call(kind, i -> user.post(APP + "users", NumberedBodies.login(i)));
            case MINT, ROTATE, REVOKE -> keys.next();
        };
    }

    private NumberedCall call(Kind kind, IntFunction<Seen> sent) {
        int number = numbers.getAndAdd(kind == Kind.BATCH ? NumberedCall.OF_A_BATCH : 1);
        return NumberedCall.now(kind, number, 0, () -> sent.apply(number));
    }

    private NumberedCall propose() {
        NumberedCall call = call(Kind.PROPOSE, queue::proposeOnce);
        if (call.isAcknowledged() && NumberedBodies.isRejected(call.number())) {
            toReject.add(call);
        }
        if (call.isAcknowledged()
                && (NumberedBodies.isDisputed(call.number()) || !NumberedBodies.isRejected(call.number()))) {
            toAccept.add(call);
        }
        return call;
    }

    private NumberedCall answer(Kind kind, NumberedCall proposal) {
        if (proposal == null) {
            return null;
        }
        JsonNode made = proposal.answer().orElseThrow().json();
        long id = made.path("serviceRequestId").longValue();
        if (id == 0) {
            throw new AssertionError("What an experiment proposes is allowed: " + made);
        }
        int number = proposal.number();
        return NumberedCall.now(
                kind,
                number,
                id,
                () -> kind == Kind.ACCEPT ? queue.accept(id) : queue.reject(id, NumberedBodies.rejection(number)));
    }
}
