//! Evidence about pairs of teams: dated signals, each with an innocent explanation. Computed in the
//! background; never used for automatic decisions.

mod facts;
mod known;
mod pairs;
mod shown;
mod watch;

pub use shown::{EvidencePair, show, table};
pub use watch::{Evidence, run};
