package dev.agentpolicy.domain.port;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.document.Sha256;
import dev.agentpolicy.domain.event.chain.ChainHead;
import dev.agentpolicy.domain.event.chain.EventKind;
import dev.agentpolicy.domain.event.chain.PolicyEvent;
import dev.agentpolicy.domain.event.chain.ScannedRow;
import dev.agentpolicy.domain.event.content.EventFacts;
import dev.agentpolicy.domain.event.content.LoggedDecision;
import dev.agentpolicy.domain.event.page.AuditQuery;
import dev.agentpolicy.domain.event.page.EventPage;
import dev.agentpolicy.domain.event.page.EventQuery;
import dev.agentpolicy.domain.event.page.EventScan;
import dev.agentpolicy.domain.event.page.SignedPage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Reads users' chains of events. Only {@link Accounts} writes them. */
public interface EventLog {

    /** A page of rows, with the entries of {@link Erasures} about them. */
    EventPage page(UserId user, EventQuery query);

    /**
     * Rows without their payloads, oldest first, however large the payloads are.
     *
     * @param from seq of the first row
     * @param to seq of the last row; some hundreds of rows at most
     */
    default List<PolicyEvent> headers(UserId user, long from, long to) {
        List<PolicyEvent> found = new ArrayList<>();
        EventQuery query = EventQuery.all().after(from - 1);
        List<PolicyEvent> rows = page(user, query).rows();
        while (!rows.isEmpty() && found.size() <= to - from) {
            rows.stream()
                    .filter(row -> row.seq() <= to)
                    .map(PolicyEvent::withoutPayload)
                    .forEach(found::add);
            rows = page(user, query.after(rows.get(rows.size() - 1).seq())).rows();
        }
        return found;
    }

    /**
     * The same page as it is sent, and the end of the chain, both of one moment: no row of the page is after that end, and
     * an ascending page of every kind that has no next page ends with it, however many rows are added meanwhile.
     */
    default PageWithHead headedPage(UserId user, EventQuery query) {
        ChainHead head = head(user);
        EventPage page = page(user, query.upTo(head.seq())).upTo(head.seq());
        return new PageWithHead(SignedPage.of(page), head);
    }

    /**
     * Rows to look through, newest first: at most as many as the limit, and fewer where they are large; none only if there
     * are none. A decision whose payload was erased may be missing where only some decisions are wanted.
     */
    default List<ScannedRow> scan(UserId user, EventScan scan) {
        List<ScannedRow> found = new ArrayList<>();
        EventQuery query = new EventQuery(
                EventQuery.MAX_LIMIT,
                EventQuery.Direction.DESC,
                Optional.empty(),
                Optional.empty(),
                OptionalLong.of(scan.before()));
        List<PolicyEvent> rows = page(user, query).rows();
        while (!rows.isEmpty() && found.size() < scan.limit()) {
            rows.stream()
                    .filter(row -> row.seq() >= scan.from())
                    .map(ScannedRow::of)
                    .filter(row -> scan.admits(EventFacts.of(row)))
                    .limit(scan.limit() - found.size())
                    .forEach(found::add);
            rows = page(user, query.after(rows.get(rows.size() - 1).seq())).rows();
        }
        return found;
    }

    /**
     * Decisions from one row to before another, oldest first, also those whose payload was erased: the first ones where they
     * are large; none only if there are none. The cost grows with the distance of the two rows.
     */
    default List<ScannedRow> decisions(UserId user, long from, long end) {
        EventQuery query = new EventQuery(
                EventQuery.MAX_LIMIT,
                EventQuery.Direction.ASC,
                Optional.of(EventKind.GUARDRAIL_DECISION),
                Optional.empty(),
                OptionalLong.of(from - 1));
        return page(user, query).rows().stream()
                .filter(row -> row.seq() < end)
                .map(ScannedRow::of)
                .toList();
    }

    /** The seq of the newest decision, from a row on, that at least so many newer ones follow; empty when there are fewer. */
    default OptionalLong decisionBefore(UserId user, long from, int newer) {
        EventScan scan = new EventScan(from, Long.MAX_VALUE, newer + 1, true, false, null, null);
        List<ScannedRow> found = scan(user, scan);
        return found.size() > newer ? OptionalLong.of(found.get(newer).seq()) : OptionalLong.empty();
    }

    /** The seq of the first row that is not before a time; one more than that of the last row if there is none. */
    default long firstSince(UserId user, Instant time) {
        EventQuery query =
                new EventQuery(1, EventQuery.Direction.ASC, Optional.empty(), Optional.of(time), OptionalLong.empty());
        return page(user, query).rows().stream()
                .findFirst()
                .map(PolicyEvent::seq)
                .orElseGet(() -> head(user).seq() + 1);
    }

    /** The current end of the chain. */
    ChainHead head(UserId user);

    /**
     * Identifies what the pages of the chain show now, without reading their rows. As it stands, for logs without erasures.
     */
    default ChainVersion version(UserId user) {
        return new ChainVersion(head(user), 0);
    }

    /**
     * The decisions in the chain, newest first. A decision whose payload was erased is left out but counts towards the
     * limit.
     */
    List<LoggedDecision> decisions(UserId user, AuditQuery query);

    /**
     * The latest decisions of all keys, allowed or blocked. Completes on a thread that must not block, as
     * {@link AgentKeys#find} does.
     */
    default CompletionStage<List<LoggedDecision>> latest(UserId user, int limit) {
        return CompletableFuture.completedFuture(decisions(user, AuditQuery.latest(limit)));
    }

    /**
     * A page and the end of its chain.
     *
     * @param page the rows
     * @param head the end of the chain
     */
    record PageWithHead(SignedPage page, ChainHead head) {}

    /**
     * Identifies what the pages of a chain show. While it stays the same, a query finds the same rows, with the same payloads
     * and the same entries about erasures.
     *
     * @param head where the chain ends
     * @param erasures how many entries about erasures the chain has
     */
    record ChainVersion(ChainHead head, long erasures) {
        private static final int DIGEST_LETTERS = 32;

        /** A short text that differs between versions, also between those of two chains. */
        public String digest() {
            return Sha256.hex(head.userId() + "/" + head.seq() + "/" + head.hash() + "/" + erasures)
                    .substring(0, DIGEST_LETTERS);
        }
    }
}
