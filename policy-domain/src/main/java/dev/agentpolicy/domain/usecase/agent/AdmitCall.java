package dev.agentpolicy.domain.usecase.agent;

import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.Credential;
import dev.agentpolicy.domain.agent.KeyType;
import dev.agentpolicy.domain.agent.LookupThrottle;
import dev.agentpolicy.domain.agent.RateBudget;
import dev.agentpolicy.domain.agent.Scope;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.port.AgentKeys;
import dev.agentpolicy.domain.port.CallCounter;
import dev.agentpolicy.domain.usecase.Answer;
import dev.agentpolicy.domain.usecase.Refusal;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Lets an agent in, or says why not: its key, its budget of the second, its scope, its calls of the day. */
public final class AdmitCall {
    private final AgentKeys keys;
    private final CallCounter counter;
    private final InstantSource clock;
    private final AgentUseCases live;
    private final AgentUseCases sandbox;
    private final LookupThrottle unknown = new LookupThrottle();

    public AdmitCall(
            AgentKeys keys, CallCounter counter, InstantSource clock, AgentUseCases live, AgentUseCases sandbox) {
        this.keys = keys;
        this.counter = counter;
        this.clock = clock;
        this.live = live;
        this.sandbox = sandbox;
    }

    /**
     * What came of a call at the door.
     *
     * @param budget of the second, this call counted; reported with every answer
     * @param key the key that was presented, null when none that works was
     * @param callsToday what is counted for the daily call cap of the key, this call included; null when the key has none,
     *     or the call is counted later, with the decision it asks for
     * @param caller the agent that was let in, or why not
     */
    public record Admission(
            RateBudget budget,
            @Nullable AgentKey key,
            @Nullable Long callsToday,
            Answer<Caller> caller) {

        private Admission refused(Refusal refusal) {
            return new Admission(budget, key, null, Answer.refused(refusal));
        }

        private Admission counted(long calls) {
            return new Admission(budget, key, calls, caller);
        }
    }

    /** When a call counts for the daily call cap of its key, if the key has one. */
    public enum DailyCount {
        /** Never: it needs no key. */
        NEVER,
        /** When it is let in, or is refused although its key works. */
        AT_ONCE,
        /** With the decision it asks for. If it is refused without one, see {@link #countRefused}. */
        WITH_ITS_DECISION
    }

    /** Counts a call that needs no key; for who goes on from here, see {@link CallCounter}. */
    public CompletionStage<RateBudget> admitAnyone(String address) {
        return counter.count(address, clock.instant());
    }

    /**
     * Looks at the credential of a call, as last committed anywhere; for who goes on from here, see {@link AgentKeys#find}
     * and {@link CallCounter}. A credential that memory does not know is refused without a look-up when its address has
     * presented too many that are nobody's, see {@link LookupThrottle}.
     *
     * @param bearer what the caller presented, null for nothing
     * @param address where the call came from, whose budget it uses without a valid key
     * @param scope what the call needs, null for any valid key
     * @param dailyCount when it counts for the daily call cap
     */
    public CompletionStage<Admission> admit(
            @Nullable String bearer, String address, @Nullable Scope scope, DailyCount dailyCount) {
        Optional<Credential> credential = credential(bearer);
        if (credential.isEmpty()) {
            return admit((AgentKey) null, address, scope, dailyCount);
        }
        String hash = credential.get().hash();
        if (unknown.isUsedUp(address, clock.instant()) && !isRemembered(hash)) {
            return counter.count(address, clock.instant()).thenApply(AdmitCall::guessing);
        }
        return keys.find(hash).thenCompose(found -> {
            if (found.isEmpty()) {
                unknown.count(address, clock.instant());
            }
            return admit(found.orElse(null), address, scope, dailyCount);
        });
    }

    private boolean isRemembered(String hash) {
        return keys.recall(hash).isPresent();
    }

    /** The budget of the second is reported as used up, whatever the counter says. */
    private static Admission guessing(RateBudget counted) {
        RateBudget none = new RateBudget(counted.perSecond(), 0, counted.resetSeconds(), false);
        String message = "More than " + LookupThrottle.MAX_UNKNOWN_PER_SECOND
                + " unknown keys from this address in one second; wait for the next.";
        return new Admission(
                none,
                null,
                null,
                Answer.refused(Refusal.throttled(
                        Refusal.Code.RATE_LIMITED, message, (long) none.perSecond(), none.resetSeconds())));
    }

