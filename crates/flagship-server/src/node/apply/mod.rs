//! Applying event files to an event, and reading live edits for them. `flagship apply` and `pull`
//! on the machine and their requests over HTTPS use the same plan, preview and messages.

pub mod difference;
mod live;
mod message;
mod plan;
mod pull;
mod review;
mod sent;

pub use live::Take;
pub use message::{FACTOR, applied_message, apply_error_message};
pub use plan::plan;
pub use pull::{LiveChallenge, LiveEvent, LiveText, NewFolder};
pub use review::{Comparison, Review, Verdict, Wish, refusal, without_event};
pub use sent::{ApplyAnswer, ApplyOutcome, ApplyRequest, SentFiles};
