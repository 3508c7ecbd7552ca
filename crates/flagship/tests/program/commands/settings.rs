//! `event.toml` at the start: errors prevent the start, and the message names the line.

use flagship_testkit::Engine;

use crate::event::{EventFolder, Times, toml};
use crate::process::{TestSite, program, run};

#[tokio::test]
async fn a_mistyped_key_prevents_the_start_and_is_reported() {
    let good = toml(jiff::Timestamp::now(), Times::RUNNING, "auto");
    for (bad, place_of, piece) in [
        (good.replace("[captcha]", "[capcha]"), 7, "did you mean [captcha]?"),
        (good.replace("signups_per", "signup_per"), 12, "`signups_per_network_per_hour`"),
        (good.replace("provider = \"off\"", "provider = \"none\""), 8, "none"),
        (good.replace("reveal = \"auto\"", "reveal = auto"), 6, "event.toml:6"),
        (good.replace("\nend = ", "\nends = "), 4, "`end`"),
    ] {
        assert_ne!(bad, good);
        let site = TestSite::new(Engine::Sqlite).await;
        let event = EventFolder::new();
        event.write("event.toml", &bad);
        let words = ["serve", "--event", event.dir(), "--listen", "127.0.0.1:0"];
        let done = site.run(&words).await;
        done.fails(piece);
        assert!(done.err.contains(&format!("event.toml:{place_of}: error: ")), "{done:?}");
        assert_eq!(done.out, "", "the server did not become ready");
        assert!(!site.file("secret").exists(), "nothing was created");
    }
}

#[tokio::test]
async fn serve_does_not_start_without_an_event_file() {
    let site = TestSite::new(Engine::Sqlite).await;
    let event = EventFolder::new();
    std::fs::remove_file(event.file("event.toml")).unwrap();
    site.run(&["serve", "--event", event.dir()]).await.fails("event.toml");
    site.run(&["serve", "--event", "/nowhere"]).await.fails("/nowhere");
}

#[tokio::test]
async fn check_lists_problems_by_file_and_line() {
    let event = EventFolder::new();
    let fine = run(program(&["check", "--event", event.dir()])).await;
    assert_eq!(fine.code, Some(0), "{fine:?}");
    assert!(fine.out.ends_with("4 challenges, 0 errors, 1 warning, 0 notes\n"), "{fine:?}");
    event.challenge("five", "type: standard\nvalue: 1\nfiles: [gone.zip]");
    let warned = run(program(&["check", "--event", event.dir()])).await;
    assert_eq!(warned.code, Some(0), "a warning is not an error: {warned:?}");
    assert!(warned.out.contains("challenges/five/challenge.yml:8: warning: "), "{warned:?}");
    event.challenge("six", "type: quantum");
    let done = run(program(&["check", "--event", event.dir()])).await;
    done.fails("1 error");
    assert!(done.out.contains("challenges/six/challenge.yml:6: error: "), "{done:?}");
    event.challenge("seven", "type: standard\nvalue: {");
    run(program(&["check", "--event", event.dir()])).await.fails("2 errors");
    run(program(&["check", "--event", "/nowhere"])).await.fails("/nowhere");
    let mut by_variable = program(&["check"]);
    by_variable.env("FLAGSHIP_EVENT", event.dir());
    run(by_variable).await.fails("2 errors");
}

#[tokio::test]
async fn a_first_start_serves_valid_challenges_and_counts_the_rest() {
    let site = TestSite::new(Engine::Sqlite).await;
    let event = EventFolder::new();
    event.challenge("six", "type: quantum");
    let server = site.serve(&event).await;
    let token = site.import(1).await.remove(0);
    assert_eq!(server.team(&token).await.challenges().await, ["two", "one", "three"]);
    let counted = server.err().join("\n");
    assert!(counted.contains("4 challenges, 1 error, 1 warning, 0 notes"), "{counted}");
    server.stop().await;
}
