//! The progress of teams in challenges that need several flags or limit attempts.

use super::Contest;
use super::challenge_progress::{ChallengeProgress, FoundFlag, Progress};
use super::solves::Index;
use super::teams::Team;
use crate::challenge::ChallengeId;
use crate::entry::TeamId;

impl Team {
    /// Submissions for the challenge at `index`.
    pub(crate) fn challenge_progress(&self, index: Index) -> Option<&ChallengeProgress> {
        self.challenge_progress
            .iter()
            .find(|(challenge, _)| *challenge == index)
            .map(|(_, progress)| progress)
    }

    pub(crate) fn challenge_progress_mut(&mut self, index: Index) -> &mut ChallengeProgress {
        let known = self.challenge_progress.iter().position(|(challenge, _)| *challenge == index);
        let place = known.unwrap_or_else(|| {
            self.challenge_progress.push((index, ChallengeProgress::default()));
            self.challenge_progress.len() - 1
        });
        &mut self.challenge_progress[place].1
    }
}

impl Contest {
    /// Submissions of a team for a challenge, if it needs several flags or limits attempts.
    pub fn challenge_progress(&self, team: TeamId, id: &ChallengeId) -> Option<&ChallengeProgress> {
        self.team(team)?.challenge_progress(self.index_of(id)?)
    }

    /// Progress of a team; `None` if one flag solves the challenge.
    pub fn progress(&self, team: TeamId, id: &ChallengeId) -> Option<Progress> {
        self.progress_of(self.team(team)?, self.index_of(id)?)
    }

    pub(crate) fn progress_of(&self, team: &Team, index: Index) -> Option<Progress> {
        let needed = &self.challenge_at(index).rules.needed_flags;
        if needed.is_empty() {
            return None;
        }
        let of = u32::try_from(needed.len()).unwrap_or(u32::MAX);
        let has_found = |flag: &&String| self.has_found_at(team, index, flag);
        let is_solved = team.has_solved(index) || self.practice_solve_of(team, index).is_some();
        let found = match is_solved {
            true => needed.len(),
            false => needed.iter().filter(has_found).count(),
        };
        Some(Progress { found: u32::try_from(found).unwrap_or(of), of })
    }

    /// True if a team that submits the flags with these IDs has found all flags that the challenge
    /// needs.
    pub fn completes(&self, team: TeamId, id: &ChallengeId, flags: &[String]) -> bool {
        let Some(challenge) = self.challenge(id) else { return false };
        let needed = &challenge.rules.needed_flags;
        needed.iter().all(|flag| flags.contains(flag) || self.has_found(team, id, flag))
    }

    /// True if the team has found the flag with this ID for a challenge that needs several.
    pub fn has_found(&self, team: TeamId, id: &ChallengeId, flag: &str) -> bool {
        let team = self.team(team).zip(self.index_of(id));
        team.is_some_and(|(team, index)| self.has_found_at(team, index, flag))
    }

    /// Number of incorrect submissions that the team may still make; `None` if they are not
    /// limited, as in practice after the end.
    pub fn attempts_left(&self, team: TeamId, id: &ChallengeId) -> Option<u32> {
        self.attempts_left_of(self.team(team)?, self.index_of(id)?)
    }

    pub(crate) fn attempts_left_of(&self, team: &Team, index: Index) -> Option<u32> {
        let attempts_max = self.challenge_at(index).rules.attempts_max?;
        if self.is_practice() {
            return None;
        }
        let used = team.challenge_progress(index).map_or(0, |progress| progress.used);
        Some(attempts_max.saturating_sub(used))
    }

    /// True if an incorrect text of the team uses an attempt: attempts are limited, and the team
    /// has not sent the text before. `text` is its keyed digest.
    pub fn uses_attempt(&self, team: TeamId, id: &ChallengeId, text: &str) -> bool {
        let is_limited = self.challenge(id).is_some_and(|it| it.rules.attempts_max.is_some());
        is_limited
            && !self.challenge_progress(team, id).is_some_and(|progress| progress.has_sent(text))
    }

    /// All flags that teams found for challenges that need several. For organizers only.
    pub fn found_flags(&self) -> impl Iterator<Item = (&ChallengeId, &Team, &FoundFlag)> {
        self.teams().flat_map(move |team| {
            team.challenge_progress.iter().flat_map(move |(index, progress)| {
                let id = &self.challenge_at(*index).id;
                progress.found.iter().map(move |found| (id, &**team, found))
            })
        })
    }

