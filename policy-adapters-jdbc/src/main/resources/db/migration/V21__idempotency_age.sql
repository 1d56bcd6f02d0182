-- By it the sweep finds idempotency records that are too old to be replayed.
CREATE INDEX idempotency_age ON idempotency (created_at);
