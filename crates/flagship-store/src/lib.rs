//! The journal and the private tables, on SQLite and PostgreSQL.
//!
//! Only this crate knows that there are two databases, and only `engine` distinguishes them. All
//! other modules use one SQL text for both.

pub mod accounts;
pub mod actions;
pub mod addresses;
pub mod attachments;
pub mod captchas;
pub mod challenges;
pub mod clock;
pub mod desk;
pub mod dump;
mod engine;
mod error;
mod fault;
pub mod fold;
pub mod health;
pub mod journal;
pub mod key;
pub mod lane;
pub mod lists;
pub mod mail;
pub mod meta;
pub mod nodes;
pub mod ops;
pub mod organizers;
pub mod privacy;
pub mod seal;
pub mod sessions;
pub mod settings;
pub mod signups;
pub mod snapshot;
pub mod sources;
pub mod wrong_flags;

pub use clock::Clock;
pub use engine::{DatabaseContents, Db, Hints, Lock, PgPoolSizes, Tx};
pub use error::{NewerFormat, Result, StoreError};
pub use fault::DatabaseFault;
pub use key::{Key, token_hash};
pub use privacy::sightings;
pub use seal::{Head, Seal};
