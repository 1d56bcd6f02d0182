package dev.agentpolicy.domain.custodian;

import static dev.agentpolicy.domain.document.Schema.required;

import dev.agentpolicy.domain.document.Codec;
import dev.agentpolicy.domain.document.Schema;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The connections of a user to synced custodians.
 *
 * @param all in the order in which they were made
 * @param version grows whenever one is made, gets other credentials, or is removed
 */
public record CustodianConnections(List<CustodianConnection> all, long version) {
    public static final CustodianConnections NONE = new CustodianConnections(List.of(), 0);

    /** The members of stored connections. */
    public static final Schema<CustodianConnections> STORED = Schema.of(
            row -> new CustodianConnections(row.next(), row.next()),
            required("connections", Codec.list(CustodianConnection.STORED), CustodianConnections::all),
            required("version", Codec.LONG, CustodianConnections::version));

    public CustodianConnections {
        all = List.copyOf(all);
    }

    public Optional<CustodianConnection> find(String id) {
        return all.stream().filter(connection -> connection.id().equals(id)).findFirst();
    }

    /** The connections with one more, or with another state of one. */
    public CustodianConnections with(CustodianConnection connection) {
        List<CustodianConnection> next = new ArrayList<>(all);
        int place = next.indexOf(find(connection.id()).orElse(null));
        if (place < 0) {
            next.add(connection);
        } else {
            next.set(place, connection);
        }
        return new CustodianConnections(next, version);
    }

    public CustodianConnections without(String id) {
        List<CustodianConnection> left =
                all.stream().filter(connection -> !connection.id().equals(id)).toList();
        return new CustodianConnections(left, version);
    }

    /** The same connections at the next version. */
    public CustodianConnections next() {
        return new CustodianConnections(all, version + 1);
    }

    /** The custodian that was not heard of for the longest time, if that is too long to decide by; else null. */
    public @Nullable StaleCustodian stale(Instant now) {
        // Called for every decision; most accounts have no connection.
        return all.isEmpty()
                ? null
                : all.stream()
                        .filter(connection -> connection.isTooOld(now))
                        .min(Comparator.comparing(CustodianConnection::lastSyncedAt))
                        .map(StaleCustodian::of)
                        .orElse(null);
    }
}
