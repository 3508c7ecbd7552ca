//! Random histories of teams and organizers: undone actions leave no trace, a preview predicts what
//! the action does, and a rejected action changes nothing.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use flagship_actions::challenge::draft::{DraftEdit, RequirementRewrite};
use flagship_actions::team::award::Award;
use flagship_actions::{
    Action, Time, challenge, event, hint, notice, read_undo, ready, solve, team as of_team,
};
use flagship_control::control;
use flagship_game::contest::Attempt;
use flagship_game::moves::moves;
use flagship_game::wire::Snapshot;
use flagship_game::{
    ChallengeId, Contest, DivisionRules, Event, Hint, Reveal, Scoring, Secret, StatusKind, TeamId,
    Viewer, division, purchase, view,
};
use flagship_store::challenges::{self, Draft};
use flagship_store::lane::Writer;
use flagship_store::ops::{
    ActionCommand, ActionError, ActionRequest, ActionResult, Actor, Context, FlagDigests, Imported,
    Op, Outcome, Perform, PerformedAction, Plan, preview_action,
};
use flagship_store::sources::{self, Source, StoredSource};
use flagship_store::wrong_flags::{self, WrongFlag};
use flagship_store::{Clock, dump};
use flagship_testkit::fixtures::{self, HOUR_MS, challenge_id, draft, draft_after, exact, key};
use flagship_testkit::{Engine, NOW_MS, TestDb, commands, numbered_team, on_both_engines};
use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use serde_json::{Value, json};

/// Number of steps of a history. In each step, a team or an organizer does something.
const STEPS: usize = 70;
const TEAMS: usize = 5;
const MINUTE_MS: i64 = 60_000;
/// Challenges from files, challenges created by actions, and one that does not exist.
const CHALLENGES: [&str; 9] =
    ["one", "two", "three", "four", "late", "dark", "new-one", "new-two", "nowhere"];

/// Challenge with hints for points.
const HINTED: &str = "one";
/// Challenge that limits attempts.
const LIMITED: &str = "three";

/// A random generator that prints its seed; `FLAGSHIP_TEST_SEED` repeats a run.
fn seeded() -> StdRng {
    let seed = std::env::var("FLAGSHIP_TEST_SEED").ok().and_then(|seed| seed.parse().ok());
    let seed: u64 = seed.unwrap_or_else(rand::random);
    eprintln!("FLAGSHIP_TEST_SEED={seed}");
    StdRng::seed_from_u64(seed)
}

fn source(id: &str, text: &str) -> Source {
    let path = format!("challenges/{id}/challenge.yml");
    Source { path, text: Secret::new(text), files: "[]".to_owned() }
}

/// A free hint, one for points, and one that requires it.
fn hints() -> Vec<Hint> {
    let hint = |id: &str, cost, requirements: &[&str]| Hint {
        id: id.to_owned(),
        html: Some(format!("<p>Text of {id}.</p>")),
        cost,
        requirements: requirements.iter().map(|id| (*id).to_owned()).collect(),
        ..Hint::default()
    };
    vec![hint("free", 0, &[]), hint("cheap", 10, &[]), hint("steep", 40, &["cheap"])]
}

/// Two public divisions of one group, and a private one.
fn divisions() -> Vec<DivisionRules> {
    let divisions = json!([
        {"id": "human", "name": "Without AI", "group": "AI use", "join": "open"},
        {"id": "agents", "name": "Agents", "group": "AI use", "join": "open"},
        {"id": "staff", "name": "Staff", "group": "Other", "join": "organizers", "private": true},
    ]);
    serde_json::from_value(divisions).expect("they fit")
}

