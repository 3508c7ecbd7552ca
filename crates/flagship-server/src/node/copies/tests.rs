use std::io::Write;

use data_encoding::HEXLOWER;
use flagship_game::Entry;
use flagship_game::facts::{self, Fact};
use flagship_store::Clock;
use flagship_store::challenges::Flag;
use flagship_store::lane::Writer;
use flagship_store::ops::{Actor, Op, Plan};
use flagship_testkit::player::{draft, event};
use flagship_testkit::{TestDb, on_both_engines, until};
use futures_util::future::join_all;
use sha2::{Digest, Sha256};
use tempfile::TempDir;
use tokio::io::AsyncReadExt;
use tokio::time::timeout;

use super::template::PIECE_BYTES;
use super::*;

const FLAG: &str = "flag{own}";

/// An empty storage, and its folder.
fn storage() -> (Storage, TempDir) {
    let data = tempfile::tempdir().expect("a folder");
    (Storage::folder(data.path()), data)
}

/// Stores a file, and returns its digest.
async fn put(storage: &Storage, content: &[u8]) -> String {
    let digest = HEXLOWER.encode(&Sha256::digest(content));
    let mut file = storage.new_partial().expect("a file");
    file.write_all(content).expect("it is written");
    storage.put(file, &digest).await.expect("it is stored");
    digest
}

/// Text that is longer than two pieces, with placeholders at its ends and at the end of a piece.
fn text() -> String {
    let placeholder = flagship_pack::team_copy::PLACEHOLDER;
    let before = "x".repeat(PIECE_BYTES - FLAG.len() - 3);
    let after = "y".repeat(PIECE_BYTES * 2);
    format!("{placeholder}{before}{placeholder}{after}{placeholder}")
}

#[tokio::test]
async fn a_template_is_written_once_even_if_clients_disconnect() {
    let (storage, _data) = storage();
    let digest = put(&storage, text().as_bytes()).await;
    let templates = Templates::new(storage.clone());
    for _ in 0..20 {
        drop(timeout(Duration::from_micros(1), templates.get(&digest, FLAG.len())).await);
    }
    let written = join_all((0..20).map(|_| templates.get(&digest, FLAG.len()))).await;
    let first = written[0].as_ref().expect("it is written");
    for template in &written {
        assert!(Arc::ptr_eq(first, template.as_ref().expect("it is written")));
    }
    let longer = templates.get(&digest, FLAG.len() + 1).await.expect("it is written");
    assert_eq!(longer.bytes(), first.bytes() + 3, "another length has another template");
}

#[tokio::test]
async fn a_copy_is_read_from_any_position() {
    let (storage, _data) = storage();
    let digest = put(&storage, text().as_bytes()).await;
    let template = Templates::new(storage).get(&digest, FLAG.len()).await.expect("it is written");
    let filling = Arc::new(template.fill(FLAG));
    let digest = template.digest(&filling).expect("readable");
    let expected = text().replace(flagship_pack::team_copy::PLACEHOLDER, FLAG);
    assert_eq!(digest.bytes, expected.len() as u64);
    assert_eq!(digest.sha256, HEXLOWER.encode(&Sha256::digest(&expected)));
    let copy = TeamCopy { template, filling, digest };
    let near_pieces = (0..FLAG.len() + 8).map(|before| PIECE_BYTES + 4 - before);
    for at in near_pieces.chain([0, 1, expected.len() - 1, expected.len(), expected.len() + 1]) {
        let mut reader = copy.read();
        let from = std::io::SeekFrom::Start(at as u64);
        tokio::io::AsyncSeekExt::seek(&mut reader, from).await.expect("it has positions");
        let mut read = String::new();
        reader.read_to_string(&mut read).await.expect("readable");
        assert!(read == expected.get(at..).unwrap_or_default(), "from {at}");
    }
}

