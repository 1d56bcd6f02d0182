package dev.agentpolicy.adapter.http.agent;

import dev.agentpolicy.adapter.http.route.Access;
import dev.agentpolicy.adapter.http.wire.ClientAddress;
import dev.agentpolicy.adapter.http.wire.ErrorCode;
import dev.agentpolicy.adapter.http.wire.ErrorHandling;
import dev.agentpolicy.adapter.http.wire.ErrorResponse;
import dev.agentpolicy.adapter.http.wire.HttpConfig;
import dev.agentpolicy.adapter.http.wire.Reply;
import dev.agentpolicy.adapter.http.wire.ServiceAddress;
import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.KeyType;
import dev.agentpolicy.domain.agent.RateBudget;
import dev.agentpolicy.domain.usage.CallRecord;
import dev.agentpolicy.domain.usecase.Refusal;
import dev.agentpolicy.domain.usecase.agent.AdmitCall;
import dev.agentpolicy.domain.usecase.agent.AdmitCall.Admission;
import dev.agentpolicy.domain.usecase.agent.AdmitCall.DailyCount;
import dev.agentpolicy.domain.usecase.agent.Caller;
import dev.agentpolicy.domain.usecase.agent.ReadUsage;
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
 * The gate that every call of an agent passes. It checks the key, the rate limit and the scope, sets the headers that
 * all answers share, and records the call for usage.
 */
public final class CallGate {
    /** The path prefix of the agent API. */
    public static final String PREFIX = "/api/agent/v1/";

    private static final String WWW_AUTHENTICATE = "WWW-Authenticate";
    /** Attribute: the call came to this gate, so that it is told how to pass. */
    private static final String GATED = "gated-call";

    private static final String ADMITTED_CALL = "agent-call";

    /** Attribute: the form of a call that is not answered as HTTP says. */
    private static final String FORM = "call-form";

    /** Attribute: the caller of a call that counts towards the daily cap only together with its decision. */
    private static final String UNCOUNTED = "uncounted-call";

    private final AdmitCall admitCall;
    private final ReadUsage usage;
    private final InstantSource clock;
    private final ClientAddress address;
    private final ServiceAddress service;

    public CallGate(AdmitCall admitCall, ReadUsage usage, InstantSource clock, HttpConfig config) {
        this.admitCall = admitCall;
        this.usage = usage;
        this.clock = clock;
        this.address = new ClientAddress(config.trustsProxy());
        this.service = config.address();
    }

    /**
     * Admits callers that have what an operation requires.
     *
     * @param route the path of the route, under which usage counts the call
     */
    public Handler admit(String route, Operation operation) {
        Need need = Need.of(route, operation.access());
        return ctx -> admit(ctx, need, CallForm.HTTP, operation.work());
    }

    /**
     * One thing that agents can ask for, whatever the form in which they do.
     *
     * @param access what the calling key needs
     * @param work answers or refuses an admitted call, now or later
     */
    public record Operation(Access access, Consumer<AgentCall> work) {}

    /**
     * What one call needs.
     *
     * @param route the name under which usage counts the call
     * @param access what its key needs
     * @param dailyCount when the call counts towards the daily cap of its key
     */
    public record Need(String route, Access access, DailyCount dailyCount) {

        /** A call that counts as calls with such access do. */
        public static Need of(String route, Access access) {
            return new Need(route, access, access.dailyCount());
        }
    }

    /** Admits a call that came in another form, if its caller has what it needs; else refuses it as HTTP says. */
    public void admitForm(Context ctx, Need need, CallForm form, Consumer<AgentCall> work) {
        ctx.attribute(FORM, form);
        admit(ctx, need, form, work);
    }

    private void admit(Context ctx, Need need, CallForm form, Consumer<AgentCall> work) {
        Consumer<Admission> admitted = admission -> Reply.either(
                admission.caller(),
                caller -> {
                    if (need.access.isDeciding() && caller.key().policy().dailyCallCap() != null) {
                        ctx.attribute(UNCOUNTED, caller);
                    }
                    work.accept(
                            new AgentCall(ctx, caller, admission.budget(), admission.callsToday(), form, this::refuse));
                },
                refusal -> refuse(ctx, refusal));
        count(ctx, need, admitted);
    }

    /** Answers a call that failed with an exception. */
    public void answerFailure(Exception thrown, Context ctx) {
        ErrorHandling.answer(thrown, ctx, this::refuse);
    }

