//! `flagship backup` of a running event, and `restore` to either database.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use data_encoding::HEXLOWER;
use flagship_testkit::{Engine, on_both_engines};
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};

use crate::event::EventFolder;
use crate::player::Player;
use crate::process::{Done, Server, TestSite};
use crate::until;

const TEAMS: usize = 100;
const CHALLENGES: usize = 20;
/// Correct flags per second.
const RATE: u32 = 500;
/// Numbers of acknowledged solves after which a backup begins.
const BACKUPS_AT: [usize; 3] = [50, 400, 800];

/// Team and challenge of every solve.
async fn solves(site: &TestSite) -> Vec<(String, String)> {
    let csv = site.run(&["export", "solves", "--format", "csv"]).await.ok();
    let rows = crate::process::read_csv(&csv);
    let header = csv.lines().next().unwrap();
    let column =
        |name| header.split(',').position(|it| it == name).unwrap_or_else(|| panic!("{header}"));
    let (team, id) = (column("team"), column("challenge_id"));
    rows.into_iter().map(|row| (row[team].clone(), row[id].clone())).collect()
}

/// An event in which all teams play concurrently, with [`RATE`] correct flags per second.
struct Crowd {
    acknowledged: Arc<Mutex<BTreeSet<(String, String)>>>,
    running: tokio::task::JoinHandle<()>,
}

impl Crowd {
    fn begin(player: &Player, tokens: &[String]) -> Self {
        let acknowledged = Arc::new(Mutex::new(BTreeSet::new()));
        let (noted, player, tokens) = (acknowledged.clone(), player.clone(), tokens.to_vec());
        let running = tokio::spawn(async move {
            let mut tick = tokio::time::interval(Duration::from_secs(1) / RATE);
            let mut sent = tokio::task::JoinSet::new();
            for challenge in 0..CHALLENGES {
                for (i, token) in tokens.iter().enumerate() {
                    tick.tick().await;
                    let (team, noted) = (player.with_token(token), noted.clone());
                    let solve = (format!("Team {}", i + 1), format!("c{challenge}"));
                    sent.spawn(async move {
                        // A busy server can refuse a flag, so it is repeated.
                        while !team.tries(&solve.1).await {}
                        noted.lock().unwrap().insert(solve);
                    });
                }
            }
            sent.join_all().await;
        });
        Self { acknowledged, running }
    }

    fn acknowledged(&self) -> BTreeSet<(String, String)> {
        self.acknowledged.lock().unwrap().clone()
    }
}

fn event() -> EventFolder {
    let event = EventFolder::new();
    for i in 0..CHALLENGES {
        event.challenge(&format!("c{i}"), "type: dynamic\nextra: {initial: 500, minimum: 50}");
    }
    event.write("challenges/one/dist/page.html", "<h1>Hello</h1>");
    event.challenge("one", "type: standard\nvalue: 100\nfiles: [dist/page.html]");
    event
}

pub(super) fn words(path: &Path) -> &str {
    path.to_str().unwrap()
}

async fn restored(file: &Path, engine: Engine) -> (TestSite, String) {
    let site = TestSite::bare(engine).await;
    let said = site.run(&["restore", words(file)]).await.ok();
    site.run(&["journal", "verify"]).await.ok();
    (site, said)
}

