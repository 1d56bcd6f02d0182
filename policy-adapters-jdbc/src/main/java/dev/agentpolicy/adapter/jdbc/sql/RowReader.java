package dev.agentpolicy.adapter.jdbc.sql;

import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.AgentKey.ConnectedClient;
import dev.agentpolicy.domain.agent.AgentKey.EndingSecret;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.FlowCounts;
import dev.agentpolicy.domain.agent.KeyPolicy;
import dev.agentpolicy.domain.agent.KeyType;
import dev.agentpolicy.domain.agent.NetworkRange;
import dev.agentpolicy.domain.agent.Scope;
import dev.agentpolicy.domain.agent.Tally;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.custodian.CustodianConnections;
import dev.agentpolicy.domain.custodian.RecordedFill;
import dev.agentpolicy.domain.event.canonical.CanonicalForm;
import dev.agentpolicy.domain.event.chain.ChainHead;
import dev.agentpolicy.domain.event.chain.PolicyEvent;
import dev.agentpolicy.domain.event.passkey.OwnerPasskeys;
import dev.agentpolicy.domain.ips.IpsDocument;
import dev.agentpolicy.domain.ips.IpsVersion;
import dev.agentpolicy.domain.portfolio.Portfolio;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.request.IdempotencyKey;
import dev.agentpolicy.domain.request.Replay;
import dev.agentpolicy.domain.request.RequestDocument;
import dev.agentpolicy.domain.request.ServiceRequest;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Gives rows their meaning, by the names of their columns. */
public final class RowReader {
    private static final String USER_ID = "user_id";
    private static final String AGENT_KEY_ID = "agent_key_id";
    private static final String CREATED_AT = "created_at";

    private static final String HEADER =
            "e.seq, e.event_id, e.kind, e.created_at, e.signing_key, e.payload_hash, e.hash, e.signature";
    private static final String PREVIOUS =
            ", (SELECT p.hash FROM policy_event p WHERE p.user_id = %s AND p.seq = e.seq - 1) AS prev_hash";

    /** The columns of an event {@code e}, without the hash of the row before. */
    public static final String EVENT = HEADER + ", e.payload_canonical";

    /**
     * All columns of an event {@code e} of one user; takes the user first, which a cluster must be given for every table. The
     * subquery costs a lookup for each row.
     */
    public static final String LINKED_EVENT = EVENT + PREVIOUS.formatted("?");

    /** The same for events of several users, where the database is one server; takes nothing. */
    public static final String LINKED_EVENT_OF_ANY = EVENT + PREVIOUS.formatted("e.user_id");

    /** The same as {@link #LINKED_EVENT} as if its payload were erased. */
    public static final String LINKED_HEADER =
            HEADER + ", CAST(NULL AS varchar) AS payload_canonical" + PREVIOUS.formatted("?");

    /** The order of {@link AgentKey#LAST_TO_END_FIRST}, for keys {@code k}. */
    public static final String LAST_TO_END_FIRST =
            " ORDER BY coalesce(k.revoked_at, k.expires_at) DESC NULLS FIRST, k.created_at DESC, k.agent_key_id DESC";

    private RowReader() {}

    public static UserId userId(ResultSet row) throws SQLException {
        return new UserId(row.getObject(USER_ID, UUID.class));
    }

    public static AgentKeyId agentKeyId(ResultSet row) throws SQLException {
        return new AgentKeyId(row.getObject(AGENT_KEY_ID, UUID.class));
    }

    /** An event of a user from the columns {@link #LINKED_EVENT}. If the row before is missing, so is its hash. */
    public static PolicyEvent event(KeyNumbers keys, UserId user, ResultSet row) throws SQLException {
        String previous = EventColumns.hashOrNull(row, "prev_hash");
        return event(keys, user, row, previous == null ? ChainHead.GENESIS_HASH : previous);
    }

    /** An event of a user from the columns {@link #EVENT}. */
    public static PolicyEvent event(KeyNumbers keys, UserId user, ResultSet row, String previousHash)
            throws SQLException {
        return new PolicyEvent(
                user,
                row.getLong("seq"),
                row.getObject("event_id", UUID.class),
                EventColumns.kind(row),
                instant(row, CREATED_AT),
                row.getString("payload_canonical"),
                EventColumns.hash(row, "payload_hash"),
                previousHash,
                keys.kid(row.getShort("signing_key")),
                EventColumns.hash(row, "hash"),
                EventColumns.signature(row));
    }

