//! Files left behind by `flagship backup` and `restore` if the disk is full, if the process is
//! killed, or if the folder contains other files.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, SystemTime};

use flagship_testkit::Engine;
use rand::RngExt;
use sqlx::Connection;
use tokio::process::Command;

use super::backup::{entries, packed, words};
use crate::event::EventFolder;
use crate::faults::{Calls, ENOSPC, Fault, Faults};
use crate::operate::root;
use crate::process::{TestSite, program, run, under_limit};
use crate::{is_torture, until};

/// Number of final writes of a restore that fail one by one: those that move the database's log
/// into its file, and that of the secret.
const LAST_WRITES: i32 = 24;
/// ID of the PostgreSQL lock that `restore` holds while it writes rows.
const JOURNAL_LOCK: i64 = 0x464c_4147;

/// Creates a backup of a small event in a folder; returns its path and the command's output.
async fn backed_up(engine: Engine, folder: &Path) -> (PathBuf, String) {
    let site = TestSite::new(engine).await;
    let event = EventFolder::new();
    event.write("challenges/one/dist/page.html", "<h1>Hello</h1>");
    event.challenge("one", "type: standard\nvalue: 100\nfiles: [dist/page.html]");
    site.apply(&event).await.ok();
    site.import(20).await;
    let file = folder.join("event.backup");
    let said = site.run(&["backup", words(&file)]).await.ok();
    (file, said)
}

/// The names in a folder.
fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

