//! Changes of the contest as live viewers are told them: who is told, and with which frame. Names
//! of the frames are in `wire`.

use crate::board::Board;
use crate::challenge::ChallengeId;
use crate::contest::Contest;
use crate::entry::TeamId;
use crate::view;
use crate::wire::{Message, Seconds};

/// Change by an entry, by who may notice it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// Everyone.
    Public {
        /// Number in the public stream.
        seq: u64,
        /// News for them.
        news: News,
    },
    /// One team and the organizers, such as of a solve that the freeze hides.
    Own {
        /// Which team.
        team: TeamId,
        /// News for them.
        news: News,
    },
    /// No player, such as of a challenge that they may not know of yet.
    Unseen,
}

/// News for live viewers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum News {
    /// A team solved a challenge.
    Solve {
        /// Which team.
        team: TeamId,
        /// Which challenge.
        challenge: ChallengeId,
        /// Time of the entry, in epoch milliseconds.
        at_ms: i64,
    },
    /// A team joined.
    NewTeam {
        /// Which team.
        team: TeamId,
    },
    /// A notice was posted, corrected, withdrawn or put back.
    Notice {
        /// Which.
        notice: i64,
    },
    /// Organizers said how a challenge is doing that players see.
    Status {
        /// Which challenge.
        challenge: ChallengeId,
    },
    /// A change that only a new snapshot can describe.
    Snapshot,
}

impl Change {
    /// The number in the public stream, if everyone may notice the change.
    pub fn public_seq(&self) -> Option<u64> {
        match self {
            Self::Public { seq, .. } => Some(*seq),
            Self::Own { .. } | Self::Unseen => None,
        }
    }

    /// The team of a change that is shown to that team alone.
    pub fn own_team(&self) -> Option<TeamId> {
        match self {
            Self::Own { team, .. } => Some(*team),
            Self::Public { .. } | Self::Unseen => None,
        }
    }
}

impl News {
    /// The message of the live channel; `None` if only a snapshot can describe the change, or if
    /// it cannot be told any more, since what it is about was hidden in the meantime.
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

    /// Updates a board, but for the order of its rows; `false` if it cannot.
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

/// Updates the public board by changes; `false` if it has to be computed anew.
pub fn advance<'a>(
    public: &mut Board,
    contest: &Contest,
    changes: impl IntoIterator<Item = &'a Change>,
) -> bool {
    let is_public = |change: &&Change| change.public_seq().is_some();
    advance_truth(public, contest, changes.into_iter().filter(is_public))
}

/// Updates the organizers' board by changes; `false` if it has to be computed anew.
pub fn advance_truth<'a>(
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
    /// A change that everyone may notice.
    pub(crate) fn public(&mut self, news: News) -> Change {
        Change::Public { seq: self.next_public_seq(), news }
    }

    /// A change about a team, which everyone may notice or that team alone.
    pub(crate) fn team_change(&mut self, team: TeamId, is_public: bool, news: News) -> Change {
        if is_public { self.public(news) } else { Change::Own { team, news } }
    }
}
