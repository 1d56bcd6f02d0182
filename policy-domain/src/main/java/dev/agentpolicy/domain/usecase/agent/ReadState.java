package dev.agentpolicy.domain.usecase.agent;

import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.CapUsage;
import dev.agentpolicy.domain.agent.FlowCounts.LimitStanding;
import dev.agentpolicy.domain.agent.Scope;
import dev.agentpolicy.domain.agent.Tally;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.custodian.CustodianConnection;
import dev.agentpolicy.domain.custodian.CustodianConnections;
import dev.agentpolicy.domain.custodian.StaleCustodian;
import dev.agentpolicy.domain.event.passkey.ChangeProtection;
import dev.agentpolicy.domain.ips.ApprovalCounts;
import dev.agentpolicy.domain.ips.ApprovalCounts.ApprovalUse;
import dev.agentpolicy.domain.ips.IpsVersion;
import dev.agentpolicy.domain.ips.ListedIpsVersion;
import dev.agentpolicy.domain.port.AccountReader;
import dev.agentpolicy.domain.port.AccountReader.AccountView;
import dev.agentpolicy.domain.port.AccountReader.KeyView;
import dev.agentpolicy.domain.port.AgentKeys;
import dev.agentpolicy.domain.port.DailyCalls;
import dev.agentpolicy.domain.portfolio.CustodianHoldings;
import dev.agentpolicy.domain.portfolio.Portfolio;
import dev.agentpolicy.domain.portfolio.PortfolioDay;
import dev.agentpolicy.domain.portfolio.Snapshot;
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

/** Reads the policy, the holdings and the caps of keys (specification, mandate and holdings). */
public record ReadState(AccountReader accounts, DailyCalls dailyCalls, InstantSource clock) {
    /**
     * What a user holds, and whether trades can be decided by it.
     *
     * @param portfolio the current revision; null when the user never held anything
     * @param connections the connections to synced custodians
     * @param stale the custodian that was not heard of for too long; null when there is none
     */
    public record AccountHoldings(
            @Nullable Portfolio portfolio,
            CustodianConnections connections,
            @Nullable StaleCustodian stale) {

        static AccountHoldings of(@Nullable Portfolio portfolio, CustodianConnections connections, Instant now) {
            return new AccountHoldings(portfolio, connections, connections.stale(now));
        }

        /** The totals that trades are decided by; null when there are none, or when a custodian is stale. */
        public @Nullable Snapshot snapshot() {
            return portfolio == null || stale != null
                    ? null
                    : portfolio.snapshot().orElse(null);
        }

        /** When a custodian was last heard of. Its holdings have an earlier time if they have not changed since. */
        public Instant syncedAt(CustodianHoldings holdings) {
            return connections
                    .find(holdings.id())
                    .map(CustodianConnection::lastSyncedAt)
                    .orElse(holdings.syncedAt());
        }
    }

    /**
     * Everything that binds a key.
     *
     * @param key the current key
     * @param ips the IPS in force; null when there is none
     * @param holdings what the user holds
     * @param used what the key has used of its caps
     * @param approvals of standing rules and limits, those in force for the key, and what is used of them
     * @param limits of the IPS, as they stand for the key
     */
    public record Mandate(
            AgentKey key,
            @Nullable IpsVersion ips,
            AccountHoldings holdings,
            CapUsage used,
            List<ApprovalUse> approvals,
            List<LimitStanding> limits) {}

    /**
     * The mandate of a caller; refused when its key no longer works. Completes on a thread that must not block, see
     * {@link AgentKeys#find}.
     *
     * @param callsToday today's calls that count towards the key's daily call cap, this one included; null for a key
     *     without a cap
     */
    public CompletionStage<Answer<Mandate>> mandate(Caller caller, @Nullable Long callsToday) {
        return checked(caller, (key, view) -> {
            Instant now = clock.instant();
            AccountHoldings holdings = AccountHoldings.of(view.portfolio(), view.connections(), now);
            IpsVersion ips = view.ips();
            return new Mandate(
                    key,
                    ips,
                    holdings,
                    view.used().at(now).used(callsToday),
                    ips == null
                            ? List.of()
                            : ips.ips().approvals(key.id().value(), now).stream()
                                    .map(view.flows().approvals()::of)
                                    .toList(),
                    ips == null ? List.of() : view.flows().standing(ips.ips().limits(), key.id(), now));
        });
    }

    /**
     * The holdings of a caller's user; refused when its key no longer works. Completes on a thread that must not block,
     * see {@link AgentKeys#find}.
     */
    public CompletionStage<Answer<AccountHoldings>> holdings(Caller caller) {
        return checked(
                caller, (key, view) -> AccountHoldings.of(view.portfolio(), view.connections(), clock.instant()));
    }

    /**
     * Reads an account and checks the key again at the same point in time, since the call may have been admitted by a
     * cached key.
     */
    private <T> CompletionStage<Answer<T>> checked(Caller caller, BiFunction<AgentKey, KeyView, T> result) {
        return accounts.view(caller.account(), caller.key())
                .thenApply(view -> reader(caller, view.key(), clock.instant()).map(key -> result.apply(key, view)));
    }

    /**
     * The key of a caller that may read, or the refusal.
     *
     * @param current the key as it is now; null when the account has none with that id
     */
    static Answer<AgentKey> reader(Caller caller, @Nullable AgentKey current, Instant now) {
        if (current == null || !current.admits(caller.key(), caller.address(), now)) {
            return Answer.refused(Refusal.unauthorized());
        }
        return current.has(Scope.READ) ? Answer.given(current) : Answer.refused(Refusal.forbidden(Scope.READ));
    }

    /**
     * What a key has used of its caps today. Its calls are those that count towards its daily call cap, if it has one.
     */
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

    /** What a user holds, and whether trades can be decided by it. */
    public AccountHoldings holdings(UserId account) {
        AccountView view = accounts.view(account);
        return AccountHoldings.of(view.portfolio(), view.connections(), clock.instant());
    }

    /**
     * The IPS in force.
     *
     * @param approvals what is used of its approvals
     * @param protection what changes of it need, and the policy that waits
     */
    public record IpsInForce(IpsVersion version, ApprovalCounts approvals, ChangeProtection protection) {}

    public Optional<IpsInForce> ips(UserId account) {
        AccountView view = accounts.view(account);
        return Optional.ofNullable(view.ips())
                .map(version -> new IpsInForce(
                        version, view.flows().approvals(), view.passkeys().protection()));
    }

    /**
     * Versions of the IPS with their documents, newest first.
     *
     * @param before only versions with a smaller number
     */
    public List<IpsVersion> ipsVersions(UserId account, int before, int limit) {
        return accounts.ipsVersions(account, before, limit);
    }

    /** As above, without the documents. */
    public List<ListedIpsVersion> listedIpsVersions(UserId account, int before, int limit) {
        return accounts.listedIpsVersions(account, before, limit);
    }

    public Optional<IpsVersion> ipsVersion(UserId account, int version) {
        return accounts.ipsVersion(account, version);
    }

    /** The totals at the end of each of the last days, oldest first. */
    public List<PortfolioDay> history(UserId account, int days) {
        return accounts.portfolioHistory(account, clock.instant().minus(Duration.ofDays(days)));
    }
}
