//! Exported lists equal the page for each role, and have no cell that a spreadsheet would execute.

use flagship_game::published::PublishedJournal;
use flagship_store::organizers::Role;
use flagship_testkit::player::{HOUR_MS, draft, event};
use flagship_testkit::{Call, Reply, TestApp, on_both_engines};
use serde_json::{Value, json};

use super::execute;
use crate::actions::session_of;

async fn export(app: &TestApp, session: &str, path: &str) -> Reply {
    Call::organize("GET", &format!("/exports/{path}")).session(session).send(app).await
}

on_both_engines! {
    async fn each_list_is_exported_in_each_form(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![draft("one")]).await;
        let teams = app.teams(&["=cmd|x", "Plain, \"Team\""]).await;
        teams[0].solves("one").await;
        let owner = session_of(&app, Role::Owner).await;
        let lists = [("teams", "Plain"), ("challenges", "The one"), ("overview", "solves")];
        for (list, words) in lists {
            let json = export(&app, &owner, &format!("{list}?format=json")).await;
            assert_eq!((json.status, json.header("content-type")), (200, "application/json"));
            assert!(json.json().as_array().is_some_and(|rows| !rows.is_empty()), "{list}");
            let csv = export(&app, &owner, &format!("{list}?format=csv")).await;
            assert_eq!(csv.header("content-type"), "text/csv; charset=utf-8");
            let name = format!("attachment; filename=\"{list}.csv\"");
            assert_eq!((csv.header("content-disposition"), csv.header("cache-control")),
                (&*name, "no-store"));
            assert!(csv.text().contains(words), "{list}: {}", csv.text());
            let xlsx = export(&app, &owner, &format!("{list}?format=xlsx")).await;
            assert_eq!((xlsx.status, &xlsx.body[..4]), (200, &b"PK\x03\x04"[..]), "{list}");
            let other = export(&app, &owner, &format!("{list}?format=pdf")).await;
            assert_eq!(other.status, 422, "{list}");
        }
        let words = "a cell would run";
        let csv = export(&app, &owner, "teams?format=csv").await.text();
        let head = "number,team,country,student,standing,rank,points,award,solves,last_solve,";
        let rest = csv.strip_prefix('\u{feff}').expect("Excel reads UTF-8 by its mark");
        assert!(rest.starts_with(head), "{csv}");
        assert!(csv.contains("\n1,'=cmd|x,IT,false,plays,1,100,0,1,2023-"), "{words}: {csv}");
        assert!(csv.contains("\n2,\"Plain, \"\"Team\"\"\",IT,"), "{csv}");
        let json = export(&app, &owner, "teams").await.json();
        assert_eq!((&json[0]["team"], &json[0]["points"]), (&json!("=cmd|x"), &json!(100)));
        assert_eq!(json[0].get("email"), None, "addresses are optional");
    }

    async fn each_file_has_the_columns_that_its_reader_sees(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![draft("one")]).await;
        let owner = session_of(&app, Role::Owner).await;
        let observer = session_of(&app, Role::Observer).await;
        let with_addresses = "number,team,country,student,standing,rank,points,award,solves,\
            last_solve,public_rank,public_points,public_solves,signed_up,unconfirmed_since,mail,\
            mail_at,mail_tries,next_try,server_said,email,new_email,members,fields";
        let own = "number,team,country,student,standing,rank,points,award,solves,last_solve,\
            public_rank,public_points,public_solves,signed_up,unconfirmed_since,mail,mail_at,\
            mail_tries,next_try";
        let public = "team,country,public_rank,public_points,public_solves";
        let of_challenges = "id,challenge,category,state,release_at,closes_at,status,status_note,\
            points,solves,first_solve";
        let counts = ",tries,tried_by,wrong_last_hour,median_minutes,stuck";
        let edited = ",flags,stuck_teams,problems,changed_by,changed_at";
        let flags = "time,team,challenge_id,verdict,after_end,near,times_same_text,\
            teams_with_same_text";
        let evidence = "team,other_team,state,state_by,state_at,note,fact,by,at,challenges,\
            other_at,times,teams,of_teams,network,explanation";
        for (reader, query, columns) in [
            (&owner, "teams?addresses=true&", with_addresses.to_owned()),
            (&owner, "teams?", own.to_owned()),
            (&observer, "teams?", public.to_owned()),
            (&owner, "teams?view=public&", public.to_owned()),
            (&owner, "challenges?", format!("{of_challenges}{counts}{edited}")),
            (&observer, "challenges?", format!("{of_challenges}{counts}")),
            (&owner, "challenges?view=public&", of_challenges.to_owned()),
            (&owner, "flags?", format!("{flags},network")),
            (&owner, "flags?view=public&", flags.to_owned()),
            (&owner, "evidence?", evidence.to_owned()),
            (&owner, "overview?", "figure,value".to_owned()),
            (&owner, "standings?", "rank,team,country,points,award,solves,last_solve".to_owned()),
            (&owner, "solves?", "time,team,challenge_id,challenge,position,points".to_owned()),
            (&owner, "winners?", "place,team,country,points,email,student,members".to_owned()),
        ] {
            let file = export(&app, reader, &format!("{query}format=csv")).await.text();
            let head = file.trim_start_matches('\u{feff}').lines().next();
            assert_eq!(head, Some(&*columns), "{query}");
        }
    }

    async fn addresses_are_exported_to_owners_with_a_fresh_factor(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![draft("one")]).await;
        app.teams(&["Team"]).await[0].solves("one").await;
        app.fresh_board().await;
        execute(&app, "update accounts set email = 'canary@example.org'".to_owned()).await;
        let path = "teams?addresses=true";
        let words = "addresses leave the house";
        let owner = app.organizer("An Owner", &[Role::Owner]).await;
        let session = app.organizer_session(&owner, true).await;
        for role in [Role::Observer, Role::Author, Role::Support, Role::Organizer] {
            let own = session_of(&app, role).await;
            let reply = export(&app, &own, path).await;
            assert_eq!((reply.status, reply.text().contains("canary")), (404, false), "{words}");
            for format in ["json", "csv"] {
                let all = export(&app, &own, &format!("teams?format={format}")).await;
                assert_eq!((all.status, all.text().contains("canary")), (200, false), "{words}");
            }
        }
        let reply = export(&app, &session, path).await;
        assert_eq!(reply.json()[0]["email"], json!("canary@example.org"));
        let winners = export(&app, &session, "winners?addresses=true").await.json();
        assert_eq!(winners[0]["email"], json!("canary@example.org"), "{winners}");
        let winners = export(&app, &session, "winners").await.json();
        assert_eq!((&winners[0]["place"], &winners[0]["email"]), (&json!(1), &Value::Null));
        app.advance(16 * 60_000);
        let late = export(&app, &session, "winners?addresses=true").await;
        assert_eq!(late.status, 403, "{}", late.text());
        let late = export(&app, &session, path).await;
        assert_eq!((late.status, late.json()["code"].as_str()), (403, Some("factor_needed")));
        let token = app.organizer_token(&owner).await;
        let call = Call::new("GET", &format!("/api/organize/exports/{path}"));
        let by_token = call.header("x-api-key", &token).send(&app).await;
        assert_eq!(by_token.status, 403, "a token never has the second factor");
    }

    async fn the_journal_is_exported_once_it_is_public(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![draft("one")]).await;
        app.teams(&["Team"]).await[0].solves("one").await;
        let observer = session_of(&app, Role::Observer).await;
        for wait_ms in [0, 90 * 60_000] {
            app.advance(wait_ms);
            app.settled().await;
            let early = export(&app, &observer, "journal").await;
            assert_eq!(early.status, 404, "{}", early.text());
        }
        app.advance(60 * 60_000);
        app.settled().await;
        let journal = export(&app, &observer, "journal").await;
        let name = "attachment; filename=\"journal.json\"";
        assert_eq!((journal.status, journal.header("content-disposition")), (200, name));
        let journal: PublishedJournal = serde_json::from_value(journal.json()).expect("a journal");
        let solved = journal.entries.iter().filter_map(|entry| entry.fact.as_ref());
        let solved = solved.filter(|fact| fact.to_string().contains("solve")).count();
        assert!(solved >= 1 && journal.head.is_some(), "{journal:?}");
    }

    async fn exports_take_the_filters_of_their_lists(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![draft("one"), draft("two")]).await;
        let teams = app.teams(&["Early", "Late", "Unseen"]).await;
        teams[0].solves("one").await;
        teams[0].solves("two").await;
        teams[1].solves("one").await;
        let owner = session_of(&app, Role::Owner).await;
        let hide = json!({"team": "Unseen", "action": "team.hide", "reason": "x"});
        crate::actions::post(&app, &owner, "/actions", &hide).await;
        app.fresh_board().await;
        let words = "an export has the rows that its filters leave";
        for (query, names) in [
            ("teams?q=earl", &["Early"][..]),
            ("teams?standing=hidden", &["Unseen"]),
            ("teams?format=json&q=LATE&addresses=true", &["Late"]),
            ("flags?team=Early&challenge=two", &["Early"]),
            ("flags?challenge=one&verdict=right", &["Late", "Early"]),
            ("flags?verdict=wrong&near=any", &[]),
            ("challenges", &["one", "two"]),
            ("standings?view=public", &["Early", "Late"]),
            ("solves?students=true", &[]),
            ("winners?students=false", &["Early", "Late"]),
        ] {
            let rows = export(&app, &owner, query).await.json();
            let rows = rows.as_array().expect("a list").iter();
            let name = |row: &Value| row.get("team").or(row.get("id")).cloned();
            let found: Vec<Value> = rows.filter_map(name).collect();
            let mut expected: Vec<Value> = names.iter().map(|name| json!(name)).collect();
            if query.contains("verdict=right") {
                // They arrived at the same time, so their order is undefined.
                expected.sort_by_key(|name| found.iter().position(|it| it == name));
            }
            assert_eq!(found, expected, "{words}: {query}");
        }
        let observer = session_of(&app, Role::Observer).await;
        let students = export(&app, &observer, "standings?students=true").await;
        assert_eq!(students.status, 404, "who is a student is not for everyone");
        for (query, status) in [("winners?what=1", 422), ("solves?addresses=true", 422),
            ("teams?what=1", 422), ("flags?addresses=true", 422), ("challenges?q=x", 422),
            ("overview?team=Early", 422), ("flags?team=Nobody", 404),
            ("teams?after=Early", 422), ("teams?%66ormat=csv", 422), ("flags?format=csv&", 200)]
        {
            assert_eq!(export(&app, &owner, query).await.status, status, "{query}");
        }
    }

    async fn an_export_has_what_the_role_sees(engine: Engine) {
        let mut drafts = vec![draft("one"), draft("canary-hidden")];
        drafts[1].hidden = true;
        let app = TestApp::playing(engine, event(), drafts).await;
        let teams = app.teams(&["Early", "Canary Team"]).await;
        teams[0].solves("one").await;
        let organizer = session_of(&app, Role::Organizer).await;
        let hide = json!({"team": "Canary Team", "action": "team.hide", "reason": "x"});
        crate::actions::post(&app, &organizer, "/actions", &hide).await;
        app.advance(HOUR_MS);
        app.settled().await;
        let late = app.team("Late").await;
        late.solves("one").await;
        let words = "an export has more than the page";
        for role in [Role::Observer, Role::Author, Role::Support, Role::Organizer, Role::Owner] {
            let reader = app.organizer(&format!("Reader {role}"), &[role]).await;
            let own = app.organizer_session(&reader, true).await;
            let is_runner = [Role::Organizer, Role::Owner].contains(&role);
            let helps = is_runner || role == Role::Support;
            let views = [("", helps, is_runner), ("&view=public", false, false)];
            for (view, helps, is_runner) in views {
                let read = async |list: &str| -> Value {
                    let reply = export(&app, &own, &format!("{list}?format=json{view}")).await;
                    assert_eq!(reply.status, 200, "{list}: {}", reply.text());
                    reply.json()
                };
                let teams = read("teams").await;
                let text = teams.to_string();
                assert_eq!(text.contains("Canary Team"), helps, "{words}: {role}{view}: {text}");
                assert_eq!(text.contains("\"rank\""), is_runner, "{words}: {role}{view}: {text}");
                let late = teams.as_array().expect("a list").iter();
                let late = late.filter(|it| it["team"] == "Late").map(|it| &it["public_solves"]);
                assert_eq!(late.collect::<Vec<_>>(), [&json!(0)], "{words}: {role}{view}");
                let challenges = read("challenges").await.to_string();
                let has_hidden = challenges.contains("canary-hidden");
                assert_eq!(has_hidden, is_runner, "{words}: {role}{view}");
                let overview = read("overview").await;
                let solves = overview.as_array().expect("a list").iter();
                let solves = solves.filter(|it| it["figure"] == "solves").map(|it| &it["value"]);
                let expected = json!(if is_runner { 2 } else { 1 });
                assert_eq!(solves.collect::<Vec<_>>(), [&expected], "{words}: {role}{view}");
            }
        }
    }
}
