package dev.agentpolicy.app.anchor;

import dev.agentpolicy.adapter.jdbc.JdbcStore;
import dev.agentpolicy.adapter.signing.TinkSignatureCheck;
import dev.agentpolicy.app.anchor.AnchorFiles.Last;
import dev.agentpolicy.app.config.CannotStart;
import dev.agentpolicy.app.config.Config;
import dev.agentpolicy.app.guard.MissingRows;
import dev.agentpolicy.app.security.GuardedSigner;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Sha256;
import dev.agentpolicy.domain.document.Stored;
import dev.agentpolicy.domain.event.anchor.AnchorNote;
import dev.agentpolicy.domain.event.anchor.MerkleTree;
import dev.agentpolicy.domain.event.canonical.CanonicalForm;
import dev.agentpolicy.domain.event.chain.ChainHead;
import dev.agentpolicy.domain.event.signing.SignatureCheck;
import dev.agentpolicy.domain.event.signing.SigningKey;
import dev.agentpolicy.domain.event.signing.SigningKey.Purpose;
import dev.agentpolicy.domain.port.EventSigner;
import dev.agentpolicy.domain.port.RandomSource;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Iterator;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Records the heads of all chains outside of the database, and refuses a database that is behind the newest record. */
public final class Anchors implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Anchors.class);
    private static final String LEASE = "anchor";
    private static final Duration LEASED = Duration.ofMinutes(3);
    private static final int SALT_BYTES = 16;
    private static final String BEHIND = "The database has gone back behind what was anchored; nothing is added to it.";

    private final AnchorFiles files;
    private final long override;
    private final JdbcStore store;
    private final EventSigner signer;
    private final SignatureCheck check = new TinkSignatureCheck();
    private final InstantSource clock;
    private final String salt;
    private final UUID node;
    private volatile boolean hasWritten;
    private volatile boolean isBehind;
    private volatile boolean isOverridden;

    public Anchors(
            Config.Anchoring anchoring, JdbcStore store, EventSigner signer, InstantSource clock, RandomSource random) {
        this.files = new AnchorFiles(anchoring.directory());
        this.override = anchoring.override();
        this.store = store;
        this.signer = signer;
        this.clock = clock;
        files.last();
        this.salt = files.salt(() -> random.bytes(SALT_BYTES));
        this.node = random.uuid();
    }

    /**
     * Compares the database with the last anchor; to be done before anything is appended.
     *
     * @throws CannotStart when it lacks rows that are in the anchor, and no override names this anchor
     */
    public void requireNotBehind() {
        Last last = files.last();
        if (last == null) {
            return;
        }
        requireSigned(last);
        Optional<String> behind = behind(last.note());
        long number = last.note().number();
        isOverridden = behind.isPresent() && override == number;
        isBehind = behind.isPresent() && !isOverridden;
        if (isBehind) {
            throw new CannotStart("The database is behind anchor " + number + " of "
                    + last.note().issuedAt() + ": " + behind.get()
                    + " It was probably restored from a backup. Restore a newer one; or, to go on and leave those rows"
                    + " out of the history for ever, start once with POLICY_ANCHOR_OVERRIDE=" + number + ".");
        }
        behind.ifPresent(lacks -> LOG.warn(
                "The database is behind anchor {} and goes on all the same, as it was told to: {}", number, lacks));
    }

    /** Whether the database was found behind, and goes on as the operator said so. */
    public boolean isOverridden() {
        return isOverridden;
    }

    /** The same signer, which signs nothing for as long as the database is known to have gone back under this node. */
    public EventSigner guarding(EventSigner events) {
        return new GuardedSigner(events, () -> isBehind ? Optional.of(BEHIND) : Optional.empty());
    }

    /**
     * One anchor, if it is time for one and no other node looks after them; to be called more often than leases end. A
     * database that has gone back since the last one is not anchored. While no anchor comes from the node that should
     * write it, the others compare for themselves.
     *
     * @param pause between two; the first of a process comes at once
     * @return how many chains are in it, 0 when there is none
     */
    public int write(Duration pause) {
        boolean isWriter = isWriter();
        Last last = files.last();
        Duration patience = isWriter ? pause : pause.plus(LEASED);
        boolean isYoung =
                last != null && clock.instant().isBefore(last.note().issuedAt().plus(patience));
        if (isYoung && !isBehind && (hasWritten || !isWriter)) {
            return 0;
        }
        requireNotBehind();
        return isWriter ? write(last) : 0;
    }

    private int write(@Nullable Last last) {
        MerkleTree tree = MerkleTree.empty();
        try (BufferedWriter leaves = files.draft(node)) {
            store.chains().each(head -> {
                String leaf = AnchorNote.leaf(salt, head);
                tree.add(leaf);
                write(leaves, leaf);
            });
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        AnchorNote note = new AnchorNote(
                last == null ? 1 : last.note().number() + 1,
                tree.size(),
                AnchorNote.root(tree),
                clock.instant(),
                last == null ? ChainHead.GENESIS_HASH : Sha256.hex(last.text()));
        if (!isWriter()) {
            return 0;
        }
        files.publish(node, note, note.signed(key().x(), signer::sign));
        hasWritten = true;
        return Math.toIntExact(Math.min(Integer.MAX_VALUE, tree.size()));
    }

    /** Whether this node has the lease, which is then prolonged. */
    private boolean isWriter() {
        return store.chains().lease(LEASE, node, clock.instant(), LEASED);
    }

    /** Lets another node look after the anchors. */
    @Override
    public void close() {
        store.chains().release(LEASE, node);
    }

    private SigningKey key() {
        return store.sealedKeys().all().stream()
                .filter(key -> key.kid().equals(signer.keyId()))
                .findFirst()
                .orElseThrow();
    }

    private void requireSigned(Last last) {
        MerkleTree tree = MerkleTree.empty();
        try (BufferedReader leaves = files.leaves(last.note().number())) {
            leaves.lines().forEach(tree::add);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        boolean isWhole = tree.size() == last.note().size()
                && AnchorNote.root(tree).equals(last.note().root());
        boolean isSigned = store.sealedKeys().all().stream()
                .filter(key -> key.purpose() == Purpose.ANCHOR)
                .anyMatch(key -> last.note().isSigned(last.text(), key.x(), check));
        if (!isWhole || !isSigned) {
            throw new CannotStart("Anchor " + last.note().number() + " is damaged, or is not of this database; fetch it"
                    + " again from where it is kept, or set POLICY_ANCHOR_DIR to the right directory.");
        }
    }

    /** What the database lacks. Both sides are in the order of users, so that they are read side by side. */
    private Optional<String> behind(AnchorNote note) {
        try (BufferedReader leaves = files.leaves(note.number())) {
            AnchorComparison comparison =
                    new AnchorComparison(salt, leaves.lines().iterator(), store.chains()::hashAt);
            store.chains().each(comparison::take);
            return comparison.end();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static void write(BufferedWriter out, String leaf) {
        try {
            out.write(leaf);
            out.write('\n');
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** Compares the chains of a database with the leaves of an anchor in one pass; both are sorted by user. */
    private static final class AnchorComparison {
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
}
