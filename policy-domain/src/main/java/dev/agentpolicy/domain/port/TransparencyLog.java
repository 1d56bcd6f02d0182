package dev.agentpolicy.domain.port;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.chain.ChainHead;
import dev.agentpolicy.domain.event.tlog.LogStatus.Stop;
import dev.agentpolicy.domain.event.tlog.SignedNote;
import dev.agentpolicy.domain.event.tlog.Tile;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The stored transparency log: its tiles, the rows of chains that are in it or wait for it, and what is published. One
 * node at a time appends to it, the one that took it over last. All methods block.
 */
public interface TransparencyLog {

    /**
     * The log as it is stored.
     *
     * @param number 1 for the first log of the service, 2 for the one that replaced it, and so on
     * @param origin its identity
     * @param keyId the key that signs its checkpoints
     * @param fence grows whenever a node takes the log over
     * @param size the number of entries
     * @param checkpoint the last published one, with its signatures; null before the first
     * @param published the number of entries of that checkpoint
     * @param uncosigned the witnesses that have not cosigned that checkpoint, by the text of their key, each since when
     * @param stopped null while the log is signed
     */
    record State(
            int number,
            String origin,
            String keyId,
            long fence,
            long size,
            @Nullable SignedNote checkpoint,
            long published,
            Map<String, Instant> uncosigned,
            @Nullable Stop stopped) {}

    /**
     * A row that waits for its entry.
     *
     * @param secret of the account, 32 bytes
     */
    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    record WaitingRow(UserId user, long seq, String hash, byte[] secret) {}

    /** Where a row of a chain is in the log. */
    record Place(long seq, long index) {}

    /** The log in use; empty before the first. */
    Optional<State> state();

    /** Begins the first log if there is none. */
    State open(String origin, String keyId);

    /**
     * Ends the log in use, and begins one with another key and origin. Every chain is logged anew.
     *
     * @return false if another log is in use than the given one
     */
    boolean replace(State ended, String origin, String keyId);

    /** Makes the caller the only one that can append and publish. */
    State takeOver();

    /** Has rows wait for their entries; those that wait or are in the log, and those of deleted accounts, are left out. */
    void add(Collection<ChainHead> heads);

    /** Has the ends of all chains wait that memory forgot, but for those of deleted accounts. Answers how many. */
    int addForgotten();

    /**
     * Rows that wait, and with them each row whose seq is a multiple of 256 that comes before them and is not in the log. An
     * account without a secret gets one, unless it was deleted. A row that is not in its chain is warned of once, and waits no more.
     * Rows of users whose part of the database is away are left out, and wait.
     */
    List<WaitingRow> waiting(int limit);

    /**
     * Appends entries.
     *
     * @param state as it was before
     * @param rows with the index of each
     * @return false if another node took the log over
     */
    boolean append(State state, Map<WaitingRow, Long> rows, Tile.TileWriter grown);

    /**
     * Publishes a checkpoint of some size, unless a larger one is, or another node took the log over; then false.
     *
     * @param uncosigned the witnesses that have not cosigned it, as in {@link State}
     */
    boolean publish(State state, long size, SignedNote checkpoint, Map<String, Instant> uncosigned);

    /** Marks the log as one that signs nothing any more. */
    void stop(State state, Stop stop);

    /** The bytes of a tile of the log in use; empty if it has no such tile. */
    Optional<byte[]> tile(Tile tile);

    /** The first row from a given one on that is in the log; empty if none is yet. */
    Optional<Place> covering(UserId user, long seq);

    /** The secret of an account; empty before anything of it was logged. */
    Optional<byte[]> secret(UserId user);
}