fn plan() -> Plan {
    let mut drafts =
        ["one", "two", "three", "late", "dark"].map(draft).into_iter().collect::<Vec<_>>();
    drafts.push(draft_after("four", &["two"]));
    drafts[1].challenge.scoring = Scoring::Dynamic { max: 500, min: 50, decay: 15 };
    drafts[2].challenge.scoring = Scoring::Speedrun { values: vec![300, 200, 100] };
    drafts[0].challenge.hints = hints();
    drafts[2].challenge.rules.attempts_max = Some(5);
    drafts[3].release_at_ms = Some(NOW_MS + HOUR_MS / 2);
    drafts[4].hidden = true;
    let end_ms = Some(NOW_MS + 100 * HOUR_MS);
    let rules = divisions();
    let divisions = division::public(&rules);
    let event = Event { reveal: Reveal::Manual, end_ms, divisions, ..fixtures::event() };
    let sources: HashMap<_, _> = drafts
        .iter()
        .map(|draft| (draft.challenge.id.clone(), source(draft.challenge.id.as_str(), "a text")))
        .collect();
    Plan { sources, divisions: rules, ..Plan::new(event, drafts) }
}

/// A database with an event and teams.
struct World {
    test: TestDb,
    writer: Writer,
    teams: Vec<TeamId>,
}

impl World {
    async fn new(engine: Engine, clock: &Clock) -> Self {
        let test = TestDb::new(engine).await;
        let writer = Writer::open(test.reopen().await, &key(), clock.clone()).await;
        let writer = writer.expect("the database opens");
        let mut world = Self { test, writer, teams: Vec::new() };
        world.run(Op::Apply(Box::new(plan()))).await;
        let teams = Op::import((0..TEAMS).map(numbered_team).collect());
        let Outcome::Import(Ok(Imported { ids, .. })) = world.run(teams).await else {
            panic!("the teams join")
        };
        world.teams = ids.into_iter().map(TeamId).collect();
        // Flags that an edit makes correct.
        let sent = |(team, at_ms): (&TeamId, i64)| {
            ["one", "two"].map(|id| WrongFlag {
                account_id: team.0,
                challenge_id: id.to_owned(),
                at_ms: NOW_MS - at_ms * MINUTE_MS,
                digest: key().flag_digest(id, "another"),
                folded: None,
                near: None,
                of_team: None,
                network: None,
                sealed_text: None,
            })
        };
        let flags: Vec<WrongFlag> = world.teams.iter().take(3).zip(1..).flat_map(sent).collect();
        wrong_flags::record(&world.test.db, &flags).await.expect("it is written");
        world.settle().await;
        world
    }

    async fn run(&mut self, op: Op) -> Outcome {
        let step = self.writer.step(&[op.by(Actor::CommandLine)]).await;
        step.expect("the step is written").outcomes.remove(0)
    }

    /// Runs a step, so that everything due is appended.
    async fn settle(&mut self) {
        self.writer.step(&[]).await.expect("the step is written");
    }

    fn contest(&self) -> &Contest {
        self.writer.contest()
    }

    async fn action(&mut self, order: &ActionRequest) -> Result<Box<PerformedAction>, ActionError> {
        match self.run(Op::Action(Box::new(order.clone()))).await {
            Outcome::Action(done) => done,
            other => panic!("{other:?}"),
        }
    }

    async fn preview(&self, order: &ActionRequest) -> Result<PerformedAction, ActionError> {
        let writer = &self.writer;
        let seal = Arc::new(self.writer.seal().clone());
        let seen = preview_action(writer.db(), writer.clock(), &seal, self.contest(), order).await;
        seen.expect("it is decided")
    }

    /// Rows of all tables without the record of the head, which is written up to a second later.
    async fn dump(&self) -> BTreeMap<String, Vec<String>> {
        let mut snapshot = dump::Snapshot::take(&self.test.db).await.expect("it begins");
        let mut all = BTreeMap::new();
        for table in snapshot.tables().await.expect("they are listed") {
            let mut lines = Vec::new();
            snapshot.write(&table, &mut lines).await.expect("it is read");
            let lines = String::from_utf8(lines).expect("JSON");
            let rows = lines.lines().filter(|row| !row.starts_with("[\"journal_head\""));
            all.insert(table.name, rows.map(str::to_owned).collect());
        }
        all
    }

    /// Outcome of a team's correct submission; `None` if it would be rejected.
    fn judge(&self, team: usize, id: &ChallengeId) -> Option<Attempt> {
        self.contest().judge(self.teams[team], id, self.writer.clock().now_ms()).ok()
    }

