//! Signing up, confirming, logging in and out, and new passwords, over HTTP on both databases.

mod divisions;
mod join;
mod languages;
mod names;
mod own;
mod registration;
mod waiting;

use flagship_control::control;
use flagship_game::TeamName;
use flagship_store::accounts::NewAccount;
use flagship_store::ops::Op;
use flagship_store::sessions;
use flagship_testkit::player::{draft, event};
use flagship_testkit::{Answer, Player, Socket, TestApp, commands, on_both_engines, until};
use serde_json::{Value, json};

const HOUR_MS: i64 = 3_600_000;
const PASSWORD: &str = "correct horse battery";

fn signup(team: &str, email: &str) -> Value {
    json!({
        "teamName": team, "email": email, "country": "IT", "password": PASSWORD,
        "captchaToken": "off",
    })
}

fn login(team: &str, password: &str) -> Value {
    json!({"team": team, "password": password, "captchaToken": "off"})
}

/// The body with one member changed; `null` removes it.
fn but(body: &Value, name: &str, value: Value) -> Value {
    let mut body = body.clone();
    let members = body.as_object_mut().expect("an object");
    if value.is_null() {
        members.remove(name);
    } else {
        members.insert(name.to_owned(), value);
    }
    body
}

async fn confirmed(app: &TestApp, team: &str, email: &str) -> Player {
    let player = app.player();
    assert_eq!(player.post("/signup", &signup(team, email)).await.status, 201);
    let token = app.mail_to(email).await.token("confirm");
    assert_eq!(player.post("/confirm", &json!({"token": token})).await.status, 200);
    player.log_in(team, PASSWORD).await
}

async fn import(app: &TestApp, teams: &[(&str, &str)]) {
    let teams = teams.iter().map(|(name, email)| NewAccount {
        name: TeamName::parse(name).expect("a name"),
        email: (*email).to_owned(),
        country: "UN".to_owned(),
        password_hash: None,
        student: false,
        divisions: Vec::new(),
        language: None,
    });
    app.run(Op::import(teams.collect())).await;
}

async fn logged_team(player: &Player) -> Value {
    player.get("/ctf").await.json["loggedTeam"].clone()
}

fn teams(board: &Answer) -> Vec<&str> {
    let rows = board.json["scoreboard"].as_array().expect("rows");
    rows.iter().map(|row| row[0].as_str().expect("a name")).collect()
}

