package dev.agentpolicy.domain.usecase.agent;

import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.Credential;
import dev.agentpolicy.domain.agent.KeyType;
import dev.agentpolicy.domain.agent.LookupThrottle;
import dev.agentpolicy.domain.agent.RateBudget;
import dev.agentpolicy.domain.agent.Scope;
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

/**
 * Admits a call of an agent, or refuses it: checks the key, the calls per second, the scope and the daily call cap, in
 * this order.
 */
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
     * The result of admitting a call.
     *
     * @param budget the budget of the current second after this call; part of every response
     * @param key the presented key; null when there was none that works
     * @param callsToday today's calls that count towards the key's daily call cap, this one included; null when the key
     *     has no cap, or when the call is counted later, together with its decision
     * @param caller the admitted agent, or the refusal
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
        /** Never: the call needs no key. */
        NEVER,
        /** On admission, and also when the call is refused although its key works. */
        AT_ONCE,
        /** Together with its decision. If it is refused before the decision, {@link #countRefused} must be called. */
        WITH_ITS_DECISION
    }

    /** Counts a call that needs no key. Callbacks must not block, see {@link CallCounter}. */
    public CompletionStage<RateBudget> admitAnyone(String address) {
        return counter.count(address, clock.instant());
    }

    /**
     * Admits a call by its credential, as last committed on any node. An address that has presented too many unknown
     * credentials is refused without a look-up, see {@link LookupThrottle}. Callbacks must not block, see
     * {@link AgentKeys#find} and {@link CallCounter}.
     *
     * @param bearer what the caller presented; null for nothing
     * @param address the client address; calls without a valid key use its budget
     * @param scope the scope the call needs; null when any valid key will do
     * @param dailyCount when the call counts towards the daily call cap
     */
    public CompletionStage<Admission> admit(
            @Nullable String bearer, String address, @Nullable Scope scope, DailyCount dailyCount) {
        Optional<Credential> credential = credential(bearer);
        if (credential.isEmpty()) {
            return admit((AgentKey) null, address, scope, dailyCount);
        }
        String hash = credential.get().hash();
        if (unknown.isUsedUp(address, clock.instant()) && keys.recall(hash).isEmpty()) {
            return counter.count(address, clock.instant()).thenApply(AdmitCall::tooManyUnknown);
        }
        return keys.find(hash).thenCompose(found -> {
            if (found.isEmpty()) {
                unknown.count(address, clock.instant());
            }
            return admit(found.orElse(null), address, scope, dailyCount);
        });
    }

    /** Reports the budget of the second as used up, whatever was counted. */
    private static Admission tooManyUnknown(RateBudget counted) {
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
     * Admits a call by a cached key, without I/O. Only for calls that check the key again inside their change, or
     * together with what they read.
     *
     * @return empty when the key is not cached, when a limit that may have been lifted since would refuse the call, and
     *     for test keys, since sandbox accounts cannot check a key again
     */
    public Optional<CompletionStage<Admission>> admitFromMemory(
            @Nullable String bearer, String address, @Nullable Scope scope, DailyCount dailyCount) {
        Optional<Credential> credential = credential(bearer);
        return credential.isEmpty()
                ? Optional.of(admit((AgentKey) null, address, scope, dailyCount))
                : credential
                        .flatMap(it -> keys.recall(it.hash()))
                        .filter(key -> key.type() == KeyType.LIVE)
                        .filter(key -> key.worksFrom(address) && !isCounted(key, dailyCount))
                        .map(key -> admit(key, address, scope, dailyCount));
    }

    /** Whether the gate counts an admitted call, by a daily call cap that may have changed since the key was cached. */
    private static boolean isCounted(AgentKey key, DailyCount dailyCount) {
        return key.policy().dailyCallCap() != null && dailyCount == DailyCount.AT_ONCE;
    }

    /**
     * Counts a call that was to be counted together with its decision and is refused before it.
     *
     * @return the refusal that replaces the first one, when the daily call cap is reached; otherwise empty
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
        AgentKey key = found != null && found.isActive(now) && found.worksFrom(address) ? found : null;
        String caller = key == null ? address : key.id().toString();
        CompletionStage<Admission> admission =
                counter.count(caller, now).thenApply(budget -> admission(budget, key, address, scope));
        Integer cap = key == null ? null : key.policy().dailyCallCap();
        return key == null || cap == null
                ? admission
                : admission.thenCompose(it -> isCountedHere(it, dailyCount)
                        ? count(key, cap, now).thenApply(calls -> calls.fold(it::counted, it::refused))
                        : CompletableFuture.completedStage(it));
    }

    private Admission admission(RateBudget budget, @Nullable AgentKey key, String address, @Nullable Scope scope) {
        if (key == null) {
            return new Admission(
                    budget, null, null, Answer.refused(budget.isAdmitted() ? Refusal.unauthorized() : over(budget)));
        }
        if (!budget.isAdmitted()) {
            return new Admission(budget, key, null, Answer.refused(over(budget)));
        }
        if (scope != null && !key.has(scope)) {
            return new Admission(budget, key, null, Answer.refused(Refusal.forbidden(scope)));
        }
        return new Admission(budget, key, null, Answer.given(callerOf(key, address)));
    }

    /** Whether to count the call now. A call beyond the budget of its second is never counted. */
    private static boolean isCountedHere(Admission admission, DailyCount dailyCount) {
        boolean isAdmitted = admission.caller().fold(caller -> true, refused -> false);
        return admission.budget().isAdmitted()
                && (dailyCount == DailyCount.AT_ONCE || dailyCount == DailyCount.WITH_ITS_DECISION && !isAdmitted);
    }

    /** Counts a call; the answer is the calls of the day, this one included, or the refusal when the cap is reached. */
    private CompletionStage<Answer<Long>> count(AgentKey key, int cap, Instant now) {
        if (cap == 0) {
            return CompletableFuture.completedStage(Answer.refused(AgentChange.capReached(cap, now)));
        }
        Caller caller = callerOf(key, "");
        LocalDate today = LocalDate.ofInstant(now, ZoneOffset.UTC);
        return caller.useCases()
                .dailyCalls()
                .count(caller.account(), key.id(), today, cap)
                .handle((calls, failed) -> {
                    if (failed != null) {
                        return Answer.refused(refusalOf(failed));
                    }
                    return calls.isPresent()
                            ? Answer.given(calls.getAsLong())
                            : Answer.refused(AgentChange.capReached(cap, now));
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

    private Caller callerOf(AgentKey key, String address) {
        return key.type() == KeyType.TEST
                ? new Caller(key, Caller.sandboxAccount(key), sandbox, address)
                : new Caller(key, key.userId(), live, address);
    }

    /** The refusal of a call beyond the budget of its second. */
    public static Refusal over(RateBudget budget) {
        String message = "More than " + budget.perSecond() + " calls in one second; wait for the next.";
        return Refusal.throttled(Refusal.Code.RATE_LIMITED, message, (long) budget.perSecond(), budget.resetSeconds());
    }
}
