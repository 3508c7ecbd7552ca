//! Texts generated from the list of actions: tables of the docs and a module of the site. The tests
//! fail if the files differ, and can write them.

mod docs;
mod typescript;

pub use docs::{authorization_rows, table};
pub use typescript::module;
