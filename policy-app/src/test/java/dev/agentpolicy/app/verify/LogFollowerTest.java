package dev.agentpolicy.app.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.app.verify.TlogProof.Outcome;
import dev.agentpolicy.domain.document.Sha256;
import dev.agentpolicy.domain.event.TestKey;
import dev.agentpolicy.domain.event.canonical.Base64Url;
import dev.agentpolicy.domain.event.chain.ChainPoint;
import dev.agentpolicy.domain.event.chain.PolicyEvent;
import dev.agentpolicy.domain.event.chain.TestChain;
import dev.agentpolicy.domain.event.signing.SignatureCheck;
import dev.agentpolicy.domain.event.tlog.ChainLeaf;
import dev.agentpolicy.domain.event.tlog.Checkpoint;
import dev.agentpolicy.domain.event.tlog.SignedNote;
import dev.agentpolicy.domain.event.tlog.Tile;
import dev.agentpolicy.domain.event.tlog.Tile.Slice;
import dev.agentpolicy.domain.event.tlog.Tile.TileWriter;
import dev.agentpolicy.domain.event.tlog.VerifierKey;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an owner finds who follows the log of a service. */
class LogFollowerTest {
    private static final TestKey KEY = TestKey.of("0a".repeat(32));
    private static final VerifierKey LOG = VerifierKey.of("policy.example/tlog", VerifierKey.ED25519, KEY.x());
    private static final byte[] SECRET = Sha256.of("secret");
    private static final List<PolicyEvent> ROWS = TestChain.ofDecisions(6).rows();
    private static final PolicyEvent LAST = ROWS.get(5);
    private static final Instant LATER = LAST.createdAt().plusSeconds(61);

    @TempDir
    private Path folder;

    /** A log as its service serves it. */
    private static final class Served {
        private final List<byte[]> entries = new ArrayList<>();
        /** The entries that are given out; those that are signed if they are null. */
        private List<byte[]> shown = entries;

        Served of(long seq, String hash) {
            entries.add(ChainLeaf.of(SECRET, seq, hash).entry());
            return this;
        }

        Served others(int count, String history) {
            for (int i = 0; i < count; i++) {
                entries.add(ChainLeaf.of(Sha256.of(history), i, Sha256.hex(history + i))
                        .entry());
            }
            return this;
        }

        byte[] get(String path) {
            TileWriter signed = tiles(entries);
            if (path.equals("/tlog/checkpoint")) {
                Checkpoint checkpoint = Checkpoint.of(
                        LOG.name(),
                        Tile.tree(
                                signed.size(),
                                tile -> Objects.requireNonNull(signed.grown().get(tile))));
                String text = checkpoint.text();
                return new SignedNote(text, List.of(LOG.sign(text, LATER, KEY::sign)))
                        .note()
                        .getBytes(StandardCharsets.UTF_8);
            }
            Slice slice = Objects.requireNonNull(Slice.read(path.substring("/tlog/tile/".length())));
            return slice.of(Objects.requireNonNull(tiles(shown).grown().get(slice.tile())));
        }

        private static TileWriter tiles(List<byte[]> entries) {
            TileWriter writer = new TileWriter(0, tile -> new byte[0]);
            entries.forEach(writer::append);
            return writer;
        }
    }

    private Outcome follow(Served served) throws Exception {
        Path file = Files.writeString(
                folder.resolve("log.json"),
                "{\"verifierKey\":\"" + LOG.text() + "\",\"secret\":\"" + Base64Url.encode(SECRET) + "\"}");
        LogFollower follower = new LogFollower(file, served::get, LATER);
        ROWS.forEach(follower::row);
        ChainPoint reached = ChainPoint.saved(TestChain.USER, 6, LAST.hash(), LAST.signingKeyId(), LAST.createdAt());
        Outcome outcome = follower.follow(reached, SignatureCheck.ofJdk());
        if (outcome.broken() == null) {
            follower.save();
        }
        return outcome;
    }

    private static Served whole() {
        return new Served()
                .others(300, "a")
                .of(3, ROWS.get(2).hash())
                .others(5, "b")
                .of(6, LAST.hash());
    }

    private static String why(Outcome outcome) {
        return "seq " + Objects.requireNonNull(outcome.broken()).seq() + ": "
                + Objects.requireNonNull(outcome.broken()).reason();
    }

    @Test
    void a_log_that_grows_is_followed_from_the_checkpoint_of_the_last_time() throws Exception {
        assertThat(follow(whole()).said()).isEqualTo(", log of 307 entries followed, 2 of this chain");
        assertThat(follow(whole()).broken()).isNull();
        assertThat(follow(whole().others(900, "c")).said()).startsWith(", log of 1207 entries");
    }

    @Test
    void a_database_that_was_rolled_back_is_found() throws Exception {
        follow(whole().others(1, "c"));

        assertThat(why(follow(whole()))).contains("rolled back").contains("had 308");
    }

    @Test
    void a_forked_database_is_found() throws Exception {
        follow(whole().others(4, "c"));

        assertThat(why(follow(whole().others(4, "d")))).contains("forked");
        assertThat(why(follow(whole().others(9, "d")))).contains("forked");
    }

    @Test
    void a_leaf_that_was_changed_is_found() throws Exception {
        Served served = whole();
        served.shown = new ArrayList<>(served.entries);
        byte[] changed = Arrays.copyOf(served.shown.get(7), ChainLeaf.BYTES);
        changed[3] ^= 1;
        served.shown.set(7, changed);

        assertThat(why(follow(served))).contains("not those that its checkpoint signs");
    }

    @Test
    void a_chain_with_two_histories_is_found() throws Exception {
        assertThat(why(follow(whole().of(4, Sha256.hex("another row")))))
                .startsWith("seq 4: The chain has two histories");
        assertThat(why(follow(whole().of(6, LAST.hash())))).startsWith("seq 6: The row is in the log twice");
    }

    @Test
    void a_row_that_was_kept_out_of_the_log_is_found() throws Exception {
        assertThat(why(follow(new Served().of(3, ROWS.get(2).hash())))).startsWith("seq 4: The row is not in the log");
    }

    @Test
    void a_checkpoint_of_another_key_is_refused() throws Exception {
        Served served = whole();
        Path file = Files.writeString(
                folder.resolve("log.json"),
                "{\"verifierKey\":\""
                        + VerifierKey.of(LOG.name(), VerifierKey.ED25519, TestKey.ONE.x())
                                .text()
                        + "\",\"secret\":\"" + Base64Url.encode(SECRET) + "\"}");
        LogFollower follower = new LogFollower(file, served::get, LATER);

        Outcome outcome = follower.follow(ChainPoint.fresh(TestChain.USER), SignatureCheck.ofJdk());

        assertThat(why(outcome)).contains("not signed by its key");
    }
}
