package dev.agentpolicy.app.passkey;

import dev.agentpolicy.domain.port.PasskeyVerifier;
import dev.agentpolicy.domain.port.PasskeyVerifierContract;

class WebAuthnVerifierTest implements PasskeyVerifierContract {
    @Override
    public PasskeyVerifier verifier() {
        return new WebAuthnVerifier();
    }
}
