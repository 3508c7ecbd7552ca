//! The facts of the journal: all public facts of an event, one per entry, in a total order.
//!
//! Each kind has its own file, which defines its data, its effect on the fold, the live message,
//! whether the freeze hides it, and its published form. To add a kind, add a file and a line in the
//! list here, and increase [`crate::entry::FORMAT`].

mod attempt_used;
mod attempts_set;
mod award;
mod challenge;
mod event;
mod flag_found;
mod format;
mod hint_taken;
mod kind;
pub mod news;
mod notice;
mod notice_withdrawn;
mod paused;
mod phase;
mod practiced;
mod solve;
mod solve_counted;
mod solve_withdrawn;
mod status;
mod team;
mod team_divisions;
mod team_left;
mod team_named;
mod team_state;
mod withdrawn;

use serde::{Deserialize, Serialize};

use crate::contest::{Contest, FoldError};
use crate::entry::FORMAT;
use kind::{FactKind, Folded, Stamp};
pub use kind::{Properties, Readers};
use news::Change;

/// A fact, with its position in the journal and its time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Position in the journal, from 1, without gaps.
    pub seq: i64,
    /// Time in epoch milliseconds; never less than that of the previous entry.
    pub at_ms: i64,
    /// The fact.
    pub fact: Fact,
}

/// Generates [`Fact`] from the kinds, with methods that dispatch to each kind.
macro_rules! facts {
    ($($file:ident::$Kind:ident,)*) => {
        $(pub use $file::$Kind;)*

        /// The fact of an entry. Its JSON is stored, hashed and published.
        #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(tag = "type", rename_all = "snake_case")]
        pub enum Fact {
            $(
                #[doc = concat!("See [`", stringify!($Kind), "`].")]
                $Kind($Kind),
            )*
        }

        $(
            impl From<$Kind> for Fact {
                fn from(fact: $Kind) -> Self {
                    Self::$Kind(fact)
                }
            }
        )*

        impl Fact {
            fn fold(&self, contest: &mut Contest, at: Stamp) -> Folded {
                match self { $(Self::$Kind(fact) => fact.fold(contest, at),)* }
            }

            /// The properties of the fact.
            pub fn properties(&self) -> Properties<'_> {
                match self { $(Self::$Kind(fact) => fact.properties(),)* }
            }

            /// Returns the fact that is published instead of one with private text: the reason of
            /// an award, or a former name of a team. `last` is the fold of the entire journal.
            pub fn redacted(&self, last: &Contest) -> Option<Self> {
                match self { $(Self::$Kind(fact) => fact.redacted(last).map(Self::$Kind),)* }
            }
        }
    };
}

facts![
    attempt_used::AttemptUsed,
    attempts_set::AttemptsSet,
    award::Award,
    challenge::Challenge,
    event::Event,
    flag_found::FlagFound,
    format::Format,
    hint_taken::HintTaken,
    notice::Notice,
    notice_withdrawn::NoticeWithdrawn,
    paused::Paused,
    phase::Phase,
    practiced::Practiced,
    solve::Solve,
    solve_counted::SolveCounted,
    solve_withdrawn::SolveWithdrawn,
    status::Status,
    team::Team,
    team_divisions::TeamDivisions,
    team_left::TeamLeft,
    team_named::TeamNamed,
    team_state::TeamState,
    withdrawn::Withdrawn,
];

impl Contest {
    /// Folds the next entry and returns the change for live viewers.
    ///
    /// # Errors
    /// The entry is invalid or starts a newer format. The fold is unchanged.
    pub fn fold(&mut self, entry: &Entry) -> Result<Change, FoldError> {
        let Entry { seq, at_ms, ref fact } = *entry;
        let refuse = |reason| FoldError::Refused { seq, reason };
        if seq != self.seq() + 1 {
            return Err(refuse("unexpected sequence number"));
        }
        if at_ms < self.at_ms() {
            return Err(refuse("earlier than the previous entry"));
        }
        if let Fact::Format(Format { version }) = *fact
            && version > FORMAT
        {
            return Err(FoldError::NewerFormat { seq, version });
        }
        let change = fact.fold(self, Stamp { seq, at_ms }).map_err(refuse)?;
        self.advance_to(seq, at_ms);
        Ok(change)
    }

    /// Returns the format that the journal must switch to before this fact, if its current format
    /// is older.
    pub fn format_before(&self, fact: &Fact) -> Option<u32> {
        Some(fact.properties().format).filter(|needed| *needed > self.format())
    }
}

