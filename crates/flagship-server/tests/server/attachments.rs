//! Attachment links: they need no header and work as long as the team may read the file.

use std::sync::Arc;

use data_encoding::HEXLOWER;
use flagship_control::control;
use flagship_game::{Attachment, Event, PictureKind};
use flagship_server::Config;
use flagship_server::storage::Location;
use flagship_store::challenges::Draft;
use flagship_store::organizers::Role;
use flagship_testkit::player::{HOUR_MS, draft, draft_after, event};
use flagship_testkit::{
    Call, Engine, NOW_MS, Reply, Team, TestApp, TestDb, commands, on_both_engines, until,
};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// Size of a description. Lists of more than twice this size are shared between teams.
const DESCRIPTION_BYTES: usize = 40_000;

const BYTES: &[u8] = b"<script>alert(1)</script>\0\xff binary";

fn attached(mut draft: Draft, name: &str) -> Draft {
    let digest = HEXLOWER.encode(&Sha256::digest(BYTES));
    let bytes = BYTES.len() as u64;
    draft.challenge.attachments.push(Attachment {
        name: name.to_owned(),
        digest,
        bytes,
        picture: None,
        per_team: false,
    });
    draft
}

async fn serving(engine: Engine, event: Event, drafts: Vec<Draft>) -> TestApp {
    let test = Arc::new(TestDb::new(engine).await);
    let folder = test.data.path().join("files");
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join(HEXLOWER.encode(&Sha256::digest(BYTES)));
    std::fs::write(file, BYTES).expect("a file");
    TestApp::playing_on(test, event, drafts, |_| {}).await
}

/// A challenge whose description shows a file.
fn pictured(draft: Draft) -> Draft {
    let mut draft = attached(draft, "ship.png");
    let picture = &mut draft.challenge.attachments[0];
    picture.picture = Some(PictureKind::Png);
    draft.challenge.description = format!(
        "<p>src=\"picture:{0}\" <img src=\"picture:{0}\" alt=\"a ship\" width=\"3\" height=\"2\"> \
         {1}<img src=\"picture:{0}\" alt=\"\"></p>",
        picture.digest,
        "x".repeat(DESCRIPTION_BYTES)
    );
    draft
}

/// The link of each picture of a card.
async fn pictures(team: &Team, id: &str) -> Vec<String> {
    let card = team.card(id).await.expect("it is in the list");
    let html = card["description"].as_str().expect("a text");
    let links = html.split("<img src=\"").skip(1).map(|rest| rest.split('"').next());
    links.map(|link| link.expect("an address").to_owned()).collect()
}

/// The links on the card of a team.
async fn links(team: &Team, id: &str) -> Vec<String> {
    let card = team.card(id).await.expect("it is in the list");
    let attachments = card["attachments"].as_array().expect("a list").clone();
    let link = |it: &Value| it["link"].as_str().expect("a link").to_owned();
    attachments.iter().map(link).collect()
}

async fn get(app: &TestApp, link: &str) -> Reply {
    Call::new("GET", link).send(app).await
}

/// The session of an author.
async fn author(app: &TestApp) -> String {
    let organizer = app.organizer("An Author", &[Role::Author]).await;
    app.organizer_session(&organizer, true).await
}

fn upload(session: &str) -> Call {
    let call = Call::organize("POST", "/files").session(session);
    call.header("content-type", "application/octet-stream")
}

/// The file names in the attachments folder.
fn kept(app: &TestApp) -> Vec<String> {
    let entries = std::fs::read_dir(app.test.data.path().join("files"));
    let entries = entries.into_iter().flatten().flatten();
    entries.map(|entry| entry.file_name().into_string().expect("text")).collect()
}

/// True if the response is the one for every invalid link.
fn is_gone(reply: &Reply) -> bool {
    let words = reply.status == 404 && reply.json()["message"] == "Not found.";
    assert!(words || (reply.status == 200 && reply.body == BYTES), "{reply:?}");
    words
}

