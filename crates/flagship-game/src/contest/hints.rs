//! The hints that teams took, and the points that they cost.
//!
//! A hint is charged as long as the current version of its challenge has it with its text and at a
//! cost, players can see the challenge, and the team has no earlier solve of it. Removing the hint,
//! making it free, announcing it for later, hiding its challenge or crediting an earlier solve
//! returns the points, and undoing that charges them again.

use super::Contest;
use super::solves::{Index, Solve};
use super::taken_hint::TakenHint;
use super::teams::{AWARD_MAX, Team};
use crate::challenge::{Challenge, ChallengeId, Hint};
use crate::entry::{Phase, TeamId};

impl Team {
    /// Hints that the team took, in order. For organizers only.
    pub fn hints(&self) -> &[TakenHint] {
        &self.hints
    }

    /// The team's record of a hint, if it took it.
    pub(crate) fn taken_hint(&self, challenge: Index, hint: &str) -> Option<&TakenHint> {
        self.hints.iter().find(|taken| taken.challenge == challenge && taken.hint == hint)
    }
}

impl Contest {
    /// Records that a team took a hint.
    pub(crate) fn take_hint(
        &mut self,
        id: TeamId,
        challenge: &ChallengeId,
        hint: &str,
        cost: i64,
        at_ms: i64,
    ) -> Result<(), &'static str> {
        let index = self.index_of(challenge).ok_or("no such challenge")?;
        if self.challenge_at(index).hint(hint).is_none() {
            return Err("no such hint");
        }
        if !(0..=Hint::COST_MAX).contains(&cost) {
            return Err("the cost is out of range");
        }
        let team = self.teams.by_id_mut(id)?;
        if team.taken_hint(index, hint).is_some() {
            return Err("the team has already taken the hint");
        }
        let total: i64 = team.hints.iter().map(|taken| taken.cost).sum();
        if total + cost > AWARD_MAX {
            return Err("too many points");
        }
        team.hints.push(TakenHint { challenge: index, hint: hint.to_owned(), cost, at_ms });
        Ok(())
    }

    /// Points that a hint taken by a team costs it now.
    pub(crate) fn charged(&self, team: &Team, taken: &TakenHint) -> i64 {
        let hint = self.challenge_at(taken.challenge).hint(&taken.hint);
        let costs = hint.is_some_and(|hint| hint.cost > 0 && hint.html.is_some());
        let is_shown = self.reached(Phase::Start) && self.is_shown_at(taken.challenge);
        // A solve credited at a time before the purchase: hints are free after the own solve.
        let is_solved_before =
            team.solve(taken.challenge).is_some_and(|solve| solve.at_ms < taken.at_ms);
        if costs && is_shown && !is_solved_before { taken.cost } else { 0 }
    }

    /// Award of a team's row in its own view: the award by organizers minus the cost of its hints.
    pub fn own_award(&self, team: &Team) -> i64 {
        team.award - team.hints.iter().map(|taken| self.charged(team, taken)).sum::<i64>()
    }

    /// Award of a team's row in the view of others, without the cost of hints that the freeze
    /// hides. A hidden team has a row only in its own view.
    pub(crate) fn public_award(&self, team: &Team) -> i64 {
        let seen = team.hints.iter().filter(|taken| !self.hides_solves_of(taken.at_ms));
        team.award - seen.map(|taken| self.charged(team, taken)).sum::<i64>()
    }

    /// Hints that a version of a challenge adds although a team has already solved the challenge,
    /// which is unfair to that team. Counts only solves that everyone sees.
    pub fn late_hints<'a>(&self, new: &'a Challenge) -> Vec<&'a Hint> {
        let Some(index) = self.index_of(&new.id) else { return Vec::new() };
        let is_public =
            |solve: &Solve| self.team_at(solve.team).counts() && !self.hides_solves_of(solve.at_ms);
        if !self.solves_at(index).any(is_public) {
            return Vec::new();
        }
        let old = self.challenge_at(index);
        new.hints.iter().filter(|hint| old.hint(&hint.id).is_none()).collect()
    }

    /// True if players see every hint: after the end, once nothing is hidden.
    pub fn is_over(&self) -> bool {
        self.reached(Phase::End) && self.hidden_from_ms().is_none()
    }

    /// The teams that took hints of a challenge, with the points that each hint costs now. For
    /// organizers only.
    pub fn hint_takers(&self, id: &ChallengeId) -> impl Iterator<Item = (&Team, &TakenHint, i64)> {
        let index = self.index_of(id);
        let of_it = move |taken: &&TakenHint| Some(taken.challenge) == index;
        self.teams().flat_map(move |team| {
            let taken = team.hints.iter().filter(of_it);
            taken.map(move |taken| (&**team, taken, self.charged(team, taken)))
        })
    }
}
