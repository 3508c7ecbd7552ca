//! Statements that reach the database. During the freeze they do not depend on which submissions
//! are correct. Each test has its own process, so that it sees only its own statements.

use std::fmt::Debug;
use std::sync::Mutex;

use flagship_control::control;
use flagship_game::contest::Attempt;
use flagship_game::{ChallengeId, Event, Reveal, SubmissionRules, TeamId};
use flagship_store::lane::Writer;
use flagship_store::lists::{activity, attempts, evidence, flags, teams};
use flagship_store::ops::{Actor, FlagDigests, Imported, Op, Outcome, Plan, Request};
use flagship_store::wrong_flags::{self, NearMiss};
use flagship_store::{Clock, Key, Lock, sightings};
use flagship_store::{accounts, challenges};
use flagship_testkit::fixtures::{challenge_id, draft};
use flagship_testkit::{Engine, TestDb, numbered_team, on_both_engines, short_event};
use tracing::field::{Field, Visit};
use tracing::span;

const START_MS: i64 = 1_700_000_000_000;

/// Statements since the last call, as logged by sqlx.
static STATEMENTS: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Records each statement.
struct Noting;

impl tracing::Subscriber for Noting {
    fn enabled(&self, metadata: &tracing::Metadata<'_>) -> bool {
        metadata.target() == "sqlx::query"
    }

    fn new_span(&self, _: &span::Attributes<'_>) -> span::Id {
        span::Id::from_u64(1)
    }

    fn record(&self, _: &span::Id, _: &span::Record<'_>) {}

    fn record_follows_from(&self, _: &span::Id, _: &span::Id) {}

    fn event(&self, event: &tracing::Event<'_>) {
        let mut text = Text::default();
        event.record(&mut text);
        // Short statements have only a summary.
        let text = if text.statement.is_empty() { text.summary } else { text.statement };
        STATEMENTS.lock().expect("no test panicked with it").push(text);
    }

    fn enter(&self, _: &span::Id) {}

    fn exit(&self, _: &span::Id) {}
}

/// The text of a statement.
#[derive(Default)]
struct Text {
    summary: String,
    statement: String,
}

impl Visit for Text {
    fn record_str(&mut self, field: &Field, value: &str) {
        match field.name() {
            "summary" => value.clone_into(&mut self.summary),
            "db.statement" => value.trim().clone_into(&mut self.statement),
            _ => {}
        }
    }

    fn record_debug(&mut self, _: &Field, _: &dyn Debug) {}
}

/// Returns the statements since the last call.
fn statements() -> Vec<String> {
    let noted = std::mem::take(&mut *STATEMENTS.lock().expect("no test panicked with it"));
    // The pool opens connections at any time.
    noted.into_iter().filter(|sql| !sql.starts_with("PRAGMA journal_mode")).collect()
}

fn id() -> ChallengeId {
    challenge_id("warm-up")
}

/// An event that is frozen from its start, with one challenge.
fn plan() -> Plan {
    let freeze_ms = Some(START_MS);
    let event = Event { freeze_ms, reveal: Reveal::Manual, ..short_event(START_MS) };
    Plan::new(event, vec![draft("warm-up")])
}

/// A frozen event with teams, and a node.
struct Frozen {
    test: TestDb,
    teams: Vec<TeamId>,
    revision: i64,
}

impl Frozen {
    async fn new(engine: Engine, teams: usize) -> Self {
        Self::with(engine, teams, plan()).await
    }

    async fn with(engine: Engine, teams: usize, plan: Plan) -> Self {
        tracing::subscriber::set_global_default(Noting).expect("each test has its own process");
        let test = TestDb::new(engine).await;
        let mut writer = writer(&test).await;
        let teams = Op::import((0..teams).map(numbered_team).collect()).by(Actor::CommandLine);
        let apply = Op::Apply(Box::new(plan)).by(Actor::CommandLine);
        let step = writer.step(&[apply, teams]).await.expect("the step is written");
        let Outcome::Import(Ok(Imported { ids, .. })) = &step.outcomes[1] else {
            panic!("{step:?}")
        };
        let teams = ids.iter().map(|id| TeamId(*id)).collect();
        writer.record_next();
        writer.step(&[]).await.expect("what is due is written, and the head");
        assert!(writer.contest().hides_new_solves(START_MS), "it is frozen");
        let revision = challenges::revision(&test.db).await.expect("it is read");
        Self { test, teams, revision }
    }

