-- When a session was last used, written about once an hour. Sessions that were open before count as used now.
ALTER TABLE app_session ADD COLUMN last_used_at timestamp(6) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL;

-- Browsers that signed in to an account.
CREATE TABLE app_device (
    token_hash   varchar(128)                NOT NULL PRIMARY KEY,
    user_id      uuid                        NOT NULL,
    last_used_at timestamp(6) with time zone NOT NULL
);
CREATE INDEX app_device_user ON app_device (user_id, last_used_at);
CREATE INDEX app_device_last_used ON app_device (last_used_at);
