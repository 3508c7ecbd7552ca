//! Files that organizers upload. They are stored with the attachments, named by digest. An uploaded
//! file has a note with the time of its upload. The note is removed when a challenge or the
//! branding uses the file. A file whose note is a day old is removed if nothing uses it. Files
//! without a note are never removed: they came with the event files, or were used at some time. For
//! a day, a second note names the organizer who uploaded the file.

use std::collections::{HashMap, HashSet};
use std::io::{self, Write};
use std::sync::Arc;
use std::time::Duration;

use data_encoding::HEXLOWER;
use flagship_actions::{ClaimedFile, Files};
use flagship_game::challenge::is_digest;
use flagship_pack::picture;
use flagship_pack::team_copy::{COPIED_BYTES_MAX, CopyCheck, TemplateError};
use flagship_pack::{ATTACHMENT_BYTES_MAX, FLAG_CHARS_MAX, START_BYTES};
use flagship_store::{Db, StoreError, challenges};
use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use parking_lot::Mutex;
use sha2::{Digest, Sha256};
use tempfile::NamedTempFile;
use tokio::io::AsyncReadExt;
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use super::limits::turns::{Turn, Turns};
use super::report::report;
use super::settings::settings_in;
use super::storage::{Condition, Storage};
use crate::net::shared_work::finish;

/// Maximum concurrent uploads. Each organizer can have one.
const UPLOADS_MAX: usize = 4;
/// Maximum time that an upload waits for its turn.
const WAIT_MAX: Duration = Duration::from_secs(60);
/// Maximum bytes that one organizer may upload per UTC day. Each node counts from its own start.
const DAY_BYTES_MAX: u64 = 10 * 1024 * 1024 * 1024;
/// A day, in milliseconds.
const DAY_MS: i64 = 24 * 3_600_000;
/// Number of bytes that are hashed and written at once.
const CHUNK_BYTES: usize = 256 * 1024;
/// Maximum number of results of checks for copies in memory. Beyond it, all are computed again.
const COPY_CHECKS_MAX: usize = 1000;
/// Maximum length of a flag, in bytes.
const FLAG_BYTES_MAX: usize = FLAG_CHARS_MAX * 4;
/// Free space reserved for the event, in bytes.
const FREE_BYTES_MIN: u64 = 1024 * 1024 * 1024;

/// Uploaded files of an event.
#[derive(Clone)]
pub struct Uploads {
    storage: Storage,
    turns: Arc<Turns>,
    /// Bytes uploaded in one day, by organizer.
    sent: Arc<Mutex<HashMap<i64, Sent>>>,
    /// Results of checks for copies, by digest. A preview needs them at each change of the text.
    copy_checks: Arc<Mutex<HashMap<String, CopyCheck>>>,
    /// Held while a file is checked, so that only one is checked at a time.
    checking: Arc<tokio::sync::Mutex<()>>,
    free_bytes_min: u64,
    file_bytes_max: u64,
    day_bytes_max: u64,
    wait_max: Duration,
}

/// Bytes uploaded by an organizer in one day. The day is counted from the epoch.
#[derive(Clone, Copy)]
struct Sent {
    day: i64,
    bytes: u64,
}

/// The uploading organizer, and the time of the upload.
#[derive(Clone, Copy)]
pub struct Uploader {
    /// The organizer's id.
    pub organizer: i64,
    /// Start of the upload, in epoch milliseconds.
    pub now_ms: i64,
}

/// Reason why an upload is rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UploadError {
    /// Other uploads are in progress.
    Busy,
    /// The organizer has reached the daily limit.
    Day {
        /// Number of seconds until the next day.
        retry_after_s: u64,
    },
    /// The file exceeds the maximum size of an attachment.
    TooLarge,
    /// The file cannot be written, or would leave too little free space. The log has the cause.
    NotWritten,
}

impl From<io::Error> for UploadError {
    fn from(error: io::Error) -> Self {
        report(&error, "failed to store an uploaded file");
        Self::NotWritten
    }
}

/// A stored file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    /// SHA-256 of the file, in hex.
    pub digest: String,
    /// Number of bytes.
    pub bytes: u64,
}

