package dev.agentpolicy.domain.usecase.request;

import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.chain.EventKind;
import dev.agentpolicy.domain.event.chain.ScannedRow;
import dev.agentpolicy.domain.event.content.DecisionRecord.Actor;
import dev.agentpolicy.domain.event.content.EventFacts;
import dev.agentpolicy.domain.event.page.ActivityQuery;
import dev.agentpolicy.domain.event.page.EventQuery;
import dev.agentpolicy.domain.port.AccountReader;
import dev.agentpolicy.domain.port.AccountReader.AccountView;
import dev.agentpolicy.domain.port.EventLog;
import dev.agentpolicy.domain.port.RequestQueue;
import dev.agentpolicy.domain.portfolio.KnownAssets;
import dev.agentpolicy.domain.request.OrderAttempt;
import dev.agentpolicy.domain.request.ServiceRequest;
import dev.agentpolicy.domain.request.ServiceRequest.Completed;
import dev.agentpolicy.domain.request.ServiceRequest.Pending;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reads every event of a chain in words, newest first (docs/reference/activity.md). */
public final class ReadActivity {
    /** How many rows a page looks through at most. */
    public static final int MAX_SCANNED = 10_000;

    private static final int MAX_CHUNK = 2_000;
    private static final int MIN_CHUNK = 250;
    /** How many events of keys are looked through for the one before a change. */
    private static final int MAX_KEYS = 100;

    private final EventLog events;
    private final RequestQueue requests;
    private final AccountReader accounts;

    public ReadActivity(EventLog events, RequestQueue requests, AccountReader accounts) {
        this.events = events;
        this.requests = requests;
        this.accounts = accounts;
    }

    /**
     * An event in words.
     *
     * @param facts what it says
     * @param text the sentence
     * @param agentKeyId the key that it is about, or whose request it is about; null for none
     * @param agentName the present name of that key; null for none
     * @param request the present request that it is about; null for none
     */
    public record ActivityEntry(
            EventFacts facts,
            String text,
            @Nullable AgentKeyId agentKeyId,
            @Nullable String agentName,
            @Nullable ServiceRequest request) {}

    /**
     * A page.
     *
     * @param entries newest first, possibly none
     * @param next the seq before which the next page continues; null when the beginning of the chain was reached
     */
    public record ActivityPage(
            List<ActivityEntry> entries, @Nullable Long next) {}

    /**
     * Reads a page. It is short, and has a next one, where few of the rows looked through fit.
     *
     * @param before only events with a smaller seq; null for the first page
     */
    public ActivityPage page(UserId user, ActivityQuery query, @Nullable Long before, int limit) {
        Reader reader = new Reader(user, query);
        List<ActivityEntry> found = new ArrayList<>(limit);
        int scanned = 0;
        long next = reader.start(before);
        while (found.size() < limit && reader.isBefore(next) && scanned < MAX_SCANNED) {
            int rows = Math.min(Math.min(Math.max(MIN_CHUNK, scanned), MAX_CHUNK), MAX_SCANNED - scanned);
            Chunk chunk = reader.read(next, rows, limit - found.size());
            found.addAll(chunk.entries);
            scanned += chunk.scanned;
            next = chunk.next;
        }
        return new ActivityPage(found, reader.isBefore(next) ? next : null);
    }

    /** Hands over every event that fits, newest first. Only some thousands are in memory at a time. */
    public void each(UserId user, ActivityQuery query, Consumer<ActivityEntry> taker) {
        Reader reader = new Reader(user, query);
        long next = reader.start(null);
        while (reader.isBefore(next)) {
            Chunk chunk = reader.read(next, MAX_CHUNK, MAX_CHUNK);
            chunk.entries.forEach(taker);
            next = chunk.next;
        }
    }

    /**
     * What was found among some rows.
     *
     * @param scanned how many rows were looked through
     * @param next the seq before which to go on
     */
    private record Chunk(List<ActivityEntry> entries, int scanned, long next) {}

    /** Reads a chain backwards. */
    private final class Reader {
        private final UserId user;
        private final ActivityQuery query;
        private final AccountView account;
        private final String text;
        private final long from;
        private final long end;

        Reader(UserId user, ActivityQuery query) {
            this.account = accounts.view(user);
            this.user = user;
            this.query = query.spelled(KnownAssets.resolver(account.portfolio(), account.ips(), List.of()));
            this.text = query.text().orElse("").toLowerCase(Locale.ROOT);
            this.from = query.from().map(time -> events.firstSince(user, time)).orElse(1L);
            this.end = query.to().map(time -> events.firstSince(user, time)).orElse(Long.MAX_VALUE);
        }

        /** The seq before which to begin. */
        long start(@Nullable Long before) {
            return before == null ? end : Math.min(before, end);
        }

        /** Whether there may be rows before a seq. */
        boolean isBefore(long seq) {
            return seq > from;
        }