    /// A node after its first step, which reads more.
    async fn node(&self) -> Writer {
        let mut node = writer(&self.test).await;
        node.step(&[]).await.expect("the step is written");
        node
    }

    fn right(&self, team: TeamId) -> Request {
        self.found(team, &[])
    }

    /// A correct flag, with the IDs of the needed flags that it matches.
    fn found(&self, team: TeamId, needed: &[&str]) -> Request {
        let (challenge, digest, revision) = (id(), "cd".repeat(32), self.revision);
        let needed = needed.iter().map(|id| (*id).to_owned()).collect();
        Op::Flag { team, challenge, digest, needed, revision }.by(Actor::Team(team))
    }

    fn wrong(&self, team: TeamId, is_recorded: bool) -> Request {
        let (challenge, digest, revision) = (id(), "ab".repeat(32), self.revision);
        let folded = is_recorded.then(|| "ef".repeat(32));
        let near = Some(NearMiss::Case);
        let of_team = Some(2);
        let network = Some([192, 0, 2, 7].into());
        let digests = FlagDigests { digest, folded, near, of_team, network };
        Op::Wrong { team, challenge, digests, is_recorded, revision }.by(Actor::Team(team))
    }
}

async fn writer(test: &TestDb) -> Writer {
    let db = test.reopen().await;
    let clock = Clock::manual(START_MS);
    Writer::open(db, &Key::new(b"secret"), clock).await.expect("the database opens")
}

on_both_engines! {
    async fn a_step_of_the_freeze_runs_the_same_statements(engine: Engine) {
        let words = "whichever flags of a step are right";
        let is_unlike = control("a_step_of_the_freeze_runs_the_same_statements", words);
        let frozen = Frozen::new(engine, 160).await;
        let mut node = frozen.node().await;
        let mut teams = frozen.teams.iter().copied();
        let mut right_count = 0;
        let mut wrong_count = 0;
        let sizes = [1, 2, 3, 7].into_iter().flat_map(|count| [(count, false), (count, true)]);
        for (count, is_recorded) in sizes {
            let mut seen = Vec::new();
            for right in 0..=count {
                let of_team = |(i, team)| match i < right {
                    true => frozen.right(team),
                    false => frozen.wrong(team, is_recorded),
                };
                let mut requests: Vec<_> =
                    teams.by_ref().take(count).enumerate().map(of_team).collect();
                if is_unlike && right == 0 {
                    requests.pop();
                }
                // The head is recorded in each step.
                node.record_next();
                statements();
                let step = node.step(&requests).await.expect("the step is written");
                seen.push(statements());
                let done = |outcome: &Outcome| match outcome {
                    Outcome::Solve(Ok(Attempt::First)) => (1, 0),
                    Outcome::Wrong(Ok(())) => (0, i64::from(!is_recorded)),
                    other => panic!("{other:?}"),
                };
                for (is_right, is_new) in step.outcomes.iter().map(done) {
                    (right_count, wrong_count) = (right_count + is_right, wrong_count + is_new);
                }
            }
            for other in &seen[1..] {
                assert_eq!(other, &seen[0], "{words}: {count}");
            }
            let inserts = seen[0].iter().filter(|it| it.starts_with("insert into"));
            assert!(inserts.count() >= 4, "one for each table, and the head: {:?}", seen[0]);
        }
        let recorded = wrong_flags::count(&frozen.test.db).await.expect("it counts");
        assert_eq!((frozen.test.solves().await.len(), recorded), (right_count, wrong_count));
        let rows = frozen.test.journal().await;
        assert_eq!(rows.len() as i64, node.contest().seq(), "skipped rows are not inserted");
        writer(&frozen.test).await;
    }

    async fn parts_and_attempts_of_the_freeze_run_the_same_statements(engine: Engine) {
        let words = "whichever flags are parts, solves or attempts";
        let is_unlike = control("parts_and_attempts_of_the_freeze_run_the_same_statements", words);
        let mut limited = draft("warm-up");
        limited.challenge.rules = SubmissionRules {
            needed_flags: ["a", "b"].map(str::to_owned).to_vec(),
            attempts_max: Some(3),
        };
        let plan = Plan::new(plan().event, vec![limited]);
        let frozen = Frozen::with(engine, 40, plan).await;
        let mut node = frozen.node().await;
        let mut teams = frozen.teams.chunks(3);
        for count in 1..=3 {
            let [finders, guessers] = [(); 2].map(|()| teams.next().expect("there are enough"));
            // A part, the same part again, the solve; an attempt, and the same text again.
            let parts = || finders.iter().map(|team| frozen.found(*team, &["a"]));
            let last_parts = || finders.iter().map(|team| frozen.found(*team, &["b"]));
            let guesses = || guessers.iter().map(|team| frozen.wrong(*team, false));
            let steps: [Vec<Request>; 5] = [
                parts().take(count).collect(),
                parts().take(count).collect(),
                last_parts().take(count).collect(),
                guesses().take(count).collect(),
                guesses().take(count).collect(),
            ];
            let mut seen = Vec::new();
            for mut requests in steps {
                if is_unlike && seen.is_empty() {
                    requests.pop();
                }
                node.record_next();
                statements();
                let step = node.step(&requests).await.expect("the step is written");
                seen.push(statements());
                let is_judged = |outcome: &Outcome| match outcome {
                    Outcome::Found(progress) => progress.found == 1,
                    Outcome::Solve(solved) => solved.is_ok(),
                    Outcome::Wrong(counted) => counted.is_ok(),
                    _ => false,
                };
                assert!(step.outcomes.iter().all(is_judged), "{:?}", step.outcomes);
            }
            for other in &seen[1..] {
                assert_eq!(other, &seen[0], "{words}: {count}");
            }
        }
        let left = |team: TeamId| node.contest().attempts_left(team, &id());
        let used = frozen.teams.iter().filter(|team| left(**team) == Some(2)).count();
        assert_eq!((frozen.test.solves().await.len(), used), (6, 6), "a known text counts once");
    }

    async fn the_record_of_the_head_is_written_anew_after_a_wrong_flag(engine: Engine) {
        let frozen = Frozen::new(engine, 4).await;
        let record = async || {
            let sql = "select value from meta where key = 'journal_head'";
            frozen.test.rows::<(String,)>(sql).await.remove(0).0
        };
        let mut node = frozen.node().await;
        node.record_next();
        node.step(&[frozen.right(frozen.teams[0])]).await.expect("the step is written");
        let mut records = vec![record().await];
        for is_right in [false, true, false] {
            let team = frozen.teams[records.len()];
            let sent = if is_right { frozen.right(team) } else { frozen.wrong(team, false) };
            node.step(&[sent]).await.expect("the step is written");
            assert_eq!(Some(&record().await), records.last(), "a second later");
            let words = "a step that only records";
            assert!(node.record_next(), "{words}");
            node.step(&[]).await.expect("the step is written");
            let now = record().await;
            assert!(!records.contains(&now), "{words}: {now}");
            records.push(now);
        }
        writer(&frozen.test).await;
    }

    async fn a_node_reads_as_often_after_a_hidden_solve_as_after_a_wrong_flag(engine: Engine) {
        let words = "whether or not an entry came";
        let reads_again =
            control("a_node_reads_as_often_after_a_hidden_solve_as_after_a_wrong_flag", words);
        let frozen = Frozen::new(engine, 8).await;
        let (mut node, mut other) = (frozen.node().await, frozen.node().await);
        let mut tails = Vec::new();
        let mut steps = Vec::new();
        for (i, team) in frozen.teams.iter().enumerate() {
            let is_right = i % 2 == 1;
            let sent = if is_right { frozen.right(*team) } else { frozen.wrong(*team, false) };
            node.step(std::slice::from_ref(&sent)).await.expect("the step is written");
            statements();
            if i < 4 {
                let tail = other.tail().await.expect("it is read");
                assert_eq!((tail.changes.len(), tail.has_more), (usize::from(is_right), false));
                if is_right && reads_again {
                    other.tail().await.expect("it is read");
                }
                tails.push(statements());
            } else {
                // A step also reads new entries.
                let step = other.step(&[]).await.expect("the step is written");
                assert_eq!(step.changes.len(), usize::from(is_right));
                steps.push(statements());
            }
        }
        for seen in [tails, steps] {
            assert!(!seen[0].is_empty(), "they are noted");
            for other in &seen[1..] {
                assert_eq!(other, &seen[0], "{words}");
            }
        }
    }
}

#[tokio::test]
async fn accounts_of_an_address_are_found_by_an_index() {
    tracing::subscriber::set_global_default(Noting).expect("each test has its own process");
    let test = TestDb::new(Engine::Sqlite).await;
    let mut tx = test.db.begin(Lock::Accounts).await.expect("it begins");
    statements();
    let network = "0".repeat(64);
    accounts::for_address(&mut tx, "ada@example.org", &network, 0).await.expect("it is read");
    accounts::team_of_email(&mut tx, "ada@example.org").await.expect("it is read");
    drop(tx);
    let statements = statements();
    assert_eq!(statements.len(), 4, "{statements:?}");
    let words = "is not in the order of an index";
    for sql in statements {
        let steps: Vec<(i64, i64, i64, String)> =
            test.rows(format!("explain query plan {sql}").leak()).await;
        let is_by_index = |step: &str| step.starts_with("SEARCH accounts USING INDEX");
        assert!(steps.iter().all(|step| is_by_index(&step.3)), "{steps:?} {words}");
    }
}

#[tokio::test]
async fn lists_of_organizers_are_read_in_indexes() {
    tracing::subscriber::set_global_default(Noting).expect("each test has its own process");
    let test = TestDb::new(Engine::Sqlite).await;
    let mut tx = test.db.begin(Lock::Accounts).await.expect("it begins");
    statements();
    teams::contacts(&test.db, &[1, 2]).await.expect("it is read");
    teams::undelivered(&test.db).await.expect("it is read");
    teams::unconfirmed(&test.db).await.expect("it is read");
    attempts::by_team(&test.db, 0, 1).await.expect("it is read");
    attempts::by_minute(&test.db, 0, 1).await.expect("it is read");
    let every = flags::SubmissionFilter::default();
    let challenges = Some(vec!["one".to_owned()]);
    for asked in [
        every.clone(),
        flags::SubmissionFilter { account_id: Some(1), before: Some((9, 9)), ..every.clone() },
        flags::SubmissionFilter { near: Some(vec![NearMiss::Case]), challenges, ..every.clone() },
        flags::SubmissionFilter { network: Some("n".to_owned()), before: Some((9, 9)), ..every },
    ] {
        flags::wrong(&test.db, &asked, 9).await.expect("it is read");
    }
    let texts = [("one".to_owned(), "digest".to_owned())];
    flags::times(&test.db, &texts, 9).await.expect("it is read");
    let one = ChallengeId::from_name("one");
    evidence::right_texts(&test.db).await.expect("it is read");
    wrong_flags::text_usage(&test.db, &one, "digest").await.expect("it is read");
    let exact = challenges::Flag::Exact { digest: "digest".to_owned(), case_insensitive: true };
    wrong_flags::find_accepted_in(&mut tx, &Key::new(b"key"), &one, &[exact])
        .await
        .expect("it is read");
    let before = activity::PageStart { at_ms: 9, id: 9 };
    activity::mails(&test.db, "a@example.org", before, 9).await.expect("it is read");
    activity::questions(&test.db, 1, before, 9).await.expect("it is read");
    sightings::of_team(&test.db, 1).await.expect("it is read");
    sightings::solves_from(&test.db, "n").await.expect("it is read");
    sightings::of_solves(&test.db, &[(1, "one".to_owned())]).await.expect("it is read");
    let mut statements = statements();
    // New connections are set up.
    statements.retain(|sql| !sql.starts_with("PRAGMA"));
    assert_eq!(statements.len(), 21, "{statements:?}");
    let words = "reads a whole table";
    for sql in statements {
        let steps: Vec<(i64, i64, i64, String)> =
            test.rows(format!("explain query plan {sql}").leak()).await;
        // Unconfirmed accounts have their own index. Unsent emails and the requested texts are
        // stored once. Flags are few.
        let is_by_index = |step: &str| {
            let is_once = ["SCAN unsent", "SCAN asked", "SCAN flags"].contains(&step);
            let is_given = step.contains("CONSTANT ROW");
            !step.contains("SCAN") || step.contains("_unconfirmed") || is_once || is_given
        };
        assert!(steps.iter().all(|step| is_by_index(&step.3)), "{steps:?} {words}: {sql}");
    }
}
