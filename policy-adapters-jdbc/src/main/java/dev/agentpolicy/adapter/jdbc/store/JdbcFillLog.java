package dev.agentpolicy.adapter.jdbc.store;

import dev.agentpolicy.adapter.jdbc.sql.Reads;
import dev.agentpolicy.adapter.jdbc.sql.RowReader;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.custodian.RecordedFill;
import dev.agentpolicy.domain.port.FillLog;
import dev.agentpolicy.domain.trade.AssetSymbol;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** Reads the recorded fills. */
public record JdbcFillLog(Reads reads) implements FillLog {

    @Override
    public Optional<RecordedFill> find(UserId user, String custodian, String fillId) {
        return reads.first(
                "SELECT document FROM custodian_fill WHERE user_id = ? AND custodian_id = ? AND fill_id = ?",
                RowReader::fill,
                user.value(),
                custodian,
                fillId);
    }

    @Override
    public List<RecordedFill> ofRequests(UserId user, Collection<Long> requests) {
        if (requests.isEmpty()) {
            return List.of();
        }
        return reads.connected(connection -> Reads.list(
                connection,
                "SELECT document FROM custodian_fill WHERE user_id = ? AND request_id = ANY(?) ORDER BY place",
                RowReader::fill,
                user.value(),
                connection.createArrayOf("bigint", requests.toArray())));
    }

    @Override
    public List<RecordedFill> withoutRequest(UserId user, int limit) {
        return reads.list(
                "SELECT document FROM custodian_fill WHERE user_id = ? AND request_id IS NULL"
                        + " ORDER BY user_id DESC, request_id DESC, place DESC LIMIT ?",
                RowReader::fill,
                user.value(),
                limit);
    }

    @Override
    public boolean isTraded(UserId user, AssetSymbol symbol) {
        return reads.first(
                        "SELECT 1 FROM custodian_fill WHERE user_id = ? AND symbol = ? LIMIT 1",
                        row -> true,
                        user.value(),
                        symbol.value())
                .isPresent();
    }
}
