-- The account of the team whose flag a wrong flag was, where each team has its own.
alter table wrong_flags add column of_team bigint;