/// An upload in progress. If it is dropped without `finish`, nothing remains of it.
pub struct Upload {
    uploads: Uploads,
    /// Partial file; `None` after a failed write.
    partial: Option<Partial>,
    /// Bytes that are not written yet.
    pending: Vec<u8>,
    bytes: u64,
    by: Uploader,
    _turn: Turn,
}

struct Partial {
    file: NamedTempFile,
    hash: Sha256,
}

impl Uploads {
    /// Creates the uploads to a storage.
    pub fn new(storage: Storage) -> Self {
        Self {
            storage,
            turns: Turns::new(UPLOADS_MAX),
            sent: Arc::default(),
            copy_checks: Arc::default(),
            checking: Arc::default(),
            free_bytes_min: FREE_BYTES_MIN,
            file_bytes_max: ATTACHMENT_BYTES_MAX,
            day_bytes_max: DAY_BYTES_MAX,
            wait_max: WAIT_MAX,
        }
    }

    /// Runs disk operations on a blocking thread.
    async fn on_disk<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Self) -> io::Result<T> + Send + 'static,
    ) -> io::Result<T> {
        let uploads = self.clone();
        let done = spawn_blocking(move || work(&uploads)).await;
        done.unwrap_or_else(|error| Err(io::Error::other(error)))
    }

    /// Begins an upload when it is the organizer's turn. `bytes` is the size, if known.
    pub async fn begin(&self, by: Uploader, bytes: Option<u64>) -> Result<Upload, UploadError> {
        if bytes.is_some_and(|bytes| bytes > self.file_bytes_max) {
            return Err(UploadError::TooLarge);
        }
        self.count(by, bytes.unwrap_or(0), 0)?;
        let turn = timeout(self.wait_max, self.turns.take(by.organizer)).await;
        let _turn = turn.map_err(|_| UploadError::Busy)?;
        let begun = self.on_disk(move |uploads| uploads.new_partial(bytes.unwrap_or(0))).await;
        let partial = Some(begun?);
        Ok(Upload { uploads: self.clone(), partial, pending: Vec::new(), bytes: 0, by, _turn })
    }

    /// Counts bytes of an organizer, unless these and `more` together exceed the daily limit.
    fn count(&self, by: Uploader, more: u64, bytes: u64) -> Result<(), UploadError> {
        let day = by.now_ms.div_euclid(DAY_MS);
        let mut sent = self.sent.lock();
        sent.retain(|_, sent| sent.day >= day);
        let own = sent.entry(by.organizer).or_insert(Sent { day, bytes: 0 });
        if own.bytes.saturating_add(bytes).saturating_add(more) > self.day_bytes_max {
            let left_ms = (day + 1) * DAY_MS - by.now_ms;
            return Err(UploadError::Day { retry_after_s: left_ms.unsigned_abs() / 1000 + 1 });
        }
        own.bytes += bytes;
        Ok(())
    }

    fn new_partial(&self, bytes: u64) -> io::Result<Partial> {
        self.check_space(bytes)?;
        Ok(Partial { file: self.storage.new_partial()?, hash: Sha256::new() })
    }

    /// True if the disk has the free space that is reserved for the event.
    pub async fn has_space(&self) -> bool {
        let checked = self.on_disk(|uploads| uploads.check_space(0)).await;
        !checked.is_err_and(|error| error.kind() == io::ErrorKind::StorageFull)
    }

    fn check_space(&self, bytes: u64) -> io::Result<()> {
        self.storage.check_space(bytes, self.free_bytes_min)
    }

    /// Checks that teams can have copies of a stored file, with flags of any length.
    async fn checked_for_copies(self, digest: String) -> io::Result<CopyCheck> {
        let _checking = self.checking.lock().await;
        if let Some(known) = self.copy_checks.lock().get(&digest) {
            return Ok(known.clone());
        }
        let bytes = self.storage.bytes(&digest).await?.ok_or(io::ErrorKind::NotFound)?;
        if bytes > COPIED_BYTES_MAX {
            return Ok(CopyCheck::Refused(TemplateError::TooLarge.to_string()));
        }
        let create = move |uploads: &Self| {
            uploads.check_space(bytes)?;
            uploads.storage.new_unnamed()
        };
        let unnamed = self.on_disk(create).await?;
        let (condition, mut file) = self.storage.copy_to(&digest, unnamed).await?;
        if !matches!(condition, Condition::Intact) {
            return Err(io::ErrorKind::NotFound.into());
        }
        let check = self.on_disk(move |_| CopyCheck::of(&mut file, FLAG_BYTES_MAX)).await?;
        let mut checks = self.copy_checks.lock();
        if checks.len() >= COPY_CHECKS_MAX {
            checks.clear();
        }
        checks.insert(digest, check.clone());
        Ok(check)
    }

    /// Writes a note about the uploader of a file, which lasts for a day.
    pub async fn note_by(&self, digest: &str, by: &str, now_ms: i64) -> Result<(), UploadError> {
        Ok(self.storage.note_by(digest, by, now_ms).await?)
    }

    /// Marks a file as used by a challenge or by the branding. It is then never removed, because
    /// undoing an edit may need it.
    pub async fn keep_for_good(&self, digest: &str) {
        if is_digest(digest) {
            // Without a note there is nothing to do. A note that remains is removed after a day.
            drop(self.storage.delete_note(digest).await);
        }
    }

    /// Removes files that were uploaded a day ago and that neither a challenge nor the branding
    /// uses.
    pub async fn sweep(&self, db: &Db, now_ms: i64) -> Result<(), StoreError> {
        let due = self.storage.due(now_ms).await;
        let due = due.inspect_err(|error| report(error, "failed to scan uploads"));
        let Ok(due) = due else { return Ok(()) };
        if due.is_empty() {
            return Ok(());
        }
        let used = files_in_use(db).await?;
        let swept = self.storage.forget(due, used, now_ms).await;
        if let Err(error) = swept {
            report(&error, "failed to delete unused uploads");
        }
        Ok(())
    }
}

