package dev.agentpolicy.adapter.jdbc.store;

import dev.agentpolicy.adapter.jdbc.async.QueryExecutor;
import dev.agentpolicy.adapter.jdbc.async.QueryExecutor.BatchingReader;
import dev.agentpolicy.adapter.jdbc.cache.RevisionCache;
import dev.agentpolicy.adapter.jdbc.dialect.Dialect;
import dev.agentpolicy.adapter.jdbc.sql.AccountRow;
import dev.agentpolicy.adapter.jdbc.sql.Reads;
import dev.agentpolicy.adapter.jdbc.sql.RowReader;
import dev.agentpolicy.adapter.jdbc.sql.Sql;
import dev.agentpolicy.adapter.jdbc.sql.Timestamps;
import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.FlowCounts;
import dev.agentpolicy.domain.agent.Tally;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.custodian.CustodianConnections;
import dev.agentpolicy.domain.ips.IpsVersion;
import dev.agentpolicy.domain.ips.ListedIpsVersion;
import dev.agentpolicy.domain.port.AccountReader;
import dev.agentpolicy.domain.portfolio.Portfolio;
import dev.agentpolicy.domain.portfolio.PortfolioDay;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Reads the account row from the database, and the documents that it refers to from caches. */
public final class JdbcAccountReader implements AccountReader {
    private static final int PORTFOLIOS_PER_QUERY = 8;

    private final Reads reads;
    private final RevisionCache revisions;
    private final BatchingReader<KeyRef, KeyView> standings;

    public JdbcAccountReader(Reads reads, RevisionCache revisions, QueryExecutor queries) {
        this.reads = reads;
        this.revisions = revisions;
        this.standings = queries.batching(this::standings, reads.dialect().askedTogether());
    }

    @Override
    public AccountView view(UserId user) {
        return view(AccountRow.find(reads, user));
    }

    @Override
    public CompletionStage<KeyView> view(UserId user, AgentKey presented) {
        return standings
                .find(new KeyRef(user, presented.id()))
                .thenApply(found -> found.orElseGet(
                        () -> new KeyView(null, null, null, CustodianConnections.NONE, Tally.NONE, FlowCounts.NONE)));
    }

    private AccountView view(AccountRow row) {
        UserId user = row.userId();
        return new AccountView(
                row.head(),
                ips(user, row.ipsVersion()),
                portfolio(user, row.portfolioRev()),
                row.connections(),
                row.passkeys(),
                row.flows(),
                keysAt(user, row.keysRev()));
    }

    private Map<KeyRef, KeyView> standings(Collection<KeyRef> asked) {
        Map<KeyRef, KeyView> found = new HashMap<>();
        keyRows(asked)
                .forEach((of, row) -> found.put(
                        of,
                        new KeyView(
                                keysAt(of.user, row.keysRev).get(of.key),
                                ips(of.user, row.ipsVersion),
                                portfolio(of.user, row.portfolioRev),
                                RowReader.connections(row.connections),
                                row.tally,
                                RowReader.flows(row.flows))));
        return found;
    }

