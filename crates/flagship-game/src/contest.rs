//! The fold of the journal: everything that the entries so far say.
//!
//! A clone shares its parts with the original, so readers keep the one they hold while the lane
//! folds on. `facts` says what each entry does to it, `board` and `view` what of it a viewer may
//! see.

mod challenges;
mod folding;
pub mod kept;
mod notices;
mod shared;
mod solves;
mod teams;
mod timeline;

use std::sync::Arc;

use crate::challenge::{Challenge, ChallengeId, ChallengeStatus};
use crate::entry::{FORMAT, FORMAT_FIRST, Phase, TeamId};
use crate::event::{Event, Status};
pub(crate) use challenges::ChallengeState;
use challenges::Challenges;
pub use notices::Notice;
use notices::Notices;
pub(crate) use solves::Index;
pub use solves::{Attempt, Refusal, Solve};
use teams::Teams;
pub use teams::{AWARD_MAX, Team};
use timeline::Timeline;

/// Why an entry is not folded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FoldError {
    /// It cannot follow the ones before it.
    #[error("entry {seq} cannot follow: {reason}")]
    Refused {
        /// The entry's sequence number.
        seq: i64,
        /// Why.
        reason: &'static str,
    },
    /// It begins a format that this program does not read.
    #[error("entry {seq} begins format {version}; this program reads up to {FORMAT}")]
    NewerFormat {
        /// The entry's sequence number.
        seq: i64,
        /// The format that it begins.
        version: u32,
    },
}

/// The fold of a journal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contest {
    seq: i64,
    at_ms: i64,
    public_seq: u64,
    /// The format that the journal says it has, 0 if it says none.
    pub(crate) format_said: u32,
    pub(crate) timeline: Timeline,
    pub(crate) teams: Teams,
    pub(crate) challenges: Challenges,
    pub(crate) notices: Notices,
    /// Since when no flag counts, in epoch milliseconds; `None` if flags do.
    pub(crate) paused_at_ms: Option<i64>,
}

impl Contest {
    /// The sequence number of the last entry folded, 0 before the first.
    pub fn seq(&self) -> i64 {
        self.seq
    }

    /// The time of the last entry folded, in epoch milliseconds.
    pub fn at_ms(&self) -> i64 {
        self.at_ms
    }

    /// The number of the last public change. Solves that the freeze hides have none.
    pub fn public_seq(&self) -> u64 {
        self.public_seq
    }

    /// The format of the journal so far.
    pub fn format(&self) -> u32 {
        self.format_said.max(FORMAT_FIRST)
    }

    /// The event, once there is one.
    pub fn event(&self) -> Option<&Arc<Event>> {
        self.timeline.event()
    }

    /// A team by its identity.
    pub fn team(&self, id: TeamId) -> Option<&Arc<Team>> {
        self.teams.by_id(id)
    }

    /// A team by its exact name.
    pub fn team_named(&self, name: &str) -> Option<&Arc<Team>> {
        self.teams.by_name(name)
    }

    /// The team that had this name before, and has another one now.
    pub fn team_formerly(&self, name: &str) -> Option<&Arc<Team>> {
        self.teams.by_former_name(name)
    }

    /// All teams, in the order in which they joined.
    pub fn teams(&self) -> impl Iterator<Item = &Arc<Team>> {
        self.teams.iter()
    }

    /// All teams by index, also those that left.
    pub(crate) fn teams_by_index(&self) -> impl Iterator<Item = &Arc<Team>> {
        self.teams.by_index()
    }

    /// A challenge by its id, shown or not: for organizers only.
    pub fn challenge(&self, id: &ChallengeId) -> Option<&Arc<Challenge>> {
        Some(&self.challenges.at(self.index_of(id)?).challenge)
    }

    /// How a challenge is doing, shown or not: for organizers only.
    pub fn challenge_status(&self, id: &ChallengeId) -> Option<&ChallengeStatus> {
        Some(&self.challenges.at(self.index_of(id)?).status)
    }

    /// A team's solve of a challenge, hidden or not: for organizers only.
    pub fn solve(&self, team: TeamId, id: &ChallengeId) -> Option<Solve> {
        let (team, index) = (self.team(team)?, self.index_of(id)?);
        team.solves.iter().find(|(solved, _)| *solved == index).map(|(_, solve)| *solve)
    }

