-- Runs unchanged on H2 and PostgreSQL. Every key that grows with use begins with user_id, so that rows of one user can
-- live together on one node of a distributed database. Policy documents are canonical JSON text, never a JSON type,
-- which would write them anew. Exact decimals are text; instants have microseconds.

-- The lock of an account, the end of its chain and its current revisions.
CREATE TABLE account (
    user_id          uuid                        NOT NULL PRIMARY KEY,
    chain_seq        bigint                      DEFAULT 0 NOT NULL,
    chain_hash       varchar(64)                 DEFAULT '0000000000000000000000000000000000000000000000000000000000000000' NOT NULL,
    chain_created_at timestamp(6) with time zone DEFAULT timestamp with time zone '1970-01-01 00:00:00+00' NOT NULL,
    ips_version      integer                     DEFAULT 0 NOT NULL,
    portfolio_rev    bigint                      DEFAULT 0 NOT NULL,
    keys_rev         bigint                      DEFAULT 0 NOT NULL
) ${often_updated};

CREATE TABLE app_user (
    user_id       uuid                        NOT NULL PRIMARY KEY,
    email         varchar(320)                NOT NULL UNIQUE,
    password_hash varchar(1000)               NOT NULL,
    created_at    timestamp(6) with time zone NOT NULL
);

CREATE TABLE app_session (
    token_hash varchar(128)                NOT NULL PRIMARY KEY,
    user_id    uuid                        NOT NULL,
    expires_at timestamp(6) with time zone NOT NULL
);
CREATE INDEX app_session_expiry ON app_session (expires_at);

CREATE TABLE agent_key (
    user_id         uuid                        NOT NULL,
    agent_key_id    uuid                        NOT NULL,
    name            varchar                     NOT NULL,
    key_type        varchar(8)                  NOT NULL,
    scopes          varchar(64)                 NOT NULL,
    policy          varchar                     NOT NULL,
    credential_hash varchar(64)                 NOT NULL UNIQUE,
    last4           varchar(4)                  NOT NULL,
    created_at      timestamp(6) with time zone NOT NULL,
    expires_at      timestamp(6) with time zone,
    rotated_at      timestamp(6) with time zone,
    revoked_at      timestamp(6) with time zone,
    PRIMARY KEY (user_id, agent_key_id)
);

CREATE TABLE ips_version (
    user_id    uuid                        NOT NULL,
    version    integer                     NOT NULL,
    document   varchar                     NOT NULL,
    created_at timestamp(6) with time zone NOT NULL,
    PRIMARY KEY (user_id, version)
);

CREATE TABLE portfolio_revision (
    user_id    uuid                        NOT NULL,
    revision   bigint                      NOT NULL,
    as_of      timestamp(6) with time zone NOT NULL,
    as_of_day  date                        NOT NULL,
    total_usd  varchar                     NOT NULL,
    peak_usd   varchar                     NOT NULL,
    document   varchar                     NOT NULL,
    PRIMARY KEY (user_id, revision)
);
-- The last revision of each day.
CREATE INDEX portfolio_revision_day ON portfolio_revision (user_id, as_of_day, revision);

-- What a key has used of its caps.
CREATE TABLE tally (
    user_id         uuid    NOT NULL,
    agent_key_id    uuid    NOT NULL,
    tally_day       date    NOT NULL,
    calls           bigint  NOT NULL,
    usd             varchar NOT NULL,
    pending_buys    varchar NOT NULL,
    completed_buys  varchar NOT NULL,
    completed_sells varchar NOT NULL,
    PRIMARY KEY (user_id, agent_key_id)
) ${often_updated};

CREATE SEQUENCE service_request_id START WITH 1;

CREATE TABLE service_request (
    user_id     uuid                        NOT NULL,
    id          bigint                      NOT NULL,
    status      varchar(16)                 NOT NULL,
    created_at  timestamp(6) with time zone NOT NULL,
    expires_at  timestamp(6) with time zone NOT NULL,
    accepted_at timestamp(6) with time zone,
    document    varchar                     NOT NULL,
    PRIMARY KEY (user_id, id)
);
CREATE INDEX service_request_status ON service_request (user_id, status, id);
-- Requests of any user whose time is over, and those accepted and not yet filled.
CREATE INDEX service_request_expiry ON service_request (status, expires_at);
CREATE INDEX service_request_accepted ON service_request (status, accepted_at);

CREATE TABLE idempotency (
    user_id         uuid                        NOT NULL,
    agent_key_id    uuid                        NOT NULL,
    idempotency_key varchar(512)                NOT NULL,
    request_id      bigint                      NOT NULL,
    asked_hash      varchar(64)                 NOT NULL,
    created_at      timestamp(6) with time zone NOT NULL,
    PRIMARY KEY (user_id, agent_key_id, idempotency_key)
);

-- The chains. The primary key makes a fork impossible to store. agent_key_id and allowed repeat what the payload of a
-- decision says and are null in every other row.
CREATE TABLE policy_event (
    user_id           uuid                        NOT NULL,
    seq               bigint                      NOT NULL,
    event_id          uuid                        NOT NULL,
    event_type        varchar(64)                 NOT NULL,
    created_at        timestamp(6) with time zone NOT NULL,
    signing_key_id    varchar(43)                 NOT NULL,
    prev_hash         varchar(64)                 NOT NULL,
    hash              varchar(64)                 NOT NULL,
    signature         varchar(86)                 NOT NULL,
    payload_hash      varchar(64)                 NOT NULL,
    payload_canonical varchar,
    agent_key_id      uuid,
    allowed           boolean,
    PRIMARY KEY (user_id, seq),
    UNIQUE (user_id, event_id)
);
-- One index for every filter: decisions of a key, allowed or blocked ones, and, where both are null, all that are no
-- decisions. Whatever else is asked walks the primary key.
CREATE INDEX policy_event_filter ON policy_event (user_id, agent_key_id, allowed, seq);

CREATE TABLE signing_key (
    kid               varchar(43)                 NOT NULL PRIMARY KEY,
    x                 varchar(43)                 NOT NULL,
    purpose           varchar(16)                 NOT NULL,
    status            varchar(16)                 NOT NULL,
    -- The purpose while the key is active, else null: there is one active key of a purpose at most.
    active_purpose    varchar(16) UNIQUE,
    valid_from        timestamp(6) with time zone NOT NULL,
    valid_until       timestamp(6) with time zone,
    revoked_at        timestamp(6) with time zone,
    revocation_reason varchar(16),
    compromised_since timestamp(6) with time zone,
    attestations      varchar                     NOT NULL,
    private_part      bytea
);
