//! What organizers and teams tell each other: notices, questions, the people of a team, and notes
//! among organizers.

pub mod members;
pub mod notes;
pub mod notices;
pub mod questions;
