//! Steps shared by several facts: adding and removing solves, and numbering public changes.

use super::Contest;
use super::solves::{Index, Solve};
use crate::challenge::ChallengeId;
use crate::entry::{Phase, TeamId};

impl Contest {
    /// Records the number and time of an entry, folded or withheld.
    pub(crate) fn advance_to(&mut self, seq: i64, at_ms: i64) {
        self.seq = seq;
        self.at_ms = self.at_ms.max(at_ms);
    }

    /// Assigns the number of a new public change.
    pub(crate) fn next_public_seq(&mut self) -> u64 {
        self.public_seq += 1;
        self.public_seq
    }

    /// Adds a solve, created with the index of its team; returns true if it is public.
    pub(crate) fn add_solve(
        &mut self,
        id: TeamId,
        challenge: &ChallengeId,
        solve: impl FnOnce(Index) -> Solve,
    ) -> Result<bool, &'static str> {
        let index = self.index_of(challenge).ok_or("no such challenge")?;
        let place = self.teams.index_of(id)?;
        let team = self.teams.get_mut(place).ok_or("no such team")?;
        if team.has_solved(index) {
            return Err("the team has already solved the challenge");
        }
        let solve = solve(place);
        team.add_solve(index, solve);
        self.challenges.get_mut(index).add_solve(solve);
        Ok(self.is_public(&solve, index))
    }

    /// Removes a solve; returns true if it was public.
    pub(crate) fn remove_solve(
        &mut self,
        id: TeamId,
        challenge: &ChallengeId,
    ) -> Result<bool, &'static str> {
        let index = self.index_of(challenge).ok_or("no such challenge")?;
        let solve = self.teams.by_id_mut(id)?.remove_solve(index)?;
        self.challenges.get_mut(index).solves.retain(|other| other.seq != solve.seq);
        Ok(self.is_public(&solve, index))
    }

    /// True if a solve of the challenge at `index` is public.
    fn is_public(&self, solve: &Solve, index: Index) -> bool {
        let is_shown = self.reached(Phase::Start) && self.is_shown_at(index);
        let counts = self.team_at(solve.team).counts();
        is_shown && counts && !self.hides_solves_of(solve.at_ms)
    }
}
