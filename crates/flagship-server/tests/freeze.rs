//! The freeze over HTTP and the live channel: two worlds that differ only in what others solved
//! after it are the same to a viewer, byte for byte, until the reveal.

use std::sync::Arc;

use flagship_game::{Attachment, Event, Reveal, Scoring, TeamId};
use flagship_store::challenges::Draft;
use flagship_store::lane::{Op, Outcome, TeamChange};
use flagship_testkit::player::{HOUR_MS, challenge_id, draft, draft_after, event, row};
use flagship_testkit::{Engine, NOW_MS, Player, Socket, Team, TestApp, TestDb, on_both_engines};
use serde_json::{Value, json};

/// Accounts of the same ids in both worlds: ids are in the links of attachments.
const ACCOUNTS: &str = "insert into accounts \
    (id, name, email, country, student, created_at_ms) values \
    (11, 'Viewer', 'a@example.org', 'IT', false, 0), \
    (12, 'Early', 'b@example.org', 'FR', false, 0), \
    (13, 'Late', 'c@example.org', 'DE', false, 0), \
    (14, 'Latest', 'd@example.org', 'UN', false, 0), \
    (15, 'Newcomer', 'e@example.org', 'UN', false, 0)";
/// The same journal's name in both worlds, as clients see it.
const GENERATION: &str =
    "insert into meta (key, value) values ('generation', '0123456789abcdef0123456789abcdef')";

/// What the two worlds differ in: whether the others' later flags are right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum World {
    Solved,
    Guessed,
}

struct Frozen {
    app: TestApp,
    viewer: Team,
    early: Team,
    late: Team,
    latest: Team,
}

fn drafts() -> Vec<Draft> {
    let mut drafts =
        vec![draft("one"), draft("two"), draft("three"), draft_after("four", &["two"])];
    drafts[0].challenge.scoring = Scoring::Dynamic { max: 500, min: 50, decay: 15 };
    drafts[1].challenge.scoring = Scoring::Speedrun { values: vec![300, 200, 100] };
    let attachment = Attachment { name: "a.txt".into(), digest: "ab".repeat(32), bytes: 3 };
    for draft in &mut drafts {
        draft.challenge.attachments.push(attachment.clone());
    }
    drafts
}

async fn frozen(engine: Engine, reveal: Reveal) -> Frozen {
    let test = TestDb::new(engine).await;
    test.execute(ACCOUNTS).await;
    test.execute(GENERATION).await;
    let event = Event { reveal, ..event() };
    let app = TestApp::playing_on(Arc::new(test), event, drafts(), |config| {
        config.public_url = "http://127.0.0.1".to_owned();
    })
    .await;
    let mut teams = Vec::new();
    let player = app.player();
    for (id, name) in [(11, "Viewer"), (12, "Early"), (13, "Late"), (14, "Latest")] {
        app.run(Op::Join { account: id }).await;
        teams.push(app.log_in(&player, name, TeamId(id)).await);
    }
    let [viewer, early, late, latest] =
        <[Team; 4]>::try_from(teams).unwrap_or_else(|_| unreachable!("there are four"));
    early.solves("one").await;
    app.advance(10);
    viewer.solves("one").await;
    late.solves("three").await;
    app.advance(HOUR_MS - 11);
    late.solves("one").await;
    app.advance(1);
    app.settled().await;
    Frozen { app, viewer, early, late, latest }
}

impl Frozen {
    /// What the others do after the freeze: the same requests in both worlds, of the same length.
    async fn others(&self, world: World, solves: &[(&Team, &str)]) {
        for (team, id) in solves {
            self.app.advance(7);
            let flag = match world {
                World::Solved => format!("flag{{{id}}}"),
                World::Guessed => format!("flag[{id}]"),
            };
            let answer = team.send(id, &flag).await;
            // Who has guessed in vain may find the next challenge locked.
            let (correct, locked) = (world == World::Solved, answer.status == 403);
            assert!(answer.json["correct"] == correct || (locked && !correct), "{answer:?}");
        }
    }

