package dev.agentpolicy.app.passkey;

import com.webauthn4j.WebAuthnManager;
import com.webauthn4j.credential.CredentialRecord;
import com.webauthn4j.credential.CredentialRecordImpl;
import com.webauthn4j.data.AuthenticationData;
import com.webauthn4j.data.AuthenticationParameters;
import com.webauthn4j.data.AuthenticationRequest;
import com.webauthn4j.data.PublicKeyCredentialParameters;
import com.webauthn4j.data.PublicKeyCredentialType;
import com.webauthn4j.data.RegistrationData;
import com.webauthn4j.data.RegistrationParameters;
import com.webauthn4j.data.RegistrationRequest;
import com.webauthn4j.data.attestation.authenticator.AAGUID;
import com.webauthn4j.data.attestation.authenticator.AttestedCredentialData;
import com.webauthn4j.data.attestation.authenticator.AuthenticatorData;
import com.webauthn4j.data.attestation.authenticator.COSEKey;
import com.webauthn4j.data.attestation.authenticator.Curve;
import com.webauthn4j.data.attestation.authenticator.EC2COSEKey;
import com.webauthn4j.data.attestation.authenticator.EdDSACOSEKey;
import com.webauthn4j.data.attestation.authenticator.RSACOSEKey;
import com.webauthn4j.data.attestation.statement.COSEAlgorithmIdentifier;
import com.webauthn4j.data.attestation.statement.NoneAttestationStatement;
import com.webauthn4j.data.client.Origin;
import com.webauthn4j.data.client.challenge.DefaultChallenge;
import com.webauthn4j.server.ServerProperty;
import com.webauthn4j.verifier.exception.VerificationException;
import dev.agentpolicy.domain.event.passkey.Passkey;
import dev.agentpolicy.domain.event.passkey.PasskeyAssertion;
import dev.agentpolicy.domain.event.passkey.PasskeyKey;
import dev.agentpolicy.domain.event.passkey.PasskeyKey.PasskeyAlgorithm;
import dev.agentpolicy.domain.event.passkey.PasskeyRegistration;
import dev.agentpolicy.domain.event.passkey.RelyingParty;
import dev.agentpolicy.domain.port.signin.PasskeyVerifier;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks passkeys with webauthn4j. Attestation statements are not looked at for trust: any authenticator is accepted, and
 * none has to say what it is.
 *
 * <p>Two things are a refusal: whatever the library throws while it reads what was sent, which depends on nothing else, and
 * its {@link VerificationException}. Everything else that is thrown is a bug, and not caught here.
 */
public final class WebAuthnVerifier implements PasskeyVerifier {
    private static final Logger LOG = LoggerFactory.getLogger(WebAuthnVerifier.class);
    private static final boolean USER_IS_VERIFIED = true;

    /** Loaded at the first passkey: its several hundred classes would take a tenth of each start. */
    private static final class Library {
        static final WebAuthnManager MANAGER = WebAuthnManager.createNonStrictWebAuthnManager();
        static final List<PublicKeyCredentialParameters> ALGORITHMS = Stream.of(PasskeyAlgorithm.values())
                .map(algorithm -> new PublicKeyCredentialParameters(
                        PublicKeyCredentialType.PUBLIC_KEY, COSEAlgorithmIdentifier.create(algorithm.coseId())))
                .toList();
    }

    @Override
    public Optional<NewCredential> registered(RelyingParty party, String challenge, PasskeyRegistration sent) {
        RegistrationRequest request = new RegistrationRequest(
                bytes(sent.attestationObject()), bytes(sent.clientDataJson()), Set.copyOf(sent.transports()));
        RegistrationParameters parameters =
                new RegistrationParameters(server(party, challenge), Library.ALGORITHMS, USER_IS_VERIFIED, true);
        RegistrationData data = read(() -> Library.MANAGER.parse(request));
        return data == null || !isVerified(() -> Library.MANAGER.verify(data, parameters))
                ? Optional.empty()
                : credential(data.getAttestationObject().getAuthenticatorData());
    }

    /** Null for what cannot be read. The library throws several undocumented kinds of exceptions for bad CBOR and JSON. */
    private static <T> @Nullable T read(Supplier<T> reading) {
        try {
            return reading.get();
        } catch (RuntimeException unreadable) {
            LOG.debug("What was sent of a passkey cannot be read", unreadable);
            return null;
        }
    }

