-- Ids of events grow with time: an index that begins with them is written at its end only, one that begins with the user
-- at as many places as there are users.
${drop_event_ids_of_users};
ALTER TABLE policy_event ADD UNIQUE (event_id, user_id);
