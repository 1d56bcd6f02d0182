package dev.agentpolicy.domain.port;

import dev.agentpolicy.domain.event.TestKey;

class TestKeyTest implements EventSignerContract {

    @Override
    public EventSigner signer() {
        return TestKey.ONE;
    }

    @Override
    public String publicKey() {
        return TestKey.ONE.x();
    }
}
