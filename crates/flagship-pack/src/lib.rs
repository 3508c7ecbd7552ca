//! Reads an event folder: `event.toml`, `rules.md`, `pages/*.md` and `challenges/**/challenge.yml`.
//!
//! Reading never fails because of a file's content: each invalid part becomes a [`Problem`] with
//! file and line, and the valid rest is returned. The crate reads nothing outside the folder and
//! does not follow links that leave it. Only [`writer`] writes files. Applying a pack to an event
//! is up to the caller.

mod challenge_yml;
mod event_times;
mod event_toml;
mod fields;
mod files;
mod flags;
mod foreign;
#[cfg(any(test, feature = "fuzz"))]
pub mod fuzz;
mod hints;
mod html;
mod links;
mod network;
mod offset_time;
mod problem;
mod quoted;
mod rules;
mod scoring;
mod search;
mod settings;
mod site;
pub mod source;
mod table;
pub mod team_copy;
mod toml_error;
mod walk;
pub mod writer;
mod yaml;

use std::collections::{HashMap, HashSet};
use std::fs;
use std::io::{self, ErrorKind::NotFound};
use std::path::{Path, PathBuf};

use flagship_game::{Challenge, ChallengeId, DivisionRules, Event, Secret};

pub use challenge_yml::{NAME_CHARS_MAX, is_read};
pub use event_times::{EventTimesError, TimesUpdate, event_times};
pub use event_toml::{Given, is_file_only};
pub use fields::LIST_MAX;
pub use files::picture;
pub use files::{
    ATTACHED_BYTES_MAX, ATTACHMENT_BYTES_MAX, ATTACHMENTS_MAX, DESCRIPTOR_BYTES_MAX, KnownFile,
    PICTURE_BYTES_MAX, PackFile, START_BYTES,
};
pub use flags::{FLAG_CHARS_MAX, FLAGS_MAX, Flag, FlagSearch, REGEX_BYTES_MAX, compile};
pub use hints::HINTS_MAX;
pub use html::escape as escape_html;
pub use network::{Network, NetworkError};
pub use problem::{PROBLEMS_PER_FILE_MAX, Problem, Severity, nearest, place};
pub use rules::pages::{
    PAGES_BYTES_MAX, PAGES_MAX, file_of as page_file, path_of as page_path, text_of as page_text,
};
pub use settings::signup_fields::{SignupAnswer, SignupField, SignupFieldType, signup_answers};
pub use settings::{
    AtStart, Captcha, CaptchaProvider, HeadingFont, KeepWrongTexts, Limits, Live, Mail, MailTls,
    MailTransport, Named, Origins, PagePlace, Privacy, Registration, Settings, SignupCodes,
    SignupPhase, Site, SiteFile, SiteFileKind, SiteLink, SitePage, Sponsor, WIDE_PROXIES,
};
pub use site::SPONSORS_MAX;
pub use site::uploads::{FILE_BYTES_MAX, FILES_BYTES_MAX, file_paths, uploaded_file};
pub use source::texts::{StoredChallenge, event_tables};
pub use source::{Defaults, Source, new_event_toml};
pub use walk::{DEPTH_MAX, ENTRIES_MAX};

use event_toml::{ChallengeDefaults, EventFile};
use files::{Files, Folder};
use links::LoadedDescriptor;
use problem::{Report, quote};
use source::texts;
use walk::Lookalike;

/// Folder of the challenges.
const CHALLENGES: &str = "challenges";

/// Content of an event folder, and its problems.
#[derive(Clone, Debug)]
pub struct Pack {
    /// The event; `None` if `event.toml` is not usable.
    pub event: Option<Event>,
    /// The other settings of `event.toml`, with their defaults.
    pub settings: Settings,
    /// The challenges without errors, in the order of their files.
    pub challenges: Vec<PackChallenge>,
    /// Branding files of the site.
    pub site_files: Vec<PackFile>,
    /// All divisions; the event has the public ones.
    pub divisions: Vec<DivisionRules>,
    /// Settings of `event.toml` that apply to all challenges.
    pub defaults: Defaults,
    /// Files of challenges that were ignored because of errors.
    pub broken: Vec<Broken>,
    /// The problems, in the order of files and lines.
    pub problems: Vec<Problem>,
}

