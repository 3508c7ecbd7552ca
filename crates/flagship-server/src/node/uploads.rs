//! Files that organizers upload. They are stored with the attachments, in `files/` of the data
//! folder, named by digest. An uploaded file has a note in `uploads/` with the time of its upload.
//! The note is removed when a challenge or the branding uses the file. A file whose note is a day
//! old is removed if nothing uses it. Files without a note are never removed: they came with the
//! event files, or were used at some time. For a day, a second note names the organizer who
//! uploaded the file.

use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use data_encoding::HEXLOWER;
use flagship_actions::{ClaimedFile, Files};
use flagship_game::challenge::is_digest;
use flagship_pack::picture;
use flagship_pack::{ATTACHMENT_BYTES_MAX, START_BYTES};
use flagship_store::{Db, StoreError, challenges};
use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use parking_lot::Mutex;
use sha2::{Digest, Sha256};
use tempfile::NamedTempFile;
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use super::limits::turns::{Turn, Turns};
use super::report::report;
use super::settings::settings_in;

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
/// Free space reserved for the event, in bytes.
const FREE_BYTES_MIN: u64 = 1024 * 1024 * 1024;
/// Retention period of an unused file, in milliseconds.
const UNUSED_MAX_MS: i64 = DAY_MS;
/// Separator between digest and organizer in the name of a note about the uploader.
const BY: &str = "-by-";
/// Suffix of unfinished uploads and of other unfinished copies in `files/`. The next start removes
/// these files.
const PARTIAL: &str = ".part";

