-- Divisions that each account chose or was added to, public and private. Rows of divisions that are
-- no longer defined stay, so that defining them again restores the memberships.
create table team_divisions (
    account_id bigint not null,
    division   text   not null,
    constraint team_divisions_pk primary key (account_id, division)
);
create index team_divisions_division on team_divisions (division);