    async fn solve(&mut self, team: usize, challenge: &ChallengeId) {
        let (team, challenge) = (self.teams[team], challenge.clone());
        self.run(Op::Solve { team, challenge }).await;
    }

    /// Cost of a hint for a team; `None` if it cannot take the hint now.
    fn hint_cost(&self, team: usize, hint: &str) -> Option<i64> {
        let (team, id, now_ms) =
            (self.teams[team], challenge_id(HINTED), self.writer.clock().now_ms());
        let bought = purchase::purchase(self.contest(), team, &id, hint, None, now_ms);
        bought.ok().filter(|it| it.is_new).map(|it| it.cost)
    }

    async fn take_hint(&mut self, team: usize, hint: &str) {
        let (team, challenge) = (self.teams[team], challenge_id(HINTED));
        let hint = hint.to_owned();
        self.run(Op::Hint { team, challenge, hint, cost_max: None }).await;
    }

    /// True if an incorrect submission for [`LIMITED`] would use an attempt.
    fn uses_attempt(&self, team: usize) -> bool {
        let id = challenge_id(LIMITED);
        self.judge(team, &id) == Some(Attempt::First)
            && self.contest().attempts_left(self.teams[team], &id).is_some_and(|left| left > 0)
    }

    /// Submits an incorrect flag for [`LIMITED`]; no two numbers have the same text.
    async fn guess(&mut self, team: usize, number: usize) {
        let (team, challenge) = (self.teams[team], challenge_id(LIMITED));
        let digest = key().flag_digest(LIMITED, &format!("incorrect {number}"));
        let digests = FlagDigests { digest, ..FlagDigests::default() };
        let revision = challenges::revision(&self.test.db).await.expect("it is read");
        self.run(Op::Wrong { team, challenge, digests, is_recorded: false, revision }).await;
    }

    /// The sorted memberships of teams in divisions, public and private ones.
    async fn memberships(&self) -> Vec<String> {
        let mut rows = self.dump().await.remove("team_divisions").expect("there is such a table");
        rows.sort();
        rows
    }
}

/// Everything that viewers see of a contest, without the times of organizers' actions.
fn seen(contest: &Contest) -> Vec<String> {
    let mut teams: Vec<_> = contest.teams().collect();
    teams.sort_by(|a, b| a.name.cmp(&b.name));
    let own = teams.iter().map(|team| Viewer::Team(team.id));
    let board = |viewer| {
        let board = view::board(contest, viewer);
        serde_json::to_string(&Snapshot { board: &board, seq: 0, generation: "" }).expect("JSON")
    };
    let viewers = [Viewer::Public, Viewer::Organizer].into_iter().chain(own);
    let mut all: Vec<String> = viewers.map(board).collect();
    let public = view::board(contest, Viewer::Public);
    for team in teams {
        for card in view::cards(&public, contest, team.id) {
            let (kind, note) = (card.status.kind, &card.status.note);
            let challenge = serde_json::to_string(card.challenge).expect("JSON");
            let (locked, count, first_ms) = (card.is_locked, card.nsolves, card.first_ms);
            let status = format!("{kind:?} {note:?} {locked} {count} {first_ms}");
            let progress = contest.challenge_progress(team.id, &card.challenge.id);
            let used = progress.map_or(0, |progress| progress.used);
            all.push(format!("{}: {challenge} {status} {used}", team.name));
        }
    }
    for notice in view::notices(contest).filter(|it| it.withdrawn_at_ms.is_none()) {
        all.push(format!("{} {} {:?}", notice.title, notice.html, notice.challenge));
    }
    all.push(format!("{:?} {}", contest.event(), contest.is_paused()));
    all
}

fn pick<'a, T: ?Sized>(rng: &mut StdRng, of: &[&'a T]) -> &'a T {
    of.choose(rng).expect("there are some")
}

fn any_challenge(rng: &mut StdRng) -> ChallengeId {
    challenge_id(pick(rng, &CHALLENGES))
}

