-- Position in the order of signups; null for imported teams and for older signups.
alter table accounts add column signup_number bigint;
create index accounts_signup_number on accounts (signup_number);

-- Time at which the account was put on the waiting list, in epoch milliseconds; null if it is not
-- on the list. A waiting account with a confirmed address is not a team of the journal yet.
alter table accounts add column waiting_since_ms bigint;
create index accounts_on_waiting_list on accounts (signup_number) where waiting_since_ms is not null;

-- Time at which the private data was erased, in epoch milliseconds. The team holds no place.
alter table accounts add column erased_at_ms bigint;
