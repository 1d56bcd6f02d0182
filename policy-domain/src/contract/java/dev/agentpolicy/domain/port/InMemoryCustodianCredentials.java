package dev.agentpolicy.domain.port;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.custodian.BrokerCredentials;
import dev.agentpolicy.domain.port.SyncSchedule.CustodianRef;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Credentials in memory.
 *
 * @param schedule gets the custodians that have credentials
 */
public record InMemoryCustodianCredentials(InMemorySyncSchedule schedule, Map<CustodianRef, Versioned> all)
        implements CustodianCredentials {

    public InMemoryCustodianCredentials(InMemorySyncSchedule schedule) {
        this(schedule, new HashMap<>());
    }

    /** Credentials and the version of the connections that they belong to. */
    public record Versioned(long version, BrokerCredentials credentials) {}

    @Override
    public synchronized boolean store(UserId user, String custodian, long version, BrokerCredentials credentials) {
        CustodianRef ref = new CustodianRef(user, custodian);
        Versioned stored = all.get(ref);
        if (stored != null && stored.version > version) {
            return false;
        }
        all.put(ref, new Versioned(version, credentials));
        schedule.add(ref);
        return true;
    }

    @Override
    public synchronized Optional<BrokerCredentials> find(UserId user, String custodian) {
        return Optional.ofNullable(all.get(new CustodianRef(user, custodian))).map(Versioned::credentials);
    }

    @Override
    public synchronized boolean delete(UserId user, String custodian, long version) {
        CustodianRef ref = new CustodianRef(user, custodian);
        Versioned stored = all.get(ref);
        if (stored == null || stored.version > version) {
            return false;
        }
        all.remove(ref);
        schedule.remove(ref);
        return true;
    }
}