/// Name of a team, rarely one that does not exist.
fn any_team(rng: &mut StdRng, contest: &Contest) -> String {
    let mut names: Vec<&str> = contest.teams().map(|team| &*team.name).collect();
    names.sort_unstable();
    names.push("nobody");
    pick(rng, &names).to_owned()
}

fn team_action(rng: &mut StdRng, team: String) -> Arc<dyn Perform> {
    match rng.random_range(0..11) {
        9 | 10 => {
            let lists: [&[&str]; 6] = [
                &[],
                &["human"],
                &["agents", "staff"],
                &["staff"],
                &["human", "agents"],
                &["nothing"],
            ];
            let divisions = lists.choose(rng).expect("there are some");
            let divisions = divisions.iter().map(|id| (*id).to_owned()).collect();
            ready(of_team::divisions::Divisions { team, divisions })
        }
        0 | 1 => ready(of_team::ban::Ban { team }),
        2 => ready(of_team::unban::Unban { team }),
        3 => ready(of_team::hide::Hide::one(team)),
        4 => ready(of_team::show::Show::one(team)),
        5 => {
            let points = *[-60, 0, 5, 70, 900_000_000].choose(rng).expect("there are some");
            ready(Award { team, points })
        }
        6 => {
            let country = pick(rng, &["IT", "FR", "UN"]).to_owned();
            ready(of_team::country::Country { team, country })
        }
        _ => {
            let name = pick(rng, &["Ants", "Bees", "Crabs", "Ducks", "team number 1"]).to_owned();
            ready(of_team::rename::Rename { team, name, offensive: rng.random_bool(0.5) })
        }
    }
}

fn challenge_action(rng: &mut StdRng, now_ms: i64) -> Arc<dyn Perform> {
    let challenge = any_challenge(rng).to_string();
    match rng.random_range(0..7) {
        0 | 1 => {
            let at_ms = rng.random_bool(0.4).then(|| now_ms + rng.random_range(-1..30) * MINUTE_MS);
            let mut challenges = BTreeSet::from([challenge]);
            if rng.random_bool(0.3) {
                challenges.insert(any_challenge(rng).to_string());
            }
            let challenges = challenges.into_iter().collect();
            let at = at_ms.map(|ms| Time { ms });
            ready(challenge::release::Release { challenge: None, challenges, at })
        }
        2 | 3 => ready(challenge::hide::Hide::one(challenge)),
        4 => {
            let status = [StatusKind::Works, StatusKind::Broken, StatusKind::Fixed];
            let status = *status.choose(rng).expect("there are some");
            let note = pick(rng, &["", "no network", "two\nlines"]).to_owned();
            ready(challenge::status::Status { challenge, status, note })
        }
        _ => ready(challenge::rejudge::Rejudge { challenge }),
    }
}

fn event_action(rng: &mut StdRng, now_ms: i64) -> Arc<dyn Perform> {
    match rng.random_range(0..5) {
        0 => ready(event::pause::Pause {}),
        1 | 2 => ready(event::resume::Resume { moves: rng.random_bool(0.7) }),
        _ => {
            let mut time = |at_ms: i64| {
                let is_given = rng.random_bool(0.4);
                is_given.then(|| Time { ms: at_ms + rng.random_range(-40..40) * MINUTE_MS })
            };
            let (start, freeze) = (time(NOW_MS - HOUR_MS), time(now_ms));
            let end = time(now_ms + HOUR_MS);
            ready(event::times::Times { start, freeze, end })
        }
    }
}

fn notice_action(rng: &mut StdRng, now_ms: i64, notices: &[i64]) -> Arc<dyn Perform> {
    let title = pick(rng, &["Lunch", "Dinner"]).to_owned();
    let text = "text".to_owned();
    let html = pick(rng, &["<p>a</p>", "<p>b</p>"]).to_owned();
    let notice = notices.choose(rng).copied().unwrap_or(1);
    match rng.random_range(0..4) {
        0 | 1 => {
            let about = rng.random_bool(0.3).then(|| any_challenge(rng));
            let challenge = about.map(|id| id.to_string());
            let is_later = rng.random_bool(0.5);
            let at = is_later.then(|| Time { ms: now_ms + rng.random_range(1..20) * MINUTE_MS });
            let urgent = false;
            let until = None;
            ready(notice::post::Post { title, text, challenge, urgent, until, at, html })
        }
        2 => ready(notice::correct::Correct { notice, title, text, html }),
        _ => ready(notice::withdraw::Withdraw { notice }),
    }
}