/// Uploaded files of a data folder.
#[derive(Clone)]
pub struct Uploads {
    files: PathBuf,
    notes: PathBuf,
    turns: Arc<Turns>,
    /// Bytes uploaded in one day, by organizer.
    sent: Arc<Mutex<HashMap<i64, Sent>>>,
    /// Held while a file or its note changes.
    changing: Arc<Mutex<()>>,
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
    /// Creates the uploads of a data folder.
    pub fn new(data: &Path) -> Self {
        Self {
            files: data.join("files"),
            notes: data.join("uploads"),
            turns: Turns::new(UPLOADS_MAX),
            sent: Arc::default(),
            changing: Arc::default(),
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

    /// Opens a stored file.
    fn open(&self, digest: &str) -> io::Result<File> {
        if !is_digest(digest) {
            return Err(io::ErrorKind::NotFound.into());
        }
        File::open(self.files.join(digest))
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
        let mut builder = tempfile::Builder::new();
        let file = builder.prefix(".").suffix(PARTIAL).tempfile_in(&self.files)?;
        // A starting program does not remove locked files. Not every file system supports locks.
        drop(file.as_file().lock());
        Ok(Partial { file, hash: Sha256::new() })
    }

    /// True if the disk has the free space that is reserved for the event.
    pub async fn has_space(&self) -> bool {
        let checked = self.on_disk(|uploads| uploads.check_space(0)).await;
        !checked.is_err_and(|error| error.kind() == io::ErrorKind::StorageFull)
    }

    fn check_space(&self, bytes: u64) -> io::Result<()> {
        fs::create_dir_all(&self.files)?;
        let about = rustix::fs::statvfs(&self.files)?;
        let free = about.f_bavail.saturating_mul(about.f_frsize);
        if bytes.saturating_add(self.free_bytes_min) > free {
            return Err(io::ErrorKind::StorageFull.into());
        }
        Ok(())
    }

    /// Renames a complete file to its digest. Writes a note unless a challenge uses or used the
    /// file.
    fn keep(&self, partial: Partial, now_ms: i64) -> io::Result<String> {
        partial.file.as_file().sync_all()?;
        let digest = HEXLOWER.encode(&partial.hash.finalize());
        let (file, note) = (self.files.join(&digest), self.notes.join(&digest));
        let _changing = self.changing.lock();
        if note.exists() || !file.exists() {
            fs::create_dir_all(&self.notes)?;
            fs::write(note, now_ms.to_string())?;
        }
        partial.file.persist(file)?;
        File::open(&self.files)?.sync_all()?;
        Ok(digest)
    }

    /// Writes a note about the uploader of a file, which lasts for a day.
    pub async fn note_by(&self, digest: &str, by: &str, now_ms: i64) -> Result<(), UploadError> {
        let note = self.note_of(digest, by);
        let noted = self.on_disk(move |uploads| {
            fs::create_dir_all(&uploads.notes)?;
            fs::write(note, now_ms.to_string())
        });
        Ok(noted.await?)
    }

    /// Returns the path of the note about a file and its uploader. The organizer's name is hashed,
    /// because a hash is a valid file name on every system.
    fn note_of(&self, digest: &str, by: &str) -> PathBuf {
        let by = HEXLOWER.encode(&Sha256::digest(by));
        self.notes.join(format!("{digest}{BY}{by}"))
    }

    /// Marks a file as used by a challenge or by the branding. It is then never removed, because
    /// undoing an edit may need it.
    pub async fn keep_for_good(&self, digest: &str) {
        let note = self.notes.join(digest);
        if is_digest(digest) {
            // Without a note there is nothing to do. A note that remains is removed after a day.
            drop(self.on_disk(|_| fs::remove_file(note)).await);
        }
    }

    /// Removes files that were uploaded a day ago and that neither a challenge nor the branding
    /// uses.
    pub async fn sweep(&self, db: &Db, now_ms: i64) -> Result<(), StoreError> {
        let due = self.on_disk(move |uploads| uploads.due(now_ms)).await;
        let due = due.inspect_err(|error| report(error, "failed to scan uploads"));
        let Ok(due) = due else { return Ok(()) };
        if due.is_empty() {
            return Ok(());
        }
        // Fails if a draft is unreadable, because that draft could use any of the files.
        let (_, drafts) = challenges::all(db).await?;
        let attachments = drafts.into_iter().flat_map(|draft| draft.challenge.attachments);
        let site = settings_in(db).await?.site;
        let of_site = site.files().map(|file| file.digest.clone());
        let used: HashSet<String> = attachments.map(|it| it.digest).chain(of_site).collect();
        let swept = self.on_disk(move |uploads| uploads.forget(&due, &used, now_ms)).await;
        if let Err(error) = swept {
            report(&error, "failed to delete unused uploads");
        }
        Ok(())
    }

    /// Returns the digests whose note is a day old. Removes notes about uploaders that are a day
    /// old.
    fn due(&self, now_ms: i64) -> io::Result<Vec<String>> {
        let mut due = Vec::new();
        if !self.notes.exists() {
            return Ok(due);
        }
        for entry in fs::read_dir(&self.notes)? {
            let note = entry?.path();
            let Some(name) = note.file_name().and_then(OsStr::to_str) else { continue };
            if is_digest(name) && self.is_due(name, now_ms) {
                due.push(name.to_owned());
            } else if name.contains(BY)
                && !is_of_last_day(&note, now_ms)
                && let Err(error) = fs::remove_file(&note)
            {
                report(&error, "an old note about an upload could not be removed");
            }
        }
        Ok(due)
    }

    fn is_due(&self, digest: &str, now_ms: i64) -> bool {
        let note = self.notes.join(digest);
        let Some(at_ms) = noted_at_ms(&note) else {
            // A crash truncated the note, so the day starts now.
            drop(fs::write(&note, now_ms.to_string()));
            return false;
        };
        now_ms - at_ms >= UNUSED_MAX_MS
    }

    fn forget(&self, due: &[String], used: &HashSet<String>, now_ms: i64) -> io::Result<()> {
        for digest in due {
            let _changing = self.changing.lock();
            // The file may have been uploaded or claimed again in the meantime.
            if !self.is_due(digest, now_ms) {
                continue;
            }
            if !used.contains(digest) {
                match fs::remove_file(self.files.join(digest)) {
                    Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                    _ => tracing::info!(digest, "deleted an unused upload"),
                }
            }
            fs::remove_file(self.notes.join(digest))?;
        }
        Ok(())
    }
}

impl Files for Uploads {
    /// Restarts the retention period of an uploaded file.
    fn claim<'a>(&'a self, digest: &'a str, now_ms: i64) -> BoxFuture<'a, Option<ClaimedFile>> {
        let digest = digest.to_owned();
        let claimed = self.on_disk(move |uploads| {
            let _changing = uploads.changing.lock();
            let file = uploads.open(&digest)?;
            let bytes = file.metadata()?.len();
            let mut start = Vec::new();
            file.take(START_BYTES as u64).read_to_end(&mut start)?;
            let note = uploads.notes.join(&digest);
            if note.exists() {
                fs::write(note, now_ms.to_string())?;
            }
            Ok(ClaimedFile { bytes, picture: picture::of(&start) })
        });
        claimed.map(Result::ok).boxed()
    }

    fn bytes<'a>(&'a self, digest: &'a str) -> BoxFuture<'a, Option<Vec<u8>>> {
        let digest = digest.to_owned();
        let read = self.on_disk(move |uploads| {
            let mut bytes = Vec::new();
            uploads.open(&digest)?.read_to_end(&mut bytes)?;
            Ok(bytes)
        });
        read.map(Result::ok).boxed()
    }

    fn is_by<'a>(&'a self, digest: &'a str, by: &'a str, now_ms: i64) -> BoxFuture<'a, bool> {
        let note = is_digest(digest).then(|| self.note_of(digest, by));
        let is_by = move |_: &Self| Ok(note.is_some_and(|note| is_of_last_day(&note, now_ms)));
        self.on_disk(is_by).map(Result::unwrap_or_default).boxed()
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
        let partial = self.partial.take().ok_or(UploadError::NotWritten)?;
        let digest = self.uploads.on_disk(move |uploads| uploads.keep(partial, now_ms)).await?;
        Ok(Kept { digest, bytes: self.bytes })
    }
}

