-- What users keep to rehearse policies; agents never depend on it.
CREATE TABLE policy_rehearsal (
    user_id  uuid        NOT NULL,
    kind     varchar(16) NOT NULL,
    document varchar     NOT NULL,
    PRIMARY KEY (user_id, kind)
);
