//! Hints for points: prices, requirements, refusals, and texts that only their takers can read.

use flagship_game::contest::{Contest, Refusal};
use flagship_game::facts::{self, Entry, Fact};
use flagship_game::purchase::{HintRefusal, purchase};
use flagship_game::view::{self, Viewer};
use flagship_game::{Challenge, ChallengeId, Event, Hint, Phase, Reveal, Scoring, TeamId};

const ANTS: TeamId = TeamId(1);
const BEES: TeamId = TeamId(2);

fn heap() -> ChallengeId {
    ChallengeId::from_name("Heap")
}

fn hint(id: &str, cost: i64, requirements: &[&str]) -> Hint {
    Hint {
        id: id.to_owned(),
        html: Some(format!("<p>{id}</p>")),
        title: Some(format!("Title of {id}")),
        cost,
        requirements: requirements.iter().map(|id| (*id).to_owned()).collect(),
        at_ms: None,
    }
}

fn challenge(hints: Vec<Hint>) -> Fact {
    let challenge = Challenge {
        id: heap(),
        name: "Heap".to_owned(),
        scoring: Scoring::Static { max: 100 },
        categories: vec![],
        description: String::new(),
        attachments: vec![],
        requirements: vec![],
        position: None,
        hints,
        connection: None,
        closes_ms: None,
        flag_format: None,
        rules: Default::default(),
        labels: Default::default(),
    };
    Fact::from(facts::Challenge { challenge })
}

fn fold(contest: &mut Contest, at_ms: i64, fact: impl Into<Fact>) {
    let entry = Entry { seq: contest.seq() + 1, at_ms, fact: fact.into() };
    contest.fold(&entry).expect("it follows");
}

/// A running event from 0 to 100, frozen from 50, in which Ants have 60 points and Bees none.
fn contest(hint_debt: bool, hints: Vec<Hint>) -> Contest {
    let event = Event {
        name: String::new(),
        start_ms: Some(0),
        end_ms: Some(100),
        freeze_ms: Some(50),
        reveal: Reveal::Manual,
        timezone: "UTC".to_owned(),
        flag_format: String::new(),
        rules: String::new(),
        hint_debt,
        practice: false,
        divisions: Vec::new(),
    };
    let mut contest = Contest::default();
    fold(&mut contest, 0, facts::Event { event });
    fold(&mut contest, 0, facts::Phase { phase: Phase::Start });
    for (team, name) in [(ANTS, "Ants"), (BEES, "Bees")] {
        let name = name.to_owned();
        let country = "IT".to_owned();
        fold(
            &mut contest,
            0,
            facts::Team { team, name, country, hidden: false, divisions: vec![] },
        );
    }
    fold(&mut contest, 0, facts::Award { team: ANTS, points: 60, reason: String::new() });
    fold(&mut contest, 0, challenge(hints));
    contest
}

/// Takes a hint at the price of the rules; returns the price.
fn take(contest: &mut Contest, team: TeamId, hint: &str, at_ms: i64) -> Result<i64, HintRefusal> {
    let bought = purchase(contest, team, &heap(), hint, None, at_ms)?;
    let (cost, is_new) = (bought.cost, bought.is_new);
    if is_new {
        let (challenge, hint) = (heap(), hint.to_owned());
        fold(contest, at_ms, facts::HintTaken { team, challenge, hint, cost });
    }
    Ok(cost)
}

fn points(contest: &Contest, viewer: Viewer, name: &str) -> i64 {
    view::board(contest, viewer).row(name).expect("it has a row").1.points()
}

/// ID, cost, text and record of each hint on the team's card.
fn card(contest: &Contest, team: TeamId) -> Vec<(String, i64, Option<String>, bool)> {
    let public = view::board(contest, Viewer::Public);
    let cards = view::cards(&public, contest, team);
    let hints = cards[0].hints.iter();
    hints.map(|it| (it.id().to_owned(), it.cost, it.html.map(str::to_owned), it.is_taken)).collect()
}

