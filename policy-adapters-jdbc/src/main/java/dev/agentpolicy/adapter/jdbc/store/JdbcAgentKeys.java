package dev.agentpolicy.adapter.jdbc.store;

import dev.agentpolicy.adapter.jdbc.async.QueryExecutor;
import dev.agentpolicy.adapter.jdbc.async.QueryExecutor.BatchingReader;
import dev.agentpolicy.adapter.jdbc.cache.KeyCache;
import dev.agentpolicy.adapter.jdbc.sql.Reads;
import dev.agentpolicy.adapter.jdbc.sql.RowReader;
import dev.agentpolicy.domain.account.Unavailable;
import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.port.AgentKeys;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.jdbi.v3.core.JdbiException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds keys by the hash of their credential, each time anew, so that a key that any node has revoked is not found valid. */
public final class JdbcAgentKeys implements AgentKeys {
    private static final Logger LOG = LoggerFactory.getLogger(JdbcAgentKeys.class);

    private static final String NO_TOKEN = "CAST(NULL AS varchar(64)) AS token_hash,"
            + " CAST(NULL AS timestamp(6) with time zone) AS token_ends, FALSE AS is_first";
    private static final String BY_SECRET =
            "SELECT k.*, " + NO_TOKEN + " FROM agent_key k WHERE k.credential_hash = ANY(?)"
                    + " UNION ALL SELECT k.*, " + NO_TOKEN + " FROM agent_key k WHERE k.previous_hash = ANY(?)"
                    + " UNION ALL SELECT k.*, t.token_hash, t.expires_at, t.used_at IS NULL FROM oauth_token t"
                    + " JOIN agent_key k ON k.credential_hash = t.consent WHERE t.token_hash = ANY(?) AND t.is_access";

    /** Where a secret or a token leads in a cluster. */
    private static final String ROUTE =
            "SELECT user_id, credential_hash AS credential, " + NO_TOKEN + " FROM key_route WHERE credential_hash = ?"
                    + " UNION ALL SELECT user_id, consent, token_hash, expires_at, used_at IS NULL FROM oauth_token"
                    + " WHERE token_hash = ? AND is_access";

    private static final String BY_ROUTE =
            "SELECT * FROM agent_key WHERE user_id = ? AND (credential_hash = ? OR previous_hash = ?)";

    private static final String OF_LANE =
            "SELECT * FROM agent_key WHERE user_id = ANY(?) AND (credential_hash = ANY(?) OR previous_hash = ANY(?))";

    /** Of a token that is used for the first time, and of the refresh token that it came with. */
    private static final String USE = "UPDATE oauth_token SET used_at = ? WHERE used_at IS NULL AND (token_hash = ?"
            + " OR token_hash = (SELECT a.parent_hash FROM oauth_token a WHERE a.token_hash = ?))";

    private final Reads reads;
    private final KeyCache known;
    private final InstantSource clock;
    private final BatchingReader<String, AgentKey> current;
    /** On a cluster, a reader for the users of each lane, so that one whose worker is away does not hold up the others. */
    private final List<BatchingReader<String, AgentKey>> byLane;

    public JdbcAgentKeys(Reads reads, KeyCache known, QueryExecutor queries, InstantSource clock) {
        this.reads = reads;
        this.clock = clock;
        this.known = known;
        this.current = queries.batching(this::current, reads.dialect().askedTogether());
        this.byLane = IntStream.range(
                        0, reads.dialect().isDistributed() ? reads.dialect().defaultLanes() : 0)
                .mapToObj(lane -> queries.batching(this::ofLane))
                .toList();
    }

    @Override
    public CompletionStage<Optional<AgentKey>> find(String credentialHash) {
        if (byLane.isEmpty()) {
            return current.find(credentialHash);
        }
        return known.owner(credentialHash)
                .map(owner -> byLane.get(reads.dialect().lane(owner, byLane.size())))
                .orElse(current)
                .find(credentialHash);
    }

    @Override
    public Optional<AgentKey> recall(String credentialHash) {
        return known.find(credentialHash);
    }

    /**
     * A key that was found.
     *
     * @param token hash of the access token that presents it; null if one of its secrets does
     * @param isFirstUse whether it is the first call with that token
     */
    private record FoundKey(AgentKey key, @Nullable String token, boolean isFirstUse) {
        static FoundKey of(ResultSet row) throws SQLException {
            return of(RowReader.key(row), PresentedToken.of(row));
        }

