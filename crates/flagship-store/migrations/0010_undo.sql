-- What acts are about; one act may be about several challenges.
create table act_objects (
    object text   not null,
    act_id bigint not null,
    act    text   not null,
    constraint act_objects_pk primary key (object, act_id)
);
insert into act_objects (object, act_id, act) select object, id, act from acts;
drop index acts_object;

-- What puts back what an act changed, sealed under the event's secret.
create table act_restores (
    act_id bigint not null,
    sealed text   not null,
    constraint act_restores_pk primary key (act_id)
);

-- Notes of organizers about teams, which acts refer to.
create table notes (
    id         bigint not null,
    account_id bigint not null,
    sealed     text   not null,
    constraint notes_pk primary key (id)
);
create index notes_account on notes (account_id);

-- Names that teams had and lost. They stay taken; those that do not lead to the team are offensive.
create table former_names (
    name       text    not null,
    account_id bigint  not null,
    leads_on   boolean not null,
    constraint former_names_pk primary key (name)
);
create index former_names_account on former_names (account_id);

-- Notices that wait for their time.
create table due_notices (
    id           bigint  not null,
    at_ms        bigint  not null,
    title        text    not null,
    html         text    not null,
    challenge_id text,
    urgent       boolean not null,
    constraint due_notices_pk primary key (id)
);

-- Questions of teams, and what organizers told them.
create table questions (
    id             bigint not null,
    account_id     bigint not null,
    challenge_id   text,
    at_ms          bigint not null,
    text           text   not null,
    -- `open`, `answered` or `closed`.
    state          text   not null,
    answer         text,
    answered_at_ms bigint,
    constraint questions_pk primary key (id)
);
create index questions_account on questions (account_id, at_ms);

-- When a challenge is shown that an organizer releases at a time.
alter table held add column release_at_ms bigint;
