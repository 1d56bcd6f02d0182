-- The witnesses that have not cosigned the published checkpoint: time and verifier key, one a line.
ALTER TABLE tlog ADD COLUMN uncosigned varchar DEFAULT '' NOT NULL;
-- Null while the log is signed.
ALTER TABLE tlog ADD COLUMN stopped_at timestamp(6) with time zone;
UPDATE tlog SET stopped_at = CURRENT_TIMESTAMP WHERE stopped IS NOT NULL;
