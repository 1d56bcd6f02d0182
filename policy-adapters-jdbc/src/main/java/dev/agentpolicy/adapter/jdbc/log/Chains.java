package dev.agentpolicy.adapter.jdbc.log;

import dev.agentpolicy.adapter.jdbc.dialect.Dialect;
import dev.agentpolicy.adapter.jdbc.sql.AccountRow;
import dev.agentpolicy.adapter.jdbc.sql.EventColumns;
import dev.agentpolicy.adapter.jdbc.sql.Reads;
import dev.agentpolicy.adapter.jdbc.sql.RowReader;
import dev.agentpolicy.adapter.jdbc.sql.Sql;
import dev.agentpolicy.adapter.jdbc.sql.Sql.Parameter;
import dev.agentpolicy.domain.account.Unavailable;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.chain.ChainHead;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import org.jdbi.v3.core.result.ResultIterable;
import org.jdbi.v3.core.result.ResultIterator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads all chains of a database at once, and keeps the lease of the node that checks them. */
public record Chains(Reads reads) {
    private static final Logger LOG = LoggerFactory.getLogger(Chains.class);
    private static final int FETCHED = 10_000;

    /** Every chain that is not empty, as of one moment, in the order of users. */
    public void each(Consumer<ChainHead> taker) {
        reads.with(handle -> handle.inTransaction(inside -> {
            ResultIterable<ChainHead> ends = inside.createQuery(
                            "SELECT " + AccountRow.HEAD + " FROM account a LEFT JOIN "
                                    + reads.dialect().tails() + " WHERE a.chain_seq > 0 ORDER BY a.user_id, e.seq")
                    .setFetchSize(FETCHED)
                    .map((row, context) -> AccountRow.head(row));
            lastOfEach(ends, taker);
            return true;
        }));
    }

    private static void lastOfEach(ResultIterable<ChainHead> ends, Consumer<ChainHead> taker) {
        try (ResultIterator<ChainHead> next = ends.iterator()) {
            ChainHead last = null;
            while (next.hasNext()) {
                ChainHead end = next.next();
                if (last != null && !last.userId().equals(end.userId())) {
                    taker.accept(last);
                }
                last = end;
            }
            if (last != null) {
                taker.accept(last);
            }
        }
    }

    /**
     * Finds heads that are not in their chains: the row is missing or has another hash.
     *
     * @param heads at most some thousands, for one query of each shard
     * @param unasked gets those whose worker is away, which are not answered
     */
    public List<ChainHead> missing(List<ChainHead> heads, Consumer<ChainHead> unasked) {
        Dialect dialect = reads.dialect();
        Set<ChainHead> there = new HashSet<>();
        dialect.byLane(heads, ChainHead::userId).forEach(ofLane -> {
            try {
                there.addAll(present(ofLane));
            } catch (Unavailable away) {
                if (!dialect.isDistributed()) {
                    throw away;
                }
                LOG.debug("A worker does not answer.", away);
                ofLane.forEach(unasked);
                there.addAll(ofLane);
            }
        });
        return heads.stream().filter(head -> !there.contains(head)).toList();
    }

    /** Those of the heads, of users of one lane, that are in their chains. */
    private List<ChainHead> present(List<ChainHead> heads) {
        Map<UserId, Map<Long, String>> found = new HashMap<>();
        reads.connected(heads.get(0).userId(), connection -> {
            Sql.each(
                    connection,
                    "SELECT t.user_id, t.seq, t.hash FROM "
                            + reads.dialect().given("n", "u uuid", "s bigint")
                            + " JOIN policy_event t ON t.user_id = n.u AND t.seq = n.s"
                            + reads.dialect().ofUsers("t"),
                    row -> found.computeIfAbsent(RowReader.userId(row), user -> new HashMap<>())
                            .put(row.getLong("seq"), EventColumns.hash(row, "hash")),
                    Sql.withUsers(
                            reads.dialect(),
                            Parameter.uuids(heads, head -> head.userId().value()),
                            Parameter.bigints(heads, ChainHead::seq)));
            return true;
        });
        return heads.stream()
                .filter(head -> head.hash()
                        .equals(found.getOrDefault(head.userId(), Map.of()).get(head.seq())))
                .toList();
    }

    public Optional<String> hashAt(UserId user, long seq) {
        return reads.first(
                "SELECT hash FROM policy_event WHERE user_id = ? AND seq = ?",
                row -> EventColumns.hash(row, "hash"),
                user.value(),
                seq);
    }

    /** Takes or prolongs a lease; returns whether the node has it. */
    public boolean lease(String name, UUID holder, Instant now, Duration length) {
        Instant until = now.plus(length);
        return reads.update(
                                "UPDATE lease SET holder = ?, held_until = ? WHERE name = ? AND (holder = ? OR held_until <= ?)",
                                holder,
                                until,
                                name,
                                holder,
                                now)
                        > 0
                || reads.insert("INSERT INTO lease(name, holder, held_until) VALUES (?, ?, ?)", name, holder, until);
    }

    /** Gives a lease up before its time, if this node has it. */
    public void release(String name, UUID holder) {
        reads.update("DELETE FROM lease WHERE name = ? AND holder = ?", name, holder);
    }
}