    /// All that a viewer can be answered, headers included, in a text.
    async fn answers(&self, who: &Player) -> String {
        let paths = [
            "/scoreboard",
            "/challenge",
            "/ctftime",
            "/ctf",
            "/rules",
            "/team/Viewer",
            "/team/Early",
            "/team/Late",
            "/team/Latest",
        ];
        let mut all = String::new();
        for path in paths {
            let answer = who.get(path).await;
            assert!(answer.status == 200 || path == "/challenge", "{path}: {answer:?}");
            let mut headers: Vec<String> = answer
                .headers
                .iter()
                .filter(|(name, _)| *name != "date")
                .map(|(name, value)| format!("{name}: {value:?}"))
                .collect();
            headers.sort();
            all += &format!("{path} {} {headers:?} {}\n", answer.status, answer.json);
        }
        all
    }
}

/// What a viewer gets over HTTP and on sockets, in a world: once before any own later solve, once
/// after some.
async fn seen(engine: Engine, world: World) -> Vec<(&'static str, String)> {
    let event = frozen(engine, Reveal::Manual).await;
    let anonymous = event.app.player();
    let viewer = &event.viewer;
    let (mut world_socket, world_first) = Socket::watching(&event.app).await;
    let (mut own_socket, own_first) = viewer.watching(&event.app).await;
    let (mut resuming, _) = Socket::watching(&event.app).await;
    let resume = json!({"action": "getscoreboard", "since": world_first["seq"],
        "generation": world_first["generation"]});
    resuming.say(&resume).await;

    let (early, late, latest) = (&event.early, &event.late, &event.latest);
    event.others(world, &[(latest, "one"), (late, "two"), (latest, "two")]).await;
    let mut seen = vec![
        ("first snapshot, anonymous", world_first.to_string()),
        ("first snapshot, own", own_first.to_string()),
        ("anonymous, without own solves", event.answers(&anonymous).await),
        ("viewer, without own solves", event.answers(&viewer.player).await),
    ];
    event.app.advance(1_000);
    viewer.solves("two").await;
    event.others(world, &[(early, "two"), (early, "three"), (latest, "three")]).await;
    viewer.solves("four").await;
    event.others(world, &[(late, "four"), (latest, "four")]).await;
    seen.push(("viewer, with own solves", event.answers(&viewer.player).await));
    seen.push(("anonymous, after the viewer's solves", event.answers(&anonymous).await));
    let missing = viewer.send("none", "flag{none}").await;
    seen.push(("an unknown challenge", format!("{} {}", missing.status, missing.json)));

    // What comes last is public: all that was sent before it is in the sockets by then.
    event.app.run(Op::Join { account: 15 }).await;
    for (what, socket) in [
        ("live, anonymous", &mut world_socket),
        ("live, own", &mut own_socket),
        ("live, resuming", &mut resuming),
    ] {
        let mut texts = Vec::new();
        while !texts.last().is_some_and(|text: &String| text.contains("newteam")) {
            texts.push(socket.next_text().await);
        }
        seen.push((what, texts.join("\n")));
    }
    event.app.fresh_board().await;
    let (_, later) = viewer.watching(&event.app).await;
    seen.push(("a later snapshot, own", later.to_string()));
    let mut again = Socket::open(&event.app).await;
    let mut resume = resume;
    resume["token"] = json!(viewer.token);
    again.say(&resume).await;
    seen.push(("resuming with a token", again.next_text().await));
    let award = TeamChange::Award { points: 5, reason: "x".to_owned() };
    event.app.run(Op::Team { name: "Early".to_owned(), change: award }).await;
    seen.push(("a pushed snapshot", own_socket.next_text().await));
    seen.push(("after an award", event.answers(&viewer.player).await));
    seen
}

async fn ban(app: &TestApp, name: &str, change: TeamChange) {
    app.run(Op::Team { name: name.to_owned(), change }).await;
}

/// The rows of teams that solved a challenge, by the viewer's board.
fn cell(board: &Value, team: &str, id: &str) -> Value {
    let columns = board["challenges"].as_array().expect("columns");
    let place = columns.iter().position(|column| column["id"] == id).expect("a column");
    row(board, team).expect("a row")[2][place.to_string()].clone()
}

