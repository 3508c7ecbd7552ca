//! Reads files of an event folder safely: no file outside the folder, no symbolic links, no
//! devices, no file above the size limits. Attachments are hashed here; the caller copies them.

mod content;
mod links;
pub mod picture;

use std::fmt;
use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

use data_encoding::HEXLOWER;
use flagship_game::Attachment;
use rustix::fs::{CWD, FileType, Mode, OFlags, fstat, openat};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::fields::Text;
use crate::problem::{Report, quote, reason};
use crate::search::Search;
use crate::walk::{self, DESCRIPTOR};
pub use content::START_BYTES;
use content::{Content, content};
use picture::Picture;

/// The most bytes of `event.toml`, `rules.md` and one `challenge.yml`.
pub const DESCRIPTOR_BYTES_MAX: u64 = 1024 * 1024;

/// The most bytes of one attachment.
pub const ATTACHMENT_BYTES_MAX: u64 = 1024 * 1024 * 1024;

/// The most bytes of all attachments of one challenge together.
pub const ATTACHED_BYTES_MAX: u64 = 4 * ATTACHMENT_BYTES_MAX;

/// The most attachments of one challenge.
pub const ATTACHMENTS_MAX: usize = 64;

/// The most bytes of a picture of a description.
pub const PICTURE_BYTES_MAX: u64 = 8 * 1024 * 1024;

/// The most characters of an attachment's name.
const NAME_CHARS_MAX: usize = 200;

/// The first bytes of every git-LFS pointer.
const LFS_START: &[u8] = b"version https://git-lfs";
/// Files above this size are no git-LFS pointers.
const LFS_BYTES_MAX: u64 = 1024;

/// The file of an attachment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackFile {
    /// SHA-256 in hex.
    pub digest: String,
    /// The path, which begins with the folder given to [`crate::read`].
    pub path: PathBuf,
    /// Size in bytes.
    pub bytes: u64,
    /// The folder given to [`crate::read`].
    pub event: PathBuf,
    /// What picture it is, if it is one that descriptions show.
    pub picture: Option<Picture>,
    /// The path of a link to it, which is what `files` names.
    pub link: Option<PathBuf>,
}

impl PackFile {
    /// Opens the file again, as it was opened when the event was read: no link below the event's
    /// folder is followed. Its content may have changed since.
    ///
    /// # Errors
    /// The file is gone, is not an ordinary one, or lies behind a link.
    pub fn open(&self) -> io::Result<File> {
        let path = self.path.strip_prefix(&self.event).map_err(io::Error::other)?;
        open_below(&self.event, path).map(|(file, _)| file).map_err(|refused| match refused {
            Unopened::Link => io::Error::other("the file is, or lies behind, a symbolic link"),
            Unopened::Folder | Unopened::Special => io::Error::other("this is no ordinary file"),
            Unopened::System(error) => error,
        })
    }
}

/// A folder in an event's folder.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Folder<'a> {
    /// The event's folder. Links in its own path are followed.
    pub(crate) event: &'a Path,
    /// The path below it.
    pub(crate) below: &'a Path,
}

/// A file that is kept already: all that a challenge's attachment needs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KnownFile {
    /// The path below the challenge's folder, as `files` names it.
    pub name: String,
    /// SHA-256 in hex.
    pub digest: String,
    /// Size in bytes.
    pub bytes: u64,
    /// What picture it is, if it is one that descriptions show.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub picture: Option<Picture>,
}

