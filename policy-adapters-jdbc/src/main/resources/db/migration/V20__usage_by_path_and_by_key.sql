-- Calls of a day by path, and by key, each for itself: a report asks for the one or the other, never for both at once,
-- and thirty days of a hundred keys are then a few thousand rows to read and not tens of thousands.
CREATE TABLE usage_path (
    user_id  uuid    NOT NULL,
    call_day date    NOT NULL,
    path     varchar NOT NULL,
    total    bigint  NOT NULL,
    PRIMARY KEY (user_id, call_day, path)
) ${often_updated};
CREATE INDEX usage_path_age ON usage_path (call_day);
INSERT INTO usage_path (user_id, call_day, path, total)
    SELECT user_id, call_day, path, CAST(SUM(total) AS bigint) FROM usage_route GROUP BY user_id, call_day, path;

CREATE TABLE usage_key (
    user_id      uuid   NOT NULL,
    call_day     date   NOT NULL,
    agent_key_id uuid   NOT NULL,
    total        bigint NOT NULL,
    PRIMARY KEY (user_id, call_day, agent_key_id)
) ${often_updated};
CREATE INDEX usage_key_age ON usage_key (call_day);
INSERT INTO usage_key (user_id, call_day, agent_key_id, total)
    SELECT user_id, call_day, agent_key_id, CAST(SUM(total) AS bigint) FROM usage_route
    GROUP BY user_id, call_day, agent_key_id;

DROP TABLE usage_route;
