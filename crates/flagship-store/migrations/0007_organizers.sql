-- Organizers: people with roles, apart from teams.
create table organizers (
    id            bigint not null,
    name          text   not null,
    -- Roles and the ids of an author's challenges, each separated by a comma.
    roles         text   not null,
    challenges    text   not null,
    -- Both are set by the invitation.
    password_hash text,
    -- The secret of the second factor, sealed under the event's secret.
    factor        text,
    -- The time step of the last code that was used.
    factor_step   bigint not null,
    created_at_ms bigint not null,
    constraint organizers_pk primary key (id)
);

-- What organizers' names are unique by.
create table organizer_names (
    name_key     text   not null,
    organizer_id bigint not null,
    constraint organizer_name_once primary key (name_key)
);

-- Recovery codes that were not used, by their digest under the event's secret.
create table recovery_codes (
    organizer_id bigint not null,
    digest       text   not null,
    constraint recovery_codes_pk primary key (organizer_id, digest)
);

-- What lets an organizer in, by the digest of its token under the event's secret: an invitation, a
-- session or a token for scripts.
create table organizer_passes (
    digest        text   not null,
    organizer_id  bigint not null,
    kind          text   not null,
    created_at_ms bigint not null,
    expires_at_ms bigint not null,
    -- When the second factor was last asked and given.
    factor_at_ms  bigint,
    constraint organizer_passes_pk primary key (digest)
);
create index organizer_passes_organizer on organizer_passes (organizer_id);
