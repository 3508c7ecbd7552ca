//! The CSV file of teams that organizers import: its encoding, its rows with all that is wrong, and
//! the comparison with the teams that exist. Nothing here writes.

mod cells;
mod checked;
mod compare;
mod hashes;
mod invitations;
mod readings;
mod sheet;
#[cfg(test)]
mod tests;
mod text;

pub use checked::{Checked, TEAMS_MAX};
pub use compare::Compared;
pub use invitations::Invitations;
#[cfg(any(test, feature = "fuzz"))]
pub use sheet::holds;
pub use sheet::{Fault, Passed, Reason, Row, Sheet, parse};
pub use text::{Encoding, FILE_BYTES_MAX, Reading, Unread};