/// `challenge.edit` or `hint.free` with a text that is in no file.
struct Edited(DraftEdit, &'static str);

impl Perform for Edited {
    fn name(&self) -> &'static str {
        self.1
    }

    fn is_about_an_account(&self) -> bool {
        false
    }

    fn arguments(&self) -> Value {
        json!({"challenge": self.0.draft.challenge.id})
    }

    fn perform<'a>(
        &'a self,
        context: &'a mut Context<'_>,
    ) -> BoxFuture<'a, ActionResult<Option<String>>> {
        async move {
            let undo = self.0.perform(context).await?;
            Ok(undo.map(|undo| serde_json::to_string(&undo).expect("plain data")))
        }
        .boxed()
    }
}

/// A history in progress.
struct History {
    rng: StdRng,
    clock: Clock,
    /// The event with actions.
    world: World,
    /// All performed actions, oldest first.
    actions: Vec<i64>,
    /// Actions that can still be undone.
    standing: Vec<i64>,
    notices: Vec<i64>,
    /// Objects of all actions.
    objects: BTreeSet<String>,
}

impl History {
    async fn new(engine: Engine) -> Self {
        let clock = Clock::manual(NOW_MS);
        let world = World::new(engine, &clock).await;
        let actions = Vec::new();
        let standing = Vec::new();
        let notices = Vec::new();
        let objects = BTreeSet::new();
        Self { rng: seeded(), clock, world, actions, standing, notices, objects }
    }

    fn advance(&mut self, by_ms: i64) {
        let Clock::Manual(now) = &self.clock else { panic!("it is manual") };
        now.fetch_add(by_ms, Ordering::SeqCst);
    }

    /// Next action of an organizer, valid or not.
    async fn next(&mut self) -> ActionRequest {
        let order = match self.actions.choose(&mut self.rng) {
            Some(id) if self.rng.random_bool(0.1) => undo(*id),
            _ => commands::order(ActionCommand::Do(self.next_action().await)),
        };
        let is_confirmed = self.rng.random_bool(0.8);
        ActionRequest { reason: "why".to_owned(), is_confirmed, ..order }
    }

    async fn next_action(&mut self) -> Arc<dyn Perform> {
        let (rng, now_ms, contest) = (&mut self.rng, self.clock.now_ms(), self.world.contest());
        match rng.random_range(0..12) {
            0..3 => {
                let team = any_team(rng, contest);
                team_action(rng, team)
            }
            3 => challenge_action(rng, now_ms),
            4 if rng.random_bool(0.5) => {
                let challenge = if rng.random_bool(0.8) { LIMITED } else { "nowhere" }.to_owned();
                let team = any_team(rng, contest);
                ready(challenge::attempts::Attempts { challenge, team })
            }
            4 => challenge_action(rng, now_ms),
            5 => event_action(rng, now_ms),
            6 => notice_action(rng, now_ms, &self.notices),
            7 => {
                let team = rng.random_bool(0.6).then(|| any_team(rng, contest));
                let challenge = any_challenge(rng).to_string();
                ready(solve::withdraw::Withdraw { team, challenge })
            }
            8 | 9 => {
                let (team, challenge) = (any_team(rng, contest), any_challenge(rng).to_string());
                let at = Time { ms: now_ms - rng.random_range(-2..50) * MINUTE_MS };
                ready(solve::count::Count { team, challenge, at })
            }
            _ if rng.random_bool(0.3) => self.free_hint().await,
            _ => self.next_edit().await,
        }
    }

    /// Makes a hint for points free, or removes all hints, of which some are taken.
    async fn free_hint(&mut self) -> Arc<dyn Perform> {
        let is_removed = self.rng.random_bool(0.3);
        self.changed(&challenge_id(HINTED), hint::free::Free::RULE.name, |draft| {
            let hints = &mut draft.challenge.hints;
            match hints.iter_mut().find(|hint| hint.cost > 0) {
                Some(hint) if !is_removed => hint.cost = 0,
                _ if is_removed => hints.clear(),
                _ => *hints = self::hints(),
            }
        })
        .await
    }

