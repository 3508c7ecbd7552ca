//! Practice after the end: flags are judged, and nothing that others see changes.

use flagship_game::contest::state_snapshot::StateSnapshot;
use flagship_game::contest::{Attempt, Contest, Progress, Refusal};
use flagship_game::entry::{Phase, TeamId};
use flagship_game::facts::news::Change;
use flagship_game::facts::{self, Entry, Fact};
use flagship_game::purchase::purchase;
use flagship_game::view::{self, Viewer};
use flagship_game::{
    Challenge, ChallengeId, Event, Hint, HintRefusal, Reveal, Scoring, SubmissionRules,
};

const ANTS: TeamId = TeamId(1);
const LATE: TeamId = TeamId(2);
const START_MS: i64 = 0;
const FREEZE_MS: i64 = 50;
const END_MS: i64 = 100;
const NOW_MS: i64 = 200;

fn id(name: &str) -> ChallengeId {
    ChallengeId::from_name(name)
}

fn event(practice: bool) -> Event {
    Event {
        name: "An event".to_owned(),
        start_ms: Some(START_MS),
        end_ms: Some(END_MS),
        freeze_ms: Some(FREEZE_MS),
        reveal: Reveal::Manual,
        timezone: "UTC".to_owned(),
        flag_format: String::new(),
        rules: String::new(),
        hint_debt: false,
        divisions: Vec::new(),
        practice,
    }
}

fn challenge(name: &str, requirements: &[&str], rules: SubmissionRules) -> Challenge {
    let hint = Hint {
        id: "1".to_owned(),
        html: Some("<p>Look.</p>".to_owned()),
        cost: 10,
        ..Hint::default()
    };
    Challenge {
        id: id(name),
        name: name.to_owned(),
        scoring: Scoring::Dynamic { max: 500, min: 50, decay: 15 },
        categories: Vec::new(),
        description: "<p>Find it.</p>".to_owned(),
        attachments: Vec::new(),
        requirements: requirements.iter().map(|name| id(name)).collect(),
        position: None,
        hints: vec![hint],
        connection: None,
        closes_ms: Some(END_MS / 2),
        flag_format: None,
        rules,
        labels: Box::default(),
    }
}

fn fold(contest: &mut Contest, at_ms: i64, fact: impl Into<Fact>) -> Option<Change> {
    let entry = Entry { seq: contest.seq() + 1, at_ms, fact: fact.into() };
    contest.fold(&entry).ok()
}

fn team(team: TeamId, name: &str) -> facts::Team {
    let country = "IT".to_owned();
    facts::Team { team, name: name.to_owned(), country, hidden: false, divisions: vec![] }
}

fn practiced(team: TeamId, name: &str, flag: Option<&str>) -> facts::Practiced {
    facts::Practiced { team, challenge: id(name), flag: flag.map(str::to_owned) }
}

/// An event that has ended, with a team that took part and one that joined afterwards.
fn over(practice: bool, is_revealed: bool) -> Contest {
    let needed_flags = ["a", "b"].map(str::to_owned).to_vec();
    let several = SubmissionRules { needed_flags, attempts_max: Some(1) };
    let mut contest = Contest::default();
    let mut next = |at_ms, fact: Fact| {
        fold(&mut contest, at_ms, fact).expect("it is valid");
    };
    next(0, facts::Event { event: event(practice) }.into());
    next(0, facts::Phase { phase: Phase::Start }.into());
    next(0, team(ANTS, "Ants").into());
    for (name, requirements, rules) in [
        ("heap", &[][..], SubmissionRules::default()),
        ("stack", &["heap"][..], several),
        ("queue", &["stack"][..], SubmissionRules::default()),
    ] {
        let challenge = challenge(name, requirements, rules);
        next(0, facts::Challenge { challenge }.into());
    }
    next(FREEZE_MS, facts::Phase { phase: Phase::Freeze }.into());
    next(END_MS, facts::Phase { phase: Phase::End }.into());
    next(END_MS, team(LATE, "Late").into());
    if is_revealed {
        next(END_MS, facts::Phase { phase: Phase::Reveal }.into());
    }
    contest
}

#[test]
fn flags_are_judged_after_the_end_and_the_reveal_only_with_practice() {
    let judged = |contest: &Contest, name: &str| contest.judge(ANTS, &id(name), NOW_MS);
    assert_eq!(judged(&over(false, true), "heap"), Err(Refusal::Ended));
    assert_eq!(judged(&over(true, false), "heap"), Err(Refusal::Ended), "the reveal is pending");
    assert_eq!(judged(&over(true, false), "no such"), Err(Refusal::Ended), "whatever the ID");
    let mut contest = over(true, true);
    assert_eq!(judged(&contest, "heap"), Ok(Attempt::Practice), "also after its closing time");
    assert_eq!(judged(&contest, "stack"), Err(Refusal::Locked));
    assert_eq!(judged(&contest, "no such"), Err(Refusal::UnknownChallenge));
    assert_eq!(contest.judge(TeamId(9), &id("heap"), NOW_MS), Err(Refusal::NoTeam));
    assert!(fold(&mut contest, NOW_MS, facts::Paused { on: true }).is_some());
    assert_eq!(judged(&contest, "heap"), Err(Refusal::Paused));
}

