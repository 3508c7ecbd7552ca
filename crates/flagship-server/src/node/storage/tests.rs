//! Behavior of every kind of storage: a folder, the database of both engines, and a bucket on a
//! real server.

use std::collections::{BTreeMap, HashSet};
use std::io::{ErrorKind, SeekFrom, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use data_encoding::HEXLOWER;
use flagship_store::attachments::{self, PIECE_BYTES, upload_notes};
use flagship_testkit::{TestBucket, TestDb, on_both_engines};
use object_store::aws::AmazonS3Builder;
use sha2::{Digest, Sha256};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncSeekExt};

use super::bucket::Bucket;
use super::condition::Condition;
use super::content::Content;
use super::location::Location;
use super::move_files::move_all;
use super::shared::SharedStorage;
use super::store::Storage;

const DAY_MS: i64 = 24 * 3_600_000;
const PIECE: usize = PIECE_BYTES as usize;

/// Bytes that differ from piece to piece.
fn content(length: usize) -> Vec<u8> {
    (0..length).map(|i| (i / 251 + i) as u8).collect()
}

fn digest_of(content: &[u8]) -> String {
    HEXLOWER.encode(&Sha256::digest(content))
}

async fn put(storage: &Storage, content: &[u8]) -> String {
    let mut file = storage.new_partial().expect("a file");
    file.write_all(content).expect("it is written");
    let digest = digest_of(content);
    storage.put(file, &digest).await.expect("it is stored");
    digest
}

async fn upload(storage: &Storage, content: &[u8], now_ms: i64) -> String {
    let mut file = storage.new_partial().expect("a file");
    file.write_all(content).expect("it is written");
    let digest = digest_of(content);
    storage.keep_upload(file, &digest, now_ms).await.expect("it is stored");
    digest
}

fn in_database(test: &TestDb, data: &Path) -> Storage {
    Storage::open(&Location::Database, &test.db, data).expect("it needs no keys")
}

/// Storage in a bucket, with notes in a database.
fn in_bucket(bucket: &TestBucket, test: &TestDb, data: &Path) -> Storage {
    below(bucket, "", test, data)
}

/// Storage below a prefix of a bucket.
fn below(bucket: &TestBucket, prefix: &str, test: &TestDb, data: &Path) -> Storage {
    // Fails if another test of this process has installed it.
    drop(rustls::crypto::ring::default_provider().install_default());
    let url = bucket.url.replace('?', &format!("{prefix}?"));
    let Ok(Location::Bucket(url)) = url.parse() else { panic!("it is a bucket") };
    let [(_, id), (_, secret)] = TestBucket::KEYS;
    let keys = AmazonS3Builder::new().with_access_key_id(id).with_secret_access_key(secret);
    let content = Content::Bucket(Bucket::with(keys, &url).expect("the keys are there"));
    let (db, partials) = (test.db.clone(), data.join("files"));
    Storage::Shared(Arc::new(SharedStorage { db, content, partials }))
}

/// Stores other bytes of the same number than the digest says, as on a damaged disk.
async fn damage(test: &TestDb, digest: &str, bytes: &[u8]) {
    attachments::remove(&test.db, digest).await.expect("it is removed");
    let begun = attachments::begin(&test.db, digest, bytes.len() as u64, 1).await;
    assert!(begun.expect("it begins"));
    assert!(attachments::put(&test.db, digest, 0, &[bytes]).await.expect("it is written"));
    assert!(attachments::complete(&test.db, digest, 1).await.expect("it is complete"));
}

/// The behavior that all kinds share.
async fn behaves(storage: &Storage) {
    stores_files_of_all_sizes(storage).await;
    reads_from_any_position(storage).await;
    removes_unused_uploads(storage).await;
    knows_uploaders(storage).await;
    refuses_what_is_no_file(storage).await;
    let before = storage.list().await.expect("it is listed");
    storage.check().await.expect("it is writable");
    assert_eq!(storage.list().await.expect("it is listed"), before, "a check leaves nothing");
    let partials = std::fs::read_dir(storage.partials()).into_iter().flatten().flatten();
    let mut names = partials.map(|it| it.file_name().into_string().expect("text"));
    assert!(!names.any(|name| name.ends_with(".part")), "nothing unfinished is left");
}

