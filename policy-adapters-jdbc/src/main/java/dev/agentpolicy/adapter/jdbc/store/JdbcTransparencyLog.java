package dev.agentpolicy.adapter.jdbc.store;

import static dev.agentpolicy.adapter.jdbc.sql.Timestamps.column;

import dev.agentpolicy.adapter.jdbc.connect.Transactions;
import dev.agentpolicy.adapter.jdbc.dialect.Table;
import dev.agentpolicy.adapter.jdbc.log.Chains;
import dev.agentpolicy.adapter.jdbc.sql.EventColumns;
import dev.agentpolicy.adapter.jdbc.sql.Reads;
import dev.agentpolicy.adapter.jdbc.sql.RowReader;
import dev.agentpolicy.adapter.jdbc.sql.Sql;
import dev.agentpolicy.adapter.jdbc.sql.Sql.Parameter;
import dev.agentpolicy.domain.account.Unavailable;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.chain.ChainHead;
import dev.agentpolicy.domain.event.tlog.ChainLeaf;
import dev.agentpolicy.domain.event.tlog.LogStatus.Stop;
import dev.agentpolicy.domain.event.tlog.SignedNote;
import dev.agentpolicy.domain.event.tlog.Tile;
import dev.agentpolicy.domain.port.RandomSource;
import dev.agentpolicy.domain.port.TransparencyLog;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The transparency log in tables. */
public record JdbcTransparencyLog(Reads reads, Transactions transactions, RandomSource random)
        implements TransparencyLog {
    private static final Logger LOG = LoggerFactory.getLogger(JdbcTransparencyLog.class);
    /** Each row of a chain is at most so many before one that is in the log. */
    private static final int STEP = 256;

    /** The index of a row that waited, but is not in its chain. */
    private static final long MISSING = -1;

    private static final int MAX_TOGETHER = 1_000;
    private static final String LAST = "SELECT * FROM tlog ORDER BY log_number DESC LIMIT 1";
    private static final String IN_USE = "(SELECT max(log_number) FROM tlog)";

    /** A row of a chain. */
    private record RowKey(UserId user, long seq) {
        static RowKey of(ResultSet row) throws SQLException {
            return new RowKey(RowReader.userId(row), row.getLong("seq"));
        }
    }

    @Override
    public Optional<State> state() {
        return reads.first(LAST, JdbcTransparencyLog::state);
    }

    private static State state(ResultSet row) throws SQLException {
        String checkpoint = row.getString("checkpoint");
        return new State(
                row.getInt("log_number"),
                row.getString("origin"),
                row.getString("signing_key_id"),
                row.getLong("fence"),
                row.getLong("log_size"),
                checkpoint == null ? null : SignedNote.read(checkpoint).orElseThrow(),
                row.getLong("published"),
                uncosigned(row.getString("uncosigned")),
                row.getString("stopped") == null
                        ? null
                        : new Stop(row.getString("stopped"), RowReader.instant(row, "stopped_at")));
    }

    private static Map<String, Instant> uncosigned(String lines) {
        return lines.lines()
                .map(line -> line.split(" ", 2))
                .collect(Collectors.toMap(words -> words[1], words -> Instant.parse(words[0])));
    }

    @Override
    public State open(String origin, String keyId) {
        return state().orElseGet(() -> {
            insert(1, origin, keyId);
            return state().orElseThrow();
        });
    }

    private boolean insert(int number, String origin, String keyId) {
        return reads.insert(
                "INSERT INTO tlog(log_number, origin, signing_key_id, fence, log_size, published)"
                        + " VALUES (?, ?, ?, 0, 0, 0)",
                number,
                origin,
                keyId);
    }

    /** The rows go first: those of the new log would be taken for logged ones. */
    @Override
    public boolean replace(State ended, String origin, String keyId) {
        return transactions.inOne(connection -> {
            boolean isInUse = Transactions.update(
                            connection,
                            "UPDATE tlog SET fence = fence + 1 WHERE log_number = ? AND log_number = " + IN_USE,
                            ended.number())
                    > 0;
            if (isInUse) {
                Transactions.update(connection, "DELETE FROM tlog_row");
                Transactions.update(
                        connection,
                        "INSERT INTO tlog(log_number, origin, signing_key_id, fence, log_size, published)"
                                + " VALUES (?, ?, ?, 0, 0, 0)",
                        ended.number() + 1,
                        origin,
                        keyId);
            }
            return isInUse;
        });
    }

    @Override
    public State takeOver() {
        return transactions.inOne(connection -> {
            Transactions.update(connection, "UPDATE tlog SET fence = fence + 1 WHERE log_number = " + IN_USE);
            return Reads.list(connection, LAST, JdbcTransparencyLog::state).get(0);
        });
    }

    @Override
    public void add(Collection<ChainHead> heads) {
        portions(List.copyOf(heads)).forEach(portion -> {
            List<RowKey> keys = portion.stream()
                    .map(head -> new RowKey(head.userId(), head.seq()))
                    .toList();
            transactions.inOne(connection -> addMissing(connection, keys));
        });
    }

    @Override
    public int addForgotten() {
        List<RowKey> ends = new ArrayList<>();
        new Chains(reads).each(head -> ends.add(new RowKey(head.userId(), head.seq())));
        return portions(ends)
                .mapToInt(portion -> transactions.inOne(connection -> addMissing(connection, portion)))
                .sum();
    }

    /** Rows of users who are gone are left out. If another node adds one at the same time, the transaction is repeated. */
    private int addMissing(Connection connection, Collection<RowKey> keys) throws SQLException {
        Set<RowKey> missing = new LinkedHashSet<>(keys);
        missing.removeAll(present(connection, keys));
        return missing.isEmpty()
                ? 0
                : Sql.update(
                        connection,
                        "INSERT INTO tlog_row(user_id, seq) SELECT n.u, n.s FROM unnest(CAST(? AS uuid ARRAY),"
                                + " CAST(? AS bigint ARRAY)) AS n(u, s) JOIN app_user a ON a.user_id = n.u",
                        List.of(
                                Parameter.uuids(missing, key -> key.user.value()),
                                Parameter.bigints(missing, RowKey::seq)));
    }

    private void write(Connection connection, Table table, List<Parameter> columns) throws SQLException {
        Sql.update(connection, reads.dialect().writing(table), columns);
    }

    private void writeRows(Connection connection, Collection<RowKey> rows, Function<RowKey, Long> index)
            throws SQLException {
        write(
                connection,
                Table.TLOG_ROW,
                List.of(
                        Parameter.uuids(rows, row -> row.user.value()),
                        Parameter.bigints(rows, RowKey::seq),
                        Parameter.bigints(rows, index)));
    }

    /** Which of some rows wait, are in the log or are missing. */
    private static Set<RowKey> present(Connection connection, Collection<RowKey> keys) throws SQLException {
        Set<RowKey> present = new HashSet<>();
        Sql.each(
                connection,
                joining("tlog_row", "t.user_id, t.seq"),
                row -> present.add(RowKey.of(row)),
                Parameter.uuids(keys, key -> key.user.value()),
                Parameter.bigints(keys, RowKey::seq));
        return present;
    }

    private static String joining(String table, String columns) {
        return "SELECT " + columns + " FROM unnest(CAST(? AS uuid ARRAY), CAST(? AS bigint ARRAY)) AS n(u, s) JOIN "
                + table + " t ON t.user_id = n.u AND t.seq = n.s";
    }

    private static <T> Stream<List<T>> portions(List<T> all) {
        return Stream.iterate(0, from -> from < all.size(), from -> from + MAX_TOGETHER)
                .map(from -> all.subList(from, Math.min(all.size(), from + MAX_TOGETHER)));
    }

    @Override
    public List<WaitingRow> waiting(int limit) {
        List<RowKey> waiting = reads.list(
                "SELECT user_id, seq FROM tlog_row WHERE entry_index IS NULL ORDER BY entry_index, user_id, seq LIMIT ?",
                RowKey::of,
                limit);
        Set<RowKey> rows = new LinkedHashSet<>(waiting);
        reads.connected(connection -> {
            addSteps(connection, rows, limit);
            return true;
        });
        List<WaitingRow> found = new ArrayList<>();
        reads.dialect()
                .byLane(rows, RowKey::user)
                .forEach(ofLane -> portions(ofLane).forEach(portion -> found.addAll(unlessAway(portion))));
        return found;
    }

    /** Rows of users whose worker is away wait for it. */
    private List<WaitingRow> unlessAway(List<RowKey> rows) {
        try {
            return withHashes(rows);
        } catch (Unavailable away) {
            if (!reads.dialect().isDistributed()) {
                throw away;
            }
            LOG.debug("Rows of users whose worker is away wait for it", away);
            return List.of();
        }
    }

    /** Adds the rows at multiples of 256 before others, as long as one is missing; the next call goes on after the limit. */
    private void addSteps(Connection connection, Set<RowKey> rows, int limit) throws SQLException {
        Set<RowKey> steps = before(rows);
        steps.removeAll(rows);
        while (!steps.isEmpty()) {
            if (rows.size() >= limit + MAX_TOGETHER) {
                List<RowKey> later = List.copyOf(steps);
                transactions.inOne(writing -> addMissing(writing, later));
                return;
            }
            steps.removeAll(present(connection, steps));
            rows.addAll(steps);
            steps = before(steps);
            steps.removeAll(rows);
        }
    }

    private static Set<RowKey> before(Collection<RowKey> rows) {
        return rows.stream()
                .map(row -> new RowKey(row.user, (row.seq - 1) / STEP * STEP))
                .filter(row -> row.seq > 0)
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /**
     * Finds the hash of each row and the secret of its user. Users without a secret get one; rows that are in no chain are marked
     * as missing. What a worker lacks is asked for through the coordinator first, since its shard may just have moved.
     *
     * @param rows of one lane, at least one
     */
    private List<WaitingRow> withHashes(List<RowKey> rows) {
        UserId first = rows.get(0).user;
        Map<RowKey, String> hashes = new HashMap<>(reads.connected(first, connection -> hashes(connection, rows)));
        List<RowKey> unread =
                rows.stream().filter(row -> !hashes.containsKey(row)).toList();
        if (!unread.isEmpty()) {
            hashes.putAll(reads.connected(connection -> hashes(connection, unread)));
        }
        Set<UserId> users = rows.stream().map(RowKey::user).collect(Collectors.toCollection(LinkedHashSet::new));
        Map<UserId, byte[]> secrets = new HashMap<>(reads.connected(first, connection -> secrets(connection, users)));
        Set<UserId> without = new LinkedHashSet<>(users);
        without.removeAll(secrets.keySet());
        if (!without.isEmpty()) {
            without.forEach(user -> transactions.inOne(connection -> addSecret(connection, user)));
            secrets.putAll(reads.connected(connection -> secrets(connection, without)));
        }
        List<WaitingRow> found = new ArrayList<>();
        List<RowKey> missing = new ArrayList<>();
        Set<UserId> gone = new LinkedHashSet<>();
        for (RowKey row : rows) {
            String hash = hashes.get(row);
            byte[] secret = secrets.get(row.user);
            if (hash != null && secret == null) {
                gone.add(row.user);
            } else if (hash == null || secret == null) {
                LOG.warn("Row {} of user {} is not in its chain, so it gets no entry in the log", row.seq, row.user);
                missing.add(row);
            } else {
                found.add(new WaitingRow(row.user, row.seq, hash, secret));
            }
        }
        if (!missing.isEmpty()) {
            transactions.inOne(connection -> {
                writeRows(connection, missing, row -> MISSING);
                return true;
            });
        }
        if (!gone.isEmpty()) {
            transactions.inOne(connection -> Sql.update(
                    connection,
                    "DELETE FROM tlog_row WHERE user_id = ANY(?)",
                    List.of(Parameter.uuids(gone, UserId::value))));
        }
        return found;
    }

    /**
     * Gives an account its secret, unless its user is gone: nothing of a deleted account is to be found in the log again. Both
     * rows are locked before, so that a deletion at the same time is seen.
     */
    private int addSecret(Connection connection, UserId user) throws SQLException {
        Reads.list(
                connection, "SELECT 1 FROM account WHERE user_id = ? FOR UPDATE", row -> row.getInt(1), user.value());
        boolean isThere = !Reads.list(
                        connection, "SELECT 1 FROM app_user WHERE user_id = ? FOR UPDATE", row -> true, user.value())
                .isEmpty();
        return isThere
                ? Transactions.update(
                        connection,
                        "UPDATE account SET log_secret = ? WHERE user_id = ? AND log_secret IS NULL",
                        random.bytes(ChainLeaf.SECRET_BYTES),
                        user.value())
                : 0;
    }

    private Map<RowKey, String> hashes(Connection connection, List<RowKey> rows) throws SQLException {
        Map<RowKey, String> hashes = new HashMap<>();
        Sql.each(
                connection,
                joining("policy_event", "t.user_id, t.seq, t.hash")
                        + reads.dialect().ofUsers("t"),
                row -> hashes.put(RowKey.of(row), EventColumns.hash(row, "hash")),
                Sql.withUsers(
                        reads.dialect(),
                        Parameter.uuids(rows, key -> key.user.value()),
                        Parameter.bigints(rows, RowKey::seq)));
        return hashes;
    }

    private static Map<UserId, byte[]> secrets(Connection connection, Set<UserId> users) throws SQLException {
        Map<UserId, byte[]> secrets = new HashMap<>();
        Sql.each(
                connection,
                "SELECT user_id, log_secret FROM account WHERE user_id = ANY(?) AND log_secret IS NOT NULL",
                row -> secrets.put(RowReader.userId(row), row.getBytes("log_secret")),
                Parameter.uuids(users, UserId::value));
        return secrets;
    }

    @Override
    public boolean append(State state, Map<WaitingRow, Long> rows, Tile.TileWriter grown) {
        Map<RowKey, Long> places = new LinkedHashMap<>();
        rows.forEach((row, index) -> places.put(new RowKey(row.user(), row.seq()), index));
        List<Map.Entry<Tile, byte[]>> tiles = List.copyOf(grown.grown().entrySet());
        return transactions.inOne(connection -> {
            boolean isMine = Transactions.update(
                            connection,
                            "UPDATE tlog SET log_size = ? WHERE log_number = ? AND fence = ? AND log_size = ?",
                            grown.size(),
                            state.number(),
                            state.fence(),
                            state.size())
                    > 0;
            if (!isMine) {
                return false;
            }
            write(
                    connection,
                    Table.TLOG_TILE,
                    List.of(
                            Parameter.of("integer", tiles, tile -> state.number()),
                            Parameter.of("smallint", tiles, tile ->
                                    (short) tile.getKey().level()),
                            Parameter.bigints(tiles, tile -> tile.getKey().index()),
                            Parameter.of("bytea", tiles, Map.Entry::getValue)));
            writeRows(connection, places.keySet(), row -> Objects.requireNonNull(places.get(row)));
            return true;
        });
    }

    @Override
    public boolean publish(State state, long size, SignedNote checkpoint, Map<String, Instant> uncosigned) {
        String missing = uncosigned.entrySet().stream()
                .map(witness -> witness.getValue() + " " + witness.getKey())
                .collect(Collectors.joining("\n"));
        return transactions.update(
                        "UPDATE tlog SET checkpoint = ?, uncosigned = ?, published = ? WHERE log_number = ? AND fence = ?"
                                + " AND published <= ? AND log_size >= ? AND stopped IS NULL",
                        checkpoint.note(),
                        missing,
                        size,
                        state.number(),
                        state.fence(),
                        size,
                        size)
                > 0;
    }

    @Override
    public void stop(State state, Stop stop) {
        transactions.update(
                "UPDATE tlog SET stopped = ?, stopped_at = ? WHERE log_number = ? AND stopped IS NULL",
                stop.reason(),
                column(stop.at()),
                state.number());
    }

    @Override
    public Optional<byte[]> tile(Tile tile) {
        return reads.first(
                "SELECT data FROM tlog_tile WHERE log_number = " + IN_USE + " AND level = ? AND tile_index = ?",
                row -> row.getBytes("data"),
                tile.level(),
                tile.index());
    }

    @Override
    public Optional<Place> covering(UserId user, long seq) {
        return reads.first(
                "SELECT seq, entry_index FROM tlog_row WHERE user_id = ? AND seq >= ? AND entry_index >= 0"
                        + " ORDER BY user_id, seq LIMIT 1",
                row -> new Place(row.getLong("seq"), row.getLong("entry_index")),
                user.value(),
                seq);
    }

    @Override
    public Optional<byte[]> secret(UserId user) {
        return reads.first(
                "SELECT log_secret FROM account WHERE user_id = ? AND log_secret IS NOT NULL",
                row -> row.getBytes("log_secret"),
                user.value());
    }
}
