//! Errors of the store.

use flagship_game::entry::FORMAT;

/// An error of the store.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// A statement failed; it may succeed later.
    #[error("database error")]
    Database(#[from] sqlx::Error),
    /// The schema could not be brought up to date.
    #[error("database migration failed")]
    Migrate(#[from] sqlx::migrate::MigrateError),
    /// A newer program has changed the schema to this version.
    #[error(
        "this database was created by a newer Flagship (schema version {0}); use that version or \
        a later one"
    )]
    Newer(i64),
    /// The journal continues in a newer format, which this program cannot read.
    #[error(transparent)]
    NewerFormat(#[from] NewerFormat),
    /// The database was written with another secret.
    #[error(
        "this database was created with a different secret; pass the original one with \
        --secret-file"
    )]
    OtherSecret,
    /// The database contains tables of another program; these are examples.
    #[error(
        "this database contains another program's tables ({0}); Flagship needs its own \
        database"
    )]
    Foreign(String),
    /// A pooler between the program and PostgreSQL splits sessions.
    #[error(
        "the database's address belongs to a connection pooler in transaction or statement mode; \
        Flagship needs whole sessions, because it listens for notifications. Set `pool_mode = \
        session` in the pooler, or use the address of PostgreSQL itself"
    )]
    TransactionPooler,
    /// The target database of a restore is not empty.
    #[error("the database is not empty; use a new one")]
    NotEmpty,
    /// SQLite's write-ahead log could not be fully checkpointed.
    #[error("the database has uncheckpointed changes: another program has it open")]
    Unmoved,
    /// A file could not be read or written.
    #[error("a file could not be read or written")]
    Io(#[from] std::io::Error),
    /// One of several operations could not be recorded, so none of them was. The other operations
    /// may succeed without it.
    #[error("an operation could not be recorded")]
    Operation(#[source] Box<StoreError>),
    /// Stored data contradicts itself.
    #[error("the database is inconsistent: {0}")]
    Corrupt(String),
}

/// Newer format of the journal, and the first entry in that format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "journal entry {seq} uses format {version}, but this Flagship supports formats up to \
    {FORMAT}; use the newer version that wrote it"
)]
pub struct NewerFormat {
    /// Sequence number of the first entry in the newer format.
    pub seq: i64,
    /// The format.
    pub version: u32,
}

/// A result of the store.
pub type Result<T> = std::result::Result<T, StoreError>;
