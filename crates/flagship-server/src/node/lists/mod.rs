//! Lists for organizers: pages, commands and exports, each limited to what the reader may see.
//! Read-only and independent of the lane.

pub mod arrivals;
pub mod boards;
pub mod cells;
pub mod ceremony;
pub mod challenges;
pub mod checks;
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

/// Data sources of lists, besides the fold and the database.
#[derive(Default)]
pub struct Lists {
    /// Counts of incorrect submissions.
    pub tries: Arc<tries::Counter>,
    /// All challenges, visible or not.
    pub drafts: drafts::Drafts,
    /// Evidence.
    pub evidence: Arc<evidence::Evidence>,
}

/// Data that a reader may see across all lists.
#[derive(Clone, Debug)]
pub struct ReadScope {
    /// Email addresses, signups, emails and team activity; hidden, banned and unconfirmed teams;
    /// status notes of challenges that are still locked for players.
    pub addresses: bool,
    /// Solves hidden by the freeze, and submissions of inactive teams.
    pub truth: bool,
    /// Networks of teams.
    pub networks: bool,
    /// Texts of incorrect submissions, if the event stores them. A missing text can be a flag of a
    /// hidden challenge, and a shown text can be nearly a flag.
    pub texts: bool,
    /// Attempt counts, solve times and node health.
    pub counts: bool,
    /// Incorrect submissions.
    pub wrong: bool,
    /// Questions of teams.
    pub questions: bool,
    /// Challenges whose submissions and questions are visible; `None` for all.
    pub only: Option<BTreeSet<ChallengeId>>,
    /// True for all challenges that players see; false for only those that the reader may edit.
    pub seen: bool,
    /// Challenges that the reader may edit and therefore sees in full; `None` for all.
    pub own: Option<BTreeSet<ChallengeId>>,
    /// Actions whose records are visible.
    pub actions: Vec<&'static str>,
    /// Language of audit log sentences.
    pub language: Language,
}

impl ReadScope {
    /// Scope of the public.
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

    /// Scope of an operator with shell access.
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

    /// True if submissions of a team for a challenge are visible.
    fn shows(&self, contest: &Contest, team: &Team, challenge: &ChallengeId) -> bool {
        match &self.only {
            Some(only) if !only.contains(challenge) => false,
            None if !self.truth && !contest.is_seen(challenge) => false,
            _ => self.truth || team.counts(),
        }
    }

    /// True if the reader may edit the challenge.
    fn is_own(&self, id: &ChallengeId) -> bool {
        self.own.as_ref().is_none_or(|own| own.contains(id))
    }
}
