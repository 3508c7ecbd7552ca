//! The journal and the private tables, on SQLite and PostgreSQL.
//!
//! The only crate that knows there are two databases, and only `engine` tells them apart:
//! everything else is one SQL text for both.

pub mod accounts;
pub mod captchas;
pub mod challenges;
pub mod clock;
pub mod dump;
mod engine;
pub mod health;
pub mod journal;
pub mod kept;
pub mod key;
pub mod lane;
pub mod mail;
pub mod meta;
pub mod nodes;
mod ops;
pub mod seal;
pub mod sessions;
pub mod wrong_flags;

pub use clock::Clock;
pub use engine::{Db, Hints, Lock, Tx};
pub use key::Key;
pub use seal::{Head, Seal};

/// What can go wrong in the store.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The database did not do what it was asked; it may later.
    #[error("the database failed")]
    Database(#[from] sqlx::Error),
    /// The schema could not be brought up to date.
    #[error("the database's schema could not be brought up to date")]
    Migrate(#[from] sqlx::migrate::MigrateError),
    /// The database was written by a newer program.
    #[error(
        "this database was written by a newer Flagship (schema version {0}); \
         use that one or a later one"
    )]
    Newer(i64),
    /// The database was written with another secret.
    #[error("this database was written with another secret; give the one it was made with")]
    OtherSecret,
    /// The database that is to be filled holds something.
    #[error("the database is not empty")]
    NotEmpty,
    /// A file could not be read or written.
    #[error("a file could not be read or written")]
    Io(#[from] std::io::Error),
    /// An operation of the lane could not be recorded; without it the others may be.
    #[error("an operation could not be recorded")]
    Operation(#[source] Box<StoreError>),
    /// What is stored cannot be right.
    #[error("the database holds what cannot be right: {0}")]
    Corrupt(String),
}

/// A result of the store.
pub type Result<T> = std::result::Result<T, StoreError>;