    /// Submissions of a team for a challenge, to be changed.
    ///
    /// # Errors
    /// There is no such team or challenge.
    pub(crate) fn challenge_progress_to_change(
        &mut self,
        team: TeamId,
        id: &ChallengeId,
    ) -> Result<&mut ChallengeProgress, &'static str> {
        let index = self.index_of(id).ok_or("no such challenge")?;
        Ok(self.teams.by_id_mut(team)?.challenge_progress_mut(index))
    }
}

#[cfg(test)]
mod tests {
    use crate::challenge::{Challenge, ChallengeId, Scoring, SubmissionRules};
    use crate::contest::state_snapshot::StateSnapshot;
    use crate::contest::{Attempt, Contest, Progress, Refusal};
    use crate::entry::{Phase, TeamId};
    use crate::event::{Event, Reveal};
    use crate::facts::news::Change;
    use crate::facts::{self, Entry, Fact};
    use crate::{Viewer, view};

    const TEAM: TeamId = TeamId(1);

    fn heap() -> ChallengeId {
        ChallengeId::from_name("heap")
    }

    fn challenge(needed_flags: &[&str], attempts_max: Option<u32>) -> Fact {
        let needed_flags = needed_flags.iter().map(ToString::to_string).collect();
        let challenge = Challenge {
            id: heap(),
            name: "heap".to_owned(),
            scoring: Scoring::Static { max: 1 },
            categories: Vec::new(),
            description: String::new(),
            attachments: Vec::new(),
            requirements: Vec::new(),
            position: None,
            hints: Vec::new(),
            connection: None,
            closes_ms: None,
            flag_format: None,
            rules: SubmissionRules { needed_flags, attempts_max },
            labels: Box::default(),
        };
        facts::Challenge { challenge }.into()
    }

    fn fold(contest: &mut Contest, fact: impl Into<Fact>) -> Option<Change> {
        let entry = Entry { seq: contest.seq() + 1, at_ms: 1, fact: fact.into() };
        contest.fold(&entry).ok()
    }

    /// A frozen event with a team.
    fn contest(heap: Fact) -> Contest {
        let event = Event {
            name: String::new(),
            start_ms: Some(0),
            end_ms: Some(9),
            freeze_ms: Some(1),
            reveal: Reveal::Manual,
            timezone: "UTC".to_owned(),
            flag_format: String::new(),
            rules: String::new(),
            hint_debt: false,
            practice: false,
            divisions: Vec::new(),
        };
        let name = "Ants".to_owned();
        let country = "IT".to_owned();
        let mut contest = Contest::default();
        for fact in [
            facts::Event { event }.into(),
            facts::Phase { phase: Phase::Start }.into(),
            facts::Phase { phase: Phase::Freeze }.into(),
            facts::Team { team: TEAM, name, country, hidden: false, divisions: vec![] }.into(),
            heap,
        ] {
            fold(&mut contest, fact).expect("it is valid");
        }
        contest
    }

    fn found(flag: &str) -> facts::FlagFound {
        facts::FlagFound { team: TEAM, challenge: heap(), flag: flag.to_owned() }
    }

    fn used(text: &str) -> facts::AttemptUsed {
        facts::AttemptUsed { team: TEAM, challenge: heap(), text: text.to_owned() }
    }

    fn set(used: u32) -> facts::AttemptsSet {
        facts::AttemptsSet { team: TEAM, challenge: heap(), used }
    }

