//! Teams' copies of attachments: each has the team's own flag, and is the same at each download.

use std::io::{Read, Write};
use std::sync::Arc;

use data_encoding::HEXLOWER;
use flagship_game::Attachment;
use flagship_store::challenges::{Draft, Flag};
use flagship_testkit::player::{Team, draft, event, key};
use flagship_testkit::{Call, Engine, Reply, TestApp, TestDb, commands, on_both_engines};
use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use rawzip::{CompressionMethod, ZipArchive, ZipArchiveWriter};
use serde_json::Value;
use sha2::{Digest, Sha256};
use tar::{Archive, Builder, Header};

const SHARED: &str = "flag{pier_[TEAM]}";
const TEXT: &str = "The log begins.\n{{team_flag}}\nThe log ends with {{team_flag}}.\n";

/// The flag of a team for a challenge.
fn own(id: &str, team: &Team) -> String {
    SHARED.replace("[TEAM]", &key().team_code(id, team.id.0))
}

fn filled(team: &Team) -> String {
    TEXT.replace("{{team_flag}}", &own("pier", team))
}

/// Bytes that do not compress.
fn noise() -> Vec<u8> {
    (0..3000_u32).flat_map(|number| Sha256::digest(number.to_le_bytes())).collect()
}

fn zip() -> Vec<u8> {
    let mut archive = ZipArchiveWriter::new(Vec::new());
    for (name, data) in [("noise.bin", noise()), ("log.txt", TEXT.as_bytes().to_vec())] {
        let (mut entry, config) = archive
            .new_file(name)
            .compression_method(CompressionMethod::STORE)
            .start()
            .expect("an archive in memory");
        let mut writer = config.wrap(&mut entry);
        writer.write_all(&data).expect("an archive in memory");
        let (_, output) = writer.finish().expect("an archive in memory");
        entry.finish(output).expect("an archive in memory");
    }
    archive.finish().expect("an archive in memory")
}

fn tar_gz() -> Vec<u8> {
    let packed = GzEncoder::new(Vec::new(), Compression::default());
    let mut archive = Builder::new(packed);
    for (name, data) in [("noise.bin", noise()), ("log.txt", TEXT.as_bytes().to_vec())] {
        let mut header = Header::new_gnu();
        header.set_size(data.len() as u64);
        archive.append_data(&mut header, name, &*data).expect("an archive in memory");
    }
    archive.into_inner().expect("an archive in memory").finish().expect("an archive in memory")
}

/// The text in a copy.
fn text_in(name: &str, copy: &[u8]) -> String {
    let mut text = String::new();
    match name {
        "log.zip" => {
            let archive = ZipArchive::from_slice(copy).expect("a readable archive");
            for entry in archive.entries() {
                let entry = entry.expect("a readable archive");
                let member = archive.get_entry(entry.wayfinder()).expect("a readable archive");
                let mut data = Vec::new();
                member
                    .verifying_reader(member.data())
                    .read_to_end(&mut data)
                    .expect("a readable archive");
                match entry.file_path().as_bytes() {
                    b"log.txt" => text = String::from_utf8(data).expect("a readable archive"),
                    _ => assert!(data == noise(), "other members are unchanged"),
                }
            }
        }
        "log.tar.gz" => {
            let mut archive = Archive::new(MultiGzDecoder::new(copy));
            for entry in archive.entries().expect("a readable archive") {
                let mut entry = entry.expect("a readable archive");
                if entry.path().expect("a readable archive").as_os_str() == "log.txt" {
                    entry.read_to_string(&mut text).expect("a readable archive");
                }
            }
        }
        _ => text = String::from_utf8(copy.to_vec()).expect("a readable archive"),
    }
    text
}

