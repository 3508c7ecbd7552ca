//! The commands of the program, one file for each or for a few that belong together.

mod actions;
mod apply;
mod changes;
mod check;
mod collections;
mod demo;
mod doctor;
mod export;
mod held;
mod journal;
mod lists;
mod mistakes;
mod organizers;
mod pull;
mod rehearse;
mod reload;
mod settings;
mod sheets;
mod team;
mod trouble;
pub mod usage;
mod words;
