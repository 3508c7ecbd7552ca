//! Actions about evidence.

pub mod state;
