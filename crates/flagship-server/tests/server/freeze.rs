//! The freeze over HTTP and the live channel: until the reveal, a viewer receives the same bytes in
//! two worlds that differ only in solves of others after the freeze.

mod actions;
mod ceremony;
mod divisions;
mod end;
mod own;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use flagship_control::control;
use flagship_game::facts::{self, Fact};
use flagship_game::wire::Snapshot;
use flagship_game::{
    Attachment, DivisionRules, Event, Hint, Reveal, Scoring, StatusKind, TeamId, Viewer, division,
    view,
};
use flagship_store::Lock;
use flagship_store::challenges::Draft;
use flagship_store::lane::Writer;
use flagship_store::ops::{Op, Plan};
use flagship_store::organizers::Role;
use flagship_testkit::player::{HOUR_MS, challenge_id, draft, draft_after, event, row};
use flagship_testkit::{
    Call, Engine, NOW_MS, Player, Reply, Socket, Team, TestApp, TestDb, commands, on_both_engines,
    until,
};
use serde_json::{Value, json};

/// SQL for accounts with equal IDs in both worlds, because attachment links contain IDs.
const ACCOUNTS: &str = "insert into accounts \
    (id, name, email, country, student, created_at_ms) values \
    (11, 'Viewer', 'a@example.org', 'IT', false, 1700000000000), \
    (12, 'Early', 'b@example.org', 'FR', false, 1700000000000), \
    (13, 'Late', 'c@example.org', 'DE', false, 1700000000000), \
    (14, 'Latest', 'd@example.org', 'UN', false, 1700000000000), \
    (15, 'Newcomer', 'e@example.org', 'UN', false, 1700000000000), \
    (16, 'Patient', 'f@example.org', 'UN', false, 1700000000000)";
/// A team on the waiting list, so that `team.admit` can give it a place.
const WAITING: &str = "update accounts set confirmed_at_ms = 1700000000000, \
    waiting_since_ms = 1700000000000 where id = 16";
/// Teams of a public division, and of a private one.
const MEMBERSHIPS: &str = "insert into team_divisions (account_id, division) values \
    (11, 'human'), (12, 'human'), (13, 'human'), (14, 'human'), (12, 'staff')";
/// The same journal generation in both worlds, because clients see it.
const GENERATION: &str =
    "insert into meta (key, value) values ('generation', '0123456789abcdef0123456789abcdef')";

/// Difference between the two worlds: in one of them, the others' later flags are correct.
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
    let html = Some("<p>It floats.</p>".to_owned());
    drafts[2].challenge.hints =
        vec![Hint { id: "paid".to_owned(), html, cost: 20, ..Hint::default() }];
    drafts[1].challenge.scoring = Scoring::Speedrun { values: vec![300, 200, 100] };
    drafts[2].challenge.rules.attempts_max = Some(1_000);
    let attachment = Attachment {
        name: "a.txt".into(),
        digest: "ab".repeat(32),
        bytes: 3,
        picture: None,
        per_team: false,
    };
    for draft in &mut drafts {
        draft.challenge.attachments.push(attachment.clone());
    }
    drafts
}

/// A public division and a private one.
fn divisions() -> Vec<DivisionRules> {
    let divisions = json!([
        {"id": "human", "name": "Without AI", "group": "AI use", "join": "open"},
        {"id": "staff", "name": "Staff", "group": "Other", "join": "organizers", "private": true},
    ]);
    serde_json::from_value(divisions).expect("they fit")
}

fn plan(reveal: Reveal, divisions: Vec<DivisionRules>, drafts: Vec<Draft>) -> Op {
    let event = Event { reveal, divisions: division::public(&divisions), ..event() };
    Op::Apply(Box::new(Plan { divisions, ..Plan::new(event, drafts) }))
}

async fn frozen(engine: Engine, reveal: Reveal) -> Frozen {
    frozen_with(engine, reveal, divisions()).await
}

