package dev.agentpolicy.domain.event;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.document.Decimals;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Fields;
import dev.agentpolicy.domain.document.Sha256;
import dev.agentpolicy.domain.event.canonical.Base64Url;
import dev.agentpolicy.domain.event.passkey.Passkey;
import dev.agentpolicy.domain.event.passkey.PasskeyKey;
import dev.agentpolicy.domain.event.passkey.PasskeyKey.PasskeyAlgorithm;
import dev.agentpolicy.domain.event.passkey.PasskeyRegistration;
import dev.agentpolicy.domain.event.passkey.SentAssertion;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.EdECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

/**
 * An authenticator made of software, with one passkey. Says what it is told to say, so it also makes what a real one
 * refuses to make.
 */
public final class SoftPasskey {
    /** The host and the origin that tests use unless they say otherwise. */
    public static final String RP_ID = "localhost";

    public static final String ORIGIN = "http://localhost:8080";

    private static final int PRESENT = 0x01;
    private static final int VERIFIED = 0x04;
    private static final int HAS_KEY = 0x40;
    private static final int UNSIGNED_BYTE = 0xff;

    private final PasskeyAlgorithm algorithm;
    private final KeyPair pair;
    private final byte[] id = Sha256.of(UUID.randomUUID().toString());

    public SoftPasskey() {
        this(PasskeyAlgorithm.ES256);
    }

    public SoftPasskey(PasskeyAlgorithm algorithm) {
        this.algorithm = algorithm;
        this.pair = pair(algorithm);
    }

    /** What an authenticator and a browser say, beside the key; begins with what a right one says. */
    public static final class Circumstances {
        private String type = "webauthn.get";
        private String rpId = RP_ID;
        private String origin = ORIGIN;
        private String crossOrigin = "false";
        private boolean isPresent = true;
        private boolean isVerified = true;
        private int counter;
        private String credentialId = "";

        public Circumstances type(String other) {
            type = other;
            return this;
        }

        public Circumstances rpId(String other) {
            rpId = other;
            return this;
        }

        public Circumstances origin(String other) {
            origin = other;
            return this;
        }

        public Circumstances crossOrigin() {
            return crossOrigin("true");
        }

        /** Says something else in JSON than whether a page of another site was around. */
        public Circumstances crossOrigin(String json) {
            crossOrigin = json;
            return this;
        }

        public Circumstances absent() {
            isPresent = false;
            return this;
        }

        public Circumstances unverified() {
            isVerified = false;
            return this;
        }

        public Circumstances counter(int other) {
            counter = other;
            return this;
        }

        /** Names another credential than the one that signs. */
        public Circumstances credentialId(String other) {
            credentialId = other;
            return this;
        }

        private String clientData(String challenge) {
            return "{\"type\":\"" + type + "\",\"challenge\":\"" + challenge + "\",\"origin\":\"" + origin
                    + "\",\"crossOrigin\":" + crossOrigin + "}";
        }

        private byte[] authenticatorData(int moreFlags) {
            int flags = (isPresent ? PRESENT : 0) | (isVerified ? VERIFIED : 0) | moreFlags;
            return bytes(
                    Sha256.of(rpId),
                    new byte[] {(byte) flags},
                    ByteBuffer.allocate(Integer.BYTES).putInt(counter).array());
        }
    }

    public String credentialId() {
        return Base64Url.encode(id);
    }

    /** The passkey as the service keeps it after a registration. */
    public Passkey registered(String name, Instant now) {
        return new Passkey(credentialId(), name, key(), RP_ID, List.of("internal"), 0, now, null);
    }

    /** The body of a registration, in the JSON form of the standard. */
    public String registrationJson(String challenge) {
        return registrationJson(challenge, new Circumstances());
    }

    /** The body of a registration in other circumstances. */
    public String registrationJson(String challenge, Circumstances how) {
        String client = how.type.equals("webauthn.get")
                ? how.type("webauthn.create").clientData(challenge)
                : how.clientData(challenge);
        byte[] attested = bytes(
                how.authenticatorData(HAS_KEY),
                new byte[16],
                ByteBuffer.allocate(Short.BYTES).putShort((short) id.length).array(),
                id,
                coseKey());
        byte[] object = bytes(
                new byte[] {(byte) 0xa3},
                text("fmt"),
                text("none"),
                text("attStmt"),
                new byte[] {(byte) 0xa0},
                text("authData"),
                byteString(attested));
        return "{\"id\":\"" + credentialId() + "\",\"rawId\":\"" + credentialId()
                + "\",\"type\":\"public-key\",\"clientExtensionResults\":{},\"response\":{\"attestationObject\":\""
                + Base64Url.encode(object) + "\",\"clientDataJSON\":\"" + encoded(client)
                + "\",\"transports\":[\"internal\"]}}";
    }

    public PasskeyRegistration registration(String challenge) {
        return registration(challenge, new Circumstances());
    }

    public PasskeyRegistration registration(String challenge, Circumstances how) {
        Fields fields =
                new Fields(Document.parse(registrationJson(challenge, how)).orElseThrow(), Decimals.NUMBERS);
        return Objects.requireNonNull(PasskeyRegistration.read(fields));
    }

