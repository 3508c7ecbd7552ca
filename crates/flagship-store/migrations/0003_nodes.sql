-- The nodes that judge flags. One that is alone counts wrong flags in memory; several count them by
-- their record.
create table nodes (
    node_id text    not null,
    beat    bigint  not null,
    shares  boolean not null,
    constraint nodes_pk primary key (node_id)
);

create index wrong_flags_account on wrong_flags (account_id, at_ms);

-- Failed logins and signups while there are several nodes, each under the digest of whose they are.
create table attempts (
    id     bigint not null,
    bucket text   not null,
    at_ms  bigint not null,
    constraint attempts_pk primary key (id)
);
create index attempts_bucket on attempts (bucket, at_ms);
create index attempts_at on attempts (at_ms);