#[tokio::test]
async fn a_file_that_cannot_have_copies_is_not_tried_at_each_request() {
    let (storage, data) = storage();
    let missing = "ab".repeat(32);
    let binary = put(&storage, b"\0{{team_flag}}").await;
    let damaged = put(&storage, b"{{team_flag}}").await;
    std::fs::write(data.path().join("files").join(&damaged), "changed").expect("it is written");
    let templates = Templates::new(storage);
    assert!(!templates.fail());
    for (digest, is_expected) in [
        (&missing, (|error| matches!(error, CopyError::NoFile)) as fn(&CopyError) -> bool),
        (&damaged, |error| matches!(error, CopyError::NoFile)),
        (&binary, |error| matches!(error, CopyError::Template(_))),
    ] {
        let error = templates.get(digest, 5).await.err().expect("it cannot have copies");
        assert!(is_expected(&error), "{error}");
        let again = templates.get(digest, 5).await.err().expect("it cannot have copies");
        assert!(matches!(again, CopyError::FailedBefore), "{again}");
        assert!(templates.fail(), "organizers see a warning");
    }
}

#[tokio::test]
async fn a_template_leaves_space_for_the_database() {
    let (storage, _data) = storage();
    storage.check_space(1, 1).expect("there is space");
    let error = storage.check_space(u64::MAX / 2, u64::MAX / 2).expect_err("there is less");
    assert_eq!(error.kind(), std::io::ErrorKind::StorageFull);
}

#[tokio::test]
async fn templates_that_were_not_used_are_removed() {
    let (storage, _data) = storage();
    let templates = Templates::new(storage.clone());
    let used = put(&storage, b"used {{team_flag}}").await;
    let first = templates.get(&used, 5).await.expect("it is written");
    let unused = put(&storage, b"unused {{team_flag}}").await;
    let other = Arc::downgrade(&templates.get(&unused, 5).await.expect("it is written"));
    for number in 0..template::KEPT_MAX {
        let digest = put(&storage, format!("{number} {{{{team_flag}}}}").as_bytes()).await;
        templates.get(&digest, 5).await.expect("it is written");
        let again = templates.get(&used, 5).await.expect("it is kept");
        assert!(Arc::ptr_eq(&first, &again));
    }
    assert!(other.upgrade().is_none(), "its file is closed");
}

on_both_engines! {
    async fn digests_are_computed_before_teams_ask_for_them(engine: Engine) {
        let test = TestDb::new(engine).await;
        let (storage, _data) = storage();
        let attachment = Attachment {
            name: "a.txt".to_owned(),
            digest: put(&storage, text().as_bytes()).await,
            bytes: text().len() as u64,
            picture: None,
            per_team: true,
        };
        let mut pier = draft("pier");
        pier.hidden = true;
        pier.flags = vec![Flag::Team("flag{pier_[TEAM]}".to_owned())];
        pier.challenge.attachments = vec![attachment.clone()];
        let id = pier.challenge.id.clone();
        let key = Key::new(b"secret");
        let writer = Writer::open(test.reopen().await, &key, Clock::manual(0)).await;
        let mut writer = writer.expect("the database opens");
        let plan = Op::Apply(Box::new(Plan::new(event(), vec![pier])));
        writer.step(&[plan.by(Actor::CommandLine)]).await.expect("the step is written");
        let mut contest = writer.contest().clone();
        let teams = [TeamId(1), TeamId(2)];
        for team in teams {
            let name = format!("Team {}", team.0);
            let country = "UN".to_owned();
            let divisions = Vec::new();
            let fact = Fact::from(facts::Team { team, name, country, hidden: false, divisions });
            let entry = Entry { seq: contest.seq() + 1, at_ms: 1, fact };
            contest.fold(&entry).expect("the entry has the next number");
        }
        let feed = Arc::new(Feed::new("test", &contest));
        let flags = Flags::open(test.db.clone(), writer.seal().clone(), feed.clone()).await;
        let copies = Copies::new(&key, Arc::new(flags.expect("readable")), storage);
        let is_known = |team| copies.known_digest(team, &id, &attachment).is_some();
        assert!(!teams.into_iter().any(is_known));
        tokio::select! {
            () = copies.prepare(&feed) => unreachable!("it runs forever"),
            () = until("all digests are known", async || teams.into_iter().all(is_known)) => {}
        }
    }
}