#[test]
fn a_practice_solve_unlocks_for_its_team_and_changes_nothing_that_others_see() {
    let mut contest = over(true, true);
    let boards = |contest: &Contest| {
        let viewers = [Viewer::Public, Viewer::Organizer, Viewer::Team(ANTS), Viewer::Team(LATE)];
        (contest.public_seq(), viewers.map(|viewer| view::board(contest, viewer)))
    };
    let readable =
        |contest: &Contest| ["heap", "stack", "queue"].map(|it| contest.is_readable(&id(it)));
    let before = (boards(&contest), readable(&contest));
    for team in [ANTS, LATE] {
        let change =
            fold(&mut contest, NOW_MS, practiced(team, "heap", None)).expect("it is valid");
        assert_eq!((change.own_team(), change.public_seq()), (Some(team), None));
        assert_eq!(fold(&mut contest, NOW_MS, practiced(team, "heap", None)), None, "it is solved");
        assert_eq!(contest.judge(team, &id("heap"), NOW_MS), Ok(Attempt::PracticeAgain));
    }
    assert_eq!((boards(&contest), readable(&contest)), before);
    let board = view::board(&contest, Viewer::Public);
    for team in [ANTS, LATE] {
        let cards = view::cards(&board, &contest, team);
        let shown = |name: &str| {
            let card = cards.iter().find(|card| card.challenge.id == id(name));
            card.map(|card| (card.is_locked, card.practiced_ms))
        };
        assert_eq!(shown("heap"), Some((false, Some(NOW_MS))));
        assert_eq!(shown("stack"), Some((false, None)));
        assert_eq!(shown("queue"), Some((true, None)));
        assert!(view::open_challenge(&contest, team, &id("stack")).is_some());
    }
    assert_eq!(contest.practice_solves().count(), 2);
}

#[test]
fn several_flags_are_found_without_attempts() {
    let mut contest = over(true, true);
    assert!(fold(&mut contest, NOW_MS, practiced(ANTS, "heap", None)).is_some());
    assert_eq!(contest.attempts_left(ANTS, &id("stack")), None);
    assert!(fold(&mut contest, NOW_MS, practiced(ANTS, "stack", Some("a"))).is_some());
    assert_eq!(fold(&mut contest, NOW_MS, practiced(ANTS, "stack", Some("a"))), None, "once");
    let progress = |contest: &Contest| contest.progress(ANTS, &id("stack"));
    assert_eq!(progress(&contest), Some(Progress { found: 1, of: 2 }));
    let completes = |flag: &str| contest.completes(ANTS, &id("stack"), &[flag.to_owned()]);
    assert!(completes("b") && !completes("a"));
    assert!(fold(&mut contest, NOW_MS, practiced(ANTS, "stack", None)).is_some());
    assert_eq!(progress(&contest), Some(Progress { found: 2, of: 2 }));
    assert_eq!(contest.judge(ANTS, &id("queue"), NOW_MS), Ok(Attempt::Practice));
}

#[test]
fn an_event_that_resumes_counts_from_scratch() {
    let mut contest = over(true, true);
    let restored = |contest: &Contest| {
        let kept = serde_json::to_string(&StateSnapshot::of(contest)).expect("plain data");
        let kept: StateSnapshot = serde_json::from_str(&kept).expect("it was written");
        kept.into_contest()
    };
    for fact in [practiced(LATE, "heap", None), practiced(LATE, "stack", Some("a"))] {
        assert!(fold(&mut contest, NOW_MS, fact).is_some());
    }
    assert_eq!(restored(&contest), Some(contest.clone()), "a snapshot keeps them");
    let longer = Event { end_ms: Some(2 * NOW_MS), freeze_ms: None, ..event(true) };
    assert!(fold(&mut contest, NOW_MS, facts::Event { event: longer }).is_some());
    assert_eq!(contest.judge(LATE, &id("heap"), NOW_MS), Err(Refusal::Closed), "as any team");
    assert_eq!(contest.judge(LATE, &id("stack"), NOW_MS), Err(Refusal::Locked));
    assert_eq!(contest.progress(LATE, &id("stack")), Some(Progress { found: 0, of: 2 }));
    assert_eq!(fold(&mut contest, NOW_MS, practiced(ANTS, "heap", None)), None, "it is running");
    assert!(
        fold(&mut contest, NOW_MS, facts::Solve { team: LATE, challenge: id("heap") }).is_some()
    );
    let board = view::board(&contest, Viewer::Public);
    let late = view::cards(&board, &contest, LATE);
    let heap = late.iter().find(|card| card.challenge.id == id("heap")).expect("it is listed");
    assert_eq!((heap.nsolves, heap.practiced_ms), (1, None));
}

#[test]
fn every_hint_is_read_without_moving_points() {
    let hint = |contest: &Contest, team| {
        let bought = purchase(contest, team, &id("heap"), "1", Some(0), NOW_MS);
        bought.map(|bought| (bought.cost, bought.is_new))
    };
    let ended = Err(HintRefusal::Challenge(Refusal::Ended));
    assert_eq!(hint(&over(false, true), ANTS), ended);
    assert_eq!(hint(&over(true, false), ANTS), ended);
    assert_eq!(hint(&over(true, true), ANTS), Ok((0, false)));
    assert_eq!(hint(&over(true, true), LATE), Ok((0, false)));
}

#[test]
fn the_setting_declares_the_format_of_practice() {
    let of = |practice| {
        Contest::default().format_before(&facts::Event { event: event(practice) }.into())
    };
    assert_eq!((of(false), of(true)), (None, Some(4)));
    let fact = Fact::from(practiced(ANTS, "heap", None));
    assert_eq!(Contest::default().format_before(&fact), Some(4));
    let text = serde_json::to_string(&fact).expect("plain data");
    assert_eq!(text, r#"{"type":"practiced","team":1,"challenge":"heap"}"#);
}
