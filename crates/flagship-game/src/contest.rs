//! The fold of the journal: everything that entries have said so far.
//!
//! A clone shares its parts with the original, so readers keep the one they hold while the lane
//! folds on. What a viewer may see of it is the business of `board` and `view` alone.

mod kept;

use std::sync::Arc;

use imbl::{HashMap, Vector};

use crate::challenge::{Challenge, ChallengeId};
use crate::entry::{Entry, Fact, Phase, TeamId};
use crate::event::{Event, Reveal, Status};
pub use kept::Kept;

/// The most points that organizers can give or take in all, so that sums never overflow and every
/// client's numbers hold them.
pub const AWARD_MAX: i64 = 1_000_000_000;

/// A team's or a challenge's place in the fold's lists.
pub(crate) type Index = u32;

/// A team as the journal knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Team {
    /// Its identity.
    pub id: TeamId,
    /// Its name.
    pub name: Arc<str>,
    /// Two-letter code.
    pub country: Arc<str>,
    /// Counts nowhere and may not log in.
    pub banned: bool,
    /// Counts nowhere, but plays.
    pub hidden: bool,
    /// Points given or taken by organizers.
    pub award: i64,
    /// Living solves in the order of the journal.
    pub(crate) solves: Vec<(Index, Solve)>,
}

/// A living solve of a challenge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Solve {
    /// Its entry.
    pub seq: i64,
    /// When.
    pub at_ms: i64,
    pub(crate) team: Index,
}

/// A challenge as the journal knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ChallengeState {
    pub(crate) challenge: Arc<Challenge>,
    pub(crate) withdrawn: bool,
    pub(crate) solves: Vector<Solve>,
}

/// The moments at which phases were reached, by the journal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Phases {
    start: Option<i64>,
    freeze: Option<i64>,
    end: Option<i64>,
    reveal: Option<i64>,
}

/// What an entry changed, for those who watch. `seq` numbers the public stream; a change without
/// one is for the eyes of one team.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// A team solved a challenge.
    Solve {
        /// Number in the public stream, or `None` when only the team itself may know.
        seq: Option<u64>,
        /// Who.
        team: TeamId,
        /// What.
        challenge: ChallengeId,
        /// When, in epoch milliseconds.
        at_ms: i64,
    },
    /// A team joined.
    NewTeam {
        /// Number in the public stream.
        seq: u64,
        /// Who.
        team: TeamId,
    },
    /// Something that only a new snapshot can say.
    Snapshot {
        /// Number in the public stream.
        seq: u64,
    },
    /// The same, for the eyes of one team and the organizers: nobody else may notice.
    OwnSnapshot {
        /// Whose.
        team: TeamId,
    },
    /// A challenge that no player may know of yet: its number in the journal alone grows.
    Unseen,
}

/// An entry that cannot follow the ones before it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("entry {seq} cannot follow: {reason}")]
pub struct FoldError {
    /// The entry's sequence number.
    pub seq: i64,
    /// Why.
    pub reason: &'static str,
}

/// Why a right flag does not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The start is in the future, or nobody knows when it is.
    NotStarted,
    /// The end is not.
    Ended,
    /// No such challenge, as far as the team may know.
    UnknownChallenge,
    /// Its requirements are not all solved.
    Locked,
    /// The team is banned or was never in the journal.
    NoTeam,
}

/// Whether a right flag is the team's first for its challenge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attempt {
    /// It is.
    First,
    /// The team has solved the challenge before.
    Again,
}

/// The fold of a journal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contest {
    seq: i64,
    at_ms: i64,
    public_seq: u64,
    event: Option<Arc<Event>>,
    phases: Phases,
    pub(crate) teams: Vector<Arc<Team>>,
    team_index: HashMap<TeamId, Index>,
    team_names: HashMap<Arc<str>, Index>,
    pub(crate) challenges: Vector<Arc<ChallengeState>>,
    challenge_index: HashMap<ChallengeId, Index>,
    shown: Arc<Vec<bool>>,
}

impl Contest {
    /// The number of the last entry folded, 0 before the first.
    pub fn seq(&self) -> i64 {
        self.seq
    }

    /// The time of the last entry folded, in epoch milliseconds.
    pub fn at_ms(&self) -> i64 {
        self.at_ms
    }

    /// The number of the last public change. Solves that the freeze hides take none.
    pub fn public_seq(&self) -> u64 {
        self.public_seq
    }

    /// The event, once there is one.
    pub fn event(&self) -> Option<&Arc<Event>> {
        self.event.as_ref()
    }

    /// A team by its identity.
    pub fn team(&self, id: TeamId) -> Option<&Arc<Team>> {
        self.teams.get(*self.team_index.get(&id)? as usize)
    }

