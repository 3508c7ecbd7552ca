//! Actions about solves.

pub mod count;
mod undo;
pub mod withdraw;

pub use undo::{RejudgedUndo, SolvesUndo};
