package dev.agentpolicy.adapter.jdbc.store;

import dev.agentpolicy.adapter.jdbc.sql.Reads;
import dev.agentpolicy.adapter.jdbc.sql.RowReader;
import dev.agentpolicy.adapter.jdbc.sql.Timestamps;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.port.RequestQueue;
import dev.agentpolicy.domain.request.IdempotencyKey;
import dev.agentpolicy.domain.request.ServiceRequest;
import dev.agentpolicy.domain.request.ServiceRequest.Pending;
import dev.agentpolicy.domain.request.ServiceRequest.RequestStatus;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads requests. The ids of a user's requests grow with time. */
public record JdbcRequestQueue(Reads reads) implements RequestQueue {
    private static final Logger LOG = LoggerFactory.getLogger(JdbcRequestQueue.class);
    private static final int MAX_WARNED = 1_000;
    private static final Set<RequestRef> WARNED = ConcurrentHashMap.newKeySet();
    private static final String OF_USER = "SELECT * FROM service_request WHERE user_id = ? AND id < ?";
    private static final int REPLAYS_AT_ONCE = 1_000;
    /** The last of the oldest that are forgotten at once. H2 takes seconds for a DELETE that names them by a subquery. */
    private static final String LAST_OF_REPLAYS = "SELECT created_at FROM idempotency WHERE created_at <= ?"
            + " ORDER BY created_at OFFSET " + (REPLAYS_AT_ONCE - 1) + " ROWS FETCH FIRST 1 ROW ONLY";

    private static final String IS_WAITING = "status = 'pending' AND accepted_at IS NULL";

    @Override
    public List<ServiceRequest> page(UserId user, @Nullable RequestStatus status, @Nullable Long before, int limit) {
        return status == null
                ? reads.list(
                        OF_USER + " ORDER BY user_id DESC, id DESC LIMIT ?",
                        RowReader::request,
                        user.value(),
                        end(before),
                        limit)
                : reads.list(
                        OF_USER + " AND status = ? ORDER BY user_id DESC, status DESC, id DESC LIMIT ?",
                        RowReader::request,
                        user.value(),
                        end(before),
                        status.wireName(),
                        limit);
    }

    /** A row that cannot be read is left out, so that it holds up no other request. */
    @Override
    public List<Pending> waiting(UserId user, @Nullable Long before, int limit) {
        List<Pending> found = new ArrayList<>();
        long end = end(before);
        while (found.size() < limit) {
            int missing = limit - found.size();
            List<Long> ids = reads.list(
                    OF_USER + " AND " + IS_WAITING + " ORDER BY user_id DESC, status DESC, id DESC LIMIT ?",
                    row -> {
                        readable(user, row).ifPresent(found::add);
                        return row.getLong("id");
                    },
                    user.value(),
                    end,
                    missing);
            if (ids.size() < missing) {
                break;
            }
            end = ids.get(missing - 1);
        }
        return found;
    }

    private static Optional<Pending> readable(UserId user, ResultSet row) throws SQLException {
        try {
            return Optional.of((Pending) RowReader.request(row));
        } catch (RuntimeException spoilt) {
            RequestRef request = new RequestRef(user, row.getLong("id"));
            if (WARNED.size() < MAX_WARNED && WARNED.add(request)) {
                LOG.warn("Request {} of user {} cannot be read", request.requestId(), user.value(), spoilt);
            }
            return Optional.empty();
        }
    }

    @Override
    public int countWaiting(UserId user, int max) {
        return reads.list(
                        "SELECT count(*) FROM (SELECT 1 AS one FROM service_request WHERE user_id = ? AND " + IS_WAITING
                                + " LIMIT ?) AS waiting",
                        row -> row.getInt(1),
                        user.value(),
                        max)
                .get(0);
    }

    @Override
    public Optional<ServiceRequest> find(UserId user, long id) {
        return Optional.ofNullable(findAll(user, List.of(id)).get(id));
    }

    @Override
    public Map<Long, ServiceRequest> findAll(UserId user, Collection<Long> ids) {
        if (ids.isEmpty()) {
            return Map.of();
        }
        return reads
                .connected(connection -> Reads.list(
                        connection,
                        "SELECT * FROM service_request WHERE user_id = ? AND id = ANY(?)",
                        RowReader::request,
                        user.value(),
                        connection.createArrayOf("bigint", ids.toArray())))
                .stream()
                .collect(Collectors.toMap(ServiceRequest::id, Function.identity()));
    }

    @Override
    public List<RequestRef> expired(Instant now, int limit) {
        return refs(IS_WAITING + " AND expires_at <= ? ORDER BY status, expires_at", now, limit);
    }

    @Override
    public List<RequestRef> unconfirmed(Instant acceptedBefore, int limit) {
        return refs("unconfirmed_since < ? ORDER BY unconfirmed_since", acceptedBefore, limit);
    }

    @Override
    public List<ServiceRequest> attested(UserId user, @Nullable Long before, int limit) {
        return reads.list(
                OF_USER + " AND is_attested ORDER BY user_id DESC, is_attested DESC, id DESC LIMIT ?",
                RowReader::request,
                user.value(),
                end(before),
                limit);
    }

    private List<RequestRef> refs(String condition, Instant moment, int limit) {
        return reads.ofAllUsers(
                "SELECT user_id, id FROM service_request WHERE " + condition + " LIMIT ?",
                row -> new RequestRef(RowReader.userId(row), row.getLong("id")),
                Timestamps.column(moment),
                limit);
    }

    private static long end(@Nullable Long before) {
        return before == null ? Long.MAX_VALUE : before;
    }

    /**
     * Deletes all expired idempotency records and returns how many there were. Works in small portions, so that no lane waits
     * long for their locks.
     */
    public int removeOldReplays(Instant now) {
        OffsetDateTime expiry = Timestamps.column(now.minus(IdempotencyKey.WINDOW));
        int removed = 0;
        Optional<OffsetDateTime> last;
        do {
            last = reads.first(LAST_OF_REPLAYS, row -> row.getObject(1, OffsetDateTime.class), expiry);
            removed += reads.update("DELETE FROM idempotency WHERE created_at <= ?", last.orElse(expiry));
        } while (last.isPresent());
        return removed;
    }
}
