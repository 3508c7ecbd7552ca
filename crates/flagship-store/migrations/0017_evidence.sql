-- The account of the team whose flag a wrong flag was, where each team has its own.
alter table wrong_flags add column of_team bigint;

-- What organizers said of what teams have in common.
create index acts_evidence on acts (id) where act = 'evidence.state';
