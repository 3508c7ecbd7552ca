//! What organizers read of many teams, challenges and flags at once. Reads only, each by an index,
//! on the connections that no flag waits for.

pub mod challenges;
pub mod evidence;
pub mod flags;
pub mod overview;
pub mod story;
pub mod teams;
pub mod tries;
