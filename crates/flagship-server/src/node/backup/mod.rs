//! Backups: a whole event in one file, which can be created while the event runs. The command and
//! the site use the same code.
//!
//! The file is a gzipped tar: `tables/NAME.jsonl` with a line for each row, `files/DIGEST`,
//! `secret`, and last `manifest.json`.

mod archive;
mod download;
mod files;
mod source;

pub use archive::{FORMAT, Hashing, MANIFEST, MEMBERS_MAX, Manifest, SECRET};
pub use download::Backups;
pub use files::{FREE_BYTES_MIN, digest, digest_of, free_bytes, mib};
pub use source::{NoSpace, Omitted, Source};
