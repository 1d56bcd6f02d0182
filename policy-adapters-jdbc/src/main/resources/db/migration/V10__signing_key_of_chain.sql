-- The key that must sign the next row of a chain; null while the chain is empty. It changes seldom, so the index costs
-- nothing when rows are added; by it chains are found that have yet to go over to another key.
ALTER TABLE account ADD COLUMN signing_key_id varchar(43);
UPDATE account SET signing_key_id = (
    SELECT e.signing_key_id FROM policy_event e WHERE e.user_id = account.user_id AND e.seq = account.chain_seq);
CREATE INDEX account_signing_key ON account (signing_key_id);
