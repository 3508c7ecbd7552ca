//! The scoreboard: computed from all solves at once, or updated incrementally with the same result.
//! Property tests check that both agree.
//!
//! Only the views of this crate build boards: a `Board` contains exactly what its viewer is allowed
//! to see.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::challenge::{Challenge, ChallengeId, ChallengeStatus, Scoring};
use crate::contest::{Contest, Team};
use crate::division::DivisionId;
use crate::points;
use crate::ranking::{self, Standing};

/// Column of a challenge: its solves visible to the viewer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tally {
    pub(crate) challenge: Arc<Challenge>,
    pub(crate) status: Arc<ChallengeStatus>,
    /// Indexes of the rows that solved the challenge, in the order of their solves.
    pub(crate) solvers: Vec<u32>,
    pub(crate) first_ms: i64,
}

/// A solve in the row of a team.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// Index into the board's challenges.
    pub challenge: u32,
    /// Position among the solvers, from 1.
    pub position: u32,
    /// Epoch milliseconds.
    pub at_ms: i64,
}

/// Row of a team.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    pub(crate) name: Arc<str>,
    pub(crate) country: Arc<str>,
    pub(crate) divisions: Vec<DivisionId>,
    pub(crate) award: i64,
    pub(crate) points: i64,
    pub(crate) last_solve_ms: i64,
    /// Sorted by challenge index.
    pub(crate) marks: Vec<Mark>,
}

/// Row of a team for a viewer who can see more than the public.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RankedRow<'a> {
    /// The rank, from 1.
    pub rank: usize,
    /// The public row, for the name and country.
    pub row: &'a Row,
    /// The points.
    pub points: i64,
    /// Points awarded or deducted by organizers, and the cost of hints.
    pub award: i64,
    /// The solves with their challenges and points, in chronological order.
    pub solves: Vec<(&'a Challenge, Mark, i64)>,
}

/// The scoreboard for one viewer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Board {
    tallies: Vec<Tally>,
    rows: Vec<Row>,
    row_of: HashMap<Arc<str>, u32>,
    column_of: HashMap<ChallengeId, u32>,
    order: Vec<u32>,
    is_ranked: bool,
}

impl Tally {
    /// The complete challenge; the wire format omits the parts that only players can see.
    pub fn challenge(&self) -> &Challenge {
        &self.challenge
    }

    /// Status of the challenge; the wire format omits it for viewers who only see the board.
    pub fn status(&self) -> &ChallengeStatus {
        &self.status
    }

    /// Number of teams that solved the challenge.
    pub fn nsolves(&self) -> u32 {
        self.solvers.len() as u32
    }

    /// Time of the first solve in epoch milliseconds, 0 without one.
    pub fn first_ms(&self) -> i64 {
        self.first_ms
    }

    /// Points of the solve at `position` if there are `nsolves` solves.
    fn worth(&self, nsolves: u32, position: u32) -> i64 {
        points::value(&self.challenge.scoring, nsolves, Some(position))
    }
}

impl Row {
    /// The team's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Two-letter country code.
    pub fn country(&self) -> &str {
        &self.country
    }

    /// The team's public divisions.
    pub fn divisions(&self) -> &[DivisionId] {
        &self.divisions
    }

    /// Points awarded or deducted by organizers, and the cost of hints.
    pub fn award(&self) -> i64 {
        self.award
    }

    /// Award plus the points of the solves.
    pub fn points(&self) -> i64 {
        self.points
    }

    /// Time of the last solve in epoch milliseconds, 0 without one.
    pub fn last_solve_ms(&self) -> i64 {
        self.last_solve_ms
    }

    /// The solves, sorted by challenge index.
    pub fn marks(&self) -> &[Mark] {
        &self.marks
    }

    fn standing(&self) -> Standing<'_> {
        let (points, last_solve_ms) = (self.points, self.last_solve_ms);
        Standing { points, last_solve_ms, name: &self.name }
    }
}

/// Sort key for the display order: `position`, then category, value and name.
pub fn display_key(challenge: &Challenge) -> impl Ord + use<> {
    let place = challenge.position.unwrap_or(i64::MAX);
    let category = challenge.categories.first().cloned().unwrap_or_default();
    let value = points::value(&challenge.scoring, 0, None);
    (place, category, value, challenge.name.clone(), challenge.id.clone())
}

impl Board {
    /// Creates a board with columns in display order.
    fn with_challenges(challenges: Vec<(Arc<Challenge>, Arc<ChallengeStatus>)>) -> Self {
        let mut tallies: Vec<_> = challenges
            .into_iter()
            .map(|(challenge, status)| {
                let solvers = Vec::new();
                let first_ms = 0;
                Tally { challenge, status, solvers, first_ms }
            })
            .collect();
        tallies.sort_by_cached_key(|tally| display_key(&tally.challenge));
        let column_of = (0..).zip(&tallies).map(|(i, tally)| (tally.challenge.id.clone(), i));
        let column_of = column_of.collect();
        Self { tallies, column_of, is_ranked: true, ..Self::default() }
    }

