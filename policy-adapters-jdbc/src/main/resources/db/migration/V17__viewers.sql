-- The viewer whose address opened a session; null for a session of the user. Viewers are among the passkeys of the account.
ALTER TABLE app_session ADD COLUMN viewer_id uuid;
