//! Tests of the store on both databases. All are in one test binary, to link once.

mod histories;
mod lane;
mod names;
mod organizers;
mod passes;
mod privacy;
mod rejudge;
mod replay;
mod sessions;
mod sightings;
mod snapshot;
mod statements;
mod whole;
mod writers;
