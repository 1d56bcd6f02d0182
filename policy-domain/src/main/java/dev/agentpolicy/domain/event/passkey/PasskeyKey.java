package dev.agentpolicy.domain.event.passkey;

import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.P256;
import dev.agentpolicy.domain.event.canonical.Base64Url;
import java.math.BigInteger;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.SignatureException;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.ECParameterSpec;
import java.security.spec.ECPoint;
import java.security.spec.ECPublicKeySpec;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.KeySpec;
import java.security.spec.RSAPublicKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The public key of a passkey, as a JWK (RFC 7517): ES256 on P-256, EdDSA on Ed25519, or RS256 with 2048 to 4096 bits.
 * Its numbers are those that docs/verify.md allows, which every verifier checks: for others, libraries differ, or anybody
 * can make signatures.
 *
 * @param algorithm what it signs with
 * @param numbers the numbers of the key in base64url, by their name in the JWK
 */
public record PasskeyKey(PasskeyAlgorithm algorithm, Map<String, String> numbers) {
    /** SubjectPublicKeyInfo of an Ed25519 key, up to the 32 bytes of the key (RFC 8410). */
    private static final String ED25519_PREFIX = "302a300506032b6570032100";

    private static final int COORDINATE_BYTES = 32;
    private static final BigInteger ED25519_PRIME = BigInteger.TWO.pow(255).subtract(BigInteger.valueOf(19));
    private static final long ED25519_NUMERATOR = 121_665;
    private static final long ED25519_DENOMINATOR = ED25519_NUMERATOR + 1;

    /** The eight points of small order, and encodings of numbers that are not below the prime, in hexadecimal. */
    private static final Pattern WEAK_ED25519 = Pattern.compile("0[01](00){30}[08]0"
            + "|26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc[08]5"
            + "|c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03[7f]a"
            + "|(e[c-f]|f.)(ff){30}[7f]f");

    private static final byte DER_INTEGER = 2;
    private static final byte DER_SEQUENCE = 0x30;

    private static final int MIN_MODULUS_BITS = 2048;
    private static final int MAX_MODULUS_BITS = 4096;
    private static final int MAX_EXPONENT_BITS = 32;

    public PasskeyKey {
        numbers = Map.copyOf(numbers);
        boolean isAllowed = switch (algorithm) {
            case ES256 -> P256.isPoint(bytes(numbers, "x"), bytes(numbers, "y"));
            case EDDSA -> isStrongEd25519(bytes(numbers, "x"));
            case RS256 ->
                isOdd(bytes(numbers, "n"), MIN_MODULUS_BITS, MAX_MODULUS_BITS)
                        && isOdd(bytes(numbers, "e"), 2, MAX_EXPONENT_BITS);
        };
        if (!isAllowed) {
            throw new IllegalArgumentException("The numbers of a key of " + algorithm.wireName + " are not allowed.");
        }
    }

    private static boolean isStrongEd25519(byte[] x) {
        return x.length == COORDINATE_BYTES
                && !WEAK_ED25519.matcher(HexFormat.of().formatHex(x)).matches();
    }

    /** Whether a number is odd, has so many bits, and does not begin with a zero byte. */
    private static boolean isOdd(byte[] bytes, int minBits, int maxBits) {
        BigInteger number = new BigInteger(1, bytes);
        return number.testBit(0) && number.bitLength() >= minBits && number.bitLength() <= maxBits && bytes[0] != 0;
    }

    /** The algorithms that a passkey may sign with. */
    public enum PasskeyAlgorithm {
        ES256("ES256", -7, "EC", "P-256", List.of("x", "y"), "SHA256withECDSA", "EC"),
        EDDSA("EdDSA", -8, "OKP", "Ed25519", List.of("x"), "Ed25519", "Ed25519"),
        RS256("RS256", -257, "RSA", null, List.of("n", "e"), "SHA256withRSA", "RSA");

        private final String wireName;
        private final int coseId;
        private final String keyType;
        private final @Nullable String curve;

        @SuppressWarnings("ImmutableEnumChecker") // The list is unmodifiable.
        private final List<String> numbers;

        private final String signing;
        private final String factory;

        PasskeyAlgorithm(
                String wireName,
                int coseId,
                String keyType,
                @Nullable String curve,
                List<String> numbers,
                String signing,
                String factory) {
            this.wireName = wireName;
            this.coseId = coseId;
            this.keyType = keyType;
            this.curve = curve;
            this.numbers = numbers;
            this.signing = signing;
            this.factory = factory;
        }

        /** The name of the algorithm in a JWK. */
        public String wireName() {
            return wireName;
        }

        /** The number of the algorithm in COSE. */
        public int coseId() {
            return coseId;
        }
    }

    /**
     * A point on P-256.
     *
     * @param x 32 bytes
     * @param y 32 bytes
     */
    public static PasskeyKey es256(byte[] x, byte[] y) {
        return new PasskeyKey(PasskeyAlgorithm.ES256, Map.of("x", Base64Url.encode(x), "y", Base64Url.encode(y)));
    }

    /**
     * An RSA key.
     *
     * @param modulus unsigned, the highest byte first
     * @param exponent likewise
     */
    public static PasskeyKey rs256(byte[] modulus, byte[] exponent) {
        return new PasskeyKey(
                PasskeyAlgorithm.RS256, Map.of("n", Base64Url.encode(modulus), "e", Base64Url.encode(exponent)));
    }

    /**
     * An Ed25519 key.
     *
     * @param x 32 bytes
     */
    public static PasskeyKey ed25519(byte[] x) {
        return new PasskeyKey(PasskeyAlgorithm.EDDSA, Map.of("x", Base64Url.encode(x)));
    }

