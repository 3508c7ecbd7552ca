//! Storage of attachments and branding files: a folder, the database, or a bucket of an
//! S3-compatible server. Files are named by digest, and the file with a given digest never
//! changes. A stored file is complete: no reader sees a part of it.

mod bucket;
mod condition;
mod content;
mod folder;
mod hashing_reader;
mod location;
mod move_files;
mod read;
mod shared;
mod store;
#[cfg(test)]
mod tests;

pub use condition::Condition;
pub use location::Location;
pub use move_files::{MoveResult, copy, move_all};
pub use read::StoredFile;
pub use store::Storage;
