//! What is kept of teams beside the journal, until a stated day.

pub mod sightings;