    /** The body of an assertion, in the JSON form of the standard. */
    public String assertionJson(UserId user, String challenge) {
        return assertionJson(user, challenge, new Circumstances());
    }

    /** The body of an assertion in other circumstances. */
    public String assertionJson(UserId user, String challenge, Circumstances how) {
        byte[] authenticator = how.authenticatorData(0);
        String client = how.clientData(challenge);
        byte[] signature = signature(bytes(authenticator, Sha256.of(client)));
        String named = how.credentialId.isEmpty() ? credentialId() : how.credentialId;
        return "{\"id\":\"" + named + "\",\"rawId\":\"" + named
                + "\",\"type\":\"public-key\",\"authenticatorAttachment\":\"platform\",\"clientExtensionResults\":{},"
                + "\"response\":{\"authenticatorData\":\"" + Base64Url.encode(authenticator)
                + "\",\"clientDataJSON\":\"" + encoded(client) + "\",\"signature\":\"" + Base64Url.encode(signature)
                + "\",\"userHandle\":\"" + SentAssertion.handle(user) + "\"}}";
    }

    public SentAssertion assertion(UserId user, String challenge) {
        return assertion(user, challenge, new Circumstances());
    }

    public SentAssertion assertion(UserId user, String challenge, Circumstances how) {
        Fields fields =
                new Fields(Document.parse(assertionJson(user, challenge, how)).orElseThrow(), Decimals.NUMBERS);
        return Objects.requireNonNull(SentAssertion.read(fields));
    }

    public PasskeyKey key() {
        return switch (algorithm) {
            case ES256 -> PasskeyKey.es256(coordinate(true), coordinate(false));
            case EDDSA -> PasskeyKey.ed25519(ed25519());
            case RS256 -> PasskeyKey.rs256(modulus(), exponent());
        };
    }

    private byte[] coseKey() {
        return switch (algorithm) {
            case ES256 ->
                bytes(
                        new byte[] {(byte) 0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21},
                        byteString(coordinate(true)),
                        new byte[] {0x22},
                        byteString(coordinate(false)));
            case EDDSA ->
                bytes(new byte[] {(byte) 0xa4, 0x01, 0x01, 0x03, 0x27, 0x20, 0x06, 0x21}, byteString(ed25519()));
            case RS256 ->
                bytes(
                        new byte[] {(byte) 0xa4, 0x01, 0x03, 0x03, 0x39, 0x01, 0x00, 0x20},
                        byteString(modulus()),
                        new byte[] {0x21},
                        byteString(exponent()));
        };
    }

    private byte[] coordinate(boolean isX) {
        ECPublicKey key = (ECPublicKey) pair.getPublic();
        byte[] bytes = (isX ? key.getW().getAffineX() : key.getW().getAffineY()).toByteArray();
        byte[] padded = new byte[32];
        int length = Math.min(bytes.length, padded.length);
        System.arraycopy(bytes, bytes.length - length, padded, padded.length - length, length);
        return padded;
    }

    /** The encoded key ends with its 32 bytes. */
    private byte[] ed25519() {
        byte[] encoded = ((EdECPublicKey) pair.getPublic()).getEncoded();
        return Arrays.copyOfRange(encoded, encoded.length - 32, encoded.length);
    }

    private byte[] modulus() {
        byte[] bytes = ((RSAPublicKey) pair.getPublic()).getModulus().toByteArray();
        return bytes[0] == 0 ? Arrays.copyOfRange(bytes, 1, bytes.length) : bytes;
    }

    private byte[] exponent() {
        return ((RSAPublicKey) pair.getPublic()).getPublicExponent().toByteArray();
    }

    private byte[] signature(byte[] message) {
        try {
            Signature signer = Signature.getInstance(
                    switch (algorithm) {
                        case ES256 -> "SHA256withECDSA";
                        case EDDSA -> "Ed25519";
                        case RS256 -> "SHA256withRSA";
                    });
            signer.initSign(pair.getPrivate());
            signer.update(message);
            return signer.sign();
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static KeyPair pair(PasskeyAlgorithm algorithm) {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance(
                    switch (algorithm) {
                        case ES256 -> "EC";
                        case EDDSA -> "Ed25519";
                        case RS256 -> "RSA";
                    });
            if (algorithm == PasskeyAlgorithm.ES256) {
                generator.initialize(new ECGenParameterSpec("secp256r1"));
            }
            return generator.generateKeyPair();
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static String encoded(String text) {
        return Base64Url.encode(text.getBytes(StandardCharsets.UTF_8));
    }

    /** A CBOR text of at most 23 bytes. */
    private static byte[] text(String text) {
        return bytes(new byte[] {(byte) (0x60 + text.length())}, text.getBytes(StandardCharsets.US_ASCII));
    }

    /** A CBOR byte string. */
    private static byte[] byteString(byte[] value) {
        byte[] head = value.length < 24
                ? new byte[] {(byte) (0x40 + value.length)}
                : value.length <= UNSIGNED_BYTE
                        ? new byte[] {0x58, (byte) value.length}
                        : new byte[] {0x59, (byte) (value.length >> 8), (byte) value.length};
        return bytes(head, value);
    }

    private static byte[] bytes(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }
}
