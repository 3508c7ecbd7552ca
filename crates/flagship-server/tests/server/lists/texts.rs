//! Texts of incorrect submissions: stored only if the event enables it and the text is not a flag,
//! and erased when the event ends.

use std::sync::Arc;

use flagship_control::control;
use flagship_game::{Event, Secret};
use flagship_pack::KeepWrongTexts;
use flagship_server::Config;
use flagship_store::challenges::{Draft, Flag};
use flagship_store::ops::{Op, Plan};
use flagship_store::organizers::Role;
use flagship_store::sources::Source;
use flagship_testkit::player::{HOUR_MS, Team, any_case, challenge_id, draft, event, exact, key};
use flagship_testkit::{Call, Engine, TestApp, TestDb, on_both_engines, until};
use serde_json::{Value, json};

use super::get;
use crate::actions::{action, session_of};

/// A text that is not a near miss.
const PROBE: &str = "probe";
const OF_TEAMS: &str = "flag{pier_[TEAM]}";
/// The exact flags of challenges, in YAML.
const EXACT: &[(&str, &str)] = &[("one", "'flag{one}'"), ("two", "'Flag{Two_of_us}'")];

/// Challenges with flags of all kinds.
fn drafts() -> Vec<Draft> {
    let pattern = Flag::Regex { pattern: "flag\\{[0-9]+\\}".to_owned(), case_insensitive: true };
    let two = vec![any_case("two", "Flag{Two_of_us}"), pattern];
    let bait = Flag::Decoy { digest: key().flag_digest("one", "flag{bait}") };
    let one = vec![exact("one", "flag{one}"), bait];
    let pier = vec![Flag::Team(OF_TEAMS.to_owned())];
    vec![
        Draft { flags: one, ..draft("one") },
        Draft { flags: two, ..draft("two") },
        Draft { flags: pier, ..draft("pier") },
    ]
}

fn without_limits(config: &mut Config, keep: KeepWrongTexts) {
    config.settings.privacy.keep_wrong_texts = keep;
    config.settings.limits.submissions_per_challenge_per_10_s = 0;
    config.settings.limits.submissions_per_team_per_minute = 0;
}

async fn playing(engine: Engine, event: Event, keep: KeepWrongTexts) -> TestApp {
    playing_with(engine, event, keep, EXACT).await
}

/// Starts the event with the source texts of these flags only.
async fn playing_with(
    engine: Engine,
    event: Event,
    keep: KeepWrongTexts,
    exact: &[(&str, &str)],
) -> TestApp {
    let test = Arc::new(TestDb::new(engine).await);
    let app = TestApp::playing_on(test, event.clone(), vec![], |it| without_limits(it, keep)).await;
    app.run(Op::Apply(Box::new(plan(event, drafts(), exact)))).await;
    app.settled().await;
    app
}

/// A plan with the source texts of challenges that have these exact flags. The server compares
/// submitted texts with those flags.
fn plan(event: Event, drafts: Vec<Draft>, exact: &[(&str, &str)]) -> Plan {
    let mut plan = Plan::new(event, drafts);
    for (id, flags) in exact {
        let text = format!(
            "name: The {id}\nid: {id}\ncategory: misc\ndescription: x\ntype: standard\n\
             value: 100\nflags: [{flags}]\n"
        );
        let path = format!("challenges/{id}/challenge.yml");
        let text = Secret::new(text);
        let source = Source { path, text, files: "[]".to_owned() };
        plan.sources.insert(challenge_id(id), source);
    }
    plan
}

fn unfrozen() -> Event {
    Event { freeze_ms: None, ..event() }
}

async fn miss(app: &TestApp, team: &Team, text: &str) {
    app.advance(1);
    let answer = team.send("one", text).await;
    assert_eq!(answer.json["correct"], false, "{text}: {answer:?}");
}

