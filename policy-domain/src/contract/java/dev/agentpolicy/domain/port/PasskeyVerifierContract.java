package dev.agentpolicy.domain.port;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.SoftPasskey;
import dev.agentpolicy.domain.event.SoftPasskey.Circumstances;
import dev.agentpolicy.domain.event.passkey.Passkey;
import dev.agentpolicy.domain.event.passkey.PasskeyKey.PasskeyAlgorithm;
import dev.agentpolicy.domain.event.passkey.RelyingParty;
import dev.agentpolicy.domain.port.signin.PasskeyVerifier;
import dev.agentpolicy.domain.port.signin.PasskeyVerifier.NewCredential;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The contract of {@link PasskeyVerifier}. */
public interface PasskeyVerifierContract {
    RelyingParty HERE = new RelyingParty(SoftPasskey.RP_ID, SoftPasskey.ORIGIN);
    String CHALLENGE = "mC2vVbYxH0s8cZkq3nqk0m5b0x1S9v6G5o5Qm3nW2aI";
    String ANOTHER = "AC2vVbYxH0s8cZkq3nqk0m5b0x1S9v6G5o5Qm3nW2aI";
    UserId USER = StoreSamples.user();

    PasskeyVerifier verifier();

    /** The algorithms that it can register. */
    default List<PasskeyAlgorithm> algorithms() {
        return List.of(PasskeyAlgorithm.values());
    }

    @Test
    default void a_registration_gives_the_key_of_the_passkey() {
        for (PasskeyAlgorithm algorithm : algorithms()) {
            SoftPasskey passkey = new SoftPasskey(algorithm);

            assertThat(verifier().registered(HERE, CHALLENGE, passkey.registration(CHALLENGE)))
                    .contains(new NewCredential(passkey.credentialId(), passkey.key(), 0));
        }
    }

    @Test
    default void an_assertion_of_the_passkey_holds() {
        for (PasskeyAlgorithm algorithm : PasskeyAlgorithm.values()) {
            SoftPasskey passkey = new SoftPasskey(algorithm);

            assertThat(asserted(passkey, CHALLENGE, new Circumstances())).hasValue(0);
        }
    }

    @Test
    default void a_registration_for_something_else_is_refused() {
        SoftPasskey passkey = new SoftPasskey();

        assertThat(wrongCircumstances())
                .allMatch(how -> verifier()
                        .registered(HERE, CHALLENGE, passkey.registration(CHALLENGE, how))
                        .isEmpty());
        assertThat(verifier().registered(HERE, ANOTHER, passkey.registration(CHALLENGE)))
                .isEmpty();
    }

    @Test
    default void an_assertion_for_something_else_is_refused() {
        SoftPasskey passkey = new SoftPasskey();

        assertThat(wrongCircumstances())
                .allMatch(how -> asserted(passkey, CHALLENGE, how).isEmpty());
        assertThat(asserted(passkey, ANOTHER, new Circumstances())).isEmpty();
        assertThat(asserted(passkey, CHALLENGE, new Circumstances().type("webauthn.create")))
                .isEmpty();
    }

    @Test
    default void an_assertion_of_another_key_is_refused() {
        SoftPasskey passkey = new SoftPasskey();
        SoftPasskey forger = new SoftPasskey();
        Circumstances asIfOf = new Circumstances().credentialId(passkey.credentialId());

        assertThat(verifier()
                        .asserted(
                                HERE,
                                CHALLENGE,
                                registered(passkey),
                                forger.assertion(USER, CHALLENGE, asIfOf).assertion()))
                .isEmpty();
        assertThat(verifier()
                        .asserted(
                                HERE,
                                CHALLENGE,
                                registered(passkey),
                                forger.assertion(USER, CHALLENGE).assertion()))
                .isEmpty();
    }

    @Test
    default void a_counter_must_grow_unless_the_authenticator_does_not_count() {
        SoftPasskey passkey = new SoftPasskey();
        Passkey used = registered(passkey).used(5, StoreSamples.START);

        assertThat(asserted(passkey, used, 6)).hasValue(6);
        assertThat(asserted(passkey, used, 5)).isEmpty();
        assertThat(asserted(passkey, used, 4)).isEmpty();
        assertThat(asserted(passkey, used, 0)).isEmpty();
        assertThat(asserted(passkey, registered(passkey), 0)).hasValue(0);
    }

    private OptionalLong asserted(SoftPasskey passkey, Passkey known, int counter) {
        return verifier()
                .asserted(
                        HERE,
                        CHALLENGE,
                        known,
                        passkey.assertion(USER, CHALLENGE, new Circumstances().counter(counter))
                                .assertion());
    }

    private OptionalLong asserted(SoftPasskey passkey, String challenge, Circumstances how) {
        return verifier()
                .asserted(
                        HERE,
                        CHALLENGE,
                        registered(passkey),
                        passkey.assertion(USER, challenge, how).assertion());
    }

    private static Passkey registered(SoftPasskey passkey) {
        return passkey.registered("Phone", StoreSamples.START);
    }

    private static Stream<Circumstances> wrongCircumstances() {
        return Stream.of(
                new Circumstances().origin("https://localhost.evil"),
                new Circumstances().origin("http://localhost:1"),
                new Circumstances().rpId("evil.example"),
                new Circumstances().crossOrigin(),
                new Circumstances().unverified(),
                new Circumstances().absent());
    }
}
