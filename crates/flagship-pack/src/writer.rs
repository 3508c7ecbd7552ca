//! Writes files into an event folder: below it alone, through no link, each whole or not at all.
//!
//! Folders are opened one by one, each in the one before and never through a link, so nobody can
//! lead a write elsewhere by replacing a folder meanwhile. What remains: a file that is put in a
//! file's place between the look at it and the write is replaced, and whoever moves an opened
//! folder takes the written file along. A file's name is replaced, never followed.

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

/// The folders below which files are written.
const FOLDERS: [&str; 3] = ["challenges", "pages", "brand"];

/// The most bytes of a folder's or file's name.
const NAME_BYTES_MAX: usize = 255;

/// The mode of a new file, and of a new folder, before the process's mask.
const NEW_FILE: Mode = Mode::from_raw_mode(0o644);
const NEW_FOLDER: Mode = Mode::from_raw_mode(0o755);

/// How often a name for a temporary file is tried.
const TEMPORARY_TRIES: u32 = 100;

/// Bytes that are compared or copied at once.
const PIECE_BYTES: usize = 64 * 1024;

/// Why a path with too many names is refused.
const TOO_DEEP: &str = "it lies too deep";

/// Names that are devices to Windows, whatever follows after a dot.
const DEVICES: [&str; 4] = ["con", "prn", "aux", "nul"];

/// What a file should become.
#[derive(Debug)]
pub struct FileChange {
    /// The path below the event folder, with `/`: below one of [`FOLDERS`], or `event.toml`, or
    /// `rules.md`.
    pub path: String,
    /// What it should hold.
    pub content: Content,
}

/// The content of a file.
#[derive(Debug)]
pub enum Content {
    /// A text.
    Text(Secret),
    /// The bytes of an open file, from its start.
    File(File),
    /// The challenge of this file was removed live. The file is left as it is, and reported.
    Removed,
}

/// What was done with a file, or would be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// There was none.
    Created,
    /// It had another content.
    Changed,
    /// It had this content.
    Unchanged,
    /// It is to be removed, and is left for a person to do so.
    LeftToRemove,
}

/// What was done with each file, in the order of the changes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// The path below the event folder, and the outcome.
    pub files: Vec<(String, Outcome)>,
}

/// Why files are not written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The path is not one below the event's folder that can be written.
    #[error("`{path}` is not written: {why}")]
    Name {
        /// The path, on one line.
        path: String,
        /// What is wrong with it.
        why: &'static str,
    },
    /// There is a link, a folder or a device in the path.
    #[error("`{path}` is not written: {place} is {found}")]
    InTheWay {
        /// The path that was to be written.
        path: String,
        /// Which part of it.
        place: String,
        /// What is there.
        found: &'static str,
    },
    /// The system refuses.
    #[error("write `{path}`")]
    System {
        /// The path that was to be written, or the event folder.
        path: String,
        /// The error of the system.
        source: io::Error,
    },
}

/// What [`write`] would do; changes nothing.
///
/// # Errors
/// As those of [`write`], except for those of writing itself.
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

/// What [`write`] would do in a folder that is not there yet.
///
/// # Errors
/// A path is refused.
pub fn all_new(changes: &[FileChange]) -> Result<Written, WriteError> {
    let created = |change: &FileChange| match names(&change.path) {
        Ok(_) => Ok((change.path.clone(), Outcome::Created)),
        Err(error) => Err(error),
    };
    Ok(Written { files: changes.iter().map(created).collect::<Result<_, _>>()? })
}

/// Writes the changes below the event folder `dir`. Each file is complete under its name or as it
/// was before; files that exist keep their mode; missing folders are made. Nothing is written if
/// [`plan`] refuses one of them.
///
/// # Errors
/// A path is refused, something is in its way, or the system fails. After a failure of the system
/// the files before it are written; writing all again is safe.
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

/// The path for the `challenge.yml` of a challenge that was created live:
/// `challenges/CATEGORY/ID/challenge.yml`, in a folder that none of `taken` is in. `taken` are the
/// paths of the descriptors that there are.
pub fn new_path(category: &str, id: &ChallengeId, taken: &[String]) -> String {
    let category = ChallengeId::from_name(category);
    let category = safe_name(category.as_str());
    let name = safe_name(id.as_str());
    let is_free = |path: &String| !taken.iter().any(|other| other.eq_ignore_ascii_case(path));
    let path = |name: &str| format!("challenges/{category}/{name}/{DESCRIPTOR}");
    let mut numbered = (2..).map(|n: u32| path(&format!("{name}-{n}")));
    Some(path(&name)).filter(is_free).or_else(|| numbered.find(is_free)).unwrap_or_default()
}

/// A name for a folder: `text` itself if every system takes it.
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

/// The folders and the name of a path; refuses what does not lie in its place.
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
        return Err("it does not lie below `challenges`, `pages` or `brand`");
    }
    if names.len() > walk::DEPTH_MAX {
        return Err(TOO_DEEP);
    }
    let name = names.pop().unwrap_or_default();
    Ok((names, name))
}

