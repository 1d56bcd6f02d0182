-- Grows whenever another policy waits to come into force, or none any more.
ALTER TABLE account ADD COLUMN scheduled_rev bigint DEFAULT 0 NOT NULL;