/// Returns the digests of the files that the challenges and the branding use.
///
/// # Errors
/// Fails if a draft is unreadable, because that draft could use any of the files.
pub async fn files_in_use(db: &Db) -> Result<HashSet<String>, StoreError> {
    let (_, drafts) = challenges::all(db).await?;
    let attachments = drafts.into_iter().flat_map(|draft| draft.challenge.attachments);
    let site = settings_in(db).await?.site;
    let of_site = site.files().map(|file| file.digest.clone());
    Ok(attachments.map(|it| it.digest).chain(of_site).collect())
}

/// Converts the result of a read; `None` if there is no such file.
fn found<T>(read: io::Result<T>) -> io::Result<Option<T>> {
    match read {
        Ok(read) => Ok(Some(read)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

impl Files for Uploads {
    /// Restarts the retention period of an uploaded file.
    fn claim<'a>(
        &'a self,
        digest: &'a str,
        now_ms: i64,
    ) -> BoxFuture<'a, io::Result<Option<ClaimedFile>>> {
        let claimed = async move {
            if !is_digest(digest) {
                return Err(io::Error::from(io::ErrorKind::NotFound));
            }
            // The note comes first: from then on, no node removes the file.
            self.storage.restart_note(digest, now_ms).await?;
            let file = self.storage.file(digest).await?;
            let bytes = file.bytes();
            let mut start = Vec::new();
            file.take(START_BYTES as u64).read_to_end(&mut start).await?;
            Ok(ClaimedFile { bytes, picture: picture::of(&start) })
        };
        claimed.map(found).boxed()
    }

    fn copy_check<'a>(&'a self, digest: &'a str) -> BoxFuture<'a, io::Result<Option<CopyCheck>>> {
        // The work ends even if the client disconnects.
        finish(self.clone().checked_for_copies(digest.to_owned())).map(found).boxed()
    }

    fn bytes<'a>(&'a self, digest: &'a str) -> BoxFuture<'a, io::Result<Option<Vec<u8>>>> {
        self.storage.read(digest).map(found).boxed()
    }

    fn is_by<'a>(
        &'a self,
        digest: &'a str,
        by: &'a str,
        now_ms: i64,
    ) -> BoxFuture<'a, io::Result<bool>> {
        self.storage.is_by(digest, by, now_ms).boxed()
    }
}

