package dev.agentpolicy.app.verify;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.chain.ChainPoint;
import dev.agentpolicy.domain.event.chain.ChainVerdict;
import dev.agentpolicy.domain.event.chain.ChainVerdict.Broken;
import dev.agentpolicy.domain.event.chain.ChainVerdict.Intact;
import dev.agentpolicy.domain.event.chain.ChainVerifier;
import dev.agentpolicy.domain.event.chain.PolicyEvent;
import dev.agentpolicy.domain.event.chain.SignedHead;
import dev.agentpolicy.domain.event.recompute.PasskeySignatures;
import dev.agentpolicy.domain.event.recompute.Recomputation;
import dev.agentpolicy.domain.event.recompute.Recomputation.Difference;
import java.io.IOException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One pass over the pages of a chain, with one page at a time in memory. */
final class Verification {
    private final ChainVerifier verifier;
    private final Function<UserId, ChainPoint> start;
    private final @Nullable Recomputation recomputation;
    private final Progress progress;
    private final Consumer<PolicyEvent> verified;
    /** The rows that heads named and that have not come yet: seq and hash. */
    private final Map<Long, String> named = new HashMap<>();

    private @Nullable PasskeySignatures signatures;
    private @Nullable String firstKeyId;
    private @Nullable SignedHead lastHead;
    private @Nullable SignedHead highestHead;
    private long lastSeen;
    /** Whether the last page had no cursor of a next page, so that every row must be there that a head names. */
    private boolean isEnd;

    /**
     * A pass.
     *
     * @param start where to begin, given whose chain it is
     * @param recomputation decides the decisions again; null to leave that out
     * @param verified takes every row that was verified
     */
    Verification(
            ChainVerifier verifier,
            Function<UserId, ChainPoint> start,
            @Nullable Recomputation recomputation,
            Progress progress,
            Consumer<PolicyEvent> verified) {
        this.verifier = verifier;
        this.start = start;
        this.recomputation = recomputation;
        this.progress = progress;
        this.verified = verified;
    }

    /** @param issuedSince the oldest head that is fresh enough */
    ChainVerdict of(Pages pages, Instant issuedSince) throws IOException, InterruptedException {
        Page first = pages.next();
        if (first == null) {
            throw new CannotVerify("There is no page to verify.");
        }
        while (first.rows().isEmpty() && first.unreadable() == null && first.head() == null) {
            first = pages.next();
            if (first == null) {
                return new Broken(1, "There is neither a row nor a head.");
            }
        }
        UserId owner = first.rows().isEmpty()
                ? first.head() == null ? null : first.head().userId()
                : first.rows().get(0).userId();
        if (owner == null) {
            return new Broken(1, String.valueOf(first.unreadable()));
        }
        ChainPoint started = start.apply(owner);
        signatures = new PasskeySignatures(started.seq() == 0);
        ChainPoint reached = started;
        for (Page page = first; page != null; page = pages.next()) {
            ChainVerdict verdict = page(started, reached, page);
            if (!(verdict instanceof Intact intact)) {
                return verdict;
            }
            reached = intact.upTo();
        }
        return end(reached, issuedSince);
    }

    /** The key that signed the first row, once that row was verified in this pass. */
    @Nullable
    String firstKeyId() {
        return firstKeyId;
    }

    /** The latest row that a head names, 0 if there is no head. */
    long named() {
        return highestHead == null ? 0 : highestHead.seq();
    }

    /** What was signed with passkeys; null before the first page. */
    @Nullable
    PasskeySignatures signatures() {
        return signatures;
    }

    /**
     * Checks a page. Rows up to where an earlier verification ended are not looked at again.
     *
     * @param started where this pass began
     * @param point where the page before ended
     */
    private ChainVerdict page(ChainPoint started, ChainPoint point, Page page) {
        for (PolicyEvent row : page.rows()) {
            if (row.seq() == started.seq() && !row.hash().equals(started.hash())) {
                return new Broken(row.seq(), "The row is not the one that was verified before.");
            }
            lastSeen = row.seq();
        }
        List<PolicyEvent> news =
                started.seq() == 0 ? page.rows() : page.after(started.seq()).rows();
        ChainVerdict rows = verifier.rows(point, news, page.erasures());
        if (!(rows instanceof Intact intact)) {
            return rows;
        }
        ChainPoint reached = intact.upTo();
        news.forEach(verified);
        if (point.seq() == 0 && !news.isEmpty()) {
            firstKeyId = news.get(0).signingKeyId();
        }
        Broken broken = different(news);
        if (broken != null) {
            return broken;
        }
        String unreadable = page.unreadable();
        if (unreadable != null) {
            return new Broken(reached.seq() + 1, unreadable);
        }
        ChainVerdict verdict = head(reached, news, page);
        if (verdict.isIntact()) {
            progress.at(reached.seq(), news.size(), lastHead == null ? 0 : lastHead.seq());
        }
        return verdict;
    }

    /** The first row that passkeys or a recomputation contradict; null if none does. */
    private @Nullable Broken different(List<PolicyEvent> rows) {
        Broken signed = signatures == null ? null : different(rows, signatures::row);
        return signed != null || recomputation == null ? signed : different(rows, recomputation::row);
    }

    private static @Nullable Broken different(
            List<PolicyEvent> rows, Function<PolicyEvent, Optional<Difference>> check) {
        for (PolicyEvent row : rows) {
            Optional<Difference> difference = check.apply(row);
            if (difference.isPresent()) {
                return new Broken(difference.get().seq(), difference.get().what());
            }
        }
        return null;
    }

    /** Checks the head of a page, which must be signed, and the rows that heads of earlier pages named. */
    private ChainVerdict head(ChainPoint reached, List<PolicyEvent> news, Page page) {
        SignedHead head = page.head();
        boolean endedBefore = news.isEmpty() && !page.rows().isEmpty() && lastSeen < reached.seq();
        if (endedBefore && (head == null || head.seq() <= reached.seq())) {
            return new Intact(reached);
        }
        for (PolicyEvent row : news) {
            String hash = named.remove(row.seq());
            if (hash != null && !hash.equals(row.hash())) {
                return new Broken(row.seq(), "The row is not the one that a head named before.");
            }
        }
        isEnd = page.nextCursor() == null;
        if (head == null) {
            return new Intact(reached);
        }
        ChainVerdict verdict = verifier.headOnTheWay(reached, head);
        if (!verdict.isIntact()) {
            return verdict;
        }
        SignedHead before = lastHead;
        lastHead = head;
        highestHead = highestHead == null || head.seq() > highestHead.seq() ? head : highestHead;
        if (before != null && head.seq() < before.seq() && !head.issuedAt().isBefore(before.issuedAt())) {
            return new Broken(head.seq() + 1, "The chain ends here, but a head before named a later row.");
        }
        String other = head.seq() > reached.seq() ? named.put(head.seq(), head.hash()) : null;
        return other == null || other.equals(head.hash())
                ? verdict
                : new Broken(head.seq(), "Two heads name two rows for this place; keep both, they prove it.");
    }

    private ChainVerdict end(ChainPoint reached, Instant issuedSince) {
        if (lastSeen > 0 && lastSeen < reached.seq()) {
            return new Broken(lastSeen + 1, "The chain ends here, but was longer when it was verified before.");
        }
        ChainVerdict verdict = verifier.end(reached);
        SignedHead last = lastHead;
        SignedHead highest = highestHead;
        if (last == null || highest == null) {
            return verdict;
        }
        return verdict.then(to -> isEnd ? verifier.reaches(to, highest) : new Intact(to))
                .then(to -> verifier.head(to, last, issuedSince));
    }
}
