-- What a mail is for, and a keyed digest of the network that caused it: its budgets.
alter table outbox add column kind text;
alter table outbox add column network text;
create index outbox_sent on outbox (sent_at_ms);

-- A keyed digest of the network that a team signed up from, until it confirms its address.
alter table accounts add column network text;
create index accounts_unconfirmed on accounts (created_at_ms) where confirmed_at_ms is null;
