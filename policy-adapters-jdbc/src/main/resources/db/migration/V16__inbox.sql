-- What a user is done with in the inbox: ids, one a line. The number grows with every change of it.
ALTER TABLE app_user ADD COLUMN inbox_done varchar DEFAULT '' NOT NULL;
ALTER TABLE app_user ADD COLUMN inbox_rev bigint DEFAULT 0 NOT NULL;
