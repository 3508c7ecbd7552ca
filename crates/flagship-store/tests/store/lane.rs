//! The lane on both databases: one order of entries, one solve per team, positions without gaps.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use flagship_actions::challenge::hide::Hide;
use flagship_actions::ready;
use flagship_control::control;
use flagship_game::contest::{AWARD_MAX, Attempt, Refusal};
use flagship_game::{Challenge, ChallengeId, Scoring, TeamId, Viewer, chain, view};
use flagship_store::challenges::{self, Draft, Flag};
use flagship_store::lane::Writer;
use flagship_store::ops::{
    ActionCommand, Actor, FlagDigests, Imported, Op, Outcome, Plan, PlanStep, Request,
    preview_action,
};
use flagship_store::{Clock, Key, Lock, NewerFormat, Result, StoreError, wrong_flags};
use flagship_testkit::{Engine, TestDb, commands, numbered_team, on_both_engines, short_event};

const START_MS: i64 = 1_700_000_000_000;

fn id() -> ChallengeId {
    ChallengeId::parse("warm-up").expect("an id")
}

fn plan() -> Plan {
    let challenge = Challenge {
        id: id(),
        name: "Warm-up".to_owned(),
        scoring: Scoring::Dynamic { max: 500, min: 50, decay: 15 },
        categories: vec!["misc".to_owned()],
        description: "<p>Hello</p>".to_owned(),
        attachments: Vec::new(),
        requirements: Vec::new(),
        position: None,
        hints: Vec::new(),
        connection: None,
        closes_ms: None,
        flag_format: None,
        rules: Default::default(),
        labels: Default::default(),
    };
    let flags = vec![Flag::Exact { digest: "00".to_owned(), case_insensitive: false }];
    let event = short_event(START_MS);
    let draft = Draft { challenge, flags, hidden: false, release_at_ms: None };
    Plan::new(event, vec![draft])
}

async fn writer(test: &TestDb, clock: &Clock) -> Writer {
    let db = test.reopen().await;
    Writer::open(db, &Key::new(b"secret"), clock.clone()).await.expect("the database opens")
}

fn apply() -> Request {
    Op::Apply(Box::new(plan())).by(Actor::CommandLine)
}

fn solve(team: TeamId) -> Request {
    Op::Solve { team, challenge: id() }.by(Actor::Team(team))
}

async fn seeded(test: &TestDb, clock: &Clock, teams: usize) -> Vec<TeamId> {
    let mut writer = writer(test, clock).await;
    let teams = Op::import((0..teams).map(numbered_team).collect()).by(Actor::CommandLine);
    let step = writer.step(&[apply(), teams]).await.expect("the step is written");
    match &step.outcomes[1] {
        Outcome::Import(Ok(Imported { ids, .. })) => ids.iter().map(|id| TeamId(*id)).collect(),
        other => panic!("{other:?}"),
    }
}

fn clock_to(clock: &Clock, at_ms: i64) {
    let Clock::Manual(time) = clock else { unreachable!("the tests' clocks are manual") };
    time.store(at_ms, Ordering::SeqCst);
}

/// Appends an entry as a newer version would: chained and signed.
async fn append(test: &TestDb, body: &str) {
    let rows = test.journal().await;
    let (last, at_ms, _, _, previous) = rows.last().expect("the journal has entries");
    let generation: Vec<(String,)> =
        test.rows("select value from meta where key = 'generation'").await;
    let key = Key::new(b"secret").subkey("journal entry", &[&generation[0].0]);
    let mut salt = key.mac(previous, &[&at_ms.to_string(), body]);
    salt.truncate(32);
    let (seq, commitment) = (last + 1, chain::commitment(&salt, body));
    let hash = chain::link(previous, seq, *at_ms, &commitment);
    let sql = format!("insert into journal values ({seq}, {at_ms}, '{salt}', '{body}', '{hash}')");
    test.execute(Box::leak(sql.into_boxed_str())).await;
}

