//! `flagship pull` writes live changes back into the event folder.

mod everything;

use data_encoding::HEXLOWER;
use flagship_testkit::on_both_engines;
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::event::EventFolder;
use crate::process::{Done, Server, TestSite};

const ONE: &str = "challenges/one/challenge.yml";

async fn set_value(site: &TestSite, value: u32) {
    edit(site, json!({"value": value})).await;
}

/// Edits the challenge `one`.
async fn edit(site: &TestSite, fields: Value) -> String {
    let file = site.file("fields.json");
    std::fs::write(&file, json!({"fields": fields}).to_string()).unwrap();
    let file = file.to_str().unwrap();
    site.run(&["action", "challenge.edit", "--challenge", "one", "--fields", file]).await.ok()
}

/// Stores a file like an upload; returns the reference to it for edits.
fn uploaded(site: &TestSite, name: &str, content: &str) -> Value {
    let digest = HEXLOWER.encode(&Sha256::digest(content));
    std::fs::create_dir_all(site.file("files")).unwrap();
    std::fs::write(site.file("files").join(&digest), content).unwrap();
    json!({"name": name, "digest": digest})
}

async fn pull(site: &TestSite, event: &EventFolder, more: &[&str]) -> Done {
    site.run(&[&["pull", "--event", event.dir()], more].concat()).await
}

fn read(event: &EventFolder) -> String {
    event_text(event, "one")
}

fn event_text(event: &EventFolder, id: &str) -> String {
    std::fs::read_to_string(event.file(&format!("challenges/{id}/challenge.yml"))).unwrap()
}

