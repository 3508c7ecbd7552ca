//! Lists for organizers over many teams, challenges and submissions. Read-only; each query uses an
//! index, on connections that no submission waits for.

pub mod activity;
pub mod attempts;
pub mod challenges;
pub mod evidence;
pub mod flags;
pub mod overview;
pub mod teams;
