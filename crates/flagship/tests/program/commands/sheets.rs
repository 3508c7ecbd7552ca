//! `flagship team import`: reads files that spreadsheets write, and reports all mistakes at once.

use flagship_testkit::{Engine, on_both_engines};
use serde_json::json;

use crate::event::EventFolder;
use crate::process::{Done, TestSite, read_csv};

async fn site(engine: Engine) -> TestSite {
    let site = TestSite::new(engine).await;
    let event = EventFolder::new();
    site.apply(&event).await.ok();
    site
}

async fn import(site: &TestSite, bytes: impl AsRef<[u8]>, more: &[&str]) -> Done {
    let file = site.file("sheet.csv");
    std::fs::write(&file, bytes).unwrap();
    site.run(&[&["team", "import", file.to_str().unwrap()], more].concat()).await
}

/// Name, country and student status of all teams.
async fn teams(site: &TestSite) -> Vec<[String; 3]> {
    let words = ["export", "standings", "--format", "csv"];
    let all = read_csv(&site.run(&words).await.ok());
    let students = [&words[..], &["--students"]].concat();
    let students = read_csv(&site.run(&students).await.ok());
    let is_student = |name: &String| students.iter().any(|row| row[1] == *name).to_string();
    all.iter().map(|row| [row[1].clone(), row[2].clone(), is_student(&row[1])]).collect()
}

#[tokio::test]
async fn a_sheet_is_read_with_any_encoding_and_separator() {
    let utf_16 = |text: &str, unit: fn(u16) -> [u8; 2]| {
        let units = "\u{feff}".encode_utf16().chain(text.encode_utf16().collect::<Vec<_>>());
        units.flat_map(unit).collect::<Vec<u8>>()
    };
    let plain = "name,email,country,student\nCafé Crew,a@example.org,Italy,yes\n";
    for bytes in [
        plain.as_bytes().to_vec(),
        plain.replace('\n', "\r\n").into_bytes(),
        format!("\u{feff}{plain}").into_bytes(),
        plain.replace(',', ";").into_bytes(),
        plain.replace(',', "\t").into_bytes(),
        plain.replace(',', "|").into_bytes(),
        format!("sep=;\r\n{}", plain.replace(',', ";")).into_bytes(),
        "Student; COUNTRY ;Email;\"Name\"\nJA;italia;a@example.org;\"Café Crew\"\n".into(),
        "name,email,student,country\nCafe\u{301} Crew,A@Example.ORG,1,it\n".into(),
        utf_16(plain, u16::to_le_bytes),
        utf_16(plain, u16::to_le_bytes)[2..].to_vec(),
        utf_16(plain, u16::to_be_bytes)[2..].to_vec(),
        utf_16(&plain.replace(',', "\t"), u16::to_be_bytes),
    ] {
        let site = site(Engine::Sqlite).await;
        let done = import(&site, &bytes, &[]).await;
        assert_eq!(done.ok(), "1 team imported\n");
        assert_eq!(teams(&site).await, [["Café Crew", "IT", "true"]]);
    }
}

#[tokio::test]
async fn names_in_an_unknown_encoding_are_shown_and_not_imported() {
    let site = site(Engine::Sqlite).await;
    for (name, label, read) in [
        (&b"\xb1\xb1\xbe\xa9\xd5\xbd\xb6\xd3"[..], "gbk", "北京战队"),
        (b"\xca\xee\xec\xe0\xed\xe4\xe0", "windows-1251", "Команда"),
        (b"\xa3\xf3d\x9f \xafubry", "windows-1250", "Łódź Żubry"),
        (b"\x83quipe", "macintosh", "Équipe"),
    ] {
        let bytes = [b"name,email\n", name, b",a@example.org\n"].concat();
        let before = teams(&site).await.len();
        let done = import(&site, &bytes, &[]).await;
        done.fails("choose the `--encoding` above that shows correct names");
        assert!(done.err.contains("sheet.csv:2: this is not UTF-8"), "{done:?}");
        let line = |it: &str| it.contains(&format!("--encoding {label} ")) && it.ends_with(read);
        assert!(done.err.lines().any(line), "{done:?}");
        import(&site, &bytes, &["--encoding", "utf-8"]).await.fails("nothing was imported");
        let shown = import(&site, &bytes, &["--encoding", label, "--dry-run"]).await.ok();
        assert!(shown.contains(read) && shown.ends_with("1 team would be imported\n"), "{shown}");
        assert_eq!(teams(&site).await.len(), before, "nothing is guessed");
        import(&site, &bytes, &["--encoding", label]).await.ok();
        assert!(teams(&site).await.iter().any(|row| row[0] == read));
    }
    let done = import(&site, "name,email\n", &["--encoding", "latin-99"]).await;
    assert!(done.err.contains("no encoding has this label"), "{done:?}");
}