    /// An edited or new challenge; sometimes based on an outdated text, or with points that the
    /// journal rejects.
    async fn next_edit(&mut self) -> Arc<dyn Perform> {
        let id = any_challenge(&mut self.rng);
        self.edit(&id).await
    }

    async fn edit(&mut self, id: &ChallengeId) -> Arc<dyn Perform> {
        self.changed(id, challenge::edit::Edit::RULE.name, |_| {}).await
    }

    async fn changed(
        &mut self,
        id: &ChallengeId,
        action: &'static str,
        change: impl FnOnce(&mut Draft),
    ) -> Arc<dyn Perform> {
        let db = self.world.writer.db();
        let (_, drafts) = challenges::all(db).await.expect("they are read");
        let kept = sources::all(db, self.world.writer.seal()).await.expect("they are read");
        let rng = &mut self.rng;
        let of = kept.iter().find(|kept| kept.challenge == *id);
        let was = of.map(|kept| match rng.random_bool(0.9) {
            true => kept.version(),
            false => "another".to_owned(),
        });
        let text = format!("text {}", rng.random_range(0..1_000));
        let old = drafts.into_iter().find(|draft| draft.challenge.id == *id);
        let mut draft = old.unwrap_or_else(|| draft(id.as_str()));
        draft.challenge.description.clone_from(&text);
        draft.challenge.scoring = match rng.random_range(0..5) {
            0 => Scoring::Static { max: i64::MAX },
            1 => Scoring::Static { max: 150 },
            2 => Scoring::Dynamic { max: 300, min: 20, decay: 5 },
            _ => draft.challenge.scoring,
        };
        let texts: &[&str] = if rng.random_bool(0.5) { &["flag", "another"] } else { &["flag"] };
        draft.flags = texts.iter().map(|text| exact(id.as_str(), text)).collect();
        change(&mut draft);
        let source = source(id.as_str(), &text);
        let keys = vec!["value".to_owned()];
        let others = kept.iter().filter(|kept| kept.challenge != *id && rng.random_bool(0.3));
        let named = |kept: &StoredSource| RequirementRewrite {
            challenge: kept.challenge.clone(),
            source: self::source(kept.challenge.as_str(), &format!("{text}, by id")),
            was: kept.version(),
        };
        let naming = others.map(named).collect();
        Arc::new(Edited(DraftEdit { draft, source, was, keys, naming }, action))
    }

    async fn action(&mut self, order: &ActionRequest) -> Result<Box<PerformedAction>, ActionError> {
        let done = self.world.action(order).await?;
        self.actions.push(done.record.id);
        if done.is_undoable {
            self.standing.push(done.record.id);
        }
        self.objects.extend(done.record.object.split(',').map(str::to_owned));
        self.standing.retain(|id| Some(*id) != done.record.undoes);
        if let Some(notice) = done.record.object.strip_prefix("notice ") {
            self.notices.push(notice.parse().expect("a number"));
        }
        Ok(done)
    }

    /// A random team makes a correct submission, takes a hint, or uses an attempt.
    async fn solve(&mut self) {
        let (team, id) = (self.rng.random_range(0..TEAMS), any_challenge(&mut self.rng));
        match self.rng.random_range(0..5) {
            0 => self.world.take_hint(team, pick(&mut self.rng, &["cheap", "steep"])).await,
            1 => self.world.guess(team, self.clock.now_ms() as usize).await,
            _ => self.world.solve(team, &id).await,
        }
    }

