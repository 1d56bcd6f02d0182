package dev.agentpolicy.domain.usecase.policy;

import dev.agentpolicy.domain.agent.FlowCounts.LimitStanding;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.custodian.StaleCustodian;
import dev.agentpolicy.domain.event.chain.ScannedRow;
import dev.agentpolicy.domain.event.content.DecisionRecord.Actor;
import dev.agentpolicy.domain.event.content.EventFacts;
import dev.agentpolicy.domain.event.page.EventScan;
import dev.agentpolicy.domain.ips.IpsVersion;
import dev.agentpolicy.domain.port.AccountReader;
import dev.agentpolicy.domain.port.AccountReader.AccountView;
import dev.agentpolicy.domain.port.EventLog;
import dev.agentpolicy.domain.port.RequestQueue;
import dev.agentpolicy.domain.portfolio.Drift;
import dev.agentpolicy.domain.portfolio.LimitHeadroom;
import dev.agentpolicy.domain.portfolio.Portfolio;
import dev.agentpolicy.domain.portfolio.Snapshot;
import dev.agentpolicy.domain.portfolio.Utilization;
import dev.agentpolicy.domain.request.ServiceRequest.Pending;
import dev.agentpolicy.domain.rule.Rule;
import dev.agentpolicy.domain.usecase.custodian.ConnectCustodian;
import dev.agentpolicy.domain.usecase.custodian.ConnectCustodian.ListedCustodian;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads how an account stands at a glance, with bounded work (docs/reference/app-api.md, the home page). */
public final class ReadHome {
    /** How many waiting requests are counted at most. */
    public static final int MAX_PENDING = 1_000;
    /** How many blocked decisions are counted at most. */
    public static final int MAX_BLOCKED = 2_000;

    private static final int MAX_NEWEST = 5;
    private static final Duration DAY = Duration.ofHours(24);

    private final AccountReader accounts;
    private final RequestQueue requests;
    private final EventLog events;
    private final InstantSource clock;

    public ReadHome(AccountReader accounts, RequestQueue requests, EventLog events, InstantSource clock) {
        this.accounts = accounts;
        this.requests = requests;
        this.events = events;
        this.clock = clock;
    }

    /**
     * How an account stands.
     *
     * @param readAt when
     * @param ips the policy in force; null when there is none
     * @param isPaused whether the policy stops all agents
     * @param activeKeys how many agent keys work
     * @param portfolio the holdings; null when there never were any
     * @param stale the custodian that was not heard of for too long; null when there is none
     * @param snapshot the totals that trades are decided by; null when there are none
     * @param dayAgo the holdings of 24 hours ago; null when there were none or they are not known any more
     * @param lastClose the holdings at the end of yesterday (UTC); null likewise
     * @param policyLimits the limits of the policy, as they stand for the account
     * @param waiting the requests that wait for the user
     * @param blocked what was blocked in the last 24 hours
     * @param custodians the custodians
     * @param storedPairs the pairs and derivatives that are stored
     */
    public record Home(
            Instant readAt,
            @Nullable IpsVersion ips,
            boolean isPaused,
            int activeKeys,
            @Nullable Portfolio portfolio,
            @Nullable StaleCustodian stale,
            @Nullable Snapshot snapshot,
            @Nullable Portfolio dayAgo,
            @Nullable Portfolio lastClose,
            List<LimitStanding> policyLimits,
            Waiting waiting,
            Blocked blocked,
            List<ListedCustodian> custodians,
            List<StoredPair> storedPairs) {

        /** The distance to every limit; empty without a policy or a snapshot. */
        public List<LimitHeadroom> limits() {
            return ips == null || snapshot == null ? List.of() : LimitHeadroom.all(snapshot, ips.ips());
        }

        /** The limits that the portfolio is beyond; empty without a policy or a snapshot. */
        public List<Drift> drift() {
            return ips == null || snapshot == null ? List.of() : Drift.of(snapshot, ips.ips());
        }

        /** The distances to the targets; null without a policy or a snapshot. */
        public @Nullable Utilization utilization() {
            return ips == null || snapshot == null ? null : Utilization.of(snapshot, ips.ips());
        }
    }

