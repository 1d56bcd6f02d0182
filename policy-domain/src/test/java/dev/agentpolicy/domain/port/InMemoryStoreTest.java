package dev.agentpolicy.domain.port;

import dev.agentpolicy.domain.event.signing.SigningKey;

/** The store in memory fulfils the contracts of the databases. */
class InMemoryStoreTest implements EveryPortContract {
    private final SettableClock clock = new SettableClock(StoreSamples.START);
    private final JdkSigner signer = new JdkSigner();
    private final InMemoryStore store = new InMemoryStore(clock, signer);

    @Override
    public Ports ports() {
        return store;
    }

    @Override
    public SettableClock clock() {
        return clock;
    }

    @Override
    public SigningKey signingKey() {
        return signer.key();
    }
}
