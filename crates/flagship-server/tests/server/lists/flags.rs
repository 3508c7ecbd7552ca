//! The list of submissions: correct and incorrect ones by time, near misses, filters, pages, and
//! the parts visible to each role.

use std::collections::BTreeSet;

use flagship_game::Secret;
use flagship_store::ops::{Op, Plan};
use flagship_store::organizers::Role;
use flagship_store::sources::Source;
use flagship_testkit::player::{HOUR_MS, challenge_id, draft, event};
use flagship_testkit::{Call, NOW_MS, TestApp, on_both_engines, until};
use serde_json::{Value, json};

use super::{execute, get};
use crate::actions::session_of;

fn flags(page: &Value) -> &Vec<Value> {
    page["flags"].as_array().expect("a list")
}

/// Team, challenge, verdict and near miss of each flag.
fn rows(page: &Value) -> Vec<String> {
    let member = |it: &Value, name: &str| it[name].as_str().unwrap_or("-").to_owned();
    let names = ["teamName", "challengeId", "verdict", "near"];
    flags(page).iter().map(|it| names.map(|name| member(it, name)).join(" ")).collect()
}

/// Records incorrect submissions of a team, as another node would, each with its time and ID.
async fn wrong(app: &TestApp, team: i64, challenge: &str, sent: &[(i64, i64)]) {
    let row = |(at_ms, id): &(i64, i64)| format!("({id}, {team}, '{challenge}', {at_ms}, 'd{id}')");
    let rows: Vec<String> = sent.iter().map(row).collect();
    let columns = "wrong_flags (id, account_id, challenge_id, at_ms, digest)";
    execute(app, format!("insert into {columns} values {}", rows.join(", "))).await;
}

/// Applies challenges with their files, each with the flag `flag{ID}`.
async fn apply(app: &TestApp, ids: &[&str]) {
    let mut plan = Plan::new(event(), ids.iter().map(|id| draft(id)).collect());
    for id in ids {
        // Later challenges may require the first one, which does not affect the comparison.
        let requires = if *id == ids[0] { "" } else { "requirements: [one]\n" };
        let text = format!(
            "name: The {id}\nid: {id}\ncategory: misc\ndescription: x\ntype: standard\n\
             value: 100\nflags: ['flag{{{id}}}']\n{requires}"
        );
        let path = format!("challenges/{id}/challenge.yml");
        let text = Secret::new(text);
        let source = Source { path, text, files: "[]".to_owned() };
        plan.sources.insert(challenge_id(id), source);
    }
    app.run(Op::Apply(Box::new(plan))).await;
    app.settled().await;
}

