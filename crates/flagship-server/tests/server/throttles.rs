//! Rate limits over HTTP: they are exact and atomic, count by team and network, and cannot be used
//! to lock a team out.

use std::sync::Arc;

use flagship_control::control;
use flagship_testkit::player::{draft, event};
use flagship_testkit::{
    Answer, Call, Engine, Player, Socket, TestApp, TestDb, on_both_engines, until,
};
use serde_json::{Value, json};
use tokio::task::JoinSet;

const PASSWORD: &str = "correct horse battery";

/// A part of a request, by the number of the request.
type ByNumber<'a, T> = &'a dyn Fn(usize) -> T;

fn signup(team: &str, email: &str) -> Value {
    json!({"teamName": team, "email": email, "country": "IT", "password": PASSWORD,
        "captchaToken": "off"})
}

fn login(team: &str, password: &str) -> Value {
    json!({"team": team, "password": password, "captchaToken": "off"})
}

/// An event without email confirmation.
async fn open_event(engine: Engine, change: impl FnOnce(&mut flagship_server::Config)) -> TestApp {
    let test = Arc::new(TestDb::new(engine).await);
    TestApp::playing_on(test, event(), vec![draft("one"), draft("two")], |config| {
        config.settings.registration.confirm_email = false;
        change(config);
    })
    .await
}

/// Sends requests until one is rejected. The next one is rejected a second before the end of its
/// `Retry-After`, and accepted at the end.
async fn waits_exactly(app: &TestApp, what: &str, mut ask: impl AsyncFnMut() -> Answer) {
    let mut asked = 0;
    let wait_s = loop {
        let answer = ask().await;
        asked += 1;
        if answer.status == 429 {
            break i64::try_from(answer.retry_after()).expect("seconds");
        }
        assert!(asked < 50, "{what} has a limit");
        app.advance(137);
    };
    app.advance(wait_s * 1000 - 1000);
    let early = ask().await;
    assert_eq!((early.status, early.retry_after()), (429, 1), "{what}, after {wait_s} s");
    app.advance(1000);
    let answer = ask().await;
    assert_ne!(answer.status, 429, "{what}: {answer:?}");
}

/// Makes the database reject queued emails.
async fn refuse_mails(test: &TestDb) {
    let statements: &[&str] = match test.url {
        None => &["create trigger refuses before insert on outbox \
                   begin select raise(abort, 'refused'); end"],
        Some(_) => &[
            "create function refuses() returns trigger language plpgsql as \
             $$ begin raise exception 'refused'; end $$",
            "create trigger refuses before insert on outbox \
             for each row execute function refuses()",
        ],
    };
    for sql in statements {
        test.execute(sql).await;
    }
}

/// Settings that allow two signups per hour and network.
fn two_signups_an_hour(confirm_email: bool) -> impl Fn(&mut flagship_server::Config) + Copy {
    move |config| {
        config.settings.registration.confirm_email = confirm_email;
        config.settings.limits.signups_per_network_per_hour = 2;
    }
}

