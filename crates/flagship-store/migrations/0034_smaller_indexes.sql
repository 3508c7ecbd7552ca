-- Wrong flags by the beginning of their digest. With the challenge and the whole digest, the index
-- took more of the time of a wrong flag than all else that is written for it.
drop index wrong_flags_digest;
drop index wrong_flags_folded;
create index wrong_flags_digest on wrong_flags (substr(digest, 1, 10));
create index wrong_flags_folded on wrong_flags (substr(folded, 1, 10)) where folded is not null;
