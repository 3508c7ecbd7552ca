//! Tests of the commands, one file per command or per group of related commands.

mod actions;
mod apply;
mod cards;
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
mod remote;
mod settings;
mod sheets;
mod team;
mod trouble;
pub mod usage;
mod words;
