package dev.agentpolicy.adapter.jdbc.store;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.document.Stored;
import dev.agentpolicy.domain.event.canonical.CanonicalForm;
import dev.agentpolicy.domain.portfolio.CustodianHoldings;
import dev.agentpolicy.domain.portfolio.HoldingsDocument;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A paper book whose row is locked until the end of the transaction.
 *
 * @param revision of the holdings, 0 when there are none
 */
record PaperBook(UserId user, String custodian, long revision, Optional<CustodianHoldings> holdings) {

    /** Waits for the lock. Inserts the row when it is missing, which fails if another transaction inserts it first. */
    static PaperBook lock(Connection connection, UserId user, String custodian) throws SQLException {
        PaperBook found = find(connection, user, custodian);
        if (found != null) {
            return found;
        }
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO paper_book(user_id, custodian_id) VALUES (?, ?)")) {
            insert.setObject(1, user.value());
            insert.setString(2, custodian);
            insert.executeUpdate();
        }
        return new PaperBook(user, custodian, 0, Optional.empty());
    }

    void write(Connection connection, CustodianHoldings next) throws SQLException {
        try (PreparedStatement update = connection.prepareStatement(
                "UPDATE paper_book SET revision = ?, document = ? WHERE user_id = ? AND custodian_id = ?")) {
            update.setLong(1, next.revision());
            update.setString(2, CanonicalForm.writeStored(HoldingsDocument.toStored(next)));
            update.setObject(3, user.value());
            update.setString(4, custodian);
            update.executeUpdate();
        }
    }

    private static @Nullable PaperBook find(Connection connection, UserId user, String custodian) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement(
                "SELECT revision, document FROM paper_book WHERE user_id = ? AND custodian_id = ? FOR UPDATE")) {
            query.setObject(1, user.value());
            query.setString(2, custodian);
            try (ResultSet row = query.executeQuery()) {
                return row.next()
                        ? new PaperBook(user, custodian, row.getLong("revision"), holdings(row.getString("document")))
                        : null;
            }
        }
    }

    private static Optional<CustodianHoldings> holdings(@Nullable String document) {
        return Optional.ofNullable(document)
                .map(text -> HoldingsDocument.readStored(new Stored(CanonicalForm.readStored(text))));
    }
}
