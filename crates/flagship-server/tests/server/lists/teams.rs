//! The list of teams: email states, pages, and the parts visible to each role.

use std::sync::Arc;

use flagship_store::organizers::Role;
use flagship_testkit::player::{draft, event};
use flagship_testkit::{Call, NOW_MS, TestApp, TestDb, on_both_engines};
use serde_json::{Value, json};

use super::{execute, get};
use crate::actions::{action, session_of};

/// The names of a page.
fn names(page: &Value) -> Vec<String> {
    let teams = page["teams"].as_array().expect("a list").iter();
    teams.map(|team| team["teamName"].as_str().expect("a name").to_owned()).collect()
}

/// Adds an unconfirmed account.
async fn waiting(app: &TestApp, id: i64, name: &str, email: &str, created_at_ms: i64) {
    let sql = format!(
        "insert into accounts (id, name, email, country, student, created_at_ms) \
         values ({id}, '{name}', '{email}', 'IT', false, {created_at_ms})"
    );
    execute(app, sql).await;
}

/// Adds an email that is never due, so that the mailer ignores it.
async fn mail(app: &TestApp, id: i64, address: &str, at_ms: i64, more: &str) {
    let sql = format!(
        "insert into outbox (id, address, subject, body, created_at_ms, kind, network, \
         attempts, sent_at_ms, next_at_ms, last_error) \
         values ({id}, '{address}', 'x', '', {at_ms}, 'signup', 'n', {more})"
    );
    execute(app, sql).await;
}

