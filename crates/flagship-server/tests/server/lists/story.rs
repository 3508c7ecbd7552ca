//! The activity of a team: order, pages, and the parts visible to each role; and submissions by
//! network.

use std::collections::BTreeSet;
use std::sync::Arc;

use flagship_game::Attachment;
use flagship_store::ops::{Op, Plan};
use flagship_store::organizers::Role;
use flagship_testkit::player::{HOUR_MS, draft, event, exact};
use flagship_testkit::{
    Call, NOW_MS, Player, Team, TestApp, TestDb, commands, on_both_engines, until,
};
use serde_json::{Value, json};

use super::{execute, get};
use crate::actions::{action, session_of, with_team};

const HERE: &str = "198.51.100.7";
const THERE: &str = "2001:db8:77:2::9";
/// The network of [`THERE`].
const THERE_64: &str = "2001:db8:77:2::";

fn lines(page: &Value) -> &Vec<Value> {
    page["story"].as_array().expect("a list")
}

fn kinds(page: &Value) -> Vec<&str> {
    lines(page).iter().map(|it| it["kind"].as_str().expect("a kind")).collect()
}

/// An event with a file, and a team that signed up and confirmed its address.
async fn with_a_file(engine: flagship_testkit::Engine) -> TestApp {
    let test = Arc::new(TestDb::new(engine).await);
    let folder = test.data.path().join("files");
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join("ab".repeat(32)), "abc").expect("a file");
    let mut drafts = vec![draft("one"), draft("two")];
    let digest = "ab".repeat(32);
    let file =
        Attachment { name: "one.zip".to_owned(), digest, bytes: 3, picture: None, per_team: false };
    drafts[0].challenge.attachments.push(file);
    let app = TestApp::playing_on(test, event(), drafts, |_| {}).await;
    with_team(&app).await;
    app
}

/// Fetches the list of challenges, then downloads the attachment of the first challenge.
async fn download(app: &TestApp, player: &Player, address: &str) {
    let cards = player.get("/challenge").await.json["challenges"].take();
    let link = cards[0]["attachments"][0]["link"].as_str().expect("a link").to_owned();
    let reply = Call::new("GET", &link).header("x-forwarded-for", address).send(app).await;
    assert_eq!((reply.status, reply.text().as_str()), (200, "abc"));
}

async fn flag(player: &Player, id: &str, text: &str) {
    let answer = player.post("/solve", &json!({"challengeId": id, "flag": text})).await;
    assert_eq!(answer.status, 200, "{answer:?}");
}

/// Activities of the team of [`with_a_file`], one minute apart.
async fn plays(app: &TestApp, organizer: &str) {
    let minute = || app.advance(60_000);
    minute();
    let player = app.player().from_address(HERE).log_in("The Team", "correct horse").await;
    minute();
    download(app, &player, HERE).await;
    minute();
    flag(&player, "one", "no").await;
    minute();
    let player = player.from_address(THERE);
    flag(&player, "one", "flag{one}").await;
    minute();
    let question = json!({"text": "Is this a canary question?", "challengeId": "two"});
    assert_eq!(player.post("/question", &question).await.status, 201);
    minute();
    let note = json!({"text": "x", "reason": "the canary reason"});
    assert_eq!(action(app, organizer, "team.note", note).await.status, 200);
    minute();
    let award = json!({"points": 5, "reason": "the canary award"});
    assert_eq!(action(app, organizer, "team.award", award).await.status, 200);
}

