//! Reads files of an event folder safely: no files outside the folder, no symbolic links, no
//! devices, no files above the size limits. Attachments are hashed here; the caller copies them.

mod content;
mod copies;
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

/// Maximum size of `event.toml`, `rules.md` and a `challenge.yml`, in bytes.
pub const DESCRIPTOR_BYTES_MAX: u64 = 1024 * 1024;

/// Maximum size of an attachment, in bytes.
pub const ATTACHMENT_BYTES_MAX: u64 = 1024 * 1024 * 1024;

/// Maximum total size of the attachments of one challenge, in bytes.
pub const ATTACHED_BYTES_MAX: u64 = 4 * ATTACHMENT_BYTES_MAX;

/// Maximum number of attachments per challenge.
pub const ATTACHMENTS_MAX: usize = 64;

/// Maximum size of an image in a description, in bytes.
pub const PICTURE_BYTES_MAX: u64 = 8 * 1024 * 1024;

/// Maximum length of an attachment name, in characters.
const NAME_CHARS_MAX: usize = 200;

/// First bytes of every Git LFS pointer.
const LFS_START: &[u8] = b"version https://git-lfs";
/// Maximum size of a Git LFS pointer, in bytes.
const LFS_BYTES_MAX: u64 = 1024;

/// The file of an attachment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackFile {
    /// SHA-256 in hex.
    pub digest: String,
    /// The path, starting with the folder given to [`crate::read`].
    pub path: PathBuf,
    /// Size in bytes.
    pub bytes: u64,
    /// The folder given to [`crate::read`].
    pub event: PathBuf,
    /// Image type and size, if descriptions can display the file.
    pub picture: Option<Picture>,
    /// Path of the symbolic link that `files` refers to, if any.
    pub link: Option<PathBuf>,
}

impl PackFile {
    /// Reopens the file with the checks of the first read: links inside the event folder are not
    /// followed. The content may have changed in between.
    ///
    /// # Errors
    /// The file no longer exists, is not a regular file, or is behind a symbolic link.
    pub fn open(&self) -> io::Result<File> {
        let path = self.path.strip_prefix(&self.event).map_err(io::Error::other)?;
        open_below(&self.event, path).map(|(file, _)| file).map_err(|refused| match refused {
            Unopened::Link => io::Error::other("the file is, or is inside, a symbolic link"),
            Unopened::Folder | Unopened::Special => io::Error::other("not a regular file"),
            Unopened::System(error) => error,
        })
    }
}

/// A folder inside the event folder.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Folder<'a> {
    /// The event folder. Links in its own path are followed.
    pub(crate) event: &'a Path,
    /// The path relative to the event folder.
    pub(crate) below: &'a Path,
}

/// A stored file: the data that an attachment of a challenge needs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KnownFile {
    /// Path relative to the challenge folder, as written in `files`.
    pub name: String,
    /// SHA-256 in hex.
    pub digest: String,
    /// Size in bytes.
    pub bytes: u64,
    /// Image type and size, if descriptions can display the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub picture: Option<Picture>,
}

/// A file that a challenge lists under `files`.
#[derive(Clone, Debug)]
pub(crate) struct ListedFile {
    /// Path relative to the challenge folder.
    pub(crate) path: Text,
    /// Length of the flag in the copies of teams, in bytes; `None` if all teams get the same file.
    pub(crate) flag_bytes: Option<usize>,
}

/// Source of the files that a challenge lists.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Files<'a> {
    Folder(Folder<'a>),
    /// Stored files, found by path or by a file name that only one of them has.
    Known(&'a [KnownFile]),
    /// Stored files, found only by path, as in a folder.
    Stored(&'a [KnownFile]),
}

/// Error returned when a file cannot be opened.
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

/// Opens a regular file, component by component: each is opened relative to the previous one and
/// rejected if it is a link. Replacing a folder during the walk therefore has no effect.
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

/// Reads a small event file as UTF-8 without its byte order mark. Returns `None` after reporting an
/// error.
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
            report.error(line, "not UTF-8: save the file as UTF-8");
            None
        }
    }
}