/// A challenge, including the parts hidden from players.
#[derive(Clone, Debug)]
pub struct PackChallenge {
    /// The part visible to players.
    pub challenge: Challenge,
    /// The correct flags.
    pub flags: Vec<Flag>,
    /// True if the challenge is hidden until an organizer releases it.
    pub hidden: bool,
    /// Release time in epoch milliseconds; `None` releases at the start.
    pub release_at_ms: Option<i64>,
    /// The files of the attachments, in the same order; empty if they are stored elsewhere.
    pub files: Vec<PackFile>,
    /// Stored files that the text can refer to, for a challenge that was not read from a folder.
    pub stored: Vec<KnownFile>,
    /// The text that the challenge was read from.
    pub source: Source,
}

/// A file in `challenges` that has errors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// Path relative to the event folder.
    pub source: PathBuf,
    /// ID of its challenge, if it could be read.
    pub id: Option<ChallengeId>,
}

/// Content of `event.toml` and the pages, and their problems.
#[derive(Clone, Debug)]
pub struct EventToml {
    /// The event without its rules; `None` if the file is not usable.
    pub event: Option<Event>,
    /// The settings, with their defaults.
    pub settings: Settings,
    /// Branding files of the site.
    pub site_files: Vec<PackFile>,
    /// The problems, in the order of files and lines.
    pub problems: Vec<Problem>,
}

/// Error returned when a folder cannot be read at all.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The path does not exist, is not a folder, or is not readable.
    #[error("read the event folder `{path}`")]
    Folder {
        /// The given path.
        path: PathBuf,
        /// The system error.
        source: io::Error,
    },
}

impl PackChallenge {
    /// Returns the files in their stored form, in the order of [`Self::files`], without duplicates.
    pub fn known_files(&self) -> Vec<KnownFile> {
        if self.files.is_empty() {
            return self.stored.clone();
        }
        let folder = Path::new(&self.source.path).parent().unwrap_or(Path::new(""));
        let name = |file: &PackFile| {
            let named = file.link.as_ref().unwrap_or(&file.path);
            let path = named.strip_prefix(&file.event).unwrap_or(named);
            slashed(path.strip_prefix(folder).unwrap_or(path))
        };
        let known = |file: &PackFile| KnownFile {
            name: name(file),
            digest: file.digest.clone(),
            bytes: file.bytes,
            picture: file.picture,
        };
        let mut names = HashSet::new();
        self.files.iter().map(known).filter(|file| names.insert(file.name.clone())).collect()
    }
}

/// Formats a path with `/`. Files with names that are not UTF-8 are never read.
pub fn slashed(path: &Path) -> String {
    path.iter().map(|name| name.to_string_lossy()).collect::<Vec<_>>().join("/")
}

impl Pack {
    /// Number of errors. `check` and `apply` reject the folder if there are any.
    pub fn errors(&self) -> usize {
        self.count(Severity::Error)
    }

    /// Number of warnings.
    pub fn warnings(&self) -> usize {
        self.count(Severity::Warning)
    }

    /// Returns a summary such as `54 challenges, 9 errors, 1 warning, 0 notes`.
    pub fn summary(&self) -> String {
        let some = |n: usize, word: &str| format!("{n} {word}{}", if n == 1 { "" } else { "s" });
        [
            some(self.challenges.len(), "challenge"),
            some(self.errors(), "error"),
            some(self.warnings(), "warning"),
            some(self.count(Severity::Note), "note"),
        ]
        .join(", ")
    }

    /// Formats the problems of at least severity `least`, one per line. Identical notes on several
    /// challenges become one line, at the position of the first.
    pub fn lines(&self, least: Severity) -> Vec<String> {
        problem::lines(&self.problems, least)
    }

    fn count(&self, severity: Severity) -> usize {
        self.problems.iter().filter(|problem| problem.severity == severity).count()
    }
}

/// Reads the event folder `dir`.
///
/// # Errors
/// The folder cannot be opened. All other errors are in [`Pack::problems`].
pub fn read(dir: &Path) -> Result<Pack, ReadError> {
    read_files(dir).map(|(pack, _)| pack)
}