    /**
     * Reads the stored tallies and replays the journal tail on them; the query returns a row for each decision of the
     * tail.
     */
    private Map<KeyRef, KeyRow> keyRows(Collection<KeyRef> asked) {
        Dialect dialect = reads.dialect();
        Sql.Parameter users = Sql.Parameter.uuids(asked, it -> it.user.value());
        Sql.Parameter keys = Sql.Parameter.uuids(asked, it -> it.key.value());
        Map<KeyRef, KeyRow> rows = new HashMap<>();
        return reads.connected(connection -> {
            Sql.each(
                    connection,
                    "SELECT n.u, n.k, a.ips_version, a.portfolio_rev, a.keys_rev,"
                            + " CASE WHEN e.seq IS NULL OR e.seq = a.chain_seq + 1 THEN a.connections END AS connections,"
                            + " CASE WHEN e.seq IS NULL OR e.seq = a.chain_seq + 1 THEN a.flows END AS flows,"
                            + " t.tally_day, t.calls, t.usd, t.pending_buys, t.completed_buys, t.completed_sells, t.pending,"
                            + " CASE WHEN e.agent_key_id = n.k THEN e.created_at END AS decided_at"
                            + " FROM " + dialect.given("n", "u uuid", "k uuid")
                            + " JOIN account a ON a.user_id = n.u" + dialect.ofUsers("a")
                            + " LEFT JOIN tally t ON t.user_id = a.user_id AND t.agent_key_id = n.k"
                            + " LEFT JOIN " + dialect.tailsOfUsers() + " ORDER BY e.seq",
                    row -> {
                        KeyRef of = new KeyRef(
                                new UserId(row.getObject("u", UUID.class)),
                                new AgentKeyId(row.getObject("k", UUID.class)));
                        KeyRow known = rows.containsKey(of) ? rows.get(of) : KeyRow.read(row);
                        rows.put(of, known.after(RowReader.instantOrNull(row, "decided_at")));
                    },
                    dialect.isDistributed()
                            ? new Sql.Parameter[] {users, keys, users, users}
                            : new Sql.Parameter[] {users, keys});
            return rows;
        });
    }

    private record KeyRef(UserId user, AgentKeyId key) {}

    /**
     * What is in force on an account and the tally of one of its keys.
     *
     * @param connections their document; only in the first of several rows for a key
     * @param flows likewise
     */
    private record KeyRow(
            int ipsVersion,
            long portfolioRev,
            long keysRev,
            @Nullable String connections,
            @Nullable String flows,
            Tally tally) {

        static KeyRow read(ResultSet row) throws SQLException {
            return new KeyRow(
                    row.getInt("ips_version"),
                    row.getLong("portfolio_rev"),
                    row.getLong("keys_rev"),
                    row.getString("connections"),
                    row.getString("flows"),
                    RowReader.tallyOrNone(row));
        }

        /** The same after a decision, if there was one, that the tally does not count yet. */
        KeyRow after(@Nullable Instant decided) {
            return decided == null
                    ? this
                    : new KeyRow(
                            ipsVersion,
                            portfolioRev,
                            keysRev,
                            connections,
                            flows,
                            tally.at(decided).plusCall());
        }
    }

    @Override
    public Tally tally(UserId user, AgentKeyId key) {
        KeyRef of = new KeyRef(user, key);
        KeyRow row = keyRows(List.of(of)).get(of);
        return row == null ? Tally.NONE : row.tally;
    }

    @Override
    public List<IpsVersion> ipsVersions(UserId user, int before, int limit) {
        return ipsVersions("*", user, before, limit, RowReader::ips);
    }

    @Override
    public List<ListedIpsVersion> listedIpsVersions(UserId user, int before, int limit) {
        return ipsVersions(
                "version, created_at",
                user,
                before,
                limit,
                row -> new ListedIpsVersion(row.getInt("version"), RowReader.instant(row, "created_at")));
    }

    private <T> List<T> ipsVersions(String columns, UserId user, int before, int limit, Reads.RowMapper<T> version) {
        return reads.list(
                "SELECT " + columns + " FROM ips_version WHERE user_id = ? AND version < ?"
                        + " ORDER BY user_id DESC, version DESC LIMIT ?",
                version,
                user.value(),
                before,
                limit);
    }

    @Override
    public Optional<IpsVersion> ipsVersion(UserId user, int version) {
        IpsVersion known = revisions.ips().find(user, version);
        if (known != null) {
            return Optional.of(known);
        }
        return reads.first(
                        "SELECT * FROM ips_version WHERE user_id = ? AND version = ?",
                        RowReader::ips,
                        user.value(),
                        version)
                .map(found -> revisions.ips().keep(user, version, found));
    }

    @Override
    public List<UserId> dueSchedules(Instant now, int limit) {
        return reads.ofAllUsers(
                "SELECT user_id FROM account WHERE scheduled_at <= ? ORDER BY scheduled_at LIMIT ?",
                RowReader::userId,
                Timestamps.column(now),
                limit);
    }

