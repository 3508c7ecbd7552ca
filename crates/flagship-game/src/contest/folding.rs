//! What each fact does to the contest.

use super::notices::Notice;
use super::solves::{Index, Solve};
use super::{Change, Contest, FoldError};
use crate::challenge::{ChallengeId, ChallengeStatus};
use crate::entry::{Entry, FORMAT, Fact, Phase, TeamId};
use crate::event::Event;

impl Contest {
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

    /// Passes over an entry whose fact is withheld.
    pub(crate) fn skip(&mut self, seq: i64, at_ms: i64) {
        self.seq = seq;
        self.at_ms = self.at_ms.max(at_ms);
    }

    fn fold_fact(&mut self, entry: &Entry) -> Result<Change, &'static str> {
        match &entry.fact {
            Fact::Format { version } => return self.fold_format(*version),
            Fact::Event { event } => self.fold_event(event, entry.at_ms),
            Fact::Phase { phase } => self.timeline.reach(*phase, entry.at_ms)?,
            Fact::Team { team, name, country, hidden } => {
                return self.fold_join(*team, name, country, *hidden);
            }
            Fact::TeamState { team, banned, hidden } => {
                return self.fold_team_state(*team, *banned, *hidden);
            }
            Fact::TeamLeft { team } => return self.fold_leave(*team),
            Fact::Challenge { challenge } => {
                let was_seen = self.is_seen(&challenge.id);
                self.challenges.release(challenge, entry.at_ms)?;
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
                let is_public = self.unfold_solve(*team, challenge)?;
                return Ok(self.team_change(*team, is_public));
            }
            Fact::SolveCounted { team, challenge, at_ms, after } => {
                return self.fold_counted(entry, *team, challenge, (*at_ms, *after));
            }
            Fact::Award { team: id, points, .. } => {
                let team = self.teams.by_id_mut(*id)?;
                team.award(*points)?;
                let is_public = team.counts();
                return Ok(self.team_change(*id, is_public));
            }
            Fact::TeamNamed { team, name, country } => return self.fold_name(*team, name, country),
            Fact::Notice { notice, title, html, challenge, urgent, urgent_until_ms } => {
                self.notices.post(Notice {
                    id: *notice,
                    at_ms: entry.at_ms,
                    title: title.clone(),
                    html: html.clone(),
                    challenge: challenge.clone(),
                    urgent: *urgent,
                    urgent_until_ms: *urgent_until_ms,
                    corrected_at_ms: None,
                    withdrawn_at_ms: None,
                });
                return Ok(Change::Notice { seq: self.next_public_seq(), notice: *notice });
            }
            Fact::NoticeWithdrawn { notice } => {
                self.notices.withdraw(*notice, entry.at_ms)?;
                return Ok(Change::Notice { seq: self.next_public_seq(), notice: *notice });
            }
            Fact::Status { challenge, status: kind, note } => {
                let (kind, note, at_ms) = (*kind, note.clone(), Some(entry.at_ms));
                return self.fold_status(challenge, ChallengeStatus { kind, note, at_ms });
            }
            Fact::Paused { on } => self.fold_pause(*on, entry.at_ms)?,
        }
        Ok(Change::Snapshot { seq: self.next_public_seq() })
    }

    fn fold_format(&mut self, version: u32) -> Result<Change, &'static str> {
        if version <= self.format() {
            return Err("its format is not newer");
        }
        self.format_said = version;
        Ok(Change::Unseen)
    }

    /// An event that runs again admits the teams that joined after its end.
    fn fold_event(&mut self, event: &Event, at_ms: i64) {
        self.timeline.set_event(event, at_ms);
        if !self.reached(Phase::End) {
            self.teams.admit_late();
        }
    }

    fn fold_pause(&mut self, on: bool, at_ms: i64) -> Result<(), &'static str> {
        if on == self.is_paused() {
            return Err("the event is paused already, or not paused");
        }
        self.paused_at_ms = on.then_some(at_ms);
        Ok(())
    }

    fn fold_join(
        &mut self,
        id: TeamId,
        name: &str,
        country: &str,
        hidden: bool,
    ) -> Result<Change, &'static str> {
        self.teams.join(id, name, country)?;
        let late = self.reached(Phase::End);
        if hidden || late {
            let team = self.teams.by_id_mut(id)?;
            (team.hidden, team.late) = (hidden, late);
            return Ok(Change::OwnSnapshot { team: id });
        }
        Ok(Change::NewTeam { seq: self.next_public_seq(), team: id })
    }

    fn fold_team_state(
        &mut self,
        id: TeamId,
        banned: bool,
        hidden: bool,
    ) -> Result<Change, &'static str> {
        let team = self.teams.by_id_mut(id)?;
        let counted = team.counts();
        (team.banned, team.hidden) = (banned, hidden);
        let is_public = counted || team.counts();
        Ok(self.team_change(id, is_public))
    }

    fn fold_leave(&mut self, id: TeamId) -> Result<Change, &'static str> {
        let is_public = self.teams.leave(id)?;
        Ok(self.team_change(id, is_public))
    }

    fn fold_name(&mut self, id: TeamId, name: &str, country: &str) -> Result<Change, &'static str> {
        let Ok(index) = self.teams.index_of(id) else {
            return self.fold_join(id, name, country, false);
        };
        self.teams.rename(index, name, country)?;
        let is_public = self.team_at(index).counts();
        Ok(self.team_change(id, is_public))
    }

    fn fold_solve(
        &mut self,
        entry: &Entry,
        id: TeamId,
        challenge: &ChallengeId,
    ) -> Result<Change, &'static str> {
        let (seq, at_ms) = (entry.seq, entry.at_ms);
        let is_public =
            self.add_solve(id, challenge, |team| Solve { seq, at_ms, after: seq, team })?;
        let seq = is_public.then(|| self.next_public_seq());
        Ok(Change::Solve { seq, team: id, challenge: challenge.clone(), at_ms })
    }

    fn fold_counted(
        &mut self,
        entry: &Entry,
        id: TeamId,
        challenge: &ChallengeId,
        (at_ms, after): (i64, i64),
    ) -> Result<Change, &'static str> {
        let seq = entry.seq;
        if !(0..seq).contains(&after) {
            return Err("its place is not behind an earlier entry");
        }
        if !(0..=entry.at_ms).contains(&at_ms) {
            return Err("the time that counts is not before");
        }
        let is_public = self.add_solve(id, challenge, |team| Solve { seq, at_ms, after, team })?;
        Ok(self.team_change(id, is_public))
    }

    /// Adds a solve, made for the index of its team; returns whether it is public.
    fn add_solve(
        &mut self,
        id: TeamId,
        challenge: &ChallengeId,
        solve: impl FnOnce(Index) -> Solve,
    ) -> Result<bool, &'static str> {
        let index = self.index_of(challenge).ok_or("no such challenge")?;
        let place = self.teams.index_of(id)?;
        let team = self.teams.get_mut(place).ok_or("no such team")?;
        if team.has_solved(index) {
            return Err("the team has solved the challenge before");
        }
        let solve = solve(place);
        team.add_solve(index, solve);
        self.challenges.get_mut(index).add_solve(solve);
        Ok(self.is_public(&solve, index))
    }

    /// Removes a solve; returns whether it was public.
    fn unfold_solve(&mut self, id: TeamId, challenge: &ChallengeId) -> Result<bool, &'static str> {
        let index = self.index_of(challenge).ok_or("no such challenge")?;
        let solve = self.teams.by_id_mut(id)?.remove_solve(index)?;
        self.challenges.get_mut(index).solves.retain(|other| other.seq != solve.seq);
        Ok(self.is_public(&solve, index))
    }

    fn fold_status(
        &mut self,
        challenge: &ChallengeId,
        status: ChallengeStatus,
    ) -> Result<Change, &'static str> {
        self.challenges.set_status(challenge, status)?;
        if !self.is_seen(challenge) {
            return Ok(Change::Unseen);
        }
        Ok(Change::Status { seq: self.next_public_seq(), challenge: challenge.clone() })
    }

    /// A change that only a snapshot can describe: everyone's, or that of one team.
    fn team_change(&mut self, team: TeamId, is_public: bool) -> Change {
        if !is_public {
            return Change::OwnSnapshot { team };
        }
        Change::Snapshot { seq: self.next_public_seq() }
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
    use super::*;
    use crate::challenge::{Attachment, Challenge, Hint, Scoring, StatusKind, VALUE_MAX};
    use crate::contest::{AWARD_MAX, Refusal, Team};
    use crate::entry::FORMAT_FIRST;
    use crate::event::Reveal;

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
                hints: vec![],
                connection: None,
                closes_ms: None,
                flag_format: None,
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
        for version in [0, FORMAT_FIRST] {
            let reason = "its format is not newer";
            assert_eq!(fold(&mut contest, version), Err(FoldError::Refused { seq: 1, reason }));
        }
        for version in [FORMAT + 1, 99, u32::MAX] {
            let newer = FoldError::NewerFormat { seq: 1, version };
            assert_eq!(fold(&mut contest, version), Err(newer));
        }
        assert_eq!(contest, Contest::default());
    }

    fn folded(facts: Vec<Fact>) -> Contest {
        let mut contest = Contest::default();
        for fact in facts {
            assert!(folds(&mut contest, fact.clone()), "{fact:?}");
        }
        contest
    }

    fn named(team: i64, name: &str) -> Fact {
        let (name, country) = (name.to_owned(), "IT".to_owned());
        Fact::TeamNamed { team: TeamId(team), name, country }
    }

    #[test]
    fn a_counted_solve_has_a_place_and_a_time_in_the_past_and_counts_once() {
        let heap = ChallengeId::from_name("Heap");
        let counted = |team, challenge: &ChallengeId, at_ms, after| {
            let (team, challenge) = (TeamId(team), challenge.clone());
            Fact::SolveCounted { team, challenge, at_ms, after }
        };
        let facts = vec![named(1, "Ants"), challenge(Scoring::Static { max: 1 })];
        let mut contest = folded(facts);
        let before = contest.clone();
        for wrong in [
            counted(2, &heap, 0, 1),
            counted(1, &ChallengeId::from_name("Stack"), 0, 1),
            counted(1, &heap, 0, 3),
            counted(1, &heap, 0, i64::MAX),
            counted(1, &heap, 0, -1),
            counted(1, &heap, 1, 1),
            counted(1, &heap, -1, 1),
        ] {
            assert!(!folds(&mut contest, wrong.clone()), "{wrong:?}");
            assert_eq!(contest, before);
        }
        assert!(folds(&mut contest, counted(1, &heap, 0, 0)));
        assert_eq!(contest.solve(TeamId(1), &heap).map(|solve| solve.after), Some(0));
        assert!(!folds(&mut contest, counted(1, &heap, 0, 0)), "it is solved");
    }

    #[test]
    fn a_renamed_team_is_found_by_its_name_and_by_former_ones() {
        let mut contest = folded(vec![named(1, "Ants"), named(2, "Bees"), named(1, "Wasps")]);
        let id = |team: Option<&std::sync::Arc<Team>>| team.map(|team| team.id.0);
        assert_eq!(id(contest.team_named("Wasps")), Some(1));
        assert_eq!(
            (id(contest.team_named("Ants")), id(contest.team_formerly("Ants"))),
            (None, Some(1))
        );
        assert!(!folds(&mut contest, named(2, "Wasps")), "another team has the name");
        assert!(!folds(&mut contest, named(3, "Bees")), "another team has the name");
        assert!(folds(&mut contest, named(2, "Ants")), "nobody has the name any more");
        assert!(folds(&mut contest, named(2, "Bees")));
        assert_eq!(id(contest.team_formerly("Bees")), None, "it has the name again");
        assert_eq!(
            contest.team(TeamId(1)).map(|team| team.former.clone()),
            Some(vec!["Ants".into()])
        );
    }

    #[test]
    fn a_team_that_left_frees_its_name_and_keeps_the_places_of_others() {
        let left = |team| Fact::TeamLeft { team: TeamId(team) };
        let heap = ChallengeId::from_name("Heap");
        let solve = |team| Fact::Solve { team: TeamId(team), challenge: heap.clone() };
        let heap_fact = challenge(Scoring::Static { max: 1 });
        let mut contest = folded(vec![named(1, "Ants"), named(2, "Bees"), heap_fact, solve(2)]);
        assert!(!folds(&mut contest, left(2)), "it has solved a challenge");
        assert!(!folds(&mut contest, left(3)), "no such team");
        assert!(folds(&mut contest, left(1)));
        assert!(!folds(&mut contest, left(1)), "it left before");
        assert!(!folds(&mut contest, solve(1)), "it plays no more");
        assert!(!folds(&mut contest, named(2, "Ants")) || folds(&mut contest, named(2, "Bees")));
        assert!(contest.team(TeamId(1)).is_none() && contest.team_named("Ants").is_none());
        assert!(folds(&mut contest, named(3, "Ants")) && folds(&mut contest, solve(3)));
        let teams: Vec<i64> = contest.teams().map(|team| team.id.0).collect();
        assert_eq!(teams, [2, 3]);
        let solves: Vec<&str> = contest.all_solves().map(|(_, team, _)| &*team.name).collect();
        assert_eq!(solves, ["Bees", "Ants"]);
        let board = crate::view::board(&contest, crate::Viewer::Organizer);
        let names: Vec<&str> = board.rows().map(|row| row.name()).collect();
        assert_eq!(names, ["Ants", "Bees"], "by name, since their times are equal");
        let kept = serde_json::to_string(&crate::contest::kept::Kept::of(&contest)).unwrap();
        let kept: crate::contest::kept::Kept = serde_json::from_str(&kept).unwrap();
        assert_eq!(kept.into_contest(), Some(contest), "a kept fold says the same");
    }

    #[test]
    fn a_notice_keeps_its_time_and_can_be_put_back() {
        let words = |title: &str| {
            let (title, html) = (title.to_owned(), "<p>x</p>".to_owned());
            Fact::Notice {
                notice: 7,
                title,
                html,
                challenge: None,
                urgent: false,
                urgent_until_ms: None,
            }
        };
        let mut contest = Contest::default();
        let mut fold = |at_ms, fact| {
            let change = contest.fold(&Entry { seq: contest.seq() + 1, at_ms, fact });
            let notice = contest.notice(7).cloned();
            (change.is_ok(), notice.map(|it| (it.at_ms, it.corrected_at_ms, it.withdrawn_at_ms)))
        };
        let withdrawn = || Fact::NoticeWithdrawn { notice: 7 };
        assert_eq!(fold(1, withdrawn()), (false, None));
        assert_eq!(fold(1, words("One")), (true, Some((1, None, None))));
        assert_eq!(fold(2, words("Two")), (true, Some((1, Some(2), None))));
        assert_eq!(fold(3, withdrawn()), (true, Some((1, Some(2), Some(3)))));
        assert_eq!(fold(4, withdrawn()), (false, Some((1, Some(2), Some(3)))));
        assert_eq!(fold(5, words("Two")), (true, Some((1, Some(2), None))));
        assert_eq!(contest.notices().count(), 1);
    }

    #[test]
    fn no_flag_counts_in_a_pause_whatever_the_challenge() {
        let (name, timezone, reveal) = (String::new(), "UTC".to_owned(), Reveal::Manual);
        let (start_ms, freeze_ms, end_ms) = (Some(0), None, Some(9));
        let (flag_format, rules) = (String::new(), String::new());
        let event =
            Event { name, start_ms, end_ms, freeze_ms, reveal, timezone, flag_format, rules };
        let mut contest = folded(vec![named(1, "Ants"), Fact::Event { event }]);
        let heap = ChallengeId::from_name("Heap");
        let judged = |contest: &Contest, at_ms| contest.judge(TeamId(1), &heap, at_ms);
        assert!(!folds(&mut contest, Fact::Paused { on: false }), "it is not paused");
        assert_eq!(judged(&contest, 1), Err(Refusal::UnknownChallenge));
        assert!(folds(&mut contest, Fact::Paused { on: true }));
        assert!(!folds(&mut contest, Fact::Paused { on: true }), "it is paused already");
        assert_eq!(judged(&contest, 1), Err(Refusal::Paused));
        assert_eq!(judged(&contest, 9), Err(Refusal::Paused), "the clock stands");
        assert!(folds(&mut contest, Fact::Paused { on: false }));
        assert_eq!(judged(&contest, 1), Err(Refusal::UnknownChallenge));
    }

    #[test]
    fn the_status_of_a_challenge_has_one_line_and_outlives_its_changes() {
        let heap = || challenge(Scoring::Static { max: 1 });
        let mut contest = folded(vec![heap()]);
        let id = ChallengeId::from_name("Heap");
        let status = |id: &ChallengeId, note: &str| {
            let (challenge, note) = (id.clone(), note.to_owned());
            Fact::Status { challenge, status: StatusKind::Broken, note }
        };
        assert!(!folds(&mut contest, status(&ChallengeId::from_name("Stack"), "")));
        assert!(!folds(&mut contest, status(&id, "two\nlines")));
        assert!(folds(&mut contest, status(&id, "down")));
        assert!(folds(&mut contest, heap()));
        let kept = contest.challenge_status(&id).map(|it| (it.kind, it.note.as_str()));
        assert_eq!(kept, Some((StatusKind::Broken, "down")));
    }

    #[test]
    fn a_challenge_without_hints_keeps_its_text_and_its_format() {
        let Fact::Challenge { challenge } = challenge(Scoring::Static { max: 1 }) else {
            unreachable!("it is one")
        };
        let text = serde_json::to_string(&challenge).unwrap();
        for key in ["hints", "connection", "flag_format"] {
            assert!(!text.contains(key), "{text}");
        }
        let hints = vec![Hint { id: "1".to_owned(), html: None, at_ms: Some(1) }];
        let connection = Some("nc host 1".to_owned());
        // An older program shows teams less, and folds to the same points.
        let flag_format = Some("flag{...}".to_owned());
        for (challenge, format) in [
            (challenge.clone(), FORMAT_FIRST),
            (Challenge { flag_format, ..challenge.clone() }, FORMAT_FIRST),
            (Challenge { hints, ..challenge.clone() }, FORMAT_FIRST + 1),
            (Challenge { connection, ..challenge }, FORMAT_FIRST + 1),
        ] {
            let fact = Fact::Challenge { challenge };
            assert_eq!(fact.format(), format);
            let needed = Some(format).filter(|format| *format > FORMAT_FIRST);
            assert_eq!(Contest::default().format_before(&fact), needed);
        }
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
            let digest = other.to_owned();
            let Fact::Challenge { mut challenge } = challenge(Scoring::Static { max: 1 }) else {
                unreachable!("it is one")
            };
            challenge.attachments =
                vec![Attachment { name: "a".to_owned(), digest, bytes: 1, picture: None }];
            let is_folded = folds(&mut contest, Fact::Challenge { challenge });
            assert_eq!(is_folded, fits, "{other:?} names a file");
        }
    }

    #[test]
    fn awards_have_a_limit_in_all() {
        let mut contest = Contest::default();
        let team = TeamId(1);
        let (name, country) = ("Ants".to_owned(), "IT".to_owned());
        assert!(folds(&mut contest, Fact::Team { team, name, country, hidden: false }));
        for (points, fits) in
            [(AWARD_MAX, true), (1, false), (i64::MAX, false), (-2 * AWARD_MAX, true), (-1, false)]
        {
            let award = Fact::Award { team, points, reason: String::new() };
            assert_eq!(folds(&mut contest, award), fits, "{points}");
        }
    }
}
