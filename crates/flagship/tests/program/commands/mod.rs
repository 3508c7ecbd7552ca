//! The commands of the program, one file for each or for a few that belong together.

mod apply;
mod check;
mod collections;
mod demo;
mod doctor;
mod export;
mod journal;
mod rehearse;
mod settings;
mod sheets;
mod team;
pub mod usage;
mod words;
