//! A team's own account: password, email, country, members and sessions; and the email of an
//! unconfirmed signup.

use flagship_control::control;
use flagship_store::organizers::Role;
use flagship_testkit::player::{draft, event};
use flagship_testkit::{Call, Player, TestApp, on_both_engines, until};
use serde_json::{Value, json};

use crate::actions::session_of;

const HOUR_MS: i64 = 3_600_000;
const PASSWORD: &str = "correct horse battery";
const NEW: &str = "a new tide comes in";
const EMAIL: &str = "ada@example.org";

async fn confirmed(app: &TestApp, team: &str, email: &str) -> Player {
    let player = app.player();
    let signup = json!({"teamName": team, "email": email, "country": "IT", "password": PASSWORD,
        "captchaToken": "off"});
    assert_eq!(player.post("/signup", &signup).await.status, 201);
    let token = app.mail_to(email).await.token("confirm");
    assert_eq!(player.post("/confirm", &json!({"token": token})).await.status, 200);
    player.log_in(team, PASSWORD).await
}

/// Status and error code of a call; the code is `""` for a success.
async fn post(player: &Player, path: &str, body: Value) -> (u16, String) {
    let answer = player.post(path, &body).await;
    (answer.status, answer.json["code"].as_str().unwrap_or_default().to_owned())
}

fn is(code: &str, status: u16) -> (u16, String) {
    (status, code.to_owned())
}

async fn is_logged_in(player: &Player) -> bool {
    player.get("/ctf").await.json["loggedTeam"] == "The Team"
}

async fn account(player: &Player) -> Value {
    let answer = player.get("/account").await;
    assert_eq!(answer.status, 200, "{answer:?}");
    assert_eq!(answer.headers["cache-control"], "no-store");
    answer.json
}

fn password(present: &str, new: &str) -> Value {
    json!({"password": present, "newPassword": new})
}