on_both_engines! {
    async fn a_backup_under_load_has_everything_acknowledged_before(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = event();
        let folder = tempfile::tempdir().unwrap();
        let server = site.serve(&event).await;
        let mut tokens = site.import(TEAMS).await;
        let csv = "name,email,password\nAnts,a@example.org,correct horse\n";
        tokens.extend(site.import_csv(csv).await.into_iter().map(|(_, token)| token));
        let ants = tokens.pop().unwrap();
        let crowd = Crowd::begin(&server.player(), &tokens);
        let begun = Instant::now();
        let mut backups = Vec::new();
        for begins_at in BACKUPS_AT {
            until("enough solves are acknowledged", async || {
                crowd.acknowledged().len() >= begins_at
            })
            .await;
            let file = folder.path().join(format!("backup-{}", backups.len()));
            let before = crowd.acknowledged();
            let begin = Instant::now();
            let said = site.run(&["backup", words(&file)]).await.ok();
            let after = crowd.acknowledged().len();
            eprintln!("figures: {} before, {after} after, in {:?}", before.len(), begin.elapsed());
            backups.push((file, before, said));
        }
        assert!(!crowd.running.is_finished(), "the backups were taken under load");
        let rate = crowd.acknowledged().len() as f64 / begun.elapsed().as_secs_f64();
        eprintln!("figures: {} backups at {rate:.0} correct flags per second", backups.len());
        let acknowledged = crowd.acknowledged.clone();
        crowd.running.await.unwrap();
        assert_eq!(acknowledged.lock().unwrap().len(), TEAMS * CHALLENGES);
        server.stop().await;
        let whole = site.test.journal().await;
        for (file, before, said) in &backups {
            let mode = std::fs::metadata(file).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600, "a backup is readable by its owner only");
            let (copy, restored) = restored(file, engine).await;
            assert_eq!(&restored, said, "what was restored is what was backed up");
            let prefix = copy.test.journal().await;
            assert_eq!(prefix, whole[..prefix.len()], "a prefix of the journal");
            let kept: BTreeSet<_> = solves(&copy).await.into_iter().collect();
            let lost: Vec<_> = before.difference(&kept).collect();
            assert!(lost.is_empty(), "acknowledged before the backup, but not in it: {lost:?}");
            plays_on(&copy, &event, &ants).await;
        }
    }

    async fn a_backup_restores_on_the_other_database(engine: Engine) {
        let other = if engine == Engine::Sqlite { Engine::Postgres } else { Engine::Sqlite };
        let site = TestSite::new(engine).await;
        let event = event();
        let folder = tempfile::tempdir().unwrap();
        let server = site.serve(&event).await;
        let csv = "name,email,password\nAnts,a@example.org,correct horse\nÄmsen 🐜,b@example.org,\n";
        let tokens = site.import_csv(csv).await;
        server.team(&tokens[0].1).await.solves("one").await;
        server.team(&tokens[1].1).await.solve("c1").await;
        site.run(&["team", "award", "Ants", "-5", "--reason", "late, \"very\"\n"]).await.ok();
        server.stop().await;
        let (first, second) = (folder.path().join("first"), folder.path().join("second"));
        let said = site.run(&["backup", words(&first)]).await.ok();
        let (copy, _) = restored(&first, other).await;
        let again = copy.run(&["backup", words(&second)]).await.ok();
        assert_eq!(said, again, "the checksum does not know the database");
        assert_eq!(copy.test.journal().await, site.test.journal().await);
        plays_on(&copy, &event, &tokens[0].1).await;
    }

    async fn a_restored_event_has_no_servers(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = event();
        let server = site.serve(&event).await;
        let status = site.run(&["status"]).await.ok();
        assert!(status.contains("nodes       1 running"), "{status}");
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("backup");
        site.run(&["backup", words(&file)]).await.ok();
        server.stop().await;
        let (copy, _) = restored(&file, engine).await;
        let status = copy.run(&["status"]).await.ok();
        assert!(status.contains("nodes       none running"), "{status}");
    }

    async fn neither_backup_nor_restore_overwrites_anything(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = event();
        site.apply(&event).await.ok();
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("backup");
        site.run(&["backup", words(&file)]).await.ok();
        let bytes = std::fs::read(&file).unwrap();
        site.run(&["backup", words(&file)]).await.fails("already exists");
        assert_eq!(std::fs::read(&file).unwrap(), bytes);
        site.run(&["restore", words(&file)]).await.fails("is not empty");
        if let Some(url) = &site.test.url {
            let elsewhere = tempfile::tempdir().unwrap();
            let data = elsewhere.path().join("data");
            let mut command = crate::process::program(&["restore", words(&file)]);
            command.arg("--data").arg(&data).args(["--database", url]);
            crate::process::run(command).await.fails("the database is not empty");
            assert_eq!(std::fs::read_dir(&data).unwrap().count(), 0,
                "nothing is left in the folder");
        }
        let nowhere = folder.path().join("no/such/folder/backup");
        site.run(&["backup", words(&nowhere)]).await.fails("create a temporary file in");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1,
            "no temporary file is left");
    }
}

