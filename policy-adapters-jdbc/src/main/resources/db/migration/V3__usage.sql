-- The last calls of a user's agents, newest first. The row is the lock of all that is counted for the user.
CREATE TABLE recent_call (
    user_id  uuid                         NOT NULL PRIMARY KEY,
    document varchar DEFAULT '{"calls":[]}' NOT NULL
) ${often_updated};

-- Calls of a user's agents on a day (UTC), with the sketch of their latencies.
CREATE TABLE usage_day (
    user_id   uuid   NOT NULL,
    call_day  date   NOT NULL,
    total     bigint NOT NULL,
    errors    bigint NOT NULL,
    latencies bytea  NOT NULL,
    PRIMARY KEY (user_id, call_day)
) ${often_updated};
CREATE INDEX usage_day_age ON usage_day (call_day);

-- The same by key and route.
CREATE TABLE usage_route (
    user_id      uuid    NOT NULL,
    call_day     date    NOT NULL,
    agent_key_id uuid    NOT NULL,
    path         varchar NOT NULL,
    total        bigint  NOT NULL,
    errors       bigint  NOT NULL,
    PRIMARY KEY (user_id, call_day, agent_key_id, path)
) ${often_updated};
CREATE INDEX usage_route_age ON usage_route (call_day);

-- The last flush of every node, so that one whose COMMIT was never answered is not counted twice.
CREATE TABLE usage_flush (
    node_id    uuid                        NOT NULL PRIMARY KEY,
    flush      bigint                      NOT NULL,
    flushed_at timestamp(6) with time zone NOT NULL
);
