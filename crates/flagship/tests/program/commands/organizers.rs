//! `flagship organizer`: organizers are added, changed and removed on the machine.

use flagship_testkit::on_both_engines;
use serde_json::{Value, json};

use crate::event::EventFolder;
use crate::process::TestSite;

on_both_engines! {
    async fn an_organizer_is_added_on_the_machine(engine: Engine) {
        let site = TestSite::bare(engine).await;
        let event = EventFolder::new();
        site.apply(&event).await.ok();
        let add = ["organizer", "add", "Ada", "--role", "owner"];
        let words = "the site's public URL is unknown until the server has run once";
        site.run(&add).await.fails(words);
        let server = site.serve(&event).await;
        let link = site.run(&add).await.ok();
        let token = link.trim().strip_prefix(&format!("{}/organize/invite#", server.url));
        let token = token.unwrap_or_else(|| panic!("one line, a link: {link}")).to_owned();
        site.run(&add).await.fails("or a look-alike, already exists");
        let list = async || -> Vec<Value> {
            let list = site.run(&["organizer", "list", "--json"]).await.ok();
            serde_json::from_str(&list).expect("a list")
        };
        let ada = &list().await[0];
        let seen = (&ada["organizer"], &ada["roles"], &ada["state"]);
        assert_eq!(seen, (&json!("Ada"), &json!("owner"), &json!("invited")));
        // The token works before Ada accepts the invitation, and acts as Ada.
        let script = site.run(&["organizer", "token", "Ada", "--days", "2"]).await.ok();
        let script = server.player().with_token(script.trim());
        let (status, me) = script.get("/organize/me").await;
        assert_eq!((status, &me["name"], &me["factorUntil"]), (200, &json!("Ada"), &Value::Null));
        let (status, _) = script.get("/organize/organizers").await;
        assert_eq!(status, 200, "an owner's token lists organizers");
        let (status, refused) = script.post("/organize/organizers/remove", &json!({})).await;
        assert_eq!((status, &refused["code"]), (403, &json!("factor_needed")));
        site.run(&["organizer", "role", "Ada", "support"]).await.fails("is the last owner");
        site.run(&["organizer", "remove", "Ada"]).await.fails("is the last owner");
        let link = site.run(&["organizer", "reset", "Ada"]).await.ok();
        assert!(!link.contains(&token), "another link");
        assert_eq!(script.get("/organize/me").await.0, 401, "a reset ends tokens");
    }

    async fn roles_are_given_and_taken_on_the_machine(engine: Engine) {
        let site = TestSite::bare(engine).await;
        let event = EventFolder::new();
        site.apply(&event).await.ok();
        let url = ["--public-url", "https://ctf.example.org/"];
        let add = async |words: &[&str]| {
            site.run(&[&["organizer", "add"], words, &url].concat()).await
        };
        let link = add(&["Ada", "--role", "owner"]).await.ok();
        assert!(link.starts_with("https://ctf.example.org/organize/invite#"), "{link}");
        add(&["Eve", "--role", "author"]).await.fails("add `--challenges ID,ID`");
        let author = ["Eve", "--role", "author,support"];
        let unknown = ["--challenges", "nothing"];
        add(&[&author[..], &unknown].concat()).await.fails("no challenge with the ID \"nothing\"");
        add(&["Eve", "--role", "support", "--challenges", "x"]).await.fails("only applies");
        add(&["Eve", "--role", "admin"]).await.is_wrong_usage();
        let no_scheme = ["organizer", "reset", "Ada", "--public-url", "ctf.example.org"];
        site.run(&no_scheme).await.is_wrong_usage();
        let below = ["organizer", "reset", "Ada", "--public-url", "https://example.org/ctf"];
        site.run(&below).await.is_wrong_usage();
        add(&["E", "--role", "support"]).await.fails("\"E\": ");
        add(&["Eve", "--role", "support"]).await.ok();
        let words = "is now observer, organizer";
        let said = site.run(&["organizer", "role", "eve", "organizer,observer"]).await.ok();
        assert!(said.contains(words), "{said} lacks: {words}");
        site.run(&["organizer", "role", "Bob", "owner"]).await.fails("`flagship organizer list`");
        site.run(&["organizer", "remove", "Eve"]).await.ok();
        let list = site.run(&["organizer", "list"]).await.ok();
        assert!(list.contains("Ada") && !list.contains("Eve"), "{list}");
    }

    async fn changes_on_the_machine_are_in_the_audit_log(engine: Engine) {
        let site = TestSite::bare(engine).await;
        let event = EventFolder::new();
        site.apply(&event).await.ok();
        let url = ["--public-url", "https://ctf.example.org"];
        let mut links = String::new();
        for words in [
            &["add", "Ada", "--role", "owner"][..],
            &["add", "Eve", "--role", "support,author", "--challenges", "one,spare"],
            &["reset", "Eve"],
        ] {
            links += &site.run(&[&["organizer"], words, &url].concat()).await.ok();
        }
        site.run(&["organizer", "role", "eve", "observer"]).await.ok();
        site.run(&["organizer", "remove", "Eve"]).await.ok();
        site.run(&["organizer", "remove", "Ada"]).await.fails("is the last owner");
        let listed = site.run(&["actions", "--json"]).await.ok();
        let all: Vec<Value> = serde_json::from_str(&listed).expect("a list");
        let all: Vec<&Value> = all.iter().filter(|it| it["action"] != "event.apply").collect();
        let said: Vec<&Value> = all.iter().map(|it| &it["sentence"]).collect();
        assert_eq!(said, [
            "The command line removed \"Eve\" from the organizers.",
            "The command line set the roles of \"Eve\" to observer (previously support, \
             author of one, spare).",
            "The command line reset the access of \"Eve\".",
            "The command line invited \"Eve\" as support, author of one, spare.",
            "The command line invited \"Ada\" as owner.",
        ]);
        assert_eq!(all[0]["arguments"]["before"], json!({"roles": ["observer"], "challenges": []}));
        assert!(all.iter().all(|it| it["undoable"] == false), "{listed}");
        let tokens: Vec<&str> = links.lines().filter_map(|link| link.split('#').nth(1)).collect();
        assert_eq!(tokens.len(), 3, "{links}");
        assert!(tokens.iter().all(|token| !listed.contains(token)), "no token is recorded");
        let shown = site.run(&["actions"]).await.ok();
        assert!(shown.contains("invited \"Ada\" as owner."), "{shown}");
        let verified = site.run(&["actions", "verify"]).await.ok();
        assert_eq!(verified, "6 actions verified\n");
    }
}
