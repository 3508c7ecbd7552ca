//! `flagship team import` imports all teams of a file or none, while the event runs.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use flagship_testkit::{Engine, on_both_engines};
use serde_json::json;

use crate::event::EventFolder;
use crate::process::{TestSite, read_csv};
use crate::until;

/// Names that a spreadsheet would run as formulas, or that CSV must quote.
const ODD_NAMES: [&str; 8] =
    ["=1+1", "+39 011", "-rf /", "@everyone", "'quoted'", "'=both", "a, b and \"c\"", "Ünïcødé 🐙"];

/// The name as it appears in the file: formulas start with an apostrophe.
fn cell(name: &str) -> String {
    if name == "'=both" { "''=both".to_owned() } else { name.to_owned() }
}

/// The emails in a mail folder.
fn mails_in(folder: &Path) -> Vec<String> {
    let Ok(files) = std::fs::read_dir(folder) else { return Vec::new() };
    let paths = files.map(|file| file.unwrap().path());
    let mails = paths.filter(|path| path.extension() == Some("eml".as_ref()));
    mails.map(|path| std::fs::read_to_string(path).unwrap()).collect()
}

on_both_engines! {
    async fn every_column_is_imported_and_the_tokens_work_at_once(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        let server = site.serve(&event).await;
        let (mut socket, _) = server.player().watch().await;
        let csv = "\u{feff}password,country, student ,email,name\r\n\
                   correct horse,it,yes,Ada@Example.org,\"Ants, Inc\"\r\n\
                   ,,,ada@example.org,Bees\r\n";
        let tokens = site.import_csv(csv).await;
        let mode = std::fs::metadata(site.file("tokens.csv")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "the file of tokens is readable by its owner only");
        let names: Vec<&str> = tokens.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["Ants, Inc", "Bees"]);
        for (name, country) in [("Ants, Inc", "IT"), ("Bees", "UN")] {
            let joined = socket.find(|message| message["event"] == "newteam").await;
            assert_eq!((&joined["teamName"], &joined["country"]), (&json!(name), &json!(country)));
        }
        for (name, token) in &tokens {
            assert!(token.starts_with("fsp_"));
            let team = server.team(token).await;
            assert_eq!(team.get("/ctf").await.1["loggedTeam"], json!(name));
            team.solves("one").await;
        }
        let player = server.player();
        let (status, answer) = player.log_in("Ants, Inc", "correct horse").await;
        assert_eq!(status, 200, "{answer}");
        assert_eq!(player.log_in("Bees", "").await.0, 401,
            "a team without a password cannot log in");
        assert_eq!(player.log_in("Bees", "correct horse").await.0, 401);
        let winners = site.run(&["export", "winners", "--format", "csv"]).await.ok();
        assert_eq!(read_csv(&winners), [
            ["1", "Ants, Inc", "IT", "100", "ada@example.org", "true", ""],
            ["2", "Bees", "UN", "100", "ada@example.org", "false", ""],
        ]);
        server.stop().await;
    }

    async fn imported_teams_get_a_mail_whose_link_sets_their_password(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        site.apply(&event).await.ok();
        let file = site.file("mailed.csv");
        let text = "name,email\nAnts,ants@example.org\nBees,bees@example.org\n";
        std::fs::write(&file, text).unwrap();
        let words = ["team", "import", file.to_str().unwrap(), "--mail"];
        site.run(&words).await.fails("the site's public URL is unknown");
        let server = site.serve(&event).await;
        let said = site.run(&words).await.ok();
        let mails = "2 emails are queued; each has a one-time link, valid for ";
        assert!(said.starts_with(&format!("2 teams imported\n{mails}")), "{said}");
        let folder = site.file("mail");
        until("the emails are sent", async || mails_in(&folder).len() == 2).await;
        let mail = mails_in(&folder).into_iter().find(|it| it.contains("ants@example.org"));
        let mail = mail.expect("a mail to the team");
        assert!(mail.contains("The link works once"), "{mail}");
        let token = mail.split("/reset#").nth(1).and_then(|it| it.split_whitespace().next());
        let player = server.player();
        let body = json!({"token": token.expect("a link"), "password": "correct horse"});
        assert_eq!(player.post("/reset", &body).await.0, 200);
        assert_eq!(player.log_in("Ants", "correct horse").await.0, 200);
        assert_eq!(player.post("/reset", &body).await.0, 410, "it works once");
        server.stop().await;
    }

    async fn a_bad_row_refuses_the_whole_file_with_its_line(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        site.apply(&event).await.ok();
        site.import(1).await;
        let file = site.file("bad.csv");
        let out = site.file("none.csv");
        let good = "name,email,country,student,password\nGood Team,good@example.org,IT,no,\n";
        for (row, line, word) in [
            ("x,x@example.org,,,", 3, "3 to 25 characters"),
            ("Fine Name,not an address,,,", 3, "email"),
            ("Fine Name,a@example.org,XX,,", 3, "country"),
            ("Fine Name,a@example.org,IT,maybe,", 3, "student must be yes or no"),
            ("Fine Name,a@example.org,IT,no,short", 3, "6 to 128"),
            ("Fine Name,a@example.org,IT,no", 3, "4 fields"),
            ("\n\n\nFine Name,nothing,IT,no,", 6, "email"),
            ("\"Two\nlines\",a@example.org,IT,no,", 3, ""),
            ("Fine Name,a@example.org,IT,no,\nFINE  NAME,a@example.org,,,", 4, "in this file"),
            ("Teаm 1,a@example.org,IT,no,", 3, "already exists"),
        ] {
            let text = format!("{good}{row}\n");
            for text in [text.clone(), text.replace('\n', "\r\n")] {
                std::fs::write(&file, &text).unwrap();
                let words = [file.to_str().unwrap(), "--tokens", out.to_str().unwrap()];
                let done = site.run(&[&["team", "import"][..], &words].concat()).await;
                done.fails(&format!("bad.csv:{line}: "));
                assert!(done.err.contains(word) && done.err.contains("nothing was imported"),
                    "{word:?} in {done:?}");
            }
        }
        for (text, word) in [
            ("", "bad.csv:1: "),
            ("crew,email\nAnts,a@example.org\n", "bad.csv:1: unknown column \"crew\""),
            ("name,country\nAnts,IT\n", "bad.csv:1: missing column \"email\""),
            ("name,email,name\nAnts,a@example.org,Bees\n", "bad.csv:1: "),
        ] {
            std::fs::write(&file, text).unwrap();
            site.run(&["team", "import", file.to_str().unwrap()]).await.fails(word);
        }
        std::fs::write(&file, b"name,email\n\xff\xfe,a@example.org\n").unwrap();
        site.run(&["team", "import", file.to_str().unwrap()]).await.fails("bad.csv");
        std::fs::write(&file, good).unwrap();
        let words = ["team", "import", file.to_str().unwrap(), "--tokens", "/nowhere/out.csv"];
        site.run(&words).await.fails("nothing was imported");
        site.run(&["team", "import", "/nowhere/teams.csv"]).await.fails("/nowhere/teams.csv");
        let standings = site.run(&["export", "standings", "--format", "csv"]).await.ok();
        assert_eq!(read_csv(&standings).len(), 1, "{standings}");
        let said = site.run(&["team", "import", file.to_str().unwrap()]).await.ok();
        assert_eq!(said, "1 team imported\n");
    }

    async fn a_path_that_is_not_a_file_of_teams_is_refused_at_once(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        site.apply(&event).await.ok();
        let import = async |file: &str| site.run(&["team", "import", file]).await;
        import("/dev/zero").await.fails("not a regular file");
        let pipe = site.file("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        import(pipe.to_str().unwrap()).await.fails("not a regular file");
        let large = site.file("large.csv");
        std::fs::File::create(&large).unwrap().set_len(10 << 30).unwrap();
        import(large.to_str().unwrap()).await.fails("larger than");
        let odd = site.file("odd.csv");
        std::fs::write(&odd, b"name,email\nThe Ants,a@example.org\n\xff,b@example.org\n").unwrap();
        import(odd.to_str().unwrap()).await.fails("odd.csv:3: this is not UTF-8");
        let many = "name,email\n".to_owned() + &"x,\n".repeat(100_001);
        std::fs::write(&odd, many).unwrap();
        import(odd.to_str().unwrap()).await.fails("odd.csv:2: ");
        let quote = "name,email\n\"".to_owned() + &"x\n".repeat(1_000_000);
        std::fs::write(&odd, quote).unwrap();
        import(odd.to_str().unwrap()).await.fails("odd.csv:2: ");
        assert!(site.run(&["export", "standings"]).await.ok().contains("[]"));
    }

    async fn names_that_are_formulas_are_escaped_and_read_back(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        let server = site.serve(&event).await;
        let mut csv = csv::Writer::from_writer(Vec::new());
        csv.write_record(["name", "email"]).unwrap();
        for name in ODD_NAMES {
            csv.write_record([cell(name).as_str(), "odd@example.org"]).unwrap();
        }
        let csv = String::from_utf8(csv.into_inner().unwrap()).unwrap();
        let tokens = site.import_csv(&csv).await;
        let standings = site.run(&["export", "standings", "--format", "csv"]).await.ok();
        let exported = read_csv(&standings).into_iter().map(|row| row[1].clone());
        let written: Vec<String> = tokens.iter().map(|(name, _)| name.clone()).collect();
        for cell in exported.chain(written.clone()) {
            assert!(!cell.starts_with(['=', '+', '-', '@']), "{cell} would be run");
        }
        until("all are shown", async || {
            let board = server.player().board().await;
            ODD_NAMES.iter().all(|name| board.contains_key(*name))
        })
        .await;
        // An exported file can be imported again.
        let other = TestSite::new(Engine::Sqlite).await;
        other.apply(&event).await.ok();
        let mut csv = csv::Writer::from_writer(Vec::new());
        csv.write_record(["name", "email"]).unwrap();
        for name in &written {
            csv.write_record([name.as_str(), "odd@example.org"]).unwrap();
        }
        other.import_csv(&String::from_utf8(csv.into_inner().unwrap()).unwrap()).await;
        let json = other.run(&["export", "standings"]).await.ok();
        let json: serde_json::Value = serde_json::from_str(&json).unwrap();
        let again: Vec<&str> =
            json.as_array().unwrap().iter().map(|row| row["team"].as_str().unwrap()).collect();
        assert_eq!(again.len(), ODD_NAMES.len());
        assert!(ODD_NAMES.iter().all(|name| again.contains(name)), "{again:?}");
        server.stop().await;
    }
}