/// Where the files that a challenge lists are looked for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Files<'a> {
    Folder(Folder<'a>),
    Known(&'a [KnownFile]),
}

/// Why a file is not opened.
enum Unopened {
    Link,
    Folder,
    /// A device, a pipe or a socket.
    Special,
    System(io::Error),
}

impl<E: Into<io::Error>> From<E> for Unopened {
    fn from(error: E) -> Self {
        Self::System(error.into())
    }
}

/// Opens an ordinary file, component by component: each is opened in the folder that was opened
/// before, and refused if it is a link. Whoever replaces one meanwhile gains nothing.
fn open_below(event: &Path, below: &Path) -> Result<(File, u64), Unopened> {
    const LOOK: OFlags = OFlags::PATH.union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);
    const READ: OFlags =
        OFlags::NOFOLLOW.union(OFlags::NONBLOCK).union(OFlags::NOCTTY).union(OFlags::CLOEXEC);
    let kind = |mode| match FileType::from_raw_mode(mode) {
        FileType::RegularFile => Ok(()),
        FileType::Symlink => Err(Unopened::Link),
        FileType::Directory => Err(Unopened::Folder),
        _ => Err(Unopened::Special),
    };
    let mut folder = openat(CWD, event, OFlags::PATH | OFlags::CLOEXEC, Mode::empty())?;
    let mut names = below.iter().peekable();
    while let Some(name) = names.next() {
        let found = openat(&folder, name, LOOK, Mode::empty())?;
        match (kind(fstat(&found)?.st_mode), names.peek()) {
            (Err(Unopened::Folder), Some(_)) => folder = found,
            (Err(refused), _) => return Err(refused),
            (Ok(()), Some(_)) => return Err(io::Error::from(io::ErrorKind::NotADirectory).into()),
            (Ok(()), None) => {
                let file = openat(&folder, name, READ, Mode::empty())?;
                let about = fstat(&file)?;
                kind(about.st_mode)?;
                return Ok((File::from(file), u64::try_from(about.st_size).unwrap_or(0)));
            }
        }
    }
    Err(Unopened::Folder)
}

/// Reads a small file of an event as UTF-8 without its byte order mark; returns `None` after
/// reporting an error.
pub(crate) fn read_text(event: &Path, below: &Path, report: &mut Report) -> Option<String> {
    let bytes = match read_bytes(event, below) {
        Ok(bytes) => bytes,
        Err(why) => {
            report.error(1, why);
            return None;
        }
    };
    match String::from_utf8(bytes) {
        Ok(text) => Some(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text)),
        Err(error) => {
            let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
            let line = 1 + valid.iter().filter(|&&b| b == b'\n').count();
            report.error(line, "this is not text in UTF-8: save it as UTF-8");
            None
        }
    }
}