async fn frozen_with(engine: Engine, reveal: Reveal, divisions: Vec<DivisionRules>) -> Frozen {
    let test = TestDb::new(engine).await;
    test.execute(ACCOUNTS).await;
    test.execute(WAITING).await;
    test.execute(MEMBERSHIPS).await;
    test.execute(GENERATION).await;
    let folder = test.data.path().join("files");
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join("ab".repeat(32)), "abc").expect("a file");
    let event = Event { reveal, ..event() };
    let app = TestApp::playing_on(Arc::new(test), event, drafts(), |config| {
        config.public_url = "http://127.0.0.1".to_owned();
        config.settings.registration.max_teams = 1;
    })
    .await;
    app.run(plan(reveal, divisions, drafts())).await;
    let mut teams = Vec::new();
    let player = app.player();
    for (id, name) in [(11, "Viewer"), (12, "Early"), (13, "Late"), (14, "Latest")] {
        app.confirm(id).await;
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
    /// The requests of other teams after the freeze: equal in number and length in both worlds.
    async fn others(&self, world: World, solves: &[(&Team, &str)]) {
        for (team, id) in solves {
            self.app.advance(7);
            let flag = match world {
                World::Solved => format!("flag{{{id}}}"),
                World::Guessed => format!("flag[{id}]"),
            };
            let answer = team.send(id, &flag).await;
            // After an incorrect flag, the next challenge may be locked.
            let (correct, locked) = (world == World::Solved, answer.status == 403);
            assert!(answer.json["correct"] == correct || (locked && !correct), "{answer:?}");
        }
    }

    /// Calls of other teams for hints after the freeze: taken in one world, refused in the other.
    async fn others_take_hints(&self, world: World, teams: &[&Team]) {
        for team in teams {
            let hint = if world == World::Solved { "paid" } else { "none" };
            let body = json!({"challengeId": "three", "hintId": hint});
            let answer = team.player.post("/hint", &body).await;
            assert_eq!(answer.status == 200, world == World::Solved, "{answer:?}");
        }
    }

    /// Every response of any route to a viewer, including headers and compressed bytes.
    async fn answers(&self, who: &Player) -> String {
        let mut all = String::new();
        let cards = who.get("/challenge").await.json["challenges"].take();
        let mut links = cards.as_array().into_iter().flatten();
        let link = links.find_map(|card| card["attachments"][0]["link"].as_str());
        let link = link.unwrap_or("/api/files/x/x/x/x").to_owned();
        for (method, path, body) in requests(&link) {
            let bare = match body {
                Some(body) => Call::new(method, &path).json(body.to_string()),
                None => Call::new(method, &path),
            };
            // The logout request has no token, so that the session stays valid.
            let token = who.token().filter(|_| !path.ends_with("/logout"));
            let bare = bare.header("x-api-key", token.unwrap_or_default());
            let mut etags = BTreeSet::from([FROZEN_ETAG.to_owned()]);
            for encoding in ["identity", "gzip", "br"] {
                let reply = bare.clone().header("accept-encoding", encoding).send(&self.app).await;
                all += &in_full(method, &path, &reply);
                etags.insert(reply.header("etag").to_owned());
                if body_is_spent(method) {
                    break;
                }
            }
            for etag in etags.iter().filter(|etag| !etag.is_empty() && !body_is_spent(method)) {
                let reply = bare.clone().header("if-none-match", etag).send(&self.app).await;
                all += &in_full(method, &path, &reply);
            }
        }
        all
    }
}

/// Organizers without the unfrozen view, and one organizer with it who reads the public view.
struct Readers {
    sessions: Vec<(Role, String)>,
}

impl Readers {
    async fn new(app: &TestApp) -> Self {
        let mut sessions = Vec::new();
        for role in [Role::Observer, Role::Author, Role::Support, Role::Organizer] {
            let organizer = app.organizer(&format!("The {role}"), &[role]).await;
            sessions.push((role, app.organizer_session(&organizer, true).await));
        }
        Self { sessions }
    }

    /// Responses to the organizers, without random session IDs and times. The last organizer also
    /// reads the unfrozen view, which must not affect the others.
    async fn read(&self, app: &TestApp) -> String {
        let mut all = String::new();
        for (role, session) in &self.sessions {
            for (method, path, _) in of_organizers() {
                let is_truth = *role == Role::Organizer && VIEWS.contains(&&*path);
                let is_record = *role == Role::Organizer && RECORDS.contains(&&*path);
                if method != "GET" || path == "/api/organize/sessions" || is_record {
                    continue;
                }
                let view = if is_truth { "?view=public" } else { "" };
                if is_truth {
                    let truth = Call::new(method, &path).session(session).send(app).await;
                    assert_eq!(truth.status, 200, "{path}");
                    if path == "/api/organize/teams" {
                        let truth = &truth.json()["teams"][0]["truth"];
                        assert!(truth.is_object(), "it is the truth");
                    }
                }
                let path = path + view;
                let reply = Call::new(method, &path).session(session).send(app).await;
                all += &match VIEWS.iter().any(|it| path.starts_with(it)) && reply.status == 200 {
                    true => format!("{path} {}\n", steady(reply.json())),
                    false => in_full(method, &path, &reply),
                };
            }
        }
        all
    }
}

impl Readers {
    fn organizer(&self) -> &str {
        &self.sessions.last().expect("it is the last one").1
    }

    /// The live channel of each organizer, and the first messages on it.
    async fn watch(&self, app: &TestApp) -> (Vec<Socket>, String) {
        let mut sockets = Vec::new();
        let mut all = String::new();
        for (role, session) in &self.sessions {
            let view = if *role == Role::Organizer { "?view=public" } else { "" };
            let mut socket = Socket::of_session(app, session, view).await;
            for told in socket.until("presence").await {
                all += &format!("{role} {told}\n");
            }
            sockets.push(socket);
        }
        (sockets, all)
    }
}

fn names(hint: &Value, list: &str) -> bool {
    hint["lists"].as_array().is_some_and(|lists| lists.contains(&json!(list)))
}

