-- The id a database is given when it is first served. It names the records of heads that are kept outside of it.
CREATE TABLE installation (
    one_row boolean DEFAULT TRUE NOT NULL PRIMARY KEY CHECK (one_row),
    id      uuid                 NOT NULL
);
