-- The transparency log (docs/witnessing.md). A service has one log after the other; the last one is in use.
CREATE TABLE tlog (
    log_number     integer       NOT NULL PRIMARY KEY,
    origin         varchar(1000) NOT NULL UNIQUE,
    signing_key_id varchar(43)   NOT NULL,
    -- Grows whenever a node takes the log over; only that node appends.
    fence          bigint        NOT NULL,
    log_size       bigint        NOT NULL,
    -- The last published checkpoint, and its size; null and 0 before the first.
    checkpoint     varchar,
    published      bigint        NOT NULL,
    -- Why nothing is signed any more; null while it is.
    stopped        varchar(1000)
);

-- Tiles of hashes, and of entries at level -1. A partial tile is the beginning of the full one.
CREATE TABLE tlog_tile (
    log_number integer  NOT NULL,
    level      smallint NOT NULL,
    tile_index bigint   NOT NULL,
    data       bytea    NOT NULL,
    PRIMARY KEY (log_number, level, tile_index)
);

-- The rows of chains that are in the log in use, and those that wait for their entry.
CREATE TABLE tlog_row (
    user_id     uuid   NOT NULL,
    seq         bigint NOT NULL,
    -- Null while the row waits.
    entry_index bigint,
    PRIMARY KEY (user_id, seq)
);
CREATE INDEX tlog_row_waiting ON tlog_row (entry_index, user_id, seq)${only_waiting};

-- What the entries of an account are made with, 32 bytes; null before its first.
ALTER TABLE account ADD COLUMN log_secret bytea;
