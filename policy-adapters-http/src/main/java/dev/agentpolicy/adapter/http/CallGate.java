package dev.agentpolicy.adapter.http;

import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.KeyType;
import dev.agentpolicy.domain.agent.RateBudget;
import dev.agentpolicy.domain.usage.Call;
import dev.agentpolicy.domain.usecase.AdmitCall;
import dev.agentpolicy.domain.usecase.AdmitCall.Admission;
import dev.agentpolicy.domain.usecase.ReadUsage;
import dev.agentpolicy.domain.usecase.Refusal;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import java.time.InstantSource;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Where every call of an agent passes: its key, its budget of the second, its scope, the headers of its answer, and the
 * note that is taken of it.
 */
public final class CallGate {
    /** What the agent API begins with. */
    static final String PREFIX = "/api/agent/v1/";

    private static final String NOTE = "agent-call";

    private final AdmitCall admitCall;
    private final ReadUsage usage;
    private final InstantSource clock;
    private final ClientAddress address;

    public CallGate(AdmitCall admitCall, ReadUsage usage, InstantSource clock, HttpConfig config) {
        this.admitCall = admitCall;
        this.usage = usage;
        this.clock = clock;
        this.address = new ClientAddress(config.trustsProxy());
    }

    /**
     * Lets in who has what the route needs.
     *
     * @param route path of the route, by which the call is counted
     */
    Handler admit(String route, Access access, Consumer<AgentCall> work) {
        return ctx -> count(
                ctx,
                route,
                access,
                admission -> Reply.either(
                        admission.caller(),
                        caller -> work.accept(new AgentCall(ctx, caller, admission.budget())),
                        refusal -> refuse(ctx, refusal)));
    }

    /** Lets anyone in whose budget is not used up. */
    Handler admitAnyone(String route, Consumer<Context> work) {
        return ctx -> countAnyone(ctx, route, work);
    }

    /** Counts a call that needs no key; refuses only what is beyond the budget. */
    void countAnyone(Context ctx, String route, Consumer<Context> work) {
        count(ctx, route, Access.PUBLIC, admission -> {
            RateBudget budget = admission.budget();
            if (budget.isAdmitted()) {
                work.accept(ctx);
            } else {
                refuse(ctx, AdmitCall.over(budget));
            }
        });
    }

    /** Takes note of a call that is about to be answered. */
    void note(Context ctx) {
        Note note = ctx.attribute(NOTE);
        if (note != null) {
            long micros = TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - note.startNanos);
            AgentKey key = note.key;
            usage.note(new Call(key.userId(), key.id(), note.route, ctx.statusCode(), micros, clock.instant()));
        }
    }

    /** Counts a call and goes on with what came of it: at once when memory knows the key and need not be sure of it. */
    private void count(Context ctx, String route, Access access, Consumer<Admission> work) {
        long start = System.nanoTime();
        Consumer<Admission> counted = admission -> {
            begin(ctx, admission, route, start);
            work.accept(admission);
        };
        Optional<CompletionStage<Admission>> known = access.isKnownFromMemory()
                ? admitCall.admitFromMemory(bearer(ctx), address.of(ctx), access.scope())
                : Optional.empty();
        if (known.isPresent()) {
            Reply.when(ctx, known.get(), counted);
        } else {
            lookUp(ctx, access, counted);
        }
    }

    /** A call whose key cannot be looked up is counted by its address. */
    private void lookUp(Context ctx, Access access, Consumer<Admission> counted) {
        CompletionStage<Admission> admission = admitCall.admit(bearer(ctx), address.of(ctx), access.scope());
        Reply.soon(
                ctx,
                admission,
                counted,
                failed -> Reply.when(ctx, admitCall.admitAnyone(address.of(ctx)), budget -> {
                    budget(ctx, budget);
                    throw failed;
                }));
    }

    private static void begin(Context ctx, Admission admission, String route, long start) {
        budget(ctx, admission.budget());
        AgentKey key = admission.key();
        if (key != null) {
            ctx.attribute(NOTE, new Note(key, route, start));
            if (key.type() == KeyType.TEST) {
                ctx.header("X-Service-Sandbox", "true");
            }
        }
    }

    private static void budget(Context ctx, RateBudget budget) {
        ctx.header("X-RateLimit-Limit", Integer.toString(budget.perSecond()));
        ctx.header("X-RateLimit-Remaining", Integer.toString(budget.remaining()));
        ctx.header("X-RateLimit-Reset", Integer.toString(budget.resetSeconds()));
    }

    private static void refuse(Context ctx, Refusal refusal) {
        ErrorAnswer.of(refusal).challenged().send(ctx);
    }

    /** The bearer credential of a call; null when there is none, or more than one. */
    private static @Nullable String bearer(Context ctx) {
        List<String> headers = Collections.list(ctx.req().getHeaders("Authorization"));
        String header = headers.size() == 1 ? headers.get(0) : "";
        String scheme = "Bearer ";
        return header.regionMatches(true, 0, scheme, 0, scheme.length())
                ? header.substring(scheme.length()).trim()
                : null;
    }

    private record Note(AgentKey key, String route, long startNanos) {}
}