/// A valid backup with one changed entry and a matching manifest.
fn damaged(file: &Path, name: &str, change: impl Fn(String) -> String) -> Vec<u8> {
    let mut entries = entries(file);
    let manifest = entries.remove("manifest.json").unwrap();
    let text = String::from_utf8(entries[name].clone()).unwrap();
    let changed = change(text.clone());
    assert_ne!(changed, text, "{name} has the text to change");
    entries.insert(name.to_owned(), changed.into_bytes());
    let digest = |bytes: &[u8]| HEXLOWER.encode(&Sha256::digest(bytes));
    let sha256: BTreeMap<&str, String> =
        entries.iter().map(|(name, bytes)| (name.as_str(), digest(bytes))).collect();
    let tables = sha256.iter().filter(|(name, _)| name.starts_with("tables/"));
    let tables: String = tables.map(|(name, digest)| format!("{name} {digest}\n")).collect();
    let mut manifest: serde_json::Value = serde_json::from_slice(&manifest).unwrap();
    manifest["checksum"] = digest(tables.as_bytes()).into();
    manifest["sha256"] = serde_json::to_value(&sha256).unwrap();
    let bytes = entries.iter().map(|(name, bytes)| (name.as_str(), bytes.len()));
    manifest["bytes"] = serde_json::to_value(bytes.collect::<BTreeMap<_, _>>()).unwrap();
    let manifest = ("manifest.json".to_owned(), manifest.to_string().into_bytes());
    let entries: Vec<_> = entries.into_iter().chain([manifest]).collect();
    packed(&entries, tar::EntryType::Regular)
}

on_both_engines! {
    async fn an_inconsistent_backup_leaves_the_database_empty(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = event();
        site.apply(&event).await.ok();
        let server = site.serve(&event).await;
        let token = site.import(1).await.remove(0);
        server.team(&token).await.solves("one").await;
        server.stop().await;
        let folder = tempfile::tempdir().unwrap();
        let (file, bad) = (folder.path().join("backup"), folder.path().join("bad"));
        site.run(&["backup", words(&file)]).await.ok();
        let to = TestSite::bare(engine).await;
        for (name, from, into) in [
            ("tables/journal.jsonl", "Team 1", "Team 2"),
            ("tables/solves.jsonl", "\"one\"", "\"two\""),
            ("tables/meta.jsonl", "\"secret_check\",\"", "\"secret_check\",\"0"),
            ("tables/accounts.jsonl", "[", "[7,"),
        ] {
            let bytes = damaged(&file, name, |text| text.replacen(from, into, 1));
            std::fs::write(&bad, bytes).unwrap();
            let done = to.run(&["restore", words(&bad)]).await;
            assert_eq!(done.code, Some(1), "{name}: {done:?}");
            assert_eq!(std::fs::read_dir(to.data()).unwrap().count(), 0, "{name}");
            if to.test.url.is_some() {
                let tables = "select table_name::text from information_schema.tables \
                              where table_schema = current_schema()";
                let tables: Vec<(String,)> = to.test.rows(tables).await;
                assert_eq!(tables, [], "{name}: the database is as empty as it was");
            }
        }
        to.run(&["restore", words(&file)]).await.ok();
        assert_eq!(to.test.journal().await, site.test.journal().await);
    }
}

/// Checks the restored event: a session, a password, an attachment, new solves.
async fn plays_on(site: &TestSite, event: &EventFolder, token: &str) {
    let server: Server = site.serve(event).await;
    let team = server.team(token).await;
    let (_, cards) = team.get("/challenge").await;
    let cards = cards["challenges"].as_array().unwrap();
    let one = cards.iter().find(|card| card["id"] == "one").unwrap();
    let link = one["attachments"][0]["link"].as_str().unwrap();
    assert_eq!(team.text(link).await, (200, "<h1>Hello</h1>".to_owned()));
    team.solves("three").await;
    let (status, answer) = server.player().log_in("Ants", "correct horse").await;
    assert_eq!(status, 200, "{answer}");
    server.stop().await;
}

/// The entries of a backup.
pub(super) fn entries(file: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut archive = tar::Archive::new(GzDecoder::new(std::fs::File::open(file).unwrap()));
    let entries = archive.entries().unwrap().map(|entry| {
        let mut entry = entry.unwrap();
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).unwrap();
        (entry.path().unwrap().to_str().unwrap().to_owned(), bytes)
    });
    entries.collect()
}

/// The uncompressed content, if the file is intact.
fn unpacked(backup: &[u8]) -> Option<Vec<u8>> {
    let mut plain = Vec::new();
    GzDecoder::new(backup).read_to_end(&mut plain).is_ok().then_some(plain)
}

