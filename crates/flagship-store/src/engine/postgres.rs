//! The statements that PostgreSQL alone has.

/// Each statement sees what was committed before it, whatever the server's default is: a snapshot
/// from before the lock would miss what its last holder wrote.
pub(super) const ISOLATION: &str = "begin isolation level read committed";
/// Takes a lock, makes the commit wait for the disk whatever the server's default is (a stricter
/// setting stays) and send a hint to the nodes: one round trip for all three.
pub(super) const BEGIN: &str = "select pg_advisory_xact_lock($1), set_config('synchronous_commit', \
    case current_setting('synchronous_commit') when 'remote_apply' then 'remote_apply' \
    else 'on' end, true), pg_notify($2, '')";
/// Ends the wait for a lock long before the server looks for a deadlock, after a second.
pub(super) const WAIT_BRIEFLY: &str = "set local lock_timeout = '20ms'";
/// PostgreSQL's current time, which moves within a transaction.
pub(super) const NOW_MS: &str = "select (extract(epoch from clock_timestamp()) * 1000)::bigint";
/// The same, and a value of the table `meta`.
pub(super) const NOW_MS_AND_META: &str = "select (extract(epoch from clock_timestamp()) * 1000)::bigint, \
    (select value from meta where key = $1)";
/// Table, column and type, as the migrations wrote them.
pub(super) const COLUMNS: &str = "select table_name::text, column_name::text, data_type::text \
    from information_schema.columns \
    where table_schema = current_schema() and table_name <> '_sqlx_migrations' \
    order by table_name::text collate \"C\", ordinal_position";
/// The names of all tables.
pub(super) const TABLES: &str = "select tablename::text from pg_tables \
    where schemaname = current_schema() and tablename <> '_sqlx_migrations' order by 1";
/// The size of the database.
pub(super) const BYTES: &str = "select pg_database_size(current_database())";
