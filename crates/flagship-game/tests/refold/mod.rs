//! A second, naive implementation of the rules: it computes a viewer's board from the whole
//! journal, without caches, as the contract describes it. It does not use `Contest` or `Board`.

use std::collections::{BTreeMap, BTreeSet};

use flagship_game::entry::{Phase, TeamId};
use flagship_game::facts::{self, Entry, Fact};
use flagship_game::view::Viewer;
use flagship_game::{Challenge, ChallengeId, DivisionId, Event, Hint, Scoring};

/// The view of a viewer: challenges with their number of solves and first blood, rows by rank.
#[derive(Debug, PartialEq, Eq)]
pub struct Sight {
    pub columns: BTreeMap<ChallengeId, (u32, i64)>,
    pub rows: Vec<Row>,
}

/// A row of the board.
#[derive(Debug, PartialEq, Eq)]
pub struct Row {
    pub name: String,
    pub points: i64,
    pub last_solve_ms: i64,
    /// Position and time by challenge.
    pub solves: BTreeMap<ChallengeId, (u32, i64)>,
    /// IDs of the team's divisions.
    pub divisions: Vec<String>,
}

struct Team {
    id: TeamId,
    name: String,
    banned: bool,
    hidden: bool,
    /// True if the team joined after the end.
    late: bool,
    award: i64,
    hints: Vec<Taken>,
    divisions: Vec<String>,
}

/// A hint that a team took.
struct Taken {
    challenge: ChallengeId,
    hint: String,
    cost: i64,
    at_ms: i64,
}

impl Team {
    fn new(id: TeamId, name: String) -> Self {
        Self {
            id,
            name,
            banned: false,
            hidden: false,
            late: false,
            award: 0,
            hints: Vec::new(),
            divisions: Vec::new(),
        }
    }
}

struct Solve {
    team: TeamId,
    challenge: ChallengeId,
    at_ms: i64,
    /// The entry that the solve comes after, its time, and its own number.
    place: (i64, i64, i64),
}

/// The state as recorded in the journal, before points and ranks.
#[derive(Default)]
pub struct Facts {
    event: Option<Event>,
    phases: Vec<(Phase, i64)>,
    teams: Vec<Team>,
    challenges: BTreeMap<ChallengeId, Challenge>,
    withdrawn: BTreeSet<ChallengeId>,
    solves: Vec<Solve>,
    /// Challenges solved after the end.
    practiced: BTreeSet<(TeamId, ChallengeId)>,
}

impl Facts {
    pub fn read(journal: &[Entry]) -> Self {
        let mut facts = Self::default();
        for entry in journal {
            facts.take(entry.seq, entry.at_ms, &entry.fact);
        }
        facts
    }

    fn team_mut(&mut self, id: TeamId) -> &mut Team {
        self.teams.iter_mut().find(|team| team.id == id).expect("a team that joined")
    }