fn mode(path: &Path) -> u32 {
    std::fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_restore_on_a_full_disk_is_complete_or_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (file, said) = backed_up(Engine::Sqlite, folder.path()).await;
    let faults = Faults::new();
    let restore = async |to: &TestSite| {
        let mut command = to.command(&["restore", words(&file)]);
        command.envs(faults.variables());
        run(command).await
    };
    // No call fails: the library only counts the writes.
    faults.begin(Fault { calls: Calls::Writes, errno: ENOSPC, first: i32::MAX, count: 1 });
    restore(&TestSite::bare(Engine::Sqlite).await).await.ok();
    let total = faults.seen();
    let mut refused = 0;
    assert!(total > 2 * LAST_WRITES, "{total} writes");
    let begin = if is_torture() { 1 } else { total - LAST_WRITES };
    for first in [1, total / 2].into_iter().chain(begin..=total) {
        for count in [1, i32::MAX] {
            let to = TestSite::bare(Engine::Sqlite).await;
            faults.begin(Fault { calls: Calls::Writes, errno: ENOSPC, first, count });
            let done = restore(&to).await;
            faults.end();
            if done.code != Some(0) {
                assert_eq!(done.code, Some(1), "write {first} of {total}: {done:?}");
                assert_eq!(names(to.data()), [""; 0], "write {first} of {total}: {done:?}");
                refused += 1;
                // Without the fault, a restore to the same folder succeeds.
                restore(&to).await.ok();
            }
            let again = folder.path().join("again");
            let copied = to.run(&["backup", words(&again)]).await;
            assert_eq!(copied.out, said, "write {first} of {total}: {done:?} {copied:?}");
            std::fs::remove_file(again).unwrap();
        }
    }
    assert!(refused > LAST_WRITES, "{refused} were refused");
    eprintln!("figures: {total} writes, {refused} restores refused");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_restore_to_postgresql_puts_the_secret_in_place_before_the_rows() {
    let folder = tempfile::tempdir().unwrap();
    let (file, _) = backed_up(Engine::Postgres, folder.path()).await;
    let to = TestSite::bare(Engine::Postgres).await;
    let url = to.test.url.clone().unwrap();
    let mut conn = sqlx::PgConnection::connect(&url).await.unwrap();
    let lock = sqlx::query("select pg_advisory_lock($1)").bind(JOURNAL_LOCK);
    lock.execute(&mut conn).await.unwrap();
    let mut command = to.command(&["restore", words(&file)]);
    let mut waiting = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    until("secret and attachments are in place", async || {
        to.file("secret").exists() && to.file("files").is_dir()
    })
    .await;
    waiting.kill().await.unwrap();
    let done = to.run(&["restore", words(&file)]).await;
    done.fails("was interrupted. If `flagship journal verify` succeeds, just delete");
    assert!(done.err.contains("/.restore-"), "{done:?}");
    conn.close().await.unwrap();
    // No row was written, so a restore to the same database and another folder succeeds.
    let data = folder.path().join("data");
    let mut command = program(&["restore", words(&file)]);
    command.arg("--data").arg(&data).args(["--database", &url]);
    run(command).await.ok();
    let mut left = names(&data);
    left.sort();
    assert_eq!(left, ["files", "secret"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_folder_with_something_in_it_keeps_its_mode() {
    let folder = tempfile::tempdir().unwrap();
    let event = EventFolder::new();
    let (file, _) = backed_up(Engine::Sqlite, folder.path()).await;
    let (shared, new) = (folder.path().join("shared"), folder.path().join("new"));
    std::fs::create_dir(&shared).unwrap();
    std::fs::write(shared.join("of another program"), "").unwrap();
    std::fs::set_permissions(&shared, std::fs::Permissions::from_mode(0o755)).unwrap();
    let into = async |folder: &Path, words: &[&str]| {
        let mut command = program(words);
        command.arg("--data").arg(folder);
        run(command).await
    };
    into(&shared, &["restore", words(&file)]).await.fails("is not empty");
    assert_eq!((mode(&shared), names(&shared).len()), (0o755, 1));
    into(&shared, &["apply", "--event", event.dir()]).await.ok();
    assert_eq!(mode(&shared), 0o755);
    into(&new, &["restore", words(&file)]).await.ok();
    assert_eq!(mode(&new), 0o700);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_cannot_write_control_characters_to_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let (file, _) = backed_up(Engine::Sqlite, folder.path()).await;
    let mut members = entries(&file);
    let manifest = members.remove("manifest.json").unwrap();
    let mut manifest: serde_json::Value = serde_json::from_slice(&manifest).unwrap();
    manifest["format"] = 99.into();
    manifest["flagship"] = "\u{1b}[2J9.9".into();
    let manifest = ("manifest.json".to_owned(), manifest.to_string().into_bytes());
    let members: Vec<_> = members.into_iter().chain([manifest]).collect();
    std::fs::write(&file, packed(&members, tar::EntryType::Regular)).unwrap();
    let to = TestSite::bare(Engine::Sqlite).await;
    let site = TestSite::new(Engine::Sqlite).await;
    for done in [
        to.run(&["restore", words(&file)]).await,
        site.run(&["journal", "verify", "--against", words(&file)]).await,
    ] {
        done.fails("it was written by a newer Flagship (\"\\u{1b}[2J9.9\")");
        assert!(!done.err.contains('\u{1b}'), "{done:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_service_deletes_what_a_killed_backup_left() {
    let site = TestSite::new(Engine::Sqlite).await;
    let event = EventFolder::new();
    let mut noise = vec![0; 1024 * 1024];
    crate::seeded().fill(&mut noise[..]);
    event.write("challenges/one/dist/noise", "");
    std::fs::write(event.file("challenges/one/dist/noise"), noise).unwrap();
    event.challenge("one", "type: standard\nvalue: 100\nfiles: [dist/noise]");
    site.apply(&event).await.ok();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("event.backup");
    let backup = site.command(&["backup", words(&file)]);
    // The system kills the process when the file reaches some hundred kilobytes.
    let done = run(under_limit("-f 512", &backup)).await;
    assert_eq!(done.code, None, "{done:?}");
    let left = names(folder.path());
    assert!(left.len() == 1 && left[0].starts_with(".event.backup."), "{left:?}");
    run(backup).await.ok();
    let service = std::fs::read_to_string(root().join("deploy/flagship-backup.service")).unwrap();
    let line = service.lines().find_map(|line| line.strip_prefix("ExecStartPre=-")).unwrap();
    let script = line.replace("/var/lib/flagship-backups", words(folder.path()));
    let clean = async || {
        let done = Command::new("sh").args(["-c", &script]).output().await.unwrap();
        assert!(done.status.success() && done.stderr.is_empty(), "{done:?}");
        names(folder.path())
    };
    assert_eq!(clean().await.len(), 2, "a backup may still be written");
    let partial = std::fs::File::options().write(true).open(folder.path().join(&left[0])).unwrap();
    partial.set_modified(SystemTime::now() - Duration::from_secs(2 * 3600)).unwrap();
    assert_eq!(clean().await, ["event.backup"]);
}
