-- What paper custodians hold. A row without a document is the lock of a book that is not there yet.
CREATE TABLE paper_book (
    user_id      uuid             NOT NULL,
    custodian_id varchar(64)      NOT NULL,
    revision     bigint DEFAULT 0 NOT NULL,
    document     varchar,
    PRIMARY KEY (user_id, custodian_id)
) ${often_updated};

-- What came of every order, so that one that is placed again is answered and not filled again.
CREATE TABLE paper_order (
    user_id         uuid                        NOT NULL,
    client_order_id varchar(128)                NOT NULL,
    custodian_id    varchar(64)                 NOT NULL,
    document        varchar                     NOT NULL,
    created_at      timestamp(6) with time zone NOT NULL,
    PRIMARY KEY (user_id, client_order_id)
);
