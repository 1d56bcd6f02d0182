package dev.agentpolicy.app.tlog;

import dev.agentpolicy.adapter.jdbc.log.Chains;
import dev.agentpolicy.app.config.CannotStart;
import dev.agentpolicy.app.config.Config;
import dev.agentpolicy.app.guard.Scheduler;
import dev.agentpolicy.domain.account.Unavailable;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.document.Instants;
import dev.agentpolicy.domain.event.chain.ChainHead;
import dev.agentpolicy.domain.event.tlog.ChainLeaf;
import dev.agentpolicy.domain.event.tlog.Checkpoint;
import dev.agentpolicy.domain.event.tlog.LogStatus.Stop;
import dev.agentpolicy.domain.event.tlog.LogTree;
import dev.agentpolicy.domain.event.tlog.SignedNote;
import dev.agentpolicy.domain.event.tlog.Tile;
import dev.agentpolicy.domain.event.tlog.Tile.TileWriter;
import dev.agentpolicy.domain.event.tlog.VerifierKey;
import dev.agentpolicy.domain.port.EventSigner;
import dev.agentpolicy.domain.port.TransparencyLog;
import dev.agentpolicy.domain.port.TransparencyLog.State;
import dev.agentpolicy.domain.port.TransparencyLog.WaitingRow;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts the rows of chains into the transparency log and publishes it (docs/witnessing.md).
 *
 * <h2>From a row to a checkpoint</h2>
 *
 * A commit only notes the new end of its chain in memory. Once a second every node writes these ends into the database,
 * where they wait. One node, which has the lease, gives waiting rows their entries, in one transaction with the tiles that
 * grow, then records size and root beside the recorded heads, signs the checkpoint and publishes it. Then it asks the
 * witnesses, and publishes the checkpoint again with their cosignatures.
 *
 * <h2>What is never lost, and never signed</h2>
 *
 * The ends that a killed node had in memory are found by comparing all chains with the log, when a node takes it over and
 * every ten minutes; if that fails, again after a minute. A node that lost the lease without noticing appends nothing, since
 * the one after it raised the fence in the row of the log that every append changes. Before anything is signed, the tree of the database must begin with the
 * last published and the last recorded one; otherwise the database went back, and the log is stopped for ever.
 */
