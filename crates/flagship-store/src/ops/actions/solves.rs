//! Solves that actions withdraw or credit.

use flagship_game::contest::Solve;
use flagship_game::facts;
use flagship_game::{ChallengeId, TeamId};
use serde::{Deserialize, Serialize};

use super::context::{ActionError, ActionResult, Context};

/// A withdrawn solve.
#[derive(Serialize, Deserialize)]
pub struct WithdrawnSolve {
    /// The team.
    pub team: TeamId,
    /// Time of the solve, in epoch milliseconds.
    pub at_ms: i64,
    /// Position among the solves of the challenge.
    pub after: i64,
}

impl Context<'_> {
    /// Returns the solves of teams, in the order in which they are credited again.
    pub fn solves_of(&self, teams: &[TeamId], challenge: &ChallengeId) -> Vec<WithdrawnSolve> {
        let contest = self.step.contest();
        let solve = |team: &TeamId| Some((*team, contest.solve(*team, challenge)?));
        let mut solves: Vec<_> = teams.iter().filter_map(solve).collect();
        solves.sort_by_key(|(_, solve)| solve.place());
        let withdrawn = |(team, Solve { at_ms, after, .. })| WithdrawnSolve { team, at_ms, after };
        solves.into_iter().map(withdrawn).collect()
    }

    /// Returns the position of a solve at a time, after all solves up to then.
    ///
    /// # Errors
    /// [`ActionError::Time`] if the time is before the start, after the end or in the future.
    pub fn place_at(&self, challenge: &ChallengeId, at_ms: i64) -> ActionResult<i64> {
        let contest = self.step.contest();
        let event = contest.event().ok_or(ActionError::Time)?;
        let has_started = event.start_ms.is_some_and(|start_ms| start_ms <= at_ms);
        let has_ended = event.end_ms.is_some_and(|end_ms| end_ms <= at_ms);
        if !has_started || has_ended || at_ms > self.step.now_ms() {
            return Err(ActionError::Time.into());
        }
        Ok(contest.place_at(challenge, at_ms))
    }

    /// Withdraws the solves of the teams, where they exist.
    pub async fn withdraw(
        &mut self,
        teams: &[TeamId],
        challenge: &ChallengeId,
    ) -> ActionResult<()> {
        self.step.delete_solve_rows(teams, challenge).await?;
        for team in teams {
            if self.step.contest().solve(*team, challenge).is_some() {
                let (team, challenge) = (*team, challenge.clone());
                self.try_append(facts::SolveWithdrawn { team, challenge }, ActionError::NotSolved)?;
            }
        }
        Ok(())
    }

    /// Credits a solve with a time and a position.
    pub fn count(
        &mut self,
        team: TeamId,
        challenge: &ChallengeId,
        at_ms: i64,
        after: i64,
    ) -> ActionResult<()> {
        let fact = facts::SolveCounted { team, challenge: challenge.clone(), at_ms, after };
        self.try_append(fact, ActionError::Unchanged)?;
        self.step.queue_solve_row(team, challenge, None);
        Ok(())
    }

    /// Credits withdrawn solves again, for teams that have no other solve.
    pub fn count_again(
        &mut self,
        challenge: &ChallengeId,
        solves: Vec<WithdrawnSolve>,
    ) -> ActionResult<()> {
        let contest = self.step.contest().clone();
        let is_free = |it: &WithdrawnSolve| contest.solve(it.team, challenge).is_none();
        for WithdrawnSolve { team, at_ms, after } in solves.into_iter().filter(is_free) {
            self.count(team, challenge, at_ms, after)?;
        }
        Ok(())
    }
}
