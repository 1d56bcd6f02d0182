package dev.agentpolicy.adapter.jdbc.log;

import dev.agentpolicy.adapter.jdbc.sql.Reads;
import dev.agentpolicy.adapter.jdbc.sql.Reads.Watermark;
import dev.agentpolicy.domain.account.Unavailable;
import dev.agentpolicy.domain.event.chain.ChainHead;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The time of the newest event of all chains. Every node notes the newest one that it has written, so that a start need not
 * look at every account.
 */
public final class NewestEvent {
    private static final Logger LOG = LoggerFactory.getLogger(NewestEvent.class);
    /** More than the time until an event is noted. */
    private static final Duration MAX_LAG = Duration.ofMinutes(1);

    private final Reads reads;
    private final Watermark noted;
    private final AtomicReference<Instant> written = new AtomicReference<>(Instant.EPOCH);

    public NewestEvent(Reads reads) {
        this.reads = reads;
        this.noted = new Watermark(reads, "newest_event");
    }

    /** Takes the end of a chain after a commit; does not block. */
    public void written(ChainHead head) {
        if (head.createdAt().isAfter(written.get())) {
            written.accumulateAndGet(head.createdAt(), (known, mine) -> known.isAfter(mine) ? known : mine);
        }
    }

    /** Notes the newest event that this node has written since the last call, if there is one; to be called often. */
    public void note() {
        Instant newest = Objects.requireNonNull(written.get());
        if (newest.isAfter(Instant.EPOCH)) {
            noted.advance(newest);
            written.compareAndSet(newest, Instant.EPOCH);
        }
    }

    /**
     * The time of the newest event if it is after a moment. Only if what is noted does not rule that out, this looks at all
     * accounts, however long it takes.
     */
    public Optional<Instant> after(Instant moment) {
        Instant known = noted.reached().orElse(null);
        if (known != null && !known.plus(MAX_LAG).isAfter(moment)) {
            return Optional.empty();
        }
        LOG.debug("The newest event is looked for in every chain; {} is noted", known);
        try {
            Optional<Instant> newest = reads.connected(this::newest);
            newest.ifPresent(noted::advance);
            return newest.filter(it -> it.isAfter(moment));
        } catch (Unavailable away) {
            if (known == null) {
                throw away;
            }
            LOG.warn("Not every chain could be asked for its newest event; {} is noted, and counts", known, away);
            return Optional.of(known).filter(it -> it.isAfter(moment));
        }
    }

    private Optional<Instant> newest(Connection connection) throws SQLException {
        connection.setNetworkTimeout(Runnable::run, 0);
        return Reads.list(
                        connection,
                        "SELECT max(COALESCE(e.created_at, a.chain_created_at)) AS newest FROM account a LEFT JOIN "
                                + reads.dialect().tails() + " WHERE a.chain_seq > 0",
                        row -> Optional.ofNullable(row.getObject("newest", OffsetDateTime.class))
                                .map(OffsetDateTime::toInstant))
                .get(0);
    }
}