/// A challenge with a per-team flag and these files.
fn pier(files: &[(&str, &[u8])]) -> Draft {
    let mut draft = Draft { flags: vec![Flag::Team(SHARED.to_owned())], ..draft("pier") };
    draft.challenge.attachments = files
        .iter()
        .map(|(name, bytes)| Attachment {
            name: (*name).to_owned(),
            digest: HEXLOWER.encode(&Sha256::digest(bytes)),
            bytes: bytes.len() as u64,
            picture: None,
            per_team: true,
        })
        .collect();
    draft
}

async fn serving(engine: Engine, drafts: Vec<Draft>, files: &[&[u8]]) -> TestApp {
    let test = Arc::new(TestDb::new(engine).await);
    let folder = test.data.path().join("files");
    std::fs::create_dir_all(&folder).expect("a folder");
    for bytes in files {
        let file = folder.join(HEXLOWER.encode(&Sha256::digest(bytes)));
        std::fs::write(file, bytes).expect("a file");
    }
    TestApp::playing_on(test, event(), drafts, |_| {}).await
}

/// The attachments on a team's card.
async fn attachments(team: &Team, id: &str) -> Vec<Value> {
    let card = team.card(id).await.expect("it is in the list");
    card["attachments"].as_array().expect("a list").clone()
}

async fn get(app: &TestApp, attachment: &Value) -> Reply {
    Call::new("GET", attachment["link"].as_str().expect("a link")).send(app).await
}