    /**
     * Refuses a call. A call that asked for a decision has not been counted towards the daily cap of its key yet, so an
     * invalid one is counted here first. If the cap is used up, the answer says so instead.
     */
    private void refuse(Context ctx, ErrorResponse answer) {
        Caller caller = answer.code().isCallersFault() ? ctx.attribute(UNCOUNTED) : null;
        CallForm other = ctx.attribute(FORM);
        CallForm form = other == null ? CallForm.HTTP : other;
        if (caller == null) {
            form.refuse(ctx, challenged(ctx, answer));
            return;
        }
        ctx.attribute(UNCOUNTED, null);
        Reply.whenComplete(
                ctx,
                admitCall.countRefused(caller),
                usedUp -> form.refuse(
                        ctx, challenged(ctx, usedUp.map(ErrorResponse::of).orElse(answer))));
    }

    /** Says to a caller without a key that works, or without a scope, where it gets what it needs. */
    private ErrorResponse challenged(Context ctx, ErrorResponse answer) {
        if (answer.code() == ErrorCode.UNAUTHORIZED && ctx.attribute(GATED) != null) {
            String error = ctx.req().getHeader("Authorization") == null ? "" : "error=\"invalid_token\",";
            return answer.with(WWW_AUTHENTICATE, service.challenge(ctx, error, null));
        }
        String scope = answer.scope();
        return scope == null
                ? answer
                : answer.with(WWW_AUTHENTICATE, service.challenge(ctx, "error=\"insufficient_scope\",", scope));
    }

    /** Admits every caller within the rate limit. */
    public Handler admitAnyone(String route, Consumer<Context> work) {
        Need need = new Need(route, Access.PUBLIC, DailyCount.NEVER);
        return ctx -> countAnyone(ctx, need, work);
    }

    /**
     * Counts a call that matches no route, also towards the daily cap of its key, and refuses it only if a limit is
     * exceeded.
     */
    public void countMiss(Context ctx, String route, Consumer<Context> work) {
        countAnyone(ctx, new Need(route, Access.PUBLIC, DailyCount.AT_ONCE), work);
    }

    private void countAnyone(Context ctx, Need need, Consumer<Context> work) {
        count(
                ctx,
                need,
                admission -> Reply.either(admission.caller(), caller -> work.accept(ctx), refusal -> {
                    if (refusal.code() == Refusal.Code.UNAUTHORIZED) {
                        work.accept(ctx);
                    } else {
                        refuse(ctx, refusal);
                    }
                }));
    }

    /** Records a call for usage just before it is answered. */
    public void note(Context ctx) {
        AdmittedCall call = ctx.attribute(ADMITTED_CALL);
        if (call != null) {
            long micros = TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - call.startNanos);
            AgentKey key = call.key;
            usage.note(new CallRecord(key.userId(), key.id(), call.route, ctx.statusCode(), micros, clock.instant()));
        }
    }

    /**
     * Counts a call and continues with its admission: on this thread if the key is cached and a cached key is enough.
     */
    private void count(Context ctx, Need need, Consumer<Admission> work) {
        ctx.attribute(GATED, true);
        long start = System.nanoTime();
        Consumer<Admission> counted = admission -> {
            begin(ctx, admission, need.route, start);
            work.accept(admission);
        };
        Optional<CompletionStage<Admission>> known = need.access.acceptsCachedKey()
                ? admitCall.admitFromMemory(bearer(ctx), address.of(ctx), need.access.scope(), need.dailyCount)
                : Optional.empty();
        if (known.isPresent()) {
            Reply.whenComplete(ctx, known.get(), counted);
        } else {
            lookUp(ctx, need, counted);
        }
    }

    /** Looks up the key in the store. If that fails, the call is counted by its network address. */
    private void lookUp(Context ctx, Need need, Consumer<Admission> counted) {
        Reply.onCompletingThread(
                ctx,
                admitCall.admit(bearer(ctx), address.of(ctx), need.access.scope(), need.dailyCount),
                counted,
                failed -> Reply.whenComplete(ctx, admitCall.admitAnyone(address.of(ctx)), budget -> {
                    budget(ctx, budget);
                    throw failed;
                }));
    }

    private static void begin(Context ctx, Admission admission, String route, long start) {
        budget(ctx, admission.budget());
        AgentKey key = admission.key();
        if (key != null) {
            ctx.attribute(ADMITTED_CALL, new AdmittedCall(key, route, start));
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

    private void refuse(Context ctx, Refusal refusal) {
        challenged(ctx, ErrorResponse.of(refusal)).send(ctx);
    }

    /** The bearer credential of a call; null if there is none or more than one. */
    private static @Nullable String bearer(Context ctx) {
        List<String> headers = Collections.list(ctx.req().getHeaders("Authorization"));
        String header = headers.size() == 1 ? headers.get(0) : "";
        String scheme = "Bearer ";
        return header.regionMatches(true, 0, scheme, 0, scheme.length())
                ? header.substring(scheme.length()).trim()
                : null;
    }

    private record AdmittedCall(AgentKey key, String route, long startNanos) {}
}
