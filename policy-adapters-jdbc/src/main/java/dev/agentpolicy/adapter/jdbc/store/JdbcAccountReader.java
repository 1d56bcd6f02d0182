package dev.agentpolicy.adapter.jdbc.store;

import dev.agentpolicy.adapter.jdbc.async.BatchingReader;
import dev.agentpolicy.adapter.jdbc.async.QueryExecutor;
import dev.agentpolicy.adapter.jdbc.cache.CurrentKeys;
import dev.agentpolicy.adapter.jdbc.cache.RevisionCache;
import dev.agentpolicy.adapter.jdbc.commit.TallyReplay;
import dev.agentpolicy.adapter.jdbc.dialect.Dialect;
import dev.agentpolicy.adapter.jdbc.sql.AccountRow;
import dev.agentpolicy.adapter.jdbc.sql.Reads;
import dev.agentpolicy.adapter.jdbc.sql.RowReader;
import dev.agentpolicy.adapter.jdbc.sql.Sql;
import dev.agentpolicy.adapter.jdbc.sql.Timestamps;
import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.AgentKeyId;
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
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads the account row from the database, and the documents that it refers to from caches. */
public final class JdbcAccountReader implements AccountReader {
    private static final int PORTFOLIOS_PER_QUERY = 8;

    private final Reads reads;
    private final RevisionCache revisions;
    private final CurrentKeys keys;
    private final BatchingReader<KeyRef, KeyView> standings;

    public JdbcAccountReader(Reads reads, RevisionCache revisions, QueryExecutor queries) {
        this.reads = reads;
        this.revisions = revisions;
        this.keys = new CurrentKeys(reads, revisions);
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
                .thenApply(found ->
                        found.orElseGet(() -> new KeyView(null, null, null, CustodianConnections.NONE, Tally.NONE)));
    }

    private AccountView view(AccountRow row) {
        UserId user = row.userId();
        return new AccountView(
                row.head(),
                ips(user, row.ipsVersion()),
                portfolio(user, row.portfolioRev()),
                row.connections(),
                row.passkeys(),
                keys.at(user, row.keysRev()));
    }

    private Map<KeyRef, KeyView> standings(Collection<KeyRef> asked) {
        return keyRows(asked).values().stream()
                .collect(Collectors.toMap(
                        KeyRow::of,
                        row -> new KeyView(
                                keys.at(row.of.user, row.keysRev).get(row.of.key),
                                ips(row.of.user, row.ipsVersion),
                                portfolio(row.of.user, row.portfolioRev),
                                RowReader.connections(row.connections),
                                row.tally)));
    }

    /**
     * Reads the stored tallies and replays the journal tail on them; the query returns a row for each decision of the
     * tail.
     */
    private Map<KeyRef, KeyRow> keyRows(Collection<KeyRef> asked) {
        Dialect dialect = reads.dialect();
        List<KeyRow> all = reads.connected(connection -> {
            List<KeyRow> rows = new ArrayList<>();
            Sql.Parameter ofUsers = Sql.Parameter.uuids(asked, it -> it.user.value());
            Sql.Parameter ofKeys = Sql.Parameter.uuids(asked, it -> it.key.value());
            Sql.each(
                    connection,
                    "SELECT n.u, n.k, a.ips_version, a.portfolio_rev, a.keys_rev,"
                            + " CASE WHEN e.seq IS NULL OR e.seq = a.chain_seq + 1 THEN a.connections END AS connections,"
                            + " t.tally_day, t.calls, t.usd, t.pending_buys, t.completed_buys, t.completed_sells, t.pending,"
                            + " CASE WHEN e.agent_key_id = n.k THEN e.created_at END AS decided_at"
                            + " FROM " + dialect.given("n", "u uuid", "k uuid")
                            + " JOIN account a ON a.user_id = n.u" + dialect.ofUsers("a")
                            + " LEFT JOIN tally t ON t.user_id = a.user_id AND t.agent_key_id = n.k"
                            + " LEFT JOIN " + dialect.tailsOfUsers() + " ORDER BY e.seq",
                    row -> rows.add(KeyRow.read(row)),
                    dialect.isDistributed()
                            ? new Sql.Parameter[] {ofUsers, ofKeys, ofUsers, ofUsers}
                            : new Sql.Parameter[] {ofUsers, ofKeys});
            return rows;
        });
        Map<KeyRef, KeyRow> replayed = new HashMap<>();
        for (KeyRow row : all) {
            replayed.put(row.of, replayed.getOrDefault(row.of, row).after(row.decidedAt));
        }
        return replayed;
    }

    private record KeyRef(UserId user, AgentKeyId key) {}

    /**
     * A row of the query: what is in force on an account and the tally of one of its keys.
     *
     * @param connections their document; only in the first of several rows for a key
     * @param decidedAt the time of a decision that the tally does not count yet
     */
    private record KeyRow(
            KeyRef of,
            int ipsVersion,
            long portfolioRev,
            long keysRev,
            @Nullable String connections,
            Tally tally,
            @Nullable Instant decidedAt) {

        static KeyRow read(ResultSet row) throws SQLException {
            KeyRef of = new KeyRef(
                    new UserId(row.getObject("u", UUID.class)), new AgentKeyId(row.getObject("k", UUID.class)));
            return new KeyRow(
                    of,
                    row.getInt("ips_version"),
                    row.getLong("portfolio_rev"),
                    row.getLong("keys_rev"),
                    row.getString("connections"),
                    TallyReplay.stored(row),
                    RowReader.instantOrNull(row, "decided_at"));
        }

        KeyRow after(@Nullable Instant decided) {
            return decided == null
                    ? this
                    : new KeyRow(
                            of,
                            ipsVersion,
                            portfolioRev,
                            keysRev,
                            connections,
                            TallyReplay.after(tally, decided),
                            decidedAt);
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
        return reads.connected(connection -> Reads.list(
                connection,
                "SELECT " + columns + " FROM ips_version WHERE user_id = ? AND version < ?"
                        + " ORDER BY user_id DESC, version DESC LIMIT ?",
                version,
                user.value(),
                before,
                limit));
    }

    @Override
    public Optional<IpsVersion> ipsVersion(UserId user, int version) {
        Optional<IpsVersion> known = Optional.ofNullable(revisions.ips().find(user, version));
        Optional<IpsVersion> found = known.isPresent()
                ? known
                : reads.with(handle -> handle.createQuery(
                                "SELECT * FROM ips_version WHERE user_id = :user AND version = :version")
                        .bind("user", user.value())
                        .bind("version", version)
                        .map((row, context) -> RowReader.ips(row))
                        .findOne());
        found.ifPresent(it -> revisions.ips().keep(user, version, it));
        return found;
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
        return known == null ? load(user, revision) : known;
    }

    private Portfolio load(UserId user, long revision) {
        Portfolio loaded = reads.with(handle -> handle.createQuery(
                        "SELECT * FROM portfolio_revision WHERE user_id = :user AND revision = :revision")
                .bind("user", user.value())
                .bind("revision", revision)
                .map((row, context) -> RowReader.portfolio(row))
                .one());
        revisions.portfolios().keep(user, revision, loaded);
        return loaded;
    }
}
