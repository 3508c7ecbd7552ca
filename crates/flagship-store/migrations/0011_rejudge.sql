-- What finds the teams that sent a text which a corrected flag accepts: the digest of the text after
-- lower-casing, where that differs from the text. Also null in rows of older programs.
alter table wrong_flags add column folded text;
create index wrong_flags_digest on wrong_flags (challenge_id, digest);
create index wrong_flags_folded on wrong_flags (challenge_id, folded) where folded is not null;

-- The digest of the exact flag that counted, or of the text that a pattern matched. Null for solves
-- without a flag, and in rows of older programs.
alter table solves add column digest text;
