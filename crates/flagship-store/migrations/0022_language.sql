-- The code of the language in which an account gets its mails; null until a client has named one
-- that there is.
alter table accounts add column language text;
