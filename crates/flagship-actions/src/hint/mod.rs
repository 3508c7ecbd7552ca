//! Actions about hints.

pub mod free;