        /** Looks through rows, up to the last one that is wanted. */
        Chunk read(long before, int rows, int wanted) {
            List<ScannedRow> chunk = events.scan(user, query.scan(from, before, rows));
            List<EventFacts> candidates = chunk.stream()
                    .filter(query::mayFit)
                    .map(EventFacts::of)
                    .filter(facts -> fits(facts, chunk))
                    .limit(query.agentKeyId().isPresent() ? rows : wanted)
                    .toList();
            Map<Long, ServiceRequest> live = query.agentKeyId().isPresent() ? live(candidates) : Map.of();
            List<EventFacts> found = candidates.stream()
                    .filter(facts -> isOfAgent(facts, live))
                    .limit(wanted)
                    .toList();
            Map<Long, ServiceRequest> shown = query.agentKeyId().isPresent() ? live : live(found);
            List<ActivityEntry> entries =
                    found.stream().map(facts -> entry(facts, chunk, shown)).toList();
            if (found.size() == wanted) {
                return new Chunk(
                        entries, chunk.size(), found.get(wanted - 1).row().seq());
            }
            // The rows of a chunk can be few because they are large.
            return new Chunk(
                    entries,
                    chunk.size(),
                    chunk.isEmpty() ? from : chunk.get(chunk.size() - 1).seq());
        }

        private boolean fits(EventFacts facts, List<ScannedRow> chunk) {
            return query.symbol().map(it -> it.value().equals(facts.symbol())).orElse(true)
                    && query.rule()
                            .map(it -> facts.rules().anyMatch(it::equals))
                            .orElse(true)
                    && query.allowed().map(it -> it.equals(facts.allowed())).orElse(true)
                    && (text.isEmpty()
                            || words(facts, chunk).toLowerCase(Locale.ROOT).contains(text));
        }

        private boolean isOfAgent(EventFacts facts, Map<Long, ServiceRequest> live) {
            return query.agentKeyId().map(key -> key.equals(agent(facts, live))).orElse(true);
        }

        private Map<Long, ServiceRequest> live(List<EventFacts> of) {
            List<Long> ids = of.stream()
                    .map(EventFacts::serviceRequestId)
                    .filter(Objects::nonNull)
                    .distinct()
                    .toList();
            return ids.isEmpty() ? Map.of() : requests.findAll(user, ids);
        }

        private ActivityEntry entry(EventFacts facts, List<ScannedRow> chunk, Map<Long, ServiceRequest> live) {
            Long id = facts.serviceRequestId();
            ServiceRequest request = id == null ? null : live.get(id);
            AgentKeyId agent = agent(facts, live);
            return new ActivityEntry(
                    facts,
                    words(facts, chunk) + failure(facts, request),
                    agent,
                    agent == null ? null : account.agentName(agent),
                    request);
        }

        /**
         * That an acceptance came to nothing: its request waits again, was rejected, or was accepted anew. Why is known as
         * long as the request waits.
         */
        private static String failure(EventFacts facts, @Nullable ServiceRequest request) {
            if (facts.actor() != Actor.USER || !Boolean.TRUE.equals(facts.allowed()) || request == null) {
                return "";
            }
            OrderAttempt last = request.lastOrder();
            boolean isLast = last == null || !facts.row().createdAt().isBefore(last.acceptedAt());
            if (isLast && (request instanceof Completed || request instanceof Pending it && it.isAccepted())) {
                return "";
            }
            String why = isLast && request instanceof Pending pending ? pending.executionError() : null;
            return " It was not executed" + (why == null ? "." : ": " + why);
        }

        /** The key of an event; for a fill, that of the request that was filled. */
        private @Nullable AgentKeyId agent(EventFacts facts, Map<Long, ServiceRequest> live) {
            Long id = facts.serviceRequestId();
            ServiceRequest request = id != null && facts.row().kind() == EventKind.TRADE_OBSERVED ? live.get(id) : null;
            return request == null ? facts.agentKeyId() : request.proposal().agentKeyId();
        }

        private String words(EventFacts facts, List<ScannedRow> chunk) {
            return facts.text(account::agentName, facts.isChange() ? before(facts, chunk) : null);
        }

        /** The last event that a change follows, among rows that were read or else in the log; null if it is not found. */
        private @Nullable EventFacts before(EventFacts change, List<ScannedRow> chunk) {
            return chunk.stream()
                    .filter(row -> row.seq() < change.row().seq() && change.follows(row))
                    .findFirst()
                    .or(() -> inLog(change))
                    .map(EventFacts::of)
                    .orElse(null);
        }

        private Optional<ScannedRow> inLog(EventFacts change) {
            boolean isOfPolicy = change.row().kind() == EventKind.IPS_AMENDED;
            Set<EventKind> kinds = isOfPolicy
                    ? Set.of(EventKind.IPS_AMENDED, EventKind.IPS_CREATED)
                    : Set.of(EventKind.KEY_ROTATED, EventKind.KEY_MINTED);
            int rows = isOfPolicy ? 1 : MAX_KEYS;
            return kinds.stream()
                    .flatMap(kind -> events
                            .page(
                                    user,
                                    new EventQuery(
                                            rows,
                                            EventQuery.Direction.DESC,
                                            Optional.of(kind),
                                            Optional.empty(),
                                            OptionalLong.of(change.row().seq())))
                            .rows()
                            .stream())
                    .map(ScannedRow::of)
                    .filter(change::follows)
                    .max(Comparator.comparingLong(ScannedRow::seq));
        }
    }
}
