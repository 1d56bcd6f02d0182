-- Which user has connected which account at a broker, so that no two users have the same one. The hash is that of the
-- installation, the kind of the broker and its id of the account.
CREATE TABLE broker_account (
    account_hash varchar(64) NOT NULL PRIMARY KEY,
    user_id      uuid        NOT NULL
);
CREATE INDEX broker_account_user ON broker_account (user_id);
