-- How a wrong flag came near a right one: the kind alone. Null if it did not, and in rows of older
-- programs.
alter table wrong_flags add column near text;
create index wrong_flags_near on wrong_flags (at_ms) where near is not null;

-- The digests of exact flags that challenges had, those that they still have among them.
create table former_flags (
    challenge_id text not null,
    digest text not null,
    primary key (challenge_id, digest)
);
