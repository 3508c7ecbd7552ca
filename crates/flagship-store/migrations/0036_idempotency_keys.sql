-- Keys that organizers sent with actions, so that a retry returns the first answer.
create table idempotency_keys (
    organizer_id bigint not null,
    key          text   not null,
    -- MAC of the request.
    digest       text   not null,
    action_id    bigint not null,
    -- The first answer, sealed; null until it is given.
    answer       text,
    at_ms        bigint not null,
    constraint idempotency_keys_pk primary key (organizer_id, key)
);
create index idempotency_keys_at on idempotency_keys (at_ms);
create index idempotency_keys_action on idempotency_keys (action_id);
