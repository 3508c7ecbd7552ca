-- From which networks teams were seen, and at what. Kept until a stated day after the event.
create table sightings (
    team_id  bigint not null,
    -- `login`, `list`, `download`, `wrong` or `right`.
    kind     text   not null,
    -- The challenge, or empty.
    object   text   not null,
    -- An IPv4 address or an IPv6 /64; empty for all networks beyond the most that are kept.
    network  text   not null,
    first_ms bigint not null,
    last_ms  bigint not null,
    count    bigint not null,
    constraint sightings_pk primary key (team_id, kind, object, network)
);
create index sightings_network on sightings (network, kind, team_id);
create index sightings_last on sightings (last_ms);

-- From where a wrong flag came. Null once that is erased, and in rows of older programs.
alter table wrong_flags add column network text;
create index wrong_flags_network on wrong_flags (network, at_ms, id) where network is not null;
