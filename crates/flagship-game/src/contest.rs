//! The fold of the journal: everything that the entries so far say.
//!
//! A clone shares its parts with the original, so readers keep the one they hold while the lane
//! folds on. `board` and `view` decide what of it a viewer may see.

mod challenges;
pub mod kept;
mod shared;
mod solves;
mod teams;
mod timeline;

use std::sync::Arc;

use crate::challenge::{Challenge, ChallengeId};
use crate::entry::{Entry, FORMAT, FORMAT_FIRST, Fact, Phase, TeamId};
use crate::event::{Event, Status};
pub(crate) use challenges::ChallengeState;
use challenges::Challenges;
pub(crate) use solves::Index;
pub use solves::{Attempt, Refusal, Solve};
use teams::Teams;
pub use teams::{AWARD_MAX, Team};
use timeline::Timeline;

/// What an entry changed, for live viewers. `seq` numbers the public stream; a change without one
/// is for one team.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// A team solved a challenge.
    Solve {
        /// Number in the public stream, or `None` if only the team itself may know.
        seq: Option<u64>,
        /// Which team.
        team: TeamId,
        /// Which challenge.
        challenge: ChallengeId,
        /// Time of the entry, in epoch milliseconds.
        at_ms: i64,
    },
    /// A team joined.
    NewTeam {
        /// Number in the public stream.
        seq: u64,
        /// Which team.
        team: TeamId,
    },
    /// A change that only a new snapshot can describe.
    Snapshot {
        /// Number in the public stream.
        seq: u64,
    },
    /// The same, for one team and the organizers: nobody else may notice.
    OwnSnapshot {
        /// Which team.
        team: TeamId,
    },
    /// Nothing that players may notice, such as a challenge that they may not know of yet.
    Unseen,
}

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
    format_said: u32,
    timeline: Timeline,
    teams: Teams,
    challenges: Challenges,
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

    /// The format that the journal has to have before it may say this fact, if it has an older one.
    pub fn format_before(&self, fact: &Fact) -> Option<u32> {
        Some(fact.format()).filter(|needed| *needed > self.format())
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

    /// All teams, in the order in which they joined.
    pub fn teams(&self) -> impl Iterator<Item = &Arc<Team>> {
        self.teams.iter()
    }

    /// A challenge by its id, shown or not: for organizers only.
    pub fn challenge(&self, id: &ChallengeId) -> Option<&Arc<Challenge>> {
        Some(&self.challenges.at(self.index_of(id)?).challenge)
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
        self.timeline.status(now_ms)
    }

    /// The phases that are due at `now_ms` and not yet in the journal, in order.
    pub fn due(&self, now_ms: i64) -> Vec<Phase> {
        self.timeline.due(now_ms)
    }

    /// The next time after `now_ms` at which a phase will be due, in epoch milliseconds.
    pub fn next_due_ms(&self, now_ms: i64) -> Option<i64> {
        self.timeline.next_due_ms(now_ms)
    }

    /// True if the freeze hides a solve of that time from others; false after the reveal.
    pub fn hides_solves_of(&self, at_ms: i64) -> bool {
        self.timeline.hides_solves_of(at_ms)
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
        let index = self.index_of(id).filter(|index| self.is_shown_at(*index));
        let index = index.ok_or(Refusal::UnknownChallenge)?;
        if team.has_solved(index) {
            return Ok(Attempt::Again);
        }
        if self.is_locked(team, index) {
            return Err(Refusal::Locked);
        }
        Ok(Attempt::First)
    }

    /// The sequence number of a team's last solve that the freeze does not hide, 0 without one.
    pub fn last_public_solve(&self, team: &Team) -> i64 {
        let mut latest_first = team.solves.iter().rev().map(|(_, solve)| solve);
        latest_first.find(|solve| !self.hides_solves_of(solve.at_ms)).map_or(0, |solve| solve.seq)
    }

    pub(crate) fn team_at(&self, index: Index) -> &Team {
        self.teams.at(index)
    }

    /// All challenges by index, shown or not.
    pub(crate) fn challenges(&self) -> impl Iterator<Item = &Arc<ChallengeState>> {
        self.challenges.iter()
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

    /// Folds the next entry and returns what it changed for live viewers.
    ///
    /// # Errors
    /// If the entry cannot follow, or begins a newer format; the fold is then as it was.
    pub fn fold(&mut self, entry: &Entry) -> Result<Change, FoldError> {
        let seq = entry.seq;
        let refuse = |reason| FoldError::Refused { seq, reason };
        if entry.seq != self.seq + 1 {
            return Err(refuse("its number is not the next"));
        }
        if entry.at_ms < self.at_ms {
            return Err(refuse("its time is before the entry before"));
        }
        if let Fact::Format { version } = entry.fact
            && version > FORMAT
        {
            return Err(FoldError::NewerFormat { seq, version });
        }
        let change = self.fold_fact(entry).map_err(refuse)?;
        self.seq = seq;
        self.at_ms = entry.at_ms;
        Ok(change)
    }

    fn fold_fact(&mut self, entry: &Entry) -> Result<Change, &'static str> {
        match &entry.fact {
            Fact::Format { version } => {
                if *version <= self.format() {
                    return Err("its format is not newer");
                }
                self.format_said = *version;
                return Ok(Change::Unseen);
            }
            Fact::Event { event } => self.timeline.set_event(event, entry.at_ms),
            Fact::Phase { phase } => self.timeline.reach(*phase, entry.at_ms)?,
            Fact::Team { team, name, country } => {
                self.teams.join(*team, name, country)?;
                return Ok(Change::NewTeam { seq: self.next_public_seq(), team: *team });
            }
            Fact::TeamState { team: id, banned, hidden } => {
                let team = self.teams.by_id_mut(*id)?;
                let counted = team.counts();
                (team.banned, team.hidden) = (*banned, *hidden);
                if !counted && !team.counts() {
                    return Ok(Change::OwnSnapshot { team: *id });
                }
            }
            Fact::Challenge { challenge } => {
                let was_seen = self.is_seen(&challenge.id);
                self.challenges.release(challenge)?;
                if !was_seen && !self.is_seen(&challenge.id) {
                    return Ok(Change::Unseen);
                }
            }
            Fact::Withdrawn { challenge } => {
                let was_seen = self.is_seen(challenge);
                self.challenges.withdraw(challenge)?;
                if !was_seen {
                    return Ok(Change::Unseen);
                }
            }
            Fact::Solve { team, challenge } => return self.fold_solve(entry, *team, challenge),
            Fact::SolveWithdrawn { team, challenge } => {
                if !self.unfold_solve(*team, challenge)? {
                    return Ok(Change::OwnSnapshot { team: *team });
                }
            }
            Fact::Award { team: id, points, .. } => {
                let team = self.teams.by_id_mut(*id)?;
                team.award(*points)?;
                if !team.counts() {
                    return Ok(Change::OwnSnapshot { team: *id });
                }
            }
        }
        Ok(Change::Snapshot { seq: self.next_public_seq() })
    }

    fn fold_solve(
        &mut self,
        entry: &Entry,
        id: TeamId,
        challenge: &ChallengeId,
    ) -> Result<Change, &'static str> {
        let index = self.index_of(challenge).ok_or("no such challenge")?;
        let place = self.teams.index_of(id)?;
        if self.team_at(place).has_solved(index) {
            return Err("the team has solved the challenge before");
        }
        let solve = Solve { seq: entry.seq, at_ms: entry.at_ms, team: place };
        self.challenges.get_mut(index).solves.push_back(solve);
        self.teams.get_mut(place).expect("it was found above").solves.push((index, solve));
        let is_public = self.is_public(&solve, index);
        let seq = is_public.then(|| self.next_public_seq());
        let (challenge, at_ms) = (challenge.clone(), entry.at_ms);
        Ok(Change::Solve { seq, team: id, challenge, at_ms })
    }

    /// Removes a solve; returns whether it was public.
    fn unfold_solve(&mut self, id: TeamId, challenge: &ChallengeId) -> Result<bool, &'static str> {
        let index = self.index_of(challenge).ok_or("no such challenge")?;
        let solve = self.teams.by_id_mut(id)?.remove_solve(index)?;
        self.challenges.get_mut(index).solves.retain(|other| other.seq != solve.seq);
        Ok(self.is_public(&solve, index))
    }

    /// Whether the public sees a solve of the challenge at `index`.
    fn is_public(&self, solve: &Solve, index: Index) -> bool {
        let is_shown = self.reached(Phase::Start) && self.is_shown_at(index);
        let counts = self.team_at(solve.team).counts();
        is_shown && counts && !self.hides_solves_of(solve.at_ms)
    }

    fn next_public_seq(&mut self) -> u64 {
        self.public_seq += 1;
        self.public_seq
    }
}