/// Reads the event folder `dir` like [`read`], with additional warnings if the event has ended by
/// `now_ms` or has no challenges.
///
/// # Errors
/// Same as for [`read`].
pub fn check(dir: &Path, now_ms: i64) -> Result<Pack, ReadError> {
    let (mut pack, end_line) = read_files(dir)?;
    let mut more = Vec::new();
    let mut report = Report::new(Path::new("event.toml"));
    if pack.event.as_ref().and_then(|event| event.end_ms).is_some_and(|end| end <= now_ms) {
        report.warning(end_line, "the event is over: `end` is in the past");
    }
    more.extend(report.finish());
    let mut report = Report::new(Path::new(CHALLENGES));
    let is_explained = pack.problems.iter().any(|problem| problem.file == Path::new(CHALLENGES));
    if pack.challenges.is_empty() && !is_explained {
        let message = "no challenges found: add each as `challenges/NAME/challenge.yml`";
        report.warning(1, message);
    }
    more.extend(report.finish());
    pack.problems.extend(more);
    sort(&mut pack.problems);
    Ok(pack)
}

/// Reads the pack, and the line of the event's end.
fn read_files(dir: &Path) -> Result<(Pack, usize), ReadError> {
    let refused = |source| ReadError::Folder { path: dir.to_owned(), source };
    fs::read_dir(dir).map_err(refused)?;
    let mut problems = Vec::new();
    let EventFile { event, settings, common, end_line, files, divisions } =
        read_event(dir, &mut problems);
    let rules = rules::read(dir, &common.scoring, &mut problems);
    let event = event.map(|event| Event { rules, ..event });
    let mut descriptors = read_challenges(dir, &common, &mut problems);
    problems.extend(links::join(&mut descriptors));
    let end_ms = event.as_ref().and_then(|event| event.end_ms);
    problems.extend(links::warn_of_late_releases(&descriptors, end_ms));
    sort(&mut problems);
    let broken = broken(&descriptors, &problems);
    let usable = descriptors.into_iter().filter(|sourced| sourced.descriptor.usable);
    let challenges = usable.map(finish).collect();
    let defaults = Defaults::of(&common);
    let site_files = files;
    let pack =
        Pack { event, settings, challenges, site_files, divisions, defaults, broken, problems };
    Ok((pack, end_line))
}

fn sort(problems: &mut [Problem]) {
    problems.sort_by(|a, b| {
        (&a.file, a.line, a.severity, &a.message).cmp(&(&b.file, b.line, b.severity, &b.message))
    });
}

/// Returns the content of a text file in the event folder `dir`; `None` if it cannot be read.
pub fn file_text(dir: &Path, name: &str) -> Option<String> {
    let name = Path::new(name);
    files::read_text(dir, name, &mut Report::new(name))
}

/// Reads an event from the texts of its files, like [`read`], with stored attachments. Of the
/// tables in `event`, only `[event]`, `[scoring]` and `[[divisions]]` are read. Attachments are not
/// searched for flags. Challenges with errors are left out; [`Pack::problems`] has the errors.
pub fn read_texts(event: &str, rules: &str, challenges: Vec<StoredChallenge>) -> Pack {
    let mut problems = Vec::new();
    let EventFile { event, settings, common, divisions, .. } =
        texts::read_event(event, &mut problems);
    let mut report = Report::new(Path::new("rules.md"));
    let rules = rules::read_text(rules, &common.scoring, &mut report);
    problems.extend(report.finish());
    let loaded = texts::read_challenges(challenges, &common, &mut problems);
    sort(&mut problems);
    let usable = loaded.into_iter().filter(|(loaded, _)| loaded.descriptor.usable);
    let challenge = |(loaded, stored)| PackChallenge { stored, ..finish(loaded) };
    Pack {
        event: event.map(|event| Event { rules, ..event }),
        settings,
        challenges: usable.map(challenge).collect(),
        site_files: Vec::new(),
        divisions,
        defaults: Defaults::of(&common),
        broken: Vec::new(),
        problems,
    }
}