on_both_engines! {
    async fn live_changes_are_written_in_place_and_newer_files_stay(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        event.challenge("one", "type: standard # ours\nvalue: 100\nunknown: [kept]");
        site.apply(&event).await.ok();
        assert_eq!(pull(&site, &event, &[]).await.ok(), "the files already contain all live \
            edits\n");
        let before = read(&event);
        set_value(&site, 150).await;
        let said = pull(&site, &event, &["--dry-run"]).await.ok();
        assert_eq!(said, format!("{ONE}: changed\nnothing was written\n"));
        assert_eq!(read(&event), before);
        assert_eq!(pull(&site, &event, &[]).await.ok(), format!("{ONE}: changed\n"));
        let pulled = before.replace("value: 100", "value: 150");
        assert_eq!(read(&event), pulled, "one value has changed, everything else is kept");
        site.apply(&event).await.ok();

        // The file and the challenge have both been edited.
        let newer = pulled.replace("# ours", "# by hand").replace("[kept]", "[more]");
        event.write(ONE, &newer);
        set_value(&site, 200).await;
        site.run(&["apply", "--event", event.dir()]).await.fails("edited live");
        pull(&site, &event, &[]).await.ok();
        let merged = newer.replace("value: 150", "value: 200");
        assert_eq!(read(&event), merged, "the file keeps its own changes");
        // The challenge is edited again before the file is applied.
        set_value(&site, 250).await;
        pull(&site, &event, &[]).await.ok();
        assert_eq!(read(&event), newer.replace("value: 150", "value: 250"));
        let said = site.apply(&event).await.ok();
        assert_eq!(said, "one: unknown (not visible to players)\nnothing to change\n");
        assert_eq!(pull(&site, &event, &[]).await.ok(), "the files already contain all live \
            edits\n");
    }

    async fn what_both_change_is_refused_until_somebody_decides(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        site.apply(&event).await.ok();
        let by_hand = read(&event).replace("value: 100", "value: 120 # by hand");
        event.write(ONE, &by_hand);
        edit(&site, json!({"value": 150, "description": "Live."})).await;
        pull(&site, &event, &[]).await.fails(&format!("were not changed: {ONE} (value)"));
        let merged = by_hand.replace("What is it?", "Live.");
        assert_eq!(read(&event), merged, "the others are written");
        site.run(&["apply", "--event", event.dir()]).await.fails("edited live");
        event.write(ONE, &merged.replace("value: 120", "value: 150"));
        assert_eq!(site.apply(&event).await.ok(), "nothing to change\n");
        event.write(ONE, &by_hand.replace("misc", "web"));
        edit(&site, json!({"value": 200})).await;
        pull(&site, &event, &["--overwrite"]).await.ok();
        let text = read(&event);
        assert!(text.contains("value: 200") && text.contains("category: web"), "{text}");
    }

    async fn what_was_released_or_hidden_live_is_in_the_files(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        site.apply(&event).await.ok();
        let at = (Timestamp::now() + SignedDuration::from_mins(30)).to_string();
        site.run(&["challenge", "release", "spare"]).await.ok();
        site.run(&["challenge", "hide", "three"]).await.ok();
        site.run(&["action", "challenge.release", "--challenges", "one", "--at", &at]).await.ok();
        let said = site.apply(&event).await.ok();
        assert!(said.contains("one stays sched") && said.contains("three stays hidden"), "{said}");
        pull(&site, &event, &[]).await.ok();
        let text = |id| event_text(&event, id);
        assert!(text("spare").contains("state: visible"), "{}", text("spare"));
        assert!(text("three").contains("state: hidden"), "{}", text("three"));
        let release = text("one").lines().find_map(|line| {
            line.strip_prefix("release: ").and_then(|at| at.trim_matches('\'').parse().ok())
        });
        let expected: Timestamp = at.parse().unwrap();
        assert_eq!(release.map(Timestamp::as_millisecond), Some(expected.as_millisecond()));
        assert_eq!(site.apply(&event).await.ok(), "nothing to change\n");
        // Another installation creates an equal challenge from the file.
        let copy = TestSite::new(engine).await;
        copy.apply(&event).await.ok();
        let listed = copy.run(&["challenge", "list", "--csv"]).await.ok();
        let state = |id: &str| {
            let line = listed.lines().find(|line| line.starts_with(id));
            line.is_some_and(|line| line.contains(",shown,"))
        };
        let shown = (state("spare"), state("three"), state("one"));
        assert_eq!(shown, (true, false, false), "{listed}");
    }

    async fn a_new_name_is_no_end_of_what_requires_it(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        let lines = "type: standard\nvalue: 50\nrequirements: [Challenge one] # first";
        event.challenge("two", lines);
        site.apply(&event).await.ok();
        let before = event_text(&event, "two");
        edit(&site, json!({"name": "Another One"})).await;
        pull(&site, &event, &[]).await.ok();
        let after = event_text(&event, "two");
        assert!(after.contains("- one") && !after.contains("Challenge one"), "{after}");
        assert_eq!(site.apply(&event).await.ok(), "nothing to change\n");
        let actions = site.run(&["actions", "--json"]).await.ok();
        let actions: Value = serde_json::from_str(&actions).unwrap();
        let action = actions.as_array().unwrap().iter().find(|it| it["action"] == "challenge.edit");
        let id = action.unwrap()["id"].to_string();
        // The change has been applied in the meantime.
        site.run(&["actions", "undo", &id]).await.fails("event files have been applied since");
        event.write("challenges/two/challenge.yml", &before);
        event.challenge("one", "type: standard\nvalue: 100");
        site.apply(&event).await.ok();
    }

    async fn missing_and_unreadable_files_are_reported_and_kept(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        site.apply(&event).await.ok();
        set_value(&site, 150).await;
        // `pull` does not overwrite a file in another encoding.
        let bytes = [read(&event).as_bytes(), b"# caf\xe9\n"].concat();
        std::fs::write(event.file(ONE), &bytes).unwrap();
        pull(&site, &event, &["--overwrite"]).await.fails(&format!("{ONE} (unreadable)"));
        assert_eq!(std::fs::read(event.file(ONE)).unwrap(), bytes);
        event.challenge("one", "type: standard\nvalue: 120\nhints: [un");
        let refused = pull(&site, &event, &["--overwrite"]).await;
        refused.fails(&format!("{ONE} (value; cannot be edited)"));
        // The challenge file has moved within the folder.
        event.challenge("one", "type: standard\nvalue: 100");
        std::fs::rename(event.file("challenges/one"), event.file("challenges/uno")).unwrap();
        let said = pull(&site, &event, &[]).await.ok();
        assert_eq!(said, "challenges/uno/challenge.yml: changed\n");
        assert_eq!(site.apply(&event).await.ok(), "nothing to change\n");
        // The challenge file has been removed.
        set_value(&site, 200).await;
        std::fs::remove_dir_all(event.file("challenges/uno")).unwrap();
        let gone = "challenges/uno/challenge.yml";
        pull(&site, &event, &[]).await.fails(&format!("{gone} (missing)"));
        assert!(!event.file(gone).exists());
        pull(&site, &event, &["--overwrite"]).await.ok();
        assert!(event_text(&event, "uno").contains("value: 200"));
    }

    async fn practice_that_was_set_live_is_written_to_the_file(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        event.challenge("one", "type: standard\nvalue: 100");
        site.apply(&event).await.ok();
        let text = || std::fs::read_to_string(event.file("event.toml")).unwrap();
        assert!(!text().contains("practice"));
        site.run(&["action", "event.name", "--practice", "true"]).await.ok();
        site.apply(&event).await.ok();
        assert_eq!(pull(&site, &event, &[]).await.ok(), "event.toml: changed\n");
        assert!(text().contains("\npractice = true\n"), "{}", text());
        let said = pull(&site, &event, &[]).await.ok();
        assert_eq!(said, "the files already contain all live edits\n");
        site.apply(&event).await.ok();
        event.write("event.toml", &text().replace("practice = true", "practice = false"));
        let said = site.apply(&event).await.ok();
        assert!(said.contains("practice: true → false"), "{said}");
    }

    async fn times_are_merged_by_key(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        site.apply(&event).await.ok();
        let text = || std::fs::read_to_string(event.file("event.toml")).unwrap();
        let line = |text: &str, key: &str| {
            text.lines().find(|it| it.starts_with(key)).unwrap().to_owned()
        };
        let end = |text: &str| line(text, "end = ");
        let before = text();
        let name = before.replace("Small CTF", "Own CTF");
        event.write("event.toml", &name);
        site.run(&["event", "extend", "30"]).await.ok();
        pull(&site, &event, &[]).await.ok();
        let later = text();
        assert_eq!(later.replace(&end(&later), &end(&before)), name, "only the end has changed");
        // The event is extended again before the file is applied.
        site.run(&["event", "extend", "30"]).await.ok();
        pull(&site, &event, &[]).await.ok();
        assert_ne!(end(&text()), end(&later));
        // `apply` needs no confirmation for another changed time beside the extended end.
        let own = text().replace(&line(&text(), "start = "), "start = 2024-01-01T00:00:00Z");
        event.write("event.toml", &own);
        site.apply(&event).await.ok();
        assert_eq!(pull(&site, &event, &[]).await.ok(), "the files already contain all live \
            edits\n");
        site.run(&["event", "extend", "30"]).await.ok();
        // `pull` overwrites another change of the end only with `--overwrite`.
        let own = text().replace(&end(&text()), "end = 2099-01-01T00:00:00Z");
        event.write("event.toml", &own);
        pull(&site, &event, &[]).await.fails("were not changed: event.toml (end)");
        assert_eq!(text(), own);
        pull(&site, &event, &["--overwrite"]).await.ok();
        assert!(!text().contains("2099"));
    }

    async fn a_file_may_be_named_as_players_see_it(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        event.challenge("one", "type: standard\nvalue: 100\nfiles: [dist/a.txt]");
        let a = "challenges/one/dist/a.txt";
        event.write(a, "first");
        site.apply(&event).await.ok();
        edit(&site, json!({"files": ["a.txt", uploaded(&site, "b.txt", "b")]})).await;
        pull(&site, &event, &[]).await.ok();
        assert!(read(&event).contains("dist/a.txt"), "{}", read(&event));
        assert_eq!(site.apply(&event).await.ok(), "nothing to change\n");
        edit(&site, json!({"files": [uploaded(&site, "a.txt", "second"), "b.txt"]})).await;
        let said = pull(&site, &event, &[]).await.ok();
        assert_eq!(said, format!("{a}: changed\n"), "it replaces the previous file");
    }

    async fn folders_that_change_places_keep_their_challenges_apart(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        site.apply(&event).await.ok();
        set_value(&site, 150).await;
        // The file of another challenge replaces the file of `one`.
        let [one, two, aside] = ["one", "two", "x"].map(|it| event.file("challenges").join(it));
        for (from, to) in [(&one, &aside), (&two, &one), (&aside, &two)] {
            std::fs::rename(from, to).unwrap();
        }
        let other = read(&event);
        let said = pull(&site, &event, &[]).await.ok();
        assert_eq!(said, "challenges/two/challenge.yml: changed\n");
        assert_eq!(read(&event), other);
        // A folder has the name of one challenge's attachment; `pull` writes the other challenges.
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        site.apply(&event).await.ok();
        edit(&site, json!({"files": [uploaded(&site, "dist", "a")]})).await;
        site.run(&["challenge", "hide", "two"]).await.ok();
        event.write("challenges/one/dist/a.txt", "a");
        let done = pull(&site, &event, &[]).await;
        done.fails("`dist` is a folder");
        assert_eq!(done.out, "challenges/two/challenge.yml: changed\n");
    }

    async fn a_name_that_nobody_may_write_stops_nothing(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        let old = event.file("challenges/spare");
        std::fs::rename(old, event.file("challenges/Re: Spare")).unwrap();
        event.write("challenges/two/challenge.yml", "{name: Two, id: two, value: 50, \
                     type: standard, flags: [a]}\n");
        site.apply(&event).await.ok();
        site.run(&["challenge", "release", "spare"]).await.ok();
        site.run(&["challenge", "hide", "two"]).await.ok();
        set_value(&site, 150).await;
        let done = pull(&site, &event, &[]).await;
        done.fails("skipped: challenges/Re: Spare/challenge.yml");
        done.fails("skipped: `state` and `release` of challenges/two/challenge.yml");
        assert_eq!(done.out, format!("{ONE}: changed\n"));
    }

    async fn attachments_that_were_replaced_live_are_not_lost(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        event.challenge("one", "type: standard\nvalue: 100\nfiles: [a.txt, b.txt]");
        let a = "challenges/one/a.txt";
        let b = "challenges/one/b.txt";
        event.write(a, "first");
        event.write(b, "other");
        site.apply(&event).await.ok();
        let files = json!([uploaded(&site, "a.txt", "second"), "b.txt"]);
        edit(&site, json!({"files": files})).await;
        let refused = site.run(&["apply", "--event", event.dir()]).await;
        refused.fails("one: edited live");
        event.write(b, "the author's");
        let said = pull(&site, &event, &[]).await.ok();
        assert_eq!(said, format!("{a}: changed\n"), "only what was changed live is written");
        assert_eq!(std::fs::read_to_string(event.file(a)).unwrap(), "second");
        assert_eq!(std::fs::read_to_string(event.file(b)).unwrap(), "the author's");
        // A file under another name would restore the old content.
        std::fs::rename(event.file(a), event.file("challenges/one/c.txt")).unwrap();
        event.write("challenges/one/c.txt", "first");
        event.write(ONE, &read(&event).replace("a.txt", "c.txt"));
        site.run(&["apply", "--event", event.dir()]).await.fails("one: edited live");
        event.write(ONE, &read(&event).replace("c.txt", "a.txt"));
        event.write(a, "second");
        site.apply(&event).await.ok();
        // The author changes the same file before it is applied.
        let files = json!([uploaded(&site, "a.txt", "third"), "b.txt"]);
        edit(&site, json!({"files": files})).await;
        event.write(a, "the author's");
        pull(&site, &event, &[]).await.fails(&format!("were not changed: {a}"));
        pull(&site, &event, &["--overwrite"]).await.ok();
        assert_eq!(std::fs::read_to_string(event.file(a)).unwrap(), "third");
    }

    async fn an_event_of_the_site_becomes_a_folder(engine: Engine) {
        let site = TestSite::bare(engine).await;
        let server = Server::start(site.command(&["serve", "--listen", "127.0.0.1:0"])).await;
        let file = site.file("fields.json");
        let action = async |name: &str, fields: serde_json::Value| {
            std::fs::write(&file, fields.to_string()).unwrap();
            let words = ["action", name, "--fields", file.to_str().unwrap()];
            site.run(&words).await.ok()
        };
        server.stop().await;
        site.run(&["action", "event.pause"]).await.fails("no event");
        let server = Server::start(site.command(&["serve", "--listen", "127.0.0.1:0"])).await;
        action("event.name", json!({"name": "Browser Cup", "timezone": "Europe/Rome"})).await;
        let start = "2027-03-06T14:00:00+01:00";
        let end = "2027-03-06T19:00:00+01:00";
        let times = json!({"start": start, "end": end});
        action("event.times", times).await;
        action("event.rules", json!({"text": "# Rules\n\nBe *kind*.\n"})).await;
        let mail = json!({"from": "Cup <cup@example.org>", "password": "a secret of mail"});
        action("settings.set", json!({"section": "mail", "values": mail})).await;
        action("settings.set", json!({"section": "site", "values": {"banner": "Hi"}})).await;
        let sponsors = json!([{"name": "Harbour", "link": "https://harbour.example/"}]);
        action("brand.set", json!({"values": {"sponsors": sponsors}})).await;
        action("page.set", json!({"page": "us", "text": "# Us", "place": "navigation"})).await;
        let answers = json!([{"title": "Yes", "text": "Yes."}]);
        action("answers.set", json!({"answers": answers})).await;
        let fields = json!({"name": "One", "category": "web", "description": "x",
            "type": "standard", "value": 5, "flags": ["flag{one}"]});
        action("challenge.create", json!({"challenge": "one", "fields": fields})).await;
        let folder = site.file("pulled");
        let dir = folder.to_str().unwrap();
        let said = site.run(&["pull", "--event", dir, "--dry-run"]).await.ok();
        assert!(said.starts_with("challenges/web/one/challenge.yml: new\n"), "{said}");
        assert!(!folder.exists());
        site.run(&["pull", "--event", dir]).await.ok();
        let toml_file = folder.join("event.toml");
        let toml = std::fs::read_to_string(&toml_file).unwrap();
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
        // The files now contain the settings with the same values.
        let said = site.run(&["apply", "--event", dir, "--dry-run"]).await.ok();
        let changed = ["change the event", "add one", "release one", "change one"];
        let is_changed = |line: &str| changed.iter().any(|it| line.starts_with(it));
        assert!(!said.lines().any(is_changed), "{said}");
        assert!(said.starts_with("change the settings\n"), "{said}");
        for key in ["[site] banner", "[site] sponsors", "[mail] from"] {
            assert!(said.contains(&format!("\n    {key}: now set in event.toml\n")), "{said}");
        }
        // The old value is the one that is set on the site.
        std::fs::write(&toml_file, toml.replace("\"Hi\"", "\"Ho\"")).unwrap();
        let said = site.run(&["apply", "--event", dir, "--dry-run"]).await.ok();
        assert!(said.contains("\n    [site] banner: \"Hi\" → \"Ho\"\n"), "{said}");
        std::fs::write(&toml_file, &toml).unwrap();
        // `pull` writes a missing page to an existing folder.
        std::fs::write(folder.join("pages/us.md"), "# Ours").unwrap();
        action("page.set", json!({"page": "faq", "text": "# Questions"})).await;
        assert_eq!(site.run(&["pull", "--event", dir]).await.ok(), "pages/faq.md: new\n");
        // A page with a forbidden file name does not stop `pull`.
        for page in ["agents", "last"] {
            action("page.set", json!({"page": page, "text": "# Read this"})).await;
        }
        let done = site.run(&["pull", "--event", dir]).await;
        done.fails("skipped: pages/agents.md: the path contains a name that tools");
        assert!(folder.join("pages/last.md").exists() && !folder.join("pages/agents.md").exists());
        server.stop().await;
    }

    async fn settings_of_the_site_that_files_repeat_wait_for_nothing(engine: Engine) {
        let site = TestSite::bare(engine).await;
        let serve = ["serve", "--listen", "127.0.0.1:0"];
        let server = Server::start(site.command(&serve)).await;
        let file = site.file("fields.json");
        let mail = json!({"transport": "smtp", "host": "mail.example.org", "tls": "none",
            "from": "cup@example.org"});
        for (name, fields) in [
            ("event.name", json!({"name": "Browser Cup"})),
            ("event.times",
                json!({"start": "2099-03-06T14:00:00Z", "end": "2099-03-06T19:00:00Z"})),
            ("settings.set", json!({"section": "mail", "values": mail})),
        ] {
            std::fs::write(&file, fields.to_string()).unwrap();
            site.run(&["action", name, "--fields", file.to_str().unwrap()]).await.ok();
        }
        let folder = site.file("pulled");
        let dir = folder.to_str().unwrap();
        site.run(&["pull", "--event", dir]).await.ok();
        let apply = ["apply", "--event", dir];
        let says = |said: &str, word: &str| said.lines().any(|line| line.starts_with(word));
        let said = site.run(&apply).await.ok();
        assert!(!says(&said, "takes effect") && !says(&said, "not applied"), "{said}");
        server.stop().await;
        let server = Server::start(site.command(&serve)).await;
        let said = site.run(&apply).await.ok();
        assert!(!says(&said, "takes effect") && !says(&said, "not applied"), "restarted: {said}");
        // A server without event files ignores new values in them.
        let toml = std::fs::read_to_string(folder.join("event.toml")).unwrap();
        let other = |name: &str| {
            let text = toml.replace("cup@example.org", &format!("{name}@example.org"));
            assert_ne!(text, toml);
            std::fs::write(folder.join("event.toml"), text).unwrap();
        };
        other("other");
        let said = site.run(&apply).await.ok();
        let change = "[mail] from: \"cup@example.org\" → \"other@example.org\"";
        assert!(says(&said, &format!("not applied: {change}")), "{said}");
        assert!(says(&said, "the server was started without --event"), "{said}");
        server.stop().await;
        let with_files = [&serve[..], &["--event", dir]].concat();
        let server = Server::start(site.command(&with_files)).await;
        let said = site.run(&apply).await.ok();
        assert!(!says(&said, "takes effect") && !says(&said, "not applied"), "with files: {said}");
        other("third");
        let said = site.run(&apply).await.ok();
        let change = "[mail] from: \"other@example.org\" → \"third@example.org\"";
        assert!(says(&said, &format!("takes effect after a restart: {change}")), "{said}");
        server.stop().await;
    }

    async fn nothing_is_written_through_a_link(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        site.apply(&event).await.ok();
        set_value(&site, 150).await;
        let outside = tempfile::tempdir().unwrap();
        let folder = event.file("challenges/one");
        std::fs::rename(&folder, outside.path().join("one")).unwrap();
        std::os::unix::fs::symlink(outside.path().join("one"), &folder).unwrap();
        let before = read(&event);
        pull(&site, &event, &[]).await.fails(&format!("{ONE} (missing)"));
        pull(&site, &event, &["--overwrite"]).await.fails("link");
        assert_eq!(read(&event), before);
    }
}
