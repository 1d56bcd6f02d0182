package dev.agentpolicy.domain.port;

class InMemorySyncScheduleTest implements SyncScheduleContract {
    private final InMemorySyncSchedule schedule = new InMemorySyncSchedule();

    @Override
    public SyncSchedule schedule() {
        return schedule;
    }

    @Override
    public SyncSchedule otherNode() {
        return schedule;
    }

    @Override
    public void connect(SyncSchedule.CustodianRef custodian) {
        schedule.add(custodian);
    }
}
