-- What the user of an account wrote on the last day (UTC) on which the user wrote anything, for the limits of a day.
ALTER TABLE account ADD COLUMN written_day date DEFAULT DATE '1970-01-01' NOT NULL;
ALTER TABLE account ADD COLUMN written_ips bigint DEFAULT 0 NOT NULL;
ALTER TABLE account ADD COLUMN written_ips_bytes bigint DEFAULT 0 NOT NULL;
ALTER TABLE account ADD COLUMN written_holdings bigint DEFAULT 0 NOT NULL;
