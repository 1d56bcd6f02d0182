-- How users are told of requests that wait; app_user.request_mails is what is mailed.
ALTER TABLE app_user ADD COLUMN request_pushes varchar(16) DEFAULT 'plain' NOT NULL;
-- Quiet hours as times of day like 22:00, in a time zone; null for none.
ALTER TABLE app_user ADD COLUMN quiet_start varchar(5);
ALTER TABLE app_user ADD COLUMN quiet_end varchar(5);
ALTER TABLE app_user ADD COLUMN quiet_zone varchar(64);
ALTER TABLE app_user ADD COLUMN digest_minutes integer DEFAULT 5 NOT NULL;
-- When the user is to be told of requests on devices; null when there is nothing to tell. And when the user was last told.
ALTER TABLE app_user ADD COLUMN push_due_at timestamp(6) with time zone;
ALTER TABLE app_user ADD COLUMN pushed_at timestamp(6) with time zone;
CREATE INDEX app_user_push_due ON app_user (push_due_at);

-- Browsers that get push notifications.
CREATE TABLE push_device (
    device_id  uuid                        NOT NULL PRIMARY KEY,
    user_id    uuid                        NOT NULL,
    name       varchar                     NOT NULL,
    endpoint   varchar                     NOT NULL,
    -- What messages are encrypted for, base64url.
    public_key varchar(87)                 NOT NULL,
    secret     varchar(22)                 NOT NULL,
    created_at timestamp(6) with time zone NOT NULL
);
CREATE INDEX push_device_user ON push_device (user_id);
CREATE INDEX push_device_endpoint ON push_device (endpoint);