/// Reads a small regular file of an event. The error is a message for the author.
pub(crate) fn read_bytes(event: &Path, below: &Path) -> Result<Vec<u8>, String> {
    let unreadable = |error: io::Error| format!("the file cannot be read: {}", reason(&error));
    let (file, _) = open_below(event, below).map_err(|refused| match refused {
        Unopened::Link => "symbolic links are not followed; put the file itself here".to_owned(),
        Unopened::Folder | Unopened::Special => "not a regular file".to_owned(),
        Unopened::System(error) => unreadable(error),
    })?;
    let mut bytes = Vec::new();
    file.take(DESCRIPTOR_BYTES_MAX + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() as u64 > DESCRIPTOR_BYTES_MAX {
        return Err(format!("the file is larger than {}", size(DESCRIPTOR_BYTES_MAX)));
    }
    Ok(bytes)
}

/// Finds the files that a challenge lists under `files`, and hashes those in a folder. Stored files
/// have no [`PackFile`] and are not searched for flags.
pub(crate) fn attach(
    files: Files<'_>,
    listed: &[ListedFile],
    bytes_max: u64,
    search: &Search,
    report: &mut Report,
) -> (Vec<Attachment>, Vec<PackFile>) {
    let (mut found, mut opened): (Vec<Attachment>, Vec<PackFile>) = Default::default();
    if let Some(ListedFile { path: first, .. }) = listed.first()
        && total_bytes(files, listed) > ATTACHED_BYTES_MAX
    {
        let most = size(ATTACHED_BYTES_MAX);
        report.error(first.line, format!("the attachments exceed {most} in total"));
        return (found, opened);
    }
    for ListedFile { path: Text { text, line }, flag_bytes } in listed {
        let named = FileLabel { kind: "attachment", text };
        match find(files, named, bytes_max, search) {
            Ok(Found { attachment, .. }) if found.iter().any(|it| it.name == attachment.name) => {
                let name = quote(&attachment.name);
                report.error(*line, format!("duplicate attachment name {name}"));
            }
            Ok(Found { mut attachment, file, has_flag, .. }) => {
                attachment.per_team = flag_bytes.is_some();
                if let Some(file) = &file {
                    let open = || file.open();
                    let label = named.to_string();
                    copies::check(open, file.bytes, &label, *line, *flag_bytes, report);
                }
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

/// Finds an image of a description by its path. Returns `None` after reporting a warning; the alt
/// text is then displayed instead.
pub(crate) fn picture(
    files: Files<'_>,
    Text { text, line }: &Text,
    search: &Search,
    report: &mut Report,
) -> Option<(Attachment, Picture, Option<PackFile>)> {
    let named = FileLabel { kind: "image", text };
    let found = match find(files, named, PICTURE_BYTES_MAX, search) {
        Ok(found) => found,
        Err(refusal) => {
            report.warning(*line, refusal.words());
            return None;
        }
    };
    let Found { attachment, file, picture, has_flag } = found;
    let Some(picture) = picture else {
        let message =
            format!("{named} is replaced by its alt text: it is not a PNG, JPEG, WebP or GIF");
        report.warning(*line, message);
        return None;
    };
    if picture.is_too_large() {
        let Picture { width, height, .. } = picture;
        let most = picture::PIXELS_MAX / 1_000_000;
        let message = format!(
            "{named} is replaced by its alt text: it has {width} x {height} pixels, but at most \
             {most} million are allowed; scale it down"
        );
        report.warning(*line, message);
        return None;
    }
    if has_flag {
        warn_of_flag(named, *line, report);
    }
    Some((Attachment { picture: Some(picture.kind), ..attachment }, picture, file))
}

/// Reads a branding file of the event folder. The error is a message for the author.
pub(crate) fn read_site_file(
    event: &Path,
    text: &str,
    bytes_max: u64,
) -> Result<(PackFile, Vec<u8>), String> {
    let named = FileLabel { kind: "file", text };
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

fn warn_of_flag(named: FileLabel<'_>, line: usize, report: &mut Report) {
    report.warning(line, format!("{named} contains a flag of this challenge in plain text"));
}

/// Name of a file in messages.
#[derive(Clone, Copy)]
struct FileLabel<'a> {
    kind: &'static str,
    /// The path, as written by the author.
    text: &'a str,
}

impl FileLabel<'_> {
    /// The folder that must contain the file.
    fn home(&self) -> &'static str {
        if self.kind == "file" { "event" } else { "challenge" }
    }
}

impl fmt::Display for FileLabel<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the {} {}", self.kind, quote(self.text))
    }
}

/// A file of a challenge.
struct Found {
    attachment: Attachment,
    /// `None` for a stored file.
    file: Option<PackFile>,
    picture: Option<Picture>,
    /// True if the file contains one of the flags.
    has_flag: bool,
}

/// Total size of the listed files that can be served, from their metadata.
fn total_bytes(files: Files<'_>, listed: &[ListedFile]) -> u64 {
    let paths = listed.iter().filter_map(|it| path_of(&it.path.text));
    let folder = match files {
        Files::Folder(folder) => folder,
        Files::Known(known) => {
            return paths.filter_map(|path| find_known(known, &path)).map(|it| it.bytes).sum();
        }
        Files::Stored(stored) => {
            return paths.filter_map(|path| find_stored(stored, &path)).map(|it| it.bytes).sum();
        }
    };
    let root = folder.event.join(folder.below);
    let files = paths.filter_map(|path| links::followed(&root, &path));
    let files = files.filter_map(|path| fs::symlink_metadata(root.join(path)).ok());
    let sizes = files.filter(Metadata::is_file).map(|metadata| metadata.len());
    sizes.filter(|bytes| *bytes <= ATTACHMENT_BYTES_MAX).sum()
}

/// Error returned when an attachment is skipped.
enum Refusal {
    /// The file is missing; the challenge is loaded without it.
    Absent(String),
    /// The file must not be served; the challenge has an error.
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
    named: FileLabel<'_>,
    bytes_max: u64,
    search: &Search,
) -> Result<Found, Refusal> {
    let relative = inside(named).map_err(Refusal::Unsafe)?;
    match files {
        Files::Folder(folder) => find_in(folder, &relative, named, bytes_max, search),
        Files::Known(known) => {
            stored_file(find_known(known, &relative), &relative, named, bytes_max)
        }
        Files::Stored(stored) => {
            stored_file(find_stored(stored, &relative), &relative, named, bytes_max)
        }
    }
}

fn find_in(
    folder: Folder<'_>,
    relative: &Path,
    named: FileLabel<'_>,
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
        let message = format!("{named} is a Git LFS pointer and is ignored; run `git lfs pull`");
        return Err(Refusal::Absent(message));
    }
    let (path, picture) = (folder.event.join(below), picture::of(&start));
    let link = is_link.then(|| folder.event.join(folder.below).join(relative));
    let (event, own) = (folder.event.to_owned(), digest.clone());
    let file = PackFile { digest: own, path, bytes, event, picture, link };
    let attachment = attachment(relative, digest, bytes);
    Ok(Found { attachment, file: Some(file), picture, has_flag })
}

