//! Trait and types with which each kind of fact describes itself.

use super::news::Change;
use crate::challenge::ChallengeId;
use crate::contest::Contest;
use crate::entry::{FORMAT_FIRST, TeamId};

/// Number and time of an entry.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stamp {
    pub(crate) seq: i64,
    pub(crate) at_ms: i64,
}

/// The change for live viewers, or the reason why the fact is invalid.
pub(crate) type Folded = Result<Change, &'static str>;

/// Readers of an entry of the published journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Readers<'a> {
    /// Everyone.
    Everyone,
    /// No one: the entry is withheld.
    Nobody,
    /// Everyone, if players could read the challenge before the entry.
    OfReadable(&'a ChallengeId),
    /// Everyone, if players could read the challenge before the next such entry about it.
    OfVersion(&'a ChallengeId),
    /// Everyone, if players could see the challenge then or later.
    OfSeen(&'a ChallengeId),
}

/// Properties of a fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Properties<'a> {
    /// Short description for the activity log.
    pub words: &'static str,
    /// Oldest journal format that can contain the fact.
    pub format: u32,
    /// The team that the fact is about.
    pub team: Option<TeamId>,
    /// The name that the fact gives to this team.
    pub team_name: Option<&'a str>,
    /// The challenge that the fact is about.
    pub challenge: Option<&'a ChallengeId>,
    /// Number of the notice that the fact is about.
    pub notice: Option<i64>,
    /// True if the team's solve of the challenge counts from now on, false if it no longer counts;
    /// `None` if the fact is not about a solve.
    pub counts_solve: Option<bool>,
    /// Readers of the published entry.
    pub readers: Readers<'a>,
    /// True if earlier entries about the same team or notice are withheld.
    pub retracts: bool,
    /// True if the fact can be published without its recorded text.
    pub stands_without_text: bool,
}

impl Properties<'_> {
    /// Returns the defaults, for a fact about the whole event.
    pub(crate) fn of(words: &'static str) -> Self {
        Self {
            words,
            format: FORMAT_FIRST,
            team: None,
            team_name: None,
            challenge: None,
            notice: None,
            counts_solve: None,
            readers: Readers::Everyone,
            retracts: false,
            stands_without_text: false,
        }
    }
}

/// A kind of fact.
pub(crate) trait FactKind: Sized {
    /// Returns the properties: those of [`Properties::of`], except where the kind differs.
    fn properties(&self) -> Properties<'_>;

    /// Applies the fact of an entry to the contest. On error, the contest is unchanged.
    fn fold(&self, contest: &mut Contest, at: Stamp) -> Folded;

    /// Returns the fact without private text, if it has any.
    fn redacted(&self, _last: &Contest) -> Option<Self> {
        None
    }
}
