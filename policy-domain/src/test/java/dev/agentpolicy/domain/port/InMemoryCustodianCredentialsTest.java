package dev.agentpolicy.domain.port;

class InMemoryCustodianCredentialsTest implements CustodianCredentialsContract {
    private final InMemorySyncSchedule schedule = new InMemorySyncSchedule();
    private final CustodianCredentials credentials = new InMemoryCustodianCredentials(schedule);

    @Override
    public CustodianCredentials credentials() {
        return credentials;
    }

    @Override
    public SyncSchedule schedule() {
        return schedule;
    }
}