    #[test]
    fn a_challenge_is_complete_with_the_flags_that_it_needs_now() {
        let mut contest = contest(challenge(&["a", "b", "c"], None));
        let progress = |contest: &Contest| {
            let Progress { found, of } = contest.progress(TEAM, &heap()).expect("it needs several");
            (found, of)
        };
        let completes = |contest: &Contest, flags: &[&str]| {
            let flags: Vec<String> = flags.iter().map(ToString::to_string).collect();
            contest.completes(TEAM, &heap(), &flags)
        };
        assert_eq!(progress(&contest), (0, 3));
        assert!(fold(&mut contest, found("a")).is_some());
        assert_eq!(fold(&mut contest, found("a")), None, "it is found once");
        assert_eq!(progress(&contest), (1, 3));
        assert!(!completes(&contest, &["b"]) && completes(&contest, &["b", "c"]));
        // A found flag that is removed no longer counts; one that is left completes the challenge.
        assert!(fold(&mut contest, challenge(&["b", "c"], None)).is_some());
        assert_eq!(progress(&contest), (0, 2));
        assert!(fold(&mut contest, challenge(&["a", "c"], None)).is_some());
        assert_eq!(progress(&contest), (1, 2));
        assert!(completes(&contest, &["c"]) && !completes(&contest, &["a"]));
        assert!(fold(&mut contest, challenge(&["a"], None)).is_some());
        assert!(completes(&contest, &["a"]), "any of the found flags completes it");
        assert!(fold(&mut contest, facts::Solve { team: TEAM, challenge: heap() }).is_some());
        assert_eq!(progress(&contest), (1, 1));
        assert_eq!(fold(&mut contest, found("d")), None, "it is solved");
        assert!(fold(&mut contest, challenge(&[], None)).is_some());
        assert_eq!(contest.progress(TEAM, &heap()), None);
    }

    #[test]
    fn attempts_are_used_once_per_text_and_given_back() {
        let mut contest = contest(challenge(&[], Some(2)));
        let left = |contest: &Contest| contest.attempts_left(TEAM, &heap());
        let judged = |contest: &Contest| contest.judge(TEAM, &heap(), 1);
        assert_eq!((left(&contest), judged(&contest)), (Some(2), Ok(Attempt::First)));
        assert!(contest.uses_attempt(TEAM, &heap(), "f0"));
        assert!(fold(&mut contest, used("f0")).is_some());
        assert!(!contest.uses_attempt(TEAM, &heap(), "f0"));
        assert_eq!(fold(&mut contest, used("f0")), None);
        assert_eq!(fold(&mut contest, used("no digest")), None);
        assert!(fold(&mut contest, used("f1")).is_some());
        assert_eq!((left(&contest), judged(&contest)), (Some(0), Err(Refusal::AttemptsUsed)));
        // The limit counts all used attempts, also after it was changed or removed.
        for (attempts_max, expected) in [(Some(1), Some(0)), (None, None), (Some(5), Some(3))] {
            assert!(fold(&mut contest, challenge(&[], attempts_max)).is_some());
            assert_eq!(left(&contest), expected);
        }
        assert_eq!(fold(&mut contest, set(2)), None, "nothing changes");
        assert!(fold(&mut contest, set(0)).is_some());
        assert_eq!(left(&contest), Some(5));
        assert!(!contest.uses_attempt(TEAM, &heap(), "f0"), "a known text stays free");
        assert!(fold(&mut contest, set(5)).is_some());
        assert_eq!(judged(&contest), Err(Refusal::AttemptsUsed));
        assert!(fold(&mut contest, facts::Solve { team: TEAM, challenge: heap() }).is_some());
        assert_eq!(judged(&contest), Ok(Attempt::Again), "a solved challenge accepts its flags");
        assert_eq!(fold(&mut contest, used("f2")), None, "it is solved");
    }

    #[test]
    fn only_the_team_learns_of_its_submissions_and_a_snapshot_keeps_them() {
        let mut contest = contest(challenge(&["a", "b"], Some(3)));
        let before = (contest.public_seq(), view::board(&contest, Viewer::Public));
        for fact in [Fact::from(found("a")), used("f0").into(), set(0).into(), used("f1").into()] {
            let change = fold(&mut contest, fact.clone()).expect("it is valid");
            assert_eq!(change.own_team(), Some(TEAM), "{fact:?}");
            assert_eq!(contest.format_before(&fact), Some(4));
        }
        assert_eq!((contest.public_seq(), view::board(&contest, Viewer::Public)), before);
        let kept = serde_json::to_string(&StateSnapshot::of(&contest)).unwrap();
        let kept: StateSnapshot = serde_json::from_str(&kept).unwrap();
        assert_eq!(kept.into_contest(), Some(contest.clone()));
        let board = view::board(&contest, Viewer::Public);
        let cards = view::cards(&board, &contest, TEAM);
        assert_eq!(cards[0].progress, Some(Progress { found: 1, of: 2 }));
        assert_eq!(cards[0].attempts_left, Some(2));
        assert!(fold(&mut contest, facts::Withdrawn { challenge: heap() }).is_some());
        assert_eq!(fold(&mut contest, set(0)), Some(Change::Unseen), "players do not see it");
    }
}