on_both_engines! {
    async fn near_misses_are_told_by_their_kind(engine: Engine) {
        let app = TestApp::new(engine).await;
        apply(&app, &["one", "two"]).await;
        let teams = app.teams(&["Quick", "Slow"]).await;
        let organizer = session_of(&app, Role::Organizer).await;
        let listed = async |more: &str| get(&app, &organizer, &format!("/flags{more}")).await;
        // The flags are read concurrently with the first submissions.
        until("a near miss is detected", async || {
            app.advance(15_000);
            teams[1].send("two", "FLAG{two}").await;
            rows(&listed("?near=any").await).contains(&"Slow two wrong case".to_owned())
        })
        .await;
        for text in ["flag{ONE}", "one", "flag{ one}", "flag{two}", "nothing", "nothing"] {
            app.advance(15_000);
            teams[0].send("one", text).await;
        }
        app.advance(15_000);
        teams[0].solves("one").await;
        let own = "?team=Quick";
        until("they are recorded", async || flags(&listed(own).await).len() == 7).await;
        let all = listed(own).await;
        assert_eq!(rows(&all), [
            "Quick one right -".to_owned(),
            "Quick one wrong -".to_owned(),
            "Quick one wrong -".to_owned(),
            "Quick one wrong elsewhere".to_owned(),
            "Quick one wrong blanks".to_owned(),
            "Quick one wrong wrapper".to_owned(),
            "Quick one wrong case".to_owned(),
        ], "near misses have their kinds");
        let nothing = &flags(&all)[1];
        assert_eq!((&nothing["times"], &nothing["teams"]), (&json!(2), &json!(1)));
        assert_eq!(all["next"], Value::Null);
        for (filters, count) in [
            ("&verdict=right", 1),
            ("&verdict=wrong", 6),
            ("&near=any", 4),
            ("&near=case,blanks", 2),
            ("&near=former", 0),
            ("&challenge=two", 0),
            ("&challenge=one&verdict=wrong&near=elsewhere", 1),
            ("&from=2000-01-01T00:00:00Z&until=2001-01-01T00:00:00Z", 0),
            ("&view=public", 1),
        ] {
            let page = listed(&format!("{own}{filters}")).await;
            assert_eq!(flags(&page).len(), count, "{filters}: {page}");
        }
        let ann = app.author("Ann", &["one"]).await;
        let ann = app.organizer_session(&ann, true).await;
        let words = "an author does not see flags of other challenges";
        let theirs = get(&app, &ann, "/flags?team=Quick").await;
        assert_eq!(flags(&theirs).len(), 7);
        assert!(!rows(&theirs).contains(&"Quick one wrong elsewhere".to_owned()), "{words}");
        let theirs = get(&app, &ann, "/flags?near=elsewhere").await;
        assert_eq!(flags(&theirs).len(), 0, "{words}");
        for (wrong, status) in [("?team=Nobody", 404), ("?near=far", 422), ("?verdict=maybe", 422),
            ("?from=noon", 422), ("?before=1", 422), ("?what=1", 422)]
        {
            let path = format!("/flags{wrong}");
            let reply = Call::organize("GET", &path).session(&organizer).send(&app).await;
            assert_eq!(reply.status, status, "{wrong}");
        }
        // No text of a flag is in the database.
        let stored = app.test.rows::<(String, Option<String>)>(
            "select digest, near from wrong_flags").await;
        assert!(stored.iter().all(|(digest, _)| digest.len() == 64), "{stored:?}");
    }

    async fn a_flag_that_was_right_once_is_told(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![draft("one")]).await;
        let team = app.team("Late").await;
        let mut other = draft("one");
        other.flags = vec![flagship_testkit::player::exact("one", "flag{new}")];
        app.run(Op::Apply(Box::new(Plan::new(event(), vec![other])))).await;
        let organizer = session_of(&app, Role::Organizer).await;
        until("a former flag is detected", async || {
            app.advance(15_000);
            team.send("one", "flag{one}").await;
            let former = get(&app, &organizer, "/flags?near=former").await;
            rows(&former).contains(&"Late one wrong former".to_owned())
        })
        .await;
    }

    async fn a_near_miss_that_was_judged_again_says_that_it_counts(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![draft("one")]).await;
        let teams = app.teams(&["Late", "Wrong"]).await;
        let organizer = session_of(&app, Role::Organizer).await;
        let with = |flags: &[&str]| {
            let exact = |flag: &&str| flagship_testkit::player::exact("one", flag);
            let flags = flags.iter().map(exact).collect();
            let challenges = vec![flagship_store::challenges::Draft { flags, ..draft("one") }];
            Op::Apply(Box::new(Plan::new(event(), challenges)))
        };
        app.run(with(&["flag{new}"])).await;
        let listed = async || get(&app, &organizer, "/flags?verdict=wrong").await;
        until("a former flag is detected", async || {
            app.advance(15_000);
            teams[0].send("one", "flag{one}").await;
            rows(&listed().await).contains(&"Late one wrong former".to_owned())
        })
        .await;
        teams[1].send("one", "flag{two}").await;
        until("both are recorded", async || {
            rows(&listed().await).contains(&"Wrong one wrong -".to_owned())
        })
        .await;
        let counting = |page: &Value| -> Vec<Value> {
            let counting = flags(page).iter().filter(|it| it["countsNow"] == true);
            counting.map(|it| it["teamName"].clone()).collect()
        };
        assert!(counting(&listed().await).is_empty());
        app.run(with(&["flag{new}", "flag{one}"])).await;
        app.advance(15_000);
        let body = json!({"action": "challenge.rejudge", "challenge": "one", "reason": "right"});
        let call = Call::organize("POST", "/actions").session(&organizer).json(body.to_string());
        let reply = call.send(&app).await;
        assert_eq!(reply.status, 200, "{}", reply.text());
        let solved = get(&app, &organizer, "/flags?verdict=right").await;
        assert_eq!(rows(&solved), ["Late one right -"]);
        // If a team submitted the same text several times, its first submission counts.
        assert_eq!(counting(&listed().await), [json!("Late")]);
    }

    async fn pages_skip_and_repeat_nothing_while_flags_arrive(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![draft("one")]).await;
        let teams = app.teams(&["Team A", "Team B"]).await;
        let (id, other) = (teams[0].id.0, teams[1].id.0);
        // Some submissions have the same time, with IDs in any order.
        let sent: Vec<(i64, i64)> =
            (0..250).map(|i| (NOW_MS - i / 3, 1 + (i * 7919) % 100_003)).collect();
        wrong(&app, id, "one", &sent).await;
        teams[0].solves("one").await;
        let organizer = session_of(&app, Role::Organizer).await;
        let mut seen = Vec::new();
        let mut times = Vec::new();
        let mut before = String::new();
        for round in 0_i64.. {
            let page = get(&app, &organizer, &format!("/flags?team=Team%20A{before}")).await;
            times.extend(flags(&page).iter().map(|it| it["at"].as_i64().expect("a time")));
            seen.extend(flags(&page).iter().cloned());
            // Submissions that arrive between two pages can have any time.
            let (new, old) = (200_000 + round, 300_000 + round);
            wrong(&app, other, "one", &[(NOW_MS + round, new), (NOW_MS - 50, old)]).await;
            let Some(next) = page["next"].as_str() else { break };
            assert!(!next.contains(['.', ' ']), "it is sealed: {next}");
            before = format!("&before={next}");
        }
        assert_eq!(seen.len(), 251, "each flag is on one page");
        assert!(times.is_sorted_by(|a, b| a >= b), "the newest first");
        assert_eq!(seen.iter().filter(|it| it["verdict"] == "right").count(), 1);
    }

    async fn a_period_a_part_of_a_name_and_first_bloods_filter(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![draft("one"), draft("two")]).await;
        let teams = app.teams(&["Red Otters", "Otters", "Seals"]).await;
        let now_ms = app.now_ms();
        wrong(&app, teams[0].id.0, "one", &[(now_ms - 11 * 60_000, 1), (now_ms - 60_000, 2)]).await;
        wrong(&app, teams[2].id.0, "one", &[(now_ms - 60_000, 3)]).await;
        execute(&app, "update wrong_flags set network = '192.0.2.7' where id = 3".to_owned()).await;
        let organizer = session_of(&app, Role::Organizer).await;
        let hide = json!({"action": "team.hide", "team": "Seals", "reason": "x"});
        assert_eq!(crate::actions::post(&app, &organizer, "/actions", &hide).await.status, 200);
        teams[2].solves("one").await;
        teams[1].solves("one").await;
        teams[0].solves("one").await;
        app.settled().await;
        for (query, expected) in [
            ("since=10m&verdict=wrong", &["Red Otters one wrong -", "Seals one wrong -"][..]),
            ("since=1h&verdict=wrong&q=red", &["Red Otters one wrong -", "Red Otters one wrong -"]),
            ("q=OTTERS&verdict=right", &["Otters one right -", "Red Otters one right -"]),
            ("q=192.0.2.7", &["Seals one wrong -"]),
            ("q=nobody", &[]),
            // A hidden team takes no first blood.
            ("verdict=first", &["Otters one right -"]),
            ("verdict=first&q=red", &[]),
        ] {
            let mut found = rows(&get(&app, &organizer, &format!("/flags?{query}")).await);
            found.sort();
            assert_eq!(found, expected, "{query}");
        }
        for query in ["since=10", "since=m", "since=-1m", "since=1w", "since=é", "verdict=last"] {
            let reply = Call::organize("GET", &format!("/flags?{query}"));
            assert_eq!(reply.session(&organizer).send(&app).await.status, 422, "{query}");
        }
    }

    async fn each_role_sees_its_part_of_the_flags(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![draft("one"), draft("two")]).await;
        let teams = app.teams(&["Early", "Canary"]).await;
        let sent = teams[0].send("one", "no").await;
        assert_eq!((sent.status, &sent.json["correct"]), (200, &json!(false)), "{sent:?}");
        teams[0].solves("one").await;
        teams[0].solves("two").await;
        let organizer = session_of(&app, Role::Organizer).await;
        app.advance(HOUR_MS);
        app.settled().await;
        teams[1].solves("two").await;
        let sent = teams[1].send("one", "no").await;
        assert_eq!((sent.status, &sent.json["correct"]), (200, &json!(false)), "{sent:?}");
        let author = app.author("An Author", &["one"]).await;
        let author = app.organizer_session(&author, true).await;
        let support = session_of(&app, Role::Support).await;
        let observer = session_of(&app, Role::Observer).await;
        let challenges = |page: &Value| -> BTreeSet<String> {
            let ids = flags(page).iter().map(|it| it["challengeId"].as_str().expect("an id"));
            ids.map(str::to_owned).collect()
        };
        until("all are recorded", async || {
            flags(&get(&app, &organizer, "/flags").await).len() == 5
        })
        .await;
        let words = "a role sees more than its part";
        for (session, of) in [(&support, &["one", "two"][..]), (&author, &["one"])] {
            for path in ["/flags", "/exports/flags?format=json", "/exports/flags?format=csv"] {
                let reply = Call::organize("GET", path).session(session).send(&app).await;
                let text = reply.text();
                let is_there = text.contains("Canary");
                assert_eq!((reply.status, is_there), (200, false), "{words}: {text}");
            }
            let page = get(&app, session, "/flags").await;
            let of: BTreeSet<String> = of.iter().map(|id| (*id).to_owned()).collect();
            assert_eq!(challenges(&page), of, "{words}");
            assert!(flags(&page).iter().all(|it| it["times"] != 2), "{words}: {page}");
        }
        for path in ["/flags", "/exports/flags"] {
            let reply = Call::organize("GET", path).session(&observer).send(&app).await;
            assert_eq!(reply.status, 404, "{path}");
        }
        let hidden = get(&app, &author, "/flags?challenge=two").await;
        assert!(flags(&hidden).is_empty(), "{hidden}");
        // Challenges that are no longer visible to players are also hidden from the support role.
        let hide = json!({"action": "challenge.hide", "challenge": "two", "reason": "x"});
        assert_eq!(crate::actions::post(&app, &organizer, "/actions", &hide).await.status, 200);
        for (session, count) in [(&support, 0), (&organizer, 2)] {
            let of_two = get(&app, session, "/flags?challenge=two").await;
            assert_eq!(flags(&of_two).len(), count, "{of_two}");
        }
    }
}