async fn stores_files_of_all_sizes(storage: &Storage) {
    let large = 9 * 1024 * 1024 + 1;
    let mut stored = BTreeMap::new();
    for length in [0, 1, PIECE - 1, PIECE, PIECE + 1, 3 * PIECE + 17, large] {
        let content = content(length);
        let digest = put(storage, &content).await;
        assert_eq!(put(storage, &content).await, digest, "a second time changes nothing");
        assert_eq!(storage.bytes(&digest).await.expect("known"), Some(length as u64));
        assert!(storage.read(&digest).await.expect("readable") == content, "{length} bytes");
        stored.insert(digest, length as u64);
    }
    let expected: Vec<_> = stored.clone().into_iter().collect();
    assert_eq!(storage.list().await.expect("it is listed"), expected);
    for digest in stored.keys() {
        storage.remove(digest).await.expect("it is removed");
        storage.remove(digest).await.expect("a second time changes nothing");
        assert_eq!(storage.bytes(digest).await.expect("known"), None);
    }
}

async fn reads_from_any_position(storage: &Storage) {
    let content = content(3 * PIECE + 17);
    let digest = put(storage, &content).await;
    let mut file = storage.file(&digest).await.expect("it is there");
    assert_eq!(file.bytes(), content.len() as u64);
    for from in [0, 1, PIECE - 1, PIECE, 2 * PIECE + 5, content.len() - 1, content.len()] {
        file.seek(SeekFrom::Start(from as u64)).await.expect("it is inside");
        let mut read = Vec::new();
        file.read_to_end(&mut read).await.expect("readable");
        assert!(read == content[from..], "from {from}");
    }
    storage.remove(&digest).await.expect("it is removed");
}

async fn removes_unused_uploads(storage: &Storage) {
    let from_files = put(storage, b"from the event files").await;
    assert_eq!(upload(storage, b"from the event files", 0).await, from_files, "without a note");
    let used = upload(storage, b"used", 0).await;
    let unused = upload(storage, b"unused", 0).await;
    let claimed = upload(storage, b"claimed", 0).await;
    let kept = upload(storage, b"kept for good", 0).await;
    storage.delete_note(&kept).await.expect("it is deleted");
    storage.restart_note(&claimed, 1).await.expect("it is restarted");
    assert!(storage.due(DAY_MS - 1).await.expect("readable").is_empty(), "a day has not passed");
    let mut due = storage.due(DAY_MS).await.expect("readable");
    due.sort();
    let mut expected = vec![used.clone(), unused.clone()];
    expected.sort();
    assert_eq!(due, expected);
    let in_use = HashSet::from([used.clone()]);
    storage.forget(due, in_use, DAY_MS).await.expect("it is removed");
    let left = storage.list().await.expect("listed").into_iter();
    let left: HashSet<String> = left.map(|(digest, _)| digest).collect();
    let expected = HashSet::from([from_files, used, claimed.clone(), kept]);
    assert_eq!(left, expected, "only the unused upload is removed");
    assert_eq!(storage.due(DAY_MS + 1).await.expect("readable"), std::slice::from_ref(&claimed));
    // An upload that is claimed after it was found stays.
    storage.restart_note(&claimed, DAY_MS).await.expect("it is restarted");
    let due = vec![claimed.clone()];
    storage.forget(due, HashSet::new(), DAY_MS + 1).await.expect("nothing is removed");
    assert!(storage.bytes(&claimed).await.expect("known").is_some());
    for digest in left {
        storage.remove(&digest).await.expect("it is removed");
        storage.delete_note(&digest).await.expect("it is deleted");
    }
}

async fn knows_uploaders(storage: &Storage) {
    let digest = digest_of(b"of Ada");
    storage.note_by(&digest, "Ada", 5).await.expect("it is written");
    let is_by = async |by, now_ms| storage.is_by(&digest, by, now_ms).await.expect("readable");
    assert!(is_by("Ada", 5).await);
    assert!(!is_by("Bob", 5).await);
    assert!(!is_by("Ada", 5 + DAY_MS).await, "a day has passed");
    storage.due(5 + DAY_MS).await.expect("readable");
    assert!(!is_by("Ada", 5).await, "the note is removed");
}

async fn refuses_what_is_no_file(storage: &Storage) {
    for digest in ["", "../secret", "ab", &"A".repeat(64), &"a".repeat(64)] {
        assert_eq!(storage.bytes(digest).await.expect("known"), None, "{digest}");
        let error = storage.file(digest).await.err().expect(digest);
        assert_eq!(error.kind(), ErrorKind::NotFound, "{digest}");
    }
}

