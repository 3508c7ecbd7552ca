//! Communication between organizers and teams: notices, questions, team members and organizers'
//! notes.

pub mod members;
pub mod notes;
pub mod notices;
pub mod questions;
pub mod signup_answers;
