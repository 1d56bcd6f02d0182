-- How far the nodes have got, so that nothing begins anew with every start: the newest event of all chains that is known
-- (newest_event), and the day until which old portfolio revisions are deleted (revisions_swept).
CREATE TABLE progress (
    name    varchar(64)                 NOT NULL PRIMARY KEY,
    reached timestamp(6) with time zone NOT NULL
);

-- Finds the revisions of days that are over, a day at a time and by user.
DROP INDEX portfolio_revision_age;
CREATE INDEX portfolio_revision_age ON portfolio_revision (as_of_day, user_id, revision);