#[cfg(test)]
mod tests {

    use super::*;
    use crate::challenge::{Attachment, Challenge, ChallengeId, Hint};
    use crate::challenge::{Scoring, StatusKind, VALUE_MAX};
    use crate::contest::{AWARD_MAX, Refusal, Team};
    use crate::entry::{FORMAT_FIRST, TeamId};
    use crate::event::{Event, Reveal};
    use crate::facts;

    fn challenge(scoring: Scoring) -> Fact {
        let name = "Heap".to_owned();
        let description = String::new();
        let id = ChallengeId::from_name(&name);
        let position = None;
        let categories = vec![];
        let attachments = vec![];
        let requirements = vec![];
        Fact::from(facts::Challenge {
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
                rules: Default::default(),
                labels: Default::default(),
            },
        })
    }

    fn folds(contest: &mut Contest, fact: Fact) -> bool {
        let seq = contest.seq() + 1;
        contest.fold(&Entry { seq, at_ms: 0, fact }).is_ok()
    }

    /// The text is hashed and signed, so it must never change.
    #[test]
    fn the_text_of_a_fact_begins_with_its_kind() {
        let team = TeamId(1);
        let name = "Ants".to_owned();
        let country = "IT".to_owned();
        let left: Fact = facts::TeamLeft { team }.into();
        let hidden: Fact =
            facts::Team { team, name, country, hidden: true, divisions: vec![] }.into();
        let members = r#""team":1,"name":"Ants","country":"IT","hidden":true"#;
        for (fact, text) in [
            (left, r#"{"type":"team_left","team":1}"#.to_owned()),
            (hidden, format!(r#"{{"type":"team",{members}}}"#)),
        ] {
            assert_eq!(serde_json::to_string(&fact).unwrap(), text);
            assert_eq!(serde_json::from_str::<Fact>(&text).unwrap(), fact);
        }
    }

    #[test]
    fn an_old_format_is_refused_and_an_unknown_one_has_its_own_error() {
        let mut contest = Contest::default();
        assert_eq!(contest.format(), FORMAT_FIRST);
        let fold = |contest: &mut Contest, version| {
            contest.fold(&Entry { seq: 1, at_ms: 0, fact: Fact::from(facts::Format { version }) })
        };
        for version in [0, FORMAT_FIRST] {
            let reason = "the format is not newer";
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
        let name = name.to_owned();
        let country = "IT".to_owned();
        Fact::from(facts::TeamNamed { team: TeamId(team), name, country })
    }

    #[test]
    fn a_counted_solve_has_a_place_and_a_time_in_the_past_and_counts_once() {
        let heap = ChallengeId::from_name("Heap");
        let counted = |team, challenge: &ChallengeId, at_ms, after| {
            let team = TeamId(team);
            let challenge = challenge.clone();
            Fact::from(facts::SolveCounted { team, challenge, at_ms, after })
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
        assert!(folds(&mut contest, named(2, "Ants")), "no team has the name any longer");
        assert!(folds(&mut contest, named(2, "Bees")));
        assert_eq!(id(contest.team_formerly("Bees")), None, "it has the name again");
        assert_eq!(
            contest.team(TeamId(1)).map(|team| team.former.clone()),
            Some(vec!["Ants".into()])
        );
    }

    #[test]
    fn a_team_that_left_frees_its_name_and_keeps_the_places_of_others() {
        let left = |team| Fact::from(facts::TeamLeft { team: TeamId(team) });
        let heap = ChallengeId::from_name("Heap");
        let solve = |team| Fact::from(facts::Solve { team: TeamId(team), challenge: heap.clone() });
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
        let kept =
            serde_json::to_string(&crate::contest::state_snapshot::StateSnapshot::of(&contest))
                .unwrap();
        let kept: crate::contest::state_snapshot::StateSnapshot =
            serde_json::from_str(&kept).unwrap();
        assert_eq!(kept.into_contest(), Some(contest), "a snapshot restores the same fold");
    }

    #[test]
    fn a_notice_keeps_its_time_and_can_be_put_back() {
        let words = |title: &str| {
            let title = title.to_owned();
            let html = "<p>x</p>".to_owned();
            Fact::from(facts::Notice {
                notice: 7,
                title,
                html,
                challenge: None,
                urgent: false,
                urgent_until_ms: None,
            })
        };
        let mut contest = Contest::default();
        let mut fold = |at_ms, fact| {
            let change = contest.fold(&Entry { seq: contest.seq() + 1, at_ms, fact });
            let notice = contest.notice(7).cloned();
            (change.is_ok(), notice.map(|it| (it.at_ms, it.corrected_at_ms, it.withdrawn_at_ms)))
        };
        let withdrawn = || Fact::from(facts::NoticeWithdrawn { notice: 7 });
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
        let name = String::new();
        let timezone = "UTC".to_owned();
        let reveal = Reveal::Manual;
        let start_ms = Some(0);
        let freeze_ms = None;
        let end_ms = Some(9);
        let flag_format = String::new();
        let rules = String::new();
        let event = Event {
            name,
            start_ms,
            end_ms,
            freeze_ms,
            reveal,
            timezone,
            flag_format,
            rules,
            hint_debt: false,
            practice: false,
            divisions: vec![],
        };
        let mut contest = folded(vec![named(1, "Ants"), Fact::from(facts::Event { event })]);
        let heap = ChallengeId::from_name("Heap");
        let judged = |contest: &Contest, at_ms| contest.judge(TeamId(1), &heap, at_ms);
        assert!(!folds(&mut contest, Fact::from(facts::Paused { on: false })), "it is not paused");
        assert_eq!(judged(&contest, 1), Err(Refusal::UnknownChallenge));
        assert!(folds(&mut contest, Fact::from(facts::Paused { on: true })));
        assert!(
            !folds(&mut contest, Fact::from(facts::Paused { on: true })),
            "it is paused already"
        );
        assert_eq!(judged(&contest, 1), Err(Refusal::Paused));
        assert_eq!(judged(&contest, 9), Err(Refusal::Paused), "the clock stands");
        assert!(folds(&mut contest, Fact::from(facts::Paused { on: false })));
        assert_eq!(judged(&contest, 1), Err(Refusal::UnknownChallenge));
    }

    #[test]
    fn the_status_of_a_challenge_has_one_line_and_outlives_its_changes() {
        let heap = || challenge(Scoring::Static { max: 1 });
        let mut contest = folded(vec![heap()]);
        let id = ChallengeId::from_name("Heap");
        let status = |id: &ChallengeId, note: &str| {
            let (challenge, note) = (id.clone(), note.to_owned());
            Fact::from(facts::Status { challenge, status: StatusKind::Broken, note })
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
        let Fact::Challenge(facts::Challenge { challenge }) = challenge(Scoring::Static { max: 1 })
        else {
            unreachable!("it is one")
        };
        let text = serde_json::to_string(&challenge).unwrap();
        for key in ["hints", "connection", "flag_format"] {
            assert!(!text.contains(key), "{text}");
        }
        let hints =
            vec![Hint { id: "1".to_owned(), html: None, at_ms: Some(1), ..Hint::default() }];
        let connection = Some("nc host 1".to_owned());
        // Older versions show less, but compute the same points.
        let flag_format = Some("flag{...}".to_owned());
        for (challenge, format) in [
            (challenge.clone(), FORMAT_FIRST),
            (Challenge { flag_format, ..challenge.clone() }, FORMAT_FIRST),
            (Challenge { hints, ..challenge.clone() }, FORMAT_FIRST + 1),
            (Challenge { connection, ..challenge }, FORMAT_FIRST + 1),
        ] {
            let fact = Fact::from(facts::Challenge { challenge });
            assert_eq!(fact.properties().format, format);
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
            let Fact::Challenge(facts::Challenge { mut challenge }) =
                challenge(Scoring::Static { max: 1 })
            else {
                unreachable!("it is one")
            };
            challenge.attachments = vec![Attachment {
                name: "a".to_owned(),
                digest,
                bytes: 1,
                picture: None,
                per_team: false,
            }];
            let is_folded = folds(&mut contest, Fact::from(facts::Challenge { challenge }));
            assert_eq!(is_folded, fits, "{other:?} names a file");
        }
    }

    #[test]
    fn awards_have_a_limit_in_all() {
        let mut contest = Contest::default();
        let team = TeamId(1);
        let name = "Ants".to_owned();
        let country = "IT".to_owned();
        assert!(folds(
            &mut contest,
            Fact::from(facts::Team { team, name, country, hidden: false, divisions: vec![] })
        ));
        for (points, fits) in
            [(AWARD_MAX, true), (1, false), (i64::MAX, false), (-2 * AWARD_MAX, true), (-1, false)]
        {
            let award = Fact::from(facts::Award { team, points, reason: String::new() });
            assert_eq!(folds(&mut contest, award), fits, "{points}");
        }
    }
}