on_both_engines! {
    async fn each_team_has_what_became_of_its_mail(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![draft("one")]).await;
        app.teams(&["Sent", "Silent"]).await;
        let later = NOW_MS + 9_000;
        for (id, name) in [(101, "Queued"), (102, "Refused"), (103, "Given Up")] {
            let address = format!("m{id}@example.org");
            waiting(&app, id, name, &address, NOW_MS - id).await;
            mail(&app, id, &address, NOW_MS - 100, &format!("1, {NOW_MS}, null, null")).await;
        }
        // For a shared address, the newest email counts; an empty address is ignored.
        mail(&app, 201, "m101@example.org", NOW_MS, &format!("0, null, {later}, null")).await;
        let said = format!("3, null, {later}, '451 m102@example.org: try again'");
        mail(&app, 202, "m102@example.org", NOW_MS, &said).await;
        mail(&app, 203, "m103@example.org", NOW_MS, "12, null, null, '550 no such user'").await;
        mail(&app, 204, "team@example.org", NOW_MS, &format!("1, {later}, null, null")).await;
        mail(&app, 205, "team@example.org", NOW_MS + 1, "0, null, null, null").await;
        execute(&app, "update outbox set subject = '' where id = 205".to_owned()).await;
        let helper = session_of(&app, Role::Support).await;
        let seen = get(&app, &helper, "/teams").await;
        let team = |name: &str| {
            let teams = seen["teams"].as_array().expect("a list");
            teams.iter().find(|team| team["teamName"] == name).expect("it is there").clone()
        };
        let state = |queued_at: i64, state: &str, tries: i64| {
            json!({"state": state, "queuedAt": queued_at, "sentAt": null, "tries": tries,
                "nextTryAt": null, "serverSaid": null})
        };
        let mut queued = state(NOW_MS, "queued", 0);
        queued["nextTryAt"] = json!(later);
        assert_eq!(team("Queued")["mail"], queued);
        let mut refused = state(NOW_MS, "refused", 3);
        refused["nextTryAt"] = json!(later);
        refused["serverSaid"] = json!("451 m102@example.org: try again");
        assert_eq!(team("Refused")["mail"], refused);
        let mut given_up = state(NOW_MS, "refused", 12);
        given_up["serverSaid"] = json!("550 no such user");
        assert_eq!(team("Given Up")["mail"], given_up);
        let mut sent = state(NOW_MS, "sent", 1);
        sent["sentAt"] = json!(later);
        assert_eq!(team("Sent")["mail"], sent);
        let (waits, plays) = (team("Given Up"), team("Silent"));
        assert_eq!((&waits["standing"], &waits["signedUpAt"]),
            (&json!("unconfirmed"), &json!(NOW_MS - 103)));
        assert_eq!((&plays["standing"], &plays["number"]), (&json!("plays"), &json!(2)));
        for (query, expected) in [
            ("q=M102@EXAMPLE", &["Refused"][..]),
            ("q=given", &["Given Up"]),
            ("q=2", &["Silent", "Refused"]),
            ("q=%25", &[]),
            ("q=_", &[]),
            ("q=%00", &[]),
            ("mail=refused", &["Given Up", "Refused"]),
            ("mail=queued", &["Queued"]),
            ("standing=unconfirmed&q=e", &["Given Up", "Queued", "Refused"]),
            ("standing=banned", &[]),
        ] {
            let found = get(&app, &helper, &format!("/teams?{query}")).await;
            assert_eq!(names(&found), expected, "{query}");
            assert_eq!(found["total"], json!(expected.len()), "{query}");
        }
        for query in ["mail=lost", "standing=", "order=size", "view=all", "limit=1"] {
            let reply = Call::organize("GET", &format!("/teams?{query}"));
            assert_eq!(reply.session(&helper).send(&app).await.status, 422, "{query}");
        }
    }

    async fn teams_are_found_by_their_activity(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![draft("one"), draft("two")]).await;
        let teams = app.teams(&["Idle", "Stuck", "Solving", "Gone", "Banned"]).await;
        let now_ms = app.now_ms();
        let minutes = 60_000;
        let wrong = [(2, now_ms - 1), (3, now_ms - 1), (4, now_ms - 31 * minutes), (5, now_ms - 1)];
        for (place, at_ms) in wrong {
            let team = teams[place - 1].id.0;
            execute(&app, format!(
                "insert into wrong_flags (id, account_id, challenge_id, at_ms, digest) \
                 values ({place}, {team}, 'one', {at_ms}, 'd{place}')"
            )).await;
        }
        for (place, kind, at_ms) in [
            (1, "list", now_ms - 14 * minutes),
            (2, "wrong", now_ms),
            (4, "login", now_ms - 16 * minutes),
        ] {
            let team = teams[place - 1].id.0;
            execute(&app, format!(
                "insert into sightings (team_id, kind, object, network, first_ms, last_ms, count) \
                 values ({team}, '{kind}', '', '', 0, {at_ms}, 1)"
            )).await;
        }
        let organizer = session_of(&app, Role::Organizer).await;
        let ban = json!({"team": "Banned"});
        assert_eq!(action(&app, &organizer, "team.ban", ban).await.status, 200);
        teams[2].solves("two").await;
        app.fresh_board().await;
        let found = async |query: &str| {
            names(&get(&app, &organizer, &format!("/teams?{query}")).await)
        };
        assert_eq!(found("activity=stuck").await, ["Stuck"]);
        assert_eq!(found("activity=online").await, ["Idle"]);
        assert_eq!(found("activity=online&q=stuck").await, Vec::<String>::new());
        assert_eq!(found("standing=banned,hidden").await, ["Banned"]);
        let observer = session_of(&app, Role::Observer).await;
        for query in ["activity=stuck", "activity=online"] {
            let seen = get(&app, &observer, &format!("/teams?{query}")).await;
            assert_eq!(names(&seen), Vec::<String>::new(), "{query}");
        }
        for query in ["activity=", "activity=asleep", "standing=banned,"] {
            let reply = Call::organize("GET", &format!("/teams?{query}"));
            assert_eq!(reply.session(&organizer).send(&app).await.status, 422, "{query}");
        }
    }

    async fn pages_have_each_team_once_while_teams_come_and_change(engine: Engine) {
        let test = Arc::new(TestDb::new(engine).await);
        let values: Vec<String> = (1..=450).map(|i| {
            let at_ms = NOW_MS - 100 + i / 7;
            format!("({i}, 'Team {i}', 'm{i}@example.org', 'IT', false, {at_ms})")
        }).collect();
        let columns = "(id, name, email, country, student, created_at_ms)";
        let sql = format!("insert into accounts {columns} values {}", values.join(", "));
        test.execute(sql.leak()).await;
        // The server computes the keys of the team names at startup.
        let app = TestApp::playing_on(test, event(), vec![draft("one")], |_| {}).await;
        let organizer = session_of(&app, Role::Organizer).await;
        let mut read = Vec::new();
        let mut after = String::new();
        let words = "each team is read once";
        for page in 1.. {
            let seen = get(&app, &organizer, &format!("/teams?order=joined{after}")).await;
            read.extend(names(&seen));
            let Some(next) = seen["next"].as_str() else { break };
            after = format!("&after={}", next.replace(' ', "%20"));
            // Between two pages, teams before and after the position are confirmed, and teams are
            // added.
            app.confirm(7 * page).await;
            app.confirm(451 - 9 * page).await;
            waiting(&app, 500 + page, &format!("New {page}"), "n@example.org", NOW_MS).await;
            let team = format!("Team {}", 7 * page);
            let hidden = action(&app, &organizer, "team.hide", json!({"team": team})).await;
            assert_eq!(hidden.status, 200, "{team}: {}", hidden.text());
        }
        let mut once = read.clone();
        once.sort();
        once.dedup();
        assert_eq!(once.len(), read.len(), "{words}: {read:?}");
        let old = (1..=450).map(|i| format!("Team {i}"));
        let missing: Vec<String> = old.filter(|name| !read.contains(name)).collect();
        assert_eq!(missing, Vec::<String>::new(), "{words}");
        assert_eq!(read.len(), 452);
        let other = Call::organize("GET", "/teams?after=Nobody").session(&organizer);
        assert_eq!(other.send(&app).await.status, 422, "a place is sealed");
    }

    async fn a_page_goes_on_behind_a_team_that_is_gone(engine: Engine) {
        let test = Arc::new(TestDb::new(engine).await);
        let values: Vec<String> = (1..=404).map(|i| {
            format!("({i}, 'Team {i:03}', 'm{i}@example.org', 'IT', false, {NOW_MS})")
        }).collect();
        let columns = "(id, name, email, country, student, created_at_ms)";
        let sql = format!("insert into accounts {columns} values {}", values.join(", "));
        test.execute(sql.leak()).await;
        let app = TestApp::playing_on(test, event(), vec![draft("one")], |_| {}).await;
        for id in 1..=404 {
            app.confirm(id).await;
        }
        let organizer = session_of(&app, Role::Organizer).await;
        let observer = session_of(&app, Role::Observer).await;
        app.fresh_board().await;
        let words = "the next page begins behind the team that is gone";
        for (order, other) in [("joined", "rank"), ("rank", "joined")] {
            let list = async |after: &str| {
                get(&app, &observer, &format!("/teams?order={order}{after}")).await
            };
            let first = list("").await;
            let (names, next) = (names(&first), first["next"].as_str().expect("there is more"));
            let last = names.last().expect("it is full").clone();
            assert!(!next.contains(&last), "it is sealed: {next}");
            let hide = json!({"team": last});
            assert_eq!(action(&app, &organizer, "team.hide", hide).await.status, 200);
            app.fresh_board().await;
            let second = self::names(&list(&format!("&after={next}")).await);
            let expected = (1..=404).map(|i| format!("Team {i:03}")).find(|it| *it > last);
            assert_eq!(second.first(), expected.as_ref(), "{words}: {order}");
            let path = format!("/teams?order={other}&after={next}");
            let mixed = Call::organize("GET", &path).session(&observer).send(&app).await;
            assert_eq!(mixed.status, 422, "it is a place in another order");
        }
    }

    async fn no_role_sees_more_of_the_teams_than_its_own(engine: Engine) {
        let app = TestApp::playing(engine, event(), vec![draft("one")]).await;
        let teams = app.teams(&["Open", "Canary Hidden", "Canary Banned"]).await;
        execute(&app, "update accounts set email = 'canary.address@example.org'".to_owned()).await;
        waiting(&app, 101, "Canary Waits", "canary.waits@example.org", NOW_MS).await;
        let said = "12, null, null, '550 canary.words'";
        mail(&app, 201, "canary.address@example.org", NOW_MS, said).await;
        let organizer = session_of(&app, Role::Organizer).await;
        for (what, team) in [("team.hide", "Canary Hidden"), ("team.ban", "Canary Banned")] {
            assert_eq!(action(&app, &organizer, what, json!({"team": team})).await.status, 200);
        }
        app.advance(3_600_000);
        teams[0].solves("one").await;
        app.settled().await;
        let canaries = ["Canary", "canary.address", "canary.waits", "canary.words", "\"solves\":1"];
        let words = "a role sees what it may not";
        for (role, sees) in [
            (Role::Observer, &[][..]),
            (Role::Author, &[]),
            (Role::Support, &canaries[..4]),
            (Role::Organizer, &canaries),
            (Role::Owner, &canaries),
        ] {
            let name = format!("Reader {role}");
            let reader = app.organizer(&name, &[role]).await;
            let own = app.organizer_session(&reader, true).await;
            let mut all = String::new();
            for query in ["", "?order=joined", "?q=canary", "?standing=hidden", "?mail=refused",
                "?q=1"] {
                let path = format!("/teams{query}");
                all += &Call::organize("GET", &path).session(&own).send(&app).await.text();
                let more = if query.is_empty() { "?" } else { "&" };
                let path = format!("/teams{query}{more}view=public");
                let public = Call::organize("GET", &path).session(&own).send(&app).await.text();
                for canary in canaries {
                    assert!(!public.contains(canary), "{path}: {public}");
                }
            }
            for canary in canaries {
                let is_seen = all.contains(canary);
                assert_eq!(is_seen, sees.contains(&canary), "{words}: {role} {canary}");
            }
        }
    }
}
