package dev.agentpolicy.domain.event.tlog;

import dev.agentpolicy.domain.document.Sha256;
import dev.agentpolicy.domain.event.canonical.Base64Url;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The entry of the log for a row of a chain. Two leaves with one commitment and two hashes prove that a chain has two
 * histories; who has no secret cannot tell whose it is, or which leaves belong together.
 *
 * @param commitment to the place of the row, 32 bytes in base64url
 * @param hash of the row, 64 lower-case hex characters
 */
public record ChainLeaf(String commitment, String hash) {
    public static final int SECRET_BYTES = 32;
    public static final int BYTES = 64;

    private static final byte[] PURPOSE = "agent-policy/tlog-chain/v1\n".getBytes(StandardCharsets.UTF_8);

    public ChainLeaf {
        if (!Base64Url.isText(commitment, LogTree.HASH_BYTES) || !Sha256.isHex(hash)) {
            throw new IllegalArgumentException("A leaf is a commitment and a hash of 32 bytes each.");
        }
    }

    /**
     * The leaf of a row.
     *
     * @param secret 32 bytes that only the owner of the chain and the service know
     */
    public static ChainLeaf of(byte[] secret, long seq, String hash) {
        byte[] place = new byte[Long.BYTES];
        for (int i = 0; i < Long.BYTES; i++) {
            place[i] = (byte) (seq >> Byte.SIZE * (Long.BYTES - 1 - i));
        }
        return new ChainLeaf(Base64Url.encode(Sha256.of(PURPOSE, secret, place)), hash);
    }

    /** Reads an entry; null unless it has 64 bytes. */
    public static @Nullable ChainLeaf read(byte[] entry) {
        return entry.length != BYTES
                ? null
                : new ChainLeaf(
                        Base64Url.encode(Arrays.copyOf(entry, BYTES / 2)),
                        HexFormat.of().formatHex(entry, BYTES / 2, BYTES));
    }

    /** The entry, 64 bytes. */
    public byte[] entry() {
        return LogTree.join(
                Objects.requireNonNull(Base64Url.decode(commitment)),
                HexFormat.of().parseHex(hash));
    }
}
