//! What can go wrong in the store, for callers that decide and for operators who read.

use flagship_game::entry::FORMAT;

/// An error of the store.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// A statement failed; it may succeed later.
    #[error("the database failed")]
    Database(#[from] sqlx::Error),
    /// The schema could not be brought up to date.
    #[error("the database's schema could not be brought up to date")]
    Migrate(#[from] sqlx::migrate::MigrateError),
    /// A newer program has changed the schema to this version.
    #[error(
        "this database was written by a newer Flagship (schema version {0}); \
         use that one or a later one"
    )]
    Newer(i64),
    /// A newer program has begun a format of the journal that this one does not read.
    #[error(transparent)]
    NewerFormat(#[from] NewerFormat),
    /// The database was written with another secret.
    #[error(
        "this database was written with another secret; give the one it was made with \
         (--secret-file)"
    )]
    OtherSecret,
    /// The database holds tables of another program, of which these are some.
    #[error("this database belongs to another program (tables {0}); Flagship needs one of its own")]
    Foreign(String),
    /// The database that is to be filled holds something.
    #[error("the database is not empty: give a new one")]
    NotEmpty,
    /// Some of SQLite's log could not be moved into the database file.
    #[error("some of the database is only in its log: another program has it open")]
    Unmoved,
    /// A file could not be read or written.
    #[error("a file could not be read or written")]
    Io(#[from] std::io::Error),
    /// One operation of several could not be recorded, and so none was; the others may succeed
    /// without it.
    #[error("an operation could not be recorded")]
    Operation(#[source] Box<StoreError>),
    /// Stored data contradicts itself.
    #[error("the database holds what cannot be right: {0}")]
    Corrupt(String),
}

/// The journal's newer format, and where it begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "journal entry {seq} begins format {version}, and this Flagship reads up to {FORMAT}; \
     use the newer one that wrote it"
)]
pub struct NewerFormat {
    /// The sequence number of the entry that begins it.
    pub seq: i64,
    /// The format.
    pub version: u32,
}

/// A result of the store.
pub type Result<T> = std::result::Result<T, StoreError>;
