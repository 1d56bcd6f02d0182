package dev.agentpolicy.domain.usecase.policy;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.decision.Decision;
import dev.agentpolicy.domain.decision.Evaluator;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.event.chain.ScannedRow;
import dev.agentpolicy.domain.event.content.DecisionPayload;
import dev.agentpolicy.domain.event.content.DecisionRecord;
import dev.agentpolicy.domain.event.content.DecisionRecord.Actor;
import dev.agentpolicy.domain.event.page.EventQuery;
import dev.agentpolicy.domain.ips.Ips;
import dev.agentpolicy.domain.ips.IpsVersion;
import dev.agentpolicy.domain.port.AccountReader;
import dev.agentpolicy.domain.port.AccountReader.AccountView;
import dev.agentpolicy.domain.port.EventLog;
import dev.agentpolicy.domain.port.RequestQueue;
import dev.agentpolicy.domain.request.ServiceRequest.Pending;
import dev.agentpolicy.domain.rule.Rule;
import dev.agentpolicy.domain.rule.Violation;
import dev.agentpolicy.domain.usecase.Answer;
import dev.agentpolicy.domain.usecase.Refusal;
import dev.agentpolicy.domain.usecase.policy.AmendIps.Amendment;
import dev.agentpolicy.domain.usecase.policy.PreviewIps.PreviewedDecision;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Counts how the decisions of agents would have come out under another IPS (docs/reference/replay.md). Stores nothing. Reads
 * the chain page by page; blocks for up to some seconds.
 */
public final class ReplayIps {
    /** Maximum number of decisions that are replayed. */
    public static final int MAX_DECISIONS = 20_000;
    /** Maximum number of decisions that are shown. */
    public static final int MAX_SHOWN = 200;
    /** How many days are replayed at most. */
    public static final int MAX_DAYS = 90;

    private static final int MAX_WAITING = 1_000;

    private final EventLog events;
    private final RequestQueue requests;
    private final AccountReader accounts;

    public ReplayIps(EventLog events, RequestQueue requests, AccountReader accounts) {
        this.events = events;
        this.requests = requests;
        this.accounts = accounts;
    }

    /**
     * What came of a replay.
     *
     * @param same how many decisions have the same verdict
     * @param newlyBlocked how many were allowed and would be blocked
     * @param newlyAllowed how many were blocked and would be allowed
     * @param notReplayable how many depend on what no row recorded
     * @param byRule the rules of those that differ, in their order
     * @param firstDifferentAt when the first of them was made; null for none
     * @param oldestAt when the oldest decision that was replayed was made; null for none
     * @param pendingAffected waiting requests whose proposal would be blocked, newest first
     * @param basedOn the version in force; null when there is none
     * @param isAtLeast whether there are older decisions that were left out
     * @param newest those that differ, newest first, at most {@link #MAX_SHOWN}
     */
    public record Replay(
            int same,
            int newlyBlocked,
            int newlyAllowed,
            int notReplayable,
            Map<Rule, RuleCounts> byRule,
            @Nullable Instant firstDifferentAt,
            @Nullable Instant oldestAt,
            List<Long> pendingAffected,
            @Nullable Integer basedOn,
            boolean isAtLeast,
            List<PreviewedDecision> newest) {

        /** How many decisions were replayed. */
        public int count() {
            return same + newlyBlocked + newlyAllowed + notReplayable;
        }
    }

    /**
     * How many decisions differ because of a rule.
     *
     * @param newlyBlocked that the rule would have blocked
     * @param newlyAllowed that the rule blocked
     */
    public record RuleCounts(int newlyBlocked, int newlyAllowed) {
        private RuleCounts plus(RuleCounts other) {
            return new RuleCounts(newlyBlocked + other.newlyBlocked, newlyAllowed + other.newlyAllowed);
        }
    }

    /**
     * The decisions to replay.
     *
     * @param fromSeq rows since this one
     * @param from no row of them is older
     * @param limit those among so many newest decisions, also of the user; 1 to {@link #MAX_DECISIONS}
     */
    record Range(long fromSeq, Instant from, int limit) {}

    /**
     * Replays the decisions of some days up to now. Refused when the document is invalid for the user's portfolio.
     *
     * @param days 1 to {@link #MAX_DAYS}
     * @param limit those among so many newest decisions, also of the user; 1 to {@link #MAX_DECISIONS}
     */
    public Answer<Replay> replay(UserId user, Amendment document, int days, int limit, Instant now) {
        AccountView standing = accounts.view(user);
        Instant from = now.minus(Duration.ofDays(days));
        return DraftReplay.spelled(document, standing)
                .fold(
                        draft -> Answer.given(
                                replay(user, draft, standing, new Range(events.firstSince(user, from), from, limit))),
                        problems -> Answer.refused(Refusal.invalid(problems)));
    }