/// Texts of the submissions that an organizer sees, newest first; "-" for none.
async fn shown(app: &TestApp, session: &str) -> Vec<String> {
    let page = get(app, session, "/flags").await;
    let text =
        |flag: &Value| flag.get("text").map_or("-", |it| it.as_str().expect("a text")).to_owned();
    page["flags"].as_array().expect("a list").iter().map(text).collect()
}

/// The number of rows, and the number of rows with a text.
async fn kept(app: &TestApp) -> (i64, i64) {
    let sql = "select count(*), count(sealed_text) from wrong_flags";
    app.test.rows::<(i64, i64)>(sql).await[0]
}

/// Submits a text until it is stored, because the flags to compare with are loaded concurrently
/// with the first submissions. Leaves no row.
async fn is_ready(app: &TestApp, team: &Team) {
    let mut sent = 0;
    until("a text is kept", async || {
        miss(app, team, PROBE).await;
        sent += 1;
        kept(app).await.1 > 0
    })
    .await;
    until("all are recorded", async || kept(app).await.0 == sent).await;
    app.test.execute("delete from wrong_flags").await;
}

/// Sends texts and waits for their records.
async fn misses(app: &TestApp, team: &Team, texts: &[&str]) {
    let (before, _) = kept(app).await;
    for text in texts {
        miss(app, team, text).await;
    }
    let count = before + texts.len() as i64;
    until("they are recorded", async || kept(app).await.0 == count).await;
}

async fn rules(app: &TestApp) -> Value {
    app.player().get("/rules").await.json["keepsWrongTexts"].clone()
}