#[cfg(test)]
mod tests {
    use flagship_control::control;

    use super::*;
    use crate::challenge::{Attachment, Scoring, VALUE_MAX};

    fn challenge(scoring: Scoring) -> Fact {
        let (name, description) = ("Heap".to_owned(), String::new());
        let (id, position) = (ChallengeId::from_name(&name), None);
        let (categories, attachments, requirements) = (vec![], vec![], vec![]);
        Fact::Challenge {
            challenge: Challenge {
                id,
                name,
                scoring,
                categories,
                description,
                attachments,
                requirements,
                position,
            },
        }
    }

    fn folds(contest: &mut Contest, fact: Fact) -> bool {
        let seq = contest.seq() + 1;
        contest.fold(&Entry { seq, at_ms: 0, fact }).is_ok()
    }

    #[test]
    fn an_old_format_is_refused_and_an_unknown_one_has_its_own_error() {
        let mut contest = Contest::default();
        assert_eq!(contest.format(), FORMAT_FIRST);
        let fold = |contest: &mut Contest, version| {
            contest.fold(&Entry { seq: 1, at_ms: 0, fact: Fact::Format { version } })
        };
        for version in [0, FORMAT_FIRST, FORMAT] {
            let reason = "its format is not newer";
            assert_eq!(fold(&mut contest, version), Err(FoldError::Refused { seq: 1, reason }));
        }
        for version in [FORMAT + 1, 99, u32::MAX] {
            let newer = FoldError::NewerFormat { seq: 1, version };
            assert_eq!(fold(&mut contest, version), Err(newer));
        }
        assert_eq!(contest, Contest::default());
    }

