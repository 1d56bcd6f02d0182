-- Signed evidence that payloads were erased: of one row of a chain (scope row), or of all rows up to one (scope account).
CREATE TABLE erasure (
    user_id        uuid                        NOT NULL,
    scope          varchar(16)                 NOT NULL,
    seq            bigint                      NOT NULL,
    hash           varchar(64)                 NOT NULL,
    erased_at      timestamp(6) with time zone NOT NULL,
    reason         varchar(1000)               NOT NULL,
    signing_key_id varchar(43)                 NOT NULL,
    signature      varchar(86)                 NOT NULL,
    PRIMARY KEY (user_id, scope, seq)
);
