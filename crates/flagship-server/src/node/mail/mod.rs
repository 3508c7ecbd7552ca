//! Mail: the durable outbox and the ways to deliver.

pub mod mailer;
pub mod outbox;
pub mod requests;
mod smtp_error;
pub mod transport;
