//! What organizers and teams tell each other: notices, questions, and notes among organizers.

pub(crate) mod notes;
pub mod notices;
pub mod questions;
