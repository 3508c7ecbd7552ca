//! A fold as plain data, so that it can be kept and need not be folded again. What follows from
//! the rest is left out and found anew.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::{ChallengeState, Contest, Index, Phases, Solve, Team};
use crate::challenge::Challenge;
use crate::entry::TeamId;
use crate::event::Event;

/// Everything that a fold has taken in. Its JSON is made and read by the same program only.
#[derive(Serialize, Deserialize)]
pub struct Kept<'a> {
    seq: i64,
    at_ms: i64,
    public_seq: u64,
    event: Option<Cow<'a, Event>>,
    /// When start, freeze, end and reveal were reached.
    phases: [Option<i64>; 4],
    teams: Vec<KeptTeam<'a>>,
    challenges: Vec<KeptChallenge<'a>>,
}

#[derive(Serialize, Deserialize)]
struct KeptTeam<'a> {
    id: TeamId,
    name: Cow<'a, str>,
    country: Cow<'a, str>,
    banned: bool,
    hidden: bool,
    award: i64,
}

#[derive(Serialize, Deserialize)]
struct KeptChallenge<'a> {
    challenge: Cow<'a, Challenge>,
    withdrawn: bool,
    /// Entry, time in milliseconds and the team's place among the teams, in the journal's order.
    solves: Vec<(i64, i64, Index)>,
}

impl Contest {
    /// The fold as plain data.
    pub fn keep(&self) -> Kept<'_> {
        let teams = self.teams.iter().map(|team| {
            let Team { id, banned, hidden, award, .. } = **team;
            let (name, country) = (Cow::from(&*team.name), Cow::from(&*team.country));
            KeptTeam { id, name, country, banned, hidden, award }
        });
        let challenges = self.challenges.iter().map(|state| KeptChallenge {
            challenge: Cow::Borrowed(&state.challenge),
            withdrawn: state.withdrawn,
            solves: state.solves.iter().map(|it| (it.seq, it.at_ms, it.team)).collect(),
        });
        let Phases { start, freeze, end, reveal } = self.phases;
        Kept {
            seq: self.seq,
            at_ms: self.at_ms,
            public_seq: self.public_seq,
            event: self.event.as_deref().map(Cow::Borrowed),
            phases: [start, freeze, end, reveal],
            teams: teams.collect(),
            challenges: challenges.collect(),
        }
    }
}

impl Kept<'_> {
    /// The fold again; `None` where this cannot be one.
    pub fn contest(self) -> Option<Contest> {
        let [start, freeze, end, reveal] = self.phases;
        let mut contest = Contest {
            seq: self.seq,
            at_ms: self.at_ms,
            public_seq: self.public_seq,
            event: self.event.map(|event| event.into_owned().into()),
            phases: Phases { start, freeze, end, reveal },
            ..Contest::default()
        };
        let mut solves = Vec::new();
        for (index, kept) in (0..).zip(self.challenges) {
            let challenge = kept.challenge.into_owned();
            contest.challenge_index.insert(challenge.id.clone(), index);
            let own = kept.solves.iter().map(|&(seq, at_ms, team)| Solve { seq, at_ms, team });
            let state = ChallengeState {
                challenge: challenge.into(),
                withdrawn: kept.withdrawn,
                solves: own.clone().collect(),
            };
            contest.challenges.push_back(state.into());
            solves.extend(own.map(|solve| (index, solve)));
        }
        let mut of_teams = vec![Vec::new(); self.teams.len()];
        solves.sort_unstable_by_key(|(_, solve)| solve.seq);
        for (index, solve) in solves {
            of_teams.get_mut(solve.team as usize)?.push((index, solve));
        }
        for (index, (kept, solves)) in (0..).zip(self.teams.into_iter().zip(of_teams)) {
            let KeptTeam { id, banned, hidden, award, .. } = kept;
            let (name, country) = (kept.name.into(), kept.country.into());
            let team = Team { id, name, country, banned, hidden, award, solves };
            contest.team_index.insert(id, index);
            contest.team_names.insert(team.name.clone(), index);
            contest.teams.push_back(team.into());
        }
        contest.update_shown();
        Some(contest)
    }
}
