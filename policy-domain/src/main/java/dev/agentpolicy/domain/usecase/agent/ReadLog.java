package dev.agentpolicy.domain.usecase.agent;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.canonical.Base64Url;
import dev.agentpolicy.domain.event.chain.LoggedRows;
import dev.agentpolicy.domain.event.chain.PolicyEvent;
import dev.agentpolicy.domain.event.page.EventQuery;
import dev.agentpolicy.domain.event.signing.SigningKey;
import dev.agentpolicy.domain.event.tlog.ChainLeaf;
import dev.agentpolicy.domain.event.tlog.LogPolicy;
import dev.agentpolicy.domain.event.tlog.LogProof;
import dev.agentpolicy.domain.event.tlog.LogStatus;
import dev.agentpolicy.domain.event.tlog.SignedNote;
import dev.agentpolicy.domain.event.tlog.Tile;
import dev.agentpolicy.domain.event.tlog.Tile.Slice;
import dev.agentpolicy.domain.event.tlog.VerifierKey;
import dev.agentpolicy.domain.port.EventLog;
import dev.agentpolicy.domain.port.TransparencyLog;
import dev.agentpolicy.domain.port.TransparencyLog.Place;
import dev.agentpolicy.domain.port.TransparencyLog.State;
import dev.agentpolicy.domain.usecase.Answer;
import dev.agentpolicy.domain.usecase.Refusal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Reads the transparency log (docs/witnessing.md). All methods block.
 *
 * @param log empty where none is kept, and for the sandbox
 * @param events the chains whose rows are in it
 * @param keys all signing keys
 * @param policy which witnesses are asked; empty if nobody is
 */
public record ReadLog(
        Optional<TransparencyLog> log,
        EventLog events,
        Supplier<List<SigningKey>> keys,
        Optional<LogPolicy> policy,
        InstantSource clock) {
    /** A witness that has not cosigned for longer is missing. */
    public static final Duration WITNESSED_WITHIN = Duration.ofMinutes(1);

    private static final int RETRY_SECONDS = 2;

    /**
     * What an owner follows the log with.
     *
     * @param secret that the entries of the owner's chain are made with, base64url
     */
    public record OwnLog(VerifierKey verifierKey, String secret, LogStatus status) {}

    /** The key of the log and the secret of an owner, which nobody else is shown. */
    public Answer<OwnLog> own(UserId owner) {
        State state = log.flatMap(TransparencyLog::state).orElse(null);
        if (state == null) {
            return nothing("No log is kept of this chain.");
        }
        byte[] secret = events.head(owner).seq() == 0
                ? null
                : log.flatMap(it -> it.secret(owner)).orElse(null);
        if (secret == null) {
            return notLogged("Nothing of this chain is in the log yet.");
        }
        String x = keys.get().stream()
                .filter(key -> key.kid().equals(state.keyId()))
                .findFirst()
                .orElseThrow()
                .x();
        return Answer.given(new OwnLog(
                VerifierKey.of(state.origin(), VerifierKey.ED25519, x), Base64Url.encode(secret), status(state)));
    }

    /** How the log is doing; empty where none is kept. */
    public Optional<LogStatus> status() {
        return log.flatMap(TransparencyLog::state).map(this::status);
    }

    private LogStatus status(State state) {
        return new LogStatus(
                policy.map(it -> it.witnessing(
                                state.uncosigned(), clock.instant().minus(WITNESSED_WITHIN)))
                        .orElse(null),
                state.stopped());
    }

    /** The published checkpoint, as a signed note. */
    public Answer<String> checkpoint() {
        return log.flatMap(TransparencyLog::state)
                .flatMap(state -> Optional.ofNullable(state.checkpoint()))
                .<Answer<String>>map(note -> Answer.given(note.note()))
                .orElseGet(() -> nothing("There is nothing at this path."));
    }

    /** The bytes of a tile or a bundle of entries, as far as a published checkpoint covers it. */
    public Answer<byte[]> tile(Slice slice) {
        long published =
                log.flatMap(TransparencyLog::state).map(State::published).orElse(0L);
        return (slice.isWithin(published) ? log.flatMap(it -> it.tile(slice.tile())) : Optional.<byte[]>empty())
                .<Answer<byte[]>>map(bytes -> Answer.given(slice.of(bytes)))
                .orElseGet(() -> nothing("There is nothing at this path."));
    }

    /**
     * Proves that a row is in the log: with the first row from it on that has an entry, and those between, whose hashes lead
     * from one to the other (docs/reference/events.md, Proofs).
     *
     * @return the text of a {@code .tlog-proof} file
     */
    public Answer<String> proof(UserId user, long seq) {
        TransparencyLog kept = log.orElse(null);
        if (kept == null) {
            return nothing("No log is kept of this chain.");
        }
        if (seq < 1 || seq > events.head(user).seq()) {
            return nothing("There is no such row.");
        }
        // Read before the row's place, so that a place within the checkpoint is never missed.
        State state = kept.state().orElse(null);
        SignedNote checkpoint = state == null ? null : state.checkpoint();
        Place place = kept.covering(user, seq).orElse(null);
        byte[] secret = kept.secret(user).orElse(null);
        if (state == null
                || checkpoint == null
                || place == null
                || secret == null
                || place.index() >= state.published()) {
            return notLogged("This row is not in a published log yet.");
        }
        List<PolicyEvent> rows = events.page(
                        user,
                        EventQuery.all().limited((int) (place.seq() - seq + 1)).after(seq - 1))
                .rows();
        ChainLeaf leaf =
                ChainLeaf.of(secret, place.seq(), rows.get(rows.size() - 1).hash());
        return Answer.given(LogProof.of(
                        new LoggedRows(user, seq, leaf.commitment(), rows)
                                .text()
                                .getBytes(StandardCharsets.UTF_8),
                        place.index(),
                        Tile.tree(state.published(), tile -> kept.tile(tile).orElseThrow()),
                        checkpoint)
                .text());
    }

    private static <T> Answer<T> notLogged(String message) {
        return Answer.refused(Refusal.throttled(Refusal.Code.NOT_LOGGED, message, null, RETRY_SECONDS));
    }

    private static <T> Answer<T> nothing(String message) {
        return Answer.refused(Refusal.of(Refusal.Code.NOT_FOUND, message));
    }
}