impl Upload {
    /// Appends bytes to the file.
    pub async fn add(&mut self, bytes: &[u8]) -> Result<(), UploadError> {
        self.bytes += bytes.len() as u64;
        if self.bytes > self.uploads.file_bytes_max {
            return Err(UploadError::TooLarge);
        }
        self.uploads.count(self.by, 0, bytes.len() as u64)?;
        self.pending.extend_from_slice(bytes);
        if self.pending.len() < CHUNK_BYTES { Ok(()) } else { self.write().await }
    }

    async fn write(&mut self) -> Result<(), UploadError> {
        let mut partial = self.partial.take().ok_or(UploadError::NotWritten)?;
        let pending = std::mem::take(&mut self.pending);
        let written = self.uploads.on_disk(move |uploads| {
            uploads.check_space(pending.len() as u64)?;
            partial.hash.update(&pending);
            partial.file.write_all(&pending)?;
            Ok(partial)
        });
        self.partial = Some(written.await?);
        Ok(())
    }

    /// True if an organizer without an upload waits for a turn.
    pub fn keeps_others_waiting(&self) -> bool {
        self.uploads.turns.has_waiters()
    }

    /// Completes the upload and stores the file.
    pub async fn finish(mut self, now_ms: i64) -> Result<Kept, UploadError> {
        self.write().await?;
        let Partial { file, hash } = self.partial.take().ok_or(UploadError::NotWritten)?;
        let digest = HEXLOWER.encode(&hash.finalize());
        self.uploads.storage.keep_upload(file, &digest, now_ms).await?;
        Ok(Kept { digest, bytes: self.bytes })
    }
}

#[cfg(test)]
mod tests {
    use flagship_game::{Attachment, Event};
    use flagship_store::lane::Writer;
    use flagship_store::ops::{Actor, Op, Plan};
    use flagship_store::{Clock, Key};
    use flagship_testkit::player::{draft, event};
    use flagship_testkit::{TestDb, on_both_engines};
    use futures_util::FutureExt;

    use std::fs;
    use std::path::{Path, PathBuf};

    use super::*;

    /// Separator between digest and organizer in the name of a note about the uploader.
    const BY: &str = "-by-";

    fn in_folder(data: &Path) -> Uploads {
        Uploads::new(Storage::folder(data))
    }

    fn files(data: &tempfile::TempDir) -> PathBuf {
        data.path().join("files")
    }

    fn notes(data: &tempfile::TempDir) -> PathBuf {
        data.path().join("uploads")
    }

    fn note_of(data: &tempfile::TempDir, digest: &str, by: &str) -> PathBuf {
        notes(data).join(format!("{digest}{BY}{}", HEXLOWER.encode(&Sha256::digest(by))))
    }

    fn by(organizer: i64) -> Uploader {
        Uploader { organizer, now_ms: 0 }
    }

    fn names(folder: &Path) -> Vec<String> {
        let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
        let name = |entry: io::Result<fs::DirEntry>| entry.expect("readable").file_name();
        let mut names: Vec<_> = entries.map(|it| name(it).into_string().expect("text")).collect();
        names.sort();
        names
    }

    async fn upload(uploads: &Uploads, bytes: &[u8], now_ms: i64) -> Result<Kept, UploadError> {
        let mut upload = uploads.begin(by(1), None).await?;
        upload.add(bytes).await?;
        upload.finish(now_ms).await
    }

    async fn kept(uploads: &Uploads, bytes: &[u8], now_ms: i64) -> String {
        upload(uploads, bytes, now_ms).await.expect("it is kept").digest
    }

    #[tokio::test]
    async fn what_does_not_fit_is_refused_and_leaves_nothing() {
        let data = tempfile::tempdir().expect("a folder");
        let whole = Uploads { free_bytes_min: 0, ..in_folder(data.path()) };
        let small = Uploads { file_bytes_max: 4, ..whole.clone() };
        let words = "more than a file may have";
        let bytes: &[u8] = b"12345";
        assert_eq!(upload(&small, bytes, 0).await, Err(UploadError::TooLarge), "{words}");
        assert!(matches!(small.begin(by(1), Some(5)).await, Err(UploadError::TooLarge)), "{words}");
        let full = Uploads { free_bytes_min: u64::MAX, ..whole.clone() };
        assert_eq!(upload(&full, b"1", 0).await, Err(UploadError::NotWritten));
        assert_eq!((whole.has_space().await, full.has_space().await), (true, false));
        let mut dropped = whole.begin(by(1), None).await.expect("it begins");
        dropped.add(&vec![1; 3 * CHUNK_BYTES]).await.expect("it is written");
        assert_eq!(names(&files(&data)).len(), 1, "an unfinished file");
        drop(dropped);
        assert!(names(&files(&data)).is_empty() && names(&notes(&data)).is_empty());
        fs::remove_dir(files(&data)).expect("it is empty");
        fs::write(files(&data), "no folder").expect("it is written");
        assert_eq!(upload(&whole, b"1", 0).await, Err(UploadError::NotWritten));
    }

