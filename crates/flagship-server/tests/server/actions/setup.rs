//! An event whose name, description and settings are set only on the site.

use flagship_control::control;
use flagship_pack::{Named, Settings};
use flagship_store::organizers::Role;
use flagship_store::settings;
use flagship_testkit::player::event;
use flagship_testkit::{NOW_MS, TestApp, on_both_engines, until};
use serde_json::{Value, json};

use super::event::{MINUTE_MS, done, iso, undo};
use super::{action, get, is, post, session_of};

on_both_engines! {
    async fn an_event_begins_on_the_site(engine: Engine) {
        let app = TestApp::new(engine).await;
        let owner = session_of(&app, Role::Owner).await;
        let ctf = async || app.player().get("/ctf").await.json;
        let empty = get(&app, &owner, "/settings").await;
        assert_eq!((&empty["event"], &empty["rules"]), (&json!(null), &json!(null)));
        let times = json!({"start": iso(NOW_MS + MINUTE_MS), "end": iso(NOW_MS + 9 * MINUTE_MS)});
        is(&action(&app, &owner, "event.times", times.clone()).await, 409, "event_unnamed");
        let unnamed = json!({"timezone": "Europe/Rome"});
        is(&action(&app, &owner, "event.name", unnamed).await, 409, "event_unnamed");
        let nowhere = json!({"name": "First CTF", "timezone": "Mars/Base"});
        is(&action(&app, &owner, "event.name", nowhere).await, 422, "settings_invalid");
        let name = json!({"name": "First CTF", "timezone": "Europe/Rome",
            "flagFormat": "ctf{...}"});
        let named = done(&app, &owner, "event.name", name.clone()).await;
        assert_eq!(named["sentence"], "The owner named the event \"First CTF\".");
        assert_eq!(named["undo"]["possible"], false, "an event has begun for good");
        is(&action(&app, &owner, "event.name", name).await, 409, "nothing_to_change");
        done(&app, &owner, "event.times", times).await;
        until("players see it", async || ctf().await["status"] == "not_started").await;
        let seen = ctf().await;
        assert_eq!(seen["name"], "First CTF");
        assert_eq!(seen["timezone"], "Europe/Rome");
        let other = done(&app, &owner, "event.name", json!({"name": "Second CTF"})).await;
        until("it has another name", async || ctf().await["name"] == "Second CTF").await;
        undo(&app, &owner, &other).await;
        until("it has its name", async || ctf().await["name"] == "First CTF").await;
        assert_eq!(ctf().await["startTime"], json!(NOW_MS + MINUTE_MS), "the times stay");
        let text = "# Rules\n\nFlags are {flag_format}, for {max} points. <script>x</script>\n";
        let ruled = done(&app, &owner, "event.rules", json!({"text": text})).await;
        let html = async || app.player().get("/rules").await.json["html"].to_string();
        until("the rules are shown", async || html().await.contains("ctf{...}, for 500")).await;
        assert!(!html().await.contains("<script"), "{}", html().await);
        assert_eq!(get(&app, &owner, "/settings").await["rules"], text);
        // Challenges are read with the new settings.
        let fields = json!({"name": "One", "category": "misc", "description": "Look!",
            "type": "standard", "value": 100, "flags": ["flag{one}"]});
        let made = json!({"challenge": "one", "fields": fields});
        let made = done(&app, &owner, "challenge.create", made).await;
        assert!(made["problems"].to_string().contains("ctf{...}"), "{made}");
        undo(&app, &owner, &ruled).await;
        until("there are no rules", async || html().await == "\"\"").await;
        let helper = session_of(&app, Role::Support).await;
        is(&action(&app, &helper, "event.name", json!({"name": "Mine"})).await, 404, "not_found");
    }

    async fn settings_of_the_site_apply_at_once_and_files_win(engine: Engine) {
        let app = TestApp::playing(engine, event(), Vec::new()).await;
        let second = app.second_node(|_| {}).await;
        let owner = session_of(&app, Role::Owner).await;
        let banner = async |app: &TestApp| {
            app.player().get("/ctf").await.json["site"]["banner"].clone()
        };
        let set = json!({"section": "site", "values": {"banner": "Welcome", "accent": "#0077cc"}});
        let done_action = done(&app, &owner, "settings.set", set.clone()).await;
        assert_eq!(done_action["sentence"], "The owner changed banner, accent in [site].");
        assert_eq!(banner(&app).await, "Welcome", "the node that did it has it in its answer");
        until("the other node has it", async || banner(&second).await == "Welcome").await;
        is(&action(&app, &owner, "settings.set", set).await, 409, "nothing_to_change");
        let shown = get(&app, &owner, "/settings").await;
        assert_eq!(shown["sections"]["site"]["accent"], "#0077cc");
        assert_eq!(shown["sections"]["registration"]["open"], true);
        for (section, values, piece) in [
            ("registration", json!({"password_min": 0}), "password_min"),
            ("registration", json!({"opne": true}), "`open`"),
            ("site", json!({"allowed_origins": ["https://a.example"]}), "event.toml"),
            ("event", json!({"name": "x"}), "cannot be changed here"),
            ("site", json!({"banner": ["x"]}), "banner"),
            ("limits", json!({"mails_per_hour": u64::MAX}), "mails_per_hour"),
        ] {
            let refused = json!({"section": section, "values": values});
            let reply = action(&app, &owner, "settings.set", refused).await;
            is(&reply, 422, "settings_invalid");
            assert!(reply.json()["problems"].to_string().contains(piece), "{}", reply.text());
        }
        let organizer = session_of(&app, Role::Organizer).await;
        let closed = json!({"section": "registration", "values": {"open": false}});
        is(&action(&app, &organizer, "settings.set", closed.clone()).await, 404, "not_found");
        // The server's event files set a key.
        let mut files = Settings::default();
        files.site.banner = Some("From files".to_owned());
        files.named = Named::from([("site".to_owned(), ["banner".to_owned()].into())]);
        let words = "files win where they name a key";
        let text = serde_json::to_string(&files.live()).expect("plain data");
        settings::put(&app.test.db, &text, None).await.expect("it is written");
        until(words, async || banner(&app).await == "From files").await;
        let shown = get(&app, &owner, "/settings").await;
        assert_eq!(shown["sections"]["site"]["accent"], "#0077cc", "the others stay");
        assert_eq!(shown["fixed"], json!({"site": ["banner"]}));
        let again = json!({"section": "site", "values": {"banner": "Mine"}});
        is(&action(&app, &owner, "settings.set", again).await, 422, "settings_invalid");
        let gone = json!({"section": "site", "values": {"accent": Value::Null}});
        let gone = done(&app, &owner, "settings.set", gone).await;
        let accent = async || app.player().get("/ctf").await.json["site"]["accent"].clone();
        assert_eq!(accent().await, json!(null));
        undo(&app, &owner, &gone).await;
        assert_eq!(accent().await, "#0077cc");
    }

    async fn secrets_of_settings_are_sealed_and_never_given_back(engine: Engine) {
        let app = TestApp::playing(engine, event(), Vec::new()).await;
        let owner = session_of(&app, Role::Owner).await;
        let secret = "a very secret password";
        let smtp = json!({"transport": "smtp", "host": "127.0.0.1", "port": 9, "tls": "none",
            "from": "CTF <ctf@example.org>", "username": "flagship"});
        let without = json!({"section": "mail", "values": smtp});
        let reply = action(&app, &owner, "settings.set", without).await;
        is(&reply, 422, "settings_invalid");
        assert!(reply.text().contains("needs a password"), "{}", reply.text());
        let mut values = smtp.clone();
        values["password"] = json!(secret);
        let set = json!({"section": "mail", "values": values});
        let mut preview = set.clone();
        preview["preview"] = json!(true);
        done(&app, &owner, "settings.set", preview).await;
        assert_eq!(get(&app, &owner, "/settings").await["secrets"]["smtp_password"], json!(null));
        let set = done(&app, &owner, "settings.set", set).await;
        let shown = get(&app, &owner, "/settings").await;
        assert_eq!(shown["secrets"], json!({"smtp_password": "set", "captcha_secret": null}));
        assert_eq!(shown["sections"]["mail"]["host"], "127.0.0.1");
        let words = "no secret is in the database or in an answer";
        if control("secrets_of_settings_are_sealed_and_never_given_back", words) {
            let leak = "insert into settings values ('x', 'a very secret password')";
            app.test.execute(leak).await;
        }
        let mut seen = shown.to_string() + &set.to_string();
        seen += &get(&app, &owner, "/actions").await.to_string();
        for sql in [
            "select value from settings",
            "select sealed from setting_secrets",
            "select value from meta",
            "select body from actions",
            "select sealed from action_restores",
        ] {
            for (text,) in app.test.rows::<(String,)>(sql).await {
                seen += &text;
            }
        }
        assert!(!seen.contains(secret), "{words}");
        let gone = json!({"section": "mail", "values": {"username": null, "password": null}});
        let gone = done(&app, &owner, "settings.set", gone).await;
        assert_eq!(get(&app, &owner, "/settings").await["secrets"]["smtp_password"], json!(null));
        undo(&app, &owner, &gone).await;
        assert_eq!(get(&app, &owner, "/settings").await["secrets"]["smtp_password"], "set");
    }

    async fn mail_and_captcha_are_set_while_the_node_runs(engine: Engine) {
        let app = TestApp::playing(engine, event(), Vec::new()).await;
        let owner = session_of(&app, Role::Owner).await;
        let test = async |values: Value| {
            let body = json!({"to": "ada@example.org", "values": values});
            post(&app, &owner, "/mail/test", &body).await
        };
        let sent = test(json!({"from": "Our CTF <ctf@example.org>"})).await;
        assert_eq!(sent.json(), json!({"sent": true, "serverSaid": null}));
        let mail = app.mail_to("ada@example.org").await;
        assert!(mail.body.contains("is working"), "{mail:?}");
        let smtp = json!({"transport": "smtp", "host": "127.0.0.1", "port": 9, "tls": "none",
            "from": "CTF <ctf@example.org>"});
        let refused = test(smtp).await.json();
        let said = refused["serverSaid"].as_str().unwrap_or_default();
        assert!(refused["sent"] == false && said.contains("mail server"), "{refused}");
        is(&test(json!({"host": "a b"})).await, 422, "settings_invalid");
        is(&post(&app, &owner, "/mail/test", &json!({"to": "nobody"})).await, 422, "email_invalid");
        let organizer = session_of(&app, Role::Organizer).await;
        let body = json!({"to": "ada@example.org"});
        is(&post(&app, &organizer, "/mail/test", &body).await, 404, "not_found");
        for _ in 2..10 {
            assert_eq!(test(json!({})).await.status, 200);
        }
        assert_eq!(test(json!({})).await.status, 429, "test emails are limited");
        let policy = async || {
            let reply = flagship_testkit::Call::new("GET", "/").send(&app).await;
            reply.header("content-security-policy").to_owned()
        };
        assert!(!policy().await.contains("cloudflare"));
        let remote = json!({"provider": "turnstile", "site_key": "k"});
        let set = json!({"section": "captcha", "values": remote});
        is(&action(&app, &owner, "settings.set", set).await, 422, "settings_invalid");
        let remote = json!({"provider": "turnstile", "site_key": "k", "secret": "hidden"});
        let set = json!({"section": "captcha", "values": remote});
        let set = done(&app, &owner, "settings.set", set).await;
        let captcha = async || app.player().get("/ctf").await.json["captcha"].clone();
        assert_eq!(captcha().await, json!({"provider": "turnstile", "siteKey": "k"}));
        assert!(policy().await.contains("cloudflare"), "pages let the captcha in");
        undo(&app, &owner, &set).await;
        assert_eq!(captcha().await["provider"], "off");
    }
}