#[tokio::test]
async fn a_dry_run_prints_what_would_be_imported_and_writes_nothing() {
    let site = site(Engine::Sqlite).await;
    import(&site, "name,email\nBees,b@example.org\n", &[]).await.ok();
    site.run(&["team", "rename", "Bees", "Wasps"]).await.ok();
    let out = site.file("out.csv");
    let dry = ["--dry-run", "--skip-existing", "--tokens", out.to_str().unwrap()];
    let text = "name,email,country,state\nAnts,a@example.org,Italy,plays\n,,,\n\
                Wasps,b@example.org,,\nCheats,c@example.org,,banned\n";
    let done = import(&site, text, &dry).await;
    let note = "sheet.csv:4: note: skipped \"Wasps\": already exists";
    assert!(done.err.contains(note), "{done:?}");
    let note = "sheet.csv:5: note: skipped \"Cheats\": listed as banned";
    assert!(done.err.contains(note), "{done:?}");
    let lines = [
        "LINE  TEAM  COUNTRY  STUDENT  PASSWORD  EMAIL",
        "   2  Ants  IT       no       no        a@example.org",
        "1 team would be imported, 1 skipped: already exists, 1 skipped: listed as banned, \
         1 blank row ignored",
    ];
    assert_eq!(done.ok().lines().collect::<Vec<_>>(), lines);
    let wrong = "name,email\nAnts,a@example.org\nB\u{435}es,x@example.org\n";
    let done = import(&site, wrong, &["--dry-run"]).await;
    done.fails("nothing would be imported: `");
    let said =
        "sheet.csv:3: \"B\u{435}es\" or a look-alike is reserved as a former name of \"Wasps\"";
    assert!(done.err.contains(said), "{done:?}");
    assert_eq!(teams(&site).await.len(), 1, "nothing is imported");
    assert!(!out.exists(), "no tokens are made");
}

#[tokio::test]
async fn a_list_that_was_exported_can_be_imported_elsewhere() {
    let (site, finals) = (site(Engine::Sqlite).await, site(Engine::Sqlite).await);
    let text = "name,email,country,student\nOtters,o@example.org,IT,yes\n\
                '=Bees,b@example.org,,no\nCheats,c@example.org,,no\n";
    import(&site, text, &[]).await.ok();
    site.run(&["team", "ban", "Cheats"]).await.ok();
    let list = site.run(&["team", "list", "--csv"]).await.ok();
    let said = import(&finals, list, &[]).await.ok();
    assert_eq!(said, "2 teams imported, 1 skipped: listed as banned\n");
    let imported = [["=Bees", "UN", "false"], ["Otters", "IT", "true"]];
    let mut all = teams(&finals).await;
    for row in &mut all {
        row[0] = row[0].trim_start_matches('\'').to_owned();
    }
    all.sort();
    assert_eq!(all, imported);
}

