package dev.agentpolicy.domain.port;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.custodian.RecordedFill;
import dev.agentpolicy.domain.trade.AssetSymbol;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** Reads the fills of an {@link InMemoryStore}. */
record InMemoryFills(InMemoryStore store) implements FillLog {

    @Override
    public Optional<RecordedFill> find(UserId user, String custodian, String fillId) {
        return store.account(user).fills().stream()
                .filter(it -> it.fill().custodian().equals(custodian))
                .filter(it -> it.fill().id().equals(fillId))
                .findFirst();
    }

    @Override
    public List<RecordedFill> ofRequests(UserId user, Collection<Long> requests) {
        return store.account(user).fills().stream()
                .filter(it -> it.requestId() != null && requests.contains(it.requestId()))
                .toList();
    }

    @Override
    public List<RecordedFill> withoutRequest(UserId user, int limit) {
        List<RecordedFill> found = new ArrayList<>(store.account(user).fills().stream()
                .filter(it -> it.requestId() == null)
                .toList());
        Collections.reverse(found);
        return found.stream().limit(limit).toList();
    }

    @Override
    public boolean isTraded(UserId user, AssetSymbol symbol) {
        return store.account(user).fills().stream()
                .anyMatch(it -> it.fill().symbol().equals(symbol));
    }
}
