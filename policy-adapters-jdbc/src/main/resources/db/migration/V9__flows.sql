-- What was proposed and allowed in the windows of an account's flow limits; null while nothing is counted.
ALTER TABLE account ADD COLUMN flows varchar;
