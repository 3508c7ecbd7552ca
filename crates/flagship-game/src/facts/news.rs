//! Changes of the contest for live viewers: the recipients and the message. The message names are
//! defined in `wire`.

use crate::board::Board;
use crate::challenge::ChallengeId;
use crate::contest::Contest;
use crate::entry::TeamId;
use crate::view;
use crate::wire::{Message, Seconds};

/// Change caused by an entry, by audience.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// Visible to everyone.
    Public {
        /// Number in the public stream.
        seq: u64,
        /// The news.
        news: News,
    },
    /// Visible to one team and the organizers, such as a solve hidden by the freeze.
    Own {
        /// The team.
        team: TeamId,
        /// The news.
        news: News,
    },
    /// Visible to no player, such as a challenge that is not released yet.
    Unseen,
}

/// News for live viewers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum News {
    /// A team solved a challenge.
    Solve {
        /// The team.
        team: TeamId,
        /// The challenge.
        challenge: ChallengeId,
        /// Time of the entry, in epoch milliseconds.
        at_ms: i64,
    },
    /// A team joined.
    NewTeam {
        /// The team.
        team: TeamId,
    },
    /// A notice was posted, edited, withdrawn or restored.
    Notice {
        /// The notice number.
        notice: i64,
    },
    /// The status of a visible challenge changed.
    Status {
        /// The challenge.
        challenge: ChallengeId,
    },
    /// A change that only a new snapshot can describe.
    Snapshot,
}

impl Change {
    /// Number in the public stream, if the change is visible to everyone.
    pub fn public_seq(&self) -> Option<u64> {
        match self {
            Self::Public { seq, .. } => Some(*seq),
            Self::Own { .. } | Self::Unseen => None,
        }
    }

    /// The team, if the change is visible only to that team and the organizers.
    pub fn own_team(&self) -> Option<TeamId> {
        match self {
            Self::Own { team, .. } => Some(*team),
            Self::Public { .. } | Self::Unseen => None,
        }
    }
}

impl News {
    /// Returns the message of the live channel; `None` if only a snapshot can describe the change,
    /// or if its subject was hidden in the meantime.
    pub fn message<'a>(&'a self, contest: &'a Contest, seq: Option<u64>) -> Option<Message<'a>> {
        Some(match self {
            Self::Solve { team, challenge, at_ms } => Message::Solve {
                challenge_id: challenge.as_str(),
                team_name: &contest.team(*team)?.name,
                ts: Seconds(*at_ms),
                seq,
            },
            Self::NewTeam { team } => {
                let team = contest.team(*team)?;
                Message::NewTeam { team_name: &team.name, country: &team.country, seq: seq? }
            }
            Self::Notice { notice } => {
                Message::Notice { notice: view::notice(contest, *notice)?.into(), seq: seq? }
            }
            Self::Status { challenge } => {
                let (status, note) = view::public_status(contest, challenge)?;
                Message::Status { challenge_id: challenge.as_str(), status, note, seq: seq? }
            }
            Self::Snapshot => return None,
        })
    }

    /// Updates a board except for the order of its rows; returns `false` if that is not possible.
    fn update(&self, board: &mut Board, contest: &Contest) -> bool {
        match self {
            Self::Snapshot => return false,
            Self::Notice { .. } => {}
            Self::Status { challenge } => {
                if let Some(index) = contest.index_of(challenge) {
                    board.set_status(challenge, contest.status_at(index));
                }
            }
            Self::Solve { team, challenge, at_ms } => {
                if let Some(team) = contest.team(*team) {
                    board.add_solve(&team.name, challenge, *at_ms);
                }
            }
            Self::NewTeam { team } => {
                if let Some(team) = contest.team(*team) {
                    board.add_team(&team.name, &team.country, 0);
                }
            }
        }
        true
    }
}

/// Applies changes to the public board; returns `false` if it must be rebuilt.
pub fn advance<'a>(
    public: &mut Board,
    contest: &Contest,
    changes: impl IntoIterator<Item = &'a Change>,
) -> bool {
    let is_public = |change: &&Change| change.public_seq().is_some();
    advance_organizers(public, contest, changes.into_iter().filter(is_public))
}

/// Applies changes to the organizers' board; returns `false` if it must be rebuilt.
pub fn advance_organizers<'a>(
    board: &mut Board,
    contest: &Contest,
    changes: impl IntoIterator<Item = &'a Change>,
) -> bool {
    let advanced = changes.into_iter().all(|change| match change {
        Change::Public { news, .. } | Change::Own { news, .. } => news.update(board, contest),
        Change::Unseen => false,
    });
    board.rank();
    advanced
}

impl Contest {
    /// Creates a change that is visible to everyone.
    pub(crate) fn public(&mut self, news: News) -> Change {
        Change::Public { seq: self.next_public_seq(), news }
    }

    /// Creates a change about a team, visible to everyone or only to that team and the organizers.
    pub(crate) fn team_change(&mut self, team: TeamId, is_public: bool, news: News) -> Change {
        if is_public { self.public(news) } else { Change::Own { team, news } }
    }
}