on_both_engines! {
    async fn a_request_succeeds_after_its_retry_after(engine: Engine) {
        let app = open_event(engine, |config| {
            config.settings.limits.signups_per_network_per_hour = 3;
        })
        .await;
        let player = app.player();
        assert_eq!(player.post("/signup", &signup("The Team", "a@example.org")).await.status, 201);
        let team = player.log_in("The Team", PASSWORD).await;
        let wrong = json!({"challengeId": "one", "flag": "wrong"});
        waits_exactly(&app, "a challenge", async || team.post("/solve", &wrong).await).await;
        let guess = login("The Team", "a guess");
        waits_exactly(&app, "logins", async || player.post("/login", &guess).await).await;
        let mail = json!({"email": "nobody@example.org"});
        waits_exactly(&app, "mails", async || player.post("/forgot", &mail).await).await;
        let mut teams = 0;
        waits_exactly(&app, "signups", async || {
            teams += 1;
            let body = signup(&format!("Team no {teams}"), &format!("{teams}@example.org"));
            player.post("/signup", &body).await
        })
        .await;
    }

    async fn a_throttled_login_causes_no_database_read(engine: Engine) {
        let app = open_event(engine, |_| {}).await;
        let player = app.player();
        assert_eq!(player.post("/signup", &signup("The Team", "a@example.org")).await.status, 201);
        let long = "\u{fdfa}".repeat(1365);
        let names = ["The Team", "Nobody at all", &long];
        for name in names {
            let guess = login(name, "a guess");
            for status in [[401; 10].as_slice(), &[429]].concat() {
                assert_eq!(player.post("/login", &guess).await.status, status, "{name}");
            }
        }
        // Requests that read the database fail from now on.
        app.app.stop().await;
        for name in names {
            let refused = player.post("/login", &login(name, "a guess")).await;
            assert_eq!(refused.status, 429, "it is refused at once: {refused:?}");
            assert_eq!(refused.retry_after(), 60);
        }
        let elsewhere = player.from_address("192.0.2.1");
        let answer = elsewhere.post("/login", &login("The Team", PASSWORD)).await;
        assert_eq!(answer.status, 503, "the database is gone: {answer:?}");
    }

    async fn a_teams_budget_over_all_challenges_is_exact(engine: Engine) {
        let app = open_event(engine, |config| {
            config.settings.limits.submissions_per_challenge_per_10_s = 0;
        })
        .await;
        let team = app.team("The Team").await.player;
        let mut turn = 0;
        waits_exactly(&app, "a team", async || {
            turn += 1;
            let id = if turn % 2 == 0 { "one" } else { "two" };
            team.post("/solve", &json!({"challengeId": id, "flag": "wrong"})).await
        })
        .await;
    }

    async fn two_hundred_concurrent_attempts_get_the_same_budget(engine: Engine) {
        let app = open_event(engine, |config| {
            config.settings.limits.signups_per_network_per_hour = 7;
        })
        .await;
        let player = app.player();
        assert_eq!(player.post("/signup", &signup("The Team", "a@example.org")).await.status, 201);
        // A network is an IPv6 /64, or for password guesses a /48.
        let words = "of 200 guesses";
        let apart = control("two_hundred_concurrent_attempts_get_the_same_budget", words);
        let at = |i: usize, is_guess: bool| {
            let (site, network) = (if apart { i } else { 1 }, if is_guess { i } else { 2 });
            app.player().from_address(&format!("2001:db8:{site:x}:{network:x}::{i:x}"))
        };
        let count = async |make: &dyn Fn(usize) -> (&'static str, Value)| {
            let mut all = JoinSet::new();
            for i in 0..200 {
                let (path, body) = make(i);
                let player = at(i, path == "/login");
                all.spawn(async move { player.post(path, &body).await.status });
            }
            let statuses = all.join_all().await;
            // Some requests are rejected because a network has only a share of the permits.
            let is_refused = |status: &&u16| [429, 503].contains(*status);
            let refused = statuses.iter().filter(is_refused).count();
            assert!(statuses.iter().all(|status| [200, 201, 401, 429, 503].contains(status)));
            200 - refused
        };
        let guess = |i| ("/login", login("The Team", &format!("guess {i}")));
        assert_eq!(count(&guess).await, 10, "of 200 guesses");
        let join = |i| ("/signup", signup(&format!("Team no {i}"), &format!("{i}@example.org")));
        assert_eq!(count(&join).await, 7);
        let mail = |_| ("/resend", json!({"email": "nobody@example.org"}));
        assert_eq!(count(&mail).await, 7);
    }

    async fn two_nodes_share_the_budgets_of_logins_and_signups(engine: Engine) {
        let change = |config: &mut flagship_server::Config| {
            config.settings.registration.confirm_email = false;
            config.settings.limits.signups_per_network_per_hour = 7;
        };
        let app = open_event(engine, change).await;
        let here = app.player();
        assert_eq!(here.post("/signup", &signup("The Team", "a@example.org")).await.status, 201);
        let failed = login("The Team", "a guess");
        assert_eq!(here.post("/login", &failed).await.status, 401);
        let second = app.second_node(change).await;
        let words = "over both nodes";
        let let_in = async |path: &str, body: &dyn Fn(usize) -> Value| {
            let mut count = 0;
            for i in 0..40 {
                let node = if i % 2 == 0 { &app } else { &second };
                let player = node.player().from_address("198.51.100.0");
                let answer = player.post(path, &body(i)).await;
                assert!([200, 201, 401, 429].contains(&answer.status), "{answer:?}");
                count += usize::from(answer.status != 429);
            }
            count
        };
        assert_eq!(let_in("/login", &|_| login("The Team", "a guess")).await, 10, "{words}");
        assert_eq!(let_in("/login", &|i| login("Nobody", &format!("{i}"))).await, 10, "{words}");
        let join = |i: usize| signup(&format!("Team no {i}"), &format!("{i}@example.org"));
        assert_eq!(let_in("/signup", &join).await, 7, "{words}");
        // Attempts that the first node counted before the second one joined still count; successful
        // logins do not.
        for node in [&app, &second] {
            for _ in 0..6 {
                node.player().log_in("The Team", PASSWORD).await;
            }
        }
        let mut count = 0;
        for i in 0..20 {
            let node = if i % 2 == 0 { &app } else { &second };
            count += usize::from(node.player().post("/login", &failed).await.status == 401);
        }
        assert_eq!(count, 9, "including the earlier one");
        app.advance(60_000);
        assert_eq!(second.player().post("/login", &failed).await.status, 401);
    }

    async fn two_nodes_share_the_budgets_of_requested_mails_and_wider_networks(engine: Engine) {
        let change = |config: &mut flagship_server::Config| {
            config.settings.registration.confirm_email = false;
            config.settings.limits.signups_per_network_per_hour = 3;
        };
        let app = open_event(engine, change).await;
        // Requests that the first node counted before the second one joined still count.
        let mail = |i: usize| json!({"email": format!("{i}@example.net")});
        let early = app.player().from_address("198.51.100.1").post("/resend", &mail(0)).await;
        assert_eq!(early.status, 200, "{early:?}");
        let second = app.second_node(change).await;
        let let_in = async |path: &str, address: ByNumber<'_, String>, body: ByNumber<'_, Value>| {
            let mut count = 0;
            for i in 0..40 {
                let node = if i % 2 == 0 { &app } else { &second };
                let answer = node.player().from_address(&address(i)).post(path, &body(i)).await;
                assert!([200, 201, 429].contains(&answer.status), "{answer:?}");
                count += usize::from(answer.status != 429);
            }
            count
        };
        let one = |_| "198.51.100.1".to_owned();
        let sent = let_in("/forgot", &one, &mail).await;
        assert_eq!(sent, 2, "emails of one network, with the early");
        let signups = |i: usize| signup(&format!("Team no {i}"), &format!("{i}@example.org"));
        let of_a_56 = |i: usize| format!("2001:db8:1:{i:x}::1");
        assert_eq!(let_in("/signup", &of_a_56, &signups).await, 6, "signups of a /56");
        assert_eq!(let_in("/resend", &of_a_56, &mail).await, 6, "emails of a /56");
        let others = |i: usize| signup(&format!("Group no {i}"), &format!("g{i}@example.org"));
        let of_a_48 = |i: usize| format!("2001:db8:2:{i:x}00::1");
        assert_eq!(let_in("/signup", &of_a_48, &others).await, 12, "signups of a /48");
        assert_eq!(let_in("/forgot", &of_a_48, &mail).await, 12, "emails of a /48");
        app.advance(3_600_000);
        assert_eq!(let_in("/forgot", &one, &mail).await, 3, "an hour later");
    }

    async fn two_nodes_share_the_budget_of_a_teams_changes(engine: Engine) {
        let app = open_event(engine, |_| {}).await;
        let signed_up = app.player().post("/signup", &signup("Ants", "a@example.org")).await;
        assert_eq!(signed_up.status, 201, "{signed_up:?}");
        let second = app.second_node(|_| {}).await;
        let teams = [
            app.player().log_in("Ants", PASSWORD).await,
            second.player().log_in("Ants", PASSWORD).await,
        ];
        let mut changed = 0;
        for i in 0..24 {
            let members = json!({"members": [format!("Ada {i}")]});
            let answer = teams[i % 2].post("/account/members", &members).await;
            assert!([200, 429].contains(&answer.status), "{answer:?}");
            changed += usize::from(answer.status == 200);
        }
        assert_eq!(changed, 10, "over both nodes");
    }

    async fn a_signup_refused_by_the_count_of_all_nodes_spends_nothing(engine: Engine) {
        let change = two_signups_an_hour(false);
        let app = open_event(engine, change).await;
        let second = app.second_node(change).await;
        let mut teams = 0;
        let mut sign_up = async |node: &TestApp| {
            teams += 1;
            let body = signup(&format!("Team no {teams}"), &format!("{teams}@example.org"));
            node.player().post("/signup", &body).await
        };
        for _ in 0..2 {
            assert_eq!(sign_up(&second).await.status, 201);
        }
        app.advance(1_800_000);
        for _ in 0..2 {
            let refused = sign_up(&app).await;
            assert_eq!((refused.status, refused.retry_after()), (429, 1800));
        }
        app.advance(1_800_000);
        assert_eq!(sign_up(&app).await.status, 201, "after the time in Retry-After");
    }

    async fn signups_that_fail_in_the_database_spend_nothing(engine: Engine) {
        let change = two_signups_an_hour(true);
        let app = open_event(engine, change).await;
        let _second = app.second_node(change).await;
        let sign_up = async |i: usize| {
            let body = signup(&format!("Team no {i}"), &format!("{i}@example.org"));
            app.player().post("/signup", &body).await.status
        };
        refuse_mails(&app.test).await;
        for i in 0..3 {
            assert_eq!(sign_up(i).await, 503);
        }
        app.test.execute(match engine {
            Engine::Sqlite => "drop trigger refuses",
            Engine::Postgres => "drop trigger refuses on outbox",
        }).await;
        for (i, status) in [(0, 201), (1, 201), (2, 429)] {
            assert_eq!(sign_up(i).await, status, "the whole limit is left");
        }
    }

    async fn a_node_shares_only_recent_attempts(engine: Engine) {
        let app = open_event(engine, |_| {}).await;
        let failed = login("Nobody", "a guess");
        for _ in 0..5 {
            assert_eq!(app.player().post("/login", &failed).await.status, 401);
        }
        app.advance(60_000);
        assert_eq!(app.player().post("/login", &failed).await.status, 401);
        let _second = app.second_node(|_| {}).await;
        let nodes = "select node_id from nodes where shares";
        until("both nodes share", async || {
            app.test.rows::<(String,)>(nodes).await.len() == 2
        })
        .await;
        let written = app.test.rows::<(i64,)>("select at_ms from attempts").await;
        assert_eq!(written.len(), 1, "one attempt is from the last minute");
    }

    async fn two_thousand_failed_logins_do_not_lock_a_team_out(engine: Engine) {
        let app = open_event(engine, |_| {}).await;
        let home = app.player().from_address("203.0.113.9");
        assert_eq!(home.post("/signup", &signup("The Team", "a@example.org")).await.status, 201);
        let inside = home.log_in("The Team", PASSWORD).await;
        let mut failed = 0;
        for i in 0..2_000_u32 {
            // Logins from four networks, with every spelling of the name.
            let network = i % 4;
            let rival = app.player().from_address(&format!("198.51.100.{network}"));
            let name = ["The Team", "the team", " THE  TEAM", "Тhe Team"][i as usize / 4 % 4];
            let answer = rival.post("/login", &login(name, "a guess")).await;
            assert!([401, 429].contains(&answer.status), "{answer:?}");
            failed += usize::from(answer.status == 401);
            if i.is_multiple_of(500) {
                home.log_in("The Team", PASSWORD).await;
            }
        }
        assert_eq!(failed, 40, "ten of each of four networks");
        home.log_in("The Team", PASSWORD).await;
        assert_eq!(inside.get("/ctf").await.json["loggedTeam"], "The Team");
    }

    async fn only_listed_proxies_may_forward_addresses(engine: Engine) {
        let app = open_event(engine, |config| {
            config.settings.limits.trusted_proxies = Vec::new();
            config.settings.limits.signups_per_network_per_hour = 2;
        })
        .await;
        let mut statuses = Vec::new();
        for i in 0..4 {
            let liar = app.player().from_address(&format!("198.51.100.{i}"));
            let body = signup(&format!("Liar no {i}"), &format!("{i}@example.org"));
            statuses.push(liar.post("/signup", &body).await.status);
        }
        assert_eq!(statuses, [201, 201, 429, 429], "one peer is one network");
    }

    async fn only_the_last_address_of_a_listed_proxy_counts(engine: Engine) {
        let app = open_event(engine, |config| {
            config.settings.limits.signups_per_network_per_hour = 1;
        })
        .await;
        let mut teams = 0;
        let mut from = async |lines: &[&[u8]]| {
            teams += 1;
            let body = signup(&format!("Team no {teams}"), &format!("{teams}@example.org"));
            let mut call = Call::new("POST", "/api/signup").json(body.to_string());
            for line in lines {
                call = call.header("x-forwarded-for", line);
            }
            call.send(&app).await.status
        };
        assert_eq!(from(&[b"198.51.100.7"]).await, 201);
        // The client may send any header; the proxy appends the address that it sees.
        for lines in [
            &[&b"198.51.100.7"[..]][..],
            &[b"203.0.113.1, 198.51.100.7"],
            &[b"203.0.113.2", b"198.51.100.7"],
            &[b"203.0.113.3", b"\xff\xfe, 198.51.100.7"],
            &[b"203.0.113.4, 203.0.113.5", b"unknown, 198.51.100.7"],
            &[b"203.0.113.6", b"198.51.100.7, 127.0.0.1"],
            &[b"203.0.113.7", b"::ffff:198.51.100.7"],
            &[b"203.0.113.8", b"198.51.100.7:4711"],
        ] {
            assert_eq!(from(lines).await, 429,
                "the request counts for the same network: {lines:?}");
        }
        // A request with an invalid address counts as one from the proxy.
        assert_eq!(from(&[b"203.0.113.9", b"garbage"]).await, 201);
        for garbage in [&b"garbage"[..], b"", b",,,", b"\xff", b"1.2.3.4.5", b"-1"] {
            assert_eq!(from(&[b"203.0.113.9", garbage]).await, 429, "{garbage:?}");
        }
    }
}

