//! What two teams have in common: facts with dates.

use flagship_game::TeamId;

/// More teams than these in a network are a campus.
pub const CAMPUS_TEAMS: usize = 4;

/// Two teams and what they have in common, or one team.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// A team.
    pub team: TeamId,
    /// The other one.
    pub other: Option<TeamId>,
    /// What they have in common.
    pub facts: Vec<Fact>,
    /// When the last of it was, in epoch milliseconds.
    pub last_ms: i64,
}

/// Something that two teams have in common.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// Who did it; the one who was later.
    pub by: Option<TeamId>,
    /// What it is.
    pub what: What,
    /// With which challenges, when, and when the other team did, in epoch milliseconds.
    pub challenges: Vec<(String, i64, Option<i64>)>,
}

/// What two teams have in common.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// One sent a flag that is right for the other.
    TeamFlag {
        /// How often.
        times: usize,
        /// How many teams sent it.
        teams: usize,
    },
    /// Both sent the same wrong text.
    SameText {
        /// How many teams sent it.
        teams: usize,
        /// Whether it is a decoy.
        is_decoy: bool,
    },
    /// One solved a challenge whose files it never fetched.
    NoDownload {
        /// How many of those who solved it fetched one.
        fetched: usize,
        /// How many solved it.
        solved: usize,
    },
    /// One solved challenges in the order of the other, minutes after it.
    SameOrder {
        /// How many it solved in all.
        solved: usize,
    },
    /// Both were seen in one network.
    SameNetwork {
        /// The network.
        network: String,
        /// Since when both were, in epoch milliseconds.
        since_ms: i64,
        /// How many teams were seen there.
        teams: usize,
    },
}

impl Fact {
    /// When first, in epoch milliseconds.
    pub fn first_ms(&self) -> i64 {
        self.challenges.iter().map(|(_, at_ms, _)| *at_ms).min().unwrap_or_default()
    }

    /// When last, in epoch milliseconds.
    pub fn last_ms(&self) -> i64 {
        self.challenges.iter().map(|(_, at_ms, _)| *at_ms).max().unwrap_or_default()
    }
}

/// What was found last.
pub struct Found {
    /// When, in epoch milliseconds.
    pub at_ms: i64,
    /// The newest first.
    pub items: Vec<Item>,
}
