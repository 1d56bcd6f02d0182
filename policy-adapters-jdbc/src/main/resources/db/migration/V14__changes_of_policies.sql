-- When the looser policy that waits comes into force; null when none waits. The policy itself is among the passkeys, with what
-- the user asks of changes.
ALTER TABLE account ADD COLUMN scheduled_at timestamp(6) with time zone;
-- Finds those that are due.
CREATE INDEX account_scheduled ON account (scheduled_at)${only_scheduled};