    /// A random team takes a hint or uses an attempt, here and in the world without actions, if it
    /// can do so in both.
    async fn take_or_guess(&mut self, without: &mut World) {
        let team = self.rng.random_range(0..TEAMS);
        if self.rng.random_bool(0.5) {
            let hint = pick(&mut self.rng, &["cheap", "steep"]);
            let cost = self.world.hint_cost(team, hint);
            if cost.is_some() && cost == without.hint_cost(team, hint) {
                self.world.take_hint(team, hint).await;
                without.take_hint(team, hint).await;
            }
        } else if self.world.uses_attempt(team) && without.uses_attempt(team) {
            let number = self.clock.now_ms() as usize;
            self.world.guess(team, number).await;
            without.guess(team, number).await;
        }
    }
}

/// Compares line by line, so that a failure shows the difference.
#[track_caller]
fn are_alike(one: &[String], other: &[String], words: &str) {
    for (one, other) in one.iter().zip(other) {
        assert_eq!(one, other, "{words}");
    }
    assert_eq!(one.len(), other.len(), "{words}");
}

fn undo(id: i64) -> ActionRequest {
    commands::order(ActionCommand::Undo { id, read: read_undo })
}

fn note(team: &str) -> Op {
    commands::command(of_team::note::Note { team: team.to_owned(), text: "loud".to_owned() })
}

fn both_boards(contest: &Contest) -> [flagship_game::Board; 2] {
    [Viewer::Public, Viewer::Organizer].map(|viewer| view::board(contest, viewer))
}

/// Effect of an action, without random ids.
fn effect(acted: &PerformedAction) -> Vec<String> {
    let [before, after] = [&acted.before, &acted.after].map(both_boards);
    let mut all = seen(&acted.before);
    all.extend(seen(&acted.after));
    let pairs = before.iter().zip(&after);
    all.extend(pairs.map(|(before, after)| format!("{:?}", moves(before, after))));
    let record = &acted.record;
    let object = if record.action == "notice.post" { "" } else { &record.object };
    let (seqs, undoes) = ((record.first_seq, record.last_seq), record.undoes);
    let (undoable, head) = (acted.is_undoable, acted.head);
    let about = format!("{} {object} {seqs:?} {undoes:?} {undoable} {head}", record.action);
    all.push(about);
    all
}

