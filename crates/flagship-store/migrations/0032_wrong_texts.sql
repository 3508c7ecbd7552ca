-- Text of a wrong flag, sealed, if the event keeps it until its end. Null otherwise.
alter table wrong_flags add column sealed_text text;
create index wrong_flags_texts on wrong_flags (id) where sealed_text is not null;