/// Checks a stored file that may be an attachment.
fn stored_file(
    file: Option<&KnownFile>,
    relative: &Path,
    named: FileLabel<'_>,
    bytes_max: u64,
) -> Result<Found, Refusal> {
    refuse_descriptor(relative, named)?;
    let Some(KnownFile { digest, bytes, picture, .. }) = file else {
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
    Attachment { name, digest, bytes, picture: None, per_team: false }
}

/// Finds the file with this path.
fn find_stored<'k>(stored: &'k [KnownFile], relative: &Path) -> Option<&'k KnownFile> {
    stored.iter().find(|file| path_of(&file.name).is_some_and(|it| it == relative))
}

/// Finds the file with this path, or else the only one with its file name.
fn find_known<'k>(known: &'k [KnownFile], relative: &Path) -> Option<&'k KnownFile> {
    if let Some(file) = find_stored(known, relative) {
        return Some(file);
    }
    let path = |file: &KnownFile| path_of(&file.name);
    let has_name =
        |file: &&KnownFile| path(file).is_some_and(|path| path.file_name() == relative.file_name());
    let mut named = known.iter().filter(has_name);
    named.next().filter(|_| named.next().is_none())
}

/// Rejects a descriptor, which would expose flags to players.
fn refuse_descriptor(relative: &Path, named: FileLabel<'_>) -> Result<(), Refusal> {
    let name = relative.file_name().unwrap_or_default().to_string_lossy();
    if walk::is_descriptor(&name) {
        let message = format!(
            "{named} is named like a challenge file, which contains flags; rename it if it is not \
            one"
        );
        return Err(Refusal::Unsafe(message));
    }
    Ok(())
}

