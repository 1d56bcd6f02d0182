package dev.agentpolicy.adapter.jdbc.dialect;

import java.util.UUID;

/**
 * The hash by which PostgreSQL, and so Citus, places rows with a UUID as their key: Bob Jenkins' lookup3 over its 16 bytes,
 * read as PostgreSQL does on processors with the low byte first. {@code SELECT uuid_hash(...)} answers the same.
 */
final class UuidHash {
    private static final int LENGTH = 16;
    private static final int START = 0x9e3779b9 + LENGTH + 3923095;

    private UuidHash() {}

    static int of(UUID id) {
        long high = Long.reverseBytes(id.getMostSignificantBits());
        long low = Long.reverseBytes(id.getLeastSignificantBits());
        int a = START + (int) high;
        int b = START + (int) (high >>> Integer.SIZE);
        int c = START + (int) low;

        // The first three words are mixed.
        a = a - c ^ Integer.rotateLeft(c, 4);
        c += b;
        b = b - a ^ Integer.rotateLeft(a, 6);
        a += c;
        c = c - b ^ Integer.rotateLeft(b, 8);
        b += a;
        a = a - c ^ Integer.rotateLeft(c, 16);
        c += b;
        b = b - a ^ Integer.rotateLeft(a, 19);
        a += c;
        c = c - b ^ Integer.rotateLeft(b, 4);
        b += a;

        // The fourth word comes last.
        a += (int) (low >>> Integer.SIZE);
        c = (c ^ b) - Integer.rotateLeft(b, 14);
        a = (a ^ c) - Integer.rotateLeft(c, 11);
        b = (b ^ a) - Integer.rotateLeft(a, 25);
        c = (c ^ b) - Integer.rotateLeft(b, 16);
        a = (a ^ c) - Integer.rotateLeft(c, 4);
        b = (b ^ a) - Integer.rotateLeft(a, 14);
        c = (c ^ b) - Integer.rotateLeft(b, 24);
        return c;
    }
}
