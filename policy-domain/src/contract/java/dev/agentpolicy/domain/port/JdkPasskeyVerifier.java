package dev.agentpolicy.domain.port;

import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Sha256;
import dev.agentpolicy.domain.event.canonical.Base64Url;
import dev.agentpolicy.domain.event.passkey.Passkey;
import dev.agentpolicy.domain.event.passkey.PasskeyAssertion;
import dev.agentpolicy.domain.event.passkey.PasskeyKey;
import dev.agentpolicy.domain.event.passkey.PasskeyRegistration;
import dev.agentpolicy.domain.event.passkey.RelyingParty;
import dev.agentpolicy.domain.port.signin.PasskeyVerifier;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/** Checks passkeys without a library. Knows registrations with a P-256 key and no attestation only. */
public final class JdkPasskeyVerifier implements PasskeyVerifier {
    /** What the attestation object has before the authenticator data. */
    private static final int OBJECT_HEAD = 1 + 4 + 5 + 8 + 1 + 9 + 2;

    private static final int FLAGS = 32;
    private static final int COUNTER = 33;
    private static final int ID_LENGTH = 37 + 16;

    @Override
    public Optional<NewCredential> registered(RelyingParty party, String challenge, PasskeyRegistration sent) {
        byte[] object = bytes(sent.attestationObject());
        Document client = Document.parse(new String(bytes(sent.clientDataJson()), StandardCharsets.UTF_8))
                .orElseThrow();
        byte[] data = Arrays.copyOfRange(object, OBJECT_HEAD, object.length);
        boolean isRight = "webauthn.create".equals(client.get("type"))
                && challenge.equals(client.get("challenge"))
                && party.origin().equals(client.get("origin"))
                && Boolean.FALSE.equals(client.get("crossOrigin"))
                && Arrays.equals(Arrays.copyOf(data, FLAGS), Sha256.of(party.id()))
                && (data[FLAGS] & 0x45) == 0x45;
        if (!isRight) {
            return Optional.empty();
        }
        int length = ByteBuffer.wrap(data).getShort(ID_LENGTH);
        int key = ID_LENGTH + 2 + length;
        byte[] x = Arrays.copyOfRange(data, key + 10, key + 42);
        byte[] y = Arrays.copyOfRange(data, key + 45, key + 77);
        return Optional.of(new NewCredential(
                Base64Url.encode(Arrays.copyOfRange(data, ID_LENGTH + 2, key)), PasskeyKey.es256(x, y), counter(data)));
    }

    @Override
    public OptionalLong asserted(RelyingParty party, String challenge, Passkey passkey, PasskeyAssertion assertion) {
        Document client = Document.parse(new String(bytes(assertion.clientDataJson()), StandardCharsets.UTF_8))
                .orElseThrow();
        if (!passkey.credentialId().equals(assertion.credentialId())
                || !party.origin().equals(client.get("origin"))
                || assertion.wrong(passkey.key(), party.id(), challenge) != null) {
            return OptionalLong.empty();
        }
        long counter = counter(bytes(assertion.authenticatorData()));
        boolean isAhead = counter > passkey.signCount() || counter == 0 && passkey.signCount() == 0;
        return isAhead ? OptionalLong.of(counter) : OptionalLong.empty();
    }

    private static long counter(byte[] authenticatorData) {
        return Integer.toUnsignedLong(ByteBuffer.wrap(authenticatorData).getInt(COUNTER));
    }

    private static byte[] bytes(String text) {
        return Objects.requireNonNull(Base64Url.decode(text));
    }
}
