//! The statements that SQLite alone has.

/// Table, column and type, as the migrations wrote them.
pub(super) const COLUMNS: &str = "select m.name, c.name, lower(c.type) \
    from sqlite_master m join pragma_table_info(m.name) c \
    where m.type = 'table' and m.name not in ('_sqlx_migrations', 'sqlite_sequence') \
    order by m.name, c.cid";
/// The names of all tables.
pub(super) const TABLES: &str = "select name from sqlite_master \
    where type = 'table' and name not in ('_sqlx_migrations', 'sqlite_sequence') order by name";
/// The size of the database.
pub(super) const BYTES: &str = "select page_count * page_size \
    from pragma_page_count(), pragma_page_size()";
