package dev.agentpolicy.domain.event.tlog;

import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.document.Sha256;
import dev.agentpolicy.domain.event.canonical.Base64Url;
import dev.agentpolicy.domain.event.signing.SignatureCheck;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/**
 * A public key that signs notes, and its name (C2SP signed-note).
 *
 * @param name without blanks and plus signs
 * @param type {@link #ED25519} for logs and {@link #COSIGNATURE} for witnesses; no signature of another type is checked
 * @param key the bytes of the public key, base64
 */
public record VerifierKey(String name, int type, String key) {
    public static final int ED25519 = 1;
    public static final int COSIGNATURE = 4;

    /** The blanks of Unicode are written out, since languages differ in what they call a blank. */
    private static final Pattern NAME =
            Pattern.compile("[^\\x00-\\x20+\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]+");

    private static final int ID_BYTES = 4;
    private static final int TIME_BYTES = 8;
    private static final int MAX_TYPE = 0xff;

    public VerifierKey {
        if (!isName(name)) {
            throw new IllegalArgumentException("The name of a key has no blank, plus sign or control character.");
        }
        byte[] bytes = Base64Url.standard(key);
        if (bytes == null || bytes.length == 0 || type < 0 || type > MAX_TYPE) {
            throw new IllegalArgumentException("A key has a type of one byte, and its bytes in base64.");
        }
        if ((type == ED25519 || type == COSIGNATURE) && bytes.length != Base64Url.KEY_BYTES) {
            throw new IllegalArgumentException("An Ed25519 key has 32 bytes.");
        }
    }

    /**
     * An Ed25519 key.
     *
     * @param x its 32 bytes, base64url
     */
    public static VerifierKey of(String name, int type, String x) {
        return new VerifierKey(
                name, type, Base64.getEncoder().encodeToString(Objects.requireNonNull(Base64Url.decode(x))));
    }

    static boolean isName(String name) {
        return NAME.matcher(name).matches();
    }

    /** Reads the text of a key: name, id in hex, and type with key in base64, joined by plus signs. */
    public static Reading<VerifierKey> read(String text) {
        String[] parts = text.split("\\+", 3);
        byte[] typed = parts.length < 3 ? null : Base64Url.standard(parts[2]);
        if (typed == null || typed.length < 2) {
            return SignedNote.refused("A verifier key is name+id+key, the key in base64.");
        }
        try {
            VerifierKey key = new VerifierKey(
                    parts[0],
                    Byte.toUnsignedInt(typed[0]),
                    Base64.getEncoder().encodeToString(Arrays.copyOfRange(typed, 1, typed.length)));
            return key.isVerifiable() && !key.text().equals(text)
                    ? SignedNote.refused("The id of the verifier key " + key.name + " is not that of its name and key.")
                    : Reading.of(key);
        } catch (IllegalArgumentException refused) {
            return SignedNote.refused(Objects.requireNonNull(refused.getMessage()));
        }
    }

    /** The text of the key, as others are given it. */
    public String text() {
        byte[] typed = LogTree.join(new byte[] {(byte) type}, bytes());
        return name + "+" + HexFormat.of().formatHex(id()) + "+"
                + Base64.getEncoder().encodeToString(typed);
    }

    /** Whether signatures of this type are checked here. */
    public boolean isVerifiable() {
        return type == ED25519 || type == COSIGNATURE;
    }

    private byte[] bytes() {
        return Objects.requireNonNull(Base64Url.standard(key));
    }

    byte[] id() {
        byte[] head = (name + "\n").getBytes(StandardCharsets.UTF_8);
        return Arrays.copyOf(Sha256.of(head, new byte[] {(byte) type}, bytes()), ID_BYTES);
    }

    /** Whether a signature line names this key. */
    boolean isOf(NoteSignature line) {
        return line.name().equals(name) && Arrays.equals(line.keyId(), id());
    }

    /**
     * The line of a signature by this key.
     *
     * @param text of the note
     * @param now the time of a cosignature, in seconds; without meaning for other signatures
     * @param sign with the private key, base64url
     */
    public NoteSignature sign(String text, Instant now, UnaryOperator<String> sign) {
        byte[] time = type == COSIGNATURE ? bigEndian(now.getEpochSecond()) : new byte[0];
        byte[] signature = Objects.requireNonNull(Base64Url.decode(sign.apply(message(text, now.getEpochSecond()))));
        return new NoteSignature(name, Base64.getEncoder().encodeToString(LogTree.join(id(), time, signature)));
    }

    /**
     * Checks a signature line of this key.
     *
     * @return the time of a cosignature, {@link Instant#EPOCH} for another signature; empty when it is forged
     */
    Optional<Instant> verify(String text, NoteSignature line, SignatureCheck check) {
        byte[] value = line.bytes();
        int from = ID_BYTES + (type == COSIGNATURE ? TIME_BYTES : 0);
        if (value.length != from + Base64Url.SIGNATURE_BYTES) {
            return Optional.empty();
        }
        long time = 0;
        for (int i = ID_BYTES; i < from; i++) {
            time = time << Byte.SIZE | Byte.toUnsignedInt(value[i]);
        }
        String signature = Base64Url.encode(Arrays.copyOfRange(value, from, value.length));
        return time >= 0
                        && time <= Instant.MAX.getEpochSecond()
                        && check.isSignedBy(Base64Url.encode(bytes()), message(text, time), signature)
                ? Optional.of(Instant.ofEpochSecond(time))
                : Optional.empty();
    }

    private String message(String text, long time) {
        return type == COSIGNATURE ? "cosignature/v1\ntime " + time + "\n" + text : text;
    }

    private static byte[] bigEndian(long value) {
        byte[] bytes = new byte[TIME_BYTES];
        for (int i = 0; i < TIME_BYTES; i++) {
            bytes[i] = (byte) (value >> Byte.SIZE * (TIME_BYTES - 1 - i));
        }
        return bytes;
    }
}
