package dev.agentpolicy.domain.port.signin;

import dev.agentpolicy.domain.event.passkey.Passkey;
import dev.agentpolicy.domain.event.passkey.PasskeyAssertion;
import dev.agentpolicy.domain.event.passkey.PasskeyKey;
import dev.agentpolicy.domain.event.passkey.PasskeyRegistration;
import dev.agentpolicy.domain.event.passkey.RelyingParty;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Checks registrations and assertions of passkeys as Web Authentication (Level 3) demands: challenge, origin, relying
 * party, flags, signature and counter. The user must have been verified. Pure: the same arguments give the same answer.
 */
public interface PasskeyVerifier {

    /**
     * A credential that was registered.
     *
     * @param credentialId base64url
     * @param key its public key
     * @param signCount its first signature counter
     */
    record NewCredential(String credentialId, PasskeyKey key, long signCount) {}

    /**
     * The credential of a registration; empty when anything about it is wrong.
     *
     * @param challenge the one the browser was given, in base64url
     */
    Optional<NewCredential> registered(RelyingParty party, String challenge, PasskeyRegistration registration);

    /**
     * The signature counter of an assertion made with a passkey; empty when anything about it is wrong, also when the
     * counter is not above the last one, unless both are 0.
     *
     * @param challenge the one the browser was given, in base64url
     */
    OptionalLong asserted(RelyingParty party, String challenge, Passkey passkey, PasskeyAssertion assertion);
}
