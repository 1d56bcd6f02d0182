-- The hash of the call that a challenge confirms; null for other purposes.
ALTER TABLE passkey_challenge ADD COLUMN call_hash varchar(64);
-- When the password was last reset by mail, or the address changed.
ALTER TABLE app_user ADD COLUMN recovered_at timestamp(6) with time zone;