/// Reads `event.toml` in the event folder `dir`, the files that it refers to, and the pages.
pub fn read_event_toml(dir: &Path) -> EventToml {
    let mut problems = Vec::new();
    let EventFile { event, settings, files, .. } = read_event(dir, &mut problems);
    EventToml { event, settings, site_files: files, problems }
}

/// Parses settings given by table and key, in the layout of `event.toml`.
///
/// # Errors
/// The problems found. Their line numbers are meaningless.
pub fn parse_settings(given: &Given) -> Result<Settings, Vec<Problem>> {
    let mut report = Report::new(Path::new("event.toml"));
    let settings = event_toml::read_given(given, &mut report);
    let is_well = report.errors() == 0;
    let problems = report.finish();
    if is_well { Ok(settings) } else { Err(problems) }
}

/// Renders rules written in Markdown, for an event with these defaults.
///
/// # Errors
/// A message that explains why the text cannot be displayed.
pub fn render_rules(markdown: &str, defaults: &Defaults) -> Result<String, String> {
    Ok(rules::with_points(&render_markdown(markdown)?, defaults.max, defaults.min))
}

/// Returns warnings about the rules: unknown placeholders.
pub fn rules_warnings(markdown: &str) -> Vec<Problem> {
    let mut report = Report::new(Path::new("rules.md"));
    rules::warn_of_unknown(markdown, &mut report);
    report.finish()
}

/// Renders a custom page from Markdown that starts with its title, for an event with these
/// defaults. Also returns warnings.
///
/// # Errors
/// The problems found.
pub fn page_of(
    slug: &str,
    place: PagePlace,
    markdown: &str,
    defaults: &Defaults,
) -> Result<(SitePage, Vec<Problem>), Vec<Problem>> {
    rules::pages::page_of(slug, place, markdown, (defaults.max, defaults.min))
}

/// True if this is the name of a time zone.
pub fn is_time_zone(name: &str) -> bool {
    event_toml::is_time_zone(name)
}

/// The files in `challenges` that have errors.
fn broken(descriptors: &[LoadedDescriptor], problems: &[Problem]) -> Vec<Broken> {
    let unusable = || descriptors.iter().filter(|sourced| !sourced.descriptor.usable);
    let mut known: HashSet<&Path> = unusable().map(|sourced| &*sourced.source).collect();
    let mut broken: Vec<Broken> = unusable()
        .map(|LoadedDescriptor { source, descriptor, .. }| Broken {
            source: source.clone(),
            id: Some(descriptor.challenge.id.clone()),
        })
        .collect();
    let errors = problems.iter().filter(|problem| problem.severity == Severity::Error);
    for Problem { file, .. } in errors {
        if known.insert(file) && file.parent().is_some_and(|folder| folder.starts_with(CHALLENGES))
        {
            broken.push(Broken { source: file.clone(), id: None });
        }
    }
    broken.sort_by(|a, b| a.source.cmp(&b.source));
    broken
}

fn finish(LoadedDescriptor { source, text, descriptor }: LoadedDescriptor) -> PackChallenge {
    PackChallenge {
        challenge: descriptor.challenge,
        flags: descriptor.flags,
        hidden: descriptor.hidden,
        release_at_ms: descriptor.release_at_ms,
        files: descriptor.files,
        stored: Vec::new(),
        source: Source { path: slashed(&source), text },
    }
}

fn read_event(dir: &Path, problems: &mut Vec<Problem>) -> EventFile {
    let name = Path::new("event.toml");
    let mut report = Report::new(name);
    let text = if fs::symlink_metadata(dir.join(name)).is_err_and(|error| error.kind() == NotFound)
    {
        let message = "not found, so this is not an event folder; create one with `flagship init \
                       DIR`";
        report.error(1, message);
        None
    } else {
        files::read_text(dir, name, &mut report)
    };
    let read = text.map(|text| event_toml::read(&text, dir, &mut report));
    let mut file = read.unwrap_or_default();
    problems.extend(report.finish());
    file.settings.site.pages = rules::pages::read(dir, &file.common.scoring, problems);
    file
}

