package dev.agentpolicy.app;

import static dev.agentpolicy.app.TestHousehold.API;
import static dev.agentpolicy.app.TestHousehold.APP;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentpolicy.app.ApiCaller.Seen;
import dev.agentpolicy.app.SentProposal.Kind;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;

/** What the callers of a load do, each one call at a time. */
final class Chores {
    private static final int WAIT_MILLIS = 50;

    private final Queue queue;
    private final ApiCaller user;
    private final AtomicInteger numbers;
    private final KeyChores keys;
    private final BlockingQueue<SentProposal> toAccept = new LinkedBlockingQueue<>();
    private final BlockingQueue<SentProposal> toReject = new LinkedBlockingQueue<>();

    /** No number is used twice. */
    Chores(Queue queue, AtomicInteger numbers) {
        this.queue = queue;
        this.user = queue.household().user();
        this.numbers = numbers;
        this.keys = new KeyChores(user, numbers);
    }

    /** Makes a call of a kind, for {@code MINT} the next in the life of some key; null when there is nothing to do. */
    SentProposal next(Kind kind) throws InterruptedException {
        return switch (kind) {
            case VALIDATE -> call(kind, i -> queue.agent().post(API + "policy/validate", Sent.trade(i)));
            case BATCH -> call(kind, i -> queue.agent().post(API + "policy/validate-batch", Sent.batch(i)));
            case PROPOSE -> propose();
            case ACCEPT -> answer(kind, toAccept.poll(WAIT_MILLIS, TimeUnit.MILLISECONDS));
            case REJECT -> answer(kind, toReject.poll(WAIT_MILLIS, TimeUnit.MILLISECONDS));
            case AMEND -> call(kind, i -> user.put(APP + "ips", Sent.statement(i)));
            case HOLD -> call(kind, i -> user.put(APP + "custodians/" + Sent.SAVINGS, Sent.savings(i)));
            case SIGN_UP -> call(kind, i -> user.post(APP + "users", Sent.login(i)));
            case MINT, ROTATE, REVOKE -> keys.next();
        };
    }

    private SentProposal call(Kind kind, IntFunction<Seen> sent) {
        int number = numbers.getAndAdd(kind == Kind.BATCH ? SentProposal.OF_A_BATCH : 1);
        return SentProposal.now(kind, number, 0, () -> sent.apply(number));
    }

    private SentProposal propose() {
        SentProposal call = call(Kind.PROPOSE, queue::proposeOnce);
        if (call.isAcknowledged() && Sent.isRejected(call.number())) {
            toReject.add(call);
        }
        if (call.isAcknowledged() && (Sent.isDisputed(call.number()) || !Sent.isRejected(call.number()))) {
            toAccept.add(call);
        }
        return call;
    }

    private SentProposal answer(Kind kind, SentProposal proposal) {
        if (proposal == null) {
            return null;
        }
        JsonNode made = proposal.answer().orElseThrow().json();
        long id = made.path("serviceRequestId").longValue();
        if (id == 0) {
            throw new AssertionError("What an experiment proposes is allowed: " + made);
        }
        int number = proposal.number();
        return SentProposal.now(
                kind,
                number,
                id,
                () -> kind == Kind.ACCEPT ? queue.accept(id) : queue.reject(id, Sent.rejection(number)));
    }
}