    /**
     * The same without asking the store, for a call whose key is looked at again inside of a change, or with what it reads.
     *
     * @return empty when only the store can tell. A test key acts on an account that cannot look again, so memory is
     *     never enough for it
     */
    public Optional<CompletionStage<Admission>> admitFromMemory(
            @Nullable String bearer, String address, @Nullable Scope scope, DailyCount dailyCount) {
        Optional<Credential> credential = credential(bearer);
        return credential.isEmpty()
                ? Optional.of(admit((AgentKey) null, address, scope, dailyCount))
                : credential
                        .filter(it -> it.type() == KeyType.LIVE)
                        .flatMap(it -> keys.recall(it.hash()))
                        .map(key -> admit(key, address, scope, dailyCount));
    }

    /**
     * Counts a call that was let in uncounted, as it asked for a decision, and now is refused without one.
     *
     * @return the refusal to answer with instead, when the calls of the day are used up; empty for a key without a cap
     */
    public CompletionStage<Optional<Refusal>> countRefused(Caller caller) {
        Integer cap = caller.key().policy().dailyCallCap();
        return cap == null
                ? CompletableFuture.completedStage(Optional.empty())
                : count(caller.key(), cap, clock.instant())
                        .thenApply(calls -> calls.fold(any -> Optional.empty(), Optional::of));
    }

    private CompletionStage<Admission> admit(
            @Nullable AgentKey found, String address, @Nullable Scope scope, DailyCount dailyCount) {
        Instant now = clock.instant();
        AgentKey key = found != null && found.isActive(now) ? found : null;
        String caller = key == null ? address : key.id().toString();
        CompletionStage<Admission> admission =
                counter.count(caller, now).thenApply(budget -> admission(budget, key, scope));
        Integer cap = key == null ? null : key.policy().dailyCallCap();
        return key == null || cap == null
                ? admission
                : admission.thenCompose(it -> isCountedHere(it, dailyCount)
                        ? count(key, cap, now).thenApply(calls -> calls.fold(it::counted, it::refused))
                        : CompletableFuture.completedStage(it));
    }

    private Admission admission(RateBudget budget, @Nullable AgentKey key, @Nullable Scope scope) {
        if (key == null) {
            return new Admission(budget, null, null, Answer.refused(overOr(budget, Refusal.unauthorized())));
        }
        if (!budget.isAdmitted()) {
            return new Admission(budget, key, null, Answer.refused(over(budget)));
        }
        if (scope != null && !key.has(scope)) {
            return new Admission(budget, key, null, Answer.refused(Refusal.forbidden(scope)));
        }
        return new Admission(budget, key, null, Answer.given(callerOf(key)));
    }

    /** A call beyond the budget of its second is not counted at all. */
    private static boolean isCountedHere(Admission admission, DailyCount dailyCount) {
        boolean isLetIn = admission.caller().fold(caller -> true, refused -> false);
        return admission.budget().isAdmitted()
                && (dailyCount == DailyCount.AT_ONCE || dailyCount == DailyCount.WITH_ITS_DECISION && !isLetIn);
    }

    /** The calls of the day with this one, or why there is none left. */
    private CompletionStage<Answer<Long>> count(AgentKey key, int cap, Instant now) {
        if (cap == 0) {
            return CompletableFuture.completedStage(Answer.refused(DailyCallCap.refusal(cap, now)));
        }
        Caller seat = callerOf(key);
        LocalDate today = LocalDate.ofInstant(now, ZoneOffset.UTC);
        return seat.useCases()
                .dailyCalls()
                .count(seat.account(), key.id(), today, cap)
                .handle((calls, failed) -> {
                    if (failed != null) {
                        return Answer.refused(refusalOf(failed));
                    }
                    return calls.isPresent()
                            ? Answer.given(calls.getAsLong())
                            : Answer.refused(DailyCallCap.refusal(cap, now));
                });
    }

    private static Refusal refusalOf(Throwable failed) {
        Throwable cause =
                failed instanceof CompletionException && failed.getCause() != null ? failed.getCause() : failed;
        return Refusal.ofFailure(cause).orElseThrow(() -> new CompletionException(cause));
    }

    private static Optional<Credential> credential(@Nullable String bearer) {
        return bearer == null ? Optional.empty() : Credential.parse(bearer);
    }

    private Caller callerOf(AgentKey key) {
        return key.type() == KeyType.TEST
                ? new Caller(key, new UserId(key.id().value()), sandbox)
                : new Caller(key, key.userId(), live);
    }

    private static Refusal overOr(RateBudget budget, Refusal refusal) {
        return budget.isAdmitted() ? refusal : over(budget);
    }

    /** The refusal of a call beyond the budget of its second. */
    public static Refusal over(RateBudget budget) {
        String message = "More than " + budget.perSecond() + " calls in one second; wait for the next.";
        return Refusal.throttled(Refusal.Code.RATE_LIMITED, message, (long) budget.perSecond(), budget.resetSeconds());
    }
}
