package dev.agentpolicy.adapter.jdbc.store;

import static dev.agentpolicy.adapter.jdbc.connect.Transactions.update;
import static dev.agentpolicy.adapter.jdbc.sql.Timestamps.column;

import dev.agentpolicy.adapter.jdbc.connect.Transactions;
import dev.agentpolicy.adapter.jdbc.sql.Reads;
import dev.agentpolicy.adapter.jdbc.sql.RowReader;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.port.signin.PushDevices;
import java.net.URI;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Stores devices, and in the rows of their users when these are told of requests. */
public record JdbcPushDevices(Reads reads, Transactions transactions) implements PushDevices {
    private static final String OF_USER =
            "SELECT * FROM push_device WHERE user_id = ? ORDER BY created_at DESC, device_id";

    private static final String DELETE = "DELETE FROM push_device WHERE user_id = ? AND device_id = ?";

    /** When a user is to be told of requests, and when the user was last told. */
    private record Turn(@Nullable Instant dueAt, @Nullable Instant toldAt) {}

    @Override
    public List<PushDevice> add(PushDevice device) {
        return transactions.inOne(connection -> {
            List<PushDevice> gone = new ArrayList<>(Reads.list(
                    connection,
                    "SELECT * FROM push_device WHERE endpoint = ? AND user_id <> ?",
                    JdbcPushDevices::device,
                    device.endpoint().toString(),
                    device.user().value()));
            update(
                    connection,
                    "DELETE FROM push_device WHERE endpoint = ?",
                    device.endpoint().toString());
            update(
                    connection,
                    "INSERT INTO push_device(device_id, user_id, name, endpoint, public_key, secret, created_at)"
                            + " VALUES (?, ?, ?, ?, ?, ?, ?)",
                    device.id(),
                    device.user().value(),
                    device.name(),
                    device.endpoint().toString(),
                    device.publicKey(),
                    device.secret(),
                    column(device.createdAt()));
            List<PushDevice> oldest = Reads.list(
                    connection,
                    OF_USER + " OFFSET ? ROWS",
                    JdbcPushDevices::device,
                    device.user().value(),
                    MAX);
            for (PushDevice beyond : oldest) {
                update(connection, DELETE, device.user().value(), beyond.id());
            }
            gone.addAll(oldest);
            return gone;
        });
    }

    @Override
    public List<PushDevice> of(UserId user) {
        return reads.list(OF_USER, JdbcPushDevices::device, user.value());
    }

    private static PushDevice device(ResultSet row) throws SQLException {
        return new PushDevice(
                row.getObject("device_id", UUID.class),
                RowReader.userId(row),
                row.getString("name"),
                URI.create(row.getString("endpoint")),
                row.getString("public_key"),
                row.getString("secret"),
                RowReader.instant(row, "created_at"));
    }

    @Override
    public Optional<PushDevice> remove(UserId user, UUID id) {
        return transactions.inOne(connection -> {
            List<PushDevice> found = Reads.list(
                    connection,
                    "SELECT * FROM push_device WHERE user_id = ? AND device_id = ?",
                    JdbcPushDevices::device,
                    user.value(),
                    id);
            return update(connection, DELETE, user.value(), id) > 0
                    ? found.stream().findFirst()
                    : Optional.empty();
        });
    }

    @Override
    public List<UserId> due(Instant now, int limit) {
        return reads.list(
                "SELECT user_id FROM app_user WHERE push_due_at <= ? ORDER BY push_due_at LIMIT ?",
                RowReader::userId,
                column(now),
                limit);
    }

    @Override
    public boolean claim(UserId user, Instant now, boolean isNew, UnaryOperator<@Nullable Instant> next) {
        return transactions.inOne(connection -> {
            List<Turn> found = Reads.list(
                    connection,
                    "SELECT push_due_at, pushed_at FROM app_user WHERE user_id = ? FOR UPDATE",
                    row -> new Turn(
                            RowReader.instantOrNull(row, "push_due_at"), RowReader.instantOrNull(row, "pushed_at")),
                    user.value());
            if (found.isEmpty() || !isNew && found.get(0).dueAt() == null) {
                return false;
            }
            Instant due = next.apply(found.get(0).toldAt());
            if (due != null && due.isAfter(now)) {
                update(connection, "UPDATE app_user SET push_due_at = ? WHERE user_id = ?", column(due), user.value());
                return false;
            }
            update(
                    connection,
                    "UPDATE app_user SET push_due_at = NULL, pushed_at = ? WHERE user_id = ?",
                    column(now),
                    user.value());
            return true;
        });
    }
}