    fn take(&mut self, seq: i64, now: i64, fact: &Fact) {
        match fact {
            Fact::Format(_)
            | Fact::FlagFound(_)
            | Fact::AttemptUsed(_)
            | Fact::AttemptsSet(_)
            | Fact::Notice(_)
            | Fact::NoticeWithdrawn(_)
            | Fact::Status(_)
            | Fact::Paused(_) => {}
            Fact::Event(facts::Event { event }) => {
                let past = |time: Option<i64>| time.is_some_and(|time| time <= now);
                self.phases.retain(|(phase, _)| match phase {
                    Phase::Start => past(event.start_ms),
                    Phase::Freeze | Phase::Reveal => past(event.freeze_ms),
                    Phase::End => past(event.end_ms),
                });
                self.event = Some(event.clone());
                if !self.reached(Phase::End) {
                    self.teams.iter_mut().for_each(|team| team.late = false);
                }
            }
            Fact::Phase(facts::Phase { phase }) => self.phases.push((*phase, now)),
            Fact::Team(facts::Team { team: id, name, divisions, .. }) => {
                let late = self.reached(Phase::End);
                let divisions = words(divisions);
                self.teams.push(Team { late, divisions, ..Team::new(*id, name.clone()) });
            }
            Fact::TeamDivisions(facts::TeamDivisions { team, divisions }) => {
                self.team_mut(*team).divisions = words(divisions);
            }
            Fact::TeamLeft(facts::TeamLeft { team }) => self.teams.retain(|it| it.id != *team),
            Fact::TeamState(facts::TeamState { team, banned, hidden }) => {
                let team = self.team_mut(*team);
                (team.banned, team.hidden) = (*banned, *hidden);
            }
            Fact::Award(facts::Award { team, points, .. }) => self.team_mut(*team).award += points,
            Fact::HintTaken(facts::HintTaken { team, challenge, hint, cost }) => {
                let (challenge, hint, cost) = (challenge.clone(), hint.clone(), *cost);
                self.team_mut(*team).hints.push(Taken { challenge, hint, cost, at_ms: now });
            }
            Fact::Challenge(facts::Challenge { challenge }) => {
                self.withdrawn.remove(&challenge.id);
                self.challenges.insert(challenge.id.clone(), challenge.clone());
            }
            Fact::Withdrawn(facts::Withdrawn { challenge }) => {
                self.withdrawn.insert(challenge.clone());
            }
            Fact::Solve(facts::Solve { team, challenge }) => {
                let (team, challenge) = (*team, challenge.clone());
                self.solves.push(Solve { team, challenge, at_ms: now, place: (seq, now, seq) });
            }
            Fact::Practiced(facts::Practiced { team, challenge, flag }) => {
                if flag.is_none() {
                    self.practiced.insert((*team, challenge.clone()));
                }
            }
            Fact::SolveCounted(facts::SolveCounted { team, challenge, at_ms, after }) => {
                let (team, challenge, at_ms) = (*team, challenge.clone(), *at_ms);
                self.solves.push(Solve { team, challenge, at_ms, place: (*after, at_ms, seq) });
                self.solves.sort_by_key(|solve| solve.place);
            }
            Fact::TeamNamed(facts::TeamNamed { team: id, name, .. }) => {
                let (id, name) = (*id, name.clone());
                match self.teams.iter_mut().find(|team| team.id == id) {
                    Some(team) => team.name = name,
                    None => {
                        let late = self.reached(Phase::End);
                        self.teams.push(Team { late, ..Team::new(id, name) });
                    }
                }
            }
            Fact::SolveWithdrawn(facts::SolveWithdrawn { team, challenge }) => {
                self.solves.retain(|solve| (solve.team, &solve.challenge) != (*team, challenge));
            }
        }
    }

    /// The defined divisions of a team, one of each group, in the order of their definitions.
    fn divisions_of(&self, team: &Team) -> Vec<String> {
        let defined = self.event.iter().flat_map(|event| &event.divisions);
        let mut groups = BTreeSet::new();
        let mut of_team = Vec::new();
        for division in defined {
            let id = division.id.to_string();
            if team.divisions.contains(&id) && !groups.contains(&division.group) {
                groups.insert(division.group.clone());
                of_team.push(id);
            }
        }
        of_team
    }

    fn reached(&self, phase: Phase) -> bool {
        self.phases.iter().any(|(reached, _)| *reached == phase)
    }

