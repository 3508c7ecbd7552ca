//! What organizers read: lists for pages, commands and exports, each as much of it as the reader
//! may see. Nothing here writes, and nothing waits for the lane.

pub mod arrivals;
pub mod boards;
pub mod cells;
pub mod challenges;
pub mod drafts;
pub mod evidence;
pub mod flags;
pub mod health;
pub mod journal;
pub mod overview;
pub mod results;
pub mod sheet;
pub mod story;
pub mod table;
pub mod teams;
pub mod tries;

use std::sync::Arc;

/// What lists are made from, beside the fold and the database.
#[derive(Default)]
pub struct Lists {
    /// Wrong flags, counted.
    pub tries: Arc<tries::Counter>,
    /// Challenges, shown or not.
    pub drafts: drafts::Drafts,
    /// What teams have in common.
    pub evidence: Arc<evidence::Evidence>,
}

/// How much a reader may see of teams and their solves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Sight {
    /// Addresses, and who is hidden, banned or not confirmed.
    pub addresses: bool,
    /// What the freeze hides.
    pub truth: bool,
}

impl Sight {
    /// What everybody sees.
    pub const PUBLIC: Self = Self { addresses: false, truth: false };
    /// What whoever has the machine sees.
    pub const ALL: Self = Self { addresses: true, truth: true };
}
