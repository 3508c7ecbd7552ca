-- One schema for SQLite and PostgreSQL: BIGINT, TEXT and BOOLEAN; times are epoch milliseconds.

-- What the database is: which journal, which secret it was written with.
create table meta (
    key   text   not null,
    value text   not null,
    constraint meta_pk primary key (key)
);

-- The journal: append-only, the only truth about what is public.
create table journal (
    seq   bigint not null,
    at_ms bigint not null,
    salt  text   not null,
    body  text   not null,
    hash  text   not null,
    constraint journal_pk primary key (seq)
);

-- The living solves, written with their entries: one a team and challenge.
create table solves (
    team_id      bigint not null,
    challenge_id text   not null,
    seq          bigint not null,
    constraint solve_once primary key (team_id, challenge_id)
);

-- Challenges as the event's files last said, shown or not.
create table challenges (
    challenge_id  text    not null,
    definition    text    not null,
    hidden        boolean not null,
    released      boolean not null,
    release_at_ms bigint,
    constraint challenges_pk primary key (challenge_id)
);

-- Flags: a keyed digest where the flag is exact, the pattern where it is one.
create table flags (
    challenge_id     text    not null,
    number           bigint  not null,
    kind             text    not null,
    case_insensitive boolean not null,
    value            text    not null,
    constraint flags_pk primary key (challenge_id, number)
);

-- Accounts; a confirmed one has an entry in the journal under the same id.
create table accounts (
    id              bigint  not null,
    name            text    not null,
    email           text    not null,
    country         text    not null,
    password_hash   text,
    student         boolean not null,
    created_at_ms   bigint  not null,
    confirmed_at_ms bigint,
    constraint accounts_pk primary key (id)
);
create index accounts_email on accounts (email);

-- What names are unique by; a name has one or two keys.
create table names (
    name_key   text   not null,
    account_id bigint not null,
    constraint name_once primary key (name_key)
);
create index names_account on names (account_id);

-- Sessions by the SHA-256 of their token. `rev` grows with each change, so that nodes can follow.
create table sessions (
    token_hash    text    not null,
    account_id    bigint  not null,
    expires_at_ms bigint  not null,
    revoked       boolean not null,
    rev           bigint  not null,
    constraint sessions_pk primary key (token_hash)
);
create index sessions_rev on sessions (rev);
create index sessions_account on sessions (account_id);

-- Mailed links by the SHA-256 of their token, each for one purpose and one use.
create table mail_tokens (
    token_hash    text   not null,
    account_id    bigint not null,
    purpose       text   not null,
    expires_at_ms bigint not null,
    used_at_ms    bigint,
    constraint mail_tokens_pk primary key (token_hash)
);
create index mail_tokens_account on mail_tokens (account_id);

-- Mail to be sent, and what became of it. The text is emptied once it is sent.
create table outbox (
    id            bigint not null,
    address       text   not null,
    subject       text   not null,
    body          text   not null,
    created_at_ms bigint not null,
    next_at_ms    bigint,
    attempts      bigint not null,
    sent_at_ms    bigint,
    last_error    text,
    constraint outbox_pk primary key (id)
);
create index outbox_next on outbox (next_at_ms);
create index outbox_address on outbox (address, created_at_ms);

-- Wrong flags, for the organizers' record: digests, never the text.
create table wrong_flags (
    id           bigint not null,
    account_id   bigint not null,
    challenge_id text   not null,
    at_ms        bigint not null,
    digest       text   not null,
    constraint wrong_flags_pk primary key (id)
);

-- Captcha solutions that were used, until they expire.
create table used_captchas (
    signature     text   not null,
    expires_at_ms bigint not null,
    constraint captcha_once primary key (signature)
);
