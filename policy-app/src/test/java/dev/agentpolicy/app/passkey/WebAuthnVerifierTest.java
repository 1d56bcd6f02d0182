package dev.agentpolicy.app.passkey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentpolicy.domain.event.SoftPasskey;
import dev.agentpolicy.domain.event.SoftPasskey.Circumstances;
import dev.agentpolicy.domain.event.canonical.Base64Url;
import dev.agentpolicy.domain.event.passkey.Passkey;
import dev.agentpolicy.domain.event.passkey.PasskeyAssertion;
import dev.agentpolicy.domain.event.passkey.PasskeyKey.PasskeyAlgorithm;
import dev.agentpolicy.domain.event.passkey.PasskeyRegistration;
import dev.agentpolicy.domain.port.PasskeyVerifierContract;
import dev.agentpolicy.domain.port.signin.PasskeyVerifier;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WebAuthnVerifierTest implements PasskeyVerifierContract {
    /** What an attestation object has before the authenticator data, and where that has its flags and the id. */
    private static final int HEAD = 30;

    private static final int FLAGS = 32;
    private static final int ID_LENGTH = 37 + 16;
    private static final int ID_BYTES = 32;
    private static final int EXTENSIONS = 0x80;

    private final SoftPasskey passkey = new SoftPasskey();
    private final PasskeyRegistration right = passkey.registration(CHALLENGE);
    private final byte[] object = decoded(right.attestationObject());

    @Override
    public PasskeyVerifier verifier() {
        return new WebAuthnVerifier();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "f6",
                "80",
                "00",
                "ff",
                "a0",
                "a163666d74646e6f6e65",
                "bb7fffffffffffffff",
                "9b7fffffffffffffff",
                "5b7fffffffffffffff",
                "a363666d74646e6f6e656761747453746d74a0686175746844617461f6",
                "a363666d74646e6f6e656761747453746d74a068617574684461746154"
                        + "0000000000000000000000000000000000000000"
            })
    void what_is_no_attestation_object_is_refused(String hex) {
        assertThat(registered(HexFormat.of().parseHex(hex))).isEmpty();
    }

    @Test
    void a_damaged_attestation_object_is_refused() {
        byte[] nested = new byte[20_000];
        Arrays.fill(nested, (byte) 0x81);

        assertThat(registered(object)).isPresent();
        assertThat(registered(nested)).isEmpty();
        assertThat(registered(Arrays.copyOf(object, object.length + 1))).isEmpty();
        for (int length = 0; length < object.length; length += 7) {
            assertThat(registered(Arrays.copyOf(object, length))).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"packed", "tpm", "android-key", "android-safetynet", "fido-u2f", "apple", "compound", "anything"
            })
    void an_attestation_without_its_statement_is_refused(String format) {
        byte[] name = format.getBytes(StandardCharsets.US_ASCII);
        byte[] rest = Arrays.copyOfRange(object, 10, object.length);

        assertThat(registered(bytes(Arrays.copyOf(object, 5), new byte[] {(byte) (0x60 + name.length)}, name, rest)))
                .isEmpty();
    }

    @Test
    void a_credential_without_an_id_is_refused() {
        byte[] data = Arrays.copyOfRange(object, HEAD, object.length);
        byte[] before = Arrays.copyOf(data, ID_LENGTH);
        byte[] key = Arrays.copyOfRange(data, ID_LENGTH + 2 + ID_BYTES, data.length);

        assertThat(registered(object(bytes(before, new byte[] {0, 1, 7}, key)))).isPresent();
        assertThat(registered(object(bytes(before, new byte[] {0, 0}, key)))).isEmpty();
        assertThat(registered(object(bytes(before, new byte[] {4, 0}, new byte[1024], key))))
                .isEmpty();
    }

    @Test
    void a_key_with_which_nobody_or_anybody_can_sign_is_refused() {
        byte[] offTheCurve = object.clone();
        offTheCurve[object.length - 1] ^= 1;
        PasskeyRegistration edwards = new SoftPasskey(PasskeyAlgorithm.EDDSA).registration(CHALLENGE);
        byte[] right = decoded(edwards.attestationObject());
        byte[] ofSmallOrder = Arrays.copyOf(Arrays.copyOf(right, right.length - ID_BYTES), right.length);

        assertThat(registered(offTheCurve)).isEmpty();
        assertThat(registered(right)).isPresent();
        assertThat(registered(ofSmallOrder)).isEmpty();
    }

    @Test
    void extensions_that_are_announced_must_be_there() {
        byte[] data = Arrays.copyOfRange(object, HEAD, object.length);
        byte[] extension = HexFormat.of().parseHex("a1" + "6161" + "01");
        assertThat(registered(object(bytes(data, extension)))).isEmpty();

        data[FLAGS] |= (byte) EXTENSIONS;

        assertThat(registered(object(data))).isEmpty();
        assertThat(registered(object(bytes(data, extension)))).isPresent();
    }

    @Test
    void client_data_of_other_types_is_refused() {
        String client = new String(decoded(right.clientDataJson()), StandardCharsets.UTF_8);
        PasskeyAssertion signed = passkey.assertion(USER, CHALLENGE).assertion();
        String said = new String(decoded(signed.clientDataJson()), StandardCharsets.UTF_8);
        for (String name : List.of("type", "origin", "challenge")) {
            for (String other : List.of("[]", "[\"http://localhost:8080\"]", "{}", "1", "true", "null")) {
                assertThat(registered(object, changed(client, name, other))).isEmpty();
                assertThat(asserted(signed, changed(said, name, other))).isFalse();
            }
        }
        for (String text : List.of("", "null", "[]", "{}", "\"\"", "{")) {
            assertThat(registered(object, text)).isEmpty();
            assertThat(asserted(signed, text)).isFalse();
        }
        for (String other : List.of("\"x\"", "\"false\"", "[]", "[true]", "{}", "0")) {
            Circumstances how = new Circumstances().crossOrigin(other);

            assertThat(passkey.registration(CHALLENGE, how).challenge()).isEmpty();
            assertThat(passkey.assertion(USER, CHALLENGE, how).assertion().challenge())
                    .isEmpty();
        }
    }

    @Test
    void a_bug_is_not_taken_for_a_refusal() {
        PasskeyAssertion signed = passkey.assertion(USER, CHALLENGE).assertion();
        Passkey known = passkey.registered("Phone", Instant.EPOCH);
        String notOurs = "no challenge of the service";

        assertThatThrownBy(() -> verifier().registered(HERE, notOurs, right))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> verifier().asserted(HERE, notOurs, known, signed))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static String changed(String client, String name, String json) {
        return client.replaceFirst("\"" + name + "\":\"[^\"]*\"", "\"" + name + "\":" + json);
    }

    private boolean asserted(PasskeyAssertion signed, String client) {
        PasskeyAssertion sent = new PasskeyAssertion(
                signed.credentialId(), signed.authenticatorData(), encoded(client), signed.signature());
        return verifier()
                .asserted(HERE, CHALLENGE, passkey.registered("Phone", Instant.EPOCH), sent)
                .isPresent();
    }

    private Optional<?> registered(byte[] attestationObject) {
        return registered(attestationObject, new String(decoded(right.clientDataJson()), StandardCharsets.UTF_8));
    }

    private Optional<?> registered(byte[] attestationObject, String client) {
        return verifier()
                .registered(
                        HERE,
                        CHALLENGE,
                        new PasskeyRegistration(
                                right.credentialId(),
                                Base64Url.encode(attestationObject),
                                encoded(client),
                                right.transports()));
    }

    /** An attestation object with other authenticator data. */
    private byte[] object(byte[] data) {
        byte[] length = {0x59, (byte) (data.length >> 8), (byte) data.length};
        return bytes(Arrays.copyOf(object, HEAD - 2), length, data);
    }

    private static String encoded(String text) {
        return Base64Url.encode(text.getBytes(StandardCharsets.UTF_8));
    }

    private static byte[] decoded(String text) {
        byte[] bytes = Base64Url.decode(text);
        assertThat(bytes).isNotNull();
        return bytes;
    }

    private static byte[] bytes(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }
}
