//! The fold of the journal: the state after all entries so far.
//!
//! A clone shares its data with the original, so readers can keep a clone while the lane continues
//! to fold. `facts` defines the effect of each entry; `board` and `view` define the data visible to
//! each viewer.

mod challenge_progress;
mod challenges;
mod folding;
mod hints;
mod notices;
mod practice;
mod practiced;
mod progress;
mod shared;
mod solves;
pub mod state_snapshot;
mod taken_hint;
mod teams;
mod timeline;

use std::sync::Arc;

use crate::challenge::{Challenge, ChallengeId, ChallengeStatus};
use crate::division::{self, Division, DivisionId};
use crate::entry::{FORMAT, FORMAT_FIRST, Phase, TeamId};
use crate::event::{Event, Status};
pub use challenge_progress::{ChallengeProgress, FoundFlag, Progress};
pub(crate) use challenges::ChallengeState;
use challenges::Challenges;
pub use notices::Notice;
use notices::Notices;
pub use practiced::PracticeSolve;
pub(crate) use solves::Index;
pub use solves::{Attempt, Refusal, Solve};
pub use taken_hint::TakenHint;
use teams::Teams;
pub use teams::{AWARD_MAX, Team};
use timeline::Timeline;

/// Error returned when an entry cannot be folded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FoldError {
    /// The entry is not valid after the previous ones.
    #[error("entry {seq} cannot follow: {reason}")]
    Refused {
        /// The entry's sequence number.
        seq: i64,
        /// The reason.
        reason: &'static str,
    },
    /// The entry switches to a format that this version does not support.
    #[error(
        "entry {seq} starts journal format {version}, but this version supports formats up to \
             {FORMAT}"
    )]
    NewerFormat {
        /// The entry's sequence number.
        seq: i64,
        /// The new format.
        version: u32,
    },
}

/// State of an event, computed from the journal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contest {
    seq: i64,
    at_ms: i64,
    public_seq: u64,
    /// Format declared by the journal, 0 if none is.
    pub(crate) format_said: u32,
    pub(crate) timeline: Timeline,
    pub(crate) teams: Teams,
    pub(crate) challenges: Challenges,
    pub(crate) notices: Notices,
    /// Start of the pause in epoch milliseconds; `None` if the event is not paused.
    pub(crate) paused_at_ms: Option<i64>,
}

impl Contest {
    /// Sequence number of the last folded entry, 0 before the first.
    pub fn seq(&self) -> i64 {
        self.seq
    }

    /// Time of the last folded entry, in epoch milliseconds.
    pub fn at_ms(&self) -> i64 {
        self.at_ms
    }

    /// Number of the last public change. Solves hidden by the freeze are not numbered.
    pub fn public_seq(&self) -> u64 {
        self.public_seq
    }

    /// Current format of the journal.
    pub fn format(&self) -> u32 {
        self.format_said.max(FORMAT_FIRST)
    }

    /// The event, once it is defined.
    pub fn event(&self) -> Option<&Arc<Event>> {
        self.timeline.event()
    }

    /// The public divisions.
    pub fn divisions(&self) -> &[Division] {
        self.event().map_or(&[], |event| &event.divisions)
    }

    /// Finds a public division.
    pub fn division(&self, id: &str) -> Option<&Division> {
        self.divisions().iter().find(|it| it.id.as_str() == id)
    }

    /// IDs of a team's public divisions, in the order of the divisions.
    pub fn divisions_of(&self, team: &Team) -> Vec<DivisionId> {
        if team.divisions.is_empty() {
            return Vec::new();
        }
        let joined = division::effective(self.divisions(), &team.divisions).into_iter();
        joined.map(|it| it.id.clone()).collect()
    }

    /// Finds a team by ID.
    pub fn team(&self, id: TeamId) -> Option<&Arc<Team>> {
        self.teams.by_id(id)
    }

    /// Finds a team by its exact name.
    pub fn team_named(&self, name: &str) -> Option<&Arc<Team>> {
        self.teams.by_name(name)
    }

    /// Finds a team by a former name.
    pub fn team_formerly(&self, name: &str) -> Option<&Arc<Team>> {
        self.teams.by_former_name(name)
    }

    /// All teams, in the order of joining.
    pub fn teams(&self) -> impl Iterator<Item = &Arc<Team>> {
        self.teams.iter()
    }

    /// Number of teams that ever joined, including those that left.
    pub fn team_count(&self) -> usize {
        self.teams.count()
    }

    /// IDs of the teams that joined after the first `count`, including those that left.
    pub fn teams_after(&self, count: usize) -> impl Iterator<Item = TeamId> {
        self.teams.by_index().skip(count).map(|team| team.id)
    }

