package dev.agentpolicy.domain.custodian;

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
        return new CustodianConnection(
                id,
                name,
                kind,
                environment,
                accountId,
                connectedAt,
                now,
                now.plus(maxAge),
                fillsSince,
                ConnectionStatus.CONNECTED,
                null,
                leftOut);
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
        return new CustodianConnection(
                id,
                name,
                kind,
                environment,
                accountId,
                connectedAt,
                lastSyncedAt,
                freshUntil,
                next.isAfter(fillsSince) ? next : fillsSince,
                status,
                error,
                warning);
    }

    /** The connection after a sync that failed. */
    public CustodianConnection failed(ConnectionStatus how, String reason) {
        return new CustodianConnection(
                id,
                name,
                kind,
                environment,
                accountId,
                connectedAt,
                lastSyncedAt,
                freshUntil,
                fillsSince,
                how,
                reason,
                warning);
    }

    /** The connection over other credentials to the same account. */
    public CustodianConnection renewed(CustodianConnection other) {
        return new CustodianConnection(
                id,
                other.name,
                kind,
                other.environment,
                accountId,
                connectedAt,
                lastSyncedAt,
                freshUntil,
                fillsSince,
                ConnectionStatus.CONNECTED,
                null,
                warning);
    }

    /** Whether it leads to an account of a broker. */
    public boolean isTo(CustodianKind other, BrokerAccount account) {
        return kind == other && accountId.equals(account.id());
    }

    /** Whether its holdings are too old to be decided by. */
    public boolean isTooOld(Instant now) {
        return now.isAfter(freshUntil);
    }
}
