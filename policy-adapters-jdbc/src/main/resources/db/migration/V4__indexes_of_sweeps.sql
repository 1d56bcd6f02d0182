-- Sessions that were not used for long, and erasures that a key signed, are found without reading the whole table.
CREATE INDEX app_session_last_used ON app_session (last_used_at);
CREATE INDEX erasure_signing_key ON erasure (signing_key_id);