on_both_engines! {
    async fn a_team_signs_up_confirms_logs_in_and_out(engine: Engine) {
        let app = TestApp::new(engine).await;
        let player = app.player();
        let answer = player.post("/signup", &signup(" The Team ", "Ada@Example.org")).await;
        assert_eq!(answer.status, 201);
        assert_eq!(answer.message(), "Team created, check your email for a verification link!");
        assert_eq!(answer.json.as_object().expect("an object").len(), 1, "and no token");

        let early = player.post("/login", &login("The Team", PASSWORD)).await;
        assert_eq!((early.status, early.message()), (403,
            "Confirm your email first. Use the link we sent you."));
        assert!(teams(&player.get("/scoreboard").await).is_empty(), "it joins when confirmed");

        let mail = app.mail_to("ada@example.org").await;
        for words in ["\"The Team\"", "24 hours"] {
            assert!(mail.words().contains(words), "{mail:?}");
        }
        let token = mail.token("confirm");
        let confirm = player.post("/confirm", &json!({"token": token})).await;
        assert_eq!(confirm.status, 200, "{confirm:?}");
        assert!(confirm.json.get("token").is_none(), "it logs nobody in");
        assert_eq!(teams(&player.get("/scoreboard").await), ["The Team"]);

        let answer = player.post("/login", &login("the team", PASSWORD)).await;
        assert_eq!(answer.status, 200, "any spelling of the name is accepted: {answer:?}");
        assert_eq!(answer.headers["cache-control"], "no-store");
        let token = answer.json["token"].as_str().expect("a token");
        assert!(token.starts_with("fsp_") && token.len() == 47, "{token}");
        let team = player.with_token(token);
        assert_eq!(logged_team(&team).await, "The Team");

        let logout = team.post("/logout", &json!({})).await;
        assert_eq!((logout.status, logout.json), (200, json!({})));
        assert_eq!(logged_team(&team).await, Value::Null);
        assert_eq!(team.post("/logout", &json!({})).await.status, 401);
        assert_eq!(player.post("/logout", &json!({})).await.status, 401);
    }

    async fn logging_out_ends_only_one_session(engine: Engine) {
        let app = TestApp::new(engine).await;
        let laptop = confirmed(&app, "The Team", "ada@example.org").await;
        let phone = app.player().log_in("The Team", PASSWORD).await;
        assert_eq!(laptop.post("/logout", &json!({})).await.status, 200);
        assert_eq!(logged_team(&phone).await, "The Team");
        app.advance(48 * HOUR_MS);
        assert_eq!(logged_team(&phone).await, Value::Null, "tokens live 48 hours");
    }

    async fn a_login_too_many_ends_the_oldest_session(engine: Engine) {
        let app = TestApp::new(engine).await;
        let first = confirmed(&app, "The Team", "ada@example.org").await;
        let second = app.player().log_in("The Team", PASSWORD).await;
        let sql = "select account_id from sessions limit 1";
        let [(account,)]: [(i64,); 1] = app.test.rows(sql).await.try_into().expect("a session");
        for number in 2..sessions::SESSIONS_MAX {
            let token = format!("session {number}");
            sessions::create(&app.test.db, &token, account, app.now_ms()).await.expect("begun");
        }
        assert_eq!(logged_team(&first).await, "The Team", "the limit is not exceeded yet");
        let newest = app.player().log_in("The Team", PASSWORD).await;
        until("the session is ended", async || logged_team(&first).await == Value::Null).await;
        assert_eq!(logged_team(&second).await, "The Team", "only the oldest session is ended");
        assert_eq!(logged_team(&newest).await, "The Team");
    }

    async fn invalid_signups_are_refused_with_a_message_and_store_nothing(engine: Engine) {
        let app = TestApp::new(engine).await;
        let player = app.player();
        let good = signup("The Team", "ada@example.org");
        let mut bad: Vec<(u16, Value)> = vec![
            (422, but(&good, "teamName", json!("ab"))),
            (422, but(&good, "teamName", json!("x".repeat(26)))),
            (422, but(&good, "teamName", json!("ab\u{200b}cd"))),
            (422, but(&good, "teamName", json!("ab\u{0}cd"))),
            (422, but(&good, "teamName", json!("  \u{3000} "))),
            (422, but(&good, "email", json!("ada"))),
            (422, but(&good, "email", json!("a@b@example.org"))),
            (422, but(&good, "email", json!("ada@example.org\nBcc: eve@example.org"))),
            (422, but(&good, "email", json!(format!("{}@example.org", "x".repeat(250))))),
            (422, but(&good, "country", json!("ZZ"))),
            (422, but(&good, "country", json!(""))),
            (422, but(&good, "password", json!("kX7!z"))),
            (422, but(&good, "password", json!("x".repeat(129)))),
            (422, but(&good, "password", json!("password1"))),
            (422, but(&good, "password", json!("THE TEAM"))),
            (422, but(&good, "studentTeam", json!("yes"))),
            (400, but(&good, "captchaToken", json!(""))),
            (422, json!([])),
            (422, json!({})),
            (422, json!("text")),
        ];
        for member in ["teamName", "email", "country", "password", "captchaToken"] {
            if member != "country" {
                bad.push((422, but(&good, member, Value::Null)));
            }
            bad.push((422, but(&good, member, json!(7))));
            bad.push((422, but(&good, member, json!({"$ne": ""}))));
        }
        for (status, body) in bad {
            let answer = player.post("/signup", &body).await;
            assert_eq!(answer.status, status, "{body} {answer:?}");
            assert!(!answer.message().is_empty(), "{body}");
        }
        for (status, text) in [(400, "{"), (400, ""), (400, "\u{0}"), (422, "null")] {
            assert_eq!(player.post_text("/signup", text).await.status, status, "{text:?}");
        }
        let huge = player.post("/signup", &but(&good, "email", json!("x".repeat(66_000)))).await;
        assert_eq!(huge.status, 413);
        assert_eq!(player.get("/signup").await.status, 405);
        // The refusals reserved no name and did not count as signups: a valid signup still
        // succeeds.
        assert_eq!(player.post("/signup", &good).await.status, 201);
    }

    async fn unknown_members_are_ignored_where_clients_rely_on_it(engine: Engine) {
        let app = TestApp::new(engine).await;
        let player = app.player();
        let extra = json!({"is_admin": true});
        let body = but(&signup("The Team", "ada@example.org"), "extra", extra.clone());
        assert_eq!(player.post("/signup", &body).await.status, 201);
        let token = app.mail_to("ada@example.org").await.token("confirm");
        for (path, body) in [
            ("/confirm", json!({"token": token})),
            ("/reset", json!({"token": token, "password": PASSWORD})),
            ("/resend", json!({"email": "ada@example.org"})),
            ("/forgot", json!({"email": "ada@example.org"})),
        ] {
            let answer = player.post(path, &but(&body, "extra", extra.clone())).await;
            assert_eq!(answer.status, 422, "{path}");
        }
        assert_eq!(player.post("/confirm", &json!({"token": token})).await.status, 200);
        let body = but(&login("The Team", PASSWORD), "extra", extra);
        assert_eq!(player.post("/login", &body).await.status, 200);
    }

    async fn names_that_look_like_a_taken_one_are_refused(engine: Engine) {
        let app = TestApp::new(engine).await;
        let player = app.player();
        assert_eq!(player.post("/signup", &signup("PayPal", "ada@example.org")).await.status, 201);
        let alike = ["PayPal", "paypal ", "pаypаl", "ＰａｙＰａｌ"];
        for (i, name) in alike.iter().enumerate() {
            let answer = player.post("/signup", &signup(name, &format!("{i}@example.org"))).await;
            assert_eq!(answer.status, 409, "{name}");
            assert_eq!(answer.message(), "A team with this name, or one that looks like it, \
                already exists.");
        }
    }

    async fn a_used_address_gets_the_same_response_and_a_mail_about_it(engine: Engine) {
        let app = TestApp::new(engine).await;
        confirmed(&app, "First", "ada@example.org").await;
        let player = app.player();
        let new = player.post("/signup", &signup("Another", "new@example.org")).await;
        let used = player.post("/signup", &signup("Second", "ADA@example.org")).await;
        assert_eq!((used.status, &used.json), (new.status, &new.json));
        let mail = app.mail_to("ada@example.org").await;
        assert!(mail.words().contains("log in as \"First\""), "{mail:?}");
        assert!(!mail.words().contains("Second"), "{mail:?}");
        assert!(mail.tokens("confirm").is_empty() && mail.tokens("reset").is_empty());
    }

    async fn closed_registration_refuses_signups(engine: Engine) {
        let app = TestApp::with(engine, |config| {
            config.settings.registration.open = false;
        })
        .await;
        let answer = app.player().post("/signup", &signup("The Team", "ada@example.org")).await;
        assert_eq!((answer.status, answer.message()), (403, "Registration is closed."));
    }

    async fn without_confirmation_a_team_plays_at_once(engine: Engine) {
        let app = TestApp::with(engine, |config| {
            config.settings.registration.confirm_email = false;
        })
        .await;
        let player = app.player();
        let answer = player.post("/signup", &signup("The Team", "ada@example.org")).await;
        assert_eq!(answer.status, 201);
        until("it is on the board", async || {
            teams(&player.get("/scoreboard").await) == ["The Team"]
        })
        .await;
        assert_eq!(logged_team(&player.log_in("The Team", PASSWORD).await).await, "The Team");
        assert!(app.mails().is_empty());
        // Without confirmation, several teams can share an address: a second signup gets the same
        // response.
        let again = player.post("/signup", &signup("Another", "ada@example.org")).await;
        assert_eq!((again.status, &again.json), (201, &answer.json));
        assert_eq!(logged_team(&player.log_in("Another", PASSWORD).await).await, "Another");
        assert!(app.mails().is_empty());
    }

    async fn an_unknown_team_and_a_wrong_password_get_the_same_response(engine: Engine) {
        let app = TestApp::new(engine).await;
        confirmed(&app, "The Team", "ada@example.org").await;
        confirmed(&app, "Banned", "bob@example.org").await;
        import(&app, &[("No Password", "eve@example.org")]).await;
        app.run(commands::ban("Banned")).await;
        let wrong = app.player().post("/login", &login("The Team", "wrong password")).await;
        assert_eq!((wrong.status, wrong.message()), (401, "Incorrect team name or password."));
        let words = "The Team is distinguished";
        let known = control("an_unknown_team_and_a_wrong_password_get_the_same_response", words);
        for (team, password) in [
            (if known { "The Team" } else { "Nobody" }, PASSWORD),
            ("", PASSWORD),
            ("a\u{0}b\u{202e}c", PASSWORD),
            ("The Team", ""),
            ("Banned", "wrong password"),
            ("No Password", ""),
        ] {
            let answer = app.player().post("/login", &login(team, password)).await;
            let response = (answer.status, &answer.json);
            assert_eq!(response, (wrong.status, &wrong.json), "{team} is distinguished");
        }
    }

    async fn a_banned_team_learns_of_the_ban_with_its_password_only(engine: Engine) {
        let app = TestApp::new(engine).await;
        confirmed(&app, "Banned", "bob@example.org").await;
        app.run(commands::ban("Banned")).await;
        let player = app.player();
        let answer = player.post("/login", &login("Banned", PASSWORD)).await;
        assert_eq!((answer.status, &answer.json["code"]), (403, &json!("team_banned")));
        assert_eq!(answer.message(), "This team has been banned. Contact the organizers.");
        assert_eq!(answer.json["token"], Value::Null);
        let words = "a wrong password does not reveal a ban";
        let wrong = player.post("/login", &login("Banned", "wrong password")).await;
        let response = (wrong.status, &wrong.json["code"]);
        assert_eq!(response, (401, &json!("credentials_wrong")), "{words}");
        // Logins with the correct password never count as failed.
        for _ in 0..20 {
            assert_eq!(player.post("/login", &login("Banned", PASSWORD)).await.status, 403);
        }
        app.run(commands::unban("Banned")).await;
        assert_eq!(logged_team(&player.log_in("Banned", PASSWORD).await).await, "Banned");
    }

    async fn failed_logins_are_throttled_by_team_and_network(engine: Engine) {
        let app = TestApp::new(engine).await;
        confirmed(&app, "The Team", "ada@example.org").await;
        confirmed(&app, "Others", "bob@example.org").await;
        let rival = app.player().from_address("198.51.100.7");
        for i in 0..10 {
            app.advance(500);
            let answer = rival.post("/login", &login("The Team", &format!("guess {i}"))).await;
            assert_eq!(answer.status, 401);
        }
        app.advance(500);
        for (team, password) in [("The Team", "guess 11"), ("the  team", PASSWORD)] {
            let answer = rival.post("/login", &login(team, password)).await;
            assert_eq!((answer.status, answer.retry_after()), (429, 55), "{team}");
        }
        // The limit affects neither this team in another network nor other teams in this network.
        let home = app.player().from_address("203.0.113.9");
        for _ in 0..20 {
            home.log_in("The Team", PASSWORD).await;
        }
        rival.log_in("Others", PASSWORD).await;
        app.advance(54_999);
        assert_eq!(rival.post("/login", &login("The Team", PASSWORD)).await.retry_after(), 1);
        app.advance(1);
        rival.log_in("The Team", PASSWORD).await;
    }

    async fn parallel_guesses_do_not_pass_the_throttle(engine: Engine) {
        let app = TestApp::new(engine).await;
        confirmed(&app, "The Team", "ada@example.org").await;
        let mut guesses = tokio::task::JoinSet::new();
        // Fewer requests than the maximum number of queued passwords per network.
        for i in 0..40 {
            // All addresses are in one /64.
            let player = app.player().from_address(&format!("2001:db8:1:2::{i:x}"));
            guesses.spawn(async move {
                player.post("/login", &login("The Team", &format!("guess {i}"))).await.status
            });
        }
        let statuses = guesses.join_all().await;
        assert_eq!(statuses.iter().filter(|status| **status == 401).count(), 10);
        assert_eq!(statuses.iter().filter(|status| **status == 429).count(), 30);
    }

    async fn signups_of_a_network_have_a_budget_unless_it_is_trusted(engine: Engine) {
        let app = TestApp::with(engine, |config| {
            config.settings.limits.signups_per_network_per_hour = 2;
            config.settings.limits.trusted_networks =
                vec!["192.0.2.0/24".parse().expect("a network")];
        })
        .await;
        let sign_up = async |address: &str, i: i32| {
            let body = signup(&format!("team number {i}"), &format!("{i}@example.org"));
            app.player().from_address(address).post("/signup", &body).await
        };
        assert_eq!(sign_up("198.51.100.7", 1).await.status, 201);
        let taken = signup("Team Number 1", "other@example.org");
        for _ in 0..3 {
            let player = app.player().from_address("198.51.100.7");
            assert_eq!(player.post("/signup", &taken).await.status, 409, "it spends nothing");
        }
        app.advance(600_000);
        assert_eq!(sign_up("198.51.100.7", 2).await.status, 201);
        let refused = sign_up("198.51.100.7", 3).await;
        assert_eq!((refused.status, refused.retry_after()), (429, 3000));
        assert_eq!(sign_up("198.51.100.8", 4).await.status, 201);
        for i in 5..9 {
            assert_eq!(sign_up("192.0.2.77", i).await.status, 201, "a campus is exempt");
        }
        app.advance(3_000_000);
        assert_eq!(sign_up("198.51.100.7", 3).await.status, 201);
    }

    async fn a_confirmation_link_works_once_in_time_and_only_by_post(engine: Engine) {
        let app = TestApp::new(engine).await;
        let player = app.player();
        player.post("/signup", &signup("The Team", "ada@example.org")).await;
        let token = app.mail_to("ada@example.org").await.token("confirm");
        let get = player.get(&format!("/confirm?token={token}")).await;
        assert_eq!(get.status, 405, "requests of link scanners change nothing");
        let as_reset = json!({"token": token, "password": "another good one"});
        assert_eq!(player.post("/reset", &as_reset).await.status, 410,
            "a token is for one purpose only");
        app.advance(24 * HOUR_MS - 1);
        assert_eq!(player.post("/confirm", &json!({"token": token})).await.status, 200);
        let again = player.post("/confirm", &json!({"token": token})).await;
        let words = "This link has been used or has expired.";
        assert_eq!((again.status, again.message()), (410, words), "it works once");
        for bad in ["", "x", "\u{0}", &"x".repeat(10_000)] {
            assert_eq!(player.post("/confirm", &json!({"token": bad})).await.status, 410);
        }
        for bad in [json!({}), json!({"token": 7}), json!({"token": null}), json!([])] {
            assert_eq!(player.post("/confirm", &bad).await.status, 422, "{bad}");
        }
    }

    async fn an_unconfirmed_name_is_free_a_day_after_its_signup(
        engine: Engine
    ) {
        let app = TestApp::new(engine).await;
        let player = app.player();
        player.post("/signup", &signup("Lapsing", "ada@example.org")).await;
        player.post("/signup", &signup("Waiting", "bob@example.org")).await;
        let late = app.mail_to("ada@example.org").await.token("confirm");
        app.mail_to("bob@example.org").await;
        app.advance(24 * HOUR_MS - 1);
        let taken = player.post("/signup", &signup("Lapsing", "eve@example.org")).await;
        assert_eq!(taken.status, 409);
        player.post("/resend", &json!({"email": "bob@example.org"})).await;
        let fresh = app.mail_to("bob@example.org").await.token("confirm");
        player.post("/resend", &json!({"email": "ada@example.org"})).await;
        let last = app.mail_to("ada@example.org").await.token("confirm");
        assert_eq!(player.post("/confirm", &json!({"token": fresh})).await.status, 200);
        app.advance(1);
        for token in [late, last] {
            assert_eq!(player.post("/confirm", &json!({"token": token})).await.status, 410);
        }
        let freed = player.post("/signup", &signup("Lapsing", "eve@example.org")).await;
        assert_eq!(freed.status, 201);
    }

    async fn resend_and_forgot_respond_alike_to_known_and_unknown_addresses(engine: Engine) {
        let app = TestApp::new(engine).await;
        confirmed(&app, "Confirmed", "ada@example.org").await;
        let player = app.player();
        player.post("/signup", &signup("Unconfirmed", "bob@example.org")).await;
        app.mail_to("bob@example.org").await;
        for path in ["/resend", "/forgot"] {
            let unknown = player.post(path, &json!({"email": "nobody@example.org"})).await;
            assert_eq!(unknown.status, 200);
            for email in ["ada@example.org", " BOB@Example.org "] {
                let known = player.post(path, &json!({"email": email})).await;
                assert_eq!((known.status, &known.json), (200, &unknown.json), "{path} {email}");
            }
            for bad in [json!({"email": "ada"}), json!({"email": 7}), json!({}), json!([])] {
                assert_eq!(player.post(path, &bad).await.status, 422, "{path} {bad}");
            }
        }
        let confirmed = app.mail_to("ada@example.org").await;
        assert!(confirmed.tokens("confirm").is_empty());
        assert_eq!(confirmed.tokens("reset").len(), 1);
        let unconfirmed = app.mails_to("bob@example.org", 2).await;
        let links = |kind| unconfirmed.iter().map(|mail| mail.tokens(kind).len()).sum::<usize>();
        assert_eq!((links("confirm"), links("reset")), (2, 1));
        assert!(app.mails().iter().all(|mail| mail.to != "nobody@example.org"));
    }

    async fn each_team_of_an_address_gets_its_own_link(engine: Engine) {
        let app = TestApp::new(engine).await;
        let teams = ["First Team", "Second Team", "Third Team", "Fourth Team"];
        import(&app, &teams.map(|team| (team, "Coach@example.org"))).await;
        let player = app.player();
        player.post("/forgot", &json!({"email": "coach@example.org"})).await;
        let mail = app.mail_to("coach@example.org").await;
        assert_eq!(mail.tokens("reset").len(), 4);
        for team in teams {
            let (_, after) = mail.body.split_once(&format!("Team \"{team}\"")).expect("named");
            let token = after.split_once("/reset#").expect("a link").1.lines().next();
            let password = format!("the password of {team}");
            let reset = json!({"token": token.expect("a token"), "password": password});
            assert_eq!(player.post("/reset", &reset).await.status, 200);
        }
        for team in teams {
            let player = player.log_in(team, &format!("the password of {team}")).await;
            assert_eq!(logged_team(&player).await, team);
        }
    }

    async fn a_network_causes_at_most_three_mails_of_a_kind_per_address_and_hour(engine: Engine) {
        let mut app = TestApp::new(engine).await;
        confirmed(&app, "The Team", "ada@example.org").await;
        let turns = [("198.51.100.7", 6, 3), ("198.51.100.8", 2, 4), ("198.51.100.7", 1, 4)];
        for (network, asked, sent) in turns {
            for _ in 0..asked {
                let body = json!({"email": "ada@example.org"});
                let player = app.player().from_address(network);
                assert_eq!(player.post("/forgot", &body).await.status, 200);
            }
            app = app.with_all_mail_written().await;
            let links: usize = app.mails().iter().map(|mail| mail.tokens("reset").len()).sum();
            assert_eq!(links, sent, "reset links to ada@example.org");
        }
        app.advance(HOUR_MS);
        let body = json!({"email": "ada@example.org"});
        app.player().from_address("198.51.100.7").post("/forgot", &body).await;
        until("there is one more", async || app.mails().len() == 1 + 4 + 1).await;
    }

    async fn signups_of_strangers_do_not_block_reset_links(engine: Engine) {
        let app = TestApp::new(engine).await;
        confirmed(&app, "The Team", "ada@example.org").await;
        for i in 0..6 {
            let stranger = app.player().from_address(&format!("198.51.100.{i}"));
            let body = signup(&format!("Stranger {i}"), "ada@example.org");
            assert_eq!(stranger.post("/signup", &body).await.status, 201);
            stranger.post("/forgot", &json!({"email": "ada@example.org"})).await;
        }
        let mails = app.mails_to("ada@example.org", 12).await;
        let reset = |mail: &&flagship_testkit::Mail| !mail.tokens("reset").is_empty();
        assert_eq!(mails.iter().filter(reset).count(), 6, "one from each network");
        let body = json!({"email": "ada@example.org"});
        assert_eq!(app.player().post("/forgot", &body).await.status, 200);
        let app = app.with_all_mail_written().await;
        let count = app.mails().iter().filter(reset).count();
        assert_eq!(count, 7, "the owner gets a reset link");
    }

    async fn a_new_password_ends_sessions_and_sockets_of_other_nodes_in_a_second(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![draft("one"), draft("two")]).await;
        let there = app.second_node(|_| {}).await;
        confirmed(&app, "The Team", "ada@example.org").await;
        app.player().post("/forgot", &json!({"email": "ada@example.org"})).await;
        let token = app.mail_to("ada@example.org").await.token("reset");
        let session = there.player().log_in("The Team", PASSWORD).await;
        // During the freeze, only a team's own sockets receive its solves, so this identifies the
        // socket's team.
        app.advance(HOUR_MS);
        there.settled().await;
        let mut socket = Socket::open(&there).await;
        let ask = json!({"action": "getscoreboard", "token": session.token()});
        socket.snapshot(&ask).await;
        let flag = |id: &str| json!({"challengeId": id, "flag": format!("flag{{{id}}}")});
        assert_eq!(session.post("/solve", &flag("one")).await.json["correct"], true);
        assert_eq!(socket.until("solve").await.pop().expect("its own")["challengeId"], "one");

        let body = json!({"token": token, "password": "another good one"});
        assert_eq!(app.player().post("/reset", &body).await.status, 200);
        let start = std::time::Instant::now();
        until("the session is over", async || logged_team(&session).await == Value::Null).await;
        assert!(start.elapsed() < std::time::Duration::from_secs(1), "{:?}", start.elapsed());
        let fresh = app.player().log_in("The Team", "another good one").await;
        assert_eq!(fresh.post("/solve", &flag("two")).await.json["correct"], true);
        let last = signup("Newcomer", "bob@example.org");
        assert_eq!(app.player().post("/signup", &last).await.status, 201);
        let link = app.mail_to("bob@example.org").await.token("confirm");
        app.player().post("/confirm", &json!({"token": link})).await;
        let received = socket.until("newteam").await;
        assert_eq!(received.len(), 1, "its own later solve is not for this socket: {received:?}");
    }

    async fn a_login_under_way_does_not_outlive_a_new_password(engine: Engine) {
        let app = TestApp::with(engine, |config| {
            config.settings.limits.failed_logins_per_team_per_minute = 0;
        })
        .await;
        confirmed(&app, "The Team", "ada@example.org").await;
        app.player().post("/forgot", &json!({"email": "ada@example.org"})).await;
        let token = app.mail_to("ada@example.org").await.token("reset");
        let body = json!({"token": token, "password": "another good one"});
        let player = app.player();
        let reset = tokio::spawn(async move { player.post("/reset", &body).await.status });
        let mut password = PASSWORD;
        if control(
            "a_login_under_way_does_not_outlive_a_new_password",
            "the login is still valid",
        ) {
            password = "another good one";
            until("the new password is good", async || {
                app.player().post("/login", &login("The Team", password)).await.status == 200
            })
            .await;
        }
        let mut logins = tokio::task::JoinSet::new();
        for _ in 0..40 {
            let player = app.player();
            logins.spawn(async move { player.post("/login", &login("The Team", password)).await });
        }
        let logins = logins.join_all().await;
        assert_eq!(reset.await.expect("it answers"), 200);
        for answer in logins.iter().filter(|answer| answer.status == 200) {
            let token = answer.json["token"].as_str().expect("a token");
            let team = logged_team(&app.player().with_token(token)).await;
            assert_eq!(team, Value::Null, "the login is still valid");
        }
        assert!(logins.iter().all(|answer| [200, 401].contains(&answer.status)));
    }

    async fn mails_requested_by_a_network_have_a_budget(engine: Engine) {
        let app = TestApp::with(engine, |config| {
            config.settings.limits.signups_per_network_per_hour = 3;
        })
        .await;
        let body = json!({"email": "nobody@example.org"});
        for path in ["/resend", "/forgot", "/resend"] {
            assert_eq!(app.player().post(path, &body).await.status, 200);
        }
        let refused = app.player().post("/forgot", &body).await;
        assert_eq!((refused.status, refused.retry_after()), (429, 3600));
        let elsewhere = app.player().from_address("198.51.100.7");
        assert_eq!(elsewhere.post("/forgot", &body).await.status, 200);
    }

    async fn a_trusted_network_requests_25_times_as_many_mails(engine: Engine) {
        let app = TestApp::with(engine, |config| {
            config.settings.limits.signups_per_network_per_hour = 1;
            let campus = "198.51.100.0/24".parse().expect("a network");
            config.settings.limits.trusted_networks = vec![campus];
        })
        .await;
        let ask = async |addresses: std::ops::Range<u8>| {
            let mut asked = tokio::task::JoinSet::new();
            for number in 0..30 {
                let last = addresses.start + number % addresses.len() as u8;
                let player = app.player().from_address(&format!("198.51.100.{last}"));
                let body = json!({"email": format!("nobody{number}@example.org")});
                asked.spawn(async move { player.post("/forgot", &body).await.status });
            }
            let asked = asked.join_all().await;
            [200, 429].map(|status| asked.iter().filter(|it| **it == status).count())
        };
        assert_eq!(ask(7..8).await, [25, 5], "of a campus");
        assert_eq!(ask(100..130).await, [25, 5], "50 of all its addresses");
    }

    async fn a_new_password_ends_all_sessions_and_the_old_one(engine: Engine) {
        let app = TestApp::new(engine).await;
        let laptop = confirmed(&app, "The Team", "ada@example.org").await;
        let phone = app.player().log_in("The Team", PASSWORD).await;
        let player = app.player();
        player.post("/forgot", &json!({"email": "ada@example.org"})).await;
        let other = app.mail_to("ada@example.org").await.token("reset");
        player.post("/forgot", &json!({"email": "ada@example.org"})).await;
        let token = app.mail_to("ada@example.org").await.token("reset");
        let reset = async |token: &str, password: &str| {
            player.post("/reset", &json!({"token": token, "password": password})).await.status
        };
        for bad in ["short", "password123", "the team"] {
            assert_eq!(reset(&token, bad).await, 422, "the link stays valid");
        }
        assert_eq!(player.post("/confirm", &json!({"token": token})).await.status, 410);
        assert_eq!(logged_team(&laptop).await, "The Team");
        assert_eq!(reset(&token, "another good one").await, 200);
        for session in [laptop, phone] {
            assert_eq!(logged_team(&session).await, Value::Null, "the session is still valid");
        }
        assert_eq!(player.post("/login", &login("The Team", PASSWORD)).await.status, 401);
        player.log_in("The Team", "another good one").await;
        assert_eq!(reset(&token, "a third good one").await, 410, "it works once");
        assert_eq!(reset(&other, "a third good one").await, 410,
            "other links of the account end with it");
    }

    async fn a_reset_link_expires(engine: Engine) {
        let app = TestApp::new(engine).await;
        import(&app, &[("The Team", "ada@example.org")]).await;
        app.player().post("/forgot", &json!({"email": "ada@example.org"})).await;
        let token = app.mail_to("ada@example.org").await.token("reset");
        app.advance(24 * HOUR_MS);
        let body = json!({"token": token, "password": PASSWORD});
        let answer = app.player().post("/reset", &body).await;
        assert_eq!(answer.status, 410, "it expires after a day");
    }

    async fn concurrent_signups_take_a_name_once(engine: Engine) {
        let app = TestApp::with(engine, |config| {
            config.settings.limits.signups_per_network_per_hour = 0;
        })
        .await;
        let mut signups = tokio::task::JoinSet::new();
        for i in 0..30 {
            let player = app.player();
            signups.spawn(async move {
                let body = signup("The Team", &format!("{i}@example.org"));
                player.post("/signup", &body).await.status
            });
        }
        let mut statuses = signups.join_all().await;
        statuses.sort_unstable();
        assert_eq!((statuses[0], statuses[1], statuses[29]), (201, 409, 409));
        until("the one mail is there", async || app.mails().len() == 1).await;
    }
}

