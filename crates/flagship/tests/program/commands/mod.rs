//! The commands of the program, one file for each or for a few that belong together.

mod apply;
mod changes;
mod collections;
mod demo;
mod doctor;
mod export;
mod held;
mod journal;
mod rehearse;
mod reload;
mod settings;
mod team;
pub mod usage;
mod words;