    /// All teams by index, including those that left.
    pub(crate) fn teams_by_index(&self) -> impl Iterator<Item = &Arc<Team>> {
        self.teams.by_index()
    }

    /// Finds a challenge by ID, visible or not. For organizers only.
    pub fn challenge(&self, id: &ChallengeId) -> Option<&Arc<Challenge>> {
        Some(&self.challenges.at(self.index_of(id)?).challenge)
    }

    /// Status of a challenge, visible or not. For organizers only.
    pub fn challenge_status(&self, id: &ChallengeId) -> Option<&ChallengeStatus> {
        Some(&self.challenges.at(self.index_of(id)?).status)
    }

    /// A team's solve of a challenge, hidden or not. For organizers only.
    pub fn solve(&self, team: TeamId, id: &ChallengeId) -> Option<Solve> {
        self.team(team)?.solve(self.index_of(id)?).copied()
    }

    /// Position for a solve credited at a past time, in epoch milliseconds: after the last solve of
    /// the challenge up to that time, or before all.
    pub fn place_at(&self, id: &ChallengeId, at_ms: i64) -> i64 {
        let Some(index) = self.index_of(id) else { return 0 };
        let by_then = self.solves_at(index).filter(|solve| solve.at_ms <= at_ms);
        by_then.map(|solve| solve.after).max().unwrap_or_default()
    }

    /// All notices, including withdrawn ones, in the order of their first posts. For organizers
    /// only.
    pub fn notices(&self) -> impl DoubleEndedIterator<Item = &Arc<Notice>> {
        self.notices.iter()
    }

    /// Finds a notice by its number. For organizers only.
    pub fn notice(&self, id: i64) -> Option<&Arc<Notice>> {
        self.notices.by_id(id)
    }

    /// Start of the pause in epoch milliseconds; `None` if the event is not paused.
    pub fn paused_at_ms(&self) -> Option<i64> {
        self.paused_at_ms
    }

    /// True if organizers paused the event, so that no submission counts.
    pub fn is_paused(&self) -> bool {
        self.paused_at_ms.is_some()
    }

    /// The challenges in the journal that are not withdrawn. For organizers only.
    pub fn released(&self) -> impl Iterator<Item = &Arc<Challenge>> {
        self.challenges.iter().filter(|state| !state.withdrawn).map(|state| &state.challenge)
    }

    /// True if a challenge is in the journal and not withdrawn.
    pub fn is_released(&self, id: &ChallengeId) -> bool {
        self.index_of(id).is_some_and(|index| !self.challenges.at(index).withdrawn)
    }

    /// True if players can see a challenge once the event has started: it and all its requirements,
    /// recursively, are released.
    pub fn is_shown(&self, id: &ChallengeId) -> bool {
        self.index_of(id).is_some_and(|index| self.is_shown_at(index))
    }

    /// True if players can see a challenge now.
    pub fn is_seen(&self, id: &ChallengeId) -> bool {
        self.reached(Phase::Start) && self.is_shown(id)
    }

    /// True if players can see a challenge now, and at least one team can read its description or
    /// has solved it. If no team has solved the requirements, players see only the name.
    pub fn is_readable(&self, id: &ChallengeId) -> bool {
        let Some(index) = self.index_of(id).filter(|_| self.is_seen(id)) else { return false };
        let state = self.challenges.at(index);
        let required = state.challenge.requirements.iter().filter_map(|id| self.index_of(id));
        let solves = required.map(|required| &self.challenges.at(required).solves);
        let Some(fewest) = solves.min_by_key(|solves| solves.len()) else { return true };
        let has_all = |solve: &Solve| !self.is_locked(self.team_at(solve.team), index);
        !state.solves.is_empty() || fewest.iter().any(has_all)
    }

    /// True if the journal records that a phase was reached.
    pub fn reached(&self, phase: Phase) -> bool {
        self.timeline.reached(phase)
    }

    /// Status at `now_ms`, in epoch milliseconds. A phase recorded in the journal stays reached
    /// regardless of the clock; after the reveal, nothing is frozen.
    pub fn status(&self, now_ms: i64) -> Status {
        match self.timeline.status(now_ms) {
            // A paused event does not end.
            Status::Ended if self.is_paused() && !self.reached(Phase::End) => {
                if self.reached(Phase::Freeze) { Status::Frozen } else { Status::Running }
            }
            status => status,
        }
    }

    /// Phases that are due at `now_ms` and not yet in the journal, in order.
    pub fn due(&self, now_ms: i64) -> Vec<Phase> {
        let mut due = self.timeline.due(now_ms);
        if self.is_paused() {
            // A paused event does not end, but the freeze still takes effect.
            due.retain(|phase| !matches!(phase, Phase::End | Phase::Reveal));
        }
        due
    }

