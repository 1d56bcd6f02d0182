package dev.agentpolicy.app.guard;

import dev.agentpolicy.adapter.jdbc.JdbcStore;
import dev.agentpolicy.app.config.CannotStart;
import dev.agentpolicy.app.config.Config;
import dev.agentpolicy.app.guard.RollbackGuard.Loss;
import dev.agentpolicy.domain.port.RandomSource;
import java.time.Instant;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks at a start whether the database was rolled back, in two steps: before anything is written, and after the anchors
 * have been compared.
 */
public final class Rollback {
    private static final Logger LOG = LoggerFactory.getLogger(Rollback.class);
    private static final String IN_MEMORY = "jdbc:h2:mem:";

    private final JdbcStore store;
    private final RollbackGuard guard;
    private final boolean isKept;
    private final Loss loss;

    private Rollback(JdbcStore store, RollbackGuard guard, boolean isKept, Loss loss) {
        this.store = store;
        this.guard = guard;
        this.isKept = isKept;
        this.loss = loss;
    }

    /**
     * Compares; a database in memory is new at every start, so nothing is recorded of one.
     *
     * @throws CannotStart when a new database stands where there was another, without an override
     */
    public static Rollback check(Config config, JdbcStore store) {
        boolean isKept = !config.database().url().startsWith(IN_MEMORY);
        RollbackGuard guard = new RollbackGuard(config.rollback(), store);
        Loss loss = isKept ? guard.compare() : Loss.NONE;
        if (loss.isNew()) {
            guard.requireNone(loss);
        }
        return new Rollback(store, guard, isKept, loss);
    }

    /**
     * Ends the check, and begins to record heads.
     *
     * @param isAnchorOverridden whether the operator accepts that the database is behind an anchor, and with it this loss
     * @throws CannotStart when the database lacks rows, without an override
     */
    public void settle(boolean isAnchorOverridden, HeadJournal heads, RandomSource random, Instant now) {
        if (!loss.isNew() && !isAnchorOverridden) {
            guard.requireNone(loss);
        }
        if (isAnchorOverridden && !loss.isEmpty()) {
            LOG.warn("The database lacks rows, which POLICY_ANCHOR_OVERRIDE accepts: {}", loss.sentence());
        }
        if (isKept) {
            UUID installation = store.establishInstallation(random.uuid());
            guard.setAside(loss, now);
            guard.begin(heads, installation);
        }
    }
}
