-- Whose key a credential is, in a database whose keys are distributed by user; empty in any other.
CREATE TABLE key_route (
    credential_hash varchar(64) NOT NULL PRIMARY KEY,
    user_id         uuid        NOT NULL
);
CREATE INDEX key_route_user ON key_route (user_id);
