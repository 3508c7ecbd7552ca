//! Emails that actions send, and their addresses, languages and links.

pub mod address;
pub mod language;
pub mod letters;
pub(crate) mod texts;
pub mod token;

pub use texts::load;
