-- What counts on a day (UTC) for the daily call cap of a key; keys without a cap have no rows.
CREATE TABLE daily_call (
    user_id      uuid   NOT NULL,
    agent_key_id uuid   NOT NULL,
    call_day     date   NOT NULL,
    calls        bigint NOT NULL,
    PRIMARY KEY (user_id, agent_key_id, call_day)
) ${often_updated};
CREATE INDEX daily_call_age ON daily_call (call_day);

-- Until now the decisions of a key were its calls: those that its tally tells of, and those that only the end of the chain
-- tells of.
INSERT INTO daily_call (user_id, agent_key_id, call_day, calls)
    SELECT s.user_id, s.agent_key_id, s.last_day, (CASE WHEN s.last_day > s.tally_day THEN 0 ELSE s.calls END) + s.later
    FROM (SELECT t.user_id, t.agent_key_id, t.tally_day, t.calls,
              GREATEST(t.tally_day, COALESCE(
                  (SELECT CAST(max(e.created_at) AT TIME ZONE 'UTC' AS date) FROM policy_event e
                   WHERE e.user_id = t.user_id AND e.agent_key_id = t.agent_key_id AND e.seq > a.chain_seq),
                  t.tally_day)) AS last_day,
              (SELECT count(*) FROM policy_event e
               WHERE e.user_id = t.user_id AND e.agent_key_id = t.agent_key_id AND e.seq > a.chain_seq) AS later
          FROM tally t
          JOIN account a ON a.user_id = t.user_id
          JOIN agent_key k ON k.user_id = t.user_id AND k.agent_key_id = t.agent_key_id
          WHERE k.policy NOT LIKE '%"dailyCallCap":null%') AS s;
