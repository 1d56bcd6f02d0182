-- Run once, by the superuser of a new database server of compose.yaml (docs/operations.md). The service gets a role that owns
-- its database and nothing else. The superuser keeps no password, so that it can sign in only inside of the container.
\getenv password POSTGRES_PASSWORD
CREATE ROLE policy LOGIN PASSWORD :'password';
CREATE DATABASE policy OWNER policy;
ALTER ROLE postgres PASSWORD NULL;
