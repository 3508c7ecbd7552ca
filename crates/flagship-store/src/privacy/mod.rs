//! What is kept of teams beside the journal: for how long, and how it is erased.

mod erasure;
pub mod sightings;

pub(crate) use erasure::erase_in;
pub use erasure::{Kept, Until, kept, kept_of_all};
