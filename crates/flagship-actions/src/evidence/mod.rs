//! Actions about what teams have in common.

pub mod state;