#[test]
fn a_hint_is_paid_once_and_read_only_by_its_taker() {
    let mut contest = contest(false, vec![hint("a", 25, &[]), hint("b", 0, &[])]);
    let text = |id: &str| Some(format!("<p>{id}</p>"));
    let unread = [("a".to_owned(), 25, None, false), ("b".to_owned(), 0, text("b"), false)];
    assert_eq!(card(&contest, ANTS), unread);
    for _ in 0..2 {
        assert_eq!(take(&mut contest, ANTS, "a", 1), Ok(25));
        assert_eq!(points(&contest, Viewer::Public, "Ants"), 35);
    }
    assert_eq!(card(&contest, ANTS)[0], ("a".to_owned(), 25, text("a"), true));
    assert_eq!(card(&contest, BEES), unread);
    assert_eq!(take(&mut contest, ANTS, "b", 1), Ok(0), "free, and not recorded");
    assert_eq!(contest.hint_takers(&heap()).count(), 1);
}

#[test]
fn points_are_needed_unless_the_event_allows_debt() {
    let hints = || vec![hint("a", 60, &[]), hint("b", 1, &[])];
    let mut strict = contest(false, hints());
    assert_eq!(take(&mut strict, BEES, "a", 1), Err(HintRefusal::PointsMissing));
    assert_eq!(take(&mut strict, ANTS, "a", 1), Ok(60), "down to zero");
    assert_eq!(take(&mut strict, ANTS, "b", 1), Err(HintRefusal::PointsMissing));
    let mut lenient = contest(true, hints());
    assert_eq!(take(&mut lenient, BEES, "a", 1), Ok(60));
    assert_eq!(points(&lenient, Viewer::Public, "Bees"), -60);
}

#[test]
fn requirements_lock_a_hint_until_they_are_taken() {
    let hints = vec![hint("a", 5, &[]), hint("b", 5, &["a", "c"]), hint("c", 0, &[])];
    let mut contest = contest(false, hints);
    assert_eq!(take(&mut contest, ANTS, "b", 1), Err(HintRefusal::HintLocked));
    assert_eq!(take(&mut contest, ANTS, "a", 1), Ok(5));
    assert_eq!(take(&mut contest, ANTS, "b", 1), Ok(5), "a free hint needs not be taken");
    assert_eq!(contest.hint_takers(&heap()).count(), 2);
}

#[test]
fn a_free_hint_with_requirements_is_taken_at_no_cost() {
    let mut contest = contest(false, vec![hint("a", 5, &[]), hint("b", 0, &["a"])]);
    assert_eq!(take(&mut contest, ANTS, "a", 1), Ok(5));
    assert_eq!(card(&contest, ANTS)[1].2, None);
    assert_eq!(take(&mut contest, ANTS, "b", 1), Ok(0));
    assert!(card(&contest, ANTS)[1].3);
    assert_eq!(points(&contest, Viewer::Public, "Ants"), 55);
}

#[test]
fn a_hint_is_free_after_the_own_solve_and_after_the_end() {
    let mut contest = contest(false, vec![hint("a", 25, &[]), hint("b", 25, &[])]);
    fold(&mut contest, 1, facts::Solve { team: BEES, challenge: heap() });
    assert_eq!(card(&contest, BEES)[0].1, 0);
    assert_eq!(card(&contest, BEES)[0].2, None, "only after it is taken");
    assert_eq!(take(&mut contest, BEES, "a", 2), Ok(0));
    assert_eq!(take(&mut contest, ANTS, "a", 2), Ok(25));
    let ended = Err(HintRefusal::Challenge(Refusal::Ended));
    assert_eq!(take(&mut contest, ANTS, "b", 100), ended);
    for phase in [Phase::Freeze, Phase::End] {
        fold(&mut contest, 100, facts::Phase { phase });
    }
    assert_eq!(card(&contest, ANTS)[1].2, None, "the reveal is manual");
    fold(&mut contest, 101, facts::Phase { phase: Phase::Reveal });
    let text = Some("<p>b</p>".to_owned());
    for team in [ANTS, BEES] {
        assert_eq!(card(&contest, team)[1], ("b".to_owned(), 0, text.clone(), false));
    }
    assert_eq!(points(&contest, Viewer::Public, "Ants"), 35, "no points move");
    assert_eq!(take(&mut contest, ANTS, "b", 101), ended);
}