    private static boolean isVerified(Runnable verification) {
        try {
            verification.run();
            return true;
        } catch (VerificationException refused) {
            LOG.debug("What was sent of a passkey was refused", refused);
            return false;
        }
    }

    private static Optional<NewCredential> credential(AuthenticatorData<?> data) {
        AttestedCredentialData credential = data.getAttestedCredentialData();
        PasskeyKey key = credential == null ? null : key(credential.getCOSEKey());
        return credential == null || key == null || credential.getCredentialId().length == 0 || !isWhole(data)
                ? Optional.empty()
                : Optional.of(new NewCredential(text(credential.getCredentialId()), key, data.getSignCount()));
    }

    @Override
    public OptionalLong asserted(RelyingParty party, String challenge, Passkey passkey, PasskeyAssertion assertion) {
        AuthenticationRequest request = new AuthenticationRequest(
                bytes(assertion.credentialId()),
                bytes(assertion.authenticatorData()),
                bytes(assertion.clientDataJson()),
                bytes(assertion.signature()));
        List<byte[]> allowed = List.of(bytes(passkey.credentialId()));
        AuthenticationParameters parameters =
                new AuthenticationParameters(server(party, challenge), known(passkey), allowed, USER_IS_VERIFIED, true);
        AuthenticationData data = read(() -> Library.MANAGER.parse(request));
        if (data == null || !isVerified(() -> Library.MANAGER.verify(data, parameters))) {
            return OptionalLong.empty();
        }
        AuthenticatorData<?> said = data.getAuthenticatorData();
        return said == null || !isWhole(said) ? OptionalLong.empty() : OptionalLong.of(said.getSignCount());
    }

    /** Whether the extensions are there that a flag announces. */
    private static boolean isWhole(AuthenticatorData<?> data) {
        return !data.isFlagED() || !data.getExtensions().getKeys().isEmpty();
    }

    private static ServerProperty server(RelyingParty party, String challenge) {
        return ServerProperty.builder()
                .origin(Origin.create(party.origin()))
                .rpId(party.id())
                .challenge(new DefaultChallenge(bytes(challenge)))
                .build();
    }

    private static CredentialRecord known(Passkey passkey) {
        AttestedCredentialData credential =
                new AttestedCredentialData(AAGUID.ZERO, bytes(passkey.credentialId()), coseKey(passkey.key()));
        return new CredentialRecordImpl(
                new NoneAttestationStatement(),
                null,
                null,
                null,
                passkey.signCount(),
                credential,
                null,
                null,
                null,
                Set.of());
    }

    /** Null for a key of another kind than those that are asked for, and for one whose numbers are not allowed. */
    private static @Nullable PasskeyKey key(COSEKey key) {
        try {
            return readKey(key);
        } catch (IllegalArgumentException notAllowed) {
            LOG.debug("The key of a passkey was refused", notAllowed);
            return null;
        }
    }

    private static @Nullable PasskeyKey readKey(COSEKey key) {
        if (key instanceof EC2COSEKey point && point.getCurve() == Curve.SECP256R1) {
            return PasskeyKey.es256(point.getX(), point.getY());
        }
        if (key instanceof EdDSACOSEKey edwards && edwards.getCurve() == Curve.ED25519) {
            return PasskeyKey.ed25519(edwards.getX());
        }
        return key instanceof RSACOSEKey rsa ? PasskeyKey.rs256(rsa.getN(), rsa.getE()) : null;
    }

    private static COSEKey coseKey(PasskeyKey key) {
        return switch (key.algorithm()) {
            case ES256 ->
                new EC2COSEKey(
                        null, COSEAlgorithmIdentifier.ES256, null, Curve.SECP256R1, key.bytes("x"), key.bytes("y"));
            case EDDSA ->
                new EdDSACOSEKey(null, COSEAlgorithmIdentifier.EdDSA, null, Curve.ED25519, key.bytes("x"), null);
            case RS256 -> new RSACOSEKey(null, COSEAlgorithmIdentifier.RS256, null, key.bytes("n"), key.bytes("e"));
        };
    }

    private static byte[] bytes(String text) {
        return Base64.getUrlDecoder().decode(text);
    }

    private static String text(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
