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

use std::collections::BTreeSet;
use std::sync::Arc;

use flagship_actions::mail::language::Language;
use flagship_actions::recorded;
use flagship_game::contest::Team;
use flagship_game::{ChallengeId, Contest};

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

/// How much a reader may see of all lists.
#[derive(Clone, Debug)]
pub struct Sight {
    /// Addresses, signups, mails and what teams did, who is hidden, banned or not confirmed, and
    /// the notes about how challenges are that players may not read yet, because they are locked.
    pub addresses: bool,
    /// What the freeze hides, and the flags of teams that do not count.
    pub truth: bool,
    /// From which networks teams come.
    pub networks: bool,
    /// The texts of wrong flags, where the event keeps them. One that is missing may be a flag of a
    /// hidden challenge, and one that is there may be nearly a flag of any.
    pub texts: bool,
    /// How many flags there were for challenges, how long teams take, and how the node is.
    pub counts: bool,
    /// Wrong flags.
    pub wrong: bool,
    /// Questions of teams.
    pub questions: bool,
    /// The challenges of which flags and questions are seen; all without them.
    pub only: Option<BTreeSet<ChallengeId>>,
    /// The challenges that players see. Without it, only those that the reader may edit.
    pub seen: bool,
    /// The challenges that the reader may edit, of which it sees all; `None` for any.
    pub own: Option<BTreeSet<ChallengeId>>,
    /// The actions whose records are seen.
    pub actions: Vec<&'static str>,
    /// The language of sentences.
    pub language: Language,
}

impl Sight {
    /// What everybody sees.
    pub fn public() -> Self {
        Self {
            addresses: false,
            truth: false,
            networks: false,
            texts: false,
            counts: false,
            wrong: false,
            questions: false,
            only: None,
            seen: true,
            own: Some(BTreeSet::new()),
            actions: Vec::new(),
            language: Language::default(),
        }
    }

    /// What whoever has the machine sees.
    pub fn all() -> Self {
        Self {
            addresses: true,
            truth: true,
            networks: true,
            texts: true,
            counts: true,
            wrong: true,
            questions: true,
            own: None,
            actions: recorded().collect(),
            ..Self::public()
        }
    }

    /// Whether flags of a team for a challenge are seen.
    fn shows(&self, contest: &Contest, team: &Team, challenge: &ChallengeId) -> bool {
        match &self.only {
            Some(only) if !only.contains(challenge) => false,
            None if !self.truth && !contest.is_seen(challenge) => false,
            _ => self.truth || team.counts(),
        }
    }

    /// Whether a challenge is seen as who may edit it does.
    fn is_own(&self, id: &ChallengeId) -> bool {
        self.own.as_ref().is_none_or(|own| own.contains(id))
    }
}
