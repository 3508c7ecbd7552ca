//! Mail: the durable outbox and the ways to deliver.

pub mod mailer;
pub mod requests;