#[test]
fn refusals_follow_the_order_of_checks() {
    let mut later = hint("late", 5, &[]);
    (later.html, later.at_ms) = (None, Some(40));
    let mut contest = contest(false, vec![hint("a", 25, &[]), later]);
    let buy = |contest: &Contest, challenge: &str, hint: &str, cost_max, at_ms| {
        let challenge = ChallengeId::from_name(challenge);
        purchase(contest, ANTS, &challenge, hint, cost_max, at_ms).map(|it| it.cost)
    };
    let refused = |refusal| Err(HintRefusal::Challenge(refusal));
    assert_eq!(buy(&contest, "Stack", "a", None, 100), refused(Refusal::Ended));
    assert_eq!(buy(&contest, "Stack", "a", None, 1), refused(Refusal::UnknownChallenge));
    assert_eq!(buy(&contest, "Heap", "z", None, 1), Err(HintRefusal::UnknownHint));
    assert_eq!(buy(&contest, "Heap", "late", None, 1), Err(HintRefusal::NotReleased));
    assert_eq!(buy(&contest, "Heap", "a", Some(24), 1), Err(HintRefusal::CostChanged));
    assert_eq!(buy(&contest, "Heap", "a", Some(25), 1), Ok(25));
    fold(&mut contest, 1, facts::Paused { on: true });
    assert_eq!(buy(&contest, "Heap", "a", None, 1), refused(Refusal::Paused));
    fold(&mut contest, 1, facts::Paused { on: false });
    let ban = facts::TeamState { team: ANTS, banned: true, hidden: false };
    fold(&mut contest, 1, ban);
    assert_eq!(buy(&contest, "Heap", "a", None, 1), refused(Refusal::NoTeam));
}

#[test]
fn a_team_without_attempts_reads_the_hints_that_it_took_and_takes_no_others() {
    let hints = vec![hint("a", 25, &[]), hint("b", 0, &["a"]), hint("c", 0, &[])];
    let mut contest = contest(false, hints);
    assert_eq!(take(&mut contest, ANTS, "a", 1), Ok(25));
    let mut limited = Challenge::clone(contest.challenge(&heap()).expect("it is released"));
    limited.rules.attempts_max = Some(1);
    fold(&mut contest, 1, facts::Challenge { challenge: limited });
    let text = "f0".to_owned();
    fold(&mut contest, 1, facts::AttemptUsed { team: ANTS, challenge: heap(), text });
    assert_eq!(take(&mut contest, ANTS, "a", 2), Ok(25));
    assert_eq!(take(&mut contest, ANTS, "c", 2), Ok(0));
    let refused = Err(HintRefusal::Challenge(Refusal::AttemptsUsed));
    assert_eq!(take(&mut contest, ANTS, "b", 2), refused);
    fold(&mut contest, 2, facts::AttemptsSet { team: ANTS, challenge: heap(), used: 0 });
    assert_eq!(take(&mut contest, ANTS, "b", 3), Ok(0));
}

#[test]
fn a_new_price_leaves_what_was_paid_and_no_price_returns_it() {
    let mut contest = contest(false, vec![hint("a", 25, &[])]);
    assert_eq!(take(&mut contest, ANTS, "a", 1), Ok(25));
    let mut after = |hints: Vec<Hint>| {
        fold(&mut contest, 2, challenge(hints));
        let costs = card(&contest, ANTS).first().map(|it| it.1);
        (points(&contest, Viewer::Public, "Ants"), costs)
    };
    assert_eq!(after(vec![hint("a", 50, &[])]), (35, Some(25)), "a new price");
    assert_eq!(after(vec![hint("a", 0, &[])]), (60, Some(0)), "free");
    assert_eq!(after(vec![hint("a", 50, &[])]), (35, Some(25)), "undone");
    assert_eq!(after(vec![]), (60, None), "removed");
    assert_eq!(after(vec![hint("a", 25, &[])]), (35, Some(25)), "put back");
    fold(&mut contest, 3, facts::Withdrawn { challenge: heap() });
    assert_eq!(points(&contest, Viewer::Public, "Ants"), 60, "hidden, like its solves");
}

