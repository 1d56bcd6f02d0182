package dev.agentpolicy.domain.custodian;

import static dev.agentpolicy.domain.document.Schema.nullable;
import static dev.agentpolicy.domain.document.Schema.required;

import dev.agentpolicy.domain.document.Codec;
import dev.agentpolicy.domain.document.Schema;
import dev.agentpolicy.domain.document.Word;
import dev.agentpolicy.domain.portfolio.CustodianHoldings.CustodianKind;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The connection to a custodian that is synced. Paper custodians have none: they live in the service's own database.
 *
 * @param id of the custodian
 * @param name for people
 * @param kind the kind of custodian
 * @param environment whether it trades with real money
 * @param accountId the broker's id of the account
 * @param connectedAt when the user connected it; earlier trades are not observed
 * @param lastSyncedAt when it was last heard of
 * @param freshUntil until when its holdings may be decided by
 * @param fillsSince fills are read from this time on
 * @param status whether the last sync succeeded
 * @param error why it did not; null when it did
 * @param warning what the last sync left out of what the custodian said, a sentence for the user; null for nothing
 */
public record CustodianConnection(
        String id,
        String name,
        CustodianKind kind,
        BrokerEnvironment environment,
        String accountId,
        Instant connectedAt,
        Instant lastSyncedAt,
        Instant freshUntil,
        Instant fillsSince,
        ConnectionStatus status,
        @Nullable String error,
        @Nullable String warning) {
    /** The members of a stored connection. */
    static final Schema<CustodianConnection> STORED = Schema.of(
            row -> new CustodianConnection(
                    row.next(),
                    row.next(),
                    row.next(),
                    row.next(),
                    row.next(),
                    row.next(),
                    row.next(),
                    row.next(),
                    row.next(),
                    row.next(),
                    row.next(),
                    row.next()),
            required("id", Codec.TEXT, CustodianConnection::id),
            required("name", Codec.TEXT, CustodianConnection::name),
            required("kind", Codec.word(CustodianKind.class), CustodianConnection::kind),
            required("environment", Codec.word(BrokerEnvironment.class), CustodianConnection::environment),
            required("accountId", Codec.TEXT, CustodianConnection::accountId),
            required("connectedAt", Codec.INSTANT, CustodianConnection::connectedAt),
            required("lastSyncedAt", Codec.INSTANT, CustodianConnection::lastSyncedAt),
            required("freshUntil", Codec.INSTANT, CustodianConnection::freshUntil),
            required("fillsSince", Codec.INSTANT, CustodianConnection::fillsSince),
            required("status", Codec.word(ConnectionStatus.class), CustodianConnection::status),
            nullable("error", Codec.TEXT, CustodianConnection::error),
            nullable("warning", Codec.TEXT, CustodianConnection::warning));

    /** A fill can become visible at a broker after a later one, so fills are read again for this long. */
    private static final Duration FILL_OVERLAP = Duration.ofMinutes(15);

    /** Whether the last sync succeeded. */
    public enum ConnectionStatus implements Word {
        /** It did. */
        CONNECTED,
        /** The custodian could not be reached. */
        STALE,
        /** The custodian refused, or its account cannot be used here. */
        REFUSED
    }

    /**
     * The connection after a sync that succeeded.
     *
     * @param now when the sync began
     * @param maxAge how long its holdings may be decided by
     * @param leftOut what the report left out; null for nothing
     */
    public CustodianConnection synced(Instant now, Duration maxAge, @Nullable String leftOut) {
        return with(name, environment, now, now.plus(maxAge), fillsSince, ConnectionStatus.CONNECTED, null, leftOut);
    }

    /**
     * The connection after fills were read.
     *
     * @param lastFillAt the time of the last of them; null when there was none
     * @param now by the local clock; a fill that is dated later moves the place to read on from no further
     */
    public CustodianConnection readFills(@Nullable Instant lastFillAt, Instant now) {
        Instant last = lastFillAt == null || lastFillAt.isBefore(now) ? lastFillAt : now;
        Instant next = last == null ? fillsSince : last.minus(FILL_OVERLAP);
        Instant since = next.isAfter(fillsSince) ? next : fillsSince;
        return with(name, environment, lastSyncedAt, freshUntil, since, status, error, warning);
    }

    /** The connection after a sync that failed. */
    public CustodianConnection failed(ConnectionStatus how, String reason) {
        return with(name, environment, lastSyncedAt, freshUntil, fillsSince, how, reason, warning);
    }

    /** The connection over other credentials to the same account. */
    public CustodianConnection renewed(CustodianConnection other) {
        return with(
                other.name,
                other.environment,
                lastSyncedAt,
                freshUntil,
                fillsSince,
                ConnectionStatus.CONNECTED,
                null,
                warning);
    }

    /** The account that it leads to. */
    public BrokerAccount account() {
        return new BrokerAccount(kind, accountId);
    }

    /** Whether its holdings are too old to be decided by. */
    public boolean isTooOld(Instant now) {
        return now.isAfter(freshUntil);
    }

    private CustodianConnection with(
            String newName,
            BrokerEnvironment newEnvironment,
            Instant syncedAt,
            Instant fresh,
            Instant since,
            ConnectionStatus newStatus,
            @Nullable String newError,
            @Nullable String newWarning) {
        return new CustodianConnection(
                id,
                newName,
                kind,
                newEnvironment,
                accountId,
                connectedAt,
                syncedAt,
                fresh,
                since,
                newStatus,
                newError,
                newWarning);
    }
}