    #[tokio::test]
    async fn an_organizer_who_uploads_much_leaves_turns_to_the_others() {
        let data = tempfile::tempdir().expect("a folder");
        let wait_max = Duration::from_millis(20);
        let uploads = Uploads { free_bytes_min: 0, wait_max, ..in_folder(data.path()) };
        let mut one = uploads.begin(by(1), None).await.expect("it is free");
        let second = uploads.begin(by(1), None).await;
        assert!(matches!(second, Err(UploadError::Busy)), "one organizer has one turn");
        assert!(!one.keeps_others_waiting(), "no other upload is waiting");
        let mut others = Vec::new();
        for organizer in 2..=UPLOADS_MAX {
            others.push(uploads.begin(by(organizer as i64), None).await.expect("a turn is free"));
        }
        let mut late = Box::pin(uploads.begin(by(99), None));
        assert!((&mut late).now_or_never().is_none(), "all turns are taken");
        assert!(one.keeps_others_waiting());
        assert!(matches!(late.await, Err(UploadError::Busy)), "and stay so");
        assert!(!one.keeps_others_waiting(), "it has gone");
        drop(others);
        one.add(b"abc").await.expect("it is written");
        let mut again = uploads.begin(by(2), Some(3)).await.expect("it is free");
        again.add(b"abc").await.expect("it is written");
        let (one, again) = tokio::join!(one.finish(1), again.finish(2));
        let (one, again) = (one.expect("it is kept"), again.expect("it is kept"));
        assert_eq!((&one, one.bytes), (&again, 3), "two of the same bytes are one file");
        assert_eq!(names(&files(&data)), [one.digest]);
        let path = files(&data).join(&again.digest);
        assert_eq!(fs::read(path).expect("it is there"), b"abc");
    }

    #[tokio::test]
    async fn an_organizer_uploads_so_many_bytes_in_a_day() {
        let data = tempfile::tempdir().expect("a folder");
        let limits = in_folder(data.path());
        let uploads = Uploads { free_bytes_min: 0, day_bytes_max: 10, ..limits };
        let at = |organizer, now_ms| Uploader { organizer, now_ms };
        let send = async |by, bytes: &[u8]| {
            let mut upload = uploads.begin(by, None).await?;
            upload.add(bytes).await?;
            upload.finish(0).await.map(drop)
        };
        assert_eq!(send(at(1, 0), b"123456").await, Ok(()));
        let full = Err(UploadError::Day { retry_after_s: 61 });
        let late = at(1, DAY_MS - 60_000);
        assert_eq!(send(late, b"12345").await, full, "the eleventh byte of a day");
        let known = uploads.begin(late, Some(5)).await;
        assert_eq!(known.err(), full.err(), "it is refused before it is sent");
        assert_eq!(send(at(1, 0), b"1234").await, Ok(()), "what fits is kept");
        assert_eq!(send(at(2, 0), b"0123456789").await, Ok(()), "another organizer");
        assert_eq!(send(at(1, DAY_MS), b"0123456789").await, Ok(()), "the next day");
    }

    #[tokio::test]
    async fn a_note_that_cannot_be_removed_stops_no_sweep() {
        let data = tempfile::tempdir().expect("a folder");
        let uploads = Uploads { free_bytes_min: 0, ..in_folder(data.path()) };
        let unused = kept(&uploads, b"unused", 0).await;
        // A folder cannot be removed as a file.
        fs::create_dir(notes(&data).join(format!("{unused}{BY}1"))).expect("it is made");
        assert_eq!(uploads.storage.due(DAY_MS).await.expect("the notes are read"), [unused]);
    }

