-- Wrong flags in the order of time: what is new since they were last counted.
create index wrong_flags_at on wrong_flags (at_ms, challenge_id, account_id);
