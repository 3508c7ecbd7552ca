//! Terms in which each kind of fact describes itself, in its file beside this one.

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

/// The change for live viewers, or the reason why the fact cannot follow.
pub(crate) type Folded = Result<Change, &'static str>;

/// Readers of an entry of the published journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Readers<'a> {
    /// Everyone.
    Everyone,
    /// Nobody: the entry is withheld.
    Nobody,
    /// Everyone, if players could read the challenge before the entry.
    OfReadable(&'a ChallengeId),
    /// Everyone, if players could read the challenge before the next such entry about it.
    OfVersion(&'a ChallengeId),
    /// Everyone, if players saw the challenge then or later.
    OfSeen(&'a ChallengeId),
}

/// Properties of a fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Properties<'a> {
    /// Words for the log: what happened.
    pub words: &'static str,
    /// The oldest format of a journal that the fact may be in.
    pub format: u32,
    /// The team that the fact is about.
    pub team: Option<TeamId>,
    /// The name that it gives this team.
    pub team_name: Option<&'a str>,
    /// The challenge that it is about.
    pub challenge: Option<&'a ChallengeId>,
    /// The number of the notice that it is about.
    pub notice: Option<i64>,
    /// True if the team's solve of the challenge counts from now on, false if it does so no more;
    /// `None` if the fact is not about a solve.
    pub counts_solve: Option<bool>,
    /// The readers of the published entry.
    pub readers: Readers<'a>,
    /// True if the entries before it about the same team or notice are withheld.
    pub retracts: bool,
    /// True if the published fact may stand without the text that was recorded.
    pub stands_without_text: bool,
}

impl Properties<'_> {
    /// The usual ones: those of a fact about the whole event.
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
    /// The properties, each of which is what [`Properties::of`] says unless the kind differs.
    fn properties(&self) -> Properties<'_>;

    /// Changes the contest by the fact of an entry. A contest that refuses it is as it was.
    fn fold(&self, contest: &mut Contest, at: Stamp) -> Folded;

    /// The fact without words that are not for the public, if it has some.
    fn redacted(&self, _last: &Contest) -> Option<Self> {
        None
    }
}
