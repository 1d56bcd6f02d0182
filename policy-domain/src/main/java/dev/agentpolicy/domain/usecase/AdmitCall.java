package dev.agentpolicy.domain.usecase;

import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.Credential;
import dev.agentpolicy.domain.agent.KeyType;
import dev.agentpolicy.domain.agent.LookupThrottle;
import dev.agentpolicy.domain.agent.RateBudget;
import dev.agentpolicy.domain.agent.Scope;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.port.AgentKeys;
import dev.agentpolicy.domain.port.CallCounter;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Lets an agent in, or says why not: its key, its budget of the second, its scope. */
public final class AdmitCall {
    private final AgentKeys keys;
    private final CallCounter counter;
    private final InstantSource clock;
    private final Desk live;
    private final Desk sandbox;
    private final LookupThrottle unknown = new LookupThrottle();

    public AdmitCall(AgentKeys keys, CallCounter counter, InstantSource clock, Desk live, Desk sandbox) {
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
     * @param caller the agent that was let in, or why not
     */
    public record Admission(RateBudget budget, @Nullable AgentKey key, Answer<Caller> caller) {}

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
     */
    public CompletionStage<Admission> admit(@Nullable String bearer, String address, @Nullable Scope scope) {
        Optional<Credential> credential = credential(bearer);
        if (credential.isEmpty()) {
            return admit((AgentKey) null, address, scope);
        }
        String hash = credential.get().hash();
        if (unknown.isUsedUp(address, clock.instant()) && !isRemembered(hash)) {
            return counter.count(address, clock.instant()).thenApply(AdmitCall::guessing);
        }
        return keys.find(hash).thenCompose(found -> {
            if (found.isEmpty()) {
                unknown.count(address, clock.instant());
            }
            return admit(found.orElse(null), address, scope);
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
            @Nullable String bearer, String address, @Nullable Scope scope) {
        Optional<Credential> credential = credential(bearer);
        return credential.isEmpty()
                ? Optional.of(admit((AgentKey) null, address, scope))
                : credential
                        .filter(it -> it.type() == KeyType.LIVE)
                        .flatMap(it -> keys.recall(it.hash()))
                        .map(key -> admit(key, address, scope));
    }

    private CompletionStage<Admission> admit(@Nullable AgentKey found, String address, @Nullable Scope scope) {
        Instant now = clock.instant();
        AgentKey key = found != null && found.isActive(now) ? found : null;
        String caller = key == null ? address : key.id().toString();
        return counter.count(caller, now).thenApply(budget -> admission(budget, key, scope));
    }

    private Admission admission(RateBudget budget, @Nullable AgentKey key, @Nullable Scope scope) {
        if (key == null) {
            return new Admission(budget, null, Answer.refused(overOr(budget, Refusal.unauthorized())));
        }
        if (!budget.isAdmitted()) {
            return new Admission(budget, key, Answer.refused(over(budget)));
        }
        if (scope != null && !key.has(scope)) {
            return new Admission(budget, key, Answer.refused(Refusal.forbidden(scope)));
        }
        return new Admission(budget, key, Answer.given(seat(key)));
    }

    private static Optional<Credential> credential(@Nullable String bearer) {
        return bearer == null ? Optional.empty() : Credential.parse(bearer);
    }

    private Caller seat(AgentKey key) {
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