/// Number of campus teams that sign up; the other teams are imported.
const SIGNUPS: usize = 40;

/// Signs a team up and logs it in; some teams first enter an incorrect password.
async fn comes(player: &Player, i: usize) -> Player {
    let name = format!("Student crew {i}");
    let email = format!("crew{i}@example.org");
    let answer = player.post("/signup", &signup(&name, &email)).await;
    assert_eq!(answer.status, 201, "{name}: {answer:?}");
    if i.is_multiple_of(5) {
        assert_eq!(player.post("/login", &login(&name, "mistyped")).await.status, 401, "{name}");
    }
    player.log_in(&name, PASSWORD).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_campus_of_165_players_behind_one_address_plays_undisturbed() {
    let app = open_event(Engine::Sqlite, |config| {
        config.settings.limits.trusted_networks = vec!["192.0.2.0/24".parse().expect("a network")];
    })
    .await;
    let mut sockets = Vec::new();
    for _ in 0..165 {
        sockets.push(Socket::watching(&app).await.0);
    }
    let campus = app.player().from_address("192.0.2.77");
    let names: Vec<String> = (SIGNUPS..165).map(|i| format!("Student crew {i}")).collect();
    let imported = app.teams(&names.iter().map(String::as_str).collect::<Vec<_>>()).await;
    let mut players = Vec::new();
    for i in 0..SIGNUPS {
        players.push(comes(&campus, i).await);
    }
    players.extend(imported.iter().map(|team| campus.with_token(&team.token)));
    for player in players {
        for (flag, correct) in [("flag{on}", false), ("flag{one}", true), ("flag{none}", false)] {
            let answer = player.post("/solve", &json!({"challengeId": "one", "flag": flag})).await;
            assert_eq!((answer.status, &answer.json["correct"]), (200, &json!(correct)));
        }
    }
    let board = app.fresh_board().await;
    let solved = |row: &&Value| row[2].as_object().is_some_and(|solves| solves.len() == 1);
    assert_eq!(board["scoreboard"].as_array().expect("rows").iter().filter(solved).count(), 165);
    for socket in &mut sockets {
        let is_last = |message: &Value| {
            message["event"] == "solve" && message["teamName"] == "Student crew 164"
        };
        socket.until_so(is_last).await;
    }
    // Other networks have the usual limit.
    for (i, status) in (0..21).map(|i| (i, if i < 20 { 201 } else { 429 })) {
        let stranger = app.player().from_address("198.51.100.7");
        let body = signup(&format!("Stranger no {i}"), &format!("s{i}@example.org"));
        assert_eq!(stranger.post("/signup", &body).await.status, status, "{i}");
    }
}
