//! The challenges, in the order of their first release, and their visibility to players.

use std::sync::Arc;

use imbl::{HashMap, Vector};
use serde::{Deserialize, Serialize};

use super::shared;
use super::solves::{Index, Solve};
use super::teams::Team;
use crate::challenge::{Challenge, ChallengeId, ChallengeStatus, is_digest};

/// A time in epoch milliseconds that is ignored when folds are compared, because a published
/// journal can withhold the entry it comes from.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct UncomparedTime(pub(crate) i64);

impl PartialEq for UncomparedTime {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for UncomparedTime {}

/// State of a challenge in the journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ChallengeState {
    #[serde(with = "shared")]
    pub(crate) challenge: Arc<Challenge>,
    pub(crate) withdrawn: bool,
    /// Time of the first release.
    pub(crate) first_released: UncomparedTime,
    #[serde(with = "shared")]
    pub(crate) status: Arc<ChallengeStatus>,
    /// In order of position.
    pub(crate) solves: Vector<Solve>,
}

/// All challenges, by index or ID.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Vec<ChallengeState>", into = "Vec<ChallengeState>")]
pub(crate) struct Challenges {
    all: Vector<Arc<ChallengeState>>,
    by_id: HashMap<ChallengeId, Index>,
    /// By index: true if players can see the challenge once the event has started.
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
    /// Inserts a solve at its position.
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

    /// True if the team has not solved all requirements of the challenge.
    pub(crate) fn is_locked(&self, team: &Team, index: Index) -> bool {
        let solved = |id| self.index_of(id).is_some_and(|required| team.has_solved(required));
        !self.at(index).challenge.requirements.iter().all(solved)
    }

    /// Adds a challenge, or replaces the one with the same ID, keeping its solves.
    pub(crate) fn release(
        &mut self,
        challenge: &Challenge,
        at_ms: i64,
    ) -> Result<(), &'static str> {
        if !challenge.scoring.is_in_range() {
            return Err("its points are out of range");
        }
        // Files are looked up by digest, so any other text could be a path to another file.
        if !challenge.attachments.iter().all(|attachment| is_digest(&attachment.digest)) {
            return Err("an attachment has an invalid digest");
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
                    first_released: UncomparedTime(at_ms),
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
            return Err("the note must be one line");
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

    /// Computes which challenges players can see, as a growing set, so that a challenge with
    /// missing or circular requirements stays hidden.
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
