-- The program that a key connects by consent; null for a key with a secret. The credential hash of a connection is the
-- random id of its consent.
ALTER TABLE agent_key ADD COLUMN client_id varchar;
ALTER TABLE agent_key ADD COLUMN client_host varchar;

-- The secret that tokens of connections are derived with, encrypted with the master key.
CREATE TABLE token_secret (
    one_row boolean DEFAULT TRUE NOT NULL PRIMARY KEY CHECK (one_row),
    sealed  bytea                NOT NULL
);

-- Programs that registered themselves.
CREATE TABLE oauth_client (
    client_id     varchar(64)                 NOT NULL PRIMARY KEY,
    name          varchar,
    -- One a line.
    redirect_uris varchar                     NOT NULL,
    created_at    timestamp(6) with time zone NOT NULL,
    -- Whether a user ever consented.
    is_used       boolean                     NOT NULL
);
-- Finds those that nobody consented to.
CREATE INDEX oauth_client_unused ON oauth_client (is_used, created_at);

-- Requests for a connection, and how users answered them.
CREATE TABLE oauth_request (
    request_id      uuid                        NOT NULL PRIMARY KEY,
    browser_hash    varchar(64)                 NOT NULL,
    asked           varchar                     NOT NULL,
    expires_at      timestamp(6) with time zone NOT NULL,
    -- waiting, denied, approved, or exchanged.
    status          varchar(16)                 NOT NULL,
    -- The rest is null unless a user consented.
    user_id         uuid,
    consent         varchar(64),
    agent_key       varchar,
    code_hash       varchar(64) UNIQUE,
    code_expires_at timestamp(6) with time zone
);
CREATE INDEX oauth_request_expiry ON oauth_request (expires_at);
CREATE INDEX oauth_request_user ON oauth_request (user_id);

CREATE TABLE oauth_token (
    token_hash  varchar(64)                 NOT NULL PRIMARY KEY,
    -- Whether it is an access token; else it is a refresh token.
    is_access   boolean                     NOT NULL,
    user_id     uuid                        NOT NULL,
    consent     varchar(64)                 NOT NULL,
    -- The refresh token that an access token came with, or that a refresh token follows; null for the first one.
    parent_hash varchar(64),
    expires_at  timestamp(6) with time zone NOT NULL,
    -- When it was first used; of a refresh token, it or one of its access tokens.
    used_at     timestamp(6) with time zone,
    -- Of a refresh token: the number of its last access token, and when that ends.
    access_number integer,
    access_ends   timestamp(6) with time zone
);
CREATE INDEX oauth_token_expiry ON oauth_token (expires_at);
CREATE INDEX oauth_token_user ON oauth_token (user_id);
