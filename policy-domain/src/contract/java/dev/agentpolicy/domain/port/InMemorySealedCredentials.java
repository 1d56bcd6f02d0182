package dev.agentpolicy.domain.port;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.custodian.BrokerEnvironment;
import dev.agentpolicy.domain.event.signing.SigningKey.Purpose;
import dev.agentpolicy.domain.port.SealedKeys.SealedKey;
import dev.agentpolicy.domain.port.SyncSchedule.CustodianRef;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** Sealed credentials in memory, beside sealed keys. */
public final class InMemorySealedCredentials implements SealedCredentials {
    private final Map<CustodianRef, SealedCredential> all = new LinkedHashMap<>();
    private final Map<CustodianRef, Long> versions = new HashMap<>();
    private final SealedKeys keys;

    /** @param keys have the active event key */
    public InMemorySealedCredentials(SealedKeys keys) {
        this.keys = keys;
    }

    @Override
    public synchronized boolean store(
            UserId user,
            String custodian,
            long version,
            BrokerEnvironment environment,
            Function<SealedKey, byte[]> sealing) {
        CustodianRef ref = new CustodianRef(user, custodian);
        if (versions.getOrDefault(ref, 0L) > version) {
            return false;
        }
        versions.put(ref, version);
        byte[] ciphertext = sealing.apply(keys.active(Purpose.EVENT).orElseThrow());
        all.put(ref, new SealedCredential(user, custodian, ciphertext));
        return true;
    }

    @Override
    public synchronized Optional<SealedCredential> find(UserId user, String custodian) {
        return Optional.ofNullable(all.get(new CustodianRef(user, custodian)));
    }

    @Override
    public synchronized boolean delete(UserId user, String custodian, long version) {
        CustodianRef ref = new CustodianRef(user, custodian);
        if (versions.getOrDefault(ref, Long.MAX_VALUE) > version) {
            return false;
        }
        versions.remove(ref);
        return all.remove(ref) != null;
    }

    @Override
    public synchronized List<SealedCredential> all() {
        return List.copyOf(all.values());
    }

    @Override
    public synchronized int reseal(UnaryOperator<SealedCredential> sealing) {
        all.replaceAll((custodian, stored) -> sealing.apply(stored));
        return all.size();
    }
}