/// Hints on a live channel until a team joins, one per line.
async fn hints_until_teams(socket: &mut Socket) -> String {
    let told = socket.until_so(|it| names(it, "teams")).await;
    let hints = told.iter().filter(|it| it["event"] == "changed");
    hints.map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

/// Paths with the audit log and the health of the machine, for organizers who see the unfrozen
/// view: `apply` is recorded with a random ID, and the free disk space changes.
const RECORDS: [&str; 3] = ["/api/organize/actions", "/api/organize/checks", "/api/organize/codes"];
/// Paths with the unfrozen view for authorized readers, and the public view for all.
const VIEWS: [&str; 15] = [
    "/api/organize/challenges",
    "/api/organize/divisions",
    "/api/organize/evidence",
    "/api/organize/exports/challenges",
    "/api/organize/exports/evidence",
    "/api/organize/exports/flags",
    "/api/organize/exports/overview",
    "/api/organize/exports/solves",
    "/api/organize/exports/standings",
    "/api/organize/exports/teams",
    "/api/organize/exports/winners",
    "/api/organize/flags",
    "/api/organize/overview",
    "/api/organize/teams",
    "/api/organize/teams/Late",
];

/// Organizer response without the parts that depend on the timing of emails, sockets and health
/// checks.
fn steady(mut read: Value) -> Value {
    let moves = ["mail", "sockets", "connections", "ready", "next_try", "logins_in_progress"];
    let is_moving =
        |name: &str| moves.iter().any(|it| name.contains(it)) || name == "loginsInProgress";
    match &mut read {
        Value::Array(all) => {
            // Activities of teams are recorded with a delay.
            let later = ["mail", "login", "list", "download"];
            all.retain(|it| !it["figure"].as_str().is_some_and(is_moving));
            all.retain(|it| !it["kind"].as_str().is_some_and(|kind| later.contains(&kind)));
            all.iter_mut().for_each(|it| *it = steady(it.take()));
        }
        Value::Object(all) => {
            all.retain(|name, _| !is_moving(name) || name.contains("email"));
            all.values_mut().for_each(|it| *it = steady(it.take()));
        }
        _ => {}
    }
    read
}

/// An entity tag that matches nothing.
const FROZEN_ETAG: &str = "\"0\"";

/// True if the request body can be used only once.
fn body_is_spent(method: &str) -> bool {
    method == "POST"
}

/// A response with everything that can differ: status, headers except the date, bytes.
fn in_full(method: &str, path: &str, reply: &Reply) -> String {
    // Session IDs derive from random tokens.
    let mut body = reply.body.escape_ascii().to_string();
    if path == "/api/account" && reply.status == 200 && method == "GET" {
        let mut json = reply.json();
        let sessions = json["sessions"].as_array_mut().expect("sessions");
        sessions.iter_mut().for_each(|it| it["id"] = json!("x".repeat(16)));
        assert_eq!(json.to_string().len(), reply.body.len(), "nothing else is left out");
        body = json.to_string();
    }
    let headers = reply.headers.iter().filter(|(name, _)| *name != "date");
    let mut headers: Vec<String> =
        headers.map(|(name, value)| format!("{name}: {value:?}")).collect();
    headers.sort();
    format!("{method} {path} {} {headers:?} {body}\n", reply.status)
}

/// One or more requests for each operation of the API description, and for files of the site.
fn requests(link: &str) -> Vec<(&'static str, String, Option<Value>)> {
    let password = "correct horse";
    let off = "off";
    let account = json!({"teamName": "Harbour Rats", "email": "r@example.org", "country": "IT",
        "password": password, "captchaToken": off});
    let login = |team: &str| json!({"team": team, "password": "wrong one", "captchaToken": off});
    let solve = |id: &str| json!({"challengeId": id, "flag": "flag{}"});
    let email = json!({"email": "r@example.org"});
    let token = json!({"token": "x"});
    let reset = json!({"token": "x", "password": password});
    let posts = [
        ("/api/signup", account),
        (
            "/api/signup/address",
            json!({"teamName": "Early", "email": "r@example.org",
            "password": "wrong one", "captchaToken": off}),
        ),
        ("/api/login", login("Early")),
        ("/api/login", login("Nobody")),
        ("/api/logout", json!({})),
        ("/api/confirm", token.clone()),
        ("/api/address", token.clone()),
        ("/api/stop", token),
        ("/api/account/country", json!({"country": "IT"})),
        ("/api/account/members", json!({"members": ["Ada"]})),
        ("/api/account/divisions", json!({"divisions": []})),
        ("/api/account/divisions", json!({"divisions": ["staff"]})),
        ("/api/account/sessions/end", json!({"id": "none"})),
        ("/api/account/password", json!({"password": "wrong one", "newPassword": password})),
        ("/api/account/email", json!({"password": "wrong one", "email": "v@example.org"})),
        ("/api/reset", reset.clone()),
        ("/api/join", reset),
        ("/api/join", json!({"team": "Early", "code": "x", "password": password})),
        ("/api/resend", email.clone()),
        ("/api/forgot", email),
        ("/api/solve", solve("three")),
        ("/api/solve", solve("none")),
        ("/api/hint", json!({"challengeId": "one", "hintId": "none"})),
        ("/api/question", json!({"text": " ", "challengeId": "three"})),
        ("/api/question", json!({"text": "What?", "challengeId": "none"})),
    ];
    let gets = [
        "/api/ctf",
        "/api/rules",
        "/api/notices",
        "/api/questions",
        "/api/account",
        "/api/challenge",
        "/api/scoreboard",
        "/api/scoreboard/own",
        "/api/team/Viewer",
        "/api/team/Early",
        "/api/team/Late",
        "/api/team/Latest",
        "/api/team/Nobody",
        "/api/ctftime",
        "/api/ctftime?division=human",
        "/api/ctftime?division=staff",
        "/api/ctftime?division=none",
        "/api/live",
        "/api/captcha",
        link,
        "/",
        "/scoreboard",
        "/team/Early",
        "/team/Late",
        "/team/Nobody",
        "/api/pages/none",
        "/api/pass/one",
        "/api/pass/three",
        "/api/pass/none",
        "/brand/none",
        "/manifest.webmanifest",
        "/robots.txt",
        "/event.ics",
        "/favicon.svg",
        "/openapi.json",
        "/healthz",
        "/readyz",
        "/none",
    ];
    let gets = gets.iter().flat_map(|path| ["GET", "HEAD"].map(|method| (method, *path)));
    let gets = gets.map(|(method, path)| (method, path.to_owned(), None));
    let posts = posts.into_iter().map(|(path, body)| ("POST", path.to_owned(), Some(body)));
    gets.chain(posts).chain(of_organizers()).collect()
}

/// A request for each operation of organizers.
fn of_organizers() -> Vec<(&'static str, String, Option<Value>)> {
    let description: Value = serde_json::from_str(&flagship_server::openapi()).expect("JSON");
    let paths = description["paths"].as_object().expect("paths").iter();
    let paths = paths.filter(|(path, _)| path.starts_with("/api/organize/"));
    let requests = |(path, item): (&String, &Value)| {
        let path = path.replace("{name}", "Late").replace(['{', '}'], "");
        let get = item.get("get").map(|_| ("GET", path.clone(), None));
        let post = item.get("post").map(|_| ("POST", path, Some(json!({}))));
        get.into_iter().chain(post).collect::<Vec<_>>()
    };
    paths.flat_map(requests).collect()
}

#[test]
fn the_differential_requests_every_described_route() {
    let description: Value = serde_json::from_str(&flagship_server::openapi()).expect("JSON");
    let mut asked = requests("/api/files/x/x/x/x");
    if control("the_differential_requests_every_described_route", "is not requested") {
        asked.retain(|(_, path, _)| path != "/api/ctftime");
    }
    let fits = |template: &str, path: &str| {
        let parts = |text: &str| text.split('/').map(str::to_owned).collect::<Vec<_>>();
        let (template, path) = (parts(template), parts(path));
        let same = |(a, b): (&String, &String)| a == b || a.starts_with('{');
        template.len() == path.len() && template.iter().zip(&path).all(same)
    };
    for (path, operations) in description["paths"].as_object().expect("paths") {
        for method in operations.as_object().expect("operations").keys() {
            let is_asked = |(other, at, _): &(&str, String, Option<Value>)| {
                *other == method.to_uppercase() && fits(path, at)
            };
            assert!(asked.iter().any(is_asked), "{method} {path} is not requested");
        }
    }
}

/// Everything that each viewer receives over HTTP and on sockets in a world, before and after own
/// later solves.
async fn seen(engine: Engine, world: World) -> Vec<(&'static str, String)> {
    let event = frozen(engine, Reveal::Manual).await;
    let anonymous = event.app.player();
    // In the control, the viewer is a team that solves in only one world.
    let words = "two worlds differ: viewer, without own solves";
    let is_party = control("two_worlds_look_the_same_to_a_viewer_in_the_freeze", words);
    let viewer = if is_party { &event.late } else { &event.viewer };
    let (mut world_socket, world_first) = Socket::watching(&event.app).await;
    let (mut own_socket, own_first) = viewer.watching(&event.app).await;
    let (mut resuming, _) = Socket::watching(&event.app).await;
    let resume = json!({"action": "getscoreboard", "since": world_first["seq"],
        "generation": world_first["generation"]});
    resuming.say(&resume).await;

    let readers = Readers::new(&event.app).await;
    let mut truth = Socket::of_session(&event.app, readers.organizer(), "").await;
    drop(truth.until("presence").await);
    let (mut watchers, watched) = readers.watch(&event.app).await;
    let (early, late, latest) = (&event.early, &event.late, &event.latest);
    event.others(world, &[(latest, "one"), (late, "two"), (latest, "two")]).await;
    event.others_take_hints(world, &[latest, early]).await;
    let mut seen = vec![
        ("first snapshot, anonymous", world_first.to_string()),
        ("first snapshot, own", own_first.to_string()),
        ("anonymous, without own solves", event.answers(&anonymous).await),
        ("viewer, without own solves", event.answers(&viewer.player).await),
        ("organizers without the truth", readers.read(&event.app).await),
        ("organizers who begin to watch", watched),
    ];
    event.app.advance(1_000);
    viewer.solves("two").await;
    event.others(world, &[(early, "two"), (early, "three"), (latest, "three")]).await;
    viewer.solves("four").await;
    event.others(world, &[(late, "four"), (latest, "four")]).await;
    seen.push(("viewer, with own solves", event.answers(&viewer.player).await));
    seen.push(("anonymous, after the viewer's solves", event.answers(&anonymous).await));
    seen.push(("organizers without the unfrozen view, later", readers.read(&event.app).await));
    seen.push(("organizers who connect again", readers.watch(&event.app).await.1));
    let missing = viewer.send("none", "flag{none}").await;
    seen.push(("an unknown challenge", format!("{} {}", missing.status, missing.json)));

    let mut late_resuming = Socket::open(&event.app).await;
    late_resuming.say(&resume).await;
    let mut other_team = early.watching(&event.app).await.0;

    // The last change is public: when it arrives, all earlier messages have arrived.
    event.app.confirm(15).await;
    for (what, socket) in [
        ("live, anonymous", &mut world_socket),
        ("live, own", &mut own_socket),
        ("live, resuming", &mut resuming),
        ("live, resuming after the freeze", &mut late_resuming),
    ] {
        let mut texts = Vec::new();
        while !texts.last().is_some_and(|text: &String| text.contains("newteam")) {
            texts.push(socket.next_text().await);
        }
        seen.push((what, texts.join("\n")));
    }
    drop(other_team.until("newteam").await);
    for watcher in &mut watchers {
        seen.push(("organizers who watch", hints_until_teams(watcher).await));
    }
    // One of them receives all changes concurrently.
    truth.until_so(|it| names(it, "flags")).await;
    let is_last = |it: &Value| it["teamName"] == "Latest" && it["challengeId"] == "three";
    let flags = Call::organize("GET", "/flags").session(readers.organizer());
    let flags = flags.send(&event.app).await.json();
    let has_last = flags["flags"].as_array().is_some_and(|flags| flags.iter().any(is_last));
    assert!(has_last, "{flags}");
    event.app.fresh_board().await;
    let (mut later_socket, later) = viewer.watching(&event.app).await;
    let own = [later_socket.next_text().await, later_socket.next_text().await].join("\n");
    seen.push(("a later snapshot, own", format!("{later}\n{own}")));
    let mut again = Socket::open(&event.app).await;
    let mut resume = resume;
    resume["token"] = json!(viewer.token);
    again.say(&resume).await;
    let texts = [again.next_text().await, again.next_text().await, again.next_text().await];
    seen.push(("resuming with a token", texts.join("\n")));
    event.app.run(commands::award("Early", 5)).await;
    let texts = [own_socket.next_text().await, own_socket.next_text().await];
    seen.push(("a pushed snapshot", texts.join("\n")));
    seen.push(("after an award", event.answers(&viewer.player).await));
    seen
}

/// Starts a second node, with which the first node now judges flags.
async fn judging_with(app: &TestApp) -> TestApp {
    let second = app.second_node(|_| {}).await;
    let sql = "select node_id from nodes where shares";
    until("both nodes share", async || app.test.rows::<(String,)>(sql).await.len() == 2).await;
    second
}

/// Records the ID of each row committed to the table of incorrect submissions, even if the same
/// transaction deletes the row.
async fn note_wrong_flags(test: &TestDb) {
    test.execute("create table noted (id bigint)").await;
    let statements: &[&str] = match test.url {
        None => &["create trigger note after insert on wrong_flags \
                   begin insert into noted values (new.id); end"],
        Some(_) => &[
            "create function note() returns trigger language plpgsql as $$ begin \
             insert into noted values (new.id); return new; end $$",
            "create trigger note after insert on wrong_flags for each row execute function note()",
        ],
    };
    for sql in statements {
        test.execute(sql).await;
    }
}

/// Adds another node's row in the transaction that records an incorrect submission.
async fn join_at_a_wrong_flag(test: &TestDb) {
    let statements: &[&str] = match test.url {
        None => &["create trigger joins after insert on wrong_flags begin \
                   insert into nodes (node_id, beat, shares) values ('other', 0, false) \
                   on conflict do nothing; end"],
        Some(_) => &[
            "create function joins() returns trigger language plpgsql as $$ begin \
             insert into nodes (node_id, beat, shares) values ('other', 0, false) \
             on conflict do nothing; return new; end $$",
            "create trigger joins after insert on wrong_flags \
             for each row execute function joins()",
        ],
    };
    for sql in statements {
        test.execute(sql).await;
    }
}

/// Organizer changes that are visible to everyone; one of them is a solve from before the freeze.
fn told(it: &Frozen) -> Vec<Fact> {
    let title = "Lunch".to_owned();
    let html = "<p>In the hall.</p>".to_owned();
    let name = "Latest Ones".to_owned();
    let country = "FR".to_owned();
    let challenge = challenge_id("two");
    let notice = Fact::from(facts::Notice {
        notice: 1,
        title,
        html,
        challenge: Some(challenge.clone()),
        urgent: false,
        urgent_until_ms: None,
    });
    let status = Fact::from(facts::Status {
        challenge,
        status: StatusKind::Broken,
        note: "down".to_owned(),
    });
    let (challenge, at_ms) = (challenge_id("one"), NOW_MS + 5);
    let after = it.app.app.contest().solve(it.early.id, &challenge).expect("it is solved").seq;
    vec![
        notice,
        status,
        Fact::from(facts::Paused { on: true }),
        Fact::from(facts::Paused { on: false }),
        Fact::from(facts::TeamNamed { team: it.latest.id, name, country }),
        Fact::from(facts::SolveWithdrawn { team: it.viewer.id, challenge: challenge.clone() }),
        Fact::from(facts::SolveCounted { team: it.viewer.id, challenge, at_ms, after }),
        Fact::from(facts::NoticeWithdrawn { notice: 1 }),
    ]
}

/// The rows of teams that solved a challenge, on the viewer's board.
fn cell(board: &Value, team: &str, id: &str) -> Value {
    let columns = board["challenges"].as_array().expect("columns");
    let place = columns.iter().position(|column| column["id"] == id).expect("a column");
    row(board, team).expect("a row")[2][place.to_string()].clone()
}

on_both_engines! {
    async fn two_worlds_look_the_same_to_a_viewer_in_the_freeze(engine: Engine) {
        let (solved, guessed) =
            tokio::join!(seen(engine, World::Solved), seen(engine, World::Guessed));
        assert_eq!(solved.len(), guessed.len());
        for ((what, solved), (_, guessed)) in solved.iter().zip(&guessed) {
            assert_eq!(solved, guessed, "two worlds differ: {what}");
        }
        // The comparison can detect differences: it detects own solves.
        let of = |what| &solved.iter().find(|(name, _)| *name == what).expect("it was recorded").1;
        assert_ne!(of("viewer, without own solves"), of("viewer, with own solves"));
        let first = |what, path| {
            let request = format!("GET /api/scoreboard{path} ");
            of(what).lines().find(|line| line.starts_with(&request)).expect("it was requested")
        };
        assert_eq!(first("anonymous, without own solves", ""),
            first("anonymous, after the viewer's solves", ""));
        assert_eq!(first("viewer, without own solves", ""), first("viewer, with own solves", ""));
        assert!(first("viewer, with own solves", "/own").contains("Viewer"));
        let own: Vec<Value> = of("live, own").lines()
            .map(|line| serde_json::from_str(line).expect("JSON")).collect();
        let received: Vec<_> = own.iter().map(|it| (&it["event"], &it["challengeId"])).collect();
        let expected = [
            (json!("progress"), json!("three")),
            (json!("solve"), json!("two")),
            (json!("solve"), json!("four")),
            (json!("newteam"), Value::Null),
        ];
        let expected: Vec<_> = expected.iter().map(|(event, id)| (event, id)).collect();
        assert_eq!(received, expected);
        assert!(own[..3].iter().all(|it| it.get("seq").is_none()), "{own:?}");
        assert_eq!(of("live, anonymous").lines().count(), 1);
        assert_eq!(of("live, resuming"), of("live, anonymous"));
        assert_eq!(of("live, resuming after the freeze"), of("live, anonymous"));
        assert!(of("resuming with a token").contains("\"event\":\"scoreboard\""));
        let told = solved.iter().filter(|(what, _)| *what == "organizers who watch");
        for (_, hints) in told {
            assert_eq!(hints.lines().count(), 1, "only the team that joined is notified: {hints}");
        }
    }

    async fn a_wrong_flag_of_the_freeze_is_recorded_before_its_answer(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![draft("one")]).await;
        let team = app.team("Otters").await;
        app.advance(HOUR_MS);
        for wrong in 1..=3 {
            let answer = team.send("one", "flag{wrong}").await;
            assert_eq!(answer.json["correct"], false);
            let recorded = flagship_store::wrong_flags::count(&app.test.db).await;
            assert_eq!(recorded.expect("it counts"), wrong, "recorded like a correct flag");
        }
    }

    async fn flags_of_the_freeze_write_alike_where_several_nodes_count(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![draft("one"), draft("two")]).await;
        let teams = app.teams(&["Otters", "Badgers"]).await;
        let _second = judging_with(&app).await;
        note_wrong_flags(&app.test).await;
        // The rows that remain, and the deleted ones.
        let noted = async || {
            let sql = "select (select count(*) from noted where id > 0), \
                       (select count(*) from noted where id < 0)";
            app.test.rows::<(i64, i64)>(sql).await[0]
        };
        teams[0].solves("one").await;
        assert_eq!(noted().await, (0, 0), "before the freeze, a correct flag writes no row");
        let words = "in the freeze, a correct flag writes one row";
        if !control("flags_of_the_freeze_write_alike_where_several_nodes_count", words) {
            app.advance(HOUR_MS);
            app.settled().await;
        }
        teams[0].solves("two").await;
        assert_eq!(noted().await, (0, 1), "{words}");
        teams[0].solves("two").await;
        assert_eq!(noted().await, (0, 1), "a repeated one none");
        let entries = app.test.journal().await.len();
        assert_eq!(teams[1].send("two", "flag{wrong}").await.json["correct"], false);
        assert_eq!(noted().await, (1, 2), "a wrong one writes one, and one in the lane");
        let recorded = flagship_store::wrong_flags::count(&app.test.db).await;
        assert_eq!(recorded.expect("it counts"), 1);
        assert_eq!(app.test.journal().await.len(), entries);
    }

    async fn a_wrong_flag_of_the_freeze_is_counted_once_while_a_node_joins(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![draft("one")]).await;
        let team = app.team("Otters").await;
        app.advance(HOUR_MS);
        app.settled().await;
        join_at_a_wrong_flag(&app.test).await;
        let words = "on record once";
        if control("a_wrong_flag_of_the_freeze_is_counted_once_while_a_node_joins", words) {
            team.send("one", "flag{wrong}").await;
        }
        // The lane takes longer for one step than a joining node waits.
        let held = app.test.db.begin(Lock::Journal).await.expect("the lock is free");
        let release = async {
            tokio::time::sleep(Duration::from_millis(600)).await;
            drop(held);
        };
        let (answer, ()) = tokio::join!(team.send("one", "flag{wrong}"), release);
        assert_eq!((answer.status, &answer.json), (200, &json!({"correct": false})));
        let recorded = flagship_store::wrong_flags::count(&app.test.db).await;
        assert_eq!(recorded.expect("it counts"), 1, "{words}");
    }

    async fn a_wrong_flag_that_several_nodes_counted_is_answered_without_the_lane(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![draft("one")]).await;
        let team = app.team("Otters").await;
        let words = "the flag is on record";
        let _second = judging_with(&app).await;
        app.advance(HOUR_MS);
        app.settled().await;
        app.test.execute("alter table journal rename to gone").await;
        let answer = team.send("one", "flag{wrong}").await;
        assert_eq!((answer.status, &answer.json), (200, &json!({"correct": false})), "{words}");
        let recorded = flagship_store::wrong_flags::count(&app.test.db).await;
        assert_eq!(recorded.expect("it counts"), 1);
        assert_eq!(team.send("one", "flag{one}").await.status, 503, "a correct one is not");
    }

    async fn own_later_solves_are_placed_after_the_frozen_ones(engine: Engine) {
        let it = frozen(engine, Reveal::Manual).await;
        it.others(World::Solved, &[(&it.early, "two"), (&it.late, "two")]).await;
        it.viewer.solves("two").await;
        it.viewer.solves("three").await;
        let now = it.app.now_ms() as f64 / 1000.0;
        let (own, public) = (it.viewer.board().await, it.app.board().await);
        assert_eq!(cell(&own, "Viewer", "two"), json!([1, now]), "first among the visible solves");
        assert_eq!(cell(&own, "Viewer", "three"), json!([2, now]), "after the frozen solve");
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
        let board = it.app.board().await;
        assert_eq!(board, public, "the public does not see the solve");
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
        }).await.pop().expect("there is one");
        let positions = ["Early", "Late", "Viewer"];
        let positions = positions.map(|team| cell(&revealed, team, "two")[0].clone());
        assert_eq!(positions, [json!(1), json!(2), json!(3)], "the order of the journal");
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
        assert_eq!(ended["scoreboard"], frozen["scoreboard"],
            "the end without a reveal shows nothing");
        assert_eq!(cell(&it.viewer.board().await, "Viewer", "two")[0], 1);
        it.app.run(commands::reveal()).await;
        let revealed = world.next().await;
        assert_eq!(cell(&revealed, "Viewer", "two")[0], 3);
        assert_eq!(it.viewer.board().await, revealed);
        assert_eq!(it.app.board().await, revealed);
        // The state equals that of another writer that reads the whole journal.
        let key = flagship_store::Key::new(b"the secret of the tests");
        let db = it.app.test.reopen().await;
        let refold = Writer::open(db, &key, it.app.clock()).await.expect("the journal opens");
        let (contest, generation) = (refold.contest(), refold.generation());
        let board = view::board(contest, Viewer::Organizer);
        let snapshot = Snapshot { board: &board, seq: contest.public_seq(), generation };
        assert_eq!(serde_json::to_value(snapshot).expect("JSON"), revealed);
        let feed = it.app.player().get("/ctftime").await.json;
        let early = feed["standings"].as_array().expect("a list").iter()
            .find(|team| team["team"] == "Early").expect("the feed has the team");
        assert_eq!(early["taskStats"]["The two"]["points"], 300);
    }

    async fn a_freeze_outlives_a_restart_and_a_clock_set_back(engine: Engine) {
        let it = frozen(engine, Reveal::Manual).await;
        it.latest.solves("one").await;
        let (public, own) = (it.app.board().await, it.latest.board().await);
        let (mut latest, clock) = (it.latest.clone(), it.app.clock());
        let test = it.app.stop().await;
        if let flagship_store::Clock::Manual(now) = &clock {
            now.store(NOW_MS, std::sync::atomic::Ordering::SeqCst);
        }
        let app = TestApp::on(test, clock, |_| {}).await;
        assert_eq!(app.board().await, public, "the board is frozen as before");
        assert_eq!(app.player().get("/ctf").await.json["status"], "frozen");
        latest.player = app.player().with_token(&latest.token);
        assert_eq!(latest.board().await, own);
    }

    async fn changes_by_organizers_reveal_nothing_of_the_freeze(engine: Engine) {
        let [solved, guessed] = [World::Solved, World::Guessed].map(async |world| {
            let it = frozen(engine, Reveal::Manual).await;
            let (mut socket, _) = Socket::watching(&it.app).await;
            it.others(world, &[(&it.early, "two"), (&it.latest, "one"), (&it.latest, "two")]).await;
            let mut received = Vec::new();
            let changes: [fn(&str) -> Op; 4] =
                [commands::ban, commands::unban, commands::hide_team, commands::show_team];
            for change in changes {
                it.app.run(change("Latest")).await;
                received.push(socket.next_text().await);
            }
            let words = "both worlds receive the same";
            let leaks = control("changes_by_organizers_reveal_nothing_of_the_freeze", words);
            if world == World::Solved && leaks {
                it.app.run(commands::ban("Early")).await;
            } else if world == World::Solved {
                it.app.run(commands::withdraw("Early", "two")).await;
            }
            let show = |shown| commands::show("two", shown);
            for op in [show(false), show(true)] {
                it.app.run(op).await;
                received.push(socket.next_text().await);
            }
            if world == World::Solved && !leaks {
                // A hidden challenge that requires a challenge solved only in this world.
                let (team, challenge) = (it.early.id, challenge_id("two"));
                let solves = it.app.app.contest().solve(it.latest.id, &challenge);
                let after = solves.expect("it has solved it").seq;
                let at_ms = it.app.now_ms();
                it.app.record(facts::SolveCounted { team, challenge, at_ms, after }).await;
            }
            for fact in told(&it) {
                it.app.record(fact).await;
                received.push(socket.next_text().await);
            }
            received.push(it.answers(&it.app.player()).await);
            received
        });
        let (solved, guessed) = tokio::join!(solved, guessed);
        assert_eq!(solved, guessed, "both worlds receive the same");
    }

    async fn the_number_of_challenges_is_secret_before_the_start(engine: Engine) {
        let [few, many] = [1, 5].map(async |count: usize| {
            let later = Event { start_ms: Some(NOW_MS + HOUR_MS / 2), ..event() };
            let test = TestDb::new(engine).await;
            test.execute(GENERATION).await;
            let challenges: Vec<Draft> = (0..count).map(|i| draft(&format!("c{i}"))).collect();
            let test = Arc::new(test);
            let event = later.clone();
            let app = TestApp::playing_on(test, event, challenges.clone(), |_| {}).await;
            let (mut socket, first) = Socket::watching(&app).await;
            let team = app.team("The Lighthouse").await;
            let mut more = challenges;
            more.extend((0..count).map(|i| draft(&format!("d{i}"))));
            app.run(Op::Apply(Box::new(Plan::new(later, more)))).await;
            app.run(commands::show("c0", false)).await;
            let mut received = vec![first.to_string(), socket.next_text().await];
            let other = app.team("The Harbour").await;
            received.push(socket.next_text().await);
            for who in [&app.player(), &team.player, &other.player] {
                for path in ["/scoreboard", "/challenge", "/ctftime", "/ctf"] {
                    let answer = who.get(path).await;
                    let etag = answer.headers.get("etag").cloned();
                    received.push(format!("{path} {} {etag:?} {}", answer.status, answer.json));
                }
            }
            app.advance(HOUR_MS / 2);
            let start = socket.until("scoreboard").await.pop().expect("the start is sent");
            received.push(start["seq"].to_string());
            let words = "both events receive the same";
            if control("the_number_of_challenges_is_secret_before_the_start", words) {
                received.push(app.app.contest().seq().to_string());
            }
            received
        });
        let (few, many) = tokio::join!(few, many);
        assert_eq!(few, many, "both events receive the same");
        assert!(few[2].contains("The Harbour"), "only teams that join cause frames: {few:?}");
    }

    async fn hidden_and_unknown_challenges_get_the_same_404(engine: Engine) {
        let mut drafts = vec![draft("one"), draft_after("open", &["one"]), draft("secret"),
            draft("tomorrow"), draft_after("behind", &["secret"])];
        drafts[2].hidden = true;
        drafts[3].release_at_ms = Some(NOW_MS + HOUR_MS);
        let app = TestApp::playing(engine, event(), drafts).await;
        let team = app.team("The Lighthouse").await;
        let solve = async |id: &str, flag: &str| {
            let body = json!({"challengeId": id, "flag": flag}).to_string();
            let call = Call::new("POST", "/api/solve").header("x-api-key", &team.token);
            in_full("POST", "/api/solve", &call.json(body).send(&app).await)
        };
        let nowhere = solve("none", "flag{none}").await;
        assert!(nowhere.starts_with("POST /api/solve 404"), "{nowhere}");
        let shown = |shown| commands::show("one", shown);
        app.run(shown(false)).await;
        if control("hidden_and_unknown_challenges_get_the_same_404", "secret flag{secret}") {
            app.run(commands::show("secret", true)).await;
        }
        for id in ["secret", "tomorrow", "behind", "one", "open", "", "../one", "ONE"] {
            for flag in [format!("flag{{{id}}}"), "wrong".to_owned()] {
                for _ in 0..4 {
                    assert_eq!(solve(id, &flag).await, nowhere, "{id} {flag}");
                }
            }
        }
        app.run(shown(true)).await;
        let locked = solve("open", "flag{open}").await;
        assert_eq!(locked, solve("open", "wrong").await, "a lock reveals nothing about the flag");
        assert!(locked.contains(" 403 "), "{locked}");
        team.solves("one").await;
        team.solves("open").await;
    }
}
