//! Writes files into an event folder: never outside it, never through links, and each file
//! atomically.
//!
//! Folders are opened one by one, each relative to the previous one and without following links, so
//! replacing a folder during the write cannot redirect it. Two races remain: a file created between
//! the check and the write is replaced, and if an open folder is moved, the written file moves with
//! it. A link in the place of the file is replaced, never followed.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use flagship_game::name::has_unseen;
use flagship_game::{ChallengeId, Secret};
use rustix::fs::{AtFlags, CWD, FileType, Mode, OFlags};
use rustix::fs::{fchmod, fsync, mkdirat, openat, renameat, statat, unlinkat};
use rustix::io::Errno;

use crate::walk::{self, DESCRIPTOR};

/// Folders in which files can be written.
const FOLDERS: [&str; 3] = ["challenges", "pages", "brand"];

/// Maximum length of a folder or file name, in bytes.
const NAME_BYTES_MAX: usize = 255;

/// Modes of new files and folders, before the umask.
const NEW_FILE: Mode = Mode::from_raw_mode(0o644);
const NEW_FOLDER: Mode = Mode::from_raw_mode(0o755);

/// Maximum number of attempts to find a free name for a temporary file.
const TEMPORARY_TRIES: u32 = 100;

/// Buffer size for comparisons, in bytes.
const PIECE_BYTES: usize = 64 * 1024;

/// Message for a path with too many components.
const TOO_DEEP: &str = "the path is too deep";

/// Names reserved for devices on Windows, with any extension.
const DEVICES: [&str; 4] = ["con", "prn", "aux", "nul"];

/// A requested change of a file.
#[derive(Debug)]
pub struct FileChange {
    /// Path relative to the event folder, with `/`: inside one of [`FOLDERS`], or `event.toml`, or
    /// `rules.md`.
    pub path: String,
    /// The requested content.
    pub content: Content,
}

/// Content of a file.
#[derive(Debug)]
pub enum Content {
    /// A text.
    Text(Secret),
    /// The bytes of an open file, from the start.
    File(File),
    /// The challenge of this file was removed live. The file is left unchanged and reported.
    Removed,
}

/// Result of a change, or of a planned one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The file did not exist.
    Created,
    /// The file had different content.
    Changed,
    /// The file already had this content.
    Unchanged,
    /// The file is obsolete and must be removed by hand.
    LeftToRemove,
}

/// Results of all changes, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// Path relative to the event folder, and the outcome.
    pub files: Vec<(String, Outcome)>,
}

/// Error returned when files cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The path is not a writable path inside the event folder.
    #[error("cannot write `{path}`: {why}")]
    Name {
        /// The path, formatted on one line.
        path: String,
        /// The reason.
        why: &'static str,
    },
    /// The path leads through a link, a file or a device.
    #[error("cannot write `{path}`: {place} is {found}")]
    InTheWay {
        /// The requested path.
        path: String,
        /// The blocking component.
        place: String,
        /// The type of the existing entry.
        found: &'static str,
    },
    /// The operating system returned an error.
    #[error("write `{path}`")]
    System {
        /// The requested path, or the event folder.
        path: String,
        /// The system error.
        source: io::Error,
    },
}

/// Returns what [`write`] would do, without changing anything.
///
/// # Errors
/// Same as for [`write`], except for errors of writing itself.
pub fn plan(dir: &Path, changes: &[FileChange]) -> Result<Written, WriteError> {
    let root = open_root(dir)?;
    let mut files = Vec::new();
    let all: HashSet<&str> = changes.iter().map(|change| change.path.as_str()).collect();
    for change in changes {
        let (folders, name) = names(&change.path)?;
        let above = change.path.match_indices('/').map(|(at, _)| &change.path[..at]);
        if let Some(place) = above.into_iter().find(|above| all.contains(above)) {
            let path = change.path.clone();
            let place = format!("`{place}`");
            return Err(WriteError::InTheWay { path, place, found: "a file" });
        }
        let target = Target { root: &root, path: &change.path, folders: &folders, name };
        files.push((change.path.clone(), target.outcome(&change.content)?));
    }
    Ok(Written { files })
}

/// Returns what [`write`] would do in a folder that does not exist yet.
///
/// # Errors
/// A path is rejected.
pub fn plan_new(changes: &[FileChange]) -> Result<Written, WriteError> {
    let created = |change: &FileChange| match names(&change.path) {
        Ok(_) => Ok((change.path.clone(), Outcome::Created)),
        Err(error) => Err(error),
    };
    Ok(Written { files: changes.iter().map(created).collect::<Result<_, _>>()? })
}

