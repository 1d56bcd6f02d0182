package dev.agentpolicy.domain.custodian;

import dev.agentpolicy.domain.custodian.CustodianConnection.ConnectionStatus;
import dev.agentpolicy.domain.document.Instants;
import dev.agentpolicy.domain.document.Stored;
import dev.agentpolicy.domain.portfolio.CustodianHoldings.CustodianKind;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes and reads the stored connections of a user. */
public final class CustodianConnectionsDocument {

    private CustodianConnectionsDocument() {}

    public static Map<String, @Nullable Object> toStored(CustodianConnections connections) {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        members.put("version", connections.version());
        members.put(
                "connections",
                connections.all().stream()
                        .map(CustodianConnectionsDocument::toStored)
                        .toList());
        return members;
    }

    /** Reads what {@link #toStored} wrote. */
    public static CustodianConnections readStored(Stored stored) {
        return new CustodianConnections(
                stored.objects("connections", CustodianConnectionsDocument::readConnection), stored.integer("version"));
    }

    private static Map<String, @Nullable Object> toStored(CustodianConnection connection) {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        members.put("id", connection.id());
        members.put("name", connection.name());
        members.put("kind", connection.kind().wireName());
        members.put("environment", connection.environment().wireName());
        members.put("accountId", connection.accountId());
        members.put("connectedAt", Instants.format(connection.connectedAt()));
        members.put("lastSyncedAt", Instants.format(connection.lastSyncedAt()));
        members.put("freshUntil", Instants.format(connection.freshUntil()));
        members.put("fillsSince", Instants.format(connection.fillsSince()));
        members.put("status", connection.status().wireName());
        members.put("error", connection.error());
        members.put("warning", connection.warning());
        return members;
    }

    private static CustodianConnection readConnection(Stored stored) {
        return new CustodianConnection(
                stored.text("id"),
                stored.text("name"),
                stored.word("kind", CustodianKind.class),
                stored.word("environment", BrokerEnvironment.class),
                stored.text("accountId"),
                stored.instant("connectedAt"),
                stored.instant("lastSyncedAt"),
                stored.instant("freshUntil"),
                stored.instant("fillsSince"),
                stored.word("status", ConnectionStatus.class),
                stored.textOrNull("error"),
                stored.textOrNull("warning"));
    }
}
