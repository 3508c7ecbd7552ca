//! Organizers who send the largest requests of their roles, eight at once, while teams solve and an
//! owner pauses the event. On both databases, and on one processor and on two.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use flagship_load::{self as load, Times, pace};
use flagship_testkit::{Engine, on_both_engines};
use serde_json::{Value, json};
use tokio::sync::watch;
use tokio::task::JoinSet;

use super::{Honest, at_lowest_priority, is_long, organizer_token};
use crate::event::EventFolder;
use crate::process::{Server, TestSite, on_processors};
use crate::until;

const TEAMS: usize = 40;
const CHALLENGES: usize = 20;
/// Correct flags per second, and the number of connections for them.
const FLAGS_PER_S: f64 = 40.0;
const CONNECTIONS: usize = 8;
/// Requests that each attacker has open.
const OPEN: usize = 8;
/// Maximum ratio of the median latency of correct flags under attack to that without an attack.
const RATIO_MAX: f64 = 3.0;
/// Additional latency allowed in the short form, for a busy machine.
const MARGIN_MS: f64 = 1_000.0;
/// Maximum latency of a pause; the second constant is for the short form.
const PAUSE_MAX: Duration = Duration::from_secs(1);
const PAUSE_MAX_SHORT: Duration = Duration::from_secs(10);

/// A path below `/api/organize` with a body.
type Asked = (&'static str, Value);

/// Returns a text of `bytes` bytes that is slow to render.
fn heavy(bytes: usize) -> String {
    let piece = "> - **a** `b` [c](https://d.example/e) <b>f</b> &amp; ![g](h.png)\n";
    piece.repeat(bytes / piece.len())
}

fn action(name: &str, more: Value) -> Asked {
    let mut body = json!({"action": name, "reason": "a test", "preview": true});
    for (key, value) in more.as_object().unwrap() {
        body[key] = value.clone();
    }
    ("actions", body)
}

/// The largest requests of a role.
fn largest(role: &str) -> Vec<Asked> {
    let junk = vec![json!({"a": [1, 2, 3]}); 60_000];
    let text = heavy(63 * 1024);
    let fields = json!({"description": text, "hints": [text]});
    let many = json!({"description": text, "hints": vec![&text; 13]});
    match role {
        "author" => vec![
            action("challenge.edit", json!({"challenge": "c0", "fields": fields})),
            action("challenge.edit", json!({"challenge": "c0", "fields": many})),
            ("challenges/c0/preview", json!({"fields": fields})),
            ("challenges/c0/preview", json!({"fields": {"hints": junk}})),
        ],
        "support" => vec![
            action("question.answer", json!({"question": 1, "text": heavy(7_900)})),
            action("question.answer", json!({"question": 1, "text": junk})),
        ],
        _ => vec![
            action("event.rules", json!({"text": text})),
            action("page.set", json!({"page": "faq", "text": format!("# FAQ\n\n{text}")})),
            action("notice.post", json!({"title": "A", "text": heavy(7_900)})),
            ("texts/preview", json!({"text": text})),
            action("event.rules", json!({"text": junk})),
        ],
    }
}

/// A served event with teams, and a token of each role.
struct Arena {
    site: TestSite,
    server: Server,
    teams: Arc<[String]>,
    /// Number of correct flags submitted so far.
    sent: usize,
}

impl Arena {
    async fn new(engine: Engine, processors: &str) -> Self {
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        for i in 0..CHALLENGES {
            event.challenge(&format!("c{i}"), "type: dynamic\nextra: {initial: 500, minimum: 50}");
        }
        site.apply(&event).await.ok();
        let teams = site.import(TEAMS).await.into();
        let pinned = |command: &mut _| *command = on_processors(processors, command);
        let server = site.serve_with(&event, pinned).await;
        Self { site, server, teams, sent: 0 }
    }

    /// The token of a new organizer.
    async fn token(&self, role: &str) -> String {
        organizer_token(&self.site, role, "c0").await
    }

    /// Submits correct flags for a time; returns their latencies.
    async fn play(&mut self, time: Duration) -> Times {
        let address = self.server.address().parse().unwrap();
        let (stop, stopped) = watch::channel(false);
        let (teams, first) = (self.teams.clone(), self.sent);
        let right = move |number: usize| {
            let (team, challenge) = ((first + number) % TEAMS, (first + number) / TEAMS);
            load::solve(&teams[team], &format!("c{challenge}"), &format!("flag{{c{challenge}}}"))
        };
        let flags = tokio::spawn(pace(address, CONNECTIONS, FLAGS_PER_S, right, stopped));
        tokio::time::sleep(time).await;
        stop.send_replace(true);
        let flags = flags.await.unwrap().expect("correct flags are accepted");
        self.sent += flags.count() as usize;
        flags
    }

    /// Performs an action as the owner; returns its duration.
    async fn owner(&self, token: &str, name: &str) -> Duration {
        let body = json!({"action": name, "reason": "a test"});
        let begun = Instant::now();
        let (status, answer) = self.server.player().with_token(token).action(&body).await;
        assert_eq!(status, 200, "{name}: {answer}");
        begun.elapsed()
    }
}

/// A running attack, on its own thread.
struct Attack {
    stop: Arc<AtomicBool>,
    answers: Arc<AtomicUsize>,
    thread: std::thread::JoinHandle<()>,
}

impl Attack {
    /// Keeps [`OPEN`] requests open all the time.
    async fn begin(server: &Server, token: String, requests: Vec<Asked>) -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let answers = Arc::<AtomicUsize>::default();
        let url = format!("{}/api/organize/", server.url);
        let (stopping, counted) = (stop.clone(), answers.clone());
        let requests: Arc<[(&str, String)]> =
            requests.into_iter().map(|(path, body)| (path, body.to_string())).collect();
        let thread = at_lowest_priority(async move {
            let http = reqwest::Client::builder().no_proxy().build().unwrap();
            let mut open = JoinSet::new();
            for first in 0..OPEN {
                let (http, url, token) = (http.clone(), url.clone(), token.clone());
                let (stop, answers, requests) =
                    (stopping.clone(), counted.clone(), requests.clone());
                open.spawn(async move {
                    for at in first.. {
                        if stop.load(Ordering::Relaxed) {
                            return;
                        }
                        let (path, body) = &requests[at % requests.len()];
                        let call = http.post(format!("{url}{path}")).header("x-api-key", &token);
                        let call = call.header("content-type", "application/json");
                        let answer = call.body(body.clone()).send().await;
                        let status = answer.map_or(0, |answer| answer.status().as_u16());
                        assert!(
                            [200, 404, 408, 413, 422, 503].contains(&status),
                            "{path}: {status}"
                        );
                        answers.fetch_add(1, Ordering::Relaxed);
                    }
                });
            }
            while let Some(ended) = open.join_next().await {
                ended.expect("each request is answered");
            }
        });
        let attack = Self { stop, answers, thread };
        until("the attack runs", async || attack.answers.load(Ordering::Relaxed) >= 2).await;
        attack
    }

    fn end(self) -> usize {
        self.stop.store(true, Ordering::Relaxed);
        self.thread.join().expect("each request is answered");
        self.answers.load(Ordering::Relaxed)
    }
}