/// Reads a small ordinary file of an event. The error is a message for the event's author.
pub(crate) fn read_bytes(event: &Path, below: &Path) -> Result<Vec<u8>, String> {
    let unreadable = |error: io::Error| format!("the file cannot be read: {}", reason(&error));
    let (file, _) = open_below(event, below).map_err(|refused| match refused {
        Unopened::Link => "this is a symbolic link; put the file itself here".to_owned(),
        Unopened::Folder | Unopened::Special => "this is not an ordinary file".to_owned(),
        Unopened::System(error) => unreadable(error),
    })?;
    let mut bytes = Vec::new();
    file.take(DESCRIPTOR_BYTES_MAX + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() as u64 > DESCRIPTOR_BYTES_MAX {
        return Err(format!("the file is larger than {}", size(DESCRIPTOR_BYTES_MAX)));
    }
    Ok(bytes)
}

/// Finds the files that a challenge lists under `files`, and hashes those in a folder. Files that
/// are known have no [`PackFile`], and are not searched for flags.
pub(crate) fn attach(
    files: Files<'_>,
    listed: &[Text],
    bytes_max: u64,
    search: &Search,
    report: &mut Report,
) -> (Vec<Attachment>, Vec<PackFile>) {
    let (mut found, mut opened): (Vec<Attachment>, Vec<PackFile>) = Default::default();
    if let Some(first) = listed.first()
        && total_bytes(files, listed) > ATTACHED_BYTES_MAX
    {
        let most = size(ATTACHED_BYTES_MAX);
        report.error(first.line, format!("the attachments are together larger than {most}"));
        return (found, opened);
    }
    for Text { text, line } in listed {
        let named = Named { kind: "attachment", text };
        match find(files, named, bytes_max, search) {
            Ok(Found { attachment, .. }) if found.iter().any(|it| it.name == attachment.name) => {
                let name = quote(&attachment.name);
                report.error(*line, format!("two attachments are called {name}; rename one"));
            }
            Ok(Found { attachment, file, has_flag, .. }) => {
                if attachment.bytes == 0 {
                    report.warning(*line, format!("{named} is empty"));
                }
                if has_flag {
                    warn_of_flag(named, *line, report);
                }
                found.push(attachment);
                opened.extend(file);
            }
            Err(Refusal::Absent(why)) => report.warning(*line, why),
            Err(Refusal::Unsafe(why)) => report.error(*line, why),
        }
    }
    (found, opened)
}

/// The picture that a description names by its path, with its file in a folder. Returns `None`
/// after reporting a warning, so that its words are shown.
pub(crate) fn picture(
    files: Files<'_>,
    Text { text, line }: &Text,
    search: &Search,
    report: &mut Report,
) -> Option<(Attachment, Picture, Option<PackFile>)> {
    let named = Named { kind: "picture", text };
    let found = match find(files, named, PICTURE_BYTES_MAX, search) {
        Ok(found) => found,
        Err(refusal) => {
            report.warning(*line, refusal.words());
            return None;
        }
    };
    let Found { attachment, file, picture, has_flag } = found;
    let Some(picture) = picture else {
        let message = format!(
            "{named} is not shown, only its words: by its content it is no PNG, JPEG, WebP or GIF"
        );
        report.warning(*line, message);
        return None;
    };
    if picture.is_too_large() {
        let Picture { width, height, .. } = picture;
        let most = picture::PIXELS_MAX / 1_000_000;
        let message = format!(
            "{named} is not shown, only its words: it has {width} x {height} pixels, and a \
             description shows pictures of at most {most} million; scale it down"
        );
        report.warning(*line, message);
        return None;
    }
    if has_flag {
        warn_of_flag(named, *line, report);
    }
    Some((Attachment { picture: Some(picture.kind), ..attachment }, picture, file))
}

/// A file of the event's folder that the site shows, and its bytes. The error is a message for the
/// author.
pub(crate) fn of_site(
    event: &Path,
    text: &str,
    bytes_max: u64,
) -> Result<(PackFile, Vec<u8>), String> {
    let named = Named { kind: "file", text };
    let below = inside(named)?;
    let (file, _) =
        open_below(event, &below).map_err(|refused| unopened(refused, named).words())?;
    let mut bytes = Vec::new();
    let read = file.take(bytes_max + 1).read_to_end(&mut bytes);
    read.map_err(|error| format!("{named} cannot be read: {}", reason(&error)))?;
    if bytes.len() as u64 > bytes_max {
        return Err(too_large(named, bytes_max).words());
    }
    let digest = HEXLOWER.encode(&Sha256::digest(&bytes));
    let (path, picture) = (event.join(below), picture::of(&bytes));
    let length = bytes.len() as u64;
    let event = event.to_owned();
    Ok((PackFile { digest, path, bytes: length, event, picture, link: None }, bytes))
}

fn warn_of_flag(named: Named<'_>, line: usize, report: &mut Report) {
    report.warning(line, format!("{named} has a flag of this challenge in it, as plain text"));
}

/// A file as messages name it.
#[derive(Clone, Copy)]
struct Named<'a> {
    kind: &'static str,
    /// Its path, as the author wrote it.
    text: &'a str,
}

impl Named<'_> {
    /// What its path must be below.
    fn home(&self) -> &'static str {
        if self.kind == "file" { "event" } else { "challenge" }
    }
}

impl fmt::Display for Named<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the {} {}", self.kind, quote(self.text))
    }
}

/// A file of a challenge.
struct Found {
    attachment: Attachment,
    /// `None` for one that is kept already.
    file: Option<PackFile>,
    picture: Option<Picture>,
    /// Whether one of the searched flags is in it.
    has_flag: bool,
}

/// The total size of the listed files that may be served, from their metadata.
fn total_bytes(files: Files<'_>, listed: &[Text]) -> u64 {
    let paths = listed.iter().filter_map(|it| path_of(&it.text));
    let folder = match files {
        Files::Folder(folder) => folder,
        Files::Known(known) => {
            return paths.filter_map(|path| find_known(known, &path)).map(|it| it.bytes).sum();
        }
    };
    let root = folder.event.join(folder.below);
    let files = paths.filter_map(|path| links::followed(&root, &path));
    let files = files.filter_map(|path| fs::symlink_metadata(root.join(path)).ok());
    let sizes = files.filter(Metadata::is_file).map(|metadata| metadata.len());
    sizes.filter(|bytes| *bytes <= ATTACHMENT_BYTES_MAX).sum()
}

