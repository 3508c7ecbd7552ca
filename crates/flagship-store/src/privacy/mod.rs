//! Data about teams outside of the journal: retention and erasure.

mod erasure;
pub mod sightings;

pub(crate) use erasure::erase_in;
pub use erasure::{RetainedData, Retention, retained, retained_for_all};