    /// Adds a team without solves; returns its row.
    pub(crate) fn add_team(&mut self, contest: &Contest, team: &Team, award: i64) -> u32 {
        let (name, country) = (team.name.clone(), team.country.clone());
        let divisions = contest.divisions_of(team);
        let row = self.rows.len() as u32;
        self.row_of.insert(name.clone(), row);
        self.order.push(row);
        let points = award;
        let last_solve_ms = 0;
        let marks = Vec::new();
        self.rows.push(Row { name, country, divisions, award, points, last_solve_ms, marks });
        self.is_ranked = false;
        row
    }

    /// Sets the status of a challenge, if it is on the board.
    pub(crate) fn set_status(&mut self, challenge: &ChallengeId, status: &Arc<ChallengeStatus>) {
        if let Some(&column) = self.column_of.get(challenge) {
            self.tallies[column as usize].status = status.clone();
        }
    }

    /// Adds all solves to a board without solves. `solves` returns the rows and times of each
    /// challenge, ordered by position and without duplicates. Takes time linear in the number of
    /// solves.
    pub(crate) fn fill<S: Iterator<Item = (u32, i64)>>(
        &mut self,
        mut solves: impl FnMut(&ChallengeId) -> S,
    ) {
        for (challenge, tally) in (0..).zip(&mut self.tallies) {
            for ((solver, at_ms), position) in solves(&tally.challenge.id).zip(1..) {
                if position == 1 {
                    tally.first_ms = at_ms;
                }
                tally.solvers.push(solver);
                let row = &mut self.rows[solver as usize];
                row.marks.push(Mark { challenge, position, at_ms });
                row.last_solve_ms = row.last_solve_ms.max(at_ms);
            }
            let nsolves = tally.nsolves();
            // Only the points of a speedrun depend on the position.
            let shared = match tally.challenge.scoring {
                Scoring::Speedrun { .. } => None,
                Scoring::Static { .. } | Scoring::Dynamic { .. } => Some(tally.worth(nsolves, 1)),
            };
            for (&solver, position) in tally.solvers.iter().zip(1..) {
                let worth = shared.unwrap_or_else(|| tally.worth(nsolves, position));
                self.rows[solver as usize].points += worth;
            }
        }
        self.is_ranked = false;
    }

    /// Adds a solve after all others of its challenge and updates the points of all solvers.
    /// Unknown teams, unknown challenges and repeated solves are ignored.
    pub(crate) fn add_solve(&mut self, team: &str, challenge: &ChallengeId, at_ms: i64) {
        let Some(&row) = self.row_of.get(team) else { return };
        let Some(&column) = self.column_of.get(challenge) else { return };
        let marks = &mut self.rows[row as usize].marks;
        let Err(place) = marks.binary_search_by_key(&column, |mark| mark.challenge) else { return };
        let tally = &mut self.tallies[column as usize];
        let before = tally.solvers.len() as u32;
        tally.solvers.push(row);
        if before == 0 {
            tally.first_ms = at_ms;
        }
        marks.insert(place, Mark { challenge: column, position: before + 1, at_ms });
        let worth =
            |nsolves, position| points::value(&tally.challenge.scoring, nsolves, Some(position));
        // An additional solve changes the value by the same amount at all earlier positions.
        let change = worth(before + 1, 1) - worth(before, 1);
        let (own, earlier) = tally.solvers.split_last().expect("one was added");
        self.rows[*own as usize].points += worth(before + 1, before + 1);
        if change != 0 {
            for &solver in earlier {
                self.rows[solver as usize].points += change;
            }
        }
        let row = &mut self.rows[row as usize];
        row.last_solve_ms = row.last_solve_ms.max(at_ms);
        self.is_ranked = false;
    }

    /// Adds points to the award of a team, if it is on the board.
    pub(crate) fn add_award(&mut self, team: &str, points: i64) {
        if let Some(&row) = self.row_of.get(team) {
            let row = &mut self.rows[row as usize];
            row.award += points;
            row.points += points;
            self.is_ranked = false;
        }
    }

    /// Sorts the rows; cheap if little has changed since the last call.
    pub(crate) fn rank(&mut self) {
        if self.is_ranked {
            return;
        }
        let rows = &self.rows;
        let standing = |row: &u32| rows[*row as usize].standing();
        self.order.sort_by(|a, b| ranking::compare(&standing(a), &standing(b)));
        self.is_ranked = true;
    }

