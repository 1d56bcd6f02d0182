-- What one node does for all, as long as its time is not over.
CREATE TABLE lease (
    name       varchar(64)                 NOT NULL PRIMARY KEY,
    holder     uuid                        NOT NULL,
    held_until timestamp(6) with time zone NOT NULL
);
