package dev.agentpolicy.domain.port;

class InMemoryCallLogTest implements CallLogContract {
    private final CallLog calls = new InMemoryCallLog();

    @Override
    public CallLog calls() {
        return calls;
    }

    @Override
    public CallLog otherNode() {
        return calls;
    }
}
