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
create index acts_object on acts (object, act, id);
create index acts_actor on acts (actor, at_ms);
create index acts_undoes on acts (undoes) where undoes is not null;

-- Addresses of teams that organizers changed.
create table address_changes (
    id         bigint not null,
    account_id bigint not null,
    -- Counted from 1 for each account.
    number     bigint not null,
    new_email  text   not null,
    at_ms      bigint not null,
    -- The mail that warns the address before, from which the day counts.
    warning_id bigint not null,
    -- `waiting` for the day to pass, or `done`; `stopped` or `replaced` before it had.
    state      text   not null,
    constraint address_changes_pk primary key (id)
);
create unique index address_changes_number on address_changes (account_id, number);
create unique index address_changes_waiting on address_changes (account_id)
    where state = 'waiting';

-- What makes an address the team's again that it was, for a day after its mail was sent.
create table address_stops (
    token_hash text   not null,
    account_id bigint not null,
    -- Of the change.
    number     bigint not null,
    email      text   not null,
    warning_id bigint not null,
    constraint address_stops_pk primary key (token_hash)
);
create index address_stops_account on address_stops (account_id);
