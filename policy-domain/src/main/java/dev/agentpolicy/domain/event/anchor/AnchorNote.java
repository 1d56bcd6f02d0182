package dev.agentpolicy.domain.event.anchor;

import dev.agentpolicy.domain.document.Instants;
import dev.agentpolicy.domain.document.Sha256;
import dev.agentpolicy.domain.event.canonical.Base64Url;
import dev.agentpolicy.domain.event.chain.ChainHead;
import dev.agentpolicy.domain.event.signing.SignatureCheck;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A signed statement of where all chains ended at a time, to be kept away from the database (docs/verify.md, Anchors):
 * a checkpoint in the format of C2SP tlog-checkpoint, signed as a note.
 *
 * @param number 1, 2, 3, ... for each service
 * @param size the number of chains
 * @param root of the Merkle tree over the chains, 32 bytes in base64
 * @param issuedAt microseconds
 * @param previous SHA-256 of the note before, 64 hex characters; zeros for the first
 */
public record AnchorNote(long number, long size, String root, Instant issuedAt, String previous) {
    /** The name of the tree and of the key. Only anchor notes begin with it. */
    public static final String ORIGIN = "agent-policy/anchor/v1";

    private static final String SIGNATURE = "\u2014 " + ORIGIN + " ";
    private static final int KEY_HASH_BYTES = 4;
    private static final byte[] ED25519 = {1};
    private static final int LINES = 6;

    /** The leaf of a chain. Without the salt it cannot be linked to a user. */
    public static String leaf(String salt, ChainHead head) {
        String chain = Sha256.hex(salt + head.userId());
        return "{\"c\":\"" + chain + "\",\"hash\":\"" + head.hash() + "\",\"seq\":" + head.seq() + "}";
    }

    /** The root of a tree in base64. */
    public static String root(MerkleTree tree) {
        return Base64.getEncoder().encodeToString(tree.root());
    }

    /** The message that is signed. */
    public String text() {
        return ORIGIN + "\n" + size + "\n" + root + "\nnumber " + number + "\ntime " + Instants.format(issuedAt)
                + "\nprevious " + previous + "\n";
    }

    /** The note with its signature. */
    public String signed(String publicKey, UnaryOperator<String> sign) {
        byte[] signature = Objects.requireNonNull(Base64Url.decode(sign.apply(text())));
        byte[] bytes = Arrays.copyOf(keyHash(publicKey), KEY_HASH_BYTES + signature.length);
        for (int i = 0; i < signature.length; i++) {
            bytes[KEY_HASH_BYTES + i] = signature[i];
        }
        return text() + "\n" + SIGNATURE + Base64.getEncoder().encodeToString(bytes) + "\n";
    }

    /** Whether a text is this note, signed by a key. */
    public boolean isSigned(String note, String publicKey, SignatureCheck check) {
        String head = text() + "\n" + SIGNATURE;
        if (!note.startsWith(head) || !note.endsWith("\n")) {
            return false;
        }
        byte[] bytes;
        try {
            bytes = Base64.getDecoder().decode(note.substring(head.length(), note.length() - 1));
        } catch (IllegalArgumentException malformed) {
            return false;
        }
        byte[] keyHash = Arrays.copyOf(bytes, KEY_HASH_BYTES);
        byte[] signature = Arrays.copyOfRange(bytes, KEY_HASH_BYTES, Math.max(KEY_HASH_BYTES, bytes.length));
        return Arrays.equals(keyHash, keyHash(publicKey))
                && check.isSignedBy(publicKey, text(), Base64Url.encode(signature));
    }

    /** Parses a note without checking its signature; null when the text is no anchor note. */
    public static @Nullable AnchorNote read(String note) {
        String[] lines = note.split("\n", LINES + 1);
        if (lines.length <= LINES || !lines[0].equals(ORIGIN)) {
            return null;
        }
        try {
            Instant issuedAt = Instants.parse(lines[4].substring("time ".length()));
            AnchorNote read = issuedAt == null
                    ? null
                    : new AnchorNote(
                            Long.parseLong(lines[3].substring("number ".length())),
                            Long.parseLong(lines[1]),
                            lines[2],
                            issuedAt,
                            lines[5].substring("previous ".length()));
            return read != null && note.startsWith(read.text() + "\n") ? read : null;
        } catch (IndexOutOfBoundsException | NumberFormatException malformed) {
            return null;
        }
    }

    /** The key id of C2SP signed-note: the first bytes of a hash of name, type and key. */
    private static byte[] keyHash(String publicKey) {
        byte[] name = (ORIGIN + "\n").getBytes(StandardCharsets.UTF_8);
        byte[] key = Objects.requireNonNull(Base64Url.decode(publicKey));
        return Arrays.copyOf(Sha256.of(name, ED25519, key), KEY_HASH_BYTES);
    }
}
