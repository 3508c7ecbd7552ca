//! A fold as plain data, to be kept in a file. Indexes and the teams' solves follow from the rest:
//! they are left out and restored.

use serde::{Deserialize, Serialize};

use super::Contest;
use super::challenges::Challenges;
use super::notices::Notices;
use super::teams::Teams;
use super::timeline::Timeline;

/// The parts of a fold. Only the version of the program that wrote its JSON reads it.
#[derive(Serialize, Deserialize)]
pub struct Kept {
    seq: i64,
    at_ms: i64,
    public_seq: u64,
    format_said: u32,
    timeline: Timeline,
    teams: Teams,
    challenges: Challenges,
    notices: Notices,
    is_paused: bool,
}

impl Kept {
    /// The fold as plain data; its parts are shared, not copied.
    pub fn of(contest: &Contest) -> Self {
        let Contest { seq, at_ms, public_seq, format_said, timeline, .. } = contest.clone();
        let Contest { teams, challenges, notices, is_paused, .. } = contest.clone();
        Self {
            seq,
            at_ms,
            public_seq,
            format_said,
            timeline,
            teams,
            challenges,
            notices,
            is_paused,
        }
    }

    /// The fold again; `None` if a solve names a team that is not there.
    pub fn into_contest(self) -> Option<Contest> {
        let Self { seq, at_ms, public_seq, format_said, timeline, mut teams, .. } = self;
        let Self { challenges, notices, is_paused, .. } = self;
        let solves_of = |(index, solves)| std::iter::repeat(index).zip(solves);
        let solves = challenges.iter().map(|state| state.solves.iter().copied());
        let mut solves: Vec<_> = (0..).zip(solves).flat_map(solves_of).collect();
        solves.sort_unstable_by_key(|(_, solve)| solve.place());
        for (challenge, solve) in solves {
            teams.get_mut(solve.team)?.solves.push((challenge, solve));
        }
        Some(Contest {
            seq,
            at_ms,
            public_seq,
            format_said,
            timeline,
            teams,
            challenges,
            notices,
            is_paused,
        })
    }
}
