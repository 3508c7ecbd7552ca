-- The text of each challenge's challenge.yml, sealed under the event's secret: it has flags.
create table sources (
    challenge_id  text   not null,
    -- Relative to the event's folder, with `/`.
    path          text   not null,
    sealed        text   not null,
    -- The files that the text may name, as JSON.
    files         text   not null,
    -- The text that was applied last; null if the challenge was made live.
    applied       text,
    -- Who changed it live, and when; null if nobody has since it was applied.
    changed_by    text,
    changed_at_ms bigint,
    constraint sources_pk primary key (challenge_id)
);

-- When the next hint of a challenge is to be shown.
alter table challenges add column hint_at_ms bigint;