    /// The challenges, in display order.
    pub fn tallies(&self) -> &[Tally] {
        &self.tallies
    }

    /// Name of the team with the first solve of a challenge.
    pub fn first_solver(&self, tally: &Tally) -> Option<&str> {
        tally.solvers.first().map(|&row| self.rows[row as usize].name())
    }

    /// The rows in rank order.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &Row> {
        self.order.iter().map(|&row| &self.rows[row as usize])
    }

    /// Names of the teams in a public division.
    pub fn members(&self, division: &str) -> HashSet<String> {
        let is_member = |row: &&Row| row.divisions.iter().any(|it| it.as_str() == division);
        self.rows.iter().filter(is_member).map(|row| row.name.to_string()).collect()
    }

    /// Rank of a team, from 1, and its row.
    pub fn row(&self, name: &str) -> Option<(usize, &Row)> {
        let row = *self.row_of.get(name)?;
        let place = self.order.iter().position(|&other| other == row)?;
        Some((place + 1, &self.rows[row as usize]))
    }

    /// Row and rank of a team after additional solves by `solver`, each after all others of its
    /// challenge, and an additional `award` to `solver`. Copies only that row: takes time linear in
    /// the number of teams and of solvers of those challenges.
    pub(crate) fn row_after<'a>(
        &self,
        name: &str,
        solver: &str,
        later: impl Iterator<Item = (&'a ChallengeId, i64)>,
        award: i64,
    ) -> Option<RankedRow<'_>> {
        let shown = *self.row_of.get(name)?;
        let solver = self.row_of.get(solver).copied();
        let award_of = |index: u32| if Some(index) == solver { award } else { 0 };
        // Change of each row's points; empty if no solve is added.
        let mut changes = Vec::new();
        let (mut added, mut last_ms): (Vec<Mark>, i64) = (Vec::new(), 0);
        for (id, at_ms) in later {
            let Some(solver) = solver else { break };
            let Some(&challenge) = self.column_of.get(id) else { continue };
            let marks = &self.rows[solver as usize].marks;
            let is_solved = |marks: &[Mark]| marks.iter().any(|mark| mark.challenge == challenge);
            if is_solved(marks) || is_solved(&added) {
                continue;
            }
            changes.resize(self.rows.len(), 0);
            let tally = &self.tallies[challenge as usize];
            let position = tally.nsolves() + 1;
            let change = tally.worth(position, 1) - tally.worth(position - 1, 1);
            if change != 0 {
                tally.solvers.iter().for_each(|row| changes[*row as usize] += change);
            }
            changes[solver as usize] += tally.worth(position, position);
            added.push(Mark { challenge, position, at_ms });
            last_ms = last_ms.max(at_ms);
        }
        let standing = |index: u32| {
            let row = &self.rows[index as usize];
            let change = changes.get(index as usize).copied().unwrap_or_default();
            let last_ms = if Some(index) == solver { last_ms } else { 0 };
            let last_solve_ms = row.last_solve_ms.max(last_ms);
            let points = row.points + change + award_of(index);
            Standing { points, last_solve_ms, name: &row.name }
        };
        let own = standing(shown);
        let is_before = |index: &u32| ranking::compare(&standing(*index), &own).is_lt();
        let rank = 1 + (0..self.rows.len() as u32).filter(is_before).count();
        let row = &self.rows[shown as usize];
        let mut marks = row.marks.clone();
        if Some(shown) == solver {
            marks.extend(&added);
        }
        marks.sort_by_key(|mark| (mark.at_ms, mark.challenge));
        let solves = marks.into_iter().map(|mark| {
            let tally = &self.tallies[mark.challenge as usize];
            let is_added = added.iter().any(|own| own.challenge == mark.challenge);
            let points = tally.worth(tally.nsolves() + u32::from(is_added), mark.position);
            (tally.challenge(), mark, points)
        });
        let (points, solves) = (own.points, solves.collect());
        Some(RankedRow { rank, row, points, award: row.award + award_of(shown), solves })
    }

    /// Current points of a solve.
    pub fn points_of(&self, mark: &Mark) -> i64 {
        let tally = &self.tallies[mark.challenge as usize];
        points::value(&tally.challenge.scoring, tally.nsolves(), Some(mark.position))
    }

    /// Creates a board without teams and with a column for each visible challenge; without columns
    /// before the start.
    pub(crate) fn shown_columns(contest: &Contest, has_started: bool) -> Self {
        let shown = (0..).zip(contest.challenges());
        let shown = shown.filter(|(i, _)| has_started && contest.is_shown_at(*i));
        Self::with_challenges(
            shown.map(|(_, state)| (state.challenge.clone(), state.status.clone())).collect(),
        )
    }
}
