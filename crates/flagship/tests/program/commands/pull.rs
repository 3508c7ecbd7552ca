//! `flagship pull`: what was changed live, written back into the event's folder.

use flagship_testkit::on_both_engines;
use serde_json::json;

use crate::event::EventFolder;
use crate::process::{Done, Server, TestSite};

const ONE: &str = "challenges/one/challenge.yml";

async fn set_value(site: &TestSite, value: u32) {
    let file = site.file("fields.json");
    std::fs::write(&file, json!({"fields": {"value": value}}).to_string()).unwrap();
    let file = file.to_str().unwrap();
    let edit = ["act", "challenge.edit", "--challenge", "one", "--fields", file];
    site.run(&edit).await.ok();
}

async fn pull(site: &TestSite, event: &EventFolder, more: &[&str]) -> Done {
    site.run(&[&["pull", "--event", event.dir()], more].concat()).await
}

fn read(event: &EventFolder) -> String {
    std::fs::read_to_string(event.file(ONE)).unwrap()
}

on_both_engines! {
    async fn live_changes_are_written_in_place_and_newer_files_stay(engine: Engine) {
        let (site, event) = (TestSite::new(engine).await, EventFolder::new());
        event.challenge("one", "type: standard # ours\nvalue: 100\nunknown: [kept]");
        site.apply(&event).await.ok();
        assert_eq!(pull(&site, &event, &[]).await.ok(), "the files have all live changes\n");
        let before = read(&event);
        set_value(&site, 150).await;
        let said = pull(&site, &event, &["--dry-run"]).await.ok();
        assert_eq!(said, format!("{ONE}: changed\nnothing was written\n"));
        assert_eq!(read(&event), before);
        assert_eq!(pull(&site, &event, &[]).await.ok(), format!("{ONE}: changed\n"));
        let pulled = before.replace("value: 100", "value: 150");
        assert_eq!(read(&event), pulled, "one value is another, all else is kept");
        site.apply(&event).await.ok();

        // The file is changed, and the challenge too.
        let newer = pulled.replace("# ours", "# by hand");
        event.write(ONE, &newer);
        set_value(&site, 200).await;
        pull(&site, &event, &[]).await.fails("these files are not as they were applied last");
        assert_eq!(read(&event), newer, "nothing is lost");
        pull(&site, &event, &["--overwrite"]).await.ok();
        assert_eq!(read(&event), pulled.replace("value: 150", "value: 200"));
    }

    async fn an_event_of_the_site_becomes_a_folder(engine: Engine) {
        let site = TestSite::bare(engine).await;
        let server = Server::start(site.command(&["serve", "--listen", "127.0.0.1:0"])).await;
        let file = site.file("fields.json");
        let act = async |name: &str, fields: serde_json::Value| {
            std::fs::write(&file, fields.to_string()).unwrap();
            let words = ["act", name, "--fields", file.to_str().unwrap()];
            site.run(&words).await.ok()
        };
        server.stop().await;
        site.run(&["act", "event.pause"]).await.fails("no event");
        let server = Server::start(site.command(&["serve", "--listen", "127.0.0.1:0"])).await;
        act("event.name", json!({"name": "Browser Cup", "timezone": "Europe/Rome"})).await;
        let (start, end) = ("2027-03-06T14:00:00+01:00", "2027-03-06T19:00:00+01:00");
        let times = json!({"start": start, "end": end});
        act("event.times", times).await;
        act("event.rules", json!({"text": "# Rules\n\nBe *kind*.\n"})).await;
        let mail = json!({"from": "Cup <cup@example.org>", "password": "a secret of mail"});
        act("settings.set", json!({"section": "mail", "values": mail})).await;
        act("settings.set", json!({"section": "site", "values": {"banner": "Hi"}})).await;
        let sponsors = json!([{"name": "Harbour", "link": "https://harbour.example/"}]);
        act("brand.set", json!({"values": {"sponsors": sponsors}})).await;
        act("page.set", json!({"page": "us", "text": "# Us", "place": "navigation"})).await;
        let answers = json!([{"title": "Yes", "text": "Yes."}]);
        act("answers.set", json!({"answers": answers})).await;
        let fields = json!({"name": "One", "category": "web", "description": "x",
            "type": "standard", "value": 5, "flags": ["flag{one}"]});
        act("challenge.create", json!({"challenge": "one", "fields": fields})).await;
        let folder = site.file("pulled");
        let dir = folder.to_str().unwrap();
        site.run(&["pull", "--event", dir]).await.ok();
        let toml = std::fs::read_to_string(folder.join("event.toml")).unwrap();
        for line in [
            "name = \"Browser Cup\"",
            "start = 2027-03-06T14:00:00+01:00",
            "timezone = \"Europe/Rome\"",
            "banner = \"Hi\"",
            "[[site.sponsors]]",
            "# The password is in FLAGSHIP_SMTP_PASSWORD",
        ] {
            assert!(toml.contains(line), "{line}: {toml}");
        }
        assert!(!toml.contains("a secret of mail"), "{toml}");
        let rules = std::fs::read_to_string(folder.join("rules.md")).unwrap();
        assert_eq!(rules, "# Rules\n\nBe *kind*.\n");
        let page = std::fs::read_to_string(folder.join("pages/us.md")).unwrap();
        assert_eq!(page, "---\nplace: navigation\n---\n# Us");
        assert!(folder.join("challenges/web/one/challenge.yml").exists());
        // The files name the settings now; what they say is the same.
        let said = site.run(&["apply", "--event", dir, "--dry-run"]).await.ok();
        let changed = ["change the event", "add one", "release one", "change one"];
        let is_changed = |line: &str| changed.iter().any(|it| line.starts_with(it));
        assert!(!said.lines().any(is_changed), "{said}");
        // In a folder that is there, a page that it lacks is written.
        std::fs::write(folder.join("pages/us.md"), "# Ours").unwrap();
        act("page.set", json!({"page": "faq", "text": "# Questions"})).await;
        assert_eq!(site.run(&["pull", "--event", dir]).await.ok(), "pages/faq.md: new\n");
        server.stop().await;
    }

    async fn nothing_is_written_through_a_link(engine: Engine) {
        let (site, event) = (TestSite::new(engine).await, EventFolder::new());
        site.apply(&event).await.ok();
        set_value(&site, 150).await;
        let outside = tempfile::tempdir().unwrap();
        let folder = event.file("challenges/one");
        std::fs::rename(&folder, outside.path().join("one")).unwrap();
        std::os::unix::fs::symlink(outside.path().join("one"), &folder).unwrap();
        let before = read(&event);
        pull(&site, &event, &[]).await.fails("link");
        assert_eq!(read(&event), before);
    }
}
