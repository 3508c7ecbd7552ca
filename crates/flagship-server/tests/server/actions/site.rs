//! Branding, the event's own pages and saved replies, edited on the site.

use std::sync::Arc;

use flagship_pack::{Live, PagePlace, SitePage};
use flagship_server::Config;
use flagship_server::storage::Location;
use flagship_store::organizers::Role;
use flagship_store::settings;
use flagship_testkit::player::event;
use flagship_testkit::{Call, TestApp, TestDb, on_both_engines, until};
use serde_json::{Value, json};

use super::event::{done, undo};
use super::{action, get, is, post, session_of};

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x03\0\0\0\x02\x08\x06\0\0\0";

async fn site_of(app: &TestApp) -> Value {
    app.player().get("/ctf").await.json["site"].clone()
}

/// Uploads a file; returns its digest.
async fn upload(app: &TestApp, session: &str, bytes: &[u8]) -> Value {
    let call = Call::organize("POST", "/files").session(session);
    let call = call.header("content-type", "application/octet-stream").body(bytes);
    let reply = call.send(app).await;
    assert_eq!(reply.status, 201, "{}", reply.text());
    reply.json()["digest"].clone()
}

on_both_engines! {
    async fn a_logo_in_the_database_is_served_by_every_node(engine: Engine) {
        let test = Arc::new(TestDb::new(engine).await);
        let in_database = |config: &mut Config| config.attachments = Location::Database;
        let app = TestApp::playing_on(test, event(), Vec::new(), in_database).await;
        let other_data = tempfile::tempdir().expect("a folder");
        let second = app.second_node(|config| {
            in_database(config);
            config.data = other_data.path().to_owned();
        });
        let second = second.await;
        let organizer = session_of(&app, Role::Organizer).await;
        let digest = upload(&app, &organizer, PNG).await;
        let values = json!({"values": {"logo": {"digest": digest}}});
        done(&app, &organizer, "brand.set", values).await;
        until("the other node has it", async || {
            site_of(&second).await["logo"]["src"].is_string()
        })
        .await;
        let src = site_of(&second).await["logo"]["src"].as_str().expect("a path").to_owned();
        for node in [&app, &second] {
            let reply = Call::new("GET", &src).send(node).await;
            assert_eq!((reply.status, &*reply.body), (200, PNG));
        }
    }

    async fn a_failed_storage_does_not_look_like_a_missing_file(engine: Engine) {
        let test = Arc::new(TestDb::new(engine).await);
        let in_database = |config: &mut Config| config.attachments = Location::Database;
        let app = TestApp::playing_on(test, event(), Vec::new(), in_database).await;
        let organizer = session_of(&app, Role::Organizer).await;
        let owner = session_of(&app, Role::Owner).await;
        let digest = upload(&app, &organizer, PNG).await;
        let digest = digest.as_str().expect("text").to_owned();
        let values = json!({"values": {"logo": {"digest": digest}}});
        done(&app, &organizer, "brand.set", values).await;
        app.test.execute("alter table attachments rename to attachments_away").await;
        let logo = Call::new("GET", &format!("/brand/{digest}")).send(&app).await;
        assert_eq!(logo.status, 500, "{}", logo.text());
        let call = Call::organize("GET", &format!("/pull/{digest}")).session(&owner);
        let pulled = call.send(&app).await;
        assert_eq!(pulled.status, 500, "{}", pulled.text());
        let again = json!({"values": {"favicon": {"digest": digest}}});
        is(&action(&app, &organizer, "brand.set", again).await, 500, "internal_error");
        app.test.execute("alter table attachments_away rename to attachments").await;
        let logo = Call::new("GET", &format!("/brand/{digest}")).send(&app).await;
        assert_eq!((logo.status, &*logo.body), (200, PNG));
    }

    async fn pages_are_written_on_the_site_and_those_of_files_win(engine: Engine) {
        let app = TestApp::playing(engine, event(), Vec::new()).await;
        let second = app.second_node(|_| {}).await;
        let organizer = session_of(&app, Role::Organizer).await;
        let text = "# About *us*\n\nFlags are {flag_format}, for {max} points. {nothing}";
        let about = json!({"page": "about", "text": text, "place": "navigation"});
        let draft = json!({"text": text, "page": "about"});
        let shown = post(&app, &organizer, "/texts/preview", &draft).await.json();
        assert_eq!(shown["title"], "About us");
        assert!(shown["html"].to_string().contains("for 500 points"), "{shown}");
        assert!(shown["problems"].to_string().contains("{nothing}"), "{shown}");
        let untitled = json!({"text": "No title.", "page": "about"});
        let shown = post(&app, &organizer, "/texts/preview", &untitled).await.json();
        assert_eq!((&shown["html"], &shown["problems"][0]["severity"]),
            (&json!(null), &json!("error")));
        let rules = json!({"text": "Flags: {flag_format}"});
        let rules = post(&app, &organizer, "/texts/preview", &rules).await.json();
        assert!(!rules["html"].to_string().contains("{flag_format}"), "{rules}");
        let written = done(&app, &organizer, "page.set", about).await;
        assert_eq!(written["sentence"], "The organizer saved the page \"about\".");
        let faq = json!({"page": "faq", "text": "# Questions", "position": 1});
        done(&app, &organizer, "page.set", faq).await;
        let slugs = |site: &Value| {
            let pages = site["pages"].as_array().expect("pages").iter();
            pages.map(|page| page["slug"].to_string()).collect::<Vec<_>>().join(" ")
        };
        let both = "\"faq\" \"about\"";
        assert_eq!(slugs(&site_of(&app).await), both, "the node has it with its answer");
        until("the other node has it", async || slugs(&site_of(&second).await) == both).await;
        let page = app.player().get("/pages/about").await.json;
        assert_eq!(page["title"], "About us");
        assert!(page["html"].to_string().contains("for 500 points"), "{page}");
        let listed = get(&app, &organizer, "/settings").await["pages"].clone();
        assert_eq!((&listed[1]["text"], &listed[1]["place"]), (&json!(text), &json!("navigation")));
        for (page, text, code) in [
            ("About", "# A", "settings_invalid"),
            ("about", "No title.", "settings_invalid"),
            ("about", "\0", "text_invalid"),
        ] {
            let refused = json!({"page": page, "text": text});
            is(&action(&app, &organizer, "page.set", refused).await, 422, code);
        }
        // Two organizers edit concurrently: the second edit is based on an outdated text.
        let other = json!({"page": "about", "text": "# Us"});
        let mut preview = other.clone();
        preview["preview"] = json!(true);
        let head = done(&app, &organizer, "page.set", preview).await["head"].clone();
        let other = done(&app, &organizer, "page.set", other).await;
        let late = json!({"page": "about", "text": "# We", "head": head});
        is(&action(&app, &organizer, "page.set", late).await, 409, "object_touched");
        undo(&app, &organizer, &other).await;
        assert_eq!(app.player().get("/pages/about").await.json["title"], "About us");
        let removed = done(&app, &organizer, "page.remove", json!({"page": "about"})).await;
        assert_eq!(app.player().get("/pages/about").await.status, 404);
        is(&action(&app, &organizer, "page.remove", json!({"page": "about"})).await,
            422, "settings_invalid");
        undo(&app, &organizer, &removed).await;
        // The server's event files contain a page with the same name.
        let words = "files win where they have a page";
        let title = "From files".to_owned();
        let html = "<p>Files</p>".to_owned();
        let page = SitePage { slug: "about".to_owned(), title, place: PagePlace::Footer, html };
        let mut files = Live::default();
        files.site.pages.push(page);
        let text = serde_json::to_string(&files).expect("plain data");
        settings::put(&app.test.db, &text, None).await.expect("it is written");
        let title = async || app.player().get("/pages/about").await.json["title"].clone();
        until(words, async || title().await == "From files").await;
        let listed = get(&app, &organizer, "/settings").await["pages"].clone();
        assert_eq!((&listed[0]["slug"], &listed[0]["text"]), (&json!("about"), &json!(null)));
        for (name, more) in [("page.set", json!({"text": "# Us"})), ("page.remove", json!({}))] {
            let mut more = more;
            more["page"] = json!("about");
            is(&action(&app, &organizer, name, more).await, 422, "settings_invalid");
        }
    }

    async fn the_brand_and_its_files_are_set_on_the_site(engine: Engine) {
        let app = TestApp::playing(engine, event(), Vec::new()).await;
        let organizer = session_of(&app, Role::Organizer).await;
        let digest = upload(&app, &organizer, PNG).await;
        let sponsors = json!([{"name": "Harbour", "tier": "Gold", "logo": {"digest": digest}},
            {"name": "Crane", "link": "https://crane.example/"}]);
        let values = json!({"accent": "#0077cc", "logo": {"digest": digest}, "sponsors": sponsors,
            "links": [{"name": "Imprint", "link": "https://a.example/"}]});
        let set = done(&app, &organizer, "brand.set", json!({"values": values})).await;
        let sentence = "The organizer changed the branding: accent, logo, sponsors, links.";
        assert_eq!(set["sentence"], sentence);
        let site = site_of(&app).await;
        assert_eq!((&site["accent"], &site["logo"]["width"]), (&json!("#0077cc"), &json!(3)));
        let src = site["sponsors"][0]["logo"]["src"].as_str().expect("a logo").to_owned();
        assert_eq!(site["sponsors"][1]["logo"], json!(null));
        let file = Call::new("GET", &src).send(&app).await;
        assert_eq!((file.status, &file.body[..]), (200, PNG));
        let shown = get(&app, &organizer, "/settings").await["sections"]["site"].clone();
        assert_eq!(shown["logo"]["digest"], digest);
        // The shown values can be saved again.
        let logo = json!({"values": {"logo": shown["logo"]}});
        is(&action(&app, &organizer, "brand.set", logo).await, 409, "nothing_to_change");
        let sponsors = json!({"values": {"sponsors": shown["sponsors"]}});
        let again = done(&app, &organizer, "brand.set", sponsors).await;
        assert_eq!(site_of(&app).await, site);
        undo(&app, &organizer, &again).await;
        let text = upload(&app, &organizer, b"no picture").await;
        for (values, code) in [
            (json!({"logo": {"digest": text}}), "settings_invalid"),
            (json!({"logo": {"digest": "ab".repeat(32)}}), "file_unknown"),
            (json!({"logo": "brand/logo.png"}), "settings_invalid"),
            (json!({"accent": "#fff"}), "settings_invalid"),
            (json!({"allowed_origins": ["https://a.example"]}), "settings_invalid"),
            (json!({"pages": []}), "settings_invalid"),
            (json!({"links": [{"name": "x", "link": "javascript:alert(1)"}]}), "settings_invalid"),
        ] {
            let reply = action(&app, &organizer, "brand.set", json!({"values": values})).await;
            is(&reply, 422, code);
        }
        undo(&app, &organizer, &set).await;
        let site = site_of(&app).await;
        assert_eq!((&site["accent"], &site["logo"]), (&json!(null), &json!(null)));
        let helper = session_of(&app, Role::Support).await;
        let mine = json!({"values": {"accent": "#0077cc"}});
        is(&action(&app, &helper, "brand.set", mine).await, 404, "not_found");
    }

    async fn answers_that_are_ready_are_the_same_for_all(engine: Engine) {
        let app = TestApp::playing(engine, event(), Vec::new()).await;
        let helper = session_of(&app, Role::Support).await;
        let author = session_of(&app, Role::Author).await;
        let answers = json!([{"title": "Wi-Fi", "text": "The *password* is on the wall."}]);
        let set = done(&app, &helper, "answers.set", json!({"answers": answers})).await;
        assert_eq!(get(&app, &author, "/answers").await["answers"], answers);
        let none = json!({"answers": []});
        is(&action(&app, &author, "answers.set", none.clone()).await, 404, "not_found");
        let untitled = json!({"answers": [{"title": " ", "text": "x"}]});
        is(&action(&app, &helper, "answers.set", untitled).await, 422, "text_invalid");
        let gone = done(&app, &helper, "answers.set", none).await;
        assert_eq!(get(&app, &helper, "/answers").await["answers"], json!([]));
        undo(&app, &helper, &gone).await;
        undo(&app, &helper, &set).await;
        assert_eq!(get(&app, &helper, "/answers").await["answers"], json!([]));
    }
}