    /// The place of a solve that counts as if it had come at a time, in epoch milliseconds: behind
    /// the last solve of the challenge by then, or before all.
    pub fn place_at(&self, id: &ChallengeId, at_ms: i64) -> i64 {
        let Some(index) = self.index_of(id) else { return 0 };
        let by_then = self.solves_at(index).filter(|solve| solve.at_ms <= at_ms);
        by_then.map(|solve| solve.after).max().unwrap_or_default()
    }

    /// All notices, withdrawn ones too, in the order of their first posts: for organizers only.
    pub fn notices(&self) -> impl DoubleEndedIterator<Item = &Arc<Notice>> {
        self.notices.iter()
    }

    /// A notice by its number: for organizers only.
    pub fn notice(&self, id: i64) -> Option<&Arc<Notice>> {
        self.notices.by_id(id)
    }

    /// Since when the event is paused, in epoch milliseconds.
    pub fn paused_at_ms(&self) -> Option<i64> {
        self.paused_at_ms
    }

    /// Whether organizers paused the event: no flag counts.
    pub fn is_paused(&self) -> bool {
        self.paused_at_ms.is_some()
    }

    /// The challenges that are in the journal and not withdrawn: for organizers only.
    pub fn released(&self) -> impl Iterator<Item = &Arc<Challenge>> {
        self.challenges.iter().filter(|state| !state.withdrawn).map(|state| &state.challenge)
    }

    /// Whether a challenge is in the journal and not withdrawn.
    pub fn is_released(&self, id: &ChallengeId) -> bool {
        self.index_of(id).is_some_and(|index| !self.challenges.at(index).withdrawn)
    }

    /// Whether players may know of a challenge once the event has started: it is released, and
    /// so are its requirements, and theirs.
    pub fn is_shown(&self, id: &ChallengeId) -> bool {
        self.index_of(id).is_some_and(|index| self.is_shown_at(index))
    }

    /// Whether players see a challenge now.
    pub fn is_seen(&self, id: &ChallengeId) -> bool {
        self.reached(Phase::Start) && self.is_shown(id)
    }

    /// Whether players see a challenge now, and a team can read its text or has solved it: a
    /// challenge whose requirements no team has solved is only a name.
    pub fn is_readable(&self, id: &ChallengeId) -> bool {
        let Some(index) = self.index_of(id).filter(|_| self.is_seen(id)) else { return false };
        let state = self.challenges.at(index);
        let required = state.challenge.requirements.iter().filter_map(|id| self.index_of(id));
        let solves = required.map(|required| &self.challenges.at(required).solves);
        let Some(fewest) = solves.min_by_key(|solves| solves.len()) else { return true };
        let has_all = |solve: &Solve| !self.is_locked(self.team_at(solve.team), index);
        !state.solves.is_empty() || fewest.iter().any(has_all)
    }

    /// Whether the journal says that a phase was reached.
    pub fn reached(&self, phase: Phase) -> bool {
        self.timeline.reached(phase)
    }

    /// The status at `now_ms`, in epoch milliseconds. A phase that the journal says was reached
    /// stays reached, whatever the clock says; after a reveal nothing is frozen any more.
    pub fn status(&self, now_ms: i64) -> Status {
        match self.timeline.status(now_ms) {
            // The clock stands while the event is paused.
            Status::Ended if self.is_paused() && !self.reached(Phase::End) => {
                if self.reached(Phase::Freeze) { Status::Frozen } else { Status::Running }
            }
            status => status,
        }
    }

    /// The phases that are due at `now_ms` and not yet in the journal, in order.
    pub fn due(&self, now_ms: i64) -> Vec<Phase> {
        let mut due = self.timeline.due(now_ms);
        if self.is_paused() {
            // The clock stands, but what is to be hidden is hidden.
            due.retain(|phase| !matches!(phase, Phase::End | Phase::Reveal));
        }
        due
    }

    /// The next time after `now_ms` at which a phase will be due, in epoch milliseconds.
    pub fn next_due_ms(&self, now_ms: i64) -> Option<i64> {
        self.timeline.next_due_ms(now_ms)
    }

    /// True if the freeze hides a solve of that time from others; false after the reveal.
    pub fn hides_solves_of(&self, at_ms: i64) -> bool {
        self.hidden_from_ms().is_some_and(|from_ms| at_ms >= from_ms)
    }

    /// The first time whose solves the freeze hides from others, in epoch milliseconds; it may be
    /// to come. `None` without a freeze, and after the reveal.
    pub fn hidden_from_ms(&self) -> Option<i64> {
        self.timeline.hidden_from_ms()
    }

