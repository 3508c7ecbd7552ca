//! Limits on how often something may be tried.

pub mod accounts;
pub mod refusals;
pub mod swept;
pub mod turns;
pub mod window;