/// A file with other bytes than its digest is not stored.
async fn verifies(storage: &Storage) {
    for length in [7, 9 * 1024 * 1024] {
        let mut file = storage.new_partial().expect("a file");
        file.write_all(&content(length)).expect("it is written");
        let digest = digest_of(b"other bytes");
        let error = storage.put(file, &digest).await.expect_err("other bytes").to_string();
        assert!(error.contains("changed while it was being stored"), "{error}");
        assert_eq!(storage.bytes(&digest).await.expect("known"), None);
    }
}

#[tokio::test]
async fn a_folder_stores_files() {
    let data = tempfile::tempdir().expect("a folder");
    behaves(&Storage::folder(data.path())).await;
}

on_both_engines! {
    async fn a_database_stores_files(engine: Engine) {
        let test = TestDb::new(engine).await;
        let data = tempfile::tempdir().expect("a folder");
        let storage = in_database(&test, data.path());
        behaves(&storage).await;
        verifies(&storage).await;
    }

    async fn a_bucket_stores_files(engine: Engine) {
        let test = TestDb::new(engine).await;
        let bucket = TestBucket::new();
        let data = tempfile::tempdir().expect("a folder");
        let storage = in_bucket(&bucket, &test, data.path());
        behaves(&storage).await;
        verifies(&storage).await;
    }

    async fn what_is_left_of_an_interrupted_store_is_invisible_and_removed(engine: Engine) {
        let test = TestDb::new(engine).await;
        let data = tempfile::tempdir().expect("a folder");
        let storage = in_database(&test, data.path());
        let content = content(2 * PIECE);
        let digest = digest_of(&content);
        let begin = attachments::begin(&test.db, &digest, 2 * PIECE_BYTES, 0);
        assert!(begin.await.expect("it begins"));
        let pieces = [&content[..PIECE]];
        let first = attachments::put(&test.db, &digest, 0, &pieces);
        assert!(first.await.expect("it is written"));
        let complete = attachments::complete(&test.db, &digest, 2).await;
        assert!(!complete.expect("it is checked"), "a piece is missing");
        assert_eq!(storage.bytes(&digest).await.expect("known"), None);
        storage.due(DAY_MS + 1).await.expect("it is swept");
        let pieces = test.rows::<(i64,)>("select count(*) from attachment_pieces").await;
        assert_eq!(pieces, [(0,)]);
        assert_eq!(put(&storage, &content).await, digest);
        assert!(storage.read(&digest).await.expect("readable") == content);
    }

    async fn an_interrupted_move_loses_nothing_and_can_be_repeated(engine: Engine) {
        let test = TestDb::new(engine).await;
        let data = tempfile::tempdir().expect("a folder");
        let bucket = TestBucket::new();
        let folder = Storage::folder(data.path());
        let database = in_database(&test, data.path());
        let bucket = in_bucket(&bucket, &test, data.path());
        let mut files = BTreeMap::new();
        for number in 0..20_usize {
            let content = content(PIECE * number / 4 + number);
            files.insert(put(&folder, &content).await, content);
        }
        let uploaded = upload(&folder, b"uploaded", 7).await;
        files.insert(uploaded.clone(), b"uploaded".to_vec());
        for (from, to) in [(&folder, &database), (&database, &bucket), (&bucket, &folder)] {
            for round in 0..30 {
                let limit = Duration::from_millis(5 * round);
                let ended = tokio::time::timeout(limit, move_all(from, to)).await;
                for digest in files.keys() {
                    let there = to.bytes(digest).await.expect("known");
                    let here = from.bytes(digest).await.expect("known");
                    assert!(there.or(here).is_some(), "{digest} is lost");
                }
                if let Ok(moved) = ended {
                    moved.expect("it is moved");
                    break;
                }
            }
            move_all(from, to).await.expect("it is moved");
            assert!(from.list().await.expect("listed").is_empty(), "all files were moved");
            assert_eq!(to.due(7 + DAY_MS).await.expect("readable"), [uploaded.as_str()]);
            for (digest, content) in &files {
                assert!(to.read(digest).await.expect("readable") == *content, "{digest}");
            }
        }
    }

    async fn a_move_to_the_same_place_is_refused(engine: Engine) {
        let test = TestDb::new(engine).await;
        let data: TempDir = tempfile::tempdir().expect("a folder");
        let database = in_database(&test, data.path());
        let folder = Storage::folder(data.path());
        let other_name = Storage::folder(&data.path().join("."));
        for (from, to) in [(&folder, &other_name), (&database, &database)] {
            let digest = put(from, b"file").await;
            let error = move_all(from, to).await.expect_err("the same").to_string();
            assert!(error.contains("the same storage"), "{error}");
            assert_eq!(from.read(&digest).await.expect("readable"), b"file");
        }
    }

    async fn a_damaged_file_stays_where_it_is(engine: Engine) {
        let test = TestDb::new(engine).await;
        let data = tempfile::tempdir().expect("a folder");
        let folder = Storage::folder(data.path());
        let database = in_database(&test, data.path());
        let whole = put(&folder, b"whole").await;
        let damaged = put(&folder, b"damaged").await;
        std::fs::write(folder.partials().join(&damaged), "changed").expect("it is written");
        let moved = move_all(&folder, &database).await.expect("it is moved");
        assert_eq!((moved.files, &moved.damaged), (1, &vec![damaged.clone()]));
        assert_eq!(database.read(&whole).await.expect("readable"), b"whole");
        assert_eq!(folder.list().await.expect("listed"), [(damaged, 7)]);
    }
}