on_both_engines! {
    async fn a_link_works_without_any_header_and_saves_a_file(engine: Engine) {
        let app = serving(engine, event(), vec![attached(draft("one"), "notes.html")]).await;
        let team = app.team("The Lighthouse").await;
        let card = team.card("one").await.expect("it is in the list");
        assert_eq!(card["attachments"][0]["name"], "notes.html");
        let link = links(&team, "one").await.remove(0);
        assert!(link.starts_with("/api/files/") && link.ends_with("/notes.html"), "{link}");

        let reply = get(&app, &link).await;
        assert_eq!((reply.status, reply.body.as_slice()), (200, BYTES));
        for (name, value) in [
            ("content-disposition", "attachment; filename=\"notes.html\""),
            ("content-type", "application/octet-stream"),
            ("x-content-type-options", "nosniff"),
            ("cache-control", "private, no-store"),
            ("cross-origin-resource-policy", "same-origin"),
        ] {
            assert_eq!(reply.header(name), value, "{name}");
        }
        assert_eq!(reply.header("last-modified"), "", "the time of a file is not disclosed");
        assert_eq!(reply.header("content-length"), BYTES.len().to_string());
        assert!(reply.header("content-security-policy").starts_with("default-src 'none'"));
        let head = Call::new("HEAD", &link).send(&app).await;
        assert_eq!((head.status, head.body.len()), (200, 0));
        assert_eq!(links(&team, "one").await, [link], "a link stays the same");
    }

    async fn attachments_of_equal_bytes_keep_their_names(engine: Engine) {
        let drafts = vec![attached(attached(draft("one"), "server.py"), "client.py")];
        let app = serving(engine, event(), drafts).await;
        let team = app.team("The Lighthouse").await;
        let mut saved = Vec::new();
        for link in links(&team, "one").await {
            saved.push(get(&app, &link).await.header("content-disposition").to_owned());
        }
        let named = ["server.py", "client.py"].map(|it| format!("attachment; filename=\"{it}\""));
        assert_eq!(saved, named);
        // The client cannot choose a file name that differs from the attachment's.
        let link = links(&team, "one").await.remove(1).replace("client.py", "evil.exe");
        assert_eq!(get(&app, &link).await.header("content-disposition"), named[0]);
    }

    async fn a_picture_is_shown_to_its_team_while_the_challenge_is_open(engine: Engine) {
        let mut drafts = vec![pictured(draft("one")), draft("two")];
        drafts.push(pictured(draft_after("three", &["two"])));
        let app = serving(engine, event(), drafts).await;
        let teams = app.teams(&["The Lighthouse", "The Harbour"]).await;
        let team = &teams[0];
        let card = team.card("one").await.expect("it is in the list");
        assert_eq!(card["attachments"], json!([]), "it is not listed beside the description");
        let [link, same] = &pictures(team, "one").await[..] else { panic!("there are two") };
        let other = pictures(&teams[1], "one").await.remove(0);
        assert!(link.starts_with("/api/files/") && link.ends_with("/ship.png"), "{link}");
        assert!(link == same && *link != other, "each team has its own");
        let html = card["description"].as_str().expect("a text");
        assert!(html.starts_with("<p>src=\"picture:"), "text is unchanged");
        assert!(html.contains("\" alt=\"a ship\" width=\"3\" height=\"2\">"), "{html}");
        let reply = get(&app, link).await;
        assert_eq!((reply.status, reply.body.as_slice()), (200, BYTES));
        for (name, value) in [
            ("content-disposition", "inline; filename=\"ship.png\""),
            ("content-type", "image/png"),
            ("x-content-type-options", "nosniff"),
            ("cache-control", "private, no-cache"),
            ("cross-origin-resource-policy", "same-origin"),
        ] {
            assert_eq!(reply.header(name), value, "shown in place, and never run: {name}");
        }
        assert!(reply.header("content-security-policy").starts_with("default-src 'none'"));
        assert!(pictures(team, "three").await.is_empty(), "a locked text is not sent");
        team.solves("two").await;
        let later = pictures(team, "three").await.remove(0);
        assert!(!is_gone(&get(&app, &later).await));
        app.run(commands::withdraw(&team.name, "two")).await;
        assert!(is_gone(&get(&app, &later).await), "locked again");
        app.run(commands::show("one", false)).await;
        assert!(is_gone(&get(&app, link).await) && is_gone(&get(&app, &other).await), "hidden");
    }

    async fn file_names_break_neither_the_link_nor_the_header(engine: Engine) {
        let names = ["a b.txt", "../../etc/passwd", "x\"; filename=\"y.exe", "naïve ✨.pdf",
            "a\r\nb", "?#%2F", "."];
        let saved = ["\"a b.txt\"", "\"..", "\"x_; filename=_y.exe\"; filename*=UTF-8''x%22%3B",
            "filename*=UTF-8''na%C3%AFve%20%E2%9C%A8.pdf", "\"a__b\"", "\"?#_2F\"; ", ""];
        let drafts = names.iter().zip(0..).map(|(name, i)| attached(draft(&format!("c{i}")), name));
        let app = serving(engine, event(), drafts.collect()).await;
        let team = app.team("The Lighthouse").await;
        for (name, i) in names.iter().zip(0..) {
            let card = team.card(&format!("c{i}")).await.expect("it is in the list");
            assert_eq!(card["attachments"][0]["name"], **name, "the card has the original name");
            let link = links(&team, &format!("c{i}")).await.remove(0);
            let plain = |c: char| c.is_ascii_alphanumeric() || "/._-".contains(c);
            assert!(link.chars().all(plain), "{link}");
            if *name != "." {
                let reply = get(&app, &link).await;
                assert!(!is_gone(&reply), "{link}");
                let disposition = reply.header("content-disposition");
                assert!(disposition.contains(saved[i]), "{name:?}: {disposition}");
            }
        }
    }

    async fn a_link_works_only_for_its_team_and_file(engine: Engine) {
        let drafts = vec![attached(draft("one"), "a.txt"), attached(draft("two"), "a.txt")];
        let app = serving(engine, event(), drafts).await;
        let teams = app.teams(&["The Lighthouse", "The Harbour"]).await;
        let link = links(&teams[0], "one").await.remove(0);
        let other = links(&teams[1], "one").await.remove(0);
        assert_ne!(link, other, "each team has its own");
        assert!(!is_gone(&get(&app, &link).await) && !is_gone(&get(&app, &other).await));

        let parts: Vec<&str> = link.split('/').collect();
        let [_, _, _, capability, _, digest, name] = parts[..] else { panic!("{link}") };
        let (team, mac) = capability.split_at(32);
        let flipped = |at: usize| {
            let new = if &capability[at..=at] == "0" { "1" } else { "0" };
            format!("{}{new}{}", &capability[..at], &capability[at + 1..])
        };
        let other_team = &other.split('/').nth(3).expect("a capability")[..32];
        let bad = [
            format!("/api/files/{}/one/{digest}/{name}", flipped(0)),
            format!("/api/files/{}/one/{digest}/{name}", flipped(31)),
            format!("/api/files/{}/one/{digest}/{name}", flipped(32)),
            format!("/api/files/{}/one/{digest}/{name}", flipped(capability.len() - 1)),
            format!("/api/files/{other_team}{mac}/one/{digest}/{name}"),
            format!("/api/files/{team}/one/{digest}/{name}"),
            format!("/api/files/{team}{}/one/{digest}/{name}", &mac[..62]),
            format!("/api/files/{capability}00/one/{digest}/{name}"),
            format!("/api/files/{capability}/two/{digest}/{name}"),
            format!("/api/files/{capability}/one/{}/{name}", "0".repeat(64)),
            format!("/api/files/{capability}/one/..%2F..%2Fsecret/{name}"),
            format!("/api/files/{capability}/one/%00/{name}"),
            format!("/api/files/{capability}/one/%FF/{name}"),
            format!("/api/files/{}{mac}/one/{digest}/x", "%F0%9F%92%A9".repeat(8)),
            format!("/api/files/{}/one/{digest}/{name}", "é".repeat(40)),
            "/api/files/x/one/x/x".to_owned(),
            format!("/api/files/{capability}/one/{digest}"),
            format!("/api/files/{capability}/one/{digest}/{name}/more"),
            format!("/api/files/{digest}"),
        ];
        for link in bad {
            assert!(is_gone(&get(&app, &link).await), "{link}");
        }
    }

    async fn a_link_stops_working_during_a_hide_or_a_ban(engine: Engine) {
        let app = serving(engine, event(), vec![attached(draft("one"), "a.txt")]).await;
        let team = app.team("The Lighthouse").await;
        let link = links(&team, "one").await.remove(0);
        let show = |shown| commands::show("one", shown);
        for (op, gone) in [
            (show(false), true),
            (show(true), false),
            (commands::ban("The Lighthouse"), true),
            (commands::unban("The Lighthouse"), false),
            (commands::hide_team("The Lighthouse"), false),
        ] {
            app.run(op).await;
            assert_eq!(is_gone(&get(&app, &link).await), gone);
        }
    }

    async fn a_locked_challenge_has_no_working_link(engine: Engine) {
        let drafts = vec![draft("one"), attached(draft_after("two", &["one"]), "a.txt")];
        let app = serving(engine, event(), drafts).await;
        let team = app.team("The Lighthouse").await;
        assert!(links(&team, "two").await.is_empty());
        team.solves("one").await;
        let link = links(&team, "two").await.remove(0);
        assert!(!is_gone(&get(&app, &link).await));
        app.run(commands::withdraw(&team.name, "one")).await;
        assert!(is_gone(&get(&app, &link).await), "locked again");
        assert!(links(&team, "two").await.is_empty());
    }

    async fn files_are_served_from_start_and_release_and_after_the_end(engine: Engine) {
        let later = Draft { release_at_ms: Some(NOW_MS + HOUR_MS), ..draft("two") };
        let drafts = vec![attached(draft("one"), "a.txt"), attached(later, "a.txt")];
        let soon = Event { start_ms: Some(NOW_MS + 1), freeze_ms: None, ..event() };
        let app = serving(engine, soon, drafts).await;
        let team = app.team("The Lighthouse").await;
        assert!(team.challenges().await.is_empty());
        app.advance(1);
        app.settled().await;
        let link = links(&team, "one").await.remove(0);
        let waits = link.replace("/one/", "/two/");
        assert!(!is_gone(&get(&app, &link).await) && is_gone(&get(&app, &waits).await));
        app.advance(2 * HOUR_MS);
        app.settled().await;
        assert!(!is_gone(&get(&app, &link).await), "files are available after the end");
        assert_eq!(links(&team, "two").await.len(), 1);
    }

    async fn a_lost_file_is_a_server_error_that_hides_its_path(engine: Engine) {
        let app = serving(engine, event(), vec![attached(draft("one"), "a.txt")]).await;
        let team = app.team("The Lighthouse").await;
        let link = links(&team, "one").await.remove(0);
        std::fs::remove_dir_all(app.test.data.path().join("files")).expect("it was there");
        let reply = get(&app, &link).await;
        let words = "Something went wrong on our side. Please try again.";
        assert_eq!((reply.status, &reply.json()["message"]), (500, &Value::from(words)));
    }

    async fn range_requests_get_the_missing_part(engine: Engine) {
        let app = serving(engine, event(), vec![attached(draft("one"), "a.img")]).await;
        let team = app.team("The Lighthouse").await;
        let link = links(&team, "one").await.remove(0);
        let whole = get(&app, &link).await;
        let tag = format!("\"{}\"", HEXLOWER.encode(&Sha256::digest(BYTES)));
        assert_eq!((whole.header("etag"), whole.header("accept-ranges")), (&*tag, "bytes"));
        let ask = |range: &str| Call::new("GET", &link).header("range", range);
        let size = BYTES.len();
        for (range, from, to) in [("bytes=5-", 5, size), ("bytes=0-0", 0, 1), ("bytes=5-9", 5, 10),
            ("bytes=-4", size - 4, size), ("bytes=3-9999", 3, size)] {
            let reply = ask(range).send(&app).await;
            assert_eq!((reply.status, &reply.body[..]), (206, &BYTES[from..to]),
                "from byte {from} on");
            let said = format!("bytes {from}-{}/{size}", to - 1);
            assert_eq!(reply.header("content-range"), said, "{range}");
            assert_eq!(reply.header("content-length"), (to - from).to_string(), "{range}");
            assert_eq!(reply.header("content-disposition"), "attachment; filename=\"a.img\"");
        }
        // If `If-Range` names another file or the range is unsupported, the response is the whole
        // file.
        let whole = [ask("bytes=5-").header("if-range", "\"other\""),
            ask("bytes=5-").header("if-range", "Wed, 21 Oct 2015 07:28:00 GMT"),
            ask("bytes=0-1,4-5"), ask("lines=1-2"), ask("bytes=5-").header("if-match", "\"x\"")];
        let [.., matched] = &whole;
        assert_eq!(matched.clone().send(&app).await.status, 206);
        for call in &whole[..4] {
            let reply = call.clone().send(&app).await;
            assert_eq!((reply.status, &reply.body[..]), (200, BYTES), "{call:?}");
        }
        let same = ask("bytes=5-").header("if-range", &tag).send(&app).await;
        assert_eq!((same.status, &same.body[..]), (206, &BYTES[5..]));
        for range in ["bytes=9999-", "bytes=-0", "bytes=9-5", "bytes=x"] {
            let reply = ask(range).send(&app).await;
            assert_eq!(reply.status, 416, "{range}");
            assert!(reply.json()["message"].is_string(), "{range}");
            assert_eq!(reply.header("content-range"), format!("bytes */{size}"), "{range}");
        }
        let known = Call::new("GET", &link).header("if-none-match", &tag).send(&app).await;
        assert_eq!((known.status, known.body.len(), known.header("etag")), (304, 0, &*tag));
        let head = Call::new("HEAD", &link).send(&app).await;
        assert_eq!(head.header("content-length"), size.to_string());
        let gone = link.replace("/one/", "/two/");
        let gone = Call::new("GET", &gone).header("range", "bytes=9999-").send(&app).await;
        assert!(is_gone(&gone), "a range reveals nothing about a missing file");
    }

    async fn no_response_contains_a_teams_internal_id(engine: Engine) {
        let app = serving(engine, event(), vec![attached(draft("one"), "a.txt")]).await;
        let team = app.team("The Lighthouse").await;
        team.solves("one").await;
        let ids: Vec<(i64,)> = app.test.rows("select id from accounts").await;
        let mut said = String::new();
        for path in ["challenge", "ctf", "scoreboard", "team/The%20Lighthouse"] {
            let call = Call::new("GET", &format!("/api/{path}"));
            said += &call.header("x-api-key", &team.token).send(&app).await.text();
        }
        assert!(said.contains("/api/files/"), "{said}");
        if control("no_response_contains_a_teams_internal_id", "is in a response") {
            said += &ids[0].0.to_string();
        }
        for (id,) in ids {
            for form in [format!("{id:016x}"), id.to_string()] {
                assert!(!said.contains(&form), "{form} is in a response: {said}");
            }
        }
    }

    async fn an_uploaded_file_is_kept_where_attachments_are(engine: Engine) {
        let app = TestApp::new(engine).await;
        let session = author(&app).await;
        let bytes: Vec<u8> = (0..20_000_000_u32).map(|i| (i / 7) as u8).collect();
        let digest = HEXLOWER.encode(&Sha256::digest(&bytes));
        let sent = bytes.clone();
        let reply = upload(&session).body(sent).send(&app).await;
        assert_eq!(reply.status, 201, "{}", reply.text());
        let expected = json!({"digest": digest, "bytes": bytes.len(), "otherNodes": false});
        assert_eq!(reply.json(), expected, "by the digest of its bytes");
        assert_eq!(kept(&app), [digest.as_str()]);
        let file = app.test.data.path().join("files").join(&digest);
        assert!(std::fs::read(&file).expect("it is there") == bytes);
        let both = [upload(&session).body(bytes.clone()), upload(&session).body(bytes.clone())];
        let both = futures_util::future::join_all(both.map(|it| it.send(&app))).await;
        assert!(both.iter().all(|reply| reply.json() == expected), "the same file again");
        assert_eq!(kept(&app), [digest]);
        let empty = upload(&session).body("").send(&app).await;
        assert_eq!((empty.status, &empty.json()["bytes"]), (201, &json!(0)));
    }

    async fn nodes_with_different_folders_share_files(engine: Engine) {
        let test = Arc::new(TestDb::new(engine).await);
        let shares = |config: &mut Config| config.attachments = Location::Database;
        let drafts = vec![attached(draft("one"), "notes.html")];
        let first = TestApp::playing_on(test, event(), drafts, shares).await;
        let folder = tempfile::tempdir().expect("a folder");
        let second = first.second_node(|config| {
            shares(config);
            config.data = folder.path().to_owned();
        });
        let second = second.await;
        let session = author(&first).await;
        let reply = upload(&session).body(BYTES).send(&first).await;
        assert_eq!(reply.status, 201, "{}", reply.text());
        assert_eq!(reply.json()["otherNodes"], false, "no file has to be copied");
        let team = first.team("The Lighthouse").await;
        let link = links(&team, "one").await.remove(0);
        until("the other node knows the team", async || get(&second, &link).await.status == 200)
            .await;
        for app in [&first, &second] {
            let whole = get(app, &link).await;
            assert_eq!((whole.status, &whole.body[..]), (200, BYTES));
            let call = Call::new("GET", &link).header("range", "bytes=3-9");
            let part = call.send(app).await;
            assert_eq!((part.status, &part.body[..]), (206, &BYTES[3..=9]));
            let range = format!("bytes 3-9/{}", BYTES.len());
            assert_eq!(part.header("content-range"), range);
            let tag = whole.header("etag").to_owned();
            let call = Call::new("GET", &link).header("if-none-match", &tag);
            assert_eq!(call.send(app).await.status, 304);
            let call = Call::new("GET", &link).header("range", "bytes=900-");
            assert_eq!(call.send(app).await.status, 416);
        }
        assert!(kept(&first).is_empty(), "no folder has the file");
        let in_second = std::fs::read_dir(folder.path().join("files")).into_iter().flatten();
        assert_eq!(in_second.count(), 0, "no folder has the file");
    }

    async fn an_upload_that_breaks_off_leaves_nothing(engine: Engine) {
        let app = TestApp::new(engine).await;
        let session = author(&app).await;
        let half = 4 * 1024 * 1024;
        let mut stream = TcpStream::connect(app.url.trim_start_matches("http://")).await
            .expect("the server listens");
        let length = 2 * half;
        let head = format!("POST /api/organize/files HTTP/1.1\r\nhost: x\r\n\
            content-type: application/octet-stream\r\ncontent-length: {length}\r\n\
            sec-fetch-site: same-origin\r\nx-organize: 1\r\n\
            cookie: __Host-organizer={session}\r\n\r\n");
        stream.write_all(head.as_bytes()).await.expect("it is sent");
        stream.write_all(&vec![7; half]).await.expect("it is sent");
        let folder = app.test.data.path().join("files");
        let on_disk = || -> u64 {
            let entries = std::fs::read_dir(&folder).into_iter().flatten().flatten();
            entries.filter_map(|entry| entry.metadata().ok()).map(|about| about.len()).sum()
        };
        until("the file is written while it arrives", async || on_disk() > 3 * 1024 * 1024).await;
        drop(stream);
        until("it is removed", async || kept(&app).is_empty()).await;
        assert!(kept(&app).is_empty(), "nothing is left");
    }

    async fn what_is_no_file_of_an_author_is_refused(engine: Engine) {
        let app = TestApp::new(engine).await;
        let session = author(&app).await;
        let is = |reply: &Reply, status: u16, code: &str| {
            assert_eq!((reply.status, reply.json()["code"].as_str()), (status, Some(code)));
        };
        let bytes = "application/octet-stream";
        for kind in ["application/json", "text/plain", "multipart/form-data; boundary=x", ""] {
            let call = Call::organize("POST", "/files").session(&session).body("abc");
            let reply = call.header("content-type", kind).send(&app).await;
            is(&reply, 415, "file_type_unsupported");
        }
        let untyped = Call::organize("POST", "/files").session(&session).body("abc");
        is(&untyped.send(&app).await, 415, "file_type_unsupported");
        for role in [Role::Observer, Role::Support] {
            let organizer = app.organizer(&format!("A new {role}"), &[role]).await;
            let session = app.organizer_session(&organizer, true).await;
            let reply = upload(&session).body("abc").send(&app).await;
            assert_eq!(reply.status, 404, "only those who write challenges");
        }
        let anonymous = || Call::organize("POST", "/files").header("content-type", bytes);
        is(&anonymous().body("abc").send(&app).await, 401, "login_needed");
        let team = app.team("The Lighthouse").await;
        let call = anonymous().header("x-api-key", &team.token).body("abc");
        is(&call.send(&app).await, 404, "not_found");
        let elsewhere = Call::new("POST", "/api/organize/files").session(&session);
        let elsewhere = elsewhere.header("content-type", bytes).header("x-organize", "1");
        let elsewhere = elsewhere.header("sec-fetch-site", "cross-site").body("abc");
        is(&elsewhere.send(&app).await, 403, "request_cross_site");
        assert!(kept(&app).is_empty());
        std::fs::write(app.test.data.path().join("files"), "no folder").expect("it is written");
        let failed = upload(&session).body("abc").send(&app).await;
        is(&failed, 503, "file_not_kept");
        assert_eq!(failed.header("retry-after"), "60");
    }

    async fn a_file_that_says_it_is_too_large_is_refused_at_once(engine: Engine) {
        let app = TestApp::new(engine).await;
        let session = author(&app).await;
        let mut stream = TcpStream::connect(app.url.trim_start_matches("http://")).await
            .expect("the server listens");
        let words = "file_too_large";
        let length = (1 << 30) + 1;
        let head = format!("POST /api/organize/files HTTP/1.1\r\nhost: x\r\n\
            content-type: application/octet-stream\r\ncontent-length: {length}\r\n\
            sec-fetch-site: same-origin\r\nx-organize: 1\r\nconnection: close\r\n\
            cookie: __Host-organizer={session}\r\n\r\nabc");
        stream.write_all(head.as_bytes()).await.expect("it is sent");
        let mut answer = vec![0; 4096];
        let read = stream.read(&mut answer).await.expect("it answers");
        let answer = String::from_utf8_lossy(&answer[..read]).into_owned();
        assert!(answer.starts_with("HTTP/1.1 413") && answer.contains(words), "{words}: {answer}");
        assert!(kept(&app).is_empty());
    }
}
