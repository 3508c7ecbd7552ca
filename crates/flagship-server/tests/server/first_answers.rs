//! The first response after each change that must be hidden from a viewer. Its bytes over TCP must
//! be equal in two worlds that differ only in that change.

use std::sync::Arc;

use flagship_control::control;
use flagship_game::{Event, Reveal, Scoring, TeamId};
use flagship_store::challenges::Draft;
use flagship_testkit::player::{HOUR_MS, draft, event};
use flagship_testkit::{
    Engine, NOW_MS, Raw, Team, TestApp, TestDb, commands, on_both_engines, until,
};

/// SQL for accounts with equal IDs in both worlds, because attachment links contain IDs.
const ACCOUNTS: &str = "insert into accounts \
    (id, name, email, country, student, created_at_ms) values \
    (11, 'Viewer', 'a@example.org', 'IT', false, 1700000000000), \
    (12, 'Late', 'b@example.org', 'FR', false, 1700000000000), \
    (13, 'Latest', 'c@example.org', 'DE', false, 1700000000000), \
    (14, 'Hidden', 'd@example.org', 'DE', false, 1700000000000)";
/// The same journal generation in both worlds, because clients see it.
const GENERATION: &str =
    "insert into meta (key, value) values ('generation', '0123456789abcdef0123456789abcdef')";
/// Number of challenges: enough for a hidden solve before each response.
const CHALLENGES: usize = 100;

/// Two worlds that a viewer must not be able to tell apart.
#[derive(Clone, Copy, PartialEq, Eq)]
enum World {
    Done,
    NotDone,
}

