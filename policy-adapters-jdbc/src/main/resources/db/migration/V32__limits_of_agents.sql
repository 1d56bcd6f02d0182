-- How many decisions the agents of an account were given on the last day (UTC) there were any.
ALTER TABLE account ADD COLUMN decided_day date DEFAULT DATE '1970-01-01' NOT NULL;
ALTER TABLE account ADD COLUMN decided bigint DEFAULT 0 NOT NULL;
UPDATE account SET decided_day = COALESCE(
    (SELECT max(t.tally_day) FROM tally t WHERE t.user_id = account.user_id), decided_day);
UPDATE account SET decided = COALESCE(
    (SELECT CAST(sum(t.calls) AS bigint) FROM tally t
     WHERE t.user_id = account.user_id AND t.tally_day = account.decided_day), 0);

-- The key that made a request, by which those of one key are found.
ALTER TABLE service_request ADD COLUMN agent_key_id uuid;
UPDATE service_request SET agent_key_id = CAST(
    substring(document FROM position('"agentKeyId":"' IN document) + 14 FOR 36) AS uuid)
    WHERE document LIKE '%"agentKeyId":"%';

-- Requests of a key that are neither completed nor rejected.
ALTER TABLE tally ADD COLUMN pending bigint DEFAULT 0 NOT NULL;
UPDATE tally SET pending = (SELECT count(*) FROM service_request r
    WHERE r.user_id = tally.user_id AND r.agent_key_id = tally.agent_key_id AND r.status = 'pending');