/// Why an attachment is left out.
enum Refusal {
    /// The file is missing: the challenge is loaded without it.
    Absent(String),
    /// The file must not be served: the challenge has an error.
    Unsafe(String),
}

impl Refusal {
    fn words(self) -> String {
        match self {
            Self::Absent(words) | Self::Unsafe(words) => words,
        }
    }
}

fn find(
    files: Files<'_>,
    named: Named<'_>,
    bytes_max: u64,
    search: &Search,
) -> Result<Found, Refusal> {
    let relative = inside(named).map_err(Refusal::Unsafe)?;
    match files {
        Files::Folder(folder) => find_in(folder, &relative, named, bytes_max, search),
        Files::Known(known) => find_among(known, &relative, named, bytes_max),
    }
}

fn find_in(
    folder: Folder<'_>,
    relative: &Path,
    named: Named<'_>,
    bytes_max: u64,
    search: &Search,
) -> Result<Found, Refusal> {
    refuse_descriptors(folder, relative, named)?;
    let followed = links::followed(&folder.event.join(folder.below), relative);
    let is_link = followed.as_deref().is_some_and(|followed| followed != relative);
    let target = followed.as_deref().filter(|_| is_link);
    if let Some(target) = target {
        refuse_descriptors(folder, target, named)?;
    }
    let below = folder.below.join(target.unwrap_or(relative));
    let (file, length) =
        open_below(folder.event, &below).map_err(|refused| unopened(refused, named))?;
    if length > bytes_max {
        return Err(too_large(named, bytes_max));
    }
    let Content { digest, bytes, start, has_flag } = content(file, bytes_max, search)
        .map_err(|error| Refusal::Absent(format!("{named} cannot be read: {}", reason(&error))))?;
    if bytes > bytes_max {
        return Err(too_large(named, bytes_max));
    }
    if bytes <= LFS_BYTES_MAX && start.starts_with(LFS_START) {
        let message =
            format!("{named} is only a git-LFS pointer and is left out; run `git lfs pull`");
        return Err(Refusal::Absent(message));
    }
    let (path, picture) = (folder.event.join(below), picture::of(&start));
    let link = is_link.then(|| folder.event.join(folder.below).join(relative));
    let (event, own) = (folder.event.to_owned(), digest.clone());
    let file = PackFile { digest: own, path, bytes, event, picture, link };
    let attachment = attachment(relative, digest, bytes);
    Ok(Found { attachment, file: Some(file), picture, has_flag })
}

/// The attachment of a file that is kept already.
fn find_among(
    known: &[KnownFile],
    relative: &Path,
    named: Named<'_>,
    bytes_max: u64,
) -> Result<Found, Refusal> {
    refuse_descriptor(relative, named)?;
    let Some(KnownFile { digest, bytes, picture, .. }) = find_known(known, relative) else {
        return Err(absent(named));
    };
    if *bytes > bytes_max {
        return Err(too_large(named, bytes_max));
    }
    let attachment = attachment(relative, digest.clone(), *bytes);
    Ok(Found { attachment, file: None, picture: *picture, has_flag: false })
}

fn attachment(relative: &Path, digest: String, bytes: u64) -> Attachment {
    let name = relative.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Attachment { name, digest, bytes, picture: None }
}

/// The file of this path; otherwise the only one of its name.
fn find_known<'k>(known: &'k [KnownFile], relative: &Path) -> Option<&'k KnownFile> {
    let path = |file: &KnownFile| path_of(&file.name);
    if let Some(file) = known.iter().find(|file| path(file).is_some_and(|it| it == relative)) {
        return Some(file);
    }
    let has_name =
        |file: &&KnownFile| path(file).is_some_and(|path| path.file_name() == relative.file_name());
    let mut named = known.iter().filter(has_name);
    named.next().filter(|_| named.next().is_none())
}