    /// True if a challenge is visible: neither it nor a requirement is hidden. Searches
    /// depth-first; `way` detects cycles.
    fn is_shown<'a>(&'a self, id: &'a ChallengeId, way: &mut Vec<&'a ChallengeId>) -> bool {
        let Some(challenge) = self.challenges.get(id) else { return false };
        if self.withdrawn.contains(id) || way.contains(&id) {
            return false;
        }
        way.push(id);
        let shown = challenge.requirements.iter().all(|required| self.is_shown(required, way));
        way.pop();
        shown
    }

    /// True if a team must solve other challenges to unlock this one. Solves after the end unlock
    /// while the event is over and nothing is hidden.
    pub fn is_locked(&self, team: TeamId, id: &ChallengeId) -> bool {
        let has_freeze = self.event.as_ref().is_some_and(|event| event.freeze_ms.is_some());
        let is_revealed = !has_freeze || self.reached(Phase::Reveal);
        let is_over = self.reached(Phase::End) && is_revealed;
        let solved = |id: &ChallengeId| {
            let is_practiced = || self.practiced.contains(&(team, id.clone()));
            self.solves.iter().any(|solve| solve.team == team && solve.challenge == *id)
                || (is_over && is_practiced())
        };
        !self.challenges[id].requirements.iter().all(solved)
    }

    /// The view of a viewer: until the reveal, solves of others count only if they are from before
    /// the freeze.
    pub fn sight(&self, viewer: Viewer) -> Sight {
        let freeze_ms = self.event.as_ref().and_then(|event| event.freeze_ms);
        let is_hidden = |solve: &&Solve| {
            let later = freeze_ms.is_some_and(|freeze| solve.at_ms >= freeze);
            later && !self.reached(Phase::Reveal) && viewer != Viewer::Organizer
        };
        let paid = |team: &Team| -> i64 {
            let sees_all = [Viewer::Organizer, Viewer::Team(team.id)].contains(&viewer);
            let counts = |taken: &&Taken| {
                let current = &self.challenges[&taken.challenge];
                let costs = |it: &Hint| it.id == taken.hint && it.cost > 0 && it.html.is_some();
                let has_cost = current.hints.iter().any(costs);
                let is_solved_before = self.solves.iter().any(|solve| {
                    (solve.team, &solve.challenge) == (team.id, &taken.challenge)
                        && solve.at_ms < taken.at_ms
                });
                let is_later = freeze_ms.is_some_and(|freeze| taken.at_ms >= freeze);
                let is_hidden = is_later && !self.reached(Phase::Reveal) && !sees_all;
                let is_shown = self.is_shown(&taken.challenge, &mut Vec::new());
                let is_charged = has_cost && !is_solved_before;
                self.reached(Phase::Start) && is_shown && is_charged && !is_hidden
            };
            team.hints.iter().filter(counts).map(|taken| taken.cost).sum()
        };
        let is_seen = |solve: &&Solve| !is_hidden(solve) || viewer == Viewer::Team(solve.team);
        let in_sight = |team: &&Team| {
            let is_own = viewer == Viewer::Team(team.id);
            let counts = !team.hidden && !team.late;
            !team.banned && (counts || (is_own && (team.hidden || !team.late)))
        };
        let teams: Vec<_> = self.teams.iter().filter(in_sight).collect();
        let of_team_in_sight = |solve: &&Solve| teams.iter().any(|team| team.id == solve.team);
        let shown =
            |id: &&ChallengeId| self.reached(Phase::Start) && self.is_shown(id, &mut Vec::new());
        let columns: Vec<_> = self.challenges.keys().filter(shown).collect();
        let solvers = |id: &ChallengeId| -> Vec<&Solve> {
            let of_it = self.solves.iter().filter(|solve| solve.challenge == *id);
            let mut of_it: Vec<_> = of_it.filter(is_seen).filter(of_team_in_sight).collect();
            // The viewer's own later solves are on top of the frozen board.
            of_it.sort_by_key(is_hidden);
            of_it
        };
        let mut rows = Vec::new();
        for team in &teams {
            let mut row = Row {
                name: team.name.clone(),
                points: team.award - paid(team),
                last_solve_ms: 0,
                solves: BTreeMap::new(),
                divisions: self.divisions_of(team),
            };
            for &id in &columns {
                let solvers = solvers(id);
                let Some(place) = solvers.iter().position(|solve| solve.team == team.id) else {
                    continue;
                };
                let at_ms = solvers[place].at_ms;
                row.points += points(&self.challenges[id].scoring, solvers.len(), place);
                row.last_solve_ms = row.last_solve_ms.max(at_ms);
                row.solves.insert(id.clone(), (place as u32 + 1, at_ms));
            }
            rows.push(row);
        }
        rows.sort_by_key(|row| {
            let name: Vec<char> = row.name.chars().collect();
            (-row.points, row.last_solve_ms, name)
        });
        let column = |&id: &&ChallengeId| {
            let solvers = solvers(id);
            let first_ms = solvers.first().map_or(0, |solve| solve.at_ms);
            (id.clone(), (solvers.len() as u32, first_ms))
        };
        Sight { columns: columns.iter().map(column).collect(), rows }
    }
}

fn words(divisions: &[DivisionId]) -> Vec<String> {
    divisions.iter().map(ToString::to_string).collect()
}

/// Points of the solver at `place`, from 0, of `nsolves`.
fn points(scoring: &Scoring, nsolves: usize, place: usize) -> i64 {
    match scoring {
        Scoring::Static { max } => *max,
        Scoring::Speedrun { values } => values.get(place).copied().unwrap_or(0),
        Scoring::Dynamic { max, min, decay } => {
            let share = *decay as f64 / (*decay as f64 - 1.0 + nsolves as f64);
            let value = *max as f64 * share.min(1.0).powf(1.3);
            (*min).max(value.floor() as i64)
        }
    }
}
