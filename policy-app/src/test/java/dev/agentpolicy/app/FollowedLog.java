package dev.agentpolicy.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.agentpolicy.adapter.signing.TinkSignatureCheck;
import dev.agentpolicy.domain.event.signing.SignatureCheck;
import dev.agentpolicy.domain.event.tlog.Checkpoint;
import dev.agentpolicy.domain.event.tlog.LogTree;
import dev.agentpolicy.domain.event.tlog.SignedNote;
import dev.agentpolicy.domain.event.tlog.Tile;
import dev.agentpolicy.domain.event.tlog.Tile.Slice;
import dev.agentpolicy.domain.event.tlog.VerifierKey;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Reads the log of a node as a stranger does, with its public key alone. */
public final class FollowedLog {
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final SignatureCheck CHECK = new TinkSignatureCheck();

    private final String address;
    private final String key;

    public FollowedLog(String address, String key) {
        this.address = address;
        this.key = key;
    }

    HttpResponse<byte[]> get(String path) {
        try {
            return HTTP.send(
                    HttpRequest.newBuilder(URI.create(address + path))
                            .header("Authorization", "Bearer " + key)
                            .build(),
                    HttpResponse.BodyHandlers.ofByteArray());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } catch (InterruptedException stopped) {
            throw new IllegalStateException(stopped);
        }
    }

    String text(String path) {
        HttpResponse<byte[]> answer = get(path);
        assertThat(answer.statusCode()).as(path).isEqualTo(200);
        return new String(answer.body(), StandardCharsets.UTF_8);
    }

    /** The key of the log, from the manifest. */
    VerifierKey verifier(String origin) {
        try {
            for (JsonNode each : new JsonMapper()
                    .readTree(text("/api/agent/v1/signing-keys"))
                    .get("keys")) {
                if (each.get("purpose").textValue().equals("log")
                        && each.get("status").textValue().equals("active")) {
                    return VerifierKey.of(
                            origin, VerifierKey.ED25519, each.get("x").textValue());
                }
            }
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
        throw new AssertionError("There is no key of the log.");
    }

    /** The published checkpoint, whose signature is right. */
    public Checkpoint checkpoint() {
        SignedNote note = SignedNote.read(text("/tlog/checkpoint")).orElseThrow();
        Checkpoint checkpoint = Checkpoint.read(note.text()).orElseThrow();
        assertThat(note.verify(List.of(verifier(checkpoint.origin())), CHECK).orElseThrow())
                .hasSize(1);
        return checkpoint;
    }

    /** Waits for a checkpoint with at least so many entries. */
    public Checkpoint await(long size) throws InterruptedException {
        for (int i = 0; i < 300; i++) {
            if (get("/tlog/checkpoint").statusCode() == 200 && checkpoint().size() >= size) {
                return checkpoint();
            }
            Thread.sleep(100);
        }
        throw new AssertionError("The log has not grown to " + size + " entries.");
    }

    /** Every entry of a checkpoint, after each was compared with its hash and the hashes with the root. */
    public List<byte[]> entries(Checkpoint checkpoint) {
        LogTree tree = Tile.tree(checkpoint.size(), tile -> tile(tile, checkpoint.size()));
        assertThat(Checkpoint.of(checkpoint.origin(), tree)).isEqualTo(checkpoint);
        List<byte[]> entries = new ArrayList<>();
        for (long index = 0; index * Tile.WIDTH < checkpoint.size(); index++) {
            entries.addAll(Tile.entries(tile(new Tile(Tile.ENTRIES, index), checkpoint.size())));
        }
        assertThat(entries).hasSize((int) checkpoint.size());
        for (int i = 0; i < entries.size(); i++) {
            assertThat(tree.subtrees().hash(0, i)).isEqualTo(LogTree.leafHash(entries.get(i)));
        }
        return entries;
    }

    LogTree tree(Checkpoint checkpoint) {
        return Tile.tree(checkpoint.size(), tile -> tile(tile, checkpoint.size()));
    }

    private byte[] tile(Tile tile, long size) {
        long hashes = size >> Tile.HEIGHT * Math.max(0, tile.level());
        int width = (int) Math.min(Tile.WIDTH, hashes - tile.index() * Tile.WIDTH);
        HttpResponse<byte[]> answer = get("/tlog/" + new Slice(tile, width).path());
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Cache-Control").orElse("")).contains("immutable");
        return answer.body();
    }
}