#[test]
fn in_the_freeze_only_the_team_itself_sees_what_it_paid() {
    let mut contest = contest(false, vec![hint("a", 25, &[]), hint("b", 30, &[])]);
    assert_eq!(take(&mut contest, ANTS, "a", 49), Ok(25));
    fold(&mut contest, 50, facts::Phase { phase: Phase::Freeze });
    let public_seq = contest.public_seq();
    assert_eq!(take(&mut contest, ANTS, "b", 50), Ok(30));
    assert_eq!(contest.public_seq(), public_seq, "it takes no number");
    let seen = |contest: &Contest| {
        [Viewer::Public, Viewer::Team(BEES), Viewer::Team(ANTS), Viewer::Organizer]
            .map(|viewer| points(contest, viewer, "Ants"))
    };
    assert_eq!(seen(&contest), [35, 35, 5, 5]);
    assert_eq!(view::own_points(&contest, ANTS), 5);
    assert!(view::has_own_view(&contest, ANTS) && !view::has_own_view(&contest, BEES));
    let ban = |banned| facts::TeamState { team: ANTS, banned, hidden: false };
    fold(&mut contest, 60, ban(true));
    assert!(view::board(&contest, Viewer::Public).row("Ants").is_none());
    fold(&mut contest, 61, ban(false));
    assert_eq!(seen(&contest), [35, 35, 5, 5], "an unbanned team has what it had");
    for phase in [Phase::End, Phase::Reveal] {
        fold(&mut contest, 100, facts::Phase { phase });
    }
    assert_eq!(seen(&contest), [5, 5, 5, 5]);
}

#[test]
fn a_solve_credited_before_the_purchase_returns_the_points() {
    let mut contest = contest(false, vec![hint("a", 25, &[]), hint("b", 10, &[])]);
    assert_eq!(take(&mut contest, ANTS, "a", 20), Ok(25));
    assert_eq!(take(&mut contest, ANTS, "b", 30), Ok(10));
    let credit = |at_ms| facts::SolveCounted { team: ANTS, challenge: heap(), at_ms, after: 1 };
    let withdraw = facts::SolveWithdrawn { team: ANTS, challenge: heap() };
    let public = |contest: &Contest| points(contest, Viewer::Public, "Ants");
    for (at_ms, expected) in [(10, 160), (20, 135), (25, 135), (30, 125), (35, 125)] {
        fold(&mut contest, 40, credit(at_ms));
        assert_eq!(public(&contest), expected, "only a purchase after the solve is returned");
        assert_eq!(view::own_points(&contest, ANTS), expected);
        fold(&mut contest, 40, withdraw.clone());
        assert_eq!(public(&contest), 25, "undone");
    }
    fold(&mut contest, 41, credit(10));
    assert_eq!(take(&mut contest, ANTS, "a", 42), Ok(0), "the refunded price");
    assert_eq!(card(&contest, ANTS)[0].1, 0);
}

#[test]
fn a_hint_without_its_text_costs_nothing() {
    let mut contest = contest(false, vec![hint("a", 25, &[])]);
    assert_eq!(take(&mut contest, ANTS, "a", 1), Ok(25));
    let later = Hint { html: None, at_ms: Some(40), ..hint("a", 25, &[]) };
    fold(&mut contest, 2, challenge(vec![later]));
    assert_eq!(points(&contest, Viewer::Public, "Ants"), 60);
    assert_eq!(take(&mut contest, ANTS, "a", 3), Err(HintRefusal::NotReleased));
    fold(&mut contest, 40, challenge(vec![hint("a", 25, &[])]));
    assert_eq!(points(&contest, Viewer::Public, "Ants"), 35, "released again");
}

#[test]
fn late_hints_are_judged_by_solves_that_everyone_sees() {
    let mut contest = contest(false, vec![]);
    let Fact::Challenge(facts::Challenge { challenge: new }) = challenge(vec![hint("a", 5, &[])])
    else {
        unreachable!("it is one")
    };
    let late = |contest: &Contest| contest.late_hints(&new).len();
    let hide = |hidden| facts::TeamState { team: ANTS, banned: false, hidden };
    fold(&mut contest, 1, facts::Solve { team: ANTS, challenge: heap() });
    assert_eq!(late(&contest), 1);
    fold(&mut contest, 2, hide(true));
    assert_eq!(late(&contest), 0, "a hidden team");
    fold(&mut contest, 50, facts::Phase { phase: Phase::Freeze });
    fold(&mut contest, 50, facts::Solve { team: BEES, challenge: heap() });
    assert_eq!(late(&contest), 0, "a solve hidden by the freeze");
    fold(&mut contest, 51, hide(false));
    assert_eq!(late(&contest), 1);
}
