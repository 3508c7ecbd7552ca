//! What pairs of teams have in common that organizers may want to look at: dated facts, each with
//! its harmless explanation. It is folded in the background, and never decides anything.

mod facts;
mod known;
mod pairs;
mod shown;
mod watch;

pub use shown::{EvidencePair, show, table};
pub use watch::{Evidence, run};
