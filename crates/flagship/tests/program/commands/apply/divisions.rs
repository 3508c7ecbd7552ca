//! Divisions from the command line: event files and `pull`, import, `team.divisions`, exports.

use flagship_testkit::on_both_engines;
use serde_json::{Value, json};

use crate::event::EventFolder;
use crate::process::TestSite;

/// A public division joined by code, one joined openly, and a private one.
const DIVISIONS: &str = "\
[[divisions]]
id = \"school\"
name = \"Schools\"
join = \"code\"
code = \"sea horse\"
[[divisions]]
id = \"human\"
name = \"Without AI\"
group = \"AI use\"
join = \"open\"
[[divisions]]
id = \"staff\"
name = \"Staff\"
group = \"Hidden\"
join = \"organizers\"
private = true
";

/// An event with these lines at the end of `event.toml`.
fn with(lines: &str) -> EventFolder {
    let event = EventFolder::new();
    let toml = std::fs::read_to_string(event.file("event.toml")).expect("it is there");
    event.write("event.toml", &format!("{toml}\n{lines}"));
    event
}

async fn ranks(site: &TestSite, division: &str) -> Vec<(u64, String)> {
    let words = ["export", "standings", "--division", division];
    let text = site.run(&words).await.ok();
    let rows: Vec<Value> = serde_json::from_str(&text).expect("an export is JSON");
    let row = |row: &Value| {
        let rank = row["rank"].as_u64().expect("a rank");
        (rank, row["team"].as_str().expect("a name").to_owned())
    };
    rows.iter().map(row).collect()
}

fn teams(names: &[&str]) -> Vec<(u64, String)> {
    (1..).zip(names).map(|(rank, name)| (rank, (*name).to_owned())).collect()
}

on_both_engines! {
    async fn divisions_are_imported_changed_and_exported(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = with(DIVISIONS);
        let server = site.serve(&event).await;
        let csv = "name,email,divisions\nAnts,a@example.org,school human\n\
                   Bees,b@example.org,human\nCats,c@example.org,staff\n";
        let tokens = site.import_csv(csv).await;
        server.team(&tokens[1].1).await.solves("one").await;
        assert_eq!(ranks(&site, "human").await, teams(&["Bees", "Ants"]));
        assert_eq!(ranks(&site, "school").await, teams(&["Ants"]));
        assert_eq!(ranks(&site, "staff").await, teams(&["Cats"]));
        let feed = site.run(&["export", "ctftime", "--division", "human"]).await.ok();
        let feed: Value = serde_json::from_str(&feed).expect("a feed is JSON");
        let places: Vec<_> = feed["standings"].as_array().expect("standings").iter()
            .map(|it| (it["pos"].clone(), it["team"].clone())).collect();
        assert_eq!(places, [(json!(1), json!("Bees")), (json!(2), json!("Ants"))]);
        let unknown = site.run(&["export", "standings", "--division", "nothing"]).await;
        unknown.fails("no such division; there are: school, human, staff");
        site.run(&["export", "journal", "--division", "human"]).await.fails("does not apply");

        let wrong = "name,email,divisions\nDogs,d@example.org,nothing\n";
        std::fs::write(site.file("wrong.csv"), wrong).expect("it is written");
        let file = site.file("wrong.csv");
        let import = ["team", "import", file.to_str().expect("a plain path")];
        let refused = site.run(&import).await;
        assert!(refused.err.contains("wrong.csv:2: no division has the ID \"nothing\""));

        let words = ["action", "team.divisions", "--team", "Cats", "--divisions", "human,staff"];
        let reason = ["--reason", "they asked"];
        let done = site.run(&[&words[..], &reason[..]].concat()).await.ok();
        assert!(done.contains("set the divisions of \"Cats\": human, staff"), "{done}");
        assert_eq!(ranks(&site, "human").await, teams(&["Bees", "Ants", "Cats"]));
        let id = done.lines().find_map(|line| line.strip_prefix("action "));
        let id = id.and_then(|line| line.split(';').next()).expect("a line with the ID");
        site.run(&[&["actions", "undo", id][..], &reason[..]].concat()).await.ok();
        assert_eq!(ranks(&site, "human").await, teams(&["Bees", "Ants"]));
    }

    async fn a_removed_division_must_be_confirmed_and_a_new_folder_has_all(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = with(DIVISIONS);
        site.apply(&event).await.ok();
        site.import_csv("name,email,divisions\nAnts,a@example.org,school\n").await;
        let folder = site.file("pulled");
        let dir = folder.to_str().expect("a plain path");
        site.run(&["pull", "--event", dir]).await.ok();
        let pulled = flagship_pack::read(&folder).expect("it is an event folder");
        let written = flagship_pack::read(event.path()).expect("it is an event folder");
        assert_eq!(pulled.divisions, written.divisions);
        assert_eq!(pulled.divisions[0].code.as_deref(), Some("sea horse"));

        let (first, _) = DIVISIONS.split_once("[[divisions]]\nid = \"human\"").expect("two");
        let toml = std::fs::read_to_string(event.file("event.toml")).expect("it is there");
        event.write("event.toml", &toml.replace(first, ""));
        let done = site.apply(&event).await;
        assert!(done.out.contains("remove school, which has 1 team"), "{done:?}");
        done.fails("1 change is destructive");
        assert_eq!(ranks(&site, "school").await, teams(&["Ants"]));
        site.apply_confirmed(&event).await.ok();
        let gone = site.run(&["export", "standings", "--division", "school"]).await;
        gone.fails("no such division");
        event.write("event.toml", &toml);
        site.apply(&event).await.ok();
        assert_eq!(ranks(&site, "school").await, teams(&["Ants"]), "it is as before");
        let said = site.apply(&event).await.ok();
        assert!(said.contains("nothing to change"), "{said}");
    }
}
