-- Each login deletes the sessions that have expired, without a look at the others. A revoked session
-- expires some minutes after it was revoked.
create index sessions_expiry on sessions (expires_at_ms);
