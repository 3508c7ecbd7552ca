//! Organizer accounts: sessions, two-factor authentication and API tokens.

pub mod factor;
pub mod people;
pub mod session;
pub mod tokens;