/// Rejects files that could expose flags to players: descriptors, and all files of other
/// challenges.
fn refuse_descriptors(
    folder: Folder<'_>,
    relative: &Path,
    named: FileLabel<'_>,
) -> Result<(), Refusal> {
    refuse_descriptor(relative, named)?;
    let folders = relative.ancestors().skip(1).filter(|it| !it.as_os_str().is_empty());
    for inner in folders {
        let descriptor = folder.event.join(folder.below).join(inner).join(DESCRIPTOR);
        if fs::symlink_metadata(descriptor).is_ok() {
            let message = format!(
                "{named} belongs to another challenge, because {} contains a `{DESCRIPTOR}`; copy \
                it next to this file",
                quote(&inner.to_string_lossy())
            );
            return Err(Refusal::Unsafe(message));
        }
    }
    Ok(())
}

fn unopened(refused: Unopened, named: FileLabel<'_>) -> Refusal {
    use io::ErrorKind::{NotADirectory, NotFound};
    match refused {
        Unopened::Link => Refusal::Unsafe(format!(
            "{named} is, or is inside, a symbolic link that points outside the {} folder: copy \
             the file here",
            named.home()
        )),
        Unopened::Folder => Refusal::Unsafe(format!("{named} is a folder; add it as an archive")),
        Unopened::Special => Refusal::Unsafe(format!("{named} is not a regular file")),
        Unopened::System(error) if matches!(error.kind(), NotFound | NotADirectory) => {
            absent(named)
        }
        Unopened::System(error) => {
            Refusal::Absent(format!("{named} cannot be read: {}", reason(&error)))
        }
    }
}

fn absent(named: FileLabel<'_>) -> Refusal {
    Refusal::Absent(format!("{named} does not exist and is ignored"))
}

fn too_large(named: FileLabel<'_>, bytes_max: u64) -> Refusal {
    let most = size(bytes_max);
    Refusal::Unsafe(format!("{named} is larger than {most}"))
}

/// Path inside the challenge folder; `None` if `text` is not one.
fn path_of(text: &str) -> Option<PathBuf> {
    inside(FileLabel { kind: "attachment", text }).ok()
}

/// Parses a path inside the challenge folder. The error is a message for the author.
fn inside(named: FileLabel<'_>) -> Result<PathBuf, String> {
    let (text, home) = (named.text, named.home());
    let bytes = text.as_bytes();
    let drive = bytes.len() > 1 && bytes[0].is_ascii_alphabetic() && bytes[1] == b':';
    if text.starts_with('/') || text.starts_with('\\') || drive {
        return Err(format!("{named} must be inside the {home} folder"));
    }
    if text.contains('\\') {
        return Err(format!("{named} must use `/` as the path separator"));
    }
    if text.chars().any(char::is_control) {
        return Err(format!("the name of {named} contains control characters"));
    }
    let mut path = PathBuf::new();
    for component in Path::new(text).components() {
        match component {
            Component::Normal(name) => path.push(name),
            Component::CurDir => {}
            Component::ParentDir | Component::RootDir | Component::Prefix(_) => {
                return Err(format!("{named} is outside the {home} folder: copy the file here"));
            }
        }
    }
    let name = path.file_name().map_or(0, |name| name.to_string_lossy().chars().count());
    if name == 0 || name > NAME_CHARS_MAX {
        return Err(format!("{named} is not a file name or is too long"));
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