#[tokio::test]
async fn an_import_says_how_it_is_undone() {
    let site = site(Engine::Sqlite).await;
    let text = "name,email\nAnts,a@example.org\nBees,b@example.org\n";
    for _ in 0..2 {
        let done = import(&site, text, &[]).await;
        let said = done.err.lines().find_map(|it| it.strip_prefix("action ")).expect("it says how");
        let id = said.split(';').next().unwrap();
        assert_eq!(teams(&site).await.len(), 2);
        let undone = site.run(&["actions", "undo", id, "--reason", "the wrong file"]).await.ok();
        assert!(undone.contains(&format!("undid action {id}: ")), "{undone}");
        assert_eq!(teams(&site).await.len(), 0);
    }
    site.run(&["journal", "verify"]).await.ok();
    site.run(&["actions", "verify"]).await.ok();
}

#[tokio::test]
async fn an_export_of_ctfd_says_what_to_do() {
    let site = site(Engine::Sqlite).await;
    let done = import(&site, b"PK\x03\x04..........db/teams.json", &[]).await;
    done.fails("this is a CTFd export");
    done.fails("Download CSV");
}

#[tokio::test]
async fn yes_and_no_are_read_in_all_common_forms() {
    for (words, student) in [
        (["yes", "Y", "true", "TRUE", "1", "ja", "Wahr", "si", "Sì", "oui", "x"], "true"),
        (["no", "N", "false", "FALSE", "0", "nein", "Falsch", "non", "", "-", "falso"], "false"),
    ] {
        let site = site(Engine::Sqlite).await;
        let rows = words.iter().enumerate();
        let rows = rows.map(|(i, word)| format!("Team {i},t@example.org,{word}\n"));
        let text = format!("name,email,student\n{}", rows.collect::<String>());
        import(&site, text, &[]).await.ok();
        let all = teams(&site).await;
        assert_eq!(all.len(), words.len());
        assert!(all.iter().all(|row| row[2] == student), "{all:?}");
    }
}

#[tokio::test]
async fn columns_are_known_in_their_common_forms() {
    for text in [
        "Name,E-Mail\nThe Ants,a@example.org\n",
        "\"NAME\",e_mail,\nThe Ants,a@example.org,\n",
        "name,email,,\nThe Ants,a@example.org,,\n",
    ] {
        let site = site(Engine::Sqlite).await;
        assert_eq!(import(&site, text, &[]).await.ok(), "1 team imported\n", "{text:?}");
    }
    let site = site(Engine::Sqlite).await;
    let done = import(&site, "name,email,\nThe Ants,a@example.org,Italy\n", &[]).await;
    done.fails("1 error");
    assert!(
        done.err.contains("sheet.csv:2: the row has 3 fields, but the header has 2"),
        "{done:?}"
    );
}

#[tokio::test]
async fn local_addresses_are_imported_if_signups_may_have_them() {
    let site = TestSite::new(Engine::Sqlite).await;
    let event = EventFolder::new();
    let text = "name,email\nThe Ants,w@intranet\n";
    site.apply(&event).await.ok();
    import(&site, text, &[]).await.fails("1 error");
    let toml = std::fs::read_to_string(event.file("event.toml")).unwrap();
    event.write("event.toml", &format!("{toml}[registration]\nlocal_addresses = true\n"));
    site.apply(&event).await.ok();
    assert_eq!(import(&site, text, &[]).await.ok(), "1 team imported\n");
}

