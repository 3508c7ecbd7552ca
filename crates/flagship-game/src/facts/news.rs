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
    /// The award of a team changed: by organizers, or because it took a hint.
    Award {
        /// The team.
        team: TeamId,
        /// Points added to the award.
        points: i64,
        /// The new award in the view of the audience.
        award: i64,
        /// The new award in the team's own view, if the change is visible to everyone during the
        /// freeze, which can hide the cost of hints from others.
        own_award: Option<i64>,
        /// True if the team took a hint, false if organizers changed the award.
        is_hint: bool,
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
    /// The team's found flags or used attempts for a challenge changed.
    Progress {
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
                let (team_name, country) = (&team.name, &team.country);
                let divisions = contest.divisions_of(team);
                Message::NewTeam { team_name, country, divisions, seq: seq? }
            }
            Self::Award { team, award, .. } => {
                Message::Award { team_name: &contest.team(*team)?.name, award: *award, seq }
            }
            Self::Notice { notice } => {
                Message::Notice { notice: view::notice(contest, *notice)?.into(), seq: seq? }
            }
            Self::Status { challenge } => {
                let (status, note) = view::public_status(contest, challenge)?;
                Message::Status { challenge_id: challenge.as_str(), status, note, seq: seq? }
            }
            Self::Progress { challenge } => Message::Progress { challenge_id: challenge.as_str() },
            Self::Snapshot => return None,
        })
    }

    /// Returns the team that sees a public change differently, and its own message, which follows
    /// the public one.
    pub fn own_message<'a>(&self, contest: &'a Contest) -> Option<(TeamId, Message<'a>)> {
        let Self::Award { team, own_award: Some(award), .. } = *self else { return None };
        let team_name = &contest.team(team)?.name;
        Some((team, Message::Award { team_name, award, seq: None }))
    }

    /// Updates a board except for the order of its rows; returns `false` if that is not possible.
    fn update(&self, board: &mut Board, contest: &Contest) -> bool {
        match self {
            Self::Snapshot => return false,
            Self::Notice { .. } | Self::Progress { .. } => {}
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
            Self::Award { team, points, .. } => {
                if let Some(team) = contest.team(*team) {
                    board.add_award(&team.name, *points);
                }
            }
            Self::NewTeam { team } => {
                if let Some(team) = contest.team(*team) {
                    board.add_team(contest, team, 0);
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

    /// Creates a change of a team's found flags or used attempts, visible to the team if players
    /// can see the challenge.
    pub(crate) fn progress_change(&self, team: TeamId, challenge: &ChallengeId) -> Change {
        let news = News::Progress { challenge: challenge.clone() };
        if self.is_seen(challenge) { Change::Own { team, news } } else { Change::Unseen }
    }

    /// Creates a change about a team, visible to everyone or only to that team and the organizers.
    pub(crate) fn team_change(&mut self, team: TeamId, is_public: bool, news: News) -> Change {
        if is_public { self.public(news) } else { Change::Own { team, news } }
    }

    /// Creates a change of a team's award by `points` at `at_ms`, after the fold.
    pub(crate) fn award_change(
        &mut self,
        id: TeamId,
        points: i64,
        is_public: bool,
        at_ms: i64,
        is_hint: bool,
    ) -> Change {
        let Some(team) = self.team(id) else { return Change::Unseen };
        let own = self.own_award(team);
        // During the freeze, there is an own message whether or not the team has hidden purchases.
        let own_award = Some(own).filter(|_| is_public && self.hides_solves_of(at_ms));
        let award = if is_public { self.public_award(team) } else { own };
        self.team_change(id, is_public, News::Award { team: id, points, award, own_award, is_hint })
    }
}
