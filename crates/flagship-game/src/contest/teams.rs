//! The teams, in the order of joining.

use std::sync::Arc;

use imbl::{HashMap, Vector};
use serde::{Deserialize, Serialize};

use super::challenge_progress::ChallengeProgress;
use super::practiced::Practice;
use super::shared;
use super::solves::{Index, Solve};
use super::taken_hint::TakenHint;
use crate::division::DivisionId;
use crate::entry::TeamId;

/// Maximum total of points that organizers can award to or deduct from a team, so that sums never
/// overflow and all clients can represent them.
pub const AWARD_MAX: i64 = 1_000_000_000;

/// State of a team in the journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Team {
    /// The team ID.
    pub id: TeamId,
    /// The team name.
    #[serde(with = "shared")]
    pub name: Arc<str>,
    /// Two-letter country code.
    #[serde(with = "shared")]
    pub country: Arc<str>,
    /// True if the team is on no board and cannot log in.
    pub banned: bool,
    /// True if the team can play, but only appears on its own board.
    pub hidden: bool,
    /// True if the team joined after the end of the event: it can log in, but is on no board. If
    /// the event resumes, it counts like any other team.
    pub late: bool,
    /// Points awarded or deducted by organizers. The award of a row also has the cost of hints.
    pub award: i64,
    /// Hints that the team took, in order.
    #[serde(default)]
    pub(crate) hints: Vec<TakenHint>,
    /// Public divisions that the team joined, including those that were removed later.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) divisions: Vec<DivisionId>,
    /// Former names, oldest first.
    pub former: Vec<String>,
    /// True if the team left. It keeps its index, so that the indexes of later teams do not change.
    #[serde(default)]
    pub(crate) left: bool,
    /// Submissions for challenges with several flags or limited attempts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) challenge_progress: Vec<(Index, ChallengeProgress)>,
    /// Correct flags after the end.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) practice: Vec<(Index, Practice)>,
    /// Solves in order of position. They are also stored with the challenges, from which a snapshot
    /// restores them.
    #[serde(skip)]
    pub(crate) solves: Vec<(Index, Solve)>,
}

impl Team {
    /// True if the team counts on the scoreboard.
    pub fn counts(&self) -> bool {
        !self.hidden && self.has_row()
    }

    /// True if the team has a row on its own board.
    pub(crate) fn has_row(&self) -> bool {
        !self.banned && !self.left && (self.hidden || !self.late)
    }

    /// The team's solve of a challenge.
    pub(crate) fn solve(&self, challenge: Index) -> Option<&Solve> {
        self.solves.iter().find(|(solved, _)| *solved == challenge).map(|(_, solve)| solve)
    }

    pub(crate) fn has_solved(&self, challenge: Index) -> bool {
        self.solve(challenge).is_some()
    }

    /// Awards or deducts points; rejects a total beyond [`AWARD_MAX`].
    pub(crate) fn award(&mut self, points: i64) -> Result<(), &'static str> {
        let award = self.award.checked_add(points);
        let fits = |award: &i64| (-AWARD_MAX..=AWARD_MAX).contains(award);
        self.award = award.filter(fits).ok_or("too many points")?;
        Ok(())
    }

    /// Inserts a solve at its position.
    pub(crate) fn add_solve(&mut self, challenge: Index, solve: Solve) {
        let place = self.solves.partition_point(|(_, other)| other.place() < solve.place());
        self.solves.insert(place, (challenge, solve));
    }

    /// Removes the solve of a challenge.
    pub(crate) fn remove_solve(&mut self, challenge: Index) -> Result<Solve, &'static str> {
        let place = self.solves.iter().position(|(solved, _)| *solved == challenge);
        let (_, solve) = self.solves.remove(place.ok_or("no such solve")?);
        Ok(solve)
    }
}

/// All teams, by index, ID or name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Vec<Team>", into = "Vec<Team>")]
pub(crate) struct Teams {
    all: Vector<Arc<Team>>,
    by_id: HashMap<TeamId, Index>,
    by_name: HashMap<Arc<str>, Index>,
}

impl From<Vec<Team>> for Teams {
    fn from(all: Vec<Team>) -> Self {
        let all: Vector<Arc<Team>> = all.into_iter().map(Arc::new).collect();
        let present = || all.iter().zip(0..).filter(|(team, _)| !team.left);
        let by_id = present().map(|(team, index)| (team.id, index)).collect();
        let by_name = present().map(|(team, index)| (team.name.clone(), index)).collect();
        Self { all, by_id, by_name }
    }
}