public final class LogSequencer implements Consumer<ChainHead>, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LogSequencer.class);
    private static final String LEASE = "tlog";
    private static final Duration LEASED = Duration.ofSeconds(8);
    private static final Duration PROLONGED = Duration.ofSeconds(3);
    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final Duration SWEPT = Duration.ofMinutes(10);
    private static final Duration SWEEP_RETRY = Duration.ofMinutes(1);
    private static final int MAX_ROWS = 10_000;
    /** Ends beyond these are found by the sweep. */
    private static final int MAX_NOTED = 100_000;

    private final TransparencyLog log;
    private final Chains chains;
    private final Signing signing;
    private final Optional<SignedSize> recorded;
    private final Optional<Witnesses> witnesses;
    private final InstantSource clock;
    private final BooleanSupplier mayRun;
    private final UUID node;
    private final Map<UserId, ChainHead> noted = new ConcurrentHashMap<>();
    private final Scheduler thread = new Scheduler("tlog");
    private Instant leasedUntil = Instant.EPOCH;
    private Instant sweepAt = Instant.MIN;
    private @Nullable Term term;
    private volatile long published;
    private volatile int cosignatures;
    private volatile boolean isStopped;

    /**
     * What signs the log.
     *
     * @param signer the active key of the log
     * @param x its public key, base64url
     */
    public record Signing(EventSigner signer, String x) {}

    /** The time in which this node has the log. */
    private record Term(State state, VerifierKey key) {}

    /**
     * Opens the log, whose origin is fixed at its first use.
     *
     * @param directory POLICY_STATE_DIR; empty if nothing is recorded of the database
     * @param witnesses who cosign; empty if nobody is asked
     * @param mayRun whether the clock is trusted
     * @throws CannotStart when the log has another origin than a setting says
     */
    public LogSequencer(
            TransparencyLog log,
            Chains chains,
            Signing signing,
            Config.LogSettings settings,
            Optional<SignedSizes> directory,
            Optional<Witnesses> witnesses,
            InstantSource clock,
            BooleanSupplier mayRun,
            UUID node) {
        this.log = log;
        this.chains = chains;
        this.signing = signing;
        this.recorded = directory.map(it -> new SignedSize(it.directory(), it.installation()));
        this.witnesses = witnesses;
        this.clock = clock;
        this.mayRun = mayRun;
        this.node = node;
        State state = log.open(settings.originForNew(), signing.signer().keyId());
        settings.origin().filter(it -> !it.equals(state.origin())).ifPresent(other -> {
            throw new CannotStart("The transparency log of this database has the origin " + state.origin()
                    + ", which readers and witnesses know it by; set POLICY_TLOG_ORIGIN to it, or leave it empty.");
        });
        note(state);
    }

    /** Where and of which installation sizes are recorded. */
    public record SignedSizes(Path directory, UUID installation) {}

    /** Begins to work in the background. */
    public void begin() {
        thread.repeat("Writing the transparency log", Duration.ZERO, PAUSE, this::round);
    }

    /** Notes the new end of a chain. Does not block. */
    @Override
    public void accept(ChainHead head) {
        if (noted.size() < MAX_NOTED || noted.containsKey(head.userId())) {
            noted.put(head.userId(), head);
        }
    }

    /** The number of entries that are published. */
    public long published() {
        return published;
    }

    /** How many witnesses have cosigned the checkpoint that is published. */
    public int cosignatures() {
        return cosignatures;
    }

    /** How often a witness did not cosign what it was asked to. */
    public long witnessErrors() {
        return witnesses.map(Witnesses::errors).orElse(0L);
    }

    /** Whether nothing is signed any more. */
    public boolean isStopped() {
        return isStopped;
    }

    private void note(State state) {
        published = state.published();
        isStopped = state.stopped() != null;
        SignedNote checkpoint = state.checkpoint();
        cosignatures = checkpoint == null ? 0 : checkpoint.signatures().size() - 1;
    }

    void round() {
        if (!mayRun.getAsBoolean()) {
            return;
        }
        List<ChainHead> ends = new ArrayList<>(noted.values());
        log.add(ends);
        ends.forEach(head -> noted.remove(head.userId(), head));
        if (!hasLease()) {
            term = null;
            log.state().ifPresent(this::note);
            return;
        }
        Term current = term == null ? begun() : term;
        term = current;
        if (current == null) {
            return;
        }
        term = witnessed(published(sequenced(current)));
        if (!clock.instant().isBefore(sweepAt)) {
            sweepAt = clock.instant().plus(addForgotten() ? SWEPT : SWEEP_RETRY);
        }
    }

    /** Returns false if a part of the database is away. Rows that already wait get their entries all the same. */
    private boolean addForgotten() {
        try {
            log.addForgotten();
            return true;
        } catch (Unavailable away) {
            LOG.warn(
                    "The chains could not be compared with the transparency log; trying again in a minute: {}",
                    away.getMessage());
            return false;
        }
    }

    private boolean hasLease() {
        Instant now = clock.instant();
        if (leasedUntil.minus(LEASED).plus(PROLONGED).isAfter(now)) {
            return true;
        }
        boolean isLeased = chains.lease(LEASE, node, now, LEASED);
        leasedUntil = isLeased ? now.plus(LEASED) : Instant.EPOCH;
        return isLeased;
    }

    /** Takes the log over; null when nothing may be signed. */
    private @Nullable Term begun() {
        State state = log.takeOver();
        note(state);
        if (state.stopped() != null) {
            return null;
        }
        if (!state.keyId().equals(signing.signer().keyId())) {
            LOG.warn("The transparency log has a new key; restart this node to have it write the log again");
            return null;
        }
        sweepAt = Instant.MIN;
        // Before anything is signed: a witness may know of more than the database does.
        return witnessed(new Term(state, VerifierKey.of(state.origin(), VerifierKey.ED25519, signing.x())));
    }

    /** Has the published checkpoint cosigned, and publishes it again with the cosignatures that came in time. */
    private @Nullable Term witnessed(@Nullable Term current) {
        SignedNote note = current == null ? null : current.state().checkpoint();
        Witnesses all = witnesses.orElse(null);
        if (current == null || note == null || all == null || !all.isOpen(note)) {
            return current;
        }
        State state = current.state();
        Witnesses.Outcome outcome =
                all.ask(note, new Witnesses.Own(current.key(), state.size(), size -> Tile.tree(size, this::tile)));
        if (outcome.contradiction().isPresent()) {
            return stopped(state, outcome.contradiction().get());
        }
        if (outcome.note().equals(note)) {
            return current;
        }
        return publish(state, state.published(), outcome.note()) ? continued(current) : null;
    }

    private @Nullable Term stopped(State state, String why) {
        log.stop(state, new Stop(why, Instants.truncated(clock.instant())));
        isStopped = true;
        LOG.error("The transparency log is stopped, and decisions go on: {}", why);
        return null;
    }

    private @Nullable Term sequenced(Term current) {
        State state = current.state();
        List<WaitingRow> rows = log.waiting(MAX_ROWS);
        if (rows.isEmpty()) {
            return current;
        }
        TileWriter writer = new TileWriter(state.size(), this::tile);
        Map<WaitingRow, Long> places = new LinkedHashMap<>();
        for (WaitingRow row : rows) {
            ChainLeaf leaf = ChainLeaf.of(row.secret(), row.seq(), row.hash());
            places.put(row, writer.append(leaf.entry()));
        }
        return log.append(state, places, writer) ? continued(current) : null;
    }

    private byte[] tile(Tile tile) {
        return log.tile(tile).orElseThrow(() -> new IllegalStateException("The log lacks " + tile + "."));
    }

    private @Nullable Term published(@Nullable Term current) {
        if (current == null) {
            return null;
        }
        State state = current.state();
        SignedNote last = state.checkpoint();
        if (last != null && state.published() == state.size()) {
            return current;
        }
        LogTree tree = Tile.tree(state.size(), this::tile);
        Optional<String> other = contradiction(state, tree);
        if (other.isPresent()) {
            return stopped(state, other.get());
        }
        Checkpoint checkpoint = Checkpoint.of(state.origin(), tree);
        recorded.ifPresent(it -> it.record(checkpoint));
        String text = checkpoint.text();
        SignedNote note =
                new SignedNote(text, List.of(current.key().sign(text, clock.instant(), signing.signer()::sign)));
        return publish(state, state.size(), note) ? continued(current) : null;
    }

    private boolean publish(State state, long size, SignedNote note) {
        Map<String, Instant> uncosigned =
                witnesses.map(it -> it.uncosigned(note, state.uncosigned())).orElse(Map.of());
        return log.publish(state, size, note, uncosigned);
    }

    /** The same term with the log as it is now; null if another node took it over. */
    private @Nullable Term continued(Term current) {
        return log.state()
                .filter(it -> it.fence() == current.state().fence())
                .map(it -> {
                    note(it);
                    return new Term(it, current.key());
                })
                .orElse(null);
    }

    /** What was published or recorded and is not the beginning of the tree; empty if all is. */
    private Optional<String> contradiction(State state, LogTree tree) {
        Optional<Checkpoint> before = Optional.ofNullable(state.checkpoint())
                .map(note -> Checkpoint.read(note.text()).orElseThrow());
        if (before.isPresent() && !isBeginning(before.get(), tree)) {
            return Optional.of("the database does not begin with its published checkpoint of "
                    + before.get().size() + " entries.");
        }
        return recorded.flatMap(it -> it.of(state.origin()))
                .filter(it -> !isBeginning(it, tree))
                .map(it -> "the database has " + tree.size() + " entries, and not the history of the " + it.size()
                        + " that were signed; it was probably put back to an older state.");
    }

    private boolean isBeginning(Checkpoint signed, LogTree tree) {
        return signed.size() <= tree.size()
                && Checkpoint.of(signed.origin(), Tile.tree(signed.size(), this::tile))
                        .equals(signed);
    }

    /** Has the ends that are noted wait in the database, and lets another node write the log. */
    @Override
    public void close() {
        thread.close();
        witnesses.ifPresent(Witnesses::close);
        Scheduler.attempt("Noting the ends of chains for the transparency log", () -> {
            log.add(new ArrayList<>(noted.values()));
            chains.release(LEASE, node);
        });
    }
}
