-- The hash of the call that a challenge confirms; null for other purposes.
ALTER TABLE passkey_challenge ADD COLUMN call_hash varchar(64);
-- When the password was last reset by mail, or the address changed.
ALTER TABLE app_user ADD COLUMN recovered_at timestamp(6) with time zone;
-- When the order under way or filled was accepted without a passkey, else null. Finds what was accepted so within a day.
ALTER TABLE service_request ADD COLUMN unsigned_at timestamp(6) with time zone;
CREATE INDEX service_request_unsigned ON service_request (user_id, unsigned_at)${only_unsigned};
