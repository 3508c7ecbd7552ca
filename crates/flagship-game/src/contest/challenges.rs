//! The challenges, in the order of their first release, and which of them players may know of.

use std::sync::Arc;

use imbl::{HashMap, Vector};
use serde::{Deserialize, Serialize};

use super::shared;
use super::solves::{Index, Solve};
use super::teams::Team;
use crate::challenge::{Challenge, ChallengeId, ChallengeStatus, is_digest};

/// A time in epoch milliseconds by which folds do not differ: a published journal may withhold the
/// entry that it is of.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Noted(pub(crate) i64);

impl PartialEq for Noted {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Noted {}

/// A challenge as the journal knows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ChallengeState {
    #[serde(with = "shared")]
    pub(crate) challenge: Arc<Challenge>,
    pub(crate) withdrawn: bool,
    /// When it was first released.
    pub(crate) first_released: Noted,
    #[serde(with = "shared")]
    pub(crate) status: Arc<ChallengeStatus>,
    /// In the order of their places.
    pub(crate) solves: Vector<Solve>,
}

/// All challenges, found by index or id.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Vec<ChallengeState>", into = "Vec<ChallengeState>")]
pub(crate) struct Challenges {
    all: Vector<Arc<ChallengeState>>,
    by_id: HashMap<ChallengeId, Index>,
    /// By index: whether players may know of it once the event has started.
    shown: Arc<Vec<bool>>,
}

impl From<Vec<ChallengeState>> for Challenges {
    fn from(all: Vec<ChallengeState>) -> Self {
        let all: Vector<Arc<ChallengeState>> = all.into_iter().map(Arc::new).collect();
        let id = |state: &Arc<ChallengeState>| state.challenge.id.clone();
        let by_id = all.iter().zip(0..).map(|(state, index)| (id(state), index)).collect();
        let mut challenges = Self { all, by_id, ..Self::default() };
        challenges.update_shown();
        challenges
    }
}

impl From<Challenges> for Vec<ChallengeState> {
    fn from(challenges: Challenges) -> Self {
        challenges.iter().map(|state| ChallengeState::clone(state)).collect()
    }
}

impl ChallengeState {
    /// Adds a solve at its place.
    pub(crate) fn add_solve(&mut self, solve: Solve) {
        let place = self.solves.binary_search_by_key(&solve.place(), Solve::place);
        self.solves.insert(place.unwrap_or_else(|place| place), solve);
    }
}

impl Challenges {
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Arc<ChallengeState>> {
        self.all.iter()
    }

    pub(crate) fn at(&self, index: Index) -> &ChallengeState {
        &self.all[index as usize]
    }

    pub(crate) fn get_mut(&mut self, index: Index) -> &mut ChallengeState {
        Arc::make_mut(&mut self.all[index as usize])
    }

    pub(crate) fn index_of(&self, id: &ChallengeId) -> Option<Index> {
        self.by_id.get(id).copied()
    }

    pub(crate) fn is_shown(&self, index: Index) -> bool {
        self.shown[index as usize]
    }

    /// Whether the team has not solved a requirement of the challenge.
    pub(crate) fn is_locked(&self, team: &Team, index: Index) -> bool {
        let solved = |id| self.index_of(id).is_some_and(|required| team.has_solved(required));
        !self.at(index).challenge.requirements.iter().all(solved)
    }

    /// Adds a challenge, or replaces the one with its id, which keeps its solves.
    pub(crate) fn release(
        &mut self,
        challenge: &Challenge,
        at_ms: i64,
    ) -> Result<(), &'static str> {
        if !challenge.scoring.is_in_range() {
            return Err("its points are out of range");
        }
        // Files are found by digest, so any other text could be the path of another file.
        if !challenge.attachments.iter().all(|attachment| is_digest(&attachment.digest)) {
            return Err("an attachment's digest is not one");
        }
        let new = Arc::new(challenge.clone());
        match self.index_of(&challenge.id) {
            Some(index) => {
                let state = self.get_mut(index);
                (state.challenge, state.withdrawn) = (new, false);
            }
            None => {
                let index = self.all.len() as Index;
                self.by_id.insert(challenge.id.clone(), index);
                let status = Arc::default();
                let solves = Vector::new();
                let state = ChallengeState {
                    challenge: new,
                    withdrawn: false,
                    first_released: Noted(at_ms),
                    status,
                    solves,
                };
                self.all.push_back(Arc::new(state));
            }
        }
        self.update_shown();
        Ok(())
    }

    pub(crate) fn set_status(
        &mut self,
        id: &ChallengeId,
        status: ChallengeStatus,
    ) -> Result<(), &'static str> {
        if status.note.contains(char::is_control) {
            return Err("its note is not one line");
        }
        let index = self.index_of(id).ok_or("no such challenge")?;
        self.get_mut(index).status = Arc::new(status);
        Ok(())
    }

    pub(crate) fn withdraw(&mut self, id: &ChallengeId) -> Result<(), &'static str> {
        let index = self.index_of(id).ok_or("no such challenge")?;
        self.get_mut(index).withdrawn = true;
        self.update_shown();
        Ok(())
    }

    /// Computes which challenges players may know of: a growing set, so that a challenge with a
    /// missing requirement, or in a cycle of requirements, stays hidden.
    fn update_shown(&mut self) {
        let mut shown = vec![false; self.all.len()];
        loop {
            let mut grew = false;
            for (i, state) in self.all.iter().enumerate() {
                let known = |id| self.index_of(id).is_some_and(|required| shown[required as usize]);
                let fits = !state.withdrawn && state.challenge.requirements.iter().all(known);
                if fits && !shown[i] {
                    shown[i] = true;
                    grew = true;
                }
            }
            if !grew {
                break;
            }
        }
        self.shown = Arc::new(shown);
    }
}
