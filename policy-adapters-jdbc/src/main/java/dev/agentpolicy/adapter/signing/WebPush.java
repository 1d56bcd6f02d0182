package dev.agentpolicy.adapter.signing;

import com.google.crypto.tink.apps.webpush.WebPushHybridEncrypt;
import dev.agentpolicy.domain.event.canonical.Base64Url;
import dev.agentpolicy.domain.event.canonical.CanonicalForm;
import dev.agentpolicy.domain.port.TokenDerivation;
import dev.agentpolicy.domain.port.signin.PushDevices.PushDevice;
import java.math.BigInteger;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.ECFieldFp;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.ECParameterSpec;
import java.security.spec.ECPoint;
import java.security.spec.ECPrivateKeySpec;
import java.security.spec.ECPublicKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import javax.crypto.KeyAgreement;

/**
 * Encrypts messages for browsers (RFC 8291) and tells push services who sends them (VAPID, RFC 8292). The key is derived from
 * the secret that also derives tokens, so it is sealed with the master key and the same on all nodes.
 */
public final class WebPush {
    private static final String DERIVED_FROM = "agent-policy/vapid/v1";
    private static final String CURVE = "secp256r1";
    private static final String SIGNING = "SHA256withECDSAinP1363Format";
    private static final int COORDINATE_BYTES = 32;
    private static final byte UNCOMPRESSED = 4;
    private static final Duration LIFETIME = Duration.ofHours(12);

    private final PrivateKey privateKey;
    private final String publicKey;

    private WebPush(PrivateKey privateKey, String publicKey) {
        this.privateKey = privateKey;
        this.publicKey = publicKey;
    }

    /** The key that a secret derives. */
    public static WebPush of(TokenDerivation derivation) {
        try {
            AlgorithmParameters parameters = AlgorithmParameters.getInstance("EC");
            parameters.init(new ECGenParameterSpec(CURVE));
            ECParameterSpec curve = parameters.getParameterSpec(ECParameterSpec.class);
            BigInteger number = new BigInteger(1, derivation.derive(DERIVED_FROM))
                    .mod(curve.getOrder().subtract(BigInteger.ONE))
                    .add(BigInteger.ONE);
            PrivateKey privateKey = KeyFactory.getInstance("EC").generatePrivate(new ECPrivateKeySpec(number, curve));
            return new WebPush(privateKey, text(publicPoint(privateKey, curve)));
        } catch (GeneralSecurityException absent) {
            throw new IllegalStateException("Every Java has the curve " + CURVE + ".", absent);
        }
    }

    /**
     * The point of a private key: agreeing on a secret with the generator gives its x, and of the two points with that x only
     * one verifies a signature.
     */
    private static ECPoint publicPoint(PrivateKey privateKey, ECParameterSpec curve) throws GeneralSecurityException {
        KeyAgreement agreement = KeyAgreement.getInstance("ECDH");
        agreement.init(privateKey);
        agreement.doPhase(key(curve.getGenerator(), curve), true);
        BigInteger x = new BigInteger(1, agreement.generateSecret());
        BigInteger prime = ((ECFieldFp) curve.getCurve().getField()).getP();
        BigInteger square = x.pow(3)
                .add(curve.getCurve().getA().multiply(x))
                .add(curve.getCurve().getB());
        BigInteger y = square.modPow(prime.add(BigInteger.ONE).shiftRight(2), prime);
        ECPoint point = new ECPoint(x, y);
        byte[] message = DERIVED_FROM.getBytes(StandardCharsets.UTF_8);
        Signature check = Signature.getInstance(SIGNING);
        check.initVerify(key(point, curve));
        check.update(message);
        return check.verify(sign(privateKey, message)) ? point : new ECPoint(x, prime.subtract(y));
    }

    private static PublicKey key(ECPoint point, ECParameterSpec curve) throws GeneralSecurityException {
        return KeyFactory.getInstance("EC").generatePublic(new ECPublicKeySpec(point, curve));
    }

    private static byte[] sign(PrivateKey privateKey, byte[] message) throws GeneralSecurityException {
        Signature signature = Signature.getInstance(SIGNING);
        signature.initSign(privateKey);
        signature.update(message);
        return signature.sign();
    }

    private static String text(ECPoint point) {
        byte[] bytes = new byte[1 + 2 * COORDINATE_BYTES];
        bytes[0] = UNCOMPRESSED;
        put(point.getAffineX(), bytes, 1);
        put(point.getAffineY(), bytes, 1 + COORDINATE_BYTES);
        return Base64Url.encode(bytes);
    }

    private static void put(BigInteger coordinate, byte[] bytes, int offset) {
        BigInteger rest = coordinate;
        for (int i = offset + COORDINATE_BYTES - 1; i >= offset; i--) {
            bytes[i] = rest.byteValue();
            rest = rest.shiftRight(Byte.SIZE);
        }
    }

    /** The public key, an uncompressed point in base64url, as browsers take it when they subscribe. */
    public String publicKey() {
        return publicKey;
    }

    /**
     * The header {@code Authorization} of a message.
     *
     * @param contact address at which the operator of a push service finds that of this service; empty for none
     */
    public String authorization(URI endpoint, Instant now, Optional<String> contact) {
        Map<String, Object> claims = new LinkedHashMap<>();
        claims.put("aud", "https://" + endpoint.getRawAuthority());
        claims.put("exp", now.plus(LIFETIME).getEpochSecond());
        contact.ifPresent(it -> claims.put("sub", it));
        String unsigned = part("{\"typ\":\"JWT\",\"alg\":\"ES256\"}") + "." + part(CanonicalForm.writeStored(claims));
        try {
            String signature = Base64Url.encode(sign(privateKey, unsigned.getBytes(StandardCharsets.US_ASCII)));
            return "vapid t=" + unsigned + "." + signature + ", k=" + publicKey;
        } catch (GeneralSecurityException failed) {
            throw new UnusableKeys("A push message could not be signed; see the cause.", failed);
        }
    }

    private static String part(String json) {
        return Base64Url.encode(json.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Encrypts a message for a device, in the content coding {@code aes128gcm}.
     *
     * @throws GeneralSecurityException when the key of the device is no point of the curve
     */
    public byte[] encrypt(PushDevice device, byte[] message) throws GeneralSecurityException {
        return new WebPushHybridEncrypt.Builder()
                .withRecipientPublicKey(Objects.requireNonNull(Base64Url.decode(device.publicKey())))
                .withAuthSecret(Objects.requireNonNull(Base64Url.decode(device.secret())))
                .build()
                .encrypt(message, null);
    }
}