    /// A team by its exact name.
    pub fn team_named(&self, name: &str) -> Option<&Arc<Team>> {
        self.teams.get(*self.team_names.get(name)? as usize)
    }

    /// All teams, in the order in which they joined.
    pub fn teams(&self) -> impl Iterator<Item = &Arc<Team>> {
        self.teams.iter()
    }

    /// A challenge by its id, shown or not: for the organizers' side only.
    pub fn challenge(&self, id: &ChallengeId) -> Option<&Arc<Challenge>> {
        Some(&self.challenges.get(*self.challenge_index.get(id)? as usize)?.challenge)
    }

    /// Whether a challenge is in the journal and not withdrawn.
    pub fn is_released(&self, id: &ChallengeId) -> bool {
        let index = self.challenge_index.get(id);
        index.is_some_and(|&i| !self.challenges[i as usize].withdrawn)
    }

    /// Whether players may know of a challenge once the event has started: it is released, and
    /// so are its requirements, and theirs.
    pub fn is_shown(&self, id: &ChallengeId) -> bool {
        self.challenge_index.get(id).is_some_and(|&i| self.shown[i as usize])
    }

    /// Whether players see a challenge now.
    pub fn is_seen(&self, id: &ChallengeId) -> bool {
        self.reached(Phase::Start) && self.is_shown(id)
    }

    /// Whether the journal says that a phase was reached.
    pub fn reached(&self, phase: Phase) -> bool {
        self.phase_at(phase).is_some()
    }

    /// The status at `now_ms`. What the journal says was reached stays so, whatever the clock
    /// says; after a reveal nothing is frozen any more.
    pub fn status(&self, now_ms: i64) -> Status {
        let Some(event) = &self.event else { return Status::Unknown };
        let by_journal = match self.phases {
            Phases { end: Some(_), .. } => Status::Ended,
            Phases { freeze: Some(_), .. } => Status::Frozen,
            Phases { start: Some(_), .. } => Status::Running,
            _ => Status::Unknown,
        };
        match event.status(now_ms).max(by_journal) {
            Status::Frozen if self.reached(Phase::Reveal) => Status::Running,
            status => status,
        }
    }

    /// The phases that are due at `now_ms` and not yet in the journal, in order.
    pub fn due(&self, now_ms: i64) -> Vec<Phase> {
        let Some(event) = &self.event else { return Vec::new() };
        let passed = |time: Option<i64>| time.is_some_and(|time| now_ms >= time);
        let auto = event.reveal == Reveal::Auto && event.freeze_ms.is_some();
        let ended = self.reached(Phase::End) || passed(event.end_ms);
        let froze = self.reached(Phase::Freeze) || passed(event.freeze_ms);
        [
            (Phase::Start, passed(event.start_ms)),
            (Phase::Freeze, passed(event.freeze_ms)),
            (Phase::End, passed(event.end_ms)),
            (Phase::Reveal, auto && ended && froze),
        ]
        .into_iter()
        .filter(|(phase, due)| *due && !self.reached(*phase))
        .map(|(phase, _)| phase)
        .collect()
    }

    /// The next moment, after `now_ms`, at which a phase will be due.
    pub fn next_due_ms(&self, now_ms: i64) -> Option<i64> {
        let event = self.event.as_ref()?;
        let times = [event.start_ms, event.freeze_ms, event.end_ms];
        times.into_iter().flatten().filter(|time| *time > now_ms).min()
    }

    /// Whether a right flag of `team` for `id` counts at `at_ms`, and whether it is the first.
    /// Called where it is recorded, with the time of the entry it would be.
    pub fn judge(&self, team: TeamId, id: &ChallengeId, at_ms: i64) -> Result<Attempt, Refusal> {
        let team = self.team(team).filter(|team| !team.banned).ok_or(Refusal::NoTeam)?;
        match self.status(at_ms) {
            Status::Unknown | Status::NotStarted => return Err(Refusal::NotStarted),
            Status::Ended => return Err(Refusal::Ended),
            Status::Running | Status::Frozen => {}
        }
        if !self.is_shown(id) {
            return Err(Refusal::UnknownChallenge);
        }
        let index = self.challenge_index[id];
        if team.has_solved(index) {
            return Ok(Attempt::Again);
        }
        if self.is_locked(team, index) {
            return Err(Refusal::Locked);
        }
        Ok(Attempt::First)
    }

    pub(crate) fn index_of(&self, id: &ChallengeId) -> Option<Index> {
        self.challenge_index.get(id).copied()
    }

