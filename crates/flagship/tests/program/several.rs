//! Several events on one machine, each with its own data, address and process.

use flagship_testkit::on_both_engines;
use serde_json::json;

use crate::event::EventFolder;
use crate::player::flag;
use crate::process::TestSite;

/// A team of the same name, with another password in each event.
fn ants(password: &str) -> String {
    format!("name,email,password\nAnts,ants@example.org,{password}\n")
}

on_both_engines! {
    async fn two_events_on_one_machine_share_nothing(engine: Engine) {
        let spring = TestSite::new(engine).await;
        let autumn = TestSite::new(engine).await;
        let in_spring = EventFolder::new();
        let in_autumn = EventFolder::new();
        let challenge = std::fs::read_to_string(in_spring.file("challenges/one/challenge.yml"));
        let other_flag = challenge.unwrap().replace("flag{one}", "flag{leaves}");
        in_autumn.write("challenges/one/challenge.yml", &other_flag);
        let (a, b) = (spring.serve(&in_spring).await, autumn.serve(&in_autumn).await);
        let token_a = spring.import_csv(&ants("spring password")).await.remove(0).1;
        let token_b = autumn.import_csv(&ants("autumn password")).await.remove(0).1;
        let (ants_a, ants_b) = (a.team(&token_a).await, b.team(&token_b).await);

        // Tokens and logins.
        assert_eq!(b.player().with_token(&token_a).get("/challenge").await.0, 401);
        assert_eq!(a.player().with_token(&token_b).get("/challenge").await.0, 401);
        let (status, answer) = a.player().log_in("Ants", "spring password").await;
        assert_eq!(status, 200, "{answer}");
        let session = answer["token"].as_str().unwrap();
        a.team(session).await;
        assert_eq!(b.player().with_token(session).get("/challenge").await.0, 401);
        assert_eq!(b.player().log_in("Ants", "spring password").await.0, 401);

        // Flags and solves.
        let incorrect = ants_b.solve("one").await;
        assert_eq!(incorrect, (200, json!({"correct": false})), "the flag of the other event");
        ants_a.solves("one").await;
        assert!(b.player().board().await["Ants"].solves.is_empty(), "the other event's solve");
        let solve = ants_b.post("/solve", &flag("one", "flag{leaves}")).await;
        assert_eq!(solve, (200, json!({"correct": true})));
        ants_a.solves("three").await;
        let solved = async |server: &crate::process::Server| {
            let board = server.player().board().await;
            board["Ants"].solves.keys().cloned().collect::<Vec<_>>()
        };
        assert_eq!(solved(&a).await, ["one", "three"]);
        assert_eq!(solved(&b).await, ["one"]);

        // One event continues after the end of the other.
        a.stop().await;
        ants_b.solves("three").await;
        b.stop().await;
        for site in [&spring, &autumn] {
            site.run(&["journal", "verify"]).await.ok();
        }
    }
}
