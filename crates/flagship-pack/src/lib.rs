//! Reads an event folder: `event.toml`, `rules.md` and `challenges/**/challenge.yml`.
//!
//! Reading never fails because of a file's content: each invalid part becomes a [`Problem`] with
//! file and line, and the valid rest is returned. The crate reads nothing outside the folder,
//! follows no links and writes nothing. It does not apply a pack to an event.

mod challenge_yml;
mod event_toml;
mod fields;
mod files;
mod flags;
mod foreign;
#[cfg(any(test, feature = "fuzz"))]
pub mod fuzz;
mod html;
mod links;
mod network;
mod problem;
mod scoring;
mod settings;
mod table;
mod walk;
mod when;
mod yaml;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use flagship_game::{Challenge, ChallengeId, Event};

pub use challenge_yml::{LIST_MAX, NAME_CHARS_MAX};
pub use files::{
    ATTACHED_BYTES_MAX, ATTACHMENT_BYTES_MAX, ATTACHMENTS_MAX, DESCRIPTOR_BYTES_MAX, PackFile,
};
pub use flags::{FLAG_CHARS_MAX, FLAGS_MAX, Flag, REGEX_BYTES_MAX, compile};
pub use network::{Network, NetworkError};
pub use problem::{PROBLEMS_PER_FILE_MAX, Problem, Severity};
pub use settings::{
    AtStart, Captcha, CaptchaProvider, Limits, Live, Mail, MailTls, MailTransport, Origins,
    Registration, Settings, Site,
};
pub use walk::{DEPTH_MAX, ENTRIES_MAX};

use event_toml::{DefaultScoring, EventFile};
use links::Sourced;
use problem::Report;

/// The content of an event folder, and its problems.
#[derive(Clone, Debug)]
pub struct Pack {
    /// The event; `None` when `event.toml` is not usable.
    pub event: Option<Event>,
    /// The other settings of `event.toml`, with their defaults.
    pub settings: Settings,
    /// The challenges without errors, in the order of their files.
    pub challenges: Vec<PackChallenge>,
    /// The files of challenges that were left out because of errors.
    pub broken: Vec<Broken>,
    /// The problems, in the order of files and lines.
    pub problems: Vec<Problem>,
}

/// A challenge, with the parts that players must not see.
#[derive(Clone, Debug)]
pub struct PackChallenge {
    /// What players may see.
    pub challenge: Challenge,
    /// The correct flags.
    pub flags: Vec<Flag>,
    /// Whether the challenge is hidden until an organizer releases it.
    pub hidden: bool,
    /// Time of release in epoch milliseconds; `None` releases at the start.
    pub release_at_ms: Option<i64>,
    /// The files of the attachments, in the same order.
    pub files: Vec<PackFile>,
    /// Path of `challenge.yml`, relative to the event folder.
    pub source: PathBuf,
}

/// A file below `challenges` that has errors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// Its path, relative to the event folder.
    pub source: PathBuf,
    /// The id of its challenge, if that much could be read.
    pub id: Option<ChallengeId>,
}

/// The content of `event.toml`, and its problems.
#[derive(Clone, Debug)]
pub struct EventToml {
    /// The event without its rules; `None` when the file is not usable.
    pub event: Option<Event>,
    /// The settings, with their defaults.
    pub settings: Settings,
    /// The problems, in the order of lines.
    pub problems: Vec<Problem>,
}

/// Why a folder cannot be read at all.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The path does not exist, is not a folder, or is not readable.
    #[error("read the event folder `{path}`")]
    Folder {
        /// The path that was given.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
}

impl Pack {
    /// Number of errors. `check` and `apply` refuse the folder if there are any.
    pub fn errors(&self) -> usize {
        self.count(Severity::Error)
    }

    /// Number of warnings.
    pub fn warnings(&self) -> usize {
        self.count(Severity::Warning)
    }

    /// A summary such as `54 challenges, 9 errors, 1 warning, 0 notes`.
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

    fn count(&self, severity: Severity) -> usize {
        self.problems.iter().filter(|problem| problem.severity == severity).count()
    }
}

/// Reads the event folder `dir`.
///
/// # Errors
/// The folder cannot be opened. Everything else that is wrong is in [`Pack::problems`].
pub fn read(dir: &Path) -> Result<Pack, ReadError> {
    let refused = |source| ReadError::Folder { path: dir.to_owned(), source };
    fs::read_dir(dir).map_err(refused)?;
    let mut problems = Vec::new();
    let EventFile { event, settings, scoring } = read_event(dir, &mut problems);
    let rules = read_rules(dir, &mut problems);
    let rules = fill_points(&rules, &scoring);
    let event = event.map(|event| Event { rules, ..event });
    let mut descriptors = read_challenges(dir, scoring, &mut problems);
    problems.extend(links::join(&mut descriptors));
    note_late_releases(&descriptors, event.as_ref(), &mut problems);
    problems.sort_by(|a, b| {
        (&a.file, a.line, a.severity, &a.message).cmp(&(&b.file, b.line, b.severity, &b.message))
    });
    let broken = broken(&descriptors, &problems);
    let usable = descriptors.into_iter().filter(|sourced| sourced.descriptor.usable);
    Ok(Pack { event, settings, challenges: usable.map(finish).collect(), broken, problems })
}

