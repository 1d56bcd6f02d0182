package dev.agentpolicy.adapter.jdbc.store;

import dev.agentpolicy.adapter.jdbc.sql.Reads;
import dev.agentpolicy.adapter.jdbc.sql.RowReader;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.port.RequestQueue;
import dev.agentpolicy.domain.request.ServiceRequest;
import dev.agentpolicy.domain.request.ServiceRequest.Pending;
import dev.agentpolicy.domain.request.ServiceRequest.RequestStatus;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads requests. The ids of a user's requests grow with time. */
public record JdbcRequestQueue(Reads reads) implements RequestQueue {

    @Override
    public List<ServiceRequest> page(UserId user, @Nullable RequestStatus status, @Nullable Long before, int limit) {
        String sql = "SELECT * FROM service_request WHERE user_id = :user"
                + (status == null ? "" : " AND status = :status") + " AND id < :before ORDER BY user_id DESC, "
                + (status == null ? "" : "status DESC, ") + "id DESC LIMIT :limit";
        return reads.with(handle -> {
            var query = handle.createQuery(sql)
                    .bind("user", user.value())
                    .bind("before", before == null ? Long.MAX_VALUE : before)
                    .bind("limit", limit);
            if (status != null) {
                query.bind("status", status.wireName());
            }
            return query.map((row, context) -> RowReader.request(row)).list();
        });
    }

    @Override
    public List<Pending> waiting(UserId user, @Nullable Long before, int limit) {
        return reads.with(handle -> handle.createQuery(
                        "SELECT * FROM service_request WHERE user_id = :user AND status = 'pending' AND id < :before"
                                + " AND accepted_at IS NULL ORDER BY user_id DESC, status DESC, id DESC LIMIT :limit")
                .bind("user", user.value())
                .bind("before", before == null ? Long.MAX_VALUE : before)
                .bind("limit", limit)
                .map((row, context) -> (Pending) RowReader.request(row))
                .list());
    }

    @Override
    public int countWaiting(UserId user, int max) {
        return reads.with(handle -> handle.createQuery(
                        "SELECT count(*) FROM (SELECT 1 AS one FROM service_request"
                                + " WHERE user_id = :user AND status = 'pending' AND accepted_at IS NULL LIMIT :max) AS waiting")
                .bind("user", user.value())
                .bind("max", max)
                .mapTo(Integer.class)
                .one());
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
        return reads.with(handle -> handle
                .createQuery("SELECT * FROM service_request WHERE user_id = :user AND id IN (<ids>)")
                .bind("user", user.value())
                .bindList("ids", List.copyOf(ids))
                .map((row, context) -> RowReader.request(row))
                .stream()
                .collect(Collectors.toMap(ServiceRequest::id, Function.identity())));
    }

    @Override
    public List<RequestRef> expired(Instant now, int limit) {
        return waiting(
                "status = 'pending' AND accepted_at IS NULL AND expires_at <= :moment ORDER BY status, expires_at",
                now,
                limit);
    }

    @Override
    public List<RequestRef> unconfirmed(Instant acceptedBefore, int limit) {
        return waiting("unconfirmed_since < :moment ORDER BY unconfirmed_since", acceptedBefore, limit);
    }

    @Override
    public List<ServiceRequest> attested(UserId user, @Nullable Long before, int limit) {
        return reads.with(
                handle -> handle.createQuery("SELECT * FROM service_request WHERE user_id = :user AND is_attested"
                                + " AND id < :before ORDER BY user_id DESC, is_attested DESC, id DESC LIMIT :limit")
                        .bind("user", user.value())
                        .bind("before", before == null ? Long.MAX_VALUE : before)
                        .bind("limit", limit)
                        .map((row, context) -> RowReader.request(row))
                        .list());
    }

    private List<RequestRef> waiting(String condition, Instant moment, int limit) {
        return reads.with(handle -> handle.createQuery(
                        "SELECT user_id, id FROM service_request WHERE " + condition + " LIMIT :limit")
                .bind("moment", moment)
                .bind("limit", limit)
                .map((row, context) -> new RequestRef(RowReader.userId(row), row.getLong("id")))
                .list());
    }
}
