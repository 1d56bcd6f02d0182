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
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
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

    /** Of a token that is used for the first time, and of the refresh token that it came with. */
    private static final String USE = "UPDATE oauth_token SET used_at = ? WHERE used_at IS NULL AND (token_hash = ?"
            + " OR token_hash = (SELECT a.parent_hash FROM oauth_token a WHERE a.token_hash = ?))";

    private final Reads reads;
    private final KeyCache known;
    private final InstantSource clock;
    private final BatchingReader<String, AgentKey> current;

    public JdbcAgentKeys(Reads reads, KeyCache known, QueryExecutor queries, InstantSource clock) {
        this.reads = reads;
        this.clock = clock;
        this.known = known;
        this.current = queries.batching(this::current, reads.dialect().askedTogether());
    }

    @Override
    public CompletionStage<Optional<AgentKey>> find(String credentialHash) {
        return current.find(credentialHash);
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
        List<FoundKey> rows = reads.connected(connection -> {
            if (reads.dialect().isDistributed()) {
                return routed(connection, credentialHashes);
            }
            Array hashes = connection.createArrayOf("varchar", credentialHashes.toArray());
            return Reads.list(connection, BY_SECRET, FoundKey::of, hashes, hashes, hashes);
        });
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

    /** Asks the worker of the user alone; the coordinator is asked for the user of a secret that this node does not know. */
    private List<FoundKey> routed(Connection connection, Collection<String> credentialHashes) throws SQLException {
        List<FoundKey> found = new ArrayList<>();
        for (String hash : credentialHashes) {
            UserId owner = known.owner(hash).orElse(null);
            List<Route> routes = owner == null
                    ? Reads.list(connection, ROUTE, Route::of, hash, hash)
                    : List.of(new Route(owner, hash, null));
            for (Route route : routes) {
                if (route.token == null) {
                    known.route(hash, route.user);
                }
                found.addAll(Reads.list(
                        connection,
                        BY_ROUTE,
                        row -> FoundKey.of(RowReader.key(row), route.token),
                        route.user.value(),
                        route.credential,
                        route.credential));
            }
        }
        return found;
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