    /**
     * Reads a JWK.
     *
     * @throws IllegalStateException when it is not one of the three kinds of keys
     * @throws IllegalArgumentException when its numbers are not allowed
     */
    public static PasskeyKey read(Document jwk) {
        for (PasskeyAlgorithm algorithm : PasskeyAlgorithm.values()) {
            if (algorithm.wireName.equals(jwk.get("alg"))) {
                return read(algorithm, jwk);
            }
        }
        throw new IllegalStateException("The key of a passkey has another algorithm than ES256, EdDSA and RS256.");
    }

    private static PasskeyKey read(PasskeyAlgorithm algorithm, Document jwk) {
        boolean isOfType = algorithm.keyType.equals(jwk.get("kty")) && Objects.equals(algorithm.curve, jwk.get("crv"));
        Map<String, String> numbers = new LinkedHashMap<>();
        for (String name : algorithm.numbers) {
            if (isOfType && jwk.get(name) instanceof String text && Base64Url.decode(text) != null) {
                numbers.put(name, text);
            }
        }
        PasskeyKey read = numbers.size() == algorithm.numbers.size() ? new PasskeyKey(algorithm, numbers) : null;
        if (read == null || !jwk.members().keySet().equals(read.toJwk().keySet())) {
            throw new IllegalStateException("The key of a passkey is no JWK of " + algorithm.wireName + ".");
        }
        return read;
    }

    /**
     * Whether somebody can sign with the key. No signature verifies with an Ed25519 key that is no point of the curve, so
     * who verifies a chain need not ask.
     */
    public boolean isUsable() {
        if (algorithm != PasskeyAlgorithm.EDDSA) {
            return true;
        }
        byte[] encoded = bytes("x");
        byte[] bytes = new byte[COORDINATE_BYTES];
        for (int i = 0; i < COORDINATE_BYTES; i++) {
            bytes[i] = encoded[COORDINATE_BYTES - 1 - i];
        }
        BigInteger square = new BigInteger(1, bytes).clearBit(255).pow(2);
        BigInteger denominator = BigInteger.valueOf(ED25519_DENOMINATOR);
        // RFC 8032, 5.1.3: (y^2 - 1) / (d y^2 + 1) is a square, where d is -121665/121666; so is the product then.
        return square.subtract(BigInteger.ONE)
                .multiply(denominator)
                .multiply(denominator.subtract(square.multiply(BigInteger.valueOf(ED25519_NUMERATOR))))
                .modPow(ED25519_PRIME.shiftRight(1), ED25519_PRIME)
                .equals(BigInteger.ONE);
    }

    /** The members of the JWK. */
    public Map<String, @Nullable Object> toJwk() {
        Map<String, @Nullable Object> jwk = new LinkedHashMap<>();
        jwk.put("kty", algorithm.keyType);
        jwk.put("alg", algorithm.wireName);
        if (algorithm.curve != null) {
            jwk.put("crv", algorithm.curve);
        }
        algorithm.numbers.forEach(name -> jwk.put(name, numbers.get(name)));
        return jwk;
    }

    /** Whether the owner of the key signed the concatenation of some bytes. */
    boolean isSignedBy(byte[] signature, byte[]... parts) {
        if (algorithm == PasskeyAlgorithm.ES256 && !isShortestDer(signature)) {
            return false;
        }
        try {
            Signature verifier = Signature.getInstance(algorithm.signing);
            verifier.initVerify(publicKey());
            for (byte[] part : parts) {
                verifier.update(part);
            }
            return verifier.verify(signature);
        } catch (InvalidKeySpecException | InvalidKeyException | SignatureException noSuchKeyOrSignature) {
            return false;
        } catch (GeneralSecurityException absent) {
            throw new IllegalStateException("Every Java since 15 has " + algorithm.signing + ".", absent);
        }
    }

    /** Whether bytes are a DER sequence of two numbers above 0, which not every library is as strict about. */
    private static boolean isShortestDer(byte[] der) {
        int at = 2;
        for (int i = 0; i < 2; i++) {
            int length = at + 1 < der.length && der[at] == DER_INTEGER ? der[at + 1] : 0;
            boolean isThere = length >= 1 && at + 2 + length <= der.length;
            if (!isThere || der[at + 2] < 0 || length > 1 && der[at + 2] == 0 && der[at + 3] >= 0) {
                return false;
            }
            at += 2 + length;
        }
        return at == der.length && der[0] == DER_SEQUENCE && der[1] == der.length - 2;
    }

    private PublicKey publicKey() throws GeneralSecurityException {
        KeySpec spec = switch (algorithm) {
            case ES256 -> new ECPublicKeySpec(new ECPoint(integer("x"), integer("y")), p256());
            case EDDSA ->
                new X509EncodedKeySpec(
                        HexFormat.of().parseHex(ED25519_PREFIX + HexFormat.of().formatHex(bytes("x"))));
            case RS256 -> new RSAPublicKeySpec(integer("n"), integer("e"));
        };
        return KeyFactory.getInstance(algorithm.factory).generatePublic(spec);
    }

    private static ECParameterSpec p256() throws GeneralSecurityException {
        AlgorithmParameters parameters = AlgorithmParameters.getInstance("EC");
        parameters.init(new ECGenParameterSpec("secp256r1"));
        return parameters.getParameterSpec(ECParameterSpec.class);
    }

    /** A number of the key, unsigned, the highest byte first. */
    public byte[] bytes(String name) {
        return bytes(numbers, name);
    }

    private static byte[] bytes(Map<String, String> numbers, String name) {
        String text = numbers.get(name);
        byte[] bytes = text == null ? null : Base64Url.decode(text);
        return bytes == null ? new byte[0] : bytes;
    }

    private BigInteger integer(String name) {
        return new BigInteger(1, bytes(name));
    }
}
