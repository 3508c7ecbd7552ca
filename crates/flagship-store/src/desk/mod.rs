//! Data that organizers and teams exchange: notices, questions, team members, divisions and
//! organizers' notes.

pub mod divisions;
pub mod members;
pub mod notes;
pub mod notices;
pub mod questions;
pub mod signup_answers;
