-- However many accounts strangers make with an address, the few that a mail is about are found by
-- an index: its teams, and the oldest unconfirmed ones, of all networks and of one.
drop index accounts_email;
create index accounts_email on accounts (email, created_at_ms, id)
    where confirmed_at_ms is not null;
create index accounts_waiting on accounts (email, created_at_ms, id)
    where confirmed_at_ms is null;
create index accounts_waiting_network
    on accounts (email, substr(network, 33), created_at_ms, id) where confirmed_at_ms is null;

-- Budgets of mails to an address are counted in an index, and tokens are deleted as they expire.
drop index outbox_address;
create index outbox_address on outbox (address, kind, created_at_ms);
create index outbox_address_network on outbox (address, kind, substr(network, 33), created_at_ms);
create index outbox_blanks on outbox (sent_at_ms) where subject = '';
create index mail_tokens_expiry on mail_tokens (expires_at_ms);