    public static AgentKey key(ResultSet row) throws SQLException {
        return new AgentKey(
                agentKeyId(row),
                userId(row),
                row.getString("name"),
                word(KeyType.values(), KeyType::wireName, row.getString("key_type")),
                scopes(row.getString("scopes")),
                KeyPolicy.SCHEMA
                        .readSigned(CanonicalForm.readStored(row.getString("policy")))
                        .withPaused(row.getBoolean("paused")),
                row.getString("credential_hash"),
                row.getString("last4"),
                instant(row, CREATED_AT),
                instantOrNull(row, "expires_at"),
                instantOrNull(row, "rotated_at"),
                instantOrNull(row, "revoked_at"),
                networks(row.getString("networks")),
                previousSecret(row),
                client(row));
    }

    private static @Nullable ConnectedClient client(ResultSet row) throws SQLException {
        String id = row.getString("client_id");
        return id == null ? null : new ConnectedClient(id, row.getString("client_host"));
    }

    private static List<NetworkRange> networks(String text) {
        return Stream.of(text.split(" "))
                .filter(range -> !range.isEmpty())
                .map(range -> Objects.requireNonNull(NetworkRange.of(range), range))
                .toList();
    }

    private static @Nullable EndingSecret previousSecret(ResultSet row) throws SQLException {
        String hash = row.getString("previous_hash");
        return hash == null ? null : new EndingSecret(hash, instant(row, "previous_until"));
    }

    public static IpsVersion ips(ResultSet row) throws SQLException {
        return new IpsVersion(
                row.getInt("version"),
                IpsDocument.readSigned(CanonicalForm.readStored(row.getString("document")))
                        .orElseThrow(),
                instant(row, CREATED_AT));
    }

    public static Portfolio portfolio(ResultSet row) throws SQLException {
        return Portfolio.STORED.readStored(CanonicalForm.readStored(row.getString("document")));
    }

    public static ServiceRequest request(ResultSet row) throws SQLException {
        return RequestDocument.readStored(CanonicalForm.readStored(row.getString("document")));
    }

    /** Connections from their document; none for null. */
    public static CustodianConnections connections(@Nullable String document) {
        return document == null
                ? CustodianConnections.NONE
                : CustodianConnections.STORED.readStored(CanonicalForm.readStored(document));
    }

    /** Passkeys from their document; none for null. */
    public static OwnerPasskeys passkeys(@Nullable String document) {
        return document == null
                ? OwnerPasskeys.NONE
                : OwnerPasskeys.STORED.readStored(CanonicalForm.readStored(document));
    }

    /** Counts of flows from their document; none for null. */
    public static FlowCounts flows(@Nullable String document) {
        return document == null ? FlowCounts.NONE : FlowCounts.STORED.readStored(CanonicalForm.readStored(document));
    }

    public static RecordedFill fill(ResultSet row) throws SQLException {
        return RecordedFill.STORED.readStored(CanonicalForm.readStored(row.getString("document")));
    }

    public static Tally tally(ResultSet row) throws SQLException {
        return new Tally(
                row.getObject("tally_day", LocalDate.class),
                row.getLong("calls"),
                Usd.of(row.getString("usd")),
                Usd.of(row.getString("pending_buys")),
                Usd.of(row.getString("completed_buys")),
                Usd.of(row.getString("completed_sells")),
                row.getLong("pending"));
    }

    /** The tally in a row that was joined with the table of tallies; nothing used if there is none. */
    public static Tally tallyOrNone(ResultSet row) throws SQLException {
        return row.getString("usd") == null ? Tally.NONE : tally(row);
    }

    public static Replay replay(ResultSet row) throws SQLException {
        return new Replay(
                new IdempotencyKey(agentKeyId(row), row.getString("idempotency_key")),
                row.getLong("request_id"),
                row.getString("asked_hash"),
                instant(row, CREATED_AT));
    }

    public static Instant instant(ResultSet row, String column) throws SQLException {
        return row.getObject(column, OffsetDateTime.class).toInstant();
    }

    public static @Nullable Instant instantOrNull(ResultSet row, String column) throws SQLException {
        OffsetDateTime value = row.getObject(column, OffsetDateTime.class);
        return value == null ? null : value.toInstant();
    }

    public static <E extends Enum<E>> E word(E[] words, Function<E, String> wireName, String text) {
        for (E word : words) {
            if (wireName.apply(word).equals(text)) {
                return word;
            }
        }
        throw new IllegalStateException("An unknown word is stored: " + text);
    }

    private static Set<Scope> scopes(String text) {
        Set<Scope> scopes = EnumSet.noneOf(Scope.class);
        for (String name : text.isEmpty() ? new String[0] : text.split(" ")) {
            scopes.add(word(Scope.values(), Scope::wireName, name));
        }
        return scopes;
    }
}
