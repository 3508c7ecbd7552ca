//! Accounts of organizers: their sessions, second factors and tokens.

pub mod factor;
pub mod people;
pub mod session;
pub mod tokens;