        static FoundKey of(AgentKey key, @Nullable PresentedToken token) {
            return token == null
                    ? new FoundKey(key, null, false)
                    : new FoundKey(key.presentedUntil(token.ends), token.hash, token.isFirstUse);
        }
    }

    private record PresentedToken(String hash, Instant ends, boolean isFirstUse) {
        static @Nullable PresentedToken of(ResultSet row) throws SQLException {
            String hash = row.getString("token_hash");
            return hash == null
                    ? null
                    : new PresentedToken(hash, RowReader.instant(row, "token_ends"), row.getBoolean("is_first"));
        }
    }

    /** @param credential the hash of the secret that was presented, or the consent of the token */
    private record Route(
            UserId user, String credential, @Nullable PresentedToken token) {
        static Route of(ResultSet row) throws SQLException {
            return new Route(RowReader.userId(row), row.getString("credential"), PresentedToken.of(row));
        }
    }

    private Map<String, AgentKey> current(Collection<String> credentialHashes) {
        if (reads.dialect().isDistributed()) {
            return found(
                    credentialHashes,
                    credentialHashes.stream()
                            .flatMap(hash -> routes(hash).stream())
                            .flatMap(route -> at(route).stream())
                            .toList());
        }
        List<FoundKey> rows = reads.connected(connection -> {
            Array hashes = connection.createArrayOf("varchar", credentialHashes.toArray());
            return Reads.list(connection, BY_SECRET, FoundKey::of, hashes, hashes, hashes);
        });
        return found(credentialHashes, rows);
    }

    /** The same of users of one lane, at their worker. */
    private Map<String, AgentKey> ofLane(Collection<String> credentialHashes) {
        Set<UserId> owners = new HashSet<>();
        for (String hash : credentialHashes) {
            Optional<UserId> owner = known.owner(hash);
            if (owner.isEmpty()) {
                return current(credentialHashes);
            }
            owners.add(owner.get());
        }
        List<FoundKey> rows = reads.connected(owners.iterator().next(), connection -> {
            Array hashes = connection.createArrayOf("varchar", credentialHashes.toArray());
            return Reads.list(
                    connection,
                    OF_LANE,
                    row -> FoundKey.of(RowReader.key(row), null),
                    connection.createArrayOf(
                            "uuid", owners.stream().map(UserId::value).toArray()),
                    hashes,
                    hashes);
        });
        return found(credentialHashes, rows);
    }

    private Map<String, AgentKey> found(Collection<String> credentialHashes, List<FoundKey> rows) {
        Map<String, AgentKey> found = new HashMap<>();
        for (FoundKey row : rows) {
            AgentKey key = row.key;
            if (row.token != null) {
                found.put(row.token, key);
                known.replace(row.token, key);
                if (row.isFirstUse) {
                    use(row.token);
                }
            } else if (key.client() == null) {
                credentialHashes.stream().filter(key::hasSecret).forEach(hash -> {
                    AgentKey presented = key.presentedBy(hash);
                    found.put(hash, presented);
                    known.replace(presented);
                });
            }
        }
        credentialHashes.stream().filter(hash -> !found.containsKey(hash)).forEach(known::forget);
        return found;
    }

    /** Whose a secret or token is; the coordinator is asked for what this node does not know. */
    private List<Route> routes(String hash) {
        Optional<UserId> owner = known.owner(hash);
        if (owner.isPresent()) {
            return List.of(new Route(owner.get(), hash, null));
        }
        List<Route> routes = reads.list(ROUTE, Route::of, hash, hash);
        routes.stream().filter(route -> route.token == null).forEach(route -> known.route(hash, route.user));
        return routes;
    }

    /** The key that a route leads to, at the worker of its user alone. */
    private List<FoundKey> at(Route route) {
        return reads.connected(
                route.user,
                connection -> Reads.list(
                        connection,
                        BY_ROUTE,
                        row -> FoundKey.of(RowReader.key(row), route.token),
                        route.user.value(),
                        route.credential,
                        route.credential));
    }

    /** From now on the refresh token before this one has its time to end. If it cannot be noted now, the next call does. */
    private void use(String token) {
        try {
            reads.update(USE, clock.instant(), token, token);
        } catch (Unavailable | JdbiException away) {
            LOG.debug("The first use of a token could not be noted.", away);
        }
    }
}
