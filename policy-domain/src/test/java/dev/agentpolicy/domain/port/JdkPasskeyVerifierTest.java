package dev.agentpolicy.domain.port;

import dev.agentpolicy.domain.event.passkey.PasskeyKey.PasskeyAlgorithm;
import dev.agentpolicy.domain.port.signin.PasskeyVerifier;
import java.util.List;

class JdkPasskeyVerifierTest implements PasskeyVerifierContract {
    @Override
    public PasskeyVerifier verifier() {
        return new JdkPasskeyVerifier();
    }

    @Override
    public List<PasskeyAlgorithm> algorithms() {
        return List.of(PasskeyAlgorithm.ES256);
    }
}