on_both_engines! {
    async fn two_worlds_are_one_to_a_viewer_in_the_freeze(engine: Engine) {
        let (solved, guessed) =
            tokio::join!(seen(engine, World::Solved), seen(engine, World::Guessed));
        assert_eq!(solved.len(), guessed.len());
        for ((what, solved), (_, guessed)) in solved.iter().zip(&guessed) {
            assert_eq!(solved, guessed, "{what}");
        }
        // The comparison sees something: own solves are in it.
        let of = |what| &solved.iter().find(|(name, _)| *name == what).expect("it was seen").1;
        assert_ne!(of("viewer, without own solves"), of("viewer, with own solves"));
        assert_eq!(of("anonymous, without own solves").lines().next(),
            of("anonymous, after the viewer's solves").lines().next());
        let own: Vec<Value> = of("live, own").lines()
            .map(|line| serde_json::from_str(line).expect("JSON")).collect();
        let told: Vec<_> = own.iter().map(|it| (&it["event"], &it["challengeId"])).collect();
        let (solve, newteam) = (json!("solve"), json!("newteam"));
        let (two, four) = (json!("two"), json!("four"));
        assert_eq!(told, [(&solve, &two), (&solve, &four), (&newteam, &Value::Null)]);
        assert!(own[..2].iter().all(|it| it.get("seq").is_none()), "{own:?}");
        assert_eq!(of("live, anonymous").lines().count(), 1);
        assert_eq!(of("live, resuming"), of("live, anonymous"));
        assert!(of("resuming with a token").contains("\"event\":\"scoreboard\""));
    }

    async fn own_later_solves_follow_what_was_frozen(engine: Engine) {
        let it = frozen(engine, Reveal::Manual).await;
        it.others(World::Solved, &[(&it.early, "two"), (&it.late, "two")]).await;
        it.viewer.solves("two").await;
        it.viewer.solves("three").await;
        let now = it.app.now_ms() as f64 / 1000.0;
        let (own, public) = (it.viewer.board().await, it.app.board().await);
        assert_eq!(cell(&own, "Viewer", "two"), json!([1, now]), "first, as far as it may know");
        assert_eq!(cell(&own, "Viewer", "three"), json!([2, now]), "after the frozen one");
        assert_eq!(cell(&public, "Viewer", "two"), Value::Null);
        for other in ["Early", "Late"] {
            assert_eq!(cell(&own, other, "two"), Value::Null);
            assert_eq!(cell(&public, other, "two"), Value::Null);
        }
        let card = it.viewer.card("two").await.expect("it is there");
        assert_eq!((&card["nsolves"], &card["fbTs"]), (&json!(1), &json!(now)));
        let card = it.viewer.card("four").await.expect("it is there");
        assert_eq!(card["locked"], false, "the lock opens at once");
        let page = it.viewer.player.get("/team/Viewer").await.json;
        let position = |id: &str| {
            let solves = page["solves"].as_array().expect("a list").iter();
            solves.filter(|it| it["challengeId"] == id).map(|it| it["position"].clone()).next()
        };
        assert_eq!((position("two"), position("three")), (Some(json!(1)), Some(json!(2))));
        let page = it.app.player().get("/team/Viewer").await.json;
        assert_eq!(page["solves"].as_array().expect("a list").len(), 1);
        assert_eq!(it.app.player().get("/ctf").await.json["status"], "frozen");
    }

    async fn a_solve_a_millisecond_before_the_freeze_is_public_and_one_at_it_is_not(
        engine: Engine
    ) {
        let it = frozen(engine, Reveal::Manual).await;
        let public = it.app.board().await;
        let before = (NOW_MS + HOUR_MS - 1) as f64 / 1000.0;
        assert_eq!(cell(&public, "Late", "one"), json!([3, before]));
        assert_eq!(it.app.now_ms(), NOW_MS + HOUR_MS);
        it.latest.solves("one").await;
        it.app.advance(500);
        assert_eq!(it.app.board().await, public);
        assert_eq!(cell(&it.latest.board().await, "Latest", "one")[0], 4);
    }

    async fn an_automatic_reveal_shows_everything_at_the_end(engine: Engine) {
        let it = frozen(engine, Reveal::Auto).await;
        let (mut world, _) = Socket::watching(&it.app).await;
        it.others(World::Solved, &[(&it.early, "two"), (&it.late, "two")]).await;
        it.viewer.solves("two").await;
        it.app.advance(HOUR_MS);
        let revealed = world.until_so(|board| {
            board["event"] == "scoreboard" && cell(board, "Viewer", "two") != Value::Null
        }).await.pop().expect("the last one is it");
        let positions = ["Early", "Late", "Viewer"];
        let positions = positions.map(|team| cell(&revealed, team, "two")[0].clone());
        assert_eq!(positions, [json!(1), json!(2), json!(3)], "the journal's order");
        it.app.settled().await;
        let same = it.app.board_so("the reveal is there", |it| it["seq"] == revealed["seq"]).await;
        assert_eq!(same, revealed);
        assert_eq!(it.viewer.board().await, revealed, "the same for everyone");
        assert_eq!(it.app.player().get("/ctf").await.json["status"], "ended");
    }

    async fn a_manual_reveal_waits_for_an_organizer(engine: Engine) {
        let it = frozen(engine, Reveal::Manual).await;
        let frozen = it.app.board().await;
        it.others(World::Solved, &[(&it.early, "two"), (&it.late, "two")]).await;
        it.viewer.solves("two").await;
        it.app.advance(HOUR_MS);
        it.app.settled().await;
        let (mut world, ended) = Socket::watching(&it.app).await;
        assert_eq!(ended["scoreboard"], frozen["scoreboard"], "the end alone shows nothing");
        assert_eq!(cell(&it.viewer.board().await, "Viewer", "two")[0], 1);
        it.app.run(Op::Reveal).await;
        let revealed = world.next().await;
        assert_eq!(cell(&revealed, "Viewer", "two")[0], 3);
        assert_eq!(it.viewer.board().await, revealed);
        assert_eq!(it.app.board().await, revealed);
        let feed = it.app.player().get("/ctftime").await.json;
        let early = feed["standings"].as_array().expect("a list").iter()
            .find(|team| team["team"] == "Early").expect("it stands");
        assert_eq!(early["taskStats"]["The two"]["points"], 300);
    }

    async fn a_freeze_outlives_a_restart_and_a_clock_set_back(engine: Engine) {
        let it = frozen(engine, Reveal::Manual).await;
        it.latest.solves("one").await;
        let (public, own) = (it.app.board().await, it.latest.board().await);
        let (token, clock) = (it.latest.token.clone(), it.app.clock());
        let test = it.app.stop().await;
        if let flagship_store::Clock::Manual(now) = &clock {
            now.store(NOW_MS, std::sync::atomic::Ordering::SeqCst);
        }
        let app = TestApp::on(test, clock, |_| {}).await;
        assert_eq!(app.board().await, public);
        assert_eq!(app.player().get("/ctf").await.json["status"], "frozen");
        assert_eq!(app.player().with_token(&token).get("/scoreboard").await.json, own);
    }

    async fn what_organizers_do_in_the_freeze_tells_nothing_of_it(engine: Engine) {
        let [solved, guessed] = [World::Solved, World::Guessed].map(async |world| {
            let it = frozen(engine, Reveal::Manual).await;
            let (mut socket, _) = Socket::watching(&it.app).await;
            it.others(world, &[(&it.early, "two"), (&it.latest, "one"), (&it.latest, "two")]).await;
            let mut told = Vec::new();
            for change in [TeamChange::Ban, TeamChange::Unban, TeamChange::Hide, TeamChange::Show] {
                ban(&it.app, "Latest", change).await;
                told.push(socket.next_text().await);
            }
            if world == World::Solved {
                let withdraw =
                    Op::Withdraw { name: "Early".to_owned(), challenge: challenge_id("two") };
                let done = it.app.run(withdraw).await;
                assert!(matches!(done, Outcome::Done(Ok(_))), "{done:?}");
            }
            let show = |shown| Op::Show { challenge: challenge_id("two"), shown };
            for op in [show(false), show(true)] {
                it.app.run(op).await;
                told.push(socket.next_text().await);
            }
            told.push(it.answers(&it.app.player()).await);
            told
        });
        let (solved, guessed) = tokio::join!(solved, guessed);
        assert_eq!(solved, guessed);
    }
}
