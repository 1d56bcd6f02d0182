package dev.agentpolicy.domain.port;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.chain.Erasure;
import java.util.List;

/** {@link Erasures} of an {@link InMemoryStore}. */
record InMemoryErasures(InMemoryStore store) implements Erasures {

    @Override
    public int erase(Erasure entry) {
        return store.account(entry.userId()).erase(entry);
    }

    @Override
    public boolean isPermitted() {
        return true;
    }

    @Override
    public List<UserId> ofDeletedAccounts(int limit) {
        return store.all().stream()
                .filter(account -> store.users().byId(account.user()).isEmpty() && account.hasErasablePayload())
                .map(InMemoryAccount::user)
                .sorted()
                .limit(limit)
                .toList();
    }

    @Override
    public List<Erasure> signedBy(String keyId) {
        return store.all().stream()
                .flatMap(account -> account.erasures().stream())
                .filter(entry -> entry.signingKeyId().equals(keyId))
                .toList();
    }

    @Override
    public void replace(List<Erasure> entries) {
        entries.forEach(entry -> store.account(entry.userId()).replace(entry));
    }
}
