package dev.agentpolicy.app.verify;

import dev.agentpolicy.domain.event.chain.ChainPoint;
import dev.agentpolicy.domain.event.chain.ChainVerdict;
import dev.agentpolicy.domain.event.chain.ChainVerdict.Broken;
import dev.agentpolicy.domain.event.chain.ChainVerdict.Intact;
import dev.agentpolicy.domain.event.chain.ChainVerifier;
import dev.agentpolicy.domain.event.chain.PolicyEvent;
import dev.agentpolicy.domain.event.chain.SignedHead;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The heads of the pages of a chain. Each must be signed, and each must name a row of the chain. */
final class PageHeads {
    private final ChainVerifier verifier;
    private final Map<Long, String> named = new HashMap<>();
    private @Nullable SignedHead last;
    private @Nullable SignedHead highest;
    private boolean isEnd;

    PageHeads(ChainVerifier verifier) {
        this.verifier = verifier;
    }

    /** The head of the last page that had one. */
    @Nullable
    SignedHead last() {
        return last;
    }

    /** The head that names the latest row. */
    @Nullable
    SignedHead highest() {
        return highest;
    }

    /** Whether the last page had no cursor of a next page, so that every row must be there that a head names. */
    boolean isEnd() {
        return isEnd;
    }

    /**
     * Takes note of a page whose rows were verified up to a point.
     *
     * @param rows those of the page that no earlier verification has seen
     */
    ChainVerdict page(ChainPoint reached, List<PolicyEvent> rows, Page page) {
        for (PolicyEvent row : rows) {
            String hash = named.remove(row.seq());
            if (hash != null && !hash.equals(row.hash())) {
                return new Broken(row.seq(), "The row is not the one that a head named before.");
            }
        }
        isEnd = page.nextCursor() == null;
        SignedHead head = page.head();
        if (head == null) {
            return new Intact(reached);
        }
        return verifier.headOnTheWay(reached, head).then(to -> later(to, head));
    }

    private ChainVerdict later(ChainPoint reached, SignedHead head) {
        SignedHead before = last;
        last = head;
        highest = highest == null || head.seq() > highest.seq() ? head : highest;
        if (before != null && head.seq() < before.seq() && !head.issuedAt().isBefore(before.issuedAt())) {
            return new Broken(head.seq() + 1, "The chain ends here, but a head before named a later row.");
        }
        String other = head.seq() > reached.seq() ? named.put(head.seq(), head.hash()) : null;
        return other == null || other.equals(head.hash())
                ? new Intact(reached)
                : new Broken(head.seq(), "Two heads name two rows for this place; keep both, they prove it.");
    }
}
