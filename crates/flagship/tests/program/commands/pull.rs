//! `flagship pull`: what was changed live, written back into the event's folder.

use flagship_testkit::on_both_engines;
use serde_json::json;

use crate::event::EventFolder;
use crate::process::{Done, TestSite};

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
        pull(&site, &event, &[]).await.fails("these files were changed too");
        assert_eq!(read(&event), newer, "nothing is lost");
        pull(&site, &event, &["--overwrite"]).await.ok();
        assert_eq!(read(&event), pulled.replace("value: 150", "value: 200"));
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