/// Writes the changes into the event folder `dir`. Each file is replaced atomically; existing files
/// keep their mode; missing folders are created. Nothing is written if [`plan`] rejects any change.
///
/// # Errors
/// A path is rejected or blocked, or the system returns an error. After a system error, earlier
/// files have been written; retrying the whole write is safe.
pub fn write(dir: &Path, changes: &[FileChange]) -> Result<Written, WriteError> {
    let written = plan(dir, changes)?;
    let root = open_root(dir)?;
    for (change, (_, outcome)) in changes.iter().zip(&written.files) {
        if matches!(outcome, Outcome::Created | Outcome::Changed) {
            let (folders, name) = names(&change.path)?;
            let target = Target { root: &root, path: &change.path, folders: &folders, name };
            target.replace(&change.content)?;
        }
    }
    Ok(written)
}

/// Returns the path for the `challenge.yml` of a challenge that was created live:
/// `challenges/CATEGORY/ID/challenge.yml`, in a folder that does not contain any of `taken`, the
/// paths of the existing descriptors.
pub fn new_path(category: &str, id: &ChallengeId, taken: &[String]) -> String {
    let category = ChallengeId::from_name(category);
    let category = safe_name(category.as_str());
    let name = safe_name(id.as_str());
    let is_free = |path: &String| !taken.iter().any(|other| other.eq_ignore_ascii_case(path));
    let path = |name: &str| format!("challenges/{category}/{name}/{DESCRIPTOR}");
    let mut numbered = (2..).map(|n: u32| path(&format!("{name}-{n}")));
    Some(path(&name)).filter(is_free).or_else(|| numbered.find(is_free)).unwrap_or_default()
}

/// Derives a folder name from `text`, unchanged if it is valid on all systems.
fn safe_name(text: &str) -> String {
    if refusal(text).is_none() {
        return text.to_owned();
    }
    let slug = ChallengeId::from_name(text);
    match refusal(slug.as_str()) {
        None => slug.as_str().to_owned(),
        Some(_) => format!("{}-1", slug.as_str()),
    }
}

/// Splits a path into folders and name; rejects paths that cannot be written.
fn names(path: &str) -> Result<(Vec<&str>, &str), WriteError> {
    parts(path)
        .map_err(|why| WriteError::Name { path: crate::problem::place(Path::new(path)), why })
}

fn parts(path: &str) -> Result<(Vec<&str>, &str), &'static str> {
    let mut names: Vec<&str> = path.split('/').collect();
    if let Some(why) = names.iter().find_map(|name| refusal(name)) {
        return Err(why);
    }
    let is_below = names.len() > 1 && FOLDERS.contains(&names[0]);
    if !is_below && !["event.toml", "rules.md"].contains(&path) {
        return Err("the path is not inside `challenges`, `pages` or `brand`");
    }
    if names.len() > walk::DEPTH_MAX {
        return Err(TOO_DEEP);
    }
    let name = names.pop().unwrap_or_default();
    Ok((names, name))
}

/// Lower-case names without a leading dot of files and folders that developer tools load or execute
/// when a folder is entered or opened. A folder with a file `HEAD` can be a bare Git repository.
const RUN_UNASKED: [&str; 5] = ["agents.md", "autorun.inf", "desktop.ini", "head", "mise"];

/// True for a lower-case name without a leading dot that tools load or execute when the folder is
/// entered or opened.
fn is_run_unasked(lower: &str) -> bool {
    let is_of_mise = lower.starts_with("mise.") && lower.ends_with(".toml");
    RUN_UNASKED.contains(&lower) || is_of_mise || lower.ends_with(".code-workspace")
}

/// True for an 8.3 short name, such as `GIT~1`, which Windows resolves to a longer name.
fn is_short_name(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default();
    stem.rsplit_once('~').is_some_and(|(_, number)| {
        !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
    })
}

/// Folds a name like file systems that ignore case and invisible characters.
fn folded(name: &str) -> String {
    let is_seen = |c: &char| !has_unseen(c.encode_utf8(&mut [0; 4]));
    let plain = name.chars().filter(is_seen).flat_map(char::to_lowercase);
    plain.map(|c| if c == '\u{17f}' { 's' } else { c }).collect()
}

/// Path of the file `name` in the folder of a `challenge.yml`.
pub fn sibling_path(descriptor: &str, name: &str) -> String {
    let folder = descriptor.rsplit_once('/').map_or("", |(folder, _)| folder);
    format!("{folder}/{name}")
}