    /// True once the board shows every solve: after the reveal, and from the end on where no
    /// organizer has to reveal anything.
    pub fn is_revealed(&self, now_ms: i64) -> bool {
        let has_ended = self.status(now_ms) == Status::Ended;
        self.reached(Phase::Reveal) || (has_ended && !self.timeline.waits_for_reveal())
    }

    /// When a challenge was first in the journal, in epoch milliseconds: for organizers only.
    pub fn first_released_ms(&self, id: &ChallengeId) -> Option<i64> {
        Some(self.challenges.at(self.index_of(id)?).first_released.0)
    }

    /// True if a solve at the time `now_ms` of a clock, which may be behind the last entry, would
    /// be hidden from everyone else.
    pub fn hides_new_solves(&self, now_ms: i64) -> bool {
        self.hides_solves_of(now_ms.max(self.at_ms()))
    }

    /// Whether a right flag of `team` for `id` counts at `at_ms`, and whether it is the first.
    /// Final only where the solve is recorded, at the time of its entry.
    ///
    /// # Errors
    /// Why the flag does not count.
    pub fn judge(&self, team: TeamId, id: &ChallengeId, at_ms: i64) -> Result<Attempt, Refusal> {
        let team = self.team(team).filter(|team| !team.banned).ok_or(Refusal::NoTeam)?;
        match self.status(at_ms) {
            Status::Unknown | Status::NotStarted => return Err(Refusal::NotStarted),
            Status::Ended => return Err(Refusal::Ended),
            Status::Running | Status::Frozen => {}
        }
        if self.is_paused() {
            return Err(Refusal::Paused);
        }
        let index = self.index_of(id).filter(|index| self.is_shown_at(*index));
        let index = index.ok_or(Refusal::UnknownChallenge)?;
        if team.has_solved(index) {
            return Ok(Attempt::Again);
        }
        if self.is_locked(team, index) {
            return Err(Refusal::Locked);
        }
        if self.challenge_at(index).closes_ms.is_some_and(|closes_ms| closes_ms <= at_ms) {
            return Err(Refusal::Closed);
        }
        Ok(Attempt::First)
    }

    /// The greatest sequence number of a team's solves that the freeze does not hide, 0 without
    /// one.
    pub fn last_public_solve(&self, team: &Team) -> i64 {
        let solves = team.solves.iter().map(|(_, solve)| solve);
        let public = solves.filter(|solve| !self.hides_solves_of(solve.at_ms));
        public.map(|solve| solve.seq).max().unwrap_or(0)
    }

    /// All solves that count, with their challenge and team, hidden and banned ones too: for
    /// organizers only.
    pub fn all_solves(&self) -> impl Iterator<Item = (&ChallengeId, &Team, &Solve)> {
        self.challenges.iter().flat_map(|state| {
            let solves = state.solves.iter();
            solves.map(|solve| (&state.challenge.id, self.team_at(solve.team), solve))
        })
    }

    /// The same of one team.
    pub fn solves_of(&self, team: TeamId) -> impl Iterator<Item = (&ChallengeId, &Team, &Solve)> {
        self.team(team).into_iter().flat_map(|team| {
            let solves = team.solves.iter();
            solves.map(|(index, solve)| (&self.challenges.at(*index).challenge.id, &**team, solve))
        })
    }

    pub(crate) fn team_at(&self, index: Index) -> &Team {
        self.teams.at(index)
    }

    /// All challenges by index, shown or not.
    pub(crate) fn challenges(&self) -> impl Iterator<Item = &Arc<ChallengeState>> {
        self.challenges.iter()
    }

    /// The solves of a challenge, in the order of their places.
    pub(crate) fn solves_at(&self, index: Index) -> impl Iterator<Item = &Solve> {
        self.challenges.at(index).solves.iter()
    }

    pub(crate) fn status_at(&self, index: Index) -> &Arc<ChallengeStatus> {
        &self.challenges.at(index).status
    }

    pub(crate) fn challenge_at(&self, index: Index) -> &Arc<Challenge> {
        &self.challenges.at(index).challenge
    }

    pub(crate) fn index_of(&self, id: &ChallengeId) -> Option<Index> {
        self.challenges.index_of(id)
    }

    pub(crate) fn is_shown_at(&self, index: Index) -> bool {
        self.challenges.is_shown(index)
    }

    /// Whether the team has not solved a requirement of the challenge.
    pub(crate) fn is_locked(&self, team: &Team, index: Index) -> bool {
        self.challenges.is_locked(team, index)
    }
}