/// Refuses a descriptor, which would show players flags.
fn refuse_descriptor(relative: &Path, named: Named<'_>) -> Result<(), Refusal> {
    let name = relative.file_name().unwrap_or_default().to_string_lossy();
    if walk::is_descriptor(&name) {
        let message = format!(
            "{named} is named like a challenge's file, which has flags; rename it if it is none"
        );
        return Err(Refusal::Unsafe(message));
    }
    Ok(())
}

/// Refuses what would show players flags: a descriptor, and any file of another challenge.
fn refuse_descriptors(
    folder: Folder<'_>,
    relative: &Path,
    named: Named<'_>,
) -> Result<(), Refusal> {
    refuse_descriptor(relative, named)?;
    let folders = relative.ancestors().skip(1).filter(|it| !it.as_os_str().is_empty());
    for inner in folders {
        let descriptor = folder.event.join(folder.below).join(inner).join(DESCRIPTOR);
        if fs::symlink_metadata(descriptor).is_ok() {
            let message = format!(
                "{named} is a file of another challenge, as {} has a \
                 `{DESCRIPTOR}`; put a copy beside this file",
                quote(&inner.to_string_lossy())
            );
            return Err(Refusal::Unsafe(message));
        }
    }
    Ok(())
}

fn unopened(refused: Unopened, named: Named<'_>) -> Refusal {
    use io::ErrorKind::{NotADirectory, NotFound};
    match refused {
        Unopened::Link => Refusal::Unsafe(format!(
            "{named} is, or lies behind, a symbolic link that leads out of the {}'s folder: put a \
             copy of the file here",
            named.home()
        )),
        Unopened::Folder => Refusal::Unsafe(format!("{named} is a folder; pack it into one file")),
        Unopened::Special => Refusal::Unsafe(format!("{named} is not an ordinary file")),
        Unopened::System(error) if matches!(error.kind(), NotFound | NotADirectory) => {
            absent(named)
        }
        Unopened::System(error) => {
            Refusal::Absent(format!("{named} cannot be read: {}", reason(&error)))
        }
    }
}

fn absent(named: Named<'_>) -> Refusal {
    Refusal::Absent(format!("{named} is not there and is left out"))
}

fn too_large(named: Named<'_>, bytes_max: u64) -> Refusal {
    let most = size(bytes_max);
    Refusal::Unsafe(format!("{named} is larger than {most}"))
}

/// A path below the challenge's folder, if `text` is one.
fn path_of(text: &str) -> Option<PathBuf> {
    inside(Named { kind: "attachment", text }).ok()
}

/// Parses a path below the challenge's folder. The error is a message for the author.
fn inside(named: Named<'_>) -> Result<PathBuf, String> {
    let (text, home) = (named.text, named.home());
    let bytes = text.as_bytes();
    let drive = bytes.len() > 1 && bytes[0].is_ascii_alphabetic() && bytes[1] == b':';
    if text.starts_with('/') || text.starts_with('\\') || drive {
        return Err(format!("{named} must be a path below the {home}'s folder"));
    }
    if text.contains('\\') {
        return Err(format!("{named} must be written with `/`"));
    }
    if text.chars().any(char::is_control) {
        return Err(format!("the name of {named} has control characters"));
    }
    let mut path = PathBuf::new();
    for component in Path::new(text).components() {
        match component {
            Component::Normal(name) => path.push(name),
            Component::CurDir => {}
            Component::ParentDir | Component::RootDir | Component::Prefix(_) => {
                return Err(format!(
                    "{named} leaves the {home}'s folder with `..`: copy the file here"
                ));
            }
        }
    }
    let name = path.file_name().map_or(0, |name| name.to_string_lossy().chars().count());
    if name == 0 || name > NAME_CHARS_MAX {
        return Err(format!("{named} names no file, or has too long a name"));
    }
    Ok(path)
}

/// A size in readable units.
pub(crate) fn size(bytes: u64) -> String {
    const UNITS: [(u64, &str); 3] = [(1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")];
    for (unit, name) in UNITS {
        if bytes >= unit && bytes.is_multiple_of(unit) {
            return format!("{} {name}", bytes / unit);
        }
    }
    format!("{bytes} bytes")
}
