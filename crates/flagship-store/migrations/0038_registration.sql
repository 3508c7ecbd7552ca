-- Codes that let teams sign up, without hyphens.
create table signup_codes (
    code          text   not null,
    -- Text that the organizers gave to the codes made together; may be empty.
    label         text   not null,
    -- Maximum number of accounts.
    uses          bigint not null,
    made_at_ms    bigint not null,
    revoked_at_ms bigint,
    constraint signup_codes_pk primary key (code)
);
-- Code that the account signed up with.
alter table accounts add column signup_code text;
create index accounts_signup_code on accounts (signup_code) where signup_code is not null;

-- Answers in the signup form, with the label that the team saw.
create table signup_answers (
    account_id bigint not null,
    field      text   not null,
    value      text   not null,
    label      text   not null,
    constraint signup_answers_pk primary key (account_id, field)
);
