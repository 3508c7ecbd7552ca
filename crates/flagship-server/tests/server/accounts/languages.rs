//! Emails to a team are in the language of its signup.

use flagship_store::organizers::Role;
use flagship_testkit::{Player, TestApp, on_both_engines};
use serde_json::json;

use crate::actions::{action, session_of};

const PASSWORD: &str = "correct horse battery";
const EMAIL: &str = "ada@example.org";

async fn sign_up(player: &Player, team: &str, email: &str) {
    let body = json!({"teamName": team, "email": email, "country": "IT", "password": PASSWORD,
        "captchaToken": "off"});
    assert_eq!(player.post("/signup", &body).await.status, 201);
}

/// Asserts that the next email to an address contains `words`.
async fn hears(app: &TestApp, email: &str, words: &str) {
    let mail = app.mail_to(email).await;
    assert!(mail.words().contains(words), "{words}: {}", mail.body);
}

/// Lets an organizer email the team a link.
async fn send(app: &TestApp, organizer: &str, kind: &str) {
    let reply = action(app, organizer, kind, json!({})).await;
    assert_eq!(reply.status, 200, "{}", reply.text());
}

on_both_engines! {
    async fn mails_are_in_the_language_of_the_team(engine: Engine) {
        let app = TestApp::new(engine).await;
        let player = app.player();
        let organizer = session_of(&app, Role::Organizer).await;

        sign_up(&player.reading("nl, de-AT;q=0.9, en;q=0.5"), "The Team", EMAIL).await;
        let mail = app.mail_to(EMAIL).await;
        assert!(mail.words().starts_with("Hallo! Dein Team „The Team“ ist"), "{}", mail.body);
        let token = json!({"token": mail.token("confirm")});
        send(&app, &organizer, "team.resend").await;
        hears(&app, EMAIL, "schicken dir einen Link für das Team „The Team“").await;
        assert_eq!(player.post("/confirm", &token).await.status, 200);

        // Anyone can request a link. It is in the language of the request, which is not stored.
        let body = json!({"email": EMAIL});
        assert_eq!(player.reading("ja").post("/forgot", &body).await.status, 200);
        hears(&app, EMAIL, "チーム「The Team」").await;
        // A language without email texts is not stored.
        for header in ["tlh", "fr;q=nan, it;q=0", ""] {
            player.reading(header).log_in("The Team", PASSWORD).await;
        }
        player.log_in("The Team", PASSWORD).await;
        send(&app, &organizer, "team.reset").await;
        hears(&app, EMAIL, "Damit setzt du ein neues Passwort").await;

        // The language of a login is not stored: someone who guesses the password must not choose
        // the language of the warning to the owner.
        let team = player.reading("ar").log_in("The Team", PASSWORD).await;
        send(&app, &organizer, "team.reset").await;
        hears(&app, EMAIL, "Damit setzt du ein neues Passwort").await;
        // The warning about a signup with this address is in the team's own language, not in the
        // stranger's.
        sign_up(&player.reading("fr"), "Other Team", EMAIL).await;
        hears(&app, EMAIL, "Hallo! Gerade wollte jemand").await;
        let asked = json!({"password": PASSWORD, "email": "new@example.org"});
        assert_eq!(team.reading("pl").post("/account/email", &asked).await.status, 200);
        hears(&app, "new@example.org", "Hallo! Dein Team „The Team“ möchte die Mails").await;
        hears(&app, EMAIL, "Jemand, der das Passwort deines Teams „The Team“ kennt").await;

        sign_up(&player.reading("ar"), "Far Team", "zoe@example.org").await;
        let mail = app.mail_to("zoe@example.org").await;
        assert!(mail.body.contains("«\u{2068}Far Team\u{2069}»"), "{}", mail.body);
        assert!(mail.body.contains(&format!("\n\n{}/confirm#", app.url)), "{}", mail.body);
        sign_up(&player.reading("tlh;q=much, *"), "Third Team", "eve@example.org").await;
        hears(&app, "eve@example.org", "Hello! Your team \"Third Team\" is signed up").await;
    }
}
