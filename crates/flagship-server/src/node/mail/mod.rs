//! Mail: addresses, texts, the durable outbox and the ways to deliver.

pub mod address;
pub mod language;
pub mod letters;
pub mod mailer;
pub mod outbox;
pub mod requests;
mod smtp_error;
mod texts;
pub mod transport;