#[tokio::test]
async fn tokens_overwrite_no_file_and_leave_none_without_teams() {
    let site = site(Engine::Sqlite).await;
    let text = "name,email\nThe Ants,a@example.org\n";
    let (sheet, out) = (site.file("sheet.csv"), site.file("out.csv"));
    let (own, out) = (sheet.to_str().unwrap(), out.to_str().unwrap());
    std::fs::write(site.file("kept.csv"), "kept").unwrap();
    let kept = site.file("kept.csv");
    for file in [own, kept.to_str().unwrap()] {
        let done = import(&site, text, &["--tokens", file]).await;
        done.fails("already exists; choose another name");
    }
    assert_eq!(std::fs::read_to_string(&sheet).unwrap(), text);
    assert_eq!(std::fs::read_to_string(&kept).unwrap(), "kept");
    assert_eq!(teams(&site).await.len(), 0, "nothing was imported");
    // SQLite creates further files while the database is open.
    let is_other = |name: &str| !name.starts_with("flagship.db");
    let names = || std::fs::read_dir(site.data()).unwrap().map(|it| it.unwrap().file_name());
    let files = || names().filter(|name| is_other(&name.to_string_lossy())).count();
    let before = files();
    import(&site, "name,email\nThe Ants,nothing\n", &["--tokens", out]).await.fails("1 error");
    assert_eq!(files(), before, "a refused import creates no file");
    import(&site, text, &["--tokens", out]).await.ok();
    assert_eq!(read_csv(&std::fs::read_to_string(out).unwrap()).len(), 1);
    std::fs::remove_file(out).unwrap();
    let said = import(&site, text, &["--tokens", out, "--skip-existing"]).await.ok();
    assert_eq!(said, "0 teams imported, 1 skipped: already exists\n");
    assert_eq!(files(), before, "no team, no file");
}

