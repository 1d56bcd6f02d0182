-- Addresses from before count as confirmed.
ALTER TABLE app_user ADD COLUMN email_confirmed boolean DEFAULT TRUE NOT NULL;