on_both_engines! {
    async fn each_team_downloads_its_own_copy(engine: Engine) {
        let files: [(&str, &[u8]); 3] =
            [("log.txt", TEXT.as_bytes()), ("log.zip", &zip()), ("log.tar.gz", &tar_gz())];
        let bytes = files.map(|(_, bytes)| bytes);
        let app = serving(engine, vec![pier(&files)], &bytes).await;
        let teams = app.teams(&["Ants", "Bees"]).await;
        let mut seen = Vec::new();
        for team in &teams {
            let listed = attachments(team, "pier").await;
            assert_eq!(listed.len(), files.len());
            for attachment in &listed {
                let name = attachment["name"].as_str().expect("a name");
                let reply = get(&app, attachment).await;
                assert_eq!(reply.status, 200, "{name}");
                let digest = HEXLOWER.encode(&Sha256::digest(&reply.body));
                assert_eq!(attachment["sha256"], *digest, "the card has the copy's hash: {name}");
                assert_eq!(attachment["bytes"], reply.body.len(), "{name}");
                assert_eq!(reply.header("etag"), format!("\"{digest}\""));
                assert_eq!(reply.header("cache-control"), "private, no-store");
                assert_eq!(text_in(name, &reply.body), filled(team), "{name}");
                assert_eq!(get(&app, attachment).await.body, reply.body, "the same again");
                assert!(!seen.contains(&digest), "another team has another copy");
                seen.push(digest);
            }
            assert_eq!(attachments(team, "pier").await, listed, "the list stays the same");
        }
        let [ants, bees] = &teams[..] else { panic!("there are two") };
        let stolen = own("pier", bees);
        assert!(text_in("log.txt", &get(&app, &attachments(bees, "pier").await[0]).await.body)
            .contains(&stolen));
        let answer = ants.send("pier", &stolen).await;
        assert_eq!(answer.json["correct"], false, "another team's copy does not solve it");
        let answer = ants.send("pier", &own("pier", ants)).await;
        assert_eq!(answer.json["correct"], true, "the own copy does");
    }

    async fn a_copy_can_be_resumed_and_is_revalidated(engine: Engine) {
        let archive = tar_gz();
        let app = serving(engine, vec![pier(&[("log.tar.gz", &archive)])], &[&archive]).await;
        let teams = app.teams(&["Ants", "Bees"]).await;
        let listed = attachments(&teams[0], "pier").await.remove(0);
        let link = listed["link"].as_str().expect("a link").to_owned();
        let whole = get(&app, &listed).await.body;
        let size = whole.len();
        let mut resumed = Vec::new();
        let step = size / 7 + 1;
        while resumed.len() < size {
            let end = (resumed.len() + step).min(size) - 1;
            let range = format!("bytes={}-{end}", resumed.len());
            let reply = Call::new("GET", &link).header("range", &range).send(&app).await;
            assert_eq!(reply.status, 206, "{range}");
            let said = format!("bytes {}-{end}/{size}", resumed.len());
            assert_eq!(reply.header("content-range"), said);
            resumed.extend(reply.body);
        }
        assert!(resumed == whole, "the parts are one copy");
        // Each byte on its own, around the flag and the checksum.
        for at in (0..size).rev().take(80) {
            let range = format!("bytes={at}-{at}");
            let reply = Call::new("GET", &link).header("range", range).send(&app).await;
            assert_eq!(reply.body, [whole[at]], "byte {at}");
        }
        let tag = format!("\"{}\"", listed["sha256"].as_str().expect("a digest"));
        let known = Call::new("GET", &link).header("if-none-match", &tag).send(&app).await;
        assert_eq!((known.status, known.body.len()), (304, 0));
        let other = attachments(&teams[1], "pier").await.remove(0);
        let other = format!("\"{}\"", other["sha256"].as_str().expect("a digest"));
        let call = Call::new("GET", &link).header("range", "bytes=5-").header("if-range", &other);
        assert_eq!(call.send(&app).await.status, 200, "a part of another copy is not resumed");
        let head = Call::new("HEAD", &link).send(&app).await;
        assert_eq!(head.header("content-length"), size.to_string());
    }

    async fn another_node_and_a_restart_send_the_same_copy(engine: Engine) {
        let archive = zip();
        let app = serving(engine, vec![pier(&[("log.zip", &archive)])], &[&archive]).await;
        let team = app.team("Ants").await;
        let listed = attachments(&team, "pier").await.remove(0);
        let first = get(&app, &listed).await.body;
        let second = app.second_node(|_| {}).await;
        assert!(get(&second, &listed).await.body == first);
        second.stop().await;
        let clock = app.clock();
        let test = app.stop().await;
        let again = TestApp::on(test, clock, |_| {}).await;
        assert!(get(&again, &listed).await.body == first);
    }

    async fn a_banned_team_and_a_hidden_challenge_have_no_copies(engine: Engine) {
        let files: [(&str, &[u8]); 1] = [("log.txt", TEXT.as_bytes())];
        let app = serving(engine, vec![pier(&files)], &[TEXT.as_bytes()]).await;
        let team = app.team("Ants").await;
        let listed = attachments(&team, "pier").await.remove(0);
        for (op, status) in [
            (commands::show("pier", false), 404),
            (commands::show("pier", true), 200),
            (commands::ban("Ants"), 404),
            (commands::unban("Ants"), 200),
        ] {
            app.run(op).await;
            assert_eq!(get(&app, &listed).await.status, status);
        }
    }

    async fn a_file_without_copies_is_not_listed_and_the_rest_is(engine: Engine) {
        let binary = [b"\0", TEXT.as_bytes()].concat();
        let files: [(&str, &[u8]); 2] = [("binary", &binary), ("log.txt", TEXT.as_bytes())];
        let mut without_flag = pier(&files[1..]);
        without_flag.challenge.id = flagship_testkit::player::challenge_id("mole");
        without_flag.challenge.name = "The mole".to_owned();
        without_flag.flags = draft("mole").flags;
        let stored: [&[u8]; 2] = [&binary, TEXT.as_bytes()];
        let app = serving(engine, vec![pier(&files), without_flag], &stored).await;
        let team = app.team("Ants").await;
        let listed = attachments(&team, "pier").await;
        assert_eq!(listed.len(), 1, "no team gets the original");
        assert_eq!(listed[0]["name"], "log.txt");
        assert!(attachments(&team, "mole").await.is_empty(), "there is no flag to fill in");
        let wanted = listed[0]["link"].as_str().expect("a link");
        let digest = HEXLOWER.encode(&Sha256::digest(TEXT));
        assert!(wanted.contains(&digest));
    }
}