fn read_challenges(
    dir: &Path,
    common: &ChallengeDefaults,
    problems: &mut Vec<Problem>,
) -> Vec<LoadedDescriptor> {
    let below = Path::new(CHALLENGES);
    let mut report = Report::new(below);
    let metadata = fs::symlink_metadata(dir.join(below));
    let near = rules::near(dir, CHALLENGES).filter(|_| metadata.is_err());
    warn_of_outside(dir, near.as_deref(), problems);
    match metadata {
        Err(_) => {
            let near = near.map(|name| format!("; did you mean {}?", quote(&name)));
            let near = near.unwrap_or_default();
            report.warning(1, format!("folder not found, so there are no challenges{near}"));
        }
        Ok(metadata) if metadata.is_symlink() => {
            report.error(1, "symbolic links are not followed; put the folder itself here");
        }
        Ok(metadata) if !metadata.is_dir() => report.error(1, "this is not a folder"),
        Ok(_) => {
            let found = walk::descriptors(dir, below);
            problems.extend(found.problems);
            let mut like_ones: HashMap<PathBuf, usize> = HashMap::new();
            let others = found.others.iter().map(|(path, _)| path);
            for path in found.descriptors.iter().chain(others) {
                let folder = path.parent().unwrap_or(below);
                *like_ones.entry(folder.to_owned()).or_default() += 1;
            }
            for (path, like) in found.others {
                let folder = path.parent().unwrap_or(below);
                let is_alone = like_ones.get(folder) == Some(&1);
                explain_other(dir, &path, like, is_alone, problems);
            }
            let read = |source| read_challenge(dir, source, common, problems);
            return found.descriptors.into_iter().filter_map(read).collect();
        }
    }
    problems.extend(report.finish());
    Vec::new()
}

/// Warns about challenges outside `challenges`, except in the folder `near`, whose name is
/// misspelled.
fn warn_of_outside(dir: &Path, near: Option<&str>, problems: &mut Vec<Problem>) {
    let inside = [CHALLENGES, near.unwrap_or(CHALLENGES)];
    for (path, count) in walk::outside(dir, &inside) {
        let mut report = Report::new(&path);
        let message = match count {
            1 => "this challenge is ignored: move its folder into `challenges`".to_owned(),
            _ => format!(
                "this and {} more challenges are ignored: move their folders into `challenges`",
                count - 1
            ),
        };
        report.warning(1, message);
        problems.extend(report.finish());
    }
}

fn explain_other(
    dir: &Path,
    path: &Path,
    like: Lookalike,
    alone: bool,
    problems: &mut Vec<Problem>,
) {
    let mut report = Report::new(path);
    let text = match like {
        Lookalike::Beside | Lookalike::NearBeside => None,
        Lookalike::Named | Lookalike::Near | Lookalike::Longer => {
            files::read_text(dir, path, &mut report)
        }
    };
    foreign::explain(text.as_deref(), like, alone, &mut report);
    problems.extend(report.finish());
}

fn read_challenge(
    dir: &Path,
    source: PathBuf,
    common: &ChallengeDefaults,
    problems: &mut Vec<Problem>,
) -> Option<LoadedDescriptor> {
    let mut report = Report::new(&source);
    let folder = Folder { event: dir, below: source.parent().unwrap_or(Path::new("")) };
    let read = files::read_text(dir, &source, &mut report).and_then(|text| {
        let descriptor = challenge_yml::read(&text, Files::Folder(folder), common, &mut report)?;
        Some((Secret::new(text), descriptor))
    });
    problems.extend(report.finish());
    read.map(|(text, descriptor)| LoadedDescriptor { source, text, descriptor })
}

/// Parses a time with a UTC offset, as epoch milliseconds.
///
/// # Errors
/// The reason, worded to follow the name of the value.
pub fn time_ms(text: &str) -> Result<i64, &'static str> {
    offset_time::OffsetTime::parse(text).map(|when| when.at_ms)
}

/// Renders Markdown as sanitized HTML, as for descriptions.
///
/// # Errors
/// A message that explains why the text cannot be displayed.
pub fn render_markdown(markdown: &str) -> Result<String, String> {
    html::render(markdown)
}