/// Reason to reject a path; `None` if it can be written.
pub fn path_rejection(path: &str) -> Option<&'static str> {
    parts(path).err()
}

/// Reason to reject the file `name` in the folder of a `challenge.yml`, whose own path is not
/// checked; `None` if it can be written. Invisible characters are rejected, because with them a
/// name can imitate another one.
pub fn sibling_rejection(descriptor: &str, name: &str) -> Option<&'static str> {
    let is_deep = || sibling_path(descriptor, name).split('/').count() > walk::DEPTH_MAX;
    match name.split('/').find_map(refusal) {
        None if has_unseen(name) => Some("the path contains invisible characters"),
        None => is_deep().then_some(TOO_DEEP),
        why => why,
    }
}

/// Reason to reject the name of a file or folder. Names with a leading dot are often tool settings,
/// and new ones appear every month, so all of them are rejected. The search for challenges skips
/// them too.
fn refusal(name: &str) -> Option<&'static str> {
    let folded = folded(name);
    let stem = name.split('.').next().unwrap_or_default().to_ascii_lowercase();
    let is_port = |port: &str| {
        let number = stem.strip_prefix(port).unwrap_or_default();
        number.len() == 1 && number != "0" && number.bytes().all(|byte| byte.is_ascii_digit())
    };
    if name.is_empty() || name == "." || name == ".." {
        Some("the path is not inside the event folder")
    } else if name.contains('\\') || name.chars().any(char::is_control) {
        Some("the path contains a backslash or control character")
    } else if name.len() > NAME_BYTES_MAX {
        Some("the path contains a name that is too long")
    } else if folded.starts_with('.') {
        Some(
            "the path contains a name that starts with a dot: tools can load or run such files \
              automatically",
        )
    } else if is_run_unasked(&folded) {
        Some("the path contains a name that tools can load or run automatically")
    } else if is_short_name(name) {
        Some("the path contains a name that can be the short name of another file on some systems")
    } else if name.ends_with(['.', ' ']) || name.contains(':') {
        Some("the path contains a name that is invalid on some systems")
    } else if DEVICES.contains(&&*stem) || is_port("com") || is_port("lpt") {
        Some("the path contains a name reserved on some systems")
    } else {
        None
    }
}

fn open_root(dir: &Path) -> Result<OwnedFd, WriteError> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    openat(CWD, dir, flags, Mode::empty()).map_err(|error| WriteError::System {
        path: crate::problem::place(dir),
        source: error.into(),
    })
}

/// A file to write.
struct Target<'a> {
    root: &'a OwnedFd,
    /// Path relative to the root.
    path: &'a str,
    folders: &'a [&'a str],
    name: &'a str,
}