    /**
     * Requests that wait for the user.
     *
     * @param count how many, at most {@link #MAX_PENDING}
     * @param isCut whether there are more
     * @param newest the newest few
     */
    public record Waiting(int count, boolean isCut, List<Pending> newest) {}

    /**
     * Decisions of agents that the policy blocked.
     *
     * @param since only decisions since then
     * @param count how many, at most {@link #MAX_BLOCKED}
     * @param isCut whether there may be more
     * @param byRule how many broke a rule, in the order of the rules; a decision counts for each rule it broke
     */
    public record Blocked(Instant since, int count, boolean isCut, Map<Rule, Integer> byRule) {}

    /** Reads an account. Blocks on some queries. */
    public Home read(UserId user) {
        Instant now = clock.instant();
        AccountView account = accounts.view(user);
        IpsVersion ips = account.ips();
        Portfolio portfolio = account.portfolio();
        StaleCustodian stale = account.connections().stale(now);
        Instant midnight = now.atOffset(ZoneOffset.UTC)
                .toLocalDate()
                .atStartOfDay(ZoneOffset.UTC)
                .toInstant();
        return new Home(
                now,
                ips,
                ips != null && ips.ips().isPaused(),
                (int) account.keys().values().stream()
                        .filter(key -> key.isActive(now))
                        .count(),
                portfolio,
                stale,
                portfolio == null || stale != null ? null : portfolio.snapshot().orElse(null),
                portfolio == null
                        ? null
                        : accounts.portfolioAt(user, now.minus(DAY)).orElse(null),
                portfolio == null ? null : accounts.portfolioAt(user, midnight).orElse(null),
                ips == null ? List.of() : limits(account, ips, stale == null ? portfolio : null, now),
                waiting(user),
                blocked(user, now.minus(DAY)),
                ConnectCustodian.custodians(account),
                StoredPair.of(account, now));
    }

    /** The limits as they stand; of positions and losses, what is held and lost now, if the holdings are known. */
    private static List<LimitStanding> limits(
            AccountView account, IpsVersion ips, @Nullable Portfolio held, Instant now) {
        return account.flows().standing(ips.ips().limits(), null, now).stream()
                .map(it -> held == null || it.limit().isFlow()
                        ? it
                        : LimitStanding.of(it.limit(), held.measured(it.limit(), now)))
                .toList();
    }

    private Waiting waiting(UserId user) {
        List<Pending> newest = requests.waiting(user, null, MAX_NEWEST);
        int count = requests.countWaiting(user, MAX_PENDING + 1);
        return new Waiting(Math.min(count, MAX_PENDING), count > MAX_PENDING, newest);
    }

    private Blocked blocked(UserId user, Instant since) {
        long from = events.firstSince(user, since);
        EventScan all = new EventScan(from, Long.MAX_VALUE, MAX_BLOCKED, true, false, null, false);
        Map<Rule, Integer> byRule = new EnumMap<>(Rule.class);
        int count = 0;
        int scanned = 0;
        List<ScannedRow> rows = events.scan(user, all);
        while (!rows.isEmpty() && scanned < MAX_BLOCKED) {
            for (ScannedRow row : rows) {
                EventFacts facts = EventFacts.of(row);
                // Rejections of the user are decisions that are not allowed, too.
                if (facts.actor() == Actor.AGENT) {
                    count++;
                    facts.rules().forEach(rule -> byRule.merge(rule, 1, Integer::sum));
                }
            }
            scanned += rows.size();
            long before = rows.get(rows.size() - 1).seq();
            rows = events.scan(user, all.continued(before, Math.max(1, MAX_BLOCKED - scanned)));
        }
        return new Blocked(since, count, !rows.isEmpty(), byRule);
    }
}
