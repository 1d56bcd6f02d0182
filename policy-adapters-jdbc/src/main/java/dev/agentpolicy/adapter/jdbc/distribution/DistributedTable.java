package dev.agentpolicy.adapter.jdbc.distribution;

import static dev.agentpolicy.adapter.jdbc.distribution.DistributedTable.Placement.BY_USER;
import static dev.agentpolicy.adapter.jdbc.distribution.DistributedTable.Placement.ON_COORDINATOR;
import static dev.agentpolicy.adapter.jdbc.distribution.DistributedTable.Placement.ON_EVERY_NODE;

import java.util.Locale;

/** The tables of the schema and where their rows belong, in the order in which they are distributed. */
enum DistributedTable {
    ACCOUNT(BY_USER),
    POLICY_EVENT(BY_USER),
    ERASURE(BY_USER),
    IPS_VERSION(BY_USER),
    PORTFOLIO_REVISION(BY_USER),
    TALLY(BY_USER),
    DAILY_CALL(BY_USER),
    SERVICE_REQUEST(BY_USER),
    IDEMPOTENCY(BY_USER),
    CUSTODIAN(BY_USER),
    CUSTODIAN_FILL(BY_USER),
    PAPER_BOOK(BY_USER),
    PAPER_ORDER(BY_USER),
    RECENT_CALL(BY_USER),
    USAGE_DAY(BY_USER),
    USAGE_PATH(BY_USER),
    USAGE_KEY(BY_USER),
    SIGNING_KEY(ON_EVERY_NODE),
    AGENT_KEY(ON_EVERY_NODE),
    APP_USER(ON_EVERY_NODE),
    APP_SESSION(ON_EVERY_NODE),
    APP_DEVICE(ON_COORDINATOR),
    MAIL_TOKEN(ON_COORDINATOR),
    PASSKEY_CHALLENGE(ON_COORDINATOR),
    INSTALLATION(ON_COORDINATOR),
    LEASE(ON_COORDINATOR),
    USAGE_FLUSH(ON_COORDINATOR),
    RATE_WINDOW(ON_COORDINATOR),
    FLYWAY_SCHEMA_HISTORY(ON_COORDINATOR);

    /** Where the rows of a table are. */
    enum Placement {
        /** Each in the shard of its user. */
        BY_USER,
        /** All on every node, since they are found by something else than their user. */
        ON_EVERY_NODE,
        /** All on the coordinator, as before. */
        ON_COORDINATOR
    }

    private final Placement placement;

    DistributedTable(Placement placement) {
        this.placement = placement;
    }

    Placement placement() {
        return placement;
    }

    String sqlName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
