package dev.agentpolicy.app.verify;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.chain.ChainPoint;
import dev.agentpolicy.domain.event.chain.ChainVerdict;
import dev.agentpolicy.domain.event.chain.ChainVerdict.Broken;
import dev.agentpolicy.domain.event.chain.ChainVerdict.Intact;
import dev.agentpolicy.domain.event.chain.ChainVerifier;
import dev.agentpolicy.domain.event.chain.PolicyEvent;
import dev.agentpolicy.domain.event.chain.SignedHead;
import dev.agentpolicy.domain.event.recompute.Recomputation;
import dev.agentpolicy.domain.event.recompute.SignedAcceptances;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One pass over the pages of a chain, with one page at a time in memory. */
final class Verification {
    private final ChainVerifier verifier;
    private final Function<UserId, ChainPoint> start;
    private final @Nullable Recomputation recomputation;
    private final Progress progress;
    private final PageHeads heads;
    private @Nullable SignedAcceptances acceptances;
    private @Nullable ChainPoint started;
    private @Nullable String firstKeyId;
    private long lastSeen;

    /**
     * A pass.
     *
     * @param start where to begin, given whose chain it is
     * @param recomputation decides the decisions again; null to leave that out
     */
    Verification(
            ChainVerifier verifier,
            Function<UserId, ChainPoint> start,
            @Nullable Recomputation recomputation,
            Progress progress) {
        this.verifier = verifier;
        this.start = start;
        this.recomputation = recomputation;
        this.progress = progress;
        this.heads = new PageHeads(verifier);
    }

    /** @param issuedSince the oldest head that is fresh enough */
    ChainVerdict of(Pages pages, Instant issuedSince) throws IOException, InterruptedException {
        ChainVerdict verdict = null;
        for (Page page = pages.next(); page != null; page = pages.next()) {
            Page present = page;
            ChainVerdict before = verdict == null ? begin(present) : verdict;
            verdict = before.then(point -> page(point, present));
            if (!verdict.isIntact()) {
                return verdict;
            }
        }
        if (verdict == null) {
            throw new CannotVerify("There is no page to verify.");
        }
        return verdict.then(this::seenAgain).then(verifier::end).then(reached -> head(reached, issuedSince));
    }

    /** Starts at the first page, or at the end of an earlier verification. */
    private ChainVerdict begin(Page first) {
        UserId owner = first.rows().isEmpty()
                ? first.head() == null ? null : first.head().userId()
                : first.rows().get(0).userId();
        if (owner == null) {
            return first.unreadable() == null
                    ? new Broken(1, "There is neither a row nor a head.")
                    : new Broken(1, first.unreadable());
        }
        ChainPoint point = start.apply(owner);
        started = point;
        acceptances = new SignedAcceptances(point.seq() == 0);
        return new Intact(point);
    }

    private ChainVerdict page(ChainPoint point, Page page) {
        List<PolicyEvent> news = news(page.rows());
        PolicyEvent known = started == null ? null : known(page.rows(), started);
        if (known != null) {
            return new Broken(known.seq(), "The row is not the one that was verified before.");
        }
        ChainVerdict verdict = verifier.rows(point, news, page.erasures());
        verdict = verdict.then(reached -> begun(point, reached, news));
        verdict = verdict.then(reached -> signed(reached, news));
        verdict = verdict.then(reached -> recomputed(reached, news));
        String unreadable = page.unreadable();
        if (unreadable != null) {
            return verdict.then(reached -> new Broken(reached.seq() + 1, unreadable));
        }
        return verdict.then(reached -> headed(reached, news, page)).then(reached -> {
            SignedHead head = heads.last();
            progress.at(reached.seq(), news.size(), head == null ? 0 : head.seq());
            return new Intact(reached);
        });
    }

    /** The key that signed the first row, once that row was verified in this pass. */
    @Nullable
    String firstKeyId() {
        return firstKeyId;
    }

    /** The latest row that a head names, 0 if there is no head. */
    long named() {
        SignedHead highest = heads.highest();
        return highest == null ? 0 : highest.seq();
    }

    private ChainVerdict begun(ChainPoint point, ChainPoint reached, List<PolicyEvent> news) {
        if (point.seq() == 0 && !news.isEmpty()) {
            firstKeyId = news.get(0).signingKeyId();
        }
        return new Intact(reached);
    }

    /** The head of a page that ends before an earlier verification did was looked at then, unless it names a later row. */
    private ChainVerdict headed(ChainPoint reached, List<PolicyEvent> news, Page page) {
        SignedHead head = page.head();
        boolean isKnown = news.isEmpty() && !page.rows().isEmpty() && lastSeen < reached.seq();
        return isKnown && (head == null || head.seq() <= reached.seq())
                ? new Intact(reached)
                : heads.page(reached, news, page);
    }

    /** Rows up to where an earlier verification ended are not looked at again. */
    private List<PolicyEvent> news(List<PolicyEvent> rows) {
        if (!rows.isEmpty()) {
            lastSeen = rows.get(rows.size() - 1).seq();
        }
        ChainPoint from = started;
        if (from == null || from.seq() == 0 || rows.isEmpty() || rows.get(0).seq() > from.seq()) {
            return rows;
        }
        return rows.stream().filter(row -> row.seq() > from.seq()).toList();
    }

    private static @Nullable PolicyEvent known(List<PolicyEvent> rows, ChainPoint from) {
        return rows.stream()
                .filter(row -> row.seq() == from.seq() && !row.hash().equals(from.hash()))
                .findFirst()
                .orElse(null);
    }

    private ChainVerdict seenAgain(ChainPoint reached) {
        boolean isShorter = lastSeen > 0 && lastSeen < reached.seq();
        return isShorter
                ? new Broken(lastSeen + 1, "The chain ends here, but was longer when it was verified before.")
                : new Intact(reached);
    }

    /** The acceptances that were signed with passkeys; null before the first page. */
    @Nullable
    SignedAcceptances acceptances() {
        return acceptances;
    }

    private ChainVerdict signed(ChainPoint reached, List<PolicyEvent> rows) {
        SignedAcceptances checked = acceptances;
        if (checked == null) {
            return new Intact(reached);
        }
        for (PolicyEvent row : rows) {
            Optional<Recomputation.Difference> difference = checked.row(row);
            if (difference.isPresent()) {
                return new Broken(difference.get().seq(), difference.get().what());
            }
        }
        return new Intact(reached);
    }

    private ChainVerdict recomputed(ChainPoint reached, List<PolicyEvent> rows) {
        if (recomputation == null) {
            return new Intact(reached);
        }
        for (PolicyEvent row : rows) {
            Optional<Recomputation.Difference> difference = recomputation.row(row);
            if (difference.isPresent()) {
                return new Broken(difference.get().seq(), difference.get().what());
            }
        }
        return new Intact(reached);
    }

    private ChainVerdict head(ChainPoint reached, Instant issuedSince) {
        SignedHead last = heads.last();
        SignedHead highest = heads.highest();
        if (last == null || highest == null) {
            return new Intact(reached);
        }
        ChainVerdict whole = heads.isEnd() ? verifier.reaches(reached, highest) : new Intact(reached);
        return whole.then(to -> verifier.head(to, last, issuedSince));
    }
}