/// A request: path, true if it has the viewer's token, headers.
type Ask = (&'static str, &'static str, bool, Vec<(&'static str, String)>);

/// Every request whose response contains the shared board. `tags` are the entity tags of the board
/// and the feed in each encoding.
fn asks(tags: &[String]) -> Vec<Ask> {
    let encoding = |it: &str| vec![("accept-encoding", it.to_owned())];
    let mut asks: Vec<Ask> = vec![
        ("GET", "/api/scoreboard", true, encoding("identity")),
        ("GET", "/api/scoreboard", true, encoding("gzip")),
        ("GET", "/api/scoreboard", true, encoding("br")),
        ("HEAD", "/api/scoreboard", true, encoding("br")),
        ("GET", "/api/scoreboard/own", true, encoding("br")),
        ("GET", "/api/challenge", true, encoding("br")),
        ("HEAD", "/api/challenge", true, encoding("br")),
        ("GET", "/api/team/Late", false, encoding("br")),
        ("GET", "/api/team/Late", true, encoding("br")),
        ("GET", "/api/ctf", true, encoding("br")),
    ];
    for path in ["/api/scoreboard", "/api/ctftime"] {
        for it in ["identity", "gzip", "br"] {
            asks.push(("GET", path, false, encoding(it)));
        }
        asks.push(("HEAD", path, false, encoding("gzip")));
        asks.extend(tags.iter().map(|tag| {
            let known = ("if-none-match", tag.clone());
            ("GET", path, false, vec![("accept-encoding", "gzip, br".to_owned()), known])
        }));
    }
    asks
}

struct Stage {
    nodes: Vec<TestApp>,
    viewer: Team,
    others: Vec<Team>,
}

fn drafts(count: usize) -> Vec<Draft> {
    let mut drafts: Vec<Draft> = (0..count).map(|i| draft(&format!("c{i}"))).collect();
    for draft in drafts.iter_mut().take(9) {
        draft.challenge.scoring = Scoring::Dynamic { max: 500, min: 50, decay: 15 };
    }
    drafts
}

impl Stage {
    /// Starts one or more nodes on one database.
    async fn new(engine: Engine, event: Event, challenges: usize, nodes: usize) -> Self {
        let test = TestDb::new(engine).await;
        test.execute(ACCOUNTS).await;
        test.execute(GENERATION).await;
        let app = TestApp::playing_on(Arc::new(test), event, drafts(challenges), |config| {
            config.public_url = "http://127.0.0.1".to_owned();
            config.settings.limits.submissions_per_challenge_per_10_s = 0;
            config.settings.limits.submissions_per_team_per_minute = 0;
        })
        .await;
        let mut all = Vec::new();
        let mut teams = Vec::new();
        for _ in 1..nodes {
            all.push(
                app.second_node(|config| {
                    config.public_url = "http://127.0.0.1".to_owned();
                })
                .await,
            );
        }
        all.push(app);
        let solving = all.last().expect("there is one");
        for (id, name) in [(11, "Viewer"), (12, "Late"), (13, "Latest"), (14, "Hidden")] {
            solving.confirm(id).await;
            teams.push(solving.log_in(&solving.player(), name, TeamId(id)).await);
        }
        let viewer = teams.remove(0);
        Self { nodes: all, viewer, others: teams }
    }

    /// The node that gets the requests; the others act on the last one.
    fn asked(&self) -> &TestApp {
        &self.nodes[0]
    }

    /// Waits until the node that gets the requests has processed all changes.
    async fn heard(&self) {
        let done = self.nodes.last().expect("there is one").app.contest().seq();
        let asked = self.asked();
        until("the other node has read all changes", async || asked.app.contest().seq() >= done)
            .await;
    }

    /// Sends every request, each immediately after a call of `before`.
    async fn answers(&self, mut before: impl AsyncFnMut()) -> Vec<(String, Vec<u8>)> {
        let mut tags = Vec::new();
        for path in ["/api/scoreboard", "/api/ctftime"] {
            for it in ["identity", "gzip", "br"] {
                let mut raw = Raw::open(self.asked()).await;
                let answer = raw.ask("GET", path, &[("accept-encoding", it)]).await;
                let head = String::from_utf8_lossy(&answer);
                let tag = head.lines().find_map(|line| line.strip_prefix("etag: "));
                tags.extend(tag.map(str::to_owned));
            }
        }
        tags.sort();
        tags.dedup();
        let mut answers = Vec::new();
        let mut kept = Raw::open(self.asked()).await;
        for (method, path, is_own, headers) in asks(&tags) {
            let mut headers: Vec<(&str, &str)> =
                headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
            headers.extend(is_own.then_some(("x-api-key", self.viewer.token.as_str())));
            for closes in [false, true] {
                before().await;
                let mut fresh = None;
                let connection = if closes {
                    headers.push(("connection", "close"));
                    fresh.insert(Raw::open(self.asked()).await)
                } else {
                    &mut kept
                };
                let answer = connection.ask(method, path, &headers).await;
                answers.push((format!("{method} {path} own {is_own}, closes {closes}"), answer));
            }
        }
        answers
    }
}

/// Responses during the freeze, each immediately after another team's correct or incorrect flag,
/// before and after an own later solve.
async fn in_the_freeze(
    engine: Engine,
    world: World,
    nodes: usize,
    is_party: bool,
) -> Vec<(String, Vec<u8>)> {
    let event = Event { reveal: Reveal::Manual, ..event() };
    let mut it = Stage::new(engine, event, CHALLENGES, nodes).await;
    if is_party {
        it.viewer = it.others[0].clone();
    }
    it.others[1].solves("c0").await;
    it.viewer.solves("c0").await;
    it.nodes.last().expect("there is one").advance(HOUR_MS);
    for node in &it.nodes {
        node.settled().await;
        node.fresh_board().await;
    }
    let mut next = (1..CHALLENGES).flat_map(|i| it.others[..2].iter().map(move |team| (team, i)));
    let mut other_flag = async || {
        let (team, i) = next.next().expect("there are enough");
        let flag = if world == World::Done { format!("flag{{c{i}}}") } else { format!("no{i}") };
        let answer = team.send(&format!("c{i}"), &flag).await;
        assert_eq!(answer.json["correct"], world == World::Done, "{answer:?}");
        it.heard().await;
    };
    let mut all = it.answers(&mut other_flag).await;
    if !is_party {
        it.viewer.solves("c99").await;
    }
    it.heard().await;
    all.extend(it.answers(&mut other_flag).await);
    all
}

/// Responses before the start, each immediately after a change of a hidden challenge.
async fn before_the_start(engine: Engine, world: World, starts: bool) -> Vec<(String, Vec<u8>)> {
    let start_ms = Some(if starts { NOW_MS } else { NOW_MS + HOUR_MS / 2 });
    let event = Event { start_ms, ..event() };
    let it = Stage::new(engine, event, 3, 1).await;
    let app = it.asked();
    app.fresh_board().await;
    let mut shown = true;
    it.answers(async || {
        shown = !shown;
        if world == World::Done {
            app.run(commands::show("c0", shown)).await;
        }
    })
    .await
}

fn assert_same(worlds: [Vec<(String, Vec<u8>)>; 2]) {
    let [done, not_done] = worlds;
    assert_eq!(done.len(), not_done.len());
    for ((what, one), (_, other)) in done.iter().zip(&not_done) {
        let (one, other) = (one.escape_ascii().to_string(), other.escape_ascii().to_string());
        assert_eq!(one, other, "the first response differs: {what}");
    }
}

on_both_engines! {
    async fn a_hidden_solve_does_not_change_the_first_response(engine: Engine) {
        let words = "the first response differs";
        let leaks = control("a_hidden_solve_does_not_change_the_first_response", words);
        for nodes in [1, 2] {
            let worlds = [World::Done, World::NotDone];
            // In the control, the viewer solves a challenge in only one world.
            let [done, not_done] = worlds.map(|world| in_the_freeze(engine, world, nodes, leaks));
            let (done, not_done) = tokio::join!(done, not_done);
            assert_same([done, not_done]);
        }
    }

    async fn an_unseen_change_does_not_change_the_first_response(engine: Engine) {
        let words = "the first response differs";
        let leaks = control("an_unseen_change_does_not_change_the_first_response", words);
        let worlds = [World::Done, World::NotDone];
        // In the control, the event starts, which makes the challenge visible.
        let [done, not_done] = worlds.map(|world| before_the_start(engine, world, leaks));
        let (done, not_done) = tokio::join!(done, not_done);
        assert_same([done, not_done]);
    }
}