    pub(crate) fn is_shown_at(&self, index: Index) -> bool {
        self.shown[index as usize]
    }

    /// Whether a requirement of the challenge is not solved by the team.
    pub(crate) fn is_locked(&self, team: &Team, index: Index) -> bool {
        let challenge = &self.challenges[index as usize].challenge;
        let solved = |id| self.index_of(id).is_some_and(|required| team.has_solved(required));
        !challenge.requirements.iter().all(solved)
    }

    /// Whether the freeze hides a solve of that time from others.
    pub fn is_frozen_at(&self, at_ms: i64) -> bool {
        let freeze = self.event.as_ref().and_then(|event| event.freeze_ms);
        !self.reached(Phase::Reveal) && freeze.is_some_and(|freeze| at_ms >= freeze)
    }

    /// The number of the entry of a team's last living solve that the freeze does not hide, 0
    /// without one.
    pub fn last_public_solve(&self, team: &Team) -> i64 {
        let mut latest_first = team.solves.iter().rev().map(|(_, solve)| solve);
        latest_first.find(|solve| !self.is_frozen_at(solve.at_ms)).map_or(0, |solve| solve.seq)
    }

    fn phase_at(&self, phase: Phase) -> Option<i64> {
        match phase {
            Phase::Start => self.phases.start,
            Phase::Freeze => self.phases.freeze,
            Phase::End => self.phases.end,
            Phase::Reveal => self.phases.reveal,
        }
    }

    /// Folds the next entry and says what it changed for those who watch. An entry that cannot
    /// follow leaves everything as it was.
    pub fn fold(&mut self, entry: &Entry) -> Result<Change, FoldError> {
        let refuse = |reason| FoldError { seq: entry.seq, reason };
        if entry.seq != self.seq + 1 {
            return Err(refuse("its number is not the next"));
        }
        if entry.at_ms < self.at_ms {
            return Err(refuse("its time is before the entry before"));
        }
        let change = self.fold_fact(entry).map_err(refuse)?;
        self.seq = entry.seq;
        self.at_ms = entry.at_ms;
        Ok(change)
    }

