//! Practice after the end: correct flags that change no score, row or count.
//!
//! They have an effect only while the event is over. If it resumes, its solves count from scratch.

use super::Contest;
use super::challenge_progress::FoundFlag;
use super::practiced::{Practice, PracticeSolve};
use super::solves::{Attempt, Index, Refusal};
use super::teams::Team;
use crate::challenge::ChallengeId;
use crate::entry::TeamId;

impl Team {
    fn practice(&self, index: Index) -> Option<&Practice> {
        self.practice.iter().find(|(challenge, _)| *challenge == index).map(|(_, it)| it)
    }

    fn practice_mut(&mut self, index: Index) -> &mut Practice {
        let known = self.practice.iter().position(|(challenge, _)| *challenge == index);
        let place = known.unwrap_or_else(|| {
            self.practice.push((index, Practice::default()));
            self.practice.len() - 1
        });
        &mut self.practice[place].1
    }
}

impl Contest {
    /// True if teams can submit flags that change no score: after the end and the reveal, if the
    /// event allows it.
    pub fn is_practice(&self) -> bool {
        self.event().is_some_and(|event| event.practice) && self.is_over()
    }

    /// Records a correct flag at a time, as epoch milliseconds and sequence number.
    pub(crate) fn practice(
        &mut self,
        id: TeamId,
        challenge: &ChallengeId,
        flag: Option<&str>,
        (at_ms, seq): (i64, i64),
    ) -> Result<(), &'static str> {
        if !self.is_practice() {
            return Err("the event has no practice now");
        }
        let index = self.index_of(challenge).ok_or("no such challenge")?;
        let team = self.team(id).ok_or("no such team")?;
        if team.has_solved(index) || self.practice_solve_of(team, index).is_some() {
            return Err("the team has already solved the challenge");
        }
        if flag.is_some_and(|flag| self.has_found_at(team, index, flag)) {
            return Err("the team has already found the flag");
        }
        let practice = self.teams.by_id_mut(id)?.practice_mut(index);
        match flag {
            Some(flag) => practice.found.push(FoundFlag { flag: flag.to_owned(), at_ms, seq }),
            None => practice.solve = Some(PracticeSolve { at_ms, seq }),
        }
        Ok(())
    }

    /// Judges a correct flag for a visible challenge after the end. Closing times and attempts do
    /// not apply.
    pub(crate) fn judge_practice(&self, team: &Team, index: Index) -> Result<Attempt, Refusal> {
        if team.has_solved(index) || self.practice_solve_of(team, index).is_some() {
            return Ok(Attempt::PracticeAgain);
        }
        match self.is_locked_for(team, index) {
            true => Err(Refusal::Locked),
            false => Ok(Attempt::Practice),
        }
    }

    /// A team's solve after the end; `None` if it has solved the challenge before, and while the
    /// event is not over.
    pub(crate) fn practice_solve_of(&self, team: &Team, index: Index) -> Option<PracticeSolve> {
        let solve = team.practice(index)?.solve;
        solve.filter(|_| self.is_over() && !team.has_solved(index))
    }

    /// True if the team has found the flag with this ID for the challenge at `index`. A flag found
    /// after the end counts while the event is over.
    pub(crate) fn has_found_at(&self, team: &Team, index: Index, flag: &str) -> bool {
        let is_practiced = || {
            let practice = team.practice(index).filter(|_| self.is_over());
            practice.is_some_and(|it| it.found.iter().any(|found| found.flag == flag))
        };
        team.challenge_progress(index).is_some_and(|it| it.has_found(flag)) || is_practiced()
    }

    /// True if the team must solve other challenges first. Solves after the end unlock challenges
    /// for their team while the event is over.
    pub(crate) fn is_locked_for(&self, team: &Team, index: Index) -> bool {
        let is_solved = |id: &ChallengeId| {
            self.index_of(id).is_some_and(|required| {
                team.has_solved(required) || self.practice_solve_of(team, required).is_some()
            })
        };
        !self.challenge_at(index).requirements.iter().all(is_solved)
    }

    /// All solves after the end, also those of challenges that the team has a credited solve of.
    /// For organizers only.
    pub fn practice_solves(&self) -> impl Iterator<Item = (&ChallengeId, &Team, PracticeSolve)> {
        self.practices().filter_map(|(id, team, practice)| Some((id, team, practice.solve?)))
    }

    /// All flags found after the end for challenges that need several. For organizers only.
    pub fn practice_flags(&self) -> impl Iterator<Item = (&ChallengeId, &Team, &FoundFlag)> {
        self.practices()
            .flat_map(|(id, team, practice)| practice.found.iter().map(move |it| (id, team, it)))
    }

    fn practices(&self) -> impl Iterator<Item = (&ChallengeId, &Team, &Practice)> {
        self.teams().flat_map(move |team| {
            let practices = team.practice.iter();
            practices.map(move |(index, it)| (&self.challenge_at(*index).id, &**team, it))
        })
    }
}