on_both_engines! {
    async fn a_new_password_needs_the_present_one_and_ends_every_session(engine: Engine) {
        let app = TestApp::new(engine).await;
        let laptop = confirmed(&app, "The Team", EMAIL).await;
        let phone = app.player().log_in("The Team", PASSWORD).await;
        assert_eq!(post(&phone, "/forgot", json!({"email": EMAIL})).await.0, 200);
        let reset = app.mail_to(EMAIL).await.token("reset");
        let path = "/account/password";
        for (body, refused) in [
            (password("not this one", NEW), is("password_wrong", 403)),
            (password("", NEW), is("password_wrong", 403)),
            (password(PASSWORD, "kX7!z"), is("password_too_short", 422)),
            (password(PASSWORD, "the team"), is("password_too_common", 422)),
            (json!({"newPassword": NEW}), is("field_invalid", 422)),
        ] {
            assert_eq!(post(&laptop, path, body.clone()).await, refused, "{body}");
        }
        let right = password(PASSWORD, NEW);
        assert_eq!(post(&app.player(), path, right.clone()).await, is("login_needed", 401));
        assert!(is_logged_in(&phone).await, "what is refused changes nothing");

        let answer = laptop.post(path, &right).await;
        assert_eq!((is_logged_in(&laptop).await, is_logged_in(&phone).await), (false, false),
            "all tokens end, also a stolen copy of the own one");
        assert_eq!((answer.status, laptop.get("/account").await.status), (200, 401));
        let laptop = app.player().with_token(answer.json["token"].as_str().expect("a token"));
        let sessions = account(&laptop).await["sessions"].clone();
        assert_eq!(sessions.as_array().map(Vec::len), Some(1), "the new session stays valid");
        assert_eq!(post(&laptop, path, right).await, is("password_wrong", 403));
        let login = |password| json!({"team": "The Team", "password": password,
            "captchaToken": "off"});
        assert_eq!(post(&app.player(), "/login", login(PASSWORD)).await.0, 401);
        app.player().log_in("The Team", NEW).await;
        let body = json!({"token": reset, "password": PASSWORD});
        assert_eq!(post(&phone, "/reset", body).await, is("link_invalid", 410), "links end too");
        // A token issued to a team without a password changes nothing.
        let imported = app.team("Imported").await.player;
        assert_eq!(post(&imported, path, password("", NEW)).await, is("password_wrong", 403));
    }

    async fn wrong_present_passwords_have_the_limit_of_logins(engine: Engine) {
        let app = TestApp::new(engine).await;
        let team = confirmed(&app, "The Team", EMAIL).await;
        let thief = team.from_address("198.51.100.7");
        let email = |password: &str| json!({"password": password, "email": "eve@example.org"});
        for i in 0..5 {
            let guess = format!("guess {i}");
            let body = password(&guess, NEW);
            assert_eq!(post(&thief, "/account/password", body).await.0, 403);
            assert_eq!(post(&thief, "/account/email", email(&guess)).await.0, 403);
        }
        let words = "they are counted with the logins of the network";
        let (body, busy) = (password(PASSWORD, NEW), is("too_many_attempts", 429));
        assert_eq!(post(&thief, "/account/password", body).await, busy, "{words}");
        assert_eq!(post(&thief, "/account/email", email(PASSWORD)).await, busy);
        let login = json!({"team": "the  team", "password": PASSWORD, "captchaToken": "off"});
        assert_eq!(post(&thief, "/login", login).await, busy);
        // The team's own client is in another network.
        let home = team.from_address("203.0.113.9");
        let body = password(PASSWORD, NEW);
        assert_eq!(post(&home, "/account/password", body).await, is("", 200));
        assert!(app.mails().iter().all(|mail| mail.to == EMAIL), "no guess mailed anybody");
    }

    async fn an_address_counts_once_its_link_is_used_and_can_be_taken_back(engine: Engine) {
        let app = TestApp::new(engine).await;
        let team = confirmed(&app, "The Team", EMAIL).await;
        let ask = |email: &str| json!({"password": PASSWORD, "email": email});
        for (email, refused) in [("ada", "email_invalid"), ("a@b@c.org", "email_invalid"),
            ("w@localhost", "email_invalid"), ("ADA@example.org", "nothing_to_change"),
            // An address typed in full-width characters, and one that many servers reject.
            ("ＡＤＡ＠ｅｘａｍｐｌｅ．ｏｒｇ", "nothing_to_change"),
            ("użytkownik@example.org", "email_not_ascii")] {
            assert_eq!(post(&team, "/account/email", ask(email)).await.1, refused, "{email}");
        }
        assert_eq!(post(&team, "/account/email", ask("First@example.org")).await, is("", 200));
        let first = app.mail_to("first@example.org").await;
        assert!(first.words().contains("Your team \"The Team\" wants"), "{first:?}");
        let told = app.mail_to(EMAIL).await;
        assert!(told.words().contains("requested to change") && told.body.contains("/reset"));
        assert!(!told.body.contains("first@") && told.tokens("address").is_empty(), "{told:?}");
        // A newer link invalidates the older one.
        assert_eq!(post(&team, "/account/email", ask("new@example.org")).await, is("", 200));
        let (token, _) = (app.mail_to("new@example.org").await.token("address"),
            app.mail_to(EMAIL).await);
        let use_link = async |token: &str| {
            post(&app.player(), "/address", json!({"token": token})).await
        };
        let gone = is("link_invalid", 410);
        assert_eq!(use_link(&first.token("address")).await, gone);
        assert_eq!(post(&team, "/confirm", json!({"token": token})).await, gone);
        let shown = account(&team).await;
        assert_eq!((&shown["email"], &shown["newEmail"]), (&json!(EMAIL),
            &json!("new@example.org")));
        assert_eq!(post(&team, "/forgot", json!({"email": EMAIL})).await.0, 200);
        app.mail_to(EMAIL).await.token("reset");

        assert_eq!(use_link(&token).await, is("", 200));
        assert_eq!(use_link(&token).await, gone, "it works once");
        let shown = account(&team).await;
        assert_eq!((&shown["email"], &shown["newEmail"]),
            (&json!("new@example.org"), &json!(null)));
        let warning = app.mail_to(EMAIL).await;
        assert!(warning.words().contains("emails go to the new address"), "{warning:?}");
        app.advance(23 * HOUR_MS);
        let words = "the previous address cancels the change";
        let stop = json!({"token": warning.token("stop")});
        assert_eq!(post(&app.player(), "/stop", stop).await, is("", 200), "{words}");
        assert!(!is_logged_in(&team).await, "anyone who knows the password is logged out");
        let login = json!({"team": "The Team", "password": PASSWORD, "captchaToken": "off"});
        assert_eq!(post(&team, "/login", login).await.0, 401, "and the password is void");
        assert_eq!(post(&team, "/forgot", json!({"email": EMAIL})).await.0, 200);
        app.mail_to(EMAIL).await.token("reset");
        let organizer = session_of(&app, Role::Organizer).await;
        let log = Call::organize("GET", "/actions").session(&organizer).send(&app).await.json();
        let all = log["actions"].as_array().expect("actions");
        let said = all.iter().map(|it| it["sentence"].clone());
        assert_eq!(said.collect::<Vec<_>>(), [
            "The email change of \"The Team\" was canceled from its previous address.",
            "The team changed the email of \"The Team\".",
        ]);
    }

    async fn an_address_of_another_team_is_answered_alike(engine: Engine) {
        let app = TestApp::new(engine).await;
        let team = confirmed(&app, "The Team", EMAIL).await;
        confirmed(&app, "Others", "bob@example.org").await;
        let words = "known and new are distinguished";
        let mut answers = Vec::new();
        for email in ["new@example.org", "BOB@example.org"] {
            let body = json!({"password": PASSWORD, "email": email});
            let answer = team.post("/account/email", &body).await;
            let mut shown = account(&team).await;
            let asked = shown["newEmail"].take();
            assert_eq!(asked, email.to_lowercase(), "both wait for their link");
            answers.push((answer.status, answer.json, shown));
        }
        if control("an_address_of_another_team_is_answered_alike", words) {
            answers[1].0 = 409;
        }
        assert_eq!(answers[0], answers[1], "{words}");
        let mail = app.mail_to("bob@example.org").await;
        assert!(mail.words().contains("already used by the team \"Others\""), "{mail:?}");
        assert!(mail.tokens("address").is_empty() && !mail.words().contains("The Team"));
        // The change fails if another team has taken the address in the meantime.
        app.advance(HOUR_MS);
        let body = json!({"password": PASSWORD, "email": "late@example.org"});
        assert_eq!(post(&team, "/account/email", body).await, is("", 200));
        let token = app.mail_to("late@example.org").await.token("address");
        confirmed(&app, "Late", "late@example.org").await;
        let used = post(&team, "/address", json!({"token": token})).await;
        assert_eq!(used, is("link_invalid", 410));
        assert_eq!(account(&team).await["email"], EMAIL);
    }

    async fn an_address_with_many_mails_is_shown_and_its_last_link_stays_good(engine: Engine) {
        let app = TestApp::new(engine).await;
        let team = confirmed(&app, "The Team", EMAIL).await;
        let ask = async |email: &str| {
            let body = json!({"password": PASSWORD, "email": email});
            assert_eq!(post(&team, "/account/email", body).await, is("", 200));
            assert_eq!(account(&team).await["newEmail"], email, "whether or not it is mailed");
        };
        for _ in 0..5 {
            ask("new@example.org").await;
        }
        let mut used = Vec::new();
        for mail in app.mails_to("new@example.org", 3).await {
            used.push(post(&team, "/address", json!({"token": mail.token("address")})).await.0);
        }
        used.sort_unstable();
        let words = "the last link is valid, although more were requested";
        assert_eq!(used, [200, 410, 410], "{words}");
        for email in ["a@example.org", "a@example.org", "a@example.org", "b@example.org"] {
            ask(email).await;
        }
        ask("a@example.org").await;
    }

    async fn a_team_changes_its_country_a_few_times_a_day(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![draft("one")]).await;
        let team = app.team("The Team").await;
        let set = async |country: &str| {
            post(&team.player, "/account/country", json!({"country": country})).await
        };
        let shown = async |country: &str| {
            app.board_so("the board has the country", |board| board["scoreboard"][0][1] == country)
                .await;
        };
        for unknown in ["ZZ", "", "it"] {
            assert_eq!(set(unknown).await, is("country_unknown", 422));
        }
        assert_eq!(set("IT").await, is("", 200), "it is so already, which counts as no change");
        for country in ["FR", "DE", "XK"] {
            assert_eq!(set(country).await, is("", 200));
            shown(country).await;
        }
        let words = "three a day, since each is a snapshot for everyone";
        app.advance(23 * HOUR_MS);
        assert_eq!(set("IT").await, is("too_many_attempts", 429), "{words}");
        app.advance(2 * HOUR_MS);
        assert_eq!(set("IT").await, is("", 200));
        let organizer = session_of(&app, Role::Organizer).await;
        let log = Call::organize("GET", "/actions").session(&organizer).send(&app).await.json();
        let sentence = "The team changed the country of \"The Team\" to IT.";
        assert_eq!(log["actions"][0]["sentence"], sentence);
        let undo = format!("/actions/{}/undo", log["actions"][0]["id"]);
        let undone = crate::actions::post(&app, &organizer, &undo, &json!({"reason": "x"})).await;
        assert_eq!(undone.status, 200, "{}", undone.text());
        shown("XK").await;
    }

    async fn people_of_a_team_are_for_organizers(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![draft("one")]).await;
        let team = app.team("The Team").await;
        let set = async |names: &[&str]| {
            post(&team.player, "/account/members", json!({"members": names})).await
        };
        assert_eq!(set(&["A", "B", "C", "D", "E"]).await, is("members_too_many", 422));
        for bad in ["", " ", "A; B", "a\nb", "a\u{0}b", "a\u{202e}b", &"x".repeat(61)] {
            assert_eq!(set(&["Ada", bad]).await, is("text_invalid", 422), "{bad:?}");
        }
        assert_eq!(account(&team.player).await["members"], json!([]), "nothing of it is kept");
        assert_eq!(set(&["Grace", "Ada", "x"]).await, is("", 200));
        assert_eq!(set(&[" Ada Lovelace ", "Bo"]).await, is("", 200), "they replace each other");
        let shown = account(&team.player).await;
        assert_eq!(shown["members"], json!(["Ada Lovelace", "Bo"]));
        assert_eq!(shown["membersMax"], 4);
        for (role, names) in [(Role::Support, json!(["Ada Lovelace", "Bo"])),
            (Role::Author, json!(null)), (Role::Observer, json!(null))] {
            let session = match role {
                Role::Author => {
                    let author = app.author("The author", &["one"]).await;
                    app.organizer_session(&author, true).await
                }
                role => session_of(&app, role).await,
            };
            let call = Call::organize("GET", "/teams").session(&session);
            let teams = call.send(&app).await.json();
            assert_eq!(teams["teams"][0]["members"], names, "readers of addresses see them");
        }
        for path in ["/scoreboard", "/team/The%20Team", "/ctf", "/ctftime"] {
            assert!(!team.player.get(path).await.json.to_string().contains("Lovelace"), "{path}");
        }
        for _ in 0..12 {
            assert_eq!(set(&[]).await, is("", 200), "the same value is not a change");
        }
        assert_eq!(account(&team.player).await["members"], json!([]));
        for number in 4..=10 {
            assert_eq!(set(&[&format!("Person {number}")]).await, is("", 200));
        }
        assert_eq!(set(&["One more"]).await, is("too_many_attempts", 429), "ten in an hour");
        let country = json!({"country": "FR"});
        let path = "/account/country";
        assert_eq!(post(&team.player, path, country).await, is("too_many_attempts", 429));
        assert_eq!(account(&team.player).await["members"], json!(["Person 10"]));
        app.advance(HOUR_MS);
        assert_eq!(set(&["One more"]).await, is("", 200));
        assert_eq!(post(&team.player, "/logout", json!({})).await, is("", 200));
    }

    async fn a_team_ends_its_own_sessions_alone(engine: Engine) {
        let app = TestApp::new(engine).await;
        let firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0";
        let laptop = confirmed(&app, "The Team", EMAIL).await;
        let others = confirmed(&app, "Others", "bob@example.org").await;
        app.advance(HOUR_MS);
        let login = json!({"team": "The Team", "password": PASSWORD, "captchaToken": "off"});
        let phone = Call::new("POST", "/api/login").header("user-agent", firefox);
        let phone = phone.header("x-forwarded-for", "192.0.2.7").json(login.to_string());
        let phone = phone.send(&app).await.json();
        let phone = app.player().with_token(phone["token"].as_str().expect("a token"));
        app.advance(1_000);
        assert!(is_logged_in(&phone).await);
        let sessions = account(&laptop).await["sessions"].clone();
        let (first, second) = (&sessions[1], &sessions[0]);
        assert_eq!((&first["isCurrent"], &second["isCurrent"]), (&json!(true), &json!(false)));
        assert_eq!(first["seenAt"], app.now_ms());
        assert_eq!((&second["begunAt"], &second["seenAt"]),
            (&json!(app.now_ms() - 1_000), &json!(app.now_ms())));
        assert_eq!((&second["network"], &second["browser"]),
            (&json!("192.0.2.7"), &json!("Firefox, Linux")));
        let end = async |player: &Player, id: &Value| {
            post(player, "/account/sessions/end", json!({"id": id})).await
        };
        let words = "another team's session is none";
        assert_eq!(end(&others, &second["id"]).await, is("not_found", 404), "{words}");
        assert_eq!(end(&laptop, &json!("")).await, is("not_found", 404));
        assert_eq!(end(&laptop, &second["id"]).await, is("", 200));
        assert_eq!((is_logged_in(&laptop).await, is_logged_in(&phone).await), (true, false));
        assert_eq!(end(&laptop, &second["id"]).await, is("not_found", 404));
        let sql = "select coalesce(network, '') || coalesce(browser, '') from sessions \
                   where revoked";
        assert_eq!(app.test.rows::<(String,)>(sql).await, [(String::new(),)], "nothing stays");
        assert_eq!(end(&laptop, &first["id"]).await, is("", 200), "also the one that asks");
        until("it is over", async || !is_logged_in(&laptop).await).await;
    }

    async fn a_signup_moves_to_another_address_with_its_password(engine: Engine) {
        let app = TestApp::new(engine).await;
        confirmed(&app, "Others", "bob@example.org").await;
        let player = app.player();
        let signup = json!({"teamName": "The Team", "email": "typo@example.org", "country": "IT",
            "password": PASSWORD, "captchaToken": "off"});
        assert_eq!(player.post("/signup", &signup).await.status, 201);
        let typo = app.mail_to("typo@example.org").await.token("confirm");
        let other = |team: &str, password: &str, email: &str| {
            json!({"teamName": team, "password": password, "email": email, "captchaToken": "off"})
        };
        let path = "/signup/address";
        let words = "the password of the signup is needed";
        for (team, password) in [("The Team", "a guess"), ("Nobody", PASSWORD)] {
            let refused = post(&player, path, other(team, password, EMAIL)).await;
            assert_eq!(refused, is("credentials_wrong", 401), "{words}");
        }
        let refused = post(&player, path, other("The Team", PASSWORD, "ada")).await;
        assert_eq!(refused, is("email_invalid", 422));
        let without = but_captcha(other("The Team", PASSWORD, EMAIL));
        assert_eq!(post(&player, path, without).await, is("captcha_invalid", 400));
        // An address of another team gets the same response, and its owner is notified.
        let used = player.post(path, &other("The Team", PASSWORD, "bob@example.org")).await;
        assert!(app.mail_to("bob@example.org").await.tokens("confirm").is_empty());
        let moved = player.post(path, &other("the team", PASSWORD, "Ada@example.org")).await;
        assert_eq!((used.status, &used.json), (moved.status, &moved.json));
        assert_eq!(moved.status, 200);
        let confirm = async |token: &str| player.post("/confirm", &json!({"token": token})).await;
        let words = "the recipient of the first email does not get the team";
        assert_eq!(confirm(&typo).await.status, 410, "{words}");
        let token = app.mail_to(EMAIL).await.token("confirm");
        let joined = confirm(&token).await;
        assert_eq!((joined.status, &joined.json["team"]), (200, &json!("The Team")));
        let again = post(&player, path, other("The Team", PASSWORD, "eve@example.org")).await;
        assert_eq!(again, is("email_confirmed", 409));
        assert_eq!(account(&player.log_in("The Team", PASSWORD).await).await["email"], EMAIL);
    }
}

fn but_captcha(mut body: Value) -> Value {
    body["captchaToken"] = json!("");
    body
}
