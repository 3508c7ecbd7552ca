//! Importing teams from a CSV file: decoding, parsing with all faults, and comparison with existing
//! teams. Read-only.

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