/// Compares medians of alternating requests, so that other load on the machine affects both
/// equally.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_unknown_team_takes_as_long_as_a_wrong_password() {
    const TURNS: usize = 41;
    let app = TestApp::with(flagship_testkit::Engine::Sqlite, |config| {
        config.settings.limits.failed_logins_per_team_per_minute = 0;
    })
    .await;
    confirmed(&app, "The Team", "ada@example.org").await;
    let player = app.player();
    let mut medians = Vec::new();
    let bodies = [login("The Team", "wrong password"), login("No Team", "wrong password")];
    let mut times = [Vec::new(), Vec::new()];
    let mut answers = Vec::new();
    for turn in 0..2 * TURNS {
        let start = std::time::Instant::now();
        let answer = player.post("/login", &bodies[turn % 2]).await;
        let took = start.elapsed();
        let unhashed = turn % 2 == 1
            && control("an_unknown_team_takes_as_long_as_a_wrong_password", "known, unknown");
        times[turn % 2].push(if unhashed { took / 10 } else { took });
        let mut headers = answer.headers.clone();
        headers.remove("date");
        answers.push((answer.status, headers, answer.json.to_string()));
    }
    assert!(answers.iter().all(|answer| *answer == answers[0]), "{answers:?}");
    for times in &mut times {
        times.sort_unstable();
        medians.push(times[TURNS / 2].as_secs_f64());
    }
    println!("known {:.1} ms, unknown {:.1} ms", medians[0] * 1e3, medians[1] * 1e3);
    let ratio = medians[1] / medians[0];
    assert!((0.7..1.43).contains(&ratio), "known, unknown: {medians:?}");
}
