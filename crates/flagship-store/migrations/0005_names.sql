-- By which rule the keys of a team's name were computed (`KEYS_FORM`). 0 where an older program wrote
-- the account, also one that runs beside a newer one.
alter table accounts add column keys_form bigint not null default 0;
create index accounts_keys_form on accounts (keys_form);