    /// Next time after `now_ms` at which a phase becomes due, in epoch milliseconds.
    pub fn next_due_ms(&self, now_ms: i64) -> Option<i64> {
        self.timeline.next_due_ms(now_ms)
    }

    /// True if the freeze hides a solve at this time from others; false after the reveal.
    pub fn hides_solves_of(&self, at_ms: i64) -> bool {
        self.hidden_from_ms().is_some_and(|from_ms| at_ms >= from_ms)
    }

    /// Time from which the freeze hides solves from others, in epoch milliseconds; can be in the
    /// future. `None` without a freeze, and after the reveal.
    pub fn hidden_from_ms(&self) -> Option<i64> {
        self.timeline.hidden_from_ms()
    }

    /// True if the board shows every solve: after the reveal, or after the end if no manual reveal
    /// is pending.
    pub fn is_revealed(&self, now_ms: i64) -> bool {
        let has_ended = self.status(now_ms) == Status::Ended;
        self.reached(Phase::Reveal) || (has_ended && !self.timeline.waits_for_reveal())
    }

    /// Time of a challenge's first release, in epoch milliseconds. For organizers only.
    pub fn first_released_ms(&self, id: &ChallengeId) -> Option<i64> {
        Some(self.challenges.at(self.index_of(id)?).first_released.0)
    }

    /// True if a solve at `now_ms` would be hidden from others. The clock can be behind the last
    /// entry.
    pub fn hides_new_solves(&self, now_ms: i64) -> bool {
        self.hides_solves_of(now_ms.max(self.at_ms()))
    }

    /// Decides if a correct flag of `team` for `id` counts at `at_ms`, and if it is the team's
    /// first. After the end, decides the same for practice. The result is final only when the solve
    /// is recorded, with the time of its entry.
    ///
    /// # Errors
    /// The reason why the flag does not count.
    pub fn judge(&self, team: TeamId, id: &ChallengeId, at_ms: i64) -> Result<Attempt, Refusal> {
        let team = self.team(team).filter(|team| !team.banned).ok_or(Refusal::NoTeam)?;
        let is_over = match self.status(at_ms) {
            Status::Unknown | Status::NotStarted => return Err(Refusal::NotStarted),
            Status::Ended if !self.is_practice() => return Err(Refusal::Ended),
            status => status == Status::Ended,
        };
        if self.is_paused() {
            return Err(Refusal::Paused);
        }
        let index = self.index_of(id).filter(|index| self.is_shown_at(*index));
        let index = index.ok_or(Refusal::UnknownChallenge)?;
        if is_over {
            return self.judge_practice(team, index);
        }
        if team.has_solved(index) {
            return Ok(Attempt::Again);
        }
        if self.is_locked(team, index) {
            return Err(Refusal::Locked);
        }
        if self.challenge_at(index).closes_ms.is_some_and(|closes_ms| closes_ms <= at_ms) {
            return Err(Refusal::Closed);
        }
        if self.attempts_left_of(team, index) == Some(0) {
            return Err(Refusal::AttemptsUsed);
        }
        Ok(Attempt::First)
    }

    /// Sequence number of a team's last solve that is not hidden by the freeze, 0 without one.
    pub fn last_public_solve(&self, team: &Team) -> i64 {
        let solves = team.solves.iter().map(|(_, solve)| solve);
        let public = solves.filter(|solve| !self.hides_solves_of(solve.at_ms));
        public.map(|solve| solve.seq).max().unwrap_or(0)
    }

    /// All solves that count, with challenge and team, including hidden and banned teams. For
    /// organizers only.
    pub fn all_solves(&self) -> impl Iterator<Item = (&ChallengeId, &Team, &Solve)> {
        self.challenges.iter().flat_map(|state| {
            let solves = state.solves.iter();
            solves.map(|solve| (&state.challenge.id, self.team_at(solve.team), solve))
        })
    }

    /// All solves of one team that count. For organizers only.
    pub fn solves_of(&self, team: TeamId) -> impl Iterator<Item = (&ChallengeId, &Team, &Solve)> {
        self.team(team).into_iter().flat_map(|team| {
            let solves = team.solves.iter();
            solves.map(|(index, solve)| (&self.challenges.at(*index).challenge.id, &**team, solve))
        })
    }

    pub(crate) fn team_at(&self, index: Index) -> &Team {
        self.teams.at(index)
    }

    /// All challenges by index, visible or not.
    pub(crate) fn challenges(&self) -> impl Iterator<Item = &Arc<ChallengeState>> {
        self.challenges.iter()
    }

    /// The solves of a challenge, in order of position.
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

    /// True if the team has not solved all requirements of the challenge before the end.
    pub(crate) fn is_locked(&self, team: &Team, index: Index) -> bool {
        self.challenges.is_locked(team, index)
    }
}
