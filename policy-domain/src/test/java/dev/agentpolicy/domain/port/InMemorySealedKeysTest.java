package dev.agentpolicy.domain.port;

class InMemorySealedKeysTest implements SealedKeysContract {

    @Override
    public SealedKeys emptyKeys() {
        return new InMemorySealedKeys();
    }
}
