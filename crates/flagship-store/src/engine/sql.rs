//! The statements that differ between the two databases, or are about the database itself.

/// Each statement sees what was committed before it, whatever the server's default is: a snapshot
/// from before the lock would miss what its last holder wrote.
pub(super) const POSTGRES_ISOLATION: &str = "begin isolation level read committed";
/// Takes a lock, and makes the commit wait for the disk whatever the server's default is; a
/// stricter setting stays.
pub(super) const POSTGRES_BEGIN: &str = "select pg_advisory_xact_lock($1), set_config('synchronous_commit', \
    case current_setting('synchronous_commit') when 'remote_apply' then 'remote_apply' \
    else 'on' end, true)";
/// PostgreSQL's current time, which moves within a transaction.
pub(super) const POSTGRES_NOW_MS: &str =
    "select (extract(epoch from clock_timestamp()) * 1000)::bigint";

/// Table, column and type, as the migrations wrote them.
pub(super) const SQLITE_COLUMNS: &str = "select m.name, c.name, lower(c.type) \
    from sqlite_master m join pragma_table_info(m.name) c \
    where m.type = 'table' and m.name not in ('_sqlx_migrations', 'sqlite_sequence') \
    order by m.name, c.cid";
/// The same.
pub(super) const POSTGRES_COLUMNS: &str = "select table_name::text, column_name::text, data_type::text \
    from information_schema.columns \
    where table_schema = current_schema() and table_name <> '_sqlx_migrations' \
    order by table_name::text collate \"C\", ordinal_position";

/// The names of all tables.
pub(super) const SQLITE_TABLES: &str = "select name from sqlite_master \
    where type = 'table' and name not in ('_sqlx_migrations', 'sqlite_sequence') order by name";
/// The same.
pub(super) const POSTGRES_TABLES: &str = "select tablename::text from pg_tables \
    where schemaname = current_schema() and tablename <> '_sqlx_migrations' order by 1";
/// The size of the database.
pub(super) const SQLITE_BYTES: &str = "select page_count * page_size \
    from pragma_page_count(), pragma_page_size()";
/// The same.
pub(super) const POSTGRES_BYTES: &str = "select pg_database_size(current_database())";
/// A row if the database was written with a secret.
pub(super) const SECRET_CHECK: &str = "select 1 from meta where key = 'secret_check'";