impl From<Teams> for Vec<Team> {
    fn from(teams: Teams) -> Self {
        teams.by_index().map(|team| Team::clone(team)).collect()
    }
}

impl Teams {
    /// The teams that have not left.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Arc<Team>> {
        self.all.iter().filter(|team| !team.left)
    }

    /// Number of teams, including those that left.
    pub(crate) fn count(&self) -> usize {
        self.all.len()
    }

    /// The teams by index, including those that left.
    pub(crate) fn by_index(&self) -> impl Iterator<Item = &Arc<Team>> {
        self.all.iter()
    }

    pub(crate) fn by_id(&self, id: TeamId) -> Option<&Arc<Team>> {
        self.all.get(*self.by_id.get(&id)? as usize)
    }

    pub(crate) fn by_name(&self, name: &str) -> Option<&Arc<Team>> {
        self.all.get(*self.by_name.get(name)? as usize)
    }

    /// Finds a team by a former name.
    pub(crate) fn by_former_name(&self, name: &str) -> Option<&Arc<Team>> {
        self.iter().find(|team| team.former.iter().any(|former| former == name))
    }

    pub(crate) fn at(&self, index: Index) -> &Arc<Team> {
        &self.all[index as usize]
    }

    pub(crate) fn index_of(&self, id: TeamId) -> Result<Index, &'static str> {
        self.by_id.get(&id).copied().ok_or("no such team")
    }

    pub(crate) fn get_mut(&mut self, index: Index) -> Option<&mut Team> {
        self.all.get_mut(index as usize).map(Arc::make_mut)
    }

    pub(crate) fn by_id_mut(&mut self, id: TeamId) -> Result<&mut Team, &'static str> {
        let index = self.index_of(id)?;
        self.get_mut(index).ok_or("no such team")
    }

    pub(crate) fn join(
        &mut self,
        id: TeamId,
        name: &str,
        country: &str,
    ) -> Result<(), &'static str> {
        if self.by_id.contains_key(&id) || self.by_name.contains_key(name) {
            return Err("the team has already joined");
        }
        let index = self.all.len() as Index;
        let name: Arc<str> = name.into();
        self.by_id.insert(id, index);
        self.by_name.insert(name.clone(), index);
        self.all.push_back(Arc::new(Team {
            id,
            name,
            country: country.into(),
            banned: false,
            hidden: false,
            late: false,
            award: 0,
            hints: Vec::new(),
            divisions: Vec::new(),
            former: Vec::new(),
            left: false,
            challenge_progress: Vec::new(),
            practice: Vec::new(),
            solves: Vec::new(),
        }));
        Ok(())
    }

    /// Makes the teams that joined after the end count, because the event resumes.
    pub(crate) fn admit_late(&mut self) {
        let late: Vec<Index> = self
            .all
            .iter()
            .zip(0..)
            .filter(|(team, _)| team.late)
            .map(|(_, index)| index)
            .collect();
        for index in late {
            if let Some(team) = self.get_mut(index) {
                team.late = false;
            }
        }
    }

    /// Removes a team without solves and hints, and frees its name. Returns true if it counted.
    pub(crate) fn leave(&mut self, id: TeamId) -> Result<bool, &'static str> {
        let index = self.index_of(id)?;
        let team = self.get_mut(index).ok_or("no such team")?;
        if !team.solves.is_empty() {
            return Err("the team has solved a challenge");
        }
        if !team.hints.is_empty() {
            return Err("the team has taken a hint");
        }
        let counted = team.counts();
        team.left = true;
        let name = team.name.clone();
        self.by_id.remove(&id);
        self.by_name.remove(&name);
        Ok(counted)
    }

    /// Renames a team, unless another team has the name.
    pub(crate) fn rename(
        &mut self,
        index: Index,
        name: &str,
        country: &str,
    ) -> Result<(), &'static str> {
        if self.by_name.get(name).is_some_and(|other| *other != index) {
            return Err("another team has the name");
        }
        let team = self.get_mut(index).ok_or("no such team")?;
        let before = std::mem::replace(&mut team.name, name.into());
        team.country = country.into();
        if *before != *name {
            team.former.retain(|former| former != name);
            team.former.push(before.to_string());
            let name = team.name.clone();
            self.by_name.remove(&before);
            self.by_name.insert(name, index);
        }
        Ok(())
    }
}