    #[test]
    fn points_that_could_overflow_a_sum_are_refused() {
        let mut contest = Contest::default();
        for (scoring, fits) in [
            (Scoring::Static { max: VALUE_MAX }, true),
            (Scoring::Static { max: VALUE_MAX + 1 }, false),
            (Scoring::Static { max: i64::MIN }, false),
            (Scoring::Speedrun { values: vec![1, i64::MAX] }, false),
            (Scoring::Dynamic { max: 500, min: 50, decay: 1 }, true),
            (Scoring::Dynamic { max: 500, min: 50, decay: 0 }, false),
            (Scoring::Dynamic { max: 500, min: i64::MAX, decay: 15 }, false),
        ] {
            assert_eq!(folds(&mut contest, challenge(scoring.clone())), fits, "{scoring:?}");
        }
    }

    #[test]
    fn a_path_instead_of_an_attachments_digest_is_refused() {
        let mut contest = Contest::default();
        let digest = "0af9".repeat(16);
        let is_digest =
            control("a_path_instead_of_an_attachments_digest_is_refused", "names a file");
        for (other, fits) in [
            (&*digest, true),
            ("../flagship.db", false),
            ("/etc/passwd", false),
            ("", false),
            (&digest.to_uppercase(), false),
            (&digest[1..], false),
            (&format!("{digest}0"), false),
            (&format!("../{}", &digest[3..]), false),
        ] {
            let digest = if is_digest { &digest } else { other }.to_owned();
            let Fact::Challenge { mut challenge } = challenge(Scoring::Static { max: 1 }) else {
                unreachable!("it is one")
            };
            challenge.attachments = vec![Attachment { name: "a".to_owned(), digest, bytes: 1 }];
            let is_folded = folds(&mut contest, Fact::Challenge { challenge });
            assert_eq!(is_folded, fits, "{other:?} names a file");
        }
    }

    #[test]
    fn awards_have_a_limit_in_all() {
        let mut contest = Contest::default();
        let team = TeamId(1);
        let (name, country) = ("Ants".to_owned(), "IT".to_owned());
        assert!(folds(&mut contest, Fact::Team { team, name, country }));
        for (points, fits) in
            [(AWARD_MAX, true), (1, false), (i64::MAX, false), (-2 * AWARD_MAX, true), (-1, false)]
        {
            let award = Fact::Award { team, points, reason: String::new() };
            assert_eq!(folds(&mut contest, award), fits, "{points}");
        }
    }
}