on_both_engines! {
    async fn a_damaged_file_is_replaced_by_a_move_and_by_an_upload(engine: Engine) {
        let test = TestDb::new(engine).await;
        let data = tempfile::tempdir().expect("a folder");
        let folder = Storage::folder(data.path());
        let database = in_database(&test, data.path());
        let digest = put(&folder, b"whole").await;
        damage(&test, &digest, b"other").await;
        assert_eq!(database.condition(&digest).await.expect("readable"), Condition::Damaged);
        let moved = move_all(&folder, &database).await.expect("it is moved");
        assert_eq!((moved.files, moved.damaged), (1, Vec::new()));
        assert_eq!(database.read(&digest).await.expect("readable"), b"whole");
        std::fs::write(folder.partials().join(&digest), "other").expect("it is written");
        move_all(&database, &folder).await.expect("it is moved");
        assert_eq!(folder.read(&digest).await.expect("readable"), b"whole");
        damage(&test, &digest, b"other").await;
        assert_eq!(upload(&database, b"whole", 0).await, digest);
        assert_eq!(database.read(&digest).await.expect("readable"), b"whole");
    }

    async fn a_bad_or_vanished_file_does_not_stop_a_move(engine: Engine) {
        let test = TestDb::new(engine).await;
        let data = tempfile::tempdir().expect("a folder");
        let folder = Storage::folder(data.path());
        let database = in_database(&test, data.path());
        let whole = put(&database, b"whole").await;
        let short = put(&database, &content(PIECE + 1)).await;
        test.execute("delete from attachment_pieces where number = 1").await;
        let moved = move_all(&database, &folder).await.expect("it is moved");
        assert_eq!((moved.files, &moved.damaged), (1, &vec![short.clone()]));
        // A link to nothing is listed and cannot be opened, like a file that was just removed.
        let gone = folder.partials().join("ab".repeat(32));
        std::os::unix::fs::symlink("nothing", &gone).expect("it is made");
        let moved = move_all(&folder, &database).await.expect("it is moved");
        assert_eq!((moved.files, moved.damaged), (1, Vec::new()));
        assert_eq!(database.read(&whole).await.expect("readable"), b"whole");
    }

    async fn a_file_that_is_stored_again_is_not_removed_as_abandoned(engine: Engine) {
        let test = TestDb::new(engine).await;
        let data = tempfile::tempdir().expect("a folder");
        let database = in_database(&test, data.path());
        let digest = digest_of(b"file");
        let db = &test.db;
        let begin = async |now_ms| attachments::begin(db, &digest, 4, now_ms).await;
        assert!(begin(0).await.expect("it begins"));
        assert_eq!(attachments::abandoned(db, 5).await.expect("readable"), [digest.as_str()]);
        // Another node begins again before this one removes the file.
        assert!(begin(7).await.expect("it begins"));
        let put = attachments::put(db, &digest, 0, &[b"file"]).await;
        assert!(put.expect("it is written"));
        attachments::remove_abandoned(db, &digest, 5).await.expect("nothing is removed");
        assert!(attachments::complete(db, &digest, 1).await.expect("it is complete"));
        attachments::remove_abandoned(db, &digest, 9).await.expect("nothing is removed");
        assert_eq!(database.read(&digest).await.expect("readable"), b"file");
        // A slower writer does not change the complete file.
        let put = attachments::put(db, &digest, 0, &[b"else"]).await;
        assert!(!put.expect("nothing is written"));
        assert_eq!(database.read(&digest).await.expect("readable"), b"file");
    }

    async fn an_interrupted_removal_of_a_used_file_ends(engine: Engine) {
        let test = TestDb::new(engine).await;
        let data = tempfile::tempdir().expect("a folder");
        let database = in_database(&test, data.path());
        let digest = upload(&database, b"file", 0).await;
        let times = (DAY_MS, 0);
        let begun = upload_notes::begin_removal(&test.db, &digest, times, DAY_MS).await;
        assert!(begun.expect("it begins"));
        let late = 2 * DAY_MS;
        let due = database.due(late).await.expect("readable");
        assert_eq!(due, std::slice::from_ref(&digest));
        let used = HashSet::from([digest.clone()]);
        database.forget(due, used, late).await.expect("its note is deleted");
        assert!(database.due(2 * late).await.expect("readable").is_empty());
        assert_eq!(database.read(&digest).await.expect("readable"), b"file");
        database.restart_note(&digest, late).await.expect("it can be claimed again");
    }

    async fn events_with_other_prefixes_share_a_bucket(engine: Engine) {
        let test = TestDb::new(engine).await;
        let data = tempfile::tempdir().expect("a folder");
        let server = TestBucket::new();
        let prefixes = ["", "/files", "/spring", "/spring/trial"];
        let events = prefixes.map(|prefix| below(&server, prefix, &test, data.path()));
        let mut digests = Vec::new();
        for event in &events {
            put(event, b"the same file").await;
        }
        for (event, prefix) in events.iter().zip(prefixes) {
            digests.push(put(event, prefix.as_bytes()).await);
        }
        for (event, digest) in events.iter().zip(&digests) {
            let listed = event.list().await.expect("listed");
            assert_eq!(listed.len(), 2, "{listed:?}");
            assert!(event.bytes(digest).await.expect("known").is_some());
        }
        for (digest, _) in events[0].list().await.expect("listed") {
            events[0].remove(&digest).await.expect("it is removed");
        }
        for event in &events[1..] {
            assert_eq!(event.list().await.expect("listed").len(), 2);
        }
    }
}

