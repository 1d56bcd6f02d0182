package dev.agentpolicy.domain.event.tlog;

import dev.agentpolicy.domain.document.Reading;
import java.util.Arrays;
import java.util.List;

/**
 * A request to cosign a checkpoint: the body of {@code add-checkpoint} (C2SP tlog-witness).
 *
 * @param oldSize of the checkpoint that the witness cosigned last
 * @param hashes the proof that the new checkpoint is consistent with it, each base64
 * @param checkpoint the new one, signed by the log
 */
public record WitnessRequest(long oldSize, List<String> hashes, SignedNote checkpoint) {
    private static final String OLD = "old ";

    public WitnessRequest {
        hashes = List.copyOf(hashes);
    }

    /** Reads a body; nothing of it is checked. */
    public static Reading<WitnessRequest> read(String body) {
        int blank = body.indexOf("\n\n");
        List<String> lines =
                blank < 0 ? List.of() : Arrays.asList(body.substring(0, blank).split("\n", -1));
        long oldSize = lines.isEmpty() || !lines.get(0).startsWith(OLD)
                ? -1
                : Checkpoint.number(lines.get(0).substring(OLD.length()));
        if (oldSize < 0 || LogProof.bytes(lines.subList(1, lines.size())) == null) {
            return SignedNote.refused("The body is the old size, at most 63 hashes, an empty line and a checkpoint.");
        }
        return SignedNote.read(body.substring(blank + 2))
                .then(note -> Reading.of(new WitnessRequest(oldSize, lines.subList(1, lines.size()), note)));
    }

    /** The body that is sent. */
    public String body() {
        StringBuilder out = new StringBuilder(OLD).append(oldSize).append('\n');
        hashes.forEach(hash -> out.append(hash).append('\n'));
        return out.append('\n').append(checkpoint.note()).toString();
    }

    /** Whether the proof leads from the root that the witness cosigned to a checkpoint. */
    public boolean isConsistent(byte[] oldRoot, Checkpoint next) {
        List<byte[]> proof = LogProof.bytes(hashes);
        return proof != null && LogTree.isConsistent(oldSize, oldRoot, next.size(), next.rootHash(), proof);
    }
}