/// Returns the time in a note, in epoch milliseconds; `None` if a crash truncated it.
fn noted_at_ms(note: &Path) -> Option<i64> {
    fs::read_to_string(note).ok()?.parse().ok()
}

fn is_of_last_day(note: &Path, now_ms: i64) -> bool {
    noted_at_ms(note).is_some_and(|at_ms| now_ms - at_ms < UNUSED_MAX_MS)
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

    use super::*;

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
        let whole = Uploads { free_bytes_min: 0, ..Uploads::new(data.path()) };
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
        assert_eq!(names(&whole.files).len(), 1, "an unfinished file");
        drop(dropped);
        assert!(names(&whole.files).is_empty() && names(&whole.notes).is_empty());
        fs::remove_dir(&whole.files).expect("it is empty");
        fs::write(&whole.files, "no folder").expect("it is written");
        assert_eq!(upload(&whole, b"1", 0).await, Err(UploadError::NotWritten));
    }

    #[tokio::test]
    async fn an_organizer_who_uploads_much_leaves_turns_to_the_others() {
        let data = tempfile::tempdir().expect("a folder");
        let wait_max = Duration::from_millis(20);
        let uploads = Uploads { free_bytes_min: 0, wait_max, ..Uploads::new(data.path()) };
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
        assert_eq!(names(&uploads.files), [one.digest]);
        let path = uploads.files.join(&again.digest);
        assert_eq!(fs::read(path).expect("it is there"), b"abc");
    }

    #[tokio::test]
    async fn an_organizer_uploads_so_many_bytes_in_a_day() {
        let data = tempfile::tempdir().expect("a folder");
        let limits = Uploads::new(data.path());
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
        let uploads = Uploads { free_bytes_min: 0, ..Uploads::new(data.path()) };
        let unused = kept(&uploads, b"unused", 0).await;
        // A folder cannot be removed as a file.
        fs::create_dir(uploads.notes.join(format!("{unused}{BY}1"))).expect("it is made");
        assert_eq!(uploads.due(DAY_MS).expect("the notes are read"), [unused]);
    }

    #[tokio::test]
    async fn a_note_about_an_uploader_is_removed_after_a_day() {
        let data = tempfile::tempdir().expect("a folder");
        let uploads = Uploads { free_bytes_min: 0, ..Uploads::new(data.path()) };
        let digest = kept(&uploads, b"file", 0).await;
        let early = uploads.note_of(&digest, "early");
        let late = uploads.note_of(&digest, "late");
        fs::write(&early, "0").expect("it is written");
        fs::write(&late, "1").expect("it is written");
        uploads.due(DAY_MS).expect("the notes are read");
        assert_eq!((early.exists(), late.exists()), (false, true));
        assert!(uploads.is_by(&digest, "late", DAY_MS).await);
    }

    on_both_engines! {
        async fn an_upload_without_a_challenge_is_removed_after_a_day(engine: Engine) {
            let test = TestDb::new(engine).await;
            let data = tempfile::tempdir().expect("a folder");
            let uploads = Uploads { free_bytes_min: 0, ..Uploads::new(data.path()) };
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
            fs::write(uploads.files.join(&applied), "applied").expect("it is written");
            let mut hidden = draft("one");
            hidden.hidden = true;
            let name = "a.txt".to_owned();
            let attachment = Attachment { name, digest: used.clone(), bytes: 4, picture: None };
            hidden.challenge.attachments.push(attachment);
            let event: Event = event();
            let plan = Op::Apply(Box::new(Plan::new(event, vec![hidden])));
            writer.step(&[plan.by(Actor::CommandLine)]).await.expect("the step is written");
            uploads.sweep(&test.db, DAY_MS - 1).await.expect("it is swept");
            assert_eq!(names(&uploads.files).len(), 7, "a day has not passed");
            assert_eq!(uploads.claim(&claimed, DAY_MS).await.map(|it| it.bytes), Some(7));
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
            assert_eq!(names(&uploads.files), sorted(left), "{words}");
            assert_eq!(names(&uploads.notes), sorted(vec![claimed.clone(), again.clone()]));
            uploads.sweep(&test.db, 2 * DAY_MS).await.expect("it is swept");
            assert_eq!(names(&uploads.files), sorted(vec![used, shown, had, applied.clone()]));
            // A file that was not uploaded gets no note.
            assert!(names(&uploads.notes).is_empty());
            for no_file in ["../secret", "", &unused, &applied.to_uppercase()] {
                assert_eq!(uploads.claim(no_file, 0).await, None, "{no_file}");
            }
            assert_eq!(uploads.claim(&applied, 0).await.map(|it| it.bytes), Some(7));
            assert!(names(&uploads.notes).is_empty());
        }
    }
}