    fn fold_fact(&mut self, entry: &Entry) -> Result<Change, &'static str> {
        match &entry.fact {
            Fact::Event { event } => self.fold_event(event, entry.at_ms),
            Fact::Phase { phase } => self.fold_phase(*phase, entry.at_ms)?,
            Fact::Team { team, name, country } => return self.fold_team(*team, name, country),
            Fact::TeamState { team: id, banned, hidden } => {
                let team = self.team_mut(*id)?;
                let counted = team.counts();
                (team.banned, team.hidden) = (*banned, *hidden);
                if !counted && !team.counts() {
                    return Ok(Change::OwnSnapshot { team: *id });
                }
            }
            Fact::Challenge { challenge } => {
                let was_seen = self.is_seen(&challenge.id);
                self.fold_challenge(challenge)?;
                if !was_seen && !self.is_seen(&challenge.id) {
                    return Ok(Change::Unseen);
                }
            }
            Fact::Withdrawn { challenge } => {
                let index = self.index_of(challenge).ok_or("no such challenge")?;
                let was_seen = self.is_seen(challenge);
                Arc::make_mut(&mut self.challenges[index as usize]).withdrawn = true;
                self.update_shown();
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
                let team = self.team_mut(*id)?;
                let award = team.award.checked_add(*points);
                let fits = |award: &i64| (-AWARD_MAX..=AWARD_MAX).contains(award);
                team.award = award.filter(fits).ok_or("too many points")?;
                if !team.counts() {
                    return Ok(Change::OwnSnapshot { team: *id });
                }
            }
        }
        Ok(Change::Snapshot { seq: self.next_public_seq() })
    }

    /// New times undo the phases that now lie in the future: an organizer who moves them says so
    /// on purpose, which a clock never does.
    fn fold_event(&mut self, event: &Event, at_ms: i64) {
        let keep = |phase: Option<i64>, time: Option<i64>| {
            phase.filter(|_| time.is_some_and(|time| time <= at_ms))
        };
        self.phases.start = keep(self.phases.start, event.start_ms);
        self.phases.freeze = keep(self.phases.freeze, event.freeze_ms);
        self.phases.end = keep(self.phases.end, event.end_ms);
        self.phases.reveal = keep(self.phases.reveal, event.freeze_ms);
        self.event = Some(Arc::new(event.clone()));
    }

    fn fold_phase(&mut self, phase: Phase, at_ms: i64) -> Result<(), &'static str> {
        if self.reached(phase) {
            return Err("the phase was reached before");
        }
        match phase {
            Phase::Start => self.phases.start = Some(at_ms),
            Phase::Freeze => self.phases.freeze = Some(at_ms),
            Phase::End => self.phases.end = Some(at_ms),
            Phase::Reveal => self.phases.reveal = Some(at_ms),
        }
        Ok(())
    }

    fn fold_team(&mut self, id: TeamId, name: &str, country: &str) -> Result<Change, &'static str> {
        if self.team_index.contains_key(&id) || self.team_names.contains_key(name) {
            return Err("the team joined before");
        }
        let index = self.teams.len() as Index;
        let name: Arc<str> = name.into();
        self.team_index.insert(id, index);
        self.team_names.insert(name.clone(), index);
        self.teams.push_back(Arc::new(Team {
            id,
            name,
            country: country.into(),
            banned: false,
            hidden: false,
            award: 0,
            solves: Vec::new(),
        }));
        Ok(Change::NewTeam { seq: self.next_public_seq(), team: id })
    }

    fn fold_challenge(&mut self, challenge: &Challenge) -> Result<(), &'static str> {
        if !challenge.scoring.is_in_range() {
            return Err("its points are out of range");
        }
        let new = Arc::new(challenge.clone());
        match self.index_of(&challenge.id) {
            Some(index) => {
                let state = Arc::make_mut(&mut self.challenges[index as usize]);
                (state.challenge, state.withdrawn) = (new, false);
            }
            None => {
                let index = self.challenges.len() as Index;
                self.challenge_index.insert(challenge.id.clone(), index);
                let solves = Vector::new();
                let state = ChallengeState { challenge: new, withdrawn: false, solves };
                self.challenges.push_back(Arc::new(state));
            }
        }
        self.update_shown();
        Ok(())
    }

    fn fold_solve(
        &mut self,
        entry: &Entry,
        id: TeamId,
        challenge: &ChallengeId,
    ) -> Result<Change, &'static str> {
        let team = *self.team_index.get(&id).ok_or("no such team")?;
        let index = self.index_of(challenge).ok_or("no such challenge")?;
        if self.teams[team as usize].has_solved(index) {
            return Err("the team has solved the challenge before");
        }
        let solve = Solve { seq: entry.seq, at_ms: entry.at_ms, team };
        let state = Arc::make_mut(&mut self.challenges[index as usize]);
        state.solves.push_back(solve);
        Arc::make_mut(&mut self.teams[team as usize]).solves.push((index, solve));
        let is_public = self.is_public(&solve, index);
        let seq = is_public.then(|| self.next_public_seq());
        let (challenge, at_ms) = (challenge.clone(), entry.at_ms);
        Ok(Change::Solve { seq, team: id, challenge, at_ms })
    }

    /// Takes a solve out; says whether the public had seen it.
    fn unfold_solve(&mut self, id: TeamId, challenge: &ChallengeId) -> Result<bool, &'static str> {
        let index = self.index_of(challenge).ok_or("no such challenge")?;
        let team = self.team_mut(id)?;
        let place = team.solves.iter().position(|(solved, _)| *solved == index);
        let (_, solve) = team.solves.remove(place.ok_or("no such solve")?);
        Arc::make_mut(&mut self.challenges[index as usize])
            .solves
            .retain(|other| other.seq != solve.seq);
        Ok(self.is_public(&solve, index))
    }

    /// Whether the public sees a solve of the challenge at `index`.
    fn is_public(&self, solve: &Solve, index: Index) -> bool {
        let is_shown = self.reached(Phase::Start) && self.is_shown_at(index);
        let counts = self.teams[solve.team as usize].counts();
        is_shown && counts && !self.is_frozen_at(solve.at_ms)
    }

    fn team_mut(&mut self, id: TeamId) -> Result<&mut Team, &'static str> {
        let index = *self.team_index.get(&id).ok_or("no such team")?;
        Ok(Arc::make_mut(&mut self.teams[index as usize]))
    }

    fn next_public_seq(&mut self) -> u64 {
        self.public_seq += 1;
        self.public_seq
    }

    /// Finds the challenges that players may know of: a growing set, so that a requirement that
    /// is missing, or a ring of requirements, stays hidden.
    fn update_shown(&mut self) {
        let mut shown = vec![false; self.challenges.len()];
        loop {
            let mut grew = false;
            for (i, state) in self.challenges.iter().enumerate() {
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

impl Team {
    /// Whether the team counts on the scoreboard.
    pub fn counts(&self) -> bool {
        !self.banned && !self.hidden
    }

    pub(crate) fn has_solved(&self, challenge: Index) -> bool {
        self.solves.iter().any(|(solved, _)| *solved == challenge)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::challenge::{Scoring, VALUE_MAX};

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
