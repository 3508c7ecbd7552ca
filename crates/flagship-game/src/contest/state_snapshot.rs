//! State snapshot: a fold as plain data, for storage in a file. Indexes and the solves of teams are
//! derived from the rest, so they are omitted and restored.

use serde::{Deserialize, Serialize};

use super::Contest;
use super::challenges::Challenges;
use super::notices::Notices;
use super::teams::Teams;
use super::timeline::Timeline;

/// The parts of a fold. Its JSON can only be read by the program version that wrote it.
#[derive(Serialize, Deserialize)]
pub struct StateSnapshot {
    seq: i64,
    at_ms: i64,
    public_seq: u64,
    format_said: u32,
    timeline: Timeline,
    teams: Teams,
    challenges: Challenges,
    notices: Notices,
    paused_at_ms: Option<i64>,
}

impl StateSnapshot {
    /// Converts a fold to plain data. Parts are shared, not copied.
    pub fn of(contest: &Contest) -> Self {
        let Contest { seq, at_ms, public_seq, format_said, timeline, .. } = contest.clone();
        let Contest { teams, challenges, notices, paused_at_ms, .. } = contest.clone();
        Self {
            seq,
            at_ms,
            public_seq,
            format_said,
            timeline,
            teams,
            challenges,
            notices,
            paused_at_ms,
        }
    }

    /// Restores the fold; `None` if a solve refers to an unknown team.
    pub fn into_contest(self) -> Option<Contest> {
        let Self { seq, at_ms, public_seq, format_said, timeline, mut teams, .. } = self;
        let Self { challenges, notices, paused_at_ms, .. } = self;
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
            paused_at_ms,
        })
    }
}
