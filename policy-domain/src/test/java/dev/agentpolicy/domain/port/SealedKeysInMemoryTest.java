package dev.agentpolicy.domain.port;

class SealedKeysInMemoryTest implements SealedKeysContract {

    @Override
    public SealedKeys emptyKeys() {
        return new SealedKeysInMemory();
    }
}