    /** Replays decisions under a draft with canonical symbols. */
    Replay replay(UserId user, Ips draft, AccountView standing, Range range) {
        long head = events.head(user).seq();
        Start start = start(user, range, head);
        Counting counting = counting(user, draft, range, start);
        Counts counts = new Counts();
        DraftReplay replay = null;
        long from = counting.seq;
        while (from <= head) {
            long end = Math.min(head + 1, from + EventQuery.MAX_LIMIT);
            List<ScannedRow> rows = events.decisions(user, from, end);
            for (ScannedRow row : rows) {
                DecisionRecord was = ofAgent(row);
                if (was == null) {
                    continue;
                }
                if (replay == null) {
                    Instant since = counting.since == null ? was.decision().checkedAt() : counting.since;
                    replay = new DraftReplay(accounts, user, standing, draft, since);
                }
                Optional<Decision> decided = was.trade() == null ? Optional.of(was.decision()) : replay.decide(was);
                if (row.seq() >= start.seq) {
                    counts.add(row, was, decided.orElse(null));
                }
            }
            from = rows.isEmpty() ? end : rows.get(rows.size() - 1).seq() + 1;
        }
        IpsVersion inForce = standing.ips();
        return counts.replay(
                counts.blockedRequests.isEmpty() ? List.of() : requests.waiting(user, null, MAX_WAITING),
                inForce == null ? null : inForce.version(),
                start.isCut);
    }

    /** The decision of a row; null for one of the user, and one whose content was erased. */
    private static @Nullable DecisionRecord ofAgent(ScannedRow row) {
        String payload = row.payload();
        DecisionRecord decision = payload == null
                ? null
                : DecisionPayload.read(Document.parse(payload).orElseThrow());
        return decision == null || decision.actor() != Actor.AGENT ? null : decision;
    }

    /**
     * Where a replay begins.
     *
     * @param seq the first row
     * @param isCut whether older decisions of the range are left out
     */
    private record Start(long seq, boolean isCut) {}

    private Start start(UserId user, Range range, long head) {
        if (head - range.fromSeq < range.limit) {
            return new Start(range.fromSeq, false);
        }
        OptionalLong before = events.decisionBefore(user, range.fromSeq, range.limit);
        return before.isPresent() ? new Start(before.getAsLong() + 1, true) : new Start(range.fromSeq, false);
    }

    /**
     * Where the flows of a draft begin to count, at or before the start.
     *
     * @param seq the first row
     * @param since every proposal since then is counted; null for the time of the first decision that is read
     */
    private record Counting(long seq, @Nullable Instant since) {}

    /** Flows begin to count a window before the range, unless that is more rows than one replay reads. */
    private Counting counting(UserId user, Ips draft, Range range, Start start) {
        Duration window = DraftReplay.longestWindow(draft);
        if (window.isZero() || start.isCut) {
            return new Counting(start.seq, null);
        }
        Instant since = range.from.minus(window).minusSeconds(1);
        long first = events.firstSince(user, since);
        long oldest = start.seq - MAX_DECISIONS;
        if (first <= 1) {
            return new Counting(1, Instant.EPOCH);
        }
        return first > oldest ? new Counting(first, since) : new Counting(oldest, null);
    }

    /** Counts decisions in the order in which they were made. */
    private static final class Counts {
        private int same;
        private int newlyBlocked;
        private int newlyAllowed;
        private int notReplayable;
        private final Map<Rule, RuleCounts> byRule = new EnumMap<>(Rule.class);
        private @Nullable Instant firstDifferentAt;
        private @Nullable Instant oldestAt;
        private final Set<Long> blockedRequests = new HashSet<>();
        private final Deque<PreviewedDecision> newest = new ArrayDeque<>();

        void add(ScannedRow row, DecisionRecord record, @Nullable Decision decided) {
            Decision was = record.decision();
            oldestAt = oldestAt == null ? was.checkedAt() : oldestAt;
            if (decided == null) {
                notReplayable++;
            } else if (decided.isAllowed() == was.isAllowed() || isPaused(was)) {
                same++;
            } else {
                addDifferent(row, record, decided);
            }
        }

        /** A pause would stop the trade under the draft as well. */
        private static boolean isPaused(Decision was) {
            return was.violations().stream().anyMatch(Evaluator::isPause);
        }

        private void addDifferent(ScannedRow row, DecisionRecord record, Decision decided) {
            Decision was = record.decision();
            boolean isBlocked = was.isAllowed();
            newlyBlocked += isBlocked ? 1 : 0;
            newlyAllowed += isBlocked ? 0 : 1;
            RuleCounts one = new RuleCounts(isBlocked ? 1 : 0, isBlocked ? 0 : 1);
            (isBlocked ? decided : was)
                    .violations().stream()
                            .map(Violation::rule)
                            .distinct()
                            .forEach(rule -> byRule.merge(rule, one, RuleCounts::plus));
            firstDifferentAt = firstDifferentAt == null ? was.checkedAt() : firstDifferentAt;
            Long request = record.serviceRequestId();
            if (isBlocked && request != null) {
                blockedRequests.add(request);
            }
            newest.addFirst(new PreviewedDecision(row.eventId(), record, decided));
            if (newest.size() > MAX_SHOWN) {
                newest.removeLast();
            }
        }

        Replay replay(List<Pending> waiting, @Nullable Integer basedOn, boolean isAtLeast) {
            return new Replay(
                    same,
                    newlyBlocked,
                    newlyAllowed,
                    notReplayable,
                    Collections.unmodifiableMap(byRule),
                    firstDifferentAt,
                    oldestAt,
                    waiting.stream()
                            .map(Pending::id)
                            .filter(blockedRequests::contains)
                            .toList(),
                    basedOn,
                    isAtLeast,
                    new ArrayList<>(newest));
        }
    }
}