#[tokio::test]
async fn a_bucket_without_keys_or_server_is_explained() {
    drop(rustls::crypto::ring::default_provider().install_default());
    let Ok(Location::Bucket(url)) = "s3://ctf?endpoint=http://127.0.0.1:9".parse() else {
        panic!("it is a bucket")
    };
    let error = Bucket::with(AmazonS3Builder::new(), &url).err().expect("keys are missing");
    assert!(error.contains("AWS_ACCESS_KEY_ID"), "{error}");
    let [(_, id), (_, secret)] = TestBucket::KEYS;
    let keys = AmazonS3Builder::new().with_access_key_id(id).with_secret_access_key(secret);
    let bucket = Bucket::with(keys, &url).expect("the keys are there");
    let error = bucket.check().await.expect_err("nothing listens").to_string();
    assert!(!error.contains(id) && !error.contains(secret), "{error}");
    assert!(error.contains("127.0.0.1:9"), "{error}");
}

#[tokio::test]
async fn rejected_keys_are_explained() {
    drop(rustls::crypto::ring::default_provider().install_default());
    let server = TestBucket::new();
    let Ok(Location::Bucket(url)) = server.url.parse() else { panic!("it is a bucket") };
    let other = "AKIANOTKNOWN";
    let keys = AmazonS3Builder::new().with_access_key_id(other).with_secret_access_key("secret-2");
    let bucket = Bucket::with(keys, &url).expect("the keys are there");
    let error = bucket.check().await.expect_err("the server knows no such key").to_string();
    assert!(error.contains("the keys are wrong or lack a permission"), "{error}");
    assert!(!error.contains(other) && !error.contains("secret-2"), "{error}");
}
