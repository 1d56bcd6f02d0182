package dev.agentpolicy.app.passkey;

import dev.agentpolicy.domain.port.PasskeyVerifierContract;
import dev.agentpolicy.domain.port.signin.PasskeyVerifier;

class WebAuthnVerifierTest implements PasskeyVerifierContract {
    @Override
    public PasskeyVerifier verifier() {
        return new WebAuthnVerifier();
    }
}
