//! Texts that are written from the list of actions: tables of the docs and a module of the site.
//! Tests write them, and fail where they differ.

mod docs;
mod typescript;

pub use docs::{authorization_rows, table};
pub use typescript::module;