/// Packs a backup with these entries, the manifest last.
pub(super) fn packed(entries: &[(String, Vec<u8>)], kind: tar::EntryType) -> Vec<u8> {
    let mut tar = tar::Builder::new(GzEncoder::new(Vec::new(), flate2::Compression::fast()));
    for (name, bytes) in entries {
        let mut header = tar::Header::new_gnu();
        let odd = !["manifest.json", "secret"].contains(&name.as_str()) && !name.contains('/');
        header.set_entry_type(if odd { kind } else { tar::EntryType::Regular });
        header.set_size(bytes.len() as u64);
        // Written directly, because the library refuses such paths.
        header.as_gnu_mut().unwrap().name[..name.len()].copy_from_slice(name.as_bytes());
        header.set_cksum();
        tar.append(&header, bytes.as_slice()).unwrap();
    }
    tar.into_inner().unwrap().finish().unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_truncated_or_modified_backup_is_refused() {
    let site = TestSite::new(Engine::Sqlite).await;
    let event = event();
    site.apply(&event).await.ok();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("backup");
    site.run(&["backup", words(&file)]).await.ok();
    let bytes = std::fs::read(&file).unwrap();
    let good = entries(&file).into_iter().filter(|(name, _)| name != "manifest.json");
    let good: Vec<(String, Vec<u8>)> = good.collect();
    let manifest = entries(&file)["manifest.json"].clone();
    let text = String::from_utf8(manifest.clone()).unwrap();
    assert!(!text.contains("example") && !text.contains("flag{"), "{text}");

    let mut bad: Vec<(String, Vec<u8>)> = Vec::new();
    for cut in [0, 1, 20, bytes.len() / 3, bytes.len() - 9, bytes.len() - 1] {
        bad.push((format!("cut off after {cut} bytes"), bytes[..cut].to_vec()));
    }
    for at in (30..bytes.len()).step_by(bytes.len() / 20) {
        let mut altered = bytes.clone();
        altered[at] ^= 1;
        // In a run of zeros, the copied bytes may equal the original.
        if unpacked(&altered) != unpacked(&bytes) {
            bad.push((format!("altered at byte {at}"), altered));
        }
    }
    let with_manifest = |mut entries: Vec<(String, Vec<u8>)>, manifest: &[u8]| {
        entries.push(("manifest.json".to_owned(), manifest.to_vec()));
        entries
    };
    for name in ["../evil", "/tmp/evil", "tables/../../evil", "evil", "files/evil"] {
        let mut laced = good.clone();
        laced.insert(0, (name.to_owned(), b"evil".to_vec()));
        let laced = packed(&with_manifest(laced, &manifest), tar::EntryType::Regular);
        bad.push((format!("with the additional member {name}"), laced));
    }
    for kind in [tar::EntryType::Symlink, tar::EntryType::Link, tar::EntryType::Fifo] {
        let mut laced = good.clone();
        laced.insert(0, ("evil".to_owned(), Vec::new()));
        let laced = packed(&with_manifest(laced, &manifest), kind);
        bad.push((format!("with an additional {kind:?}"), laced));
    }
    let mut other_row = good.clone();
    let table = other_row.iter_mut().find(|(name, _)| name == "tables/accounts.jsonl").unwrap();
    table.1.extend(b"[1]\n");
    bad.push((
        "an additional row".into(),
        packed(&with_manifest(other_row, &manifest), tar::EntryType::Regular),
    ));
    let one_less = with_manifest(good[1..].to_vec(), &manifest);
    bad.push(("a missing entry".into(), packed(&one_less, tar::EntryType::Regular)));
    for (what, newer) in [
        ("a newer form", text.replace("\"format\": 1", "\"format\": 2")),
        ("a newer schema", text.replacen("\"schema\": ", "\"schema\": 9", 1)),
    ] {
        assert_ne!(newer, text);
        let newer = packed(&with_manifest(good.clone(), newer.as_bytes()), tar::EntryType::Regular);
        bad.push((what.to_owned(), newer));
    }
    let to = TestSite::bare(Engine::Sqlite).await;
    for (what, bad) in bad {
        let file = folder.path().join("bad");
        std::fs::File::create(&file).unwrap().write_all(&bad).unwrap();
        let done: Done = to.run(&["restore", words(&file)]).await;
        assert_eq!(done.code, Some(1), "{what}: {done:?}");
        let word =
            if what.starts_with("a newer") { "newer Flagship" } else { "not a valid backup" };
        assert!(done.err.contains(word), "{what}: {done:?}");
        assert_eq!(std::fs::read_dir(to.data()).unwrap().count(), 0, "{what}: nothing is left");
    }
    // The backup is valid if it is packed in the same way without the fault.
    let whole = packed(&with_manifest(good, &manifest), tar::EntryType::Regular);
    std::fs::write(&file, whole).unwrap();
    to.run(&["restore", words(&file)]).await.ok();
    assert_eq!(to.test.journal().await, site.test.journal().await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_with_a_huge_name_is_refused_unread() {
    let kind = tar::EntryType::GNULongName;
    // The library reads this as the name of the following entry.
    let entries = [("evil".to_owned(), vec![b'1'; BOMB_BYTES]), ("secret".to_owned(), Vec::new())];
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("backup");
    std::fs::write(&file, packed(&entries, kind)).unwrap();
    let done = TestSite::bare(Engine::Sqlite).await.run(&["restore", words(&file)]).await;
    assert!(done.code == Some(1) && done.err.len() < 1000, "{} bytes of output", done.err.len());
    assert!(done.err.contains("is not a regular file"), "the name that follows: {}", done.err);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_leaves_out_attachments_that_were_changed() {
    let site = TestSite::new(Engine::Sqlite).await;
    let event = event();
    site.apply(&event).await.ok();
    let folder = tempfile::tempdir().unwrap();
    let (bad, good) = (folder.path().join("bad"), folder.path().join("good"));
    let mut kept = std::fs::read_dir(site.data().join("files")).unwrap();
    let kept = kept.next().unwrap().unwrap().path();
    let mut bytes = std::fs::read(&kept).unwrap();
    bytes[0] ^= 1;
    std::fs::write(&kept, bytes).unwrap();
    let done = site.run(&["backup", words(&bad)]).await;
    done.fails("the backup was written without 1 file");
    let to = TestSite::bare(Engine::Sqlite).await;
    to.run(&["restore", words(&bad)]).await.ok();
    assert_eq!(to.test.journal().await, site.test.journal().await);
    site.apply(&event).await.ok();
    site.run(&["backup", words(&good)]).await.ok();
}

/// Largest number of files in a backup.
const MEMBERS_MAX: usize = 50_000;

/// A valid name of an attachment.
fn attachment(number: usize) -> String {
    format!("{number:064x}")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_with_too_many_members_is_neither_read_nor_written() {
    let site = TestSite::new(Engine::Sqlite).await;
    let event = event();
    site.apply(&event).await.ok();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("backup");
    let words_then = "has more than 50000 members";
    let count = MEMBERS_MAX + 1;
    let members = (0..count).map(|number| (format!("files/{}", attachment(number)), Vec::new()));
    std::fs::write(&file, packed(&members.collect::<Vec<_>>(), tar::EntryType::Regular)).unwrap();
    let to = TestSite::bare(Engine::Sqlite).await;
    to.run(&["restore", words(&file)]).await.fails(words_then);
    site.run(&["journal", "verify", "--against", words(&file)]).await.fails(words_then);
    // `backup` does not write a backup that could not be restored.
    std::fs::remove_file(&file).unwrap();
    for number in 0..MEMBERS_MAX {
        std::fs::write(site.data().join("files").join(attachment(number)), "").unwrap();
    }
    let words_then = "a backup can hold 50000 files";
    site.run(&["backup", words(&file)]).await.fails(words_then);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "no temporary file is left");
}

/// Uncompressed size of a table. The backup itself has some kilobytes and a valid manifest.
const BOMB_BYTES: usize = 256 * 1024 * 1024;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_that_unpacks_to_more_than_its_manifest_is_refused() {
    let site = TestSite::new(Engine::Sqlite).await;
    let event = event();
    site.apply(&event).await.ok();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("backup");
    site.run(&["backup", words(&file)]).await.ok();
    let mut entries = entries(&file);
    let manifest = entries.remove("manifest.json").unwrap();
    entries.insert("tables/wrong_flags.jsonl".to_owned(), vec![b'1'; BOMB_BYTES]);
    let manifest = ("manifest.json".to_owned(), manifest);
    let entries: Vec<_> = entries.into_iter().chain([manifest]).collect();
    std::fs::write(&file, packed(&entries, tar::EntryType::Regular)).unwrap();
    let small = std::fs::metadata(&file).unwrap().len();
    assert!(small < 4 * 1024 * 1024, "{small} bytes");
    let to = TestSite::bare(Engine::Sqlite).await;
    // The system kills the process if it writes a file larger than a few megabytes.
    let restore = to.command(&["restore", words(&file)]);
    let done = crate::process::run(crate::process::under_limit("-f 32768", &restore)).await;
    done.fails("the members differ from the manifest");
    assert_eq!(std::fs::read_dir(to.data()).unwrap().count(), 0, "nothing is left");
}