    @Override
    public List<PortfolioDay> portfolioHistory(UserId user, Instant since) {
        return reads.connected(connection -> {
            List<Long> last = Reads.list(
                    connection,
                    "SELECT max(revision) FROM portfolio_revision WHERE user_id = ? AND as_of_day >= ? AND as_of >= ?"
                            + " GROUP BY as_of_day ORDER BY 1",
                    row -> row.getLong(1),
                    user.value(),
                    Timestamps.column(since).toLocalDate(),
                    Timestamps.column(since));
            List<PortfolioDay> days = new ArrayList<>(last.size());
            for (int i = 0; i < last.size(); i += PORTFOLIOS_PER_QUERY) {
                List<Long> some = last.subList(i, Math.min(i + PORTFOLIOS_PER_QUERY, last.size()));
                days.addAll(days(connection, user, some));
            }
            return days;
        });
    }

    /** A portfolio can have a megabyte, so only some are in memory at a time. */
    private static List<PortfolioDay> days(Connection connection, UserId user, List<Long> revisions)
            throws SQLException {
        return Reads.list(
                connection,
                "SELECT document FROM unnest(CAST(? AS bigint ARRAY)) AS n(r) JOIN portfolio_revision p"
                        + " ON p.user_id = ? AND p.revision = n.r ORDER BY p.revision",
                row -> PortfolioDay.of(RowReader.portfolio(row)),
                connection.createArrayOf("bigint", revisions.toArray()),
                user.value());
    }

    @Override
    public Optional<Portfolio> portfolioAt(UserId user, Instant time) {
        OffsetDateTime column = Timestamps.column(time);
        // Every column of the index, in its order, so that no rows are sorted.
        return reads.first(
                        "SELECT revision FROM portfolio_revision WHERE user_id = ? AND as_of_day <= ? AND as_of <= ?"
                                + " ORDER BY user_id DESC, as_of_day DESC, revision DESC LIMIT 1",
                        row -> row.getLong("revision"),
                        user.value(),
                        column.toLocalDate(),
                        column)
                .flatMap(revision -> Optional.ofNullable(portfolio(user, revision)));
    }

    /** The keys of a revision that was just read, or newer ones if they have changed since. */
    private Map<AgentKeyId, AgentKey> keysAt(UserId user, long keysRev) {
        if (keysRev == 0) {
            return Map.of();
        }
        Map<AgentKeyId, AgentKey> known = revisions.keys().find(user, keysRev);
        if (known != null) {
            return known;
        }
        // Keys and revision in one statement, so that they belong together.
        Map<AgentKeyId, AgentKey> keys = new HashMap<>();
        List<Long> revision = reads.list(
                "SELECT a.keys_rev, k.* FROM account a JOIN agent_key k ON k.user_id = a.user_id WHERE a.user_id = ?"
                        + RowReader.LAST_TO_END_FIRST + " LIMIT " + AgentKey.MAX_KEPT,
                row -> {
                    AgentKey key = RowReader.key(row);
                    keys.put(key.id(), key);
                    return row.getLong("keys_rev");
                },
                user.value());
        return revisions.keys().keep(user, revision.isEmpty() ? 0 : revision.get(0), Map.copyOf(keys));
    }

    private @Nullable IpsVersion ips(UserId user, int version) {
        return version == 0
                ? null
                : ipsVersion(user, version)
                        .orElseThrow(() -> new IllegalStateException("The IPS in force is not stored."));
    }

    private @Nullable Portfolio portfolio(UserId user, long revision) {
        if (revision == 0) {
            return null;
        }
        Portfolio known = revisions.portfolios().find(user, revision);
        return known != null
                ? known
                : revisions
                        .portfolios()
                        .keep(
                                user,
                                revision,
                                reads.first(
                                                "SELECT document FROM portfolio_revision WHERE user_id = ? AND revision = ?",
                                                RowReader::portfolio,
                                                user.value(),
                                                revision)
                                        .orElseThrow());
    }
}