on_both_engines! {
    async fn an_unconfirmed_signup_is_reported_by_import(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        let server = site.serve(&event).await;
        let signup = json!({"teamName": "Bees", "email": "bees@example.org", "country": "IT",
            "password": "correct horse", "captchaToken": "off"});
        assert_eq!(server.player().post("/signup", &signup).await.0, 201);
        server.stop().await;
        let text = "name,email\nBees,bees@example.org\nB\u{435}es,x@example.org\nAnts,nothing\n";
        let done = import(&site, text, &[]).await;
        done.fails("has 3 errors");
        for piece in [
            "sheet.csv:2: \"Bees\" has signed up but has not confirmed its email: wait until it",
            "sheet.csv:3: \"B\u{435}es\" looks like \"Bees\", which has signed up",
            "sheet.csv:4: ",
        ] {
            assert!(done.err.contains(piece), "{piece}: {done:?}");
        }
        for words in [
            &["ban", "Bees"][..],
            &["unban", "Bees"],
            &["hide", "Bees"],
            &["show", "Bees"],
            &["award", "Bees", "5", "--reason", "x"],
            &["withdraw", "Bees", "one"],
        ] {
            let done = site.run(&[&["team"], words].concat()).await;
            done.fails("\"Bees\" has not confirmed its email yet, so it is not in the event");
        }
        let text = "name,email\nBees,bees@example.org\nHive,bees@example.org\n";
        let done = import(&site, text, &["--skip-existing"]).await;
        let note = "sheet.csv:3: note: \"Bees\" has signed up with bees@example.org";
        assert!(done.err.contains(note), "{done:?}");
        let note = "sheet.csv:2: note: skipped \"Bees\": signed up but email not confirmed";
        assert!(done.err.contains(note), "{done:?}");
        assert_eq!(done.ok(), "1 team imported, 1 skipped: signed up but not confirmed\n");
        let done = import(&site, text, &["--skip-existing"]).await.ok();
        let words = "1 skipped: already exists, 1 skipped: signed up but not confirmed";
        assert_eq!(done, format!("0 teams imported, {words}\n"));
    }

    async fn all_errors_are_reported_together_and_nothing_is_imported(engine: Engine) {
        let site = site(engine).await;
        site.import(1).await;
        let text = "name,email,country,student,password\n\
                    Good Team,good@example.org,IT,no,\n\
                    x,nothing,Atlantis,maybe,short\n\
                    Fine Team,a@example.org,,,\n\
                    FINE TEAM,b@example.org,,,\n\
                    Team 1,c@example.org,,,\n\
                    Te\u{430}m 1,d@example.org,,,\n\
                    Odd Team,e@example.org\n";
        let done = import(&site, text, &[]).await;
        done.fails("nothing was imported: `");
        assert!(done.err.contains("has 9 errors"), "{done:?}");
        for (line, word) in [
            (3, "3 to 25 characters"),
            (3, "\"nothing\" is not an email address"),
            (3, "unknown country \"Atlantis\""),
            (3, "student must be yes or no, not \"maybe\""),
            (3, "6 to 128"),
            (5, "appears twice in this file, first on line 4"),
            (6, "already exists; use `--skip-existing`"),
            (7, "looks like \"Team 1\", which already exists"),
            (8, "2 fields, but the header has 5"),
        ] {
            let start = format!("sheet.csv:{line}: ");
            let is_said = |it: &&str| it.contains(&start) && it.contains(word);
            assert_eq!(done.err.lines().filter(is_said).count(), 1, "{line} {word} {done:?}");
        }
        let header = import(&site, "crew,post,name,name\nA,b,c,d\n", &[]).await;
        header.fails("has 4 errors");
        assert_eq!(teams(&site).await.len(), 1);
        let many = "name,email\n".to_owned() + &"x,y\n".repeat(150);
        let many = import(&site, many, &[]).await;
        many.fails("has 300 errors; 100 more not shown");
        assert_eq!(teams(&site).await.len(), 1);
    }

    async fn a_second_import_of_a_longer_file_skips_existing_teams(engine: Engine) {
        let site = site(engine).await;
        let first = "name,email\nCaf\u{e9} Crew,a@example.org\nBees,b@example.org\n";
        import(&site, first, &[]).await.ok();
        let longer = "name,email\nBees,b@example.org\nCafe\u{301} Crew,\nAnts,c@example.org\n";
        import(&site, longer, &[]).await.fails("has 3 errors");
        let out = site.file("out.csv");
        let skip = ["--skip-existing", "--tokens", out.to_str().unwrap()];
        let said = import(&site, longer, &skip).await.ok();
        assert_eq!(said, "1 team imported, 2 skipped: already exists\n");
        let tokens = read_csv(&std::fs::read_to_string(&out).unwrap());
        assert_eq!(tokens.iter().map(|row| &*row[0]).collect::<Vec<_>>(), ["Ants"]);
        let said = import(&site, longer, &["--skip-existing"]).await.ok();
        assert_eq!(said, "0 teams imported, 3 skipped: already exists\n");
        let imitation = "name,email\nB\u{435}es,b@example.org\n";
        let done = import(&site, imitation, &["--skip-existing"]).await;
        done.fails("1 error");
        assert!(done.err.contains("looks like \"Bees\""), "{done:?}");
        assert_eq!(teams(&site).await.len(), 3);
    }

    async fn names_are_found_in_any_normal_form_or_the_nearest_is_suggested(engine: Engine) {
        let site = site(engine).await;
        import(&site, "name,email\nCaf\u{e9} Crew,a@example.org\nOtters,b@example.org\n", &[])
            .await
            .ok();
        let said = site.run(&["team", "hide", "Cafe\u{301} Crew"]).await.ok();
        assert!(said.ends_with("is hidden\n"), "{said}");
        for (typed, near) in [("Oters", "Otters"), ("otters", "Otters"), ("Cafe Crew", "Café Crew")]
        {
            let said = format!("no team named {typed:?}; did you mean {near:?}?");
            site.run(&["team", "ban", typed]).await.fails(&said);
            site.run(&["team", "withdraw", typed, "one"]).await.fails(&said);
        }
        let far = site.run(&["team", "ban", "Someone else"]).await;
        far.fails("no team named \"Someone else\"");
        assert!(!far.err.contains("did you mean"), "{far:?}");
        for words in [&["challenge", "hide", "thre"][..], &["team", "withdraw", "Otters", "thre"]] {
            let said = "no challenge with the ID \"thre\"; did you mean \"three\"?";
            site.run(words).await.fails(said);
        }
        let said = "\"Challenge One\" is not a challenge ID";
        site.run(&["challenge", "hide", "Challenge One"]).await.fails(said);
        let said = "did you mean \"challenge-one\"?";
        site.run(&["challenge", "hide", "Challenge One"]).await.fails(said);
    }
}
