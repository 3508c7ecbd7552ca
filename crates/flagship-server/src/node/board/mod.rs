//! What readers are served of the contest: the public board, teams' own parts, and live frames.

pub mod answers;
pub mod cards;
pub mod feed;
pub mod hub;
pub mod published;
