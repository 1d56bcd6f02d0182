package dev.agentpolicy.domain.port;

class InMemoryCallCounterTest implements CallCounterContract {
    private final CallCounter counter = new InMemoryCallCounter(LIMIT);

    @Override
    public CallCounter counter() {
        return counter;
    }
}
