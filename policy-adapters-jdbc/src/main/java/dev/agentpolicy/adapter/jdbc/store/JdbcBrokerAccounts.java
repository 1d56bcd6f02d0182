package dev.agentpolicy.adapter.jdbc.store;

import dev.agentpolicy.adapter.jdbc.async.QueryExecutor;
import dev.agentpolicy.adapter.jdbc.sql.Reads;
import dev.agentpolicy.adapter.jdbc.sql.RowReader;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.custodian.BrokerAccount;
import dev.agentpolicy.domain.document.Sha256;
import dev.agentpolicy.domain.port.BrokerAccounts;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * The accounts at brokers that users have connected, as hashes.
 *
 * @param salt goes into every hash; the same for all nodes, and for no other database
 */
public record JdbcBrokerAccounts(Reads reads, QueryExecutor queries, Supplier<UUID> salt) implements BrokerAccounts {

    @Override
    public boolean claim(UserId user, BrokerAccount account) {
        String hash = hash(account);
        return queries.await(() -> owner(hash)
                .or(() -> reads.insert(
                                "INSERT INTO broker_account(account_hash, user_id) VALUES (?, ?)", hash, user.value())
                        ? Optional.of(user)
                        : owner(hash))
                .filter(user::equals)
                .isPresent());
    }

    private Optional<UserId> owner(String hash) {
        return reads.first("SELECT user_id FROM broker_account WHERE account_hash = ?", RowReader::userId, hash);
    }

    @Override
    public void keepOnly(UserId user, Collection<BrokerAccount> accounts) {
        Set<String> kept = accounts.stream().map(this::hash).collect(Collectors.toSet());
        queries.await(() -> {
            List<String> claimed = reads.list(
                    "SELECT account_hash FROM broker_account WHERE user_id = ?",
                    row -> row.getString("account_hash"),
                    user.value());
            return claimed.stream()
                    .filter(hash -> !kept.contains(hash))
                    .mapToInt(hash -> reads.update(
                            "DELETE FROM broker_account WHERE account_hash = ? AND user_id = ?", hash, user.value()))
                    .sum();
        });
    }

    private String hash(BrokerAccount account) {
        return Sha256.hex(salt.get() + " " + account.kind().wireName() + " " + account.id());
    }
}
