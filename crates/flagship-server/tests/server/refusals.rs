//! Limits of rejected requests: a network that repeatedly sends reused captchas or invented links
//! has to wait before more are checked. Other networks are not affected.

use std::time::Duration;

use flagship_control::control;
use flagship_pack::CaptchaProvider;
use flagship_store::Lock;
use flagship_testkit::player::event;
use flagship_testkit::{Answer, NOW_MS, Player, TestApp, on_both_engines, solved_captcha};
use serde_json::json;
use tokio::task::JoinSet;
use tokio::time::timeout;

/// Maximum numbers of invalid captchas and of invalid links that one network may send at once.
const CAPTCHAS: usize = 100;
const LINKS: usize = 30;

async fn log_in(player: &Player, captcha: &str) -> Answer {
    let body = json!({"team": "Nobody", "password": "whatever it is", "captchaToken": captcha});
    player.post("/login", &body).await
}

on_both_engines! {
    async fn refused_captchas_of_a_network_have_a_budget(engine: Engine) {
        let app = TestApp::with(engine, |config| {
            config.settings.captcha.provider = CaptchaProvider::Altcha;
            let campus = "192.0.2.0/24".parse().expect("a network");
            config.settings.limits.trusted_networks = vec![campus];
        })
        .await;
        let solved = || solved_captcha(&app.app.config().key, NOW_MS + 600_000);
        let rival = app.player().from_address("192.0.3.1");
        let campus = "192.0.2.1";
        let used = solved();
        assert_eq!(log_in(&rival, &used).await.status, 401);
        for i in 0..CAPTCHAS {
            let captcha = if i % 2 == 0 { &used } else { "made up" };
            assert_eq!(log_in(&rival, captcha).await.status, 400, "{i}");
        }
        let refused = log_in(&rival, &used).await;
        assert_eq!(refused.status, 429, "the budget is spent");
        assert_eq!(refused.retry_after(), 1);
        // The valid captcha is not used up, and is accepted after the wait.
        let good = solved();
        assert_eq!(log_in(&rival, &good).await.status, 429);
        let neighbour = app.player().from_address("192.0.3.2");
        assert_eq!(log_in(&neighbour, &solved()).await.status, 401);
        app.advance(1_000);
        assert_eq!(log_in(&rival, &good).await.status, 401);
        let campus = app.player().from_address(campus);
        for i in 0..CAPTCHAS + 50 {
            assert_eq!(log_in(&campus, &used).await.status, 400, "{i}");
        }
        assert_eq!(log_in(&campus, &solved()).await.status, 401,
            "a trusted network is not limited");
    }

    async fn a_signup_is_checked_after_the_captcha(engine: Engine) {
        let app = TestApp::with(engine, |config| {
            config.settings.captcha.provider = CaptchaProvider::Altcha;
        })
        .await;
        let rival = app.player().from_address("192.0.3.1");
        let sign_up = async |field: &str, value: &str, captcha: &str| {
            let mut body = json!({"teamName": "The Team", "email": "a@example.org",
                "country": "IT", "password": "correct horse battery", "captchaToken": captcha});
            body[field] = json!(value);
            rival.post("/signup", &body).await.status
        };
        let solved = || solved_captcha(&app.app.config().key, NOW_MS + 600_000);
        let bad = [
            ("teamName", "ab", 422),
            ("email", "a", 422),
            ("country", "XX", 422),
            ("password", "x7!", 422),
            ("teamName", "admin", 409),
        ];
        for (field, value, status) in bad {
            assert_eq!(sign_up(field, value, "made up").await, 400, "{field} {value}");
            assert_eq!(sign_up(field, value, &solved()).await, status, "{field} {value}");
        }
        for _ in bad.len()..CAPTCHAS {
            assert_eq!(sign_up("teamName", "admin", "made up").await, 400);
        }
        assert_eq!(sign_up("teamName", "admin", &solved()).await, 429, "the budget is spent");
        app.advance(1_000);
        // A reserved name does not count towards the network's signup limit.
        for _ in 0..30 {
            assert_eq!(sign_up("teamName", "admin", &solved()).await, 409);
        }
    }

    async fn refused_links_of_a_network_have_a_budget(engine: Engine) {
        let app = TestApp::new(engine).await;
        let rival = app.player().from_address("198.51.100.1");
        // The token encodes 32 bytes in base64url.
        let token = |number: usize| format!("{number:042}A");
        let made_up = |number| json!({"token": token(number)});
        for i in 0..LINKS {
            let answer = match i % 2 {
                0 => rival.post("/confirm", &made_up(i)).await,
                _ => {
                    let body = json!({"token": token(i), "password": "correct horse"});
                    rival.post("/reset", &body).await
                }
            };
            assert_eq!(answer.status, 410, "{i}: {answer:?}");
        }
        app.advance(999);
        let refused = rival.post("/confirm", &made_up(LINKS)).await;
        assert_eq!(refused.status, 429, "the budget is spent");
        assert_eq!(refused.retry_after(), 1);
        // The server rejects malformed links without work and does not count them.
        for token in ["", "short", &"x".repeat(10_000)] {
            let answer = rival.post("/confirm", &json!({"token": token})).await;
            assert_eq!(answer.status, 410, "{answer:?}");
        }
        let neighbour = app.player().from_address("198.51.100.2");
        assert_eq!(neighbour.post("/confirm", &made_up(0)).await.status, 410);
        app.advance(1);
        assert_eq!(rival.post("/confirm", &made_up(LINKS)).await.status, 410);
    }

    async fn a_trusted_network_leaves_links_to_the_others(engine: Engine) {
        let app = TestApp::with(engine, |config| {
            let campus = "192.0.2.0/24".parse().expect("a network");
            config.settings.limits.trusted_networks = vec![campus];
        })
        .await;
        let mut crowd = JoinSet::new();
        let mut sent = 0;
        let mut is_full = false;
        let other = app.player().from_address("192.0.3.1");
        while !is_full && sent < 5_000 {
            for i in 0..400 {
                let rival = app.player().from_address(&format!("192.0.2.{}", i % 250));
                let link = json!({"token": format!("{:042}A", sent + i)});
                crowd.spawn(async move { rival.post("/confirm", &link).await.status });
            }
            sent += 400;
            app.advance(1_000);
            let link = json!({"token": format!("{sent:042}A")});
            assert_eq!(other.post("/confirm", &link).await.status, 410);
            while let Some(status) = crowd.join_next().await {
                is_full |= status.expect("it is answered") == 503;
            }
        }
        assert!(is_full, "a trusted network has a limit");
    }

    async fn concurrent_links_share_the_budget(engine: Engine) {
        let app = TestApp::new(engine).await;
        let mut crowd = JoinSet::new();
        for i in 0..200 {
            let apart = control("concurrent_links_share_the_budget", "of 200 at once");
            let address = format!("198.51.100.{}", if apart { i % 2 } else { 0 });
            let rival = app.player().from_address(&address);
            let link = json!({"token": format!("{i:042}A")});
            crowd.spawn(async move { rival.post("/confirm", &link).await.status });
        }
        let statuses = crowd.join_all().await;
        let checked = statuses.iter().filter(|status| **status == 410).count();
        assert_eq!(checked, LINKS, "of 200 at once");
    }

    async fn many_logouts_do_not_block_other_writes(engine: Engine) {
        let app = TestApp::playing(engine, event(), Vec::new()).await;
        let team = app.team("Otters").await;
        let writing = app.test.db.begin(Lock::Accounts).await.expect("it begins");
        let mut crowd = JoinSet::new();
        for _ in 0..50 {
            let player = team.player.clone();
            crowd.spawn(async move { player.post("/logout", &json!({})).await.status });
        }
        for _ in 0..48 {
            let status = timeout(Duration::from_secs(3), crowd.join_next()).await;
            let status = status.ok().flatten().map(|status| status.expect("it is answered"));
            assert_eq!(status, Some(503), "all but two are refused at once");
        }
        drop(writing);
        assert_eq!(crowd.join_all().await, [200, 200]);
    }

    async fn one_network_leaves_mail_requests_to_the_others(engine: Engine) {
        let app = TestApp::with(engine, |config| {
            let campus = "192.0.2.0/24".parse().expect("a network");
            config.settings.limits.trusted_networks = vec![campus];
            config.settings.limits.signups_per_network_per_hour = 5_000;
        })
        .await;
        // Writes are blocked, so that all requests wait.
        let _writing = app.test.db.begin(Lock::Accounts).await.expect("it begins");
        let is_full = |status: u16| status == 503;
        let mut statuses = Vec::new();
        while !statuses.iter().copied().any(is_full) && statuses.len() < 5_000 {
            let mut crowd = JoinSet::new();
            for i in 0..100 {
                let rival = app.player().from_address("192.0.2.1");
                let mail = json!({"email": format!("{}@example.org", statuses.len() + i)});
                crowd.spawn(async move { rival.post("/forgot", &mail).await.status });
            }
            statuses.extend(crowd.join_all().await);
        }
        assert!(statuses.into_iter().any(is_full), "a trusted network has a limit");
        let other = app.player().from_address("192.0.3.1");
        let mail = json!({"email": "ada@example.org"});
        assert_eq!(other.post("/forgot", &mail).await.status, 200, "another network is accepted");
    }
}