/// Reads `event.toml` in the event folder `dir`, and nothing else.
pub fn read_event_toml(dir: &Path) -> EventToml {
    let mut problems = Vec::new();
    let EventFile { event, settings, .. } = read_event(dir, &mut problems);
    EventToml { event, settings, problems }
}

/// The files below `challenges` with errors.
fn broken(descriptors: &[Sourced], problems: &[Problem]) -> Vec<Broken> {
    let unusable = descriptors.iter().filter(|sourced| !sourced.descriptor.usable);
    let mut broken: Vec<Broken> = unusable
        .map(|Sourced { source, descriptor }| Broken {
            source: source.clone(),
            id: Some(descriptor.challenge.id.clone()),
        })
        .collect();
    let errors = problems.iter().filter(|problem| problem.severity == Severity::Error);
    for Problem { file, .. } in errors {
        let is_known = broken.iter().any(|it| it.source == *file);
        if !is_known && file.parent().is_some_and(|folder| folder.starts_with("challenges")) {
            broken.push(Broken { source: file.clone(), id: None });
        }
    }
    broken.sort_by(|a, b| a.source.cmp(&b.source));
    broken
}

fn finish(Sourced { source, descriptor }: Sourced) -> PackChallenge {
    PackChallenge {
        challenge: descriptor.challenge,
        flags: descriptor.flags,
        hidden: descriptor.hidden,
        release_at_ms: descriptor.release_at_ms,
        files: descriptor.files,
        source,
    }
}

fn read_event(dir: &Path, problems: &mut Vec<Problem>) -> EventFile {
    let name = Path::new("event.toml");
    let mut report = Report::new(name);
    let text = files::read_text(&dir.join(name), &mut report);
    let file = text.map(|text| event_toml::read(&text, dir, &mut report)).unwrap_or_default();
    problems.extend(report.finish());
    file
}

fn read_rules(dir: &Path, problems: &mut Vec<Problem>) -> String {
    let name = Path::new("rules.md");
    let mut report = Report::new(name);
    let path = dir.join(name);
    let html = if fs::symlink_metadata(&path).is_err() {
        report.warning(1, "there are no rules: the page of rules will be empty");
        String::new()
    } else {
        let text = files::read_text(&path, &mut report).unwrap_or_default();
        html::render(&text).map_or_else(
            |why| {
                report.error(1, format!("the rules cannot be shown: {why}"));
                String::new()
            },
            |clean| clean.html,
        )
    };
    problems.extend(report.finish());
    html
}

/// Fills in the scoring placeholders. The server fills in the event's times, because they can
/// change without the files.
fn fill_points(rules: &str, scoring: &DefaultScoring) -> String {
    rules.replace("{max}", &scoring.max.to_string()).replace("{min}", &scoring.min.to_string())
}

fn read_challenges(
    dir: &Path,
    scoring: DefaultScoring,
    problems: &mut Vec<Problem>,
) -> Vec<Sourced> {
    let below = Path::new("challenges");
    let mut report = Report::new(below);
    match fs::symlink_metadata(dir.join(below)) {
        Err(_) => report.warning(1, "there is no folder of this name, so no challenges"),
        Ok(metadata) if metadata.is_symlink() => {
            report.error(1, "this is a symbolic link; put the folder itself here");
        }
        Ok(metadata) if !metadata.is_dir() => report.error(1, "this is not a folder"),
        Ok(_) => {
            let found = walk::descriptors(dir, below);
            problems.extend(found.problems);
            for (path, beside) in found.others {
                explain_other(dir, &path, beside, problems);
            }
            let read = |source| read_challenge(dir, source, scoring, problems);
            return found.descriptors.into_iter().filter_map(read).collect();
        }
    }
    problems.extend(report.finish());
    Vec::new()
}

fn explain_other(dir: &Path, path: &Path, beside: bool, problems: &mut Vec<Problem>) {
    let mut report = Report::new(path);
    let text = match beside {
        true => None,
        false => files::read_text(&dir.join(path), &mut report),
    };
    foreign::explain(text.as_deref(), beside, &mut report);
    problems.extend(report.finish());
}

fn read_challenge(
    dir: &Path,
    source: PathBuf,
    scoring: DefaultScoring,
    problems: &mut Vec<Problem>,
) -> Option<Sourced> {
    let mut report = Report::new(&source);
    let path = dir.join(&source);
    let folder = path.parent().unwrap_or(dir);
    let descriptor = files::read_text(&path, &mut report)
        .and_then(|text| challenge_yml::read(&text, folder, scoring, &mut report));
    problems.extend(report.finish());
    descriptor.map(|descriptor| Sourced { source, descriptor })
}

fn note_late_releases(descriptors: &[Sourced], event: Option<&Event>, problems: &mut Vec<Problem>) {
    let Some(end_ms) = event.and_then(|event| event.end_ms) else {
        return;
    };
    for Sourced { source, descriptor } in
        descriptors.iter().filter(|sourced| sourced.descriptor.usable)
    {
        if descriptor.release_at_ms.is_some_and(|release| release >= end_ms) {
            let mut report = Report::new(source);
            report.warning(descriptor.name_line, "it is released only when the event has ended");
            problems.extend(report.finish());
        }
    }
}
