package dev.agentpolicy.app.anchor;

import dev.agentpolicy.app.guard.MissingRows;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Stored;
import dev.agentpolicy.domain.event.anchor.AnchorNote;
import dev.agentpolicy.domain.event.canonical.CanonicalForm;
import dev.agentpolicy.domain.event.chain.ChainHead;
import java.util.Iterator;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Compares the chains of a database with the leaves of an anchor in one pass; both are sorted by user. */
final class AnchorComparison {
    private final String salt;
    private final Iterator<String> leaves;
    private final BiFunction<UserId, Long, Optional<String>> hashAt;
    private @Nullable String leaf;
    private final MissingRows missing = new MissingRows();

    AnchorComparison(String salt, Iterator<String> leaves, BiFunction<UserId, Long, Optional<String>> hashAt) {
        this.salt = salt;
        this.leaves = leaves;
        this.hashAt = hashAt;
        advance();
    }

    /** The next chain of the database; one that is in no leaf is younger than the anchor. */
    void take(ChainHead head) {
        Document anchored = leaf == null ? null : CanonicalForm.read(leaf);
        Document present = CanonicalForm.read(AnchorNote.leaf(salt, head));
        if (anchored == null || !Objects.equals(anchored.get("c"), present.get("c"))) {
            return;
        }
        long seq = new Stored(anchored).integer("seq");
        String hash = new Stored(anchored).text("hash");
        if (head.seq() < seq) {
            missing.lacks(seq - head.seq());
        } else if (!hash.equals(
                head.seq() == seq
                        ? head.hash()
                        : hashAt.apply(head.userId(), seq).orElse(""))) {
            missing.differs();
        }
        advance();
    }

    /** A sentence about missing or different rows; empty if there are none. */
    Optional<String> end() {
        if (leaf != null) {
            return Optional.of("a chain that was there is gone altogether.");
        }
        return missing.sentence("the anchor has");
    }

    private void advance() {
        leaf = leaves.hasNext() ? leaves.next() : null;
    }
}