on_both_engines! {
    async fn no_text_is_kept_unless_the_event_says_so(engine: Engine) {
        let words = "no text without the setting";
        let app = playing(engine, unfrozen(), KeepWrongTexts::Never).await;
        let team = app.team("Otters").await;
        let organizer = session_of(&app, Role::Organizer).await;
        // The texts fill more than one batch, so the flags were loaded before the last batch.
        for _ in 0..3 {
            misses(&app, &team, &[PROBE]).await;
        }
        assert_eq!((kept(&app).await, rules(&app).await), ((3, 0), json!(false)), "{words}");
        assert_eq!(shown(&app, &organizer).await, ["-"; 3], "{words}");
    }

    async fn texts_are_kept_sealed_and_no_flag_is(engine: Engine) {
        let app = playing(engine, unfrozen(), KeepWrongTexts::UntilEnd).await;
        let teams = app.teams(&["Otters", "Herons"]).await;
        let organizer = session_of(&app, Role::Organizer).await;
        is_ready(&app, &teams[0]).await;
        assert_eq!(rules(&app).await, json!(true));
        let theirs = OF_TEAMS.replace("[TEAM]", &key().team_code("pier", teams[1].id.0));
        let theirs_loud = theirs.to_uppercase();
        let theirs_bare = theirs.replace("flag{", "").replace('}', "");
        let (longest, longer) = ("é".repeat(128), "é".repeat(129));
        let words = "no flag of any challenge or team";
        let is_harmless = control("texts_are_kept_sealed_and_no_flag_is", words);
        let of_other = if is_harmless { "flag{too_of_us}" } else { "flag{two_of_us}" };
        let sent = [
            ("flag{mistaken}", true),
            (of_other, false),
            ("FLAG{TWO_OF_US}", false),
            ("it is flag{two_of_us}", false),
            ("flag{two_of_us", false),
            ("\"flag{Two_of_us}\",", false),
            ("flag:flag{two_of_us}flag{two_of_us}", false),
            ("flag{{two _of_ us}}", false),
            ("flag%7BTwo_of_us%7D", false),
            ("answer=Two_of_us", false),
            ("flag{17}", false),
            ("Flag{18}", false),
            ("flag{19}}", false),
            ("(20)", false),
            (&*theirs, false),
            (&*theirs_loud, false),
            (&*theirs_bare, false),
            ("flag{bait}", false),
            (&*longest, true),
            (&*longer, false),
        ];
        misses(&app, &teams[0], &sent.map(|(text, _)| text)).await;
        let expected = sent.iter().rev().map(|(text, is_kept)| if *is_kept { *text } else { "-" });
        let expected: Vec<&str> = expected.collect();
        assert_eq!(shown(&app, &organizer).await, expected, "{words}");
        assert_eq!(kept(&app).await, (sent.len() as i64, 2), "{words}");
        let sealed: Vec<(String,)> = app.test.rows(
            "select sealed_text from wrong_flags where sealed_text is not null").await;
        assert!(sealed.iter().all(|(it,)| !it.contains("mistaken")), "{sealed:?}");
        // A text can be decrypted only in the row of its own team and challenge.
        app.test.execute("update wrong_flags set challenge_id = 'two'").await;
        assert_eq!(shown(&app, &organizer).await, ["-"; 20]);
    }

    async fn texts_are_for_those_who_run_the_contest(engine: Engine) {
        let app = playing(engine, unfrozen(), KeepWrongTexts::UntilEnd).await;
        let team = app.team("Otters").await;
        let author = app.author("Ann", &["one"]).await;
        let other = app.author("Bob", &["two"]).await;
        let author = app.organizer_session(&author, true).await;
        let other = app.organizer_session(&other, true).await;
        let [support, organizer, owner] = [session_of(&app, Role::Support).await,
            session_of(&app, Role::Organizer).await, session_of(&app, Role::Owner).await];
        let words = "a missing text reveals a flag";
        is_ready(&app, &team).await;
        misses(&app, &team, &["flag{mistaken}", "flag{two_of_us}"]).await;
        let seen = ["-", "flag{mistaken}"];
        for (session, expected) in [(&author, ["-"; 2]), (&support, ["-"; 2]), (&organizer, seen),
            (&owner, seen)]
        {
            assert_eq!(shown(&app, session).await, expected, "{words}");
            let told = get(&app, session, "/teams/Otters").await.to_string();
            assert!(!told.contains("mistaken"), "a story has no texts: {told}");
        }
        assert_eq!(shown(&app, &other).await, [""; 0], "an author sees flags for own challenges");
    }

    async fn texts_are_kept_once_the_sources_of_all_flags_are_known(engine: Engine) {
        let keep = KeepWrongTexts::UntilEnd;
        let app = playing_with(engine, unfrozen(), keep, &EXACT[..1]).await;
        let team = app.team("Otters").await;
        let organizer = session_of(&app, Role::Organizer).await;
        let body = json!({"challenge": "one", "flag": PROBE}).to_string();
        let call = Call::organize("POST", "/flags/try").session(&organizer).json(body);
        let tried = call.send(&app).await;
        assert_eq!(tried.status, 200, "the flags are read: {}", tried.text());
        misses(&app, &team, &[PROBE]).await;
        assert_eq!(kept(&app).await, (1, 0), "a flag of unknown form could be in it");
        app.test.execute("delete from wrong_flags").await;
        // The flags are unchanged.
        let sql = "select value from meta where key = 'challenges_revision'";
        let before: Vec<(String,)> = app.test.rows(sql).await;
        app.run(Op::Apply(Box::new(plan(unfrozen(), drafts(), EXACT)))).await;
        let after: Vec<(String,)> = app.test.rows(sql).await;
        assert_eq!(before, after);
        is_ready(&app, &team).await;
        misses(&app, &team, &["flag{two_of_us}", PROBE]).await;
        assert_eq!(shown(&app, &organizer).await, [PROBE, "-"]);
    }

    async fn a_text_that_became_a_flag_is_not_shown(engine: Engine) {
        let app = playing(engine, unfrozen(), KeepWrongTexts::UntilEnd).await;
        let team = app.team("Otters").await;
        let organizer = session_of(&app, Role::Organizer).await;
        is_ready(&app, &team).await;
        misses(&app, &team, &["flag{first}", "flag{second}", PROBE]).await;
        assert_eq!(shown(&app, &organizer).await, [PROBE, "flag{second}", "flag{first}"]);
        let mut all = drafts();
        all[0].flags.push(exact("one", "flag{first}"));
        all[1].flags.push(exact("two", "flag{second}"));
        let exact = [
            ("one", "'flag{one}', 'flag{first}'"),
            ("two", "'Flag{Two_of_us}', 'flag{second}'"),
        ];
        app.run(Op::Apply(Box::new(plan(unfrozen(), all, &exact)))).await;
        let at_once = shown(&app, &organizer).await;
        assert!(!at_once.contains(&"flag{second}".to_owned()), "{at_once:?}");
        until("the new flags are read", async || {
            shown(&app, &organizer).await.contains(&PROBE.to_owned())
        })
        .await;
        assert_eq!(shown(&app, &organizer).await, [PROBE, "-", "-"], "a flag is not shown");
        let one = json!({"challenge": "one"});
        let counted = action(&app, &organizer, "challenge.rejudge", one).await;
        assert_eq!(counted.status, 200, "{}", counted.text());
        assert_eq!(kept(&app).await, (3, 2), "the text that counts now is erased, and no other");
        // The accepted flag is listed as correct too.
        assert_eq!(shown(&app, &organizer).await, [PROBE, "-", "-", "-"]);
    }

    async fn texts_are_erased_at_the_end_and_when_the_setting_is_turned_off(engine: Engine) {
        let words = "no text is left";
        for ends in [true, false] {
            let app = playing(engine, unfrozen(), KeepWrongTexts::UntilEnd).await;
            let team = app.team("Otters").await;
            let owner = session_of(&app, Role::Owner).await;
            is_ready(&app, &team).await;
            misses(&app, &team, &["flag{first}", "flag{second}"]).await;
            assert_eq!(kept(&app).await, (2, 2));
            if ends {
                app.advance(2 * HOUR_MS);
            } else {
                let values = json!({"section": "privacy", "values": {"keep_wrong_texts": "never"}});
                let set = action(&app, &owner, "settings.set", values).await;
                assert_eq!(set.status, 200, "{}", set.text());
            }
            until(words, async || kept(&app).await == (2, 0)).await;
        }
    }

    async fn no_text_of_the_freeze_is_kept(engine: Engine) {
        let app = playing(engine, event(), KeepWrongTexts::UntilEnd).await;
        let teams = app.teams(&["Otters", "Herons"]).await;
        let sessions = [Role::Support, Role::Organizer];
        is_ready(&app, &teams[0]).await;
        misses(&app, &teams[0], &["flag{before}"]).await;
        let words = "a wrong flag of the freeze has no text";
        let is_before = control("no_text_of_the_freeze_is_kept", words);
        if !is_before {
            app.advance(HOUR_MS);
        }
        app.settled().await;
        misses(&app, &teams[0], &["flag{after}"]).await;
        teams[1].solves("one").await;
        assert_eq!(kept(&app).await, (2, 1), "{words}");
        for (role, expected) in
            sessions.into_iter().zip([&["-"][..], &["-", "-", "flag{before}"]])
        {
            let session = session_of(&app, role).await;
            assert_eq!(shown(&app, &session).await, expected, "{role}");
        }
    }

    async fn several_nodes_keep_texts(engine: Engine) {
        let app = playing(engine, unfrozen(), KeepWrongTexts::UntilEnd).await;
        let team = app.team("Otters").await;
        let keep = KeepWrongTexts::UntilEnd;
        let _second = app.second_node(|config| without_limits(config, keep)).await;
        let sql = "select node_id from nodes where shares";
        until("both nodes share", async || app.test.rows::<(String,)>(sql).await.len() == 2).await;
        is_ready(&app, &team).await;
        misses(&app, &team, &["flag{mistaken}", "flag{two_of_us}"]).await;
        let organizer = session_of(&app, Role::Organizer).await;
        assert_eq!(shown(&app, &organizer).await, ["-", "flag{mistaken}"]);
    }
}