on_both_engines! {
    async fn organizers_with_eight_open_requests_slow_nobody(engine: Engine) {
        let words = "the limit is three times the calm";
        let time = Duration::from_secs(if is_long() { 4 } else { 1 });
        let margin_ms = if is_long() { 0.0 } else { MARGIN_MS };
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let all: &[&str] = if is_long() && cores > 1 { &["0", "0,1"] } else { &["0"] };
        for processors in all {
            let mut arena = Arena::new(engine, processors).await;
            let owner = arena.token("owner").await;
            // The first flags are slow, because the server's caches are empty.
            arena.play(time / 2).await;
            let calm_p50 = arena.play(time).await.quantile_ms(0.5);
            for role in ["author", "support", "organizer"] {
                let token = arena.token(role).await;
                let attack = Attack::begin(&arena.server, token, largest(role)).await;
                let p50 = arena.play(time).await.quantile_ms(0.5);
                let pause = arena.owner(&owner, "event.pause").await;
                arena.owner(&owner, "event.resume").await;
                let answers = attack.end();
                println!(
                    "figures: {engine:?}, processors {processors}, {role}: correct flags' p50 \
                     {p50:.1} ms (calm {calm_p50:.1}), a pause {pause:?}; {answers} answers"
                );
                let p50_max = calm_p50 * RATIO_MAX + margin_ms;
                assert!(p50 <= p50_max, "{words}: {role}: {p50:.1} ms, {p50_max:.1} at most");
                let pause_max = if is_long() { PAUSE_MAX } else { PAUSE_MAX_SHORT };
                assert!(pause <= pause_max, "{role}: a pause takes {pause:?}");
            }
            arena.server.stop().await;
        }
    }

    async fn actions_are_answered_with_success_while_previews_take_all_turns(engine: Engine) {
        let words = "what was answered with success is recorded, and nothing else";
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let arena = Arena::new(engine, if cores > 1 { "0,1" } else { "0" }).await;
        let owner = arena.server.player().with_token(&arena.token("owner").await);
        let mut attacks = Vec::new();
        for role in ["author", "organizer"] {
            let token = arena.token(role).await;
            attacks.push(Attack::begin(&arena.server, token, largest(role)).await);
        }
        let honest = Honest::play(arena.server.player());
        let mut answered = Vec::new();
        let mut without_effect = 0;
        for _ in 0..if is_long() { 40 } else { 5 } {
            let award =
                json!({"action": "team.award", "team": "Team 1", "points": 1, "reason": "x"});
            let (status, answer) = owner.action(&award).await;
            assert_eq!(status, 200, "a committed action is a success: {answer}");
            answered.push(answer["id"].as_i64().expect("an id"));
            without_effect += usize::from(answer["effect"].is_null());
        }
        let (_, recorded) = owner.get("/organize/actions").await;
        let recorded = recorded["actions"].as_array().expect("a list").iter();
        let mut recorded: Vec<i64> = recorded
            .filter(|action| action["action"] == "team.award")
            .map(|action| action["id"].as_i64().expect("an id"))
            .collect();
        recorded.sort_unstable();
        answered.sort_unstable();
        assert_eq!(recorded, answered, "{words}");
        let count = answered.len();
        println!("figures: {engine:?}: {count} actions, {without_effect} without effect");
        honest.p99("during previews").await;
        for attack in attacks {
            attack.end();
        }
        arena.server.stop().await;
    }
}
