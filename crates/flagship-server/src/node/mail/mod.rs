//! Email: the durable outbox and its delivery.

pub mod mailer;
pub mod requests;
