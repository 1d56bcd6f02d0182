package dev.agentpolicy.adapter.http.wire;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.TestKey;
import dev.agentpolicy.domain.event.chain.ChainHead;
import dev.agentpolicy.domain.event.tlog.Checkpoint;
import dev.agentpolicy.domain.event.tlog.LogStatus.Stop;
import dev.agentpolicy.domain.event.tlog.SignedNote;
import dev.agentpolicy.domain.event.tlog.Tile;
import dev.agentpolicy.domain.event.tlog.Tile.TileWriter;
import dev.agentpolicy.domain.event.tlog.VerifierKey;
import dev.agentpolicy.domain.port.TransparencyLog;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A published log with one entry, of which every row is said to have it. Nothing can be added. */
final class OneEntryLog implements TransparencyLog {
    private static final String ORIGIN = "example.com/tlog";
    private static final VerifierKey KEY = VerifierKey.of(ORIGIN, VerifierKey.ED25519, TestKey.ONE.x());

    private final TileWriter writer = new TileWriter(0, tile -> new byte[0]);
    private final SignedNote checkpoint;

    OneEntryLog() {
        writer.append(new byte[64]);
        String text = Checkpoint.of(ORIGIN, writer.tree()).text();
        checkpoint = new SignedNote(text, List.of(KEY.sign(text, Instant.EPOCH, TestKey.ONE::sign)));
    }

    @Override
    public Optional<State> state() {
        return Optional.of(new State(1, ORIGIN, TestKey.ONE.keyId(), 1, 1, checkpoint, 1, Map.of(), null));
    }

    @Override
    public Optional<byte[]> tile(Tile tile) {
        return Optional.ofNullable(writer.grown().get(tile));
    }

    @Override
    public Optional<Place> covering(UserId user, long seq) {
        return Optional.of(new Place(seq, 0));
    }

    @Override
    public Optional<byte[]> secret(UserId user) {
        return Optional.of(new byte[32]);
    }

    @Override
    public State open(String origin, String keyId) {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean replace(State ended, String origin, String keyId) {
        throw new UnsupportedOperationException();
    }

    @Override
    public State takeOver() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void add(Collection<ChainHead> heads) {
        throw new UnsupportedOperationException();
    }

    @Override
    public int addForgotten() {
        throw new UnsupportedOperationException();
    }

    @Override
    public List<WaitingRow> waiting(int limit) {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean append(State state, Map<WaitingRow, Long> rows, TileWriter grown) {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean publish(State state, long size, SignedNote note, Map<String, Instant> uncosigned) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void stop(State state, Stop stop) {
        throw new UnsupportedOperationException();
    }
}
