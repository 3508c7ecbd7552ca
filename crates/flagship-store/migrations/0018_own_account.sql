-- Where a session began and with what, and when it was last seen. Null if that is not kept, and
-- once the session has ended.
alter table sessions add column network text;
alter table sessions add column browser text;
alter table sessions add column seen_at_ms bigint;

-- The address that a link of the purpose `address` makes its team's.
alter table mail_tokens add column email text;

-- The account that a mail is about; null for a mail about several or none, and for older ones.
alter table outbox add column about_id bigint;

-- The names of the people of a team, as it says them, for prizes.
create table members (
    account_id bigint not null,
    -- Counted from 1 for each account.
    number     bigint not null,
    name       text   not null,
    constraint members_pk primary key (account_id, number)
);