    #[tokio::test]
    async fn a_note_about_an_uploader_is_removed_after_a_day() {
        let data = tempfile::tempdir().expect("a folder");
        let uploads = Uploads { free_bytes_min: 0, ..in_folder(data.path()) };
        let digest = kept(&uploads, b"file", 0).await;
        let early = note_of(&data, &digest, "early");
        let late = note_of(&data, &digest, "late");
        fs::write(&early, "0").expect("it is written");
        fs::write(&late, "1").expect("it is written");
        uploads.storage.due(DAY_MS).await.expect("the notes are read");
        assert_eq!((early.exists(), late.exists()), (false, true));
        assert!(uploads.is_by(&digest, "late", DAY_MS).await.expect("readable"));
    }

    on_both_engines! {
        async fn an_upload_without_a_challenge_is_removed_after_a_day(engine: Engine) {
            let test = TestDb::new(engine).await;
            let data = tempfile::tempdir().expect("a folder");
            let uploads = Uploads { free_bytes_min: 0, ..in_folder(data.path()) };
            let clock = Clock::manual(0);
            let writer = Writer::open(test.reopen().await, &Key::new(b"secret"), clock).await;
            let mut writer = writer.expect("the database opens");
            let [used, shown, unused, claimed, had, again] = [
                kept(&uploads, b"used", 0).await,
                kept(&uploads, b"shown", 0).await,
                kept(&uploads, b"unused", 0).await,
                kept(&uploads, b"claimed", 0).await,
                kept(&uploads, b"had", 0).await,
                kept(&uploads, b"again", 0).await,
            ];
            let logo = format!(r#"{{"logo": {{"digest": "{shown}", "kind": "svg"}}}}"#);
            test.execute(format!("insert into settings values ('site', '{logo}')").leak()).await;
            // Simulates a file from the event files.
            let applied = "ab".repeat(32);
            fs::write(files(&data).join(&applied), "applied").expect("it is written");
            let mut hidden = draft("one");
            hidden.hidden = true;
            let name = "a.txt".to_owned();
            let digest = used.clone();
            let attachment =
                Attachment { name, digest, bytes: 4, picture: None, per_team: false };
            hidden.challenge.attachments.push(attachment);
            let event: Event = event();
            let plan = Op::Apply(Box::new(Plan::new(event, vec![hidden])));
            writer.step(&[plan.by(Actor::CommandLine)]).await.expect("the step is written");
            uploads.sweep(&test.db, DAY_MS - 1).await.expect("it is swept");
            assert_eq!(names(&files(&data)).len(), 7, "a day has not passed");
            let claim = async |digest: &str, now_ms| {
                let claimed = uploads.claim(digest, now_ms).await.expect("readable");
                claimed.map(|it| it.bytes)
            };
            assert_eq!(claim(&claimed, DAY_MS).await, Some(7));
            uploads.keep_for_good(&had).await;
            assert_eq!(kept(&uploads, b"again", DAY_MS).await, again);
            let words = "those that a challenge or the brand has or had, or that are new";
            uploads.sweep(&test.db, DAY_MS).await.expect("it is swept");
            let sorted = |mut names: Vec<String>| {
                names.sort();
                names
            };
            let left = [&used, &shown, &claimed, &had, &again, &applied];
            let left = left.map(String::clone).to_vec();
            assert_eq!(names(&files(&data)), sorted(left), "{words}");
            assert_eq!(names(&notes(&data)), sorted(vec![claimed.clone(), again.clone()]));
            uploads.sweep(&test.db, 2 * DAY_MS).await.expect("it is swept");
            assert_eq!(names(&files(&data)), sorted(vec![used, shown, had, applied.clone()]));
            // A file that was not uploaded gets no note.
            assert!(names(&notes(&data)).is_empty());
            for no_file in ["../secret", "", &unused, &applied.to_uppercase()] {
                assert_eq!(claim(no_file, 0).await, None, "{no_file}");
            }
            assert_eq!(claim(&applied, 0).await, Some(7));
            assert!(names(&notes(&data)).is_empty());
        }
    }
}