/// Names, in lower case, of files and folders that do not begin with a dot, and that programs of a
/// developer read or run when they enter or open the folder. A folder with a file `HEAD` can be a
/// bare repository of git.
const RUN_UNASKED: [&str; 5] = ["agents.md", "autorun.inf", "desktop.ini", "head", "mise"];

/// True for a name in lower case that programs read or run when they enter or open the folder,
/// though it does not begin with a dot.
fn is_run_unasked(lower: &str) -> bool {
    let is_of_mise = lower.starts_with("mise.") && lower.ends_with(".toml");
    RUN_UNASKED.contains(&lower) || is_of_mise || lower.ends_with(".code-workspace")
}

/// True for a short name by which Windows calls a file or folder with a longer one: `GIT~1`.
fn is_short_name(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default();
    stem.rsplit_once('~').is_some_and(|(_, number)| {
        !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
    })
}

/// The name as file systems compare it that ignore case and characters that nobody sees.
fn folded(name: &str) -> String {
    let is_seen = |c: &char| !has_unseen(c.encode_utf8(&mut [0; 4]));
    let plain = name.chars().filter(is_seen).flat_map(char::to_lowercase);
    plain.map(|c| if c == '\u{17f}' { 's' } else { c }).collect()
}

/// The path of a file that is called `name` in the folder of a `challenge.yml`.
pub fn path_beside(descriptor: &str, name: &str) -> String {
    let folder = descriptor.rsplit_once('/').map_or("", |(folder, _)| folder);
    format!("{folder}/{name}")
}

/// Why no file is written at a path; `None` if one is.
pub fn refusal_of(path: &str) -> Option<&'static str> {
    parts(path).err()
}

/// Why no file that is called `name` is written in the folder of a `challenge.yml`, whose own name
/// is not looked at; `None` if one is. Characters that nobody sees are refused: with them a name
/// can be shown as another one.
pub fn refusal_beside(descriptor: &str, name: &str) -> Option<&'static str> {
    let is_deep = || path_beside(descriptor, name).split('/').count() > walk::DEPTH_MAX;
    match name.split('/').find_map(refusal) {
        None if has_unseen(name) => Some("a name in it has characters that nobody sees"),
        None => is_deep().then_some(TOO_DEEP),
        why => why,
    }
}

/// Reason to refuse the name of a file or folder. Those that begin with a dot are the settings of
/// programs, of which there are new ones each month: all are refused, as they are not searched for
/// challenges either.
fn refusal(name: &str) -> Option<&'static str> {
    let folded = folded(name);
    let stem = name.split('.').next().unwrap_or_default().to_ascii_lowercase();
    let is_port = |port: &str| {
        let number = stem.strip_prefix(port).unwrap_or_default();
        number.len() == 1 && number != "0" && number.bytes().all(|byte| byte.is_ascii_digit())
    };
    if name.is_empty() || name == "." || name == ".." {
        Some("it is no plain path below the event's folder")
    } else if name.contains('\\') || name.chars().any(char::is_control) {
        Some("a name in it has a backslash or a control character")
    } else if name.len() > NAME_BYTES_MAX {
        Some("a name in it is too long")
    } else if folded.starts_with('.') {
        Some("a name in it begins with a dot: programs read or run such files without being asked")
    } else if is_run_unasked(&folded) {
        Some("programs read or run a file or folder of this name without being asked")
    } else if is_short_name(name) {
        Some("a name in it is the short name of another one on some systems")
    } else if name.ends_with(['.', ' ']) || name.contains(':') {
        Some("a name in it is not one on every system")
    } else if DEVICES.contains(&&*stem) || is_port("com") || is_port("lpt") {
        Some("a name in it is a device on some systems")
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

/// A file that is written.
struct Target<'a> {
    root: &'a OwnedFd,
    /// The path below the root.
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
            _ => "no ordinary file",
        };
        WriteError::InTheWay { path: self.path.to_owned(), place: format!("`{name}`"), found }
    }

    /// Opens the folder of the file; `None` if it does not exist and is not to be made.
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

    /// The mode of the file that is there; refuses what is no ordinary file.
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

    /// Whether the file holds the same bytes as `wanted`.
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

    /// Writes a temporary file beside, and gives it the name.
    fn replace(&self, content: &Content) -> Result<(), WriteError> {
        let Some(folder) = self.folder(true)? else { return Ok(()) };
        let mode = self.mode(&folder)?;
        let (temporary, file) =
            temporary(&folder, mode.unwrap_or(NEW_FILE)).map_err(|error| self.system(error))?;
        let done = self.fill_and_rename(&folder, &temporary, file, mode, content);
        if done.is_err() {
            // The first error is the one to tell.
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

/// A new file in `folder` with a name that nothing has.
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
    Err(io::Error::other("there are too many temporary files in this folder; remove `.flagship-*`"))
}

fn from_start(file: &File) -> io::Result<&File> {
    let mut file = file;
    file.rewind()?;
    Ok(file)
}

/// Reads until `buffer` is full or the end is reached.
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