on_both_engines! {
    async fn undone_actions_leave_no_trace(engine: Engine) {
        let mut history = History::new(engine).await;
        let mut without = World::new(engine, &history.clock).await;
        let first = Award { team: "team number 0".to_owned(), points: 7 };
        let first = commands::order(ActionCommand::Do(ready(first)));
        history.action(&first).await.expect("it is done");
        for _ in 0..STEPS {
            let by_ms = history.rng.random_range(0..4 * MINUTE_MS);
            history.advance(by_ms);
            history.world.settle().await;
            without.settle().await;
            if history.rng.random_bool(0.6) {
                let order = history.next().await;
                // Some are rejected.
                drop(history.action(&order).await);
                continue;
            }
            if history.rng.random_bool(0.4) {
                history.take_or_guess(&mut without).await;
                continue;
            }
            let team = history.rng.random_range(0..TEAMS);
            let id = any_challenge(&mut history.rng);
            // Only where actions do not affect the outcome: an undo does not reconsider submissions
            // that actions allowed or prevented.
            let judged = [history.world.judge(team, &id), without.judge(team, &id)];
            let of_action = format!("solve {} {id}", history.world.teams[team].0);
            let counts = match judged {
                // A credited and withdrawn solve is replaced by the credited one.
                [Some(Attempt::First), Some(Attempt::First)] => {
                    !history.objects.contains(&of_action)
                }
                [Some(Attempt::First), Some(_)] => true,
                _ => false,
            };
            if counts {
                history.world.solve(team, &id).await;
                without.solve(team, &id).await;
            }
        }
        let words = "all is as without the actions";
        if control("undone_actions_leave_no_trace", words) {
            history.standing.remove(0);
        }
        while let Some(id) = history.standing.pop() {
            history.world.action(&undo(id)).await.expect("the newest one can be undone");
        }
        for by_ms in [0, HOUR_MS] {
            history.advance(by_ms);
            history.world.settle().await;
            without.settle().await;
            are_alike(&seen(history.world.contest()), &seen(without.contest()), words);
        }
        are_alike(&history.world.memberships().await, &without.memberships().await, words);
    }

    async fn an_undone_edit_keeps_the_visibility_of_its_challenge(engine: Engine) {
        let mut history = History::new(engine).await;
        let shown = |history: &History, id: &str| {
            history.world.contest().is_released(&challenge_id(id))
        };
        for (id, is_shown) in [("one", true), ("dark", false)] {
            let challenge = id.to_owned();
            let hold = match is_shown {
                true => ready(challenge::hide::Hide::one(challenge)),
                false => {
                    let challenges = vec![challenge];
                    ready(challenge::release::Release { challenge: None, challenges, at: None })
                }
            };
            let held = history.action(&commands::order(ActionCommand::Do(hold))).await;
            let held = held.expect("it is done").record.id;
            assert_eq!(shown(&history, id), !is_shown, "{id}");
            // Some edits are rejected.
            let edited = loop {
                let edit = history.edit(&challenge_id(id)).await;
                let done = history.action(&commands::order(ActionCommand::Do(edit))).await;
                if let Ok(done) = done {
                    break done.record.id;
                }
            };
            for undone in [held, edited] {
                history.action(&undo(undone)).await.expect("it is undone");
                assert_eq!(shown(&history, id), is_shown, "{id} after the undo of {undone}");
            }
        }
    }

    async fn a_preview_predicts_the_action_and_changes_nothing(engine: Engine) {
        let mut history = History::new(engine).await;
        let words = "the preview predicts the action";
        let mut is_other =
            control("a_preview_predicts_the_action_and_changes_nothing", words);
        let mut count = 0;
        for _ in 0..STEPS {
            let by_ms = history.rng.random_range(0..4 * MINUTE_MS);
            history.advance(by_ms);
            history.solve().await;
            let order = history.next().await;
            let before = history.world.dump().await;
            let preview = history.world.preview(&order).await;
            assert_eq!(history.world.dump().await, before, "a preview changes nothing");
            // The rejection does not depend on the points.
            if preview.is_ok() && std::mem::take(&mut is_other) {
                history.world.run(commands::award("team number 0", 3)).await;
            }
            let done = history.action(&order).await;
            let preview = preview.map(|acted| effect(&acted));
            count += usize::from(done.is_ok());
            assert_eq!(preview, done.map(|acted| effect(&acted)), "{words}");
        }
        assert!(count > STEPS / 6, "{count} actions were done");
    }

    async fn a_refused_action_leaves_nothing_behind(engine: Engine) {
        let mut history = History::new(engine).await;
        let words = "a rejected action changes nothing";
        let mut is_other = control("a_refused_action_leaves_nothing_behind", words);
        let mut count = 0;
        for _ in 0..STEPS {
            let by_ms = history.rng.random_range(0..4 * MINUTE_MS);
            history.advance(by_ms);
            history.solve().await;
            let order = history.next().await;
            let before = history.world.dump().await;
            let Err(error) = history.action(&order).await else { continue };
            if std::mem::take(&mut is_other) {
                history.world.run(commands::award("team number 0", 3)).await;
            }
            let after = history.world.dump().await;
            assert_eq!(after, before, "{words}: {error:?}");
            count += 1;
            // The same holds in a step with other operations.
            let noted = history.world.contest().teams().next().expect("a team").name.to_string();
            let refused = Op::Action(Box::new(order));
            let ops = [note(&noted), refused, note(&noted)].map(|op| op.by(Actor::CommandLine));
            let step = history.world.writer.step(&ops).await.expect("the step is written");
            let refusals: Vec<bool> = step.outcomes.iter().map(Outcome::is_refused).collect();
            assert_eq!(refusals, [false, true, false], "{error:?}");
            let (mut shared, mut before) = (history.world.dump().await, after);
            for table in ["actions", "action_objects", "notes"] {
                let rows = |of: &BTreeMap<String, Vec<String>>| of[table].len();
                assert_eq!(rows(&shared), rows(&before) + 2, "{table}: {error:?}");
                shared.remove(table);
                before.remove(table);
            }
            assert_eq!(shared, before, "{words}, with others: {error:?}");
        }
        assert!(count > STEPS / 6, "{count} actions were refused");
    }
}
