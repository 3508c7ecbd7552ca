//! What readers are served of the contest: the public board, teams' own parts, and live frames.

pub mod cards;
pub mod feed;
pub mod hub;
pub mod published;
