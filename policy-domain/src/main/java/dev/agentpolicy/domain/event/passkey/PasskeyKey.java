package dev.agentpolicy.domain.event.passkey;

import dev.agentpolicy.domain.document.Document;
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
import org.jspecify.annotations.Nullable;

/**
 * The public key of a passkey, as a JWK (RFC 7517): ES256 on P-256, EdDSA on Ed25519, or RS256 with 2048 to 4096 bits.
 * Its numbers have the sizes that docs/verify.md names, which every verifier checks: for others, libraries differ.
 *
 * @param algorithm what it signs with
 * @param numbers the numbers of the key in base64url, by their name in the JWK
 */
public record PasskeyKey(PasskeyAlgorithm algorithm, Map<String, String> numbers) {
    /** SubjectPublicKeyInfo of an Ed25519 key, up to the 32 bytes of the key (RFC 8410). */
    private static final String ED25519_PREFIX = "302a300506032b6570032100";

    private static final int COORDINATE_BYTES = 32;
    private static final int MIN_MODULUS_BITS = 2048;
    private static final int MAX_MODULUS_BITS = 4096;
    private static final int MAX_EXPONENT_BITS = 32;

    public PasskeyKey {
        numbers = Map.copyOf(numbers);
        boolean isOfSize = algorithm == PasskeyAlgorithm.RS256
                ? isOdd(bytes(numbers, "n"), MIN_MODULUS_BITS, MAX_MODULUS_BITS)
                        && isOdd(bytes(numbers, "e"), 2, MAX_EXPONENT_BITS)
                : isOfSize(numbers, algorithm.numbers);
        if (!isOfSize) {
            throw new IllegalArgumentException("A key of " + algorithm.wireName + " has other sizes.");
        }
    }

    private static boolean isOfSize(Map<String, String> numbers, List<String> names) {
        return names.stream().allMatch(name -> bytes(numbers, name).length == COORDINATE_BYTES);
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
     * @throws IllegalArgumentException when its numbers have other sizes
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
        if (numbers.size() != algorithm.numbers.size()) {
            throw new IllegalStateException("The key of a passkey is no JWK of " + algorithm.wireName + ".");
        }
        return new PasskeyKey(algorithm, numbers);
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
