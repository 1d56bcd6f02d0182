package dev.agentpolicy.adapter.http.json;

import dev.agentpolicy.domain.custodian.CustodianConnection;
import dev.agentpolicy.domain.custodian.CustodianConnection.ConnectionStatus;
import dev.agentpolicy.domain.usecase.custodian.ConnectCustodian.ListedCustodian;
import java.time.Instant;

/** Writes custodians and how their connections stand, without credentials (docs/reference/custodians.md). */
public final class CustodianJson {

    private CustodianJson() {}

    /**
     * Writes a custodian.
     *
     * @param now decides whether a connection that was not synced for long is stale
     */
    public static void write(JsonWriter out, ListedCustodian custodian, Instant now) {
        out.text("id", custodian.id())
                .text("name", custodian.name())
                .text("kind", custodian.kind().wireName());
        CustodianConnection connection = custodian.connection();
        ConnectionStatus status = connection == null ? ConnectionStatus.CONNECTED : status(connection, now);
        if (connection != null) {
            out.text("environment", connection.environment().wireName());
        }
        out.text("status", status.wireName()).instant("lastSyncedAt", custodian.lastSyncedAt());
        if (connection != null) {
            out.present("error", connection.error(), JsonWriter::text)
                    .present("warning", connection.warning(), JsonWriter::text);
        }
    }

    /** Holdings that are too old to be decided by make a connection stale, even if its last sync succeeded. */
    private static ConnectionStatus status(CustodianConnection connection, Instant now) {
        return connection.status() == ConnectionStatus.CONNECTED && connection.isTooOld(now)
                ? ConnectionStatus.STALE
                : connection.status();
    }
}