on_both_engines! {
    async fn a_story_has_everything_in_order(engine: Engine) {
        let app = with_a_file(engine).await;
        let organizer = session_of(&app, Role::Organizer).await;
        plays(&app, &organizer).await;
        let mut page = Value::Null;
        until("all is recorded", async || {
            page = get(&app, &organizer, "/teams/The%20Team").await;
            kinds(&page).contains(&"wrong") && kinds(&page).contains(&"download")
        })
        .await;
        let all = ["action", "action", "question", "right", "wrong", "list", "download", "login",
            "mail", "confirmed", "signed_up"];
        assert_eq!(kinds(&page), all, "everything, the newest first: {page}");
        let line = |kind: &str| lines(&page).iter().find(|it| it["kind"] == kind).expect("a line");
        assert_eq!(line("right")["network"], json!(THERE_64));
        assert_eq!(line("wrong")["network"], json!(HERE));
        let download = line("download");
        assert_eq!((&download["network"], &download["challengeId"], &download["times"]),
            (&json!(HERE), &json!("one"), &json!(1)));
        assert_eq!(line("list")["network"], json!(HERE));
        assert_eq!(line("login")["at"], json!(NOW_MS + 60_000));
        assert_eq!(line("mail")["mail"]["state"], json!("sent"));
        assert_eq!(line("question")["question"]["state"], json!("open"));
        assert_eq!(line("action")["action"]["action"], json!("team.award"));
        assert_eq!(page["team"]["email"], json!("old@example.org"));
        assert_eq!(page["next"], Value::Null);
        // Another login from that network adds one line for readers who can see networks.
        app.player().from_address(THERE).log_in("The Team", "correct horse").await;
        let helper = session_of(&app, Role::Support).await;
        let logins = |page: &Value| lines(page).iter().filter(|it| it["kind"] == "login").count();
        until("the login is recorded", async || {
            logins(&get(&app, &organizer, "/teams/The%20Team").await) == 2
        })
        .await;
        let page = get(&app, &helper, "/teams/The%20Team").await;
        assert_eq!(logins(&page), 1, "{page}");
        for (wrong, status) in [("Nobody", 404), ("The%20Team?before=1", 422),
            ("The%20Team?view=all", 422), ("The%20Team?what=1", 422), ("%FF", 404)]
        {
            let path = format!("/teams/{wrong}");
            let reply = Call::organize("GET", &path).session(&organizer).send(&app).await;
            assert_eq!(reply.status, status, "{wrong}");
        }
    }

    async fn each_role_sees_its_part_of_a_story(engine: Engine) {
        let app = with_a_file(engine).await;
        let organizer = session_of(&app, Role::Organizer).await;
        plays(&app, &organizer).await;
        app.advance(HOUR_MS);
        app.settled().await;
        let player = app.player().from_address(HERE).log_in("The Team", "correct horse").await;
        flag(&player, "two", "flag{two}").await;
        flag(&player, "two", "frozen").await;
        let author = app.author("An Author", &["two"]).await;
        let author = app.organizer_session(&author, true).await;
        let support = session_of(&app, Role::Support).await;
        let observer = session_of(&app, Role::Observer).await;
        let owner = session_of(&app, Role::Owner).await;
        let path = "/teams/The%20Team";
        until("all is recorded", async || {
            let page = get(&app, &organizer, path).await;
            kinds(&page).iter().filter(|it| **it == "right").count() == 2
                && kinds(&page).contains(&"download")
        })
        .await;
        let words = "a role sees more of a story than its part";
        let canaries = [HERE, "old@example.org", "canary question", "canary reason",
            "canary award"];
        let is_frozen = |it: &Value| it["kind"] == "right" && it["challengeId"] == "two";
        for (session, seen, sees_frozen) in [
            (&observer, [false; 5], false),
            (&author, [false, false, true, false, false], false),
            (&support, [false, true, true, true, false], false),
            (&organizer, [true; 5], true),
            (&owner, [true; 5], true),
        ] {
            for (view, seen, sees_frozen) in
                [("", seen, sees_frozen), ("?view=public", [false; 5], false)]
            {
                let page = get(&app, session, &format!("{path}{view}")).await;
                let text = page.to_string();
                let has = canaries.map(|it| text.contains(it));
                assert_eq!(has, seen, "{words}: {view} {text}");
                let frozen = lines(&page).iter().any(is_frozen);
                assert_eq!(frozen, sees_frozen, "{words}: {view} {text}");
            }
        }
        // A team that is hidden from players does not exist for readers of the public view.
        let hide = json!({"reason": "x"});
        assert_eq!(action(&app, &organizer, "team.hide", hide).await.status, 200);
        app.fresh_board().await;
        for (session, view, status) in
            [(&observer, "", 404), (&organizer, "?view=public", 404), (&support, "", 200)]
        {
            let path = format!("{path}{view}");
            let reply = Call::organize("GET", &path).session(session).send(&app).await;
            assert_eq!(reply.status, status, "{}", reply.text());
        }
    }

    async fn a_fetched_list_is_for_those_who_see_what_the_freeze_hides(engine: Engine) {
        let app = with_a_file(engine).await;
        let [organizer, support] =
            [session_of(&app, Role::Organizer).await, session_of(&app, Role::Support).await];
        app.advance(HOUR_MS);
        app.settled().await;
        let player = app.player().from_address(HERE).log_in("The Team", "correct horse").await;
        flag(&player, "two", "flag{two}").await;
        // A solve can unlock a challenge, so the site fetches the list.
        download(&app, &player, HERE).await;
        let path = "/teams/The%20Team";
        until("all is recorded", async || {
            let page = get(&app, &organizer, path).await;
            ["login", "list", "download"].iter().all(|it| kinds(&page).contains(it))
        })
        .await;
        let words = "the time of the last list reveals a hidden solve";
        let page = get(&app, &support, path).await;
        assert_eq!(kinds(&page), ["login", "mail", "confirmed", "signed_up"], "{words}: {page}");
        app.run(commands::reveal()).await;
        app.fresh_board().await;
        let page = get(&app, &support, path).await;
        let shown = ["login", "list", "download"].iter().all(|it| kinds(&page).contains(it));
        assert!(shown, "the reveal shows them: {page}");
    }

    async fn a_message_about_a_flag_of_the_freeze_is_for_those_who_see_its_solve(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![draft("one")]).await;
        let team = app.team("The Team").await;
        let author = app.author("An Author", &["one"]).await;
        let author = app.organizer_session(&author, true).await;
        let [organizer, support] =
            [session_of(&app, Role::Organizer).await, session_of(&app, Role::Support).await];
        app.advance(HOUR_MS);
        app.settled().await;
        assert_eq!(team.send("one", "flag{other}").await.json["correct"], false);
        let mut drafts = vec![draft("one")];
        drafts[0].flags.push(exact("one", "flag{other}"));
        app.run(Op::Apply(Box::new(Plan::new(event(), drafts)))).await;
        app.advance(1);
        for (name, fields) in [("challenge.rejudge", json!({"challenge": "one"})),
            ("team.message", json!({"text": "Hello"}))]
        {
            let done = action(&app, &organizer, name, fields).await;
            assert_eq!(done.status, 200, "{}", done.text());
        }
        let told = async |session: &str| {
            let page = get(&app, session, "/teams/The%20Team").await;
            kinds(&page).into_iter().filter(|kind| *kind == "told").count()
        };
        let seen = (told(&author).await, told(&support).await, told(&organizer).await);
        assert_eq!(seen, (0, 1, 2), "the message tells that the team has a hidden solve");
        app.run(commands::reveal()).await;
        app.fresh_board().await;
        let seen = (told(&author).await, told(&support).await, told(&organizer).await);
        assert_eq!(seen, (1, 2, 2), "the reveal shows it");
    }

    async fn pages_of_a_story_skip_and_repeat_nothing(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![draft("one")]).await;
        let team = app.team("Team A").await;
        let (id, organizer) = (team.id.0, session_of(&app, Role::Organizer).await);
        // Rows of each kind, many of them with equal times.
        let rows = |row: &dyn Fn(i64) -> String| {
            (0..90).map(row).collect::<Vec<_>>().join(", ")
        };
        let wrong = rows(&|i| format!("({}, {id}, 'one', {}, 'd')", 900 - i, NOW_MS - i / 4));
        let columns = "wrong_flags (id, account_id, challenge_id, at_ms, digest)";
        execute(&app, format!("insert into {columns} values {wrong}")).await;
        let questions = rows(&|i| format!("({i}, {id}, {}, 't', 'closed')", NOW_MS - i / 4));
        let columns = "questions (id, account_id, at_ms, text, state)";
        execute(&app, format!("insert into {columns} values {questions}")).await;
        let seen = rows(&|i| {
            format!("({id}, 'download', 'c{i}', 'n', {at}, {at}, 1)", at = NOW_MS - i / 4)
        });
        execute(&app, format!("insert into sightings values {seen}")).await;
        let mails = rows(&|i| {
            let at_ms = NOW_MS - i / 4;
            format!("({i}, 'team@example.org', 's', '', {at_ms}, 1, {at_ms}, 'signup', 'n')")
        });
        let columns = "outbox (id, address, subject, body, created_at_ms, attempts, sent_at_ms, \
                       kind, network)";
        execute(&app, format!("insert into {columns} values {mails}")).await;
        let words = "each line is on one page";
        let mut all = Vec::new();
        let mut before = String::new();
        for round in 0_i64.. {
            let page = get(&app, &organizer, &format!("/teams/Team%20A{before}")).await;
            all.extend(lines(&page).iter().cloned());
            // Lines added between two pages are new, or appear again.
            let new = format!("({}, {id}, {}, 't', 'closed')", 1_000 + round, NOW_MS + 1 + round);
            let columns = "questions (id, account_id, at_ms, text, state)";
            execute(&app, format!("insert into {columns} values {new}")).await;
            execute(&app, "update sightings set last_ms = last_ms + 1, count = count + 1".into())
                .await;
            let Some(next) = page["next"].as_str() else { break };
            before = format!("?before={next}");
        }
        assert_eq!(all.len(), 4 * 90 + 2, "{words}");
        let times: Vec<_> = all.iter().map(|it| it["at"].as_i64()).collect();
        assert!(times.is_sorted_by(|a, b| a >= b), "the newest first");
        let ids: BTreeSet<_> =
            all.iter().filter_map(|it| it["question"]["id"].as_i64()).collect();
        let files: BTreeSet<_> = all.iter().filter(|it| it["kind"] == "download")
            .map(|it| it["challengeId"].to_string()).collect();
        assert_eq!((ids.len(), files.len()), (90, 90), "{words}");
    }

    async fn a_story_goes_on_behind_what_its_reader_does_not_see(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![draft("one")]).await;
        let team = app.team("Team A").await;
        team.solves("one").await;
        let [organizer, helper] = [session_of(&app, Role::Organizer).await,
            session_of(&app, Role::Support).await];
        let withdraw = json!({"team": "Team A", "challenge": "one"});
        assert_eq!(action(&app, &organizer, "solve.withdraw", withdraw).await.status, 200);
        let words = "what is behind more than a page of hidden flags is shown";
        let row = |i: i64| {
            let challenge = if i == 0 { "one" } else { "hidden" };
            format!("({}, {}, '{challenge}', {}, 'd')", 1 + i, team.id.0, NOW_MS + i)
        };
        let rows = (0..250).map(row).collect::<Vec<_>>().join(", ");
        let columns = "wrong_flags (id, account_id, challenge_id, at_ms, digest)";
        execute(&app, format!("insert into {columns} values {rows}")).await;
        let page = get(&app, &helper, "/teams/Team%20A").await;
        let wrong = kinds(&page).into_iter().filter(|kind| *kind == "wrong").count();
        assert_eq!((wrong, &page["next"]), (1, &Value::Null), "{words}: {page}");
        // The record of an action on a solve remains after the challenge is deleted.
        execute(&app, "delete from challenges".to_owned()).await;
        execute(&app, "delete from wrong_flags".to_owned()).await;
        let page = get(&app, &organizer, "/teams/Team%20A").await;
        let names = lines(&page).iter().filter_map(|it| it["action"]["action"].as_str());
        let actions: Vec<_> = names.collect();
        assert_eq!(actions, ["solve.withdraw"], "{page}");
    }

    async fn flags_of_a_network_are_on_pages_of_their_own(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![draft("one"), draft("two")]).await;
        let teams = app.teams(&["Near", "Far"]).await;
        let [near, far] = [(0, HERE), (1, THERE)].map(|(at, address): (usize, _)| Team {
            player: teams[at].player.from_address(address),
            ..teams[at].clone()
        });
        near.send("one", "no").await;
        near.solves("one").await;
        far.send("two", "no").await;
        far.solves("one").await;
        far.solves("two").await;
        let organizer = session_of(&app, Role::Organizer).await;
        let listed = async |filters: &str| -> Vec<String> {
            let page = get(&app, &organizer, &format!("/flags?{filters}")).await;
            let told = ["teamName", "challengeId", "verdict", "network"];
            let row = |it: &Value| told.map(|name| it[name].as_str().unwrap_or("-")).join(" ");
            page["flags"].as_array().expect("a list").iter().map(row).collect()
        };
        until("all are recorded with their networks", async || {
            let all = listed("").await;
            all.len() == 5 && all.iter().all(|row| !row.ends_with('-'))
        })
        .await;
        let words = "only those from there";
        let mut there = listed("network=2001:db8:77:2::ff").await;
        there.sort();
        let expected = ["Far one right", "Far two right", "Far two wrong"];
        assert_eq!(there, expected.map(|row| format!("{row} {THERE_64}")), "{words}");
        for (filters, count) in [
            ("verdict=right", 2), ("challenge=two", 2), ("team=Near", 0),
            ("verdict=wrong&challenge=two", 1), ("near=any", 0),
        ] {
            let network = format!("network={THERE_64}&{filters}");
            assert_eq!(listed(&network).await.len(), count, "{filters}");
        }
        // Pages after a position, with other teams' rows in between.
        let columns = "wrong_flags (id, account_id, challenge_id, at_ms, digest, network)";
        let network = |i: i64| if i % 2 == 0 { HERE } else { THERE_64 };
        let row = |i: i64| {
            format!("({}, {}, 'one', {}, 'd', '{}')", 1 + i, far.id.0, NOW_MS - i / 5, network(i))
        };
        let rows = (0..500).map(row).collect::<Vec<_>>().join(", ");
        execute(&app, format!("insert into {columns} values {rows}")).await;
        let mut seen = 0;
        let mut before = String::new();
        loop {
            let path = format!("/flags?network={HERE}{before}");
            let page = get(&app, &organizer, &path).await;
            let flags = page["flags"].as_array().expect("a list");
            assert!(flags.iter().all(|it| it["network"] == HERE), "{page}");
            seen += flags.len();
            let Some(next) = page["next"].as_str() else { break };
            before = format!("&before={next}");
        }
        assert_eq!(seen, 250 + 2);
        for (wrong, status) in [("network=campus", 422), ("network=", 422),
            ("network=198.51.100.7&view=public", 404)]
        {
            let path = format!("/flags?{wrong}");
            let reply = Call::organize("GET", &path).session(&organizer).send(&app).await;
            assert_eq!(reply.status, status, "{wrong}");
        }
        let words = "a role sees networks";
        let support = session_of(&app, Role::Support).await;
        for path in ["/flags", "/exports/flags?format=csv", "/exports/flags"] {
            let reply = Call::organize("GET", path).session(&support).send(&app).await;
            assert_eq!(reply.status, 200);
            assert!(!reply.text().contains(HERE) && !reply.text().contains("2001:db8"), "{words}");
        }
        let path = format!("/flags?network={HERE}");
        let reply = Call::organize("GET", &path).session(&support).send(&app).await;
        assert_eq!(reply.status, 404);
        let csv = Call::organize("GET", "/exports/flags?format=csv").session(&organizer);
        assert!(csv.send(&app).await.text().contains(HERE));
    }

    async fn nothing_of_networks_is_kept_for_no_days(engine: Engine) {
        let words = "with 0 days no network is recorded";
        let test = Arc::new(TestDb::new(engine).await);
        let app = TestApp::playing_on(test, event(), vec![draft("one")], |config| {
            config.settings.privacy.sightings_days = 0;
        })
        .await;
        with_team(&app).await;
        let player = app.player().from_address(HERE).log_in("The Team", "correct horse").await;
        player.get("/challenge").await;
        flag(&player, "one", "no").await;
        flag(&player, "one", "flag{one}").await;
        let test = app.stop().await;
        let seen: Vec<(i64,)> = test.rows("select count(*) from sightings").await;
        let sql = "select count(*), count(network) from wrong_flags";
        let flags: Vec<(i64, i64)> = test.rows(sql).await;
        assert_eq!((seen, flags), (vec![(0,)], vec![(1, 0)]), "{words}");
    }
}
