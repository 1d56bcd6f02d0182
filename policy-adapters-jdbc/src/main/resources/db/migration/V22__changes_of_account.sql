-- Grows with everything that is recorded of an account, whatever it is: who has seen this number has seen the latest.
ALTER TABLE account ADD COLUMN changes bigint DEFAULT 0 NOT NULL;