impl Target<'_> {
    fn system(&self, source: impl Into<io::Error>) -> WriteError {
        WriteError::System { path: self.path.to_owned(), source: source.into() }
    }

    fn in_the_way(&self, name: &str, kind: FileType) -> WriteError {
        let found = match kind {
            FileType::Symlink => "a symbolic link",
            FileType::Directory => "a folder",
            FileType::RegularFile => "a file",
            _ => "not a regular file",
        };
        WriteError::InTheWay { path: self.path.to_owned(), place: format!("`{name}`"), found }
    }

    /// Opens the folder of the file, and creates it if `is_made` is true; `None` if it does not
    /// exist.
    fn folder(&self, is_made: bool) -> Result<Option<OwnedFd>, WriteError> {
        let mut folder = self.root.try_clone().map_err(|error| self.system(error))?;
        for name in self.folders {
            let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
            let open = || openat(&folder, *name, flags, Mode::empty());
            let opened = match open() {
                Err(Errno::NOENT) if !is_made => return Ok(None),
                Err(Errno::NOENT) => {
                    match mkdirat(&folder, *name, NEW_FOLDER) {
                        Ok(()) => fsync(&folder).map_err(|error| self.system(error))?,
                        Err(Errno::EXIST) => {}
                        Err(error) => return Err(self.system(error)),
                    }
                    open()
                }
                opened => opened,
            };
            folder = opened.map_err(|error| match statat(&folder, *name, NOFOLLOW) {
                Ok(stat) if matches!(error, Errno::LOOP | Errno::NOTDIR) => {
                    self.in_the_way(name, FileType::from_raw_mode(stat.st_mode))
                }
                _ => self.system(error),
            })?;
        }
        Ok(Some(folder))
    }

    /// Returns the mode of the existing file; rejects anything but a regular file.
    fn mode(&self, folder: &OwnedFd) -> Result<Option<Mode>, WriteError> {
        let stat = match statat(folder, self.name, NOFOLLOW) {
            Ok(stat) => stat,
            Err(Errno::NOENT) => return Ok(None),
            Err(error) => return Err(self.system(error)),
        };
        match FileType::from_raw_mode(stat.st_mode) {
            FileType::RegularFile => Ok(Some(Mode::from_raw_mode(stat.st_mode & 0o777))),
            kind => Err(self.in_the_way(self.name, kind)),
        }
    }

    fn outcome(&self, content: &Content) -> Result<Outcome, WriteError> {
        let folder = self.folder(false)?;
        let mode = folder.as_ref().map(|folder| self.mode(folder)).transpose()?.flatten();
        let (Some(folder), Some(_)) = (folder, mode) else {
            return Ok(match content {
                Content::Removed => Outcome::Unchanged,
                Content::Text(_) | Content::File(_) => Outcome::Created,
            });
        };
        let is_same = match content {
            Content::Removed => return Ok(Outcome::LeftToRemove),
            Content::Text(text) => self.holds(&folder, text.expose().as_bytes()),
            Content::File(file) => from_start(file).and_then(|file| self.holds(&folder, file)),
        };
        let is_same = is_same.map_err(|error| self.system(error))?;
        Ok(if is_same { Outcome::Unchanged } else { Outcome::Changed })
    }

    /// True if the file contains the same bytes as `wanted`.
    fn holds(&self, folder: &OwnedFd, wanted: impl Read) -> io::Result<bool> {
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let there = File::from(openat(folder, self.name, flags, Mode::empty())?);
        let mut readers = (io::BufReader::new(there), io::BufReader::new(wanted));
        let mut one = vec![0; PIECE_BYTES];
        let mut other = vec![0; PIECE_BYTES];
        loop {
            let read = (fill(&mut readers.0, &mut one)?, fill(&mut readers.1, &mut other)?);
            if one[..read.0] != other[..read.1] {
                return Ok(false);
            }
            if read.0 == 0 {
                return Ok(true);
            }
        }
    }

    /// Writes a temporary file in the same folder and renames it.
    fn replace(&self, content: &Content) -> Result<(), WriteError> {
        let Some(folder) = self.folder(true)? else { return Ok(()) };
        let mode = self.mode(&folder)?;
        let (temporary, file) =
            temporary(&folder, mode.unwrap_or(NEW_FILE)).map_err(|error| self.system(error))?;
        let done = self.fill_and_rename(&folder, &temporary, file, mode, content);
        if done.is_err() {
            // Ignore errors here, so that the first error is reported.
            unlinkat(&folder, temporary.as_path(), AtFlags::empty()).ok();
        }
        done.map_err(|error| self.system(error))
    }

    fn fill_and_rename(
        &self,
        folder: &OwnedFd,
        temporary: &Path,
        mut file: File,
        mode: Option<Mode>,
        content: &Content,
    ) -> io::Result<()> {
        match content {
            Content::Text(text) => file.write_all(text.expose().as_bytes())?,
            Content::File(from) => {
                io::copy(&mut from_start(from)?, &mut file)?;
            }
            Content::Removed => {}
        }
        if let Some(mode) = mode {
            fchmod(&file, mode)?;
        }
        file.sync_all()?;
        renameat(folder, temporary, folder, self.name)?;
        fsync(folder)?;
        Ok(())
    }
}

const NOFOLLOW: AtFlags = AtFlags::SYMLINK_NOFOLLOW;

/// Creates a new file in `folder` with an unused name.
fn temporary(folder: &OwnedFd, mode: Mode) -> io::Result<(PathBuf, File)> {
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    for n in 0..TEMPORARY_TRIES {
        let name = PathBuf::from(format!(".flagship-{}-{n}.tmp", std::process::id()));
        match openat(folder, name.as_path(), flags, mode) {
            Ok(file) => return Ok((name, File::from(file))),
            Err(Errno::EXIST) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Err(io::Error::other("too many temporary files in this folder; remove `.flagship-*`"))
}

fn from_start(file: &File) -> io::Result<&File> {
    let mut file = file;
    file.rewind()?;
    Ok(file)
}

/// Reads until `buffer` is full or the end of the input is reached.
fn fill(from: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match from.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(n) => filled += n,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}
