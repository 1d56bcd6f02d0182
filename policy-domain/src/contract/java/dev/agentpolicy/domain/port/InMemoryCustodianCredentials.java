package dev.agentpolicy.domain.port;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.custodian.BrokerCredentials;
import dev.agentpolicy.domain.port.SyncSchedule.CustodianRef;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Credentials in memory.
 *
 * @param schedule gets the custodians that have credentials
 */
public record InMemoryCustodianCredentials(InMemorySyncSchedule schedule, Map<CustodianRef, BrokerCredentials> all)
        implements CustodianCredentials {

    public InMemoryCustodianCredentials(InMemorySyncSchedule schedule) {
        this(schedule, new ConcurrentHashMap<>());
    }

    @Override
    public CompletionStage<Boolean> store(UserId user, String custodian, BrokerCredentials credentials) {
        CustodianRef ref = new CustodianRef(user, custodian);
        all.put(ref, credentials);
        schedule.add(ref);
        return CompletableFuture.completedFuture(true);
    }

    @Override
    public CompletionStage<Optional<BrokerCredentials>> find(UserId user, String custodian) {
        return CompletableFuture.completedFuture(Optional.ofNullable(all.get(new CustodianRef(user, custodian))));
    }

    @Override
    public CompletionStage<Boolean> delete(UserId user, String custodian) {
        CustodianRef ref = new CustodianRef(user, custodian);
        schedule.remove(ref);
        return CompletableFuture.completedFuture(all.remove(ref) != null);
    }
}
