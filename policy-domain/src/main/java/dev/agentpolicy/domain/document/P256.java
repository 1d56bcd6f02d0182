package dev.agentpolicy.domain.document;

import java.math.BigInteger;

/** The curve P-256 (FIPS 186-5), on which keys of passkeys and of push services are points. */
public final class P256 {
    private static final int COORDINATE_BYTES = 32;
    private static final BigInteger PRIME =
            new BigInteger("ffffffff00000001000000000000000000000000ffffffffffffffffffffffff", 16);
    private static final BigInteger B =
            new BigInteger("5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604b", 16);

    private P256() {}

    /** Whether two numbers of 32 bytes, the highest byte first, are a point on the curve. */
    public static boolean isPoint(byte[] first, byte[] second) {
        BigInteger x = new BigInteger(1, first);
        BigInteger y = new BigInteger(1, second);
        return first.length == COORDINATE_BYTES
                && second.length == COORDINATE_BYTES
                && x.max(y).compareTo(PRIME) < 0
                && y.pow(2)
                                .subtract(x.pow(3))
                                .add(x.multiply(BigInteger.valueOf(3)))
                                .subtract(B)
                                .mod(PRIME)
                                .signum()
                        == 0;
    }
}
