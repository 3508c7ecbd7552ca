-- What organizers did, one row after the other, in a chain of hashes.
create table acts (
    id         bigint not null,
    at_ms      bigint not null,
    -- The organizer's name.
    actor      text   not null,
    act        text   not null,
    -- What it is about: `team 7`.
    object     text   not null,
    -- JSON: a salt, the arguments and the reason; null once it is erased.
    body       text,
    -- The hash of the body.
    commitment text   not null,
    -- The entries of the journal that it appended, if any.
    first_seq  bigint,
    last_seq   bigint,
    -- The act that it takes back.
    undoes     bigint,
    hash       text   not null,
    constraint acts_pk primary key (id)
);
create index acts_object on acts (object, id);
create index acts_undoes on acts (undoes) where undoes is not null;

-- Addresses of teams that organizers changed.
create table address_changes (
    id         bigint not null,
    account_id bigint not null,
    -- The address before, which can stop the change for a day.
    old_email  text   not null,
    new_email  text   not null,
    at_ms      bigint not null,
    -- `waiting` for the day to pass, `done`, and after the day `settled`; or `stopped`, `replaced`.
    state      text   not null,
    constraint address_changes_pk primary key (id)
);
create index address_changes_open on address_changes (account_id)
    where state in ('waiting', 'done');
