-- Time from which an urgent notice that waits will not interrupt players any more.
alter table due_notices add column urgent_until_ms bigint;
