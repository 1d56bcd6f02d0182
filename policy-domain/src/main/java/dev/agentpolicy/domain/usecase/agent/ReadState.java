package dev.agentpolicy.domain.usecase.agent;

import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.CapUsage;
import dev.agentpolicy.domain.agent.Scope;
import dev.agentpolicy.domain.agent.Tally;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.ips.IpsVersion;
import dev.agentpolicy.domain.port.AccountReader;
import dev.agentpolicy.domain.port.AccountReader.KeyView;
import dev.agentpolicy.domain.port.AgentKeys;
import dev.agentpolicy.domain.port.DailyCalls;
import dev.agentpolicy.domain.portfolio.Portfolio;
import dev.agentpolicy.domain.usecase.Answer;
import dev.agentpolicy.domain.usecase.Refusal;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Reads what is in force and what is held (specification, mandate and holdings). */
public final class ReadState {
    private final AccountReader accounts;
    private final DailyCalls dailyCalls;
    private final InstantSource clock;

    public ReadState(AccountReader accounts, DailyCalls dailyCalls, InstantSource clock) {
        this.accounts = accounts;
        this.dailyCalls = dailyCalls;
        this.clock = clock;
    }

    /**
     * The policy bundle of a key.
     *
     * @param key as it stands
     * @param ips the statement in force, null when there is none
     * @param portfolio the present revision, null when nothing was ever held
     * @param used what the key has used today
     */
    public record Mandate(
            AgentKey key,
            @Nullable IpsVersion ips,
            @Nullable Portfolio portfolio,
            CapUsage used) {}

    /**
     * What binds a caller, unless its key no longer works; for who is done with it, see {@link AgentKeys#find}.
     *
     * @param callsToday calls of the key that were counted for its daily call cap, this one included; null of a key
     *     without a cap
     */
    public CompletionStage<Answer<Mandate>> mandate(Caller caller, @Nullable Long callsToday) {
        return seen(caller, (key, seen) -> {
            Tally tally = seen.used().at(clock.instant());
            return new Mandate(key, seen.ips(), seen.portfolio(), tally.used(callsToday));
        });
    }

    /** What the user of a caller holds, unless its key no longer works; for who is done with it, see {@link AgentKeys#find}. */
    public CompletionStage<Answer<Optional<Portfolio>>> portfolio(Caller caller) {
        return seen(caller, (key, seen) -> Optional.ofNullable(seen.portfolio()));
    }

    /** The caller may have been let in from memory, so its key is looked at again, as of the moment of what it reads. */
    private <T> CompletionStage<Answer<T>> seen(Caller caller, BiFunction<AgentKey, KeyView, T> what) {
        return accounts.view(caller.account(), caller.key()).thenApply(seen -> {
            AgentKey key = seen.key();
            if (key == null || !key.admits(caller.key(), clock.instant())) {
                return Answer.refused(Refusal.unauthorized());
            }
            return key.has(Scope.READ)
                    ? Answer.given(what.apply(key, seen))
                    : Answer.refused(Refusal.forbidden(Scope.READ));
        });
    }

    /** What a key has used, as it stands today; its calls are those that count for its daily call cap, if it has one. */
    public CapUsage used(UserId account, AgentKey key) {
        Instant now = clock.instant();
        Tally tally = accounts.tally(account, key.id()).at(now);
        Long callsToday = key.policy().dailyCallCap() == null
                ? null
                : dailyCalls.counted(account, key.id(), LocalDate.ofInstant(now, ZoneOffset.UTC));
        return tally.used(callsToday);
    }

    public Optional<Portfolio> portfolio(UserId account) {
        return Optional.ofNullable(accounts.view(account).portfolio());
    }

    public Optional<IpsVersion> ips(UserId account) {
        return Optional.ofNullable(accounts.view(account).ips());
    }

    /** Every version of the IPS, newest first. */
    public List<IpsVersion> ipsVersions(UserId account) {
        return accounts.ipsVersions(account);
    }

    public Optional<IpsVersion> ipsVersion(UserId account, int version) {
        return accounts.ipsVersion(account, version);
    }

    /** The last revision of each of the last days, oldest first. */
    public List<Portfolio> history(UserId account, int days) {
        return accounts.portfolioHistory(account, clock.instant().minus(Duration.ofDays(days)));
    }
}