on_both_engines! {
    async fn an_interrupted_read_loses_no_change(engine: Engine) {
        let test = TestDb::new(engine).await;
        let clock = Clock::manual(START_MS);
        let mut reader = writer(&test, &clock).await;
        let mut other = writer(&test, &clock).await;
        let step = other.step(&[apply()]).await.expect("it is written");
        // The tables that are read after the entries cannot be read.
        test.execute("alter table challenges rename to gone").await;
        assert!(reader.tail().await.is_err());
        test.execute("alter table gone rename to challenges").await;
        assert_eq!(reader.tail().await.expect("it is read").changes, step.changes);
        assert_eq!(reader.tail().await.expect("no entry is left").changes, []);
    }

    async fn a_hundred_teams_on_many_nodes_get_positions_1_to_100(engine: Engine) {
        let test = TestDb::new(engine).await;
        let clock = Clock::manual(START_MS);
        let teams = seeded(&test, &clock, 100).await;
        let mut nodes = tokio::task::JoinSet::new();
        for teams in teams.chunks(25) {
            let mut node = writer(&test, &clock).await;
            let teams = teams.to_vec();
            nodes.spawn(async move {
                for team in teams {
                    let step = node.step(&[solve(team)]).await.expect("the solve is written");
                    assert_eq!(step.outcomes, [Outcome::Solve(Ok(Attempt::First))]);
                }
            });
        }
        while let Some(done) = nodes.join_next().await {
            done.expect("a node does not panic");
        }
        let last = writer(&test, &clock).await;
        let board = view::board(last.contest(), Viewer::Public);
        let mut positions: Vec<u32> =
            board.rows().map(|row| row.marks()[0].position).collect();
        positions.sort_unstable();
        if control("a_hundred_teams_on_many_nodes_get_positions_1_to_100", "each position once") {
            positions[99] = 99;
        }
        assert_eq!(positions, (1..=100).collect::<Vec<u32>>(), "each position once");
    }

    async fn a_team_racing_itself_solves_once(engine: Engine) {
        let test = TestDb::new(engine).await;
        let clock = Clock::manual(START_MS);
        let team = seeded(&test, &clock, 1).await[0];
        let mut nodes = tokio::task::JoinSet::new();
        for _ in 0..4 {
            let mut node = writer(&test, &clock).await;
            nodes.spawn(async move {
                node.step(&vec![solve(team); 25]).await.expect("the step is written").outcomes
            });
        }
        let mut outcomes: Vec<Outcome> = nodes.join_all().await.into_iter().flatten().collect();
        let first = Outcome::Solve(Ok(Attempt::First));
        if control("a_team_racing_itself_solves_once", "one of them is the first") {
            outcomes.fill(first.clone());
        }
        let firsts = outcomes.iter().filter(|outcome| **outcome == first).count();
        assert_eq!(firsts, 1, "one of them is the first");
        assert_eq!(outcomes.len(), 100);
        let last = writer(&test, &clock).await;
        assert_eq!(view::board(last.contest(), Viewer::Public).tallies()[0].nsolves(), 1);
    }

    async fn a_wrong_flag_is_recorded_and_appends_no_entry(engine: Engine) {
        let test = TestDb::new(engine).await;
        let clock = Clock::manual(START_MS);
        let team = seeded(&test, &clock, 1).await[0];
        let mut node = writer(&test, &clock).await;
        node.step(&[]).await.expect("the step is written");
        let (seq, entries) = (node.contest().seq(), test.journal().await.len());
        let revision = challenges::revision(&test.db).await.expect("it is read");
        let wrong = |revision: i64, is_recorded: bool| {
            let digests = FlagDigests { digest: "ab".to_owned(), ..FlagDigests::default() };
            Op::Wrong { team, challenge: id(), digests, is_recorded, revision }
                .by(Actor::Team(team))
        };
        let recorded_before = wrong(revision, true);
        let requests = [wrong(revision, false), wrong(revision - 1, false), recorded_before];
        let step = node.step(&requests).await.expect("is written");
        let done = Outcome::Wrong(Ok(()));
        assert_eq!(step.outcomes, [done.clone(), Outcome::Stale, done]);
        let recorded = wrong_flags::count(&test.db).await.expect("it counts");
        let now = (recorded, node.contest().seq(), test.journal().await.len());
        assert_eq!(now, (1, seq, entries), "records one and appends nothing");
        let solved = node.step(&[solve(team)]).await.expect("the step is written");
        assert_eq!(solved.outcomes, [Outcome::Solve(Ok(Attempt::First))]);
    }

    async fn only_the_node_that_appends_an_entry_records_the_head_after_it(engine: Engine) {
        let test = TestDb::new(engine).await;
        let clock = Clock::manual(START_MS);
        let teams = seeded(&test, &clock, 4).await;
        let head = async || {
            let sql = "select value from meta where key = 'journal_head'";
            test.rows::<(String,)>(sql).await.remove(0).0
        };
        let (mut node, mut other) = (writer(&test, &clock).await, writer(&test, &clock).await);
        node.step(&[solve(teams[0])]).await.expect("the solve is written");
        let first = head().await;
        assert!(first.starts_with(&format!("1:{}:", node.contest().seq())), "in its own commit");
        node.step(&[solve(teams[1])]).await.expect("the solve is written");
        // Simulates that the node was killed before it recorded the second solve.
        let sql = format!("update meta set value = '{first}' where key = 'journal_head'");
        test.execute(Box::leak(sql.into_boxed_str())).await;
        let words = "another node's entry is not recorded";
        while other.tail().await.expect("it is read").has_more {}
        assert!(!other.is_due() && !other.record_next(), "{words}");
        let again = other.step(&[solve(teams[0])]).await.expect("the step is written");
        assert_eq!(again.outcomes, [Outcome::Solve(Ok(Attempt::Again))]);
        assert_eq!(head().await, first, "{words}");
        let mut restarted = writer(&test, &clock).await;
        assert!(restarted.is_due(), "a start finds unrecorded entries");
        restarted.step(&[]).await.expect("the step is written");
        assert!(head().await.starts_with(&format!("1:{}:", node.contest().seq())));
        other.step(&[solve(teams[2])]).await.expect("the solve is written");
        assert!(head().await.starts_with(&format!("1:{}:", other.contest().seq())), "its own");
    }

    async fn hints_that_arrive_together_are_followed_once(engine: Engine) {
        let test = TestDb::new(engine).await;
        let clock = Clock::manual(START_MS);
        let teams = seeded(&test, &clock, 20).await;
        let mut node = writer(&test, &clock).await;
        let mut hints = test.db.hints().await.expect("they are opened");
        for team in &teams {
            node.step(&[solve(*team)]).await.expect("the step is written");
        }
        tokio::time::sleep(Duration::from_millis(300)).await;
        hints.wait().await.expect("a hint arrives");
        let next = tokio::time::timeout(Duration::from_millis(200), hints.wait()).await;
        assert!(next.is_err(), "no hint is left");
    }

    async fn hints_in_a_row_are_followed_with_a_pause(engine: Engine) {
        let test = TestDb::new(engine).await;
        let clock = Clock::manual(START_MS);
        let teams = seeded(&test, &clock, 2).await;
        let mut node = writer(&test, &clock).await;
        let mut hints = test.db.hints().await.expect("they are opened");
        node.step(&[solve(teams[0])]).await.expect("the step is written");
        let begun = Instant::now();
        hints.wait().await.expect("a hint arrives");
        node.step(&[solve(teams[1])]).await.expect("the step is written");
        hints.wait().await.expect("a hint arrives");
        assert!(begun.elapsed() >= Duration::from_millis(15), "{:?}", begun.elapsed());
    }

    async fn a_flag_counts_from_start_to_just_before_the_end(engine: Engine) {
        let test = TestDb::new(engine).await;
        let clock = Clock::manual(START_MS - 1);
        let teams = seeded(&test, &clock, 3).await;
        let Clock::Manual(time) = &clock else { unreachable!("made above") };
        let mut node = writer(&test, &clock).await;
        let table = [
            (-1, teams[0], Err(Refusal::NotStarted)),
            (0, teams[0], Ok(Attempt::First)),
            (999, teams[1], Ok(Attempt::First)),
            (999, teams[1], Ok(Attempt::Again)),
            (1000, teams[2], Err(Refusal::Ended)),
        ];
        for (after, team, expected) in table {
            let now_ms = START_MS + after;
            time.store(now_ms, std::sync::atomic::Ordering::SeqCst);
            let step = node.step(&[solve(team)]).await.expect("the step is written");
            assert_eq!(step.outcomes, [Outcome::Solve(expected)], "{after} ms after the start");
        }
    }

    async fn an_award_of_any_size_is_given_or_refused_and_none_wraps(engine: Engine) {
        let test = TestDb::new(engine).await;
        let clock = Clock::manual(START_MS);
        let team = seeded(&test, &clock, 1).await[0];
        let mut node = writer(&test, &clock).await;
        let name = node.contest().team(team).expect("it joined").name.to_string();
        let mut total = 0;
        for points in [i64::MIN, i64::MIN + 1, i64::MAX, AWARD_MAX + 1, -AWARD_MAX - 1, 0,
            AWARD_MAX, 1, -AWARD_MAX, -AWARD_MAX, -1, AWARD_MAX] {
            let op = commands::award(&name, points);
            let step = node.step(&[op.by(Actor::CommandLine)]).await.expect("the step is written");
            let fits = |total: i128| total.unsigned_abs() <= u128::from(AWARD_MAX.unsigned_abs());
            let sum = i128::from(total) + i128::from(points);
            let is_given = points != 0 && fits(points.into()) && fits(sum);
            let was_given = matches!(step.outcomes[..], [Outcome::Action(Ok(_))]);
            assert_eq!(was_given, is_given, "{points} on {total}: {step:?}");
            total += if is_given { points } else { 0 };
            assert_eq!(node.contest().team(team).expect("it joined").award, total);
        }
    }

    async fn releases_during_an_apply_are_recorded(engine: Engine) {
        let test = TestDb::new(engine).await;
        let clock = Clock::manual(START_MS);
        let mut node = writer(&test, &clock).await;
        let mut plan = plan();
        let draft = plan.challenges.remove(0);
        for i in 0..1_000 {
            let mut draft = Draft { release_at_ms: Some(START_MS + 50 * i), ..draft.clone() };
            draft.challenge.id = ChallengeId::from_name(&format!("c{i}"));
            plan.challenges.push(draft);
        }
        let ids: Vec<_> = plan.challenges.iter().map(|draft| draft.challenge.id.clone()).collect();
        // The clock advances during the steps.
        let Clock::Manual(time) = clock.clone() else { unreachable!("made above") };
        let is_over = Arc::new(AtomicBool::new(false));
        let passing = std::thread::spawn({
            let is_over = is_over.clone();
            move || while !is_over.load(Ordering::SeqCst) {
                time.fetch_add(1, Ordering::SeqCst);
                (0..1_000).for_each(|_| std::hint::spin_loop());
            }
        });
        let op = Op::Apply(Box::new(plan));
        let step = node.step(&[op.by(Actor::CommandLine)]).await.expect("the step is written");
        is_over.store(true, Ordering::SeqCst);
        passing.join().expect("it does not panic");
        assert!(matches!(step.outcomes[..], [Outcome::Apply(_)]), "{step:?}");
        let Clock::Manual(time) = &clock else { unreachable!("made above") };
        time.store(START_MS + 50_000, Ordering::SeqCst);
        node.tail().await.expect("it reads");
        node.step(&[]).await.expect("the step is written");
        let lost = ids.iter().filter(|id| !node.contest().is_released(id)).count();
        assert_eq!(lost, 0, "challenges marked as released without an entry");
    }

    async fn a_preview_waits_for_no_writer_and_includes_what_is_due(engine: Engine) {
        let test = TestDb::new(engine).await;
        let clock = Clock::manual(START_MS);
        let mut plan = plan();
        plan.challenges[0].release_at_ms = Some(START_MS + 1_000);
        let mut writer = writer(&test, &clock).await;
        let request = Op::Apply(Box::new(plan.clone())).by(Actor::CommandLine);
        writer.step(&[request]).await.expect("the step is written");
        clock_to(&clock, START_MS + 2_000);
        plan.event.name = "Another name".to_owned();
        let busy = test.reopen().await.begin(Lock::Journal).await.expect("it begins");
        let preview = tokio::time::timeout(Duration::from_secs(4), writer.preview(&plan)).await;
        let preview = preview.expect("it does not wait").expect("it only reads");
        assert!(matches!(&preview.steps[..], [PlanStep::ChangeEvent { .. }]), "one change");
        assert!(preview.before.is_released(&id()), "the release is due");
        drop(busy);
        assert!(!writer.contest().is_released(&id()), "nothing is recorded");
        writer.step(&[]).await.expect("the step is written");
        assert!(writer.contest().is_released(&id()), "the clock releases it");
    }

    async fn flags_without_a_challenge_hide_no_others(engine: Engine) {
        let test = TestDb::new(engine).await;
        let clock = Clock::manual(START_MS);
        let mut writer = writer(&test, &clock).await;
        writer.step(&[apply()]).await.expect("the step is written");
        let sql = "insert into flags (challenge_id, number, kind, case_insensitive, value) \
                      values ('!', 1, 'exact', false, 'x')";
        test.execute(sql).await;
        let (_, drafts) = challenges::all(writer.db()).await.expect("the challenges");
        let flags: Vec<usize> = drafts.iter().map(|draft| draft.flags.len()).collect();
        assert_eq!(flags, [1], "a flag that another program wrote");
        assert!(writer.seal().check(writer.db()).await.is_err(), "it is detected");
    }

    async fn apply_signs_nothing_that_another_program_wrote(engine: Engine) {
        for altered in [
            "insert into challenges (challenge_id, definition, hidden, released) \
             select 'z', definition, hidden, released from challenges",
            "insert into flags (challenge_id, number, kind, case_insensitive, value) \
             values ('!', 1, 'exact', false, 'x')",
            "update challenges set definition = definition || ' '",
            "update flags set number = number + 1",
            "insert into flags (challenge_id, number, kind, case_insensitive, value) \
             select challenge_id, 3, 'evil', false, '' from challenges",
            "insert into challenges (challenge_id, definition, hidden, released, release_at_ms) \
             values ('y', '{}', false, false, 1)",
            "insert into challenges (challenge_id, definition, hidden, released, release_at_ms) \
             select 'y', replace(definition, '\"warm-up\"', '\"y\"'), false, false, 1 \
             from challenges",
            "update challenges set challenge_id = 'x', definition = '{}'",
            "delete from challenges",
            "insert into held (challenge_id, shown) values ('!', true)",
        ] {
            let test = TestDb::new(engine).await;
            let clock = Clock::manual(START_MS);
            let mut writer = writer(&test, &clock).await;
            writer.step(&[apply()]).await.expect("the step is written");
            test.execute(altered).await;
            test.execute(
                "insert into flags (challenge_id, number, kind, case_insensitive, value) \
                 select challenge_id, 9, 'regex', false, 'mine' from challenges",
            )
            .await;
            assert!(writer.seal().check(writer.db()).await.is_err(), "{altered}");
            let preview = writer.preview(&plan()).await.expect("it only reads");
            assert!(preview.steps.contains(&PlanStep::Rewrite), "{altered}");
            writer.step(&[apply()]).await.expect("the step is written");
            let drafts = challenges::all(writer.db()).await.map(|(_, drafts)| drafts);
            let released: Vec<_> = writer.contest().released().map(|it| it.id.clone()).collect();
            let is_planned = drafts.is_ok_and(|it| it == plan().challenges) && released == [id()];
            assert!(is_planned, "what another program wrote is gone: {altered}");
            writer.seal().check(writer.db()).await.expect("the rows are those that were applied");
            assert!(writer.seal().is_altered(), "{altered} leaves a trace");
            let preview = writer.preview(&plan()).await.expect("it only reads");
            assert!(preview.steps.is_empty(), "{altered}");
        }
    }

    async fn an_altered_definition_is_noticed_when_it_is_released(engine: Engine) {
        let test = TestDb::new(engine).await;
        let clock = Clock::manual(START_MS);
        let mut plan = plan();
        plan.challenges[0].release_at_ms = Some(START_MS + 1_000);
        let mut writer = writer(&test, &clock).await;
        let request = Op::Apply(Box::new(plan)).by(Actor::CommandLine);
        writer.step(&[request]).await.expect("the step is written");
        let altered = "update challenges set definition = replace(definition, 'Hello', 'Bye')";
        test.execute(altered).await;
        clock_to(&clock, START_MS + 2_000);
        assert!(!writer.seal().is_altered());
        writer.step(&[]).await.expect("the step is written");
        let restored = "update challenges set definition = replace(definition, 'Bye', 'Hello')";
        test.execute(restored).await;
        assert!(writer.contest().is_released(&id()), "later steps continue");
        assert!(writer.seal().is_altered(), "it is noticed");
    }

    async fn flags_altered_after_the_preview_are_applied_again(engine: Engine) {
        let test = TestDb::new(engine).await;
        let clock = Clock::manual(START_MS);
        let mut plan = plan();
        let mut other = plan.challenges[0].clone();
        other.challenge.id = ChallengeId::parse("other").expect("an id");
        plan.challenges.push(other);
        let mut writer = writer(&test, &clock).await;
        let apply = |plan: &Plan| Op::Apply(Box::new(plan.clone())).by(Actor::CommandLine);
        writer.step(&[apply(&plan)]).await.expect("the step is written");
        plan.challenges[0].challenge.name = "Another name".to_owned();
        writer.preview(&plan).await.expect("it only reads");
        test.execute("update flags set value = 'ff' where challenge_id = 'other'").await;
        writer.step(&[apply(&plan)]).await.expect("the step is written");
        let (_, drafts) = challenges::all(writer.db()).await.expect("the challenges");
        let is_planned = |draft: &Draft| draft.flags == plan.challenges[0].flags;
        assert!(drafts.iter().all(is_planned), "the altered flag is replaced, not signed");
    }

    async fn only_other_flags_times_and_challenges_change_the_revision(engine: Engine) {
        let test = TestDb::new(engine).await;
        let clock = Clock::manual(START_MS);
        let mut plan = plan();
        let mut writer = writer(&test, &clock).await;
        let apply = |plan: &Plan| Op::Apply(Box::new(plan.clone())).by(Actor::CommandLine);
        writer.step(&[apply(&plan)]).await.expect("the step is written");
        type Edit = fn(&mut Draft);
        let edits: [(Edit, bool); 4] = [
            (|draft| draft.challenge.name = "Another name".to_owned(), false),
            (|draft| draft.flags.clear(), true),
            (|draft| draft.hidden = true, true),
            (|draft| draft.challenge.id = ChallengeId::parse("other").expect("an id"), true),
        ];
        for (edit, expected) in edits {
            let before = challenges::revision(writer.db()).await.expect("a revision");
            edit(&mut plan.challenges[0]);
            writer.step(&[apply(&plan)]).await.expect("the step is written");
            let (after, drafts) = challenges::all(writer.db()).await.expect("the challenges");
            assert!(drafts == plan.challenges);
            assert_eq!(after != before, expected, "{}", drafts[0].challenge.id.as_str());
        }
    }

    async fn texts_that_others_changed_after_the_preview_are_changed_back(engine: Engine) {
        let test = TestDb::new(engine).await;
        let clock = Clock::manual(START_MS);
        let mut renamed = plan();
        renamed.challenges[0].challenge.name = "Another name".to_owned();
        let (mut one, mut other) = (writer(&test, &clock).await, writer(&test, &clock).await);
        let apply = |plan: &Plan| Op::Apply(Box::new(plan.clone())).by(Actor::CommandLine);
        one.step(&[apply(&plan())]).await.expect("the step is written");
        one.preview(&plan()).await.expect("it only reads");
        other.step(&[apply(&renamed)]).await.expect("the step is written");
        one.step(&[apply(&plan())]).await.expect("the step is written");
        let (_, drafts) = challenges::all(one.db()).await.expect("the challenges");
        assert!(drafts == plan().challenges, "the name is as planned");
    }

    async fn a_journal_is_read_up_to_a_newer_format_and_then_read_only(engine: Engine) {
        let test = TestDb::new(engine).await;
        let clock = Clock::manual(START_MS);
        let team = seeded(&test, &clock, 2).await[0];
        let (mut stepping, mut tailing) =
            (writer(&test, &clock).await, writer(&test, &clock).await);
        writer(&test, &clock).await.step(&[solve(team)]).await.expect("the solve is written");
        append(&test, r#"{"type":"format","version":99}"#).await;
        append(&test, r#"{"type":"invented_later"}"#).await;
        let written = test.journal().await;
        let last = written.len() as i64 - 2;
        let newer = NewerFormat { seq: last + 1, version: 99 };
        let is_refused = |done: Result<()>| {
            matches!(done, Err(StoreError::NewerFormat(found)) if found == newer)
        };
        // One node writes next, the other reads.
        assert!(is_refused(stepping.step(&[solve(team)]).await.map(drop)));
        assert_eq!(stepping.newer(), None, "earlier entries are not folded yet");
        for node in [&mut stepping, &mut tailing] {
            assert_eq!(node.tail().await.expect("it is read").changes.len(), 2, "start, solve");
            assert_eq!((node.contest().seq(), node.newer()), (last, Some(newer)));
            assert_eq!(node.tail().await.expect("nothing is read").changes, []);
            clock_to(&clock, START_MS + 1000);
            assert!(!node.is_due() && !node.record_next(), "this node does not write the end");
            assert!(is_refused(node.step(&[]).await.map(drop)));
        }
        let db = test.reopen().await;
        let opened = Writer::open(db.clone(), &Key::new(b"secret"), clock.clone()).await;
        assert!(is_refused(opened.map(drop)));
        let data = test.data.path();
        let kept = Writer::open_with_snapshot(db, &Key::new(b"secret"), clock, data).await;
        let kept = kept.expect("it is opened for reading");
        assert_eq!((kept.contest(), kept.newer()), (tailing.contest(), Some(newer)));
        assert_eq!(test.journal().await, written);
    }

    async fn a_changed_row_is_found_by_its_hash(engine: Engine) {
        let test = TestDb::new(engine).await;
        let clock = Clock::manual(START_MS);
        seeded(&test, &clock, 3).await;
        test.execute("update journal set body = replace(body, 'UN', 'IT') where seq = 3").await;
        let opened = Writer::open(test.reopen().await, &Key::new(b"secret"), clock).await;
        let error = opened.err().expect("the database does not open").to_string();
        assert!(error.contains("journal entry 3"), "{error}");
    }

    async fn a_database_of_another_secret_is_refused(engine: Engine) {
        let test = TestDb::new(engine).await;
        let clock = Clock::manual(START_MS);
        seeded(&test, &clock, 1).await;
        let opened = Writer::open(test.reopen().await, &Key::new(b"other"), clock).await;
        let error = opened.err().expect("the database does not open").to_string();
        assert!(error.contains("a different secret"), "{error}");
    }
}

/// PostgreSQL only: SQLite has one writer at a time.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_preview_of_an_action_is_not_in_the_lane_and_does_not_wait_for_its_rows() {
    let test = Arc::new(TestDb::new(Engine::Postgres).await);
    let clock = Clock::manual(START_MS);
    seeded(&test, &clock, 1).await;
    let node = writer(&test, &clock).await;
    let hide = Hide::one(id().as_str().to_owned());
    let order = commands::order(ActionCommand::Do(ready(hide)));
    let seal = Arc::new(node.seal().clone());
    let preview = || async {
        let seen = preview_action(node.db(), &clock, &seal, node.contest(), &order);
        tokio::time::timeout(Duration::from_secs(4), seen).await
    };
    let busy = test.reopen().await.begin(Lock::Journal).await.expect("it begins");
    let seen = preview().await.expect("it does not wait for the lane").expect("it is decided");
    assert!(!seen.expect("it can be hidden").after.is_released(&id()));
    drop(busy);
    // The action would write the row of the revision.
    let holder = test.clone();
    let held = tokio::spawn(async move {
        let sql = "do $$ begin perform from meta for update; perform pg_sleep(3); end $$";
        holder.execute(sql).await;
    });
    let waiting = async { while preview().await.expect("it does not wait for rows").is_ok() {} };
    let found = tokio::time::timeout(Duration::from_millis(2500), waiting).await;
    found.expect("it finds the row locked");
    held.await.expect("the row is free");
    preview().await.expect("it is seen").expect("it is decided").expect("it can be hidden");
}

/// Triggers record the setting of each commit, in the writing transaction.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_commit_on_postgres_waits_for_the_disk_under_any_default() {
    for (default, expected) in [("off", "on"), ("local", "on"), ("remote_apply", "remote_apply")] {
        let test = TestDb::new(Engine::Postgres).await;
        let clock = Clock::manual(START_MS);
        for sql in [
            "create table noted (value text, is_lane boolean)",
            "create function note() returns trigger language plpgsql as $$ begin \
             insert into noted values (current_setting('synchronous_commit'), \
             tg_table_name = 'journal'); return new; end $$",
            "create trigger note after insert on journal for each row execute function note()",
            "create trigger note after insert on sessions for each row execute function note()",
            match default {
                "off" => {
                    "do $$ begin execute format('alter database %I set synchronous_commit = \
                          off', current_database()); end $$"
                }
                "local" => {
                    "do $$ begin execute format('alter database %I set \
                            synchronous_commit = local', current_database()); end $$"
                }
                _ => {
                    "do $$ begin execute format('alter database %I set synchronous_commit = \
                      remote_apply', current_database()); end $$"
                }
            },
        ] {
            test.execute(sql).await;
        }
        let set: Vec<(String,)> = test.rows("select current_setting('synchronous_commit')").await;
        assert_eq!(set, [(default.to_owned(),)], "the server's default is in force");
        let team = seeded(&test, &clock, 1).await[0];
        let mut node = writer(&test, &clock).await;
        node.step(&[solve(team)]).await.expect("the solve is written");
        let db = test.reopen().await;
        flagship_store::sessions::create(&db, "token", team.0, START_MS).await.expect("a session");
        let noted: Vec<(String, bool)> = test.rows("select value, is_lane from noted").await;
        assert!(noted.iter().any(|(_, is_lane)| *is_lane));
        assert!(noted.iter().any(|(_, is_lane)| !is_lane));
        let values: Vec<&str> = noted.iter().map(|(value, _)| value.as_str()).collect();
        let all_waited = values.iter().all(|value| *value == expected);
        assert!(all_waited, "some did not wait, by default {default}: {values:?}");
    }
}
