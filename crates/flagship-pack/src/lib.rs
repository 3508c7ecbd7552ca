//! An event on disk: `event.toml`, `rules.md` and `challenges/**/challenge.yml`, read into values.
//!
//! Reading never fails because of what a file holds: whatever cannot be used is a [`Problem`] with
//! its file and line, and the rest is there. Nothing outside the folder is read, no link is
//! followed, nothing is written. Applying a pack to an event is not done here.

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

use flagship_game::{Challenge, Event};

pub use challenge_yml::{LIST_MAX, NAME_CHARS_MAX};
pub use files::{
    ATTACHED_BYTES_MAX, ATTACHMENT_BYTES_MAX, ATTACHMENTS_MAX, DESCRIPTOR_BYTES_MAX, PackFile,
};
pub use flags::{FLAG_CHARS_MAX, FLAGS_MAX, Flag, REGEX_BYTES_MAX, compile};
pub use network::{Network, NetworkError};
pub use problem::{PROBLEMS_PER_FILE_MAX, Problem, Severity};
pub use settings::{
    Captcha, CaptchaProvider, Limits, Mail, MailTls, MailTransport, Registration, Settings, Site,
};
pub use walk::{DEPTH_MAX, ENTRIES_MAX};

use event_toml::{DefaultScoring, EventFile};
use links::Sourced;
use problem::Report;

/// Everything that an event's folder holds, and all that is wrong with it.
#[derive(Clone, Debug)]
pub struct Pack {
    /// The event; `None` when `event.toml` is not usable.
    pub event: Option<Event>,
    /// The other settings of `event.toml`, with their defaults.
    pub settings: Settings,
    /// The challenges that can be used, in the order of their files.
    pub challenges: Vec<PackChallenge>,
    /// What is wrong, in the order of files and lines.
    pub problems: Vec<Problem>,
}

/// A challenge and what players must not see of it.
#[derive(Clone, Debug)]
pub struct PackChallenge {
    /// What players may see.
    pub challenge: Challenge,
    /// Its right answers.
    pub flags: Vec<Flag>,
    /// Whether it stays out of sight until an organizer releases it.
    pub hidden: bool,
    /// When it appears, in epoch milliseconds; from the start without one.
    pub release_at_ms: Option<i64>,
    /// The bytes of its attachments, in the same order.
    pub files: Vec<PackFile>,
    /// Its `challenge.yml`, relative to the event's folder.
    pub source: PathBuf,
}

/// Why a folder cannot be read at all.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// There is nothing at this path, or it is not a folder, or it may not be looked into.
    #[error("read the event folder `{path}`")]
    Folder {
        /// The path as it was given.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

impl Pack {
    /// How many problems are errors; `check` and `apply` refuse the folder unless it is 0.
    pub fn errors(&self) -> usize {
        self.count(Severity::Error)
    }

    /// How many problems are warnings.
    pub fn warnings(&self) -> usize {
        self.count(Severity::Warning)
    }

    /// One line about the whole folder: `54 challenges, 9 errors, 1 warning, 0 notes`.
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

/// Reads the event in `dir`. Only a folder that cannot be opened is an error; everything else that
/// is wrong is in [`Pack::problems`].
pub fn read(dir: &Path) -> Result<Pack, ReadError> {
    let refused = |source| ReadError::Folder { path: dir.to_owned(), source };
    fs::read_dir(dir).map_err(refused)?;
    let mut problems = Vec::new();
    let EventFile { event, settings, scoring } = read_event(dir, &mut problems);
    let rules = read_rules(dir, &mut problems);
    let rules = fill_points(&rules, &scoring);
    let event = event.map(|event| Event { rules, ..event });
    let mut drafts = read_challenges(dir, scoring, &mut problems);
    problems.extend(links::join(&mut drafts));
    note_late_releases(&drafts, event.as_ref(), &mut problems);
    problems.sort_by(|a, b| {
        (&a.file, a.line, a.severity, &a.message).cmp(&(&b.file, b.line, b.severity, &b.message))
    });
    let usable = drafts.into_iter().filter(|sourced| sourced.draft.usable);
    Ok(Pack { event, settings, challenges: usable.map(finish).collect(), problems })
}

fn finish(Sourced { source, draft }: Sourced) -> PackChallenge {
    PackChallenge {
        challenge: draft.challenge,
        flags: draft.flags,
        hidden: draft.hidden,
        release_at_ms: draft.release_at_ms,
        files: draft.files,
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

/// Fills the placeholders of the scoring; those of the event's times are filled when the page is
/// served, since an event's times may change without its files.
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
    let draft = files::read_text(&path, &mut report)
        .and_then(|text| challenge_yml::read(&text, folder, scoring, &mut report));
    problems.extend(report.finish());
    draft.map(|draft| Sourced { source, draft })
}

fn note_late_releases(drafts: &[Sourced], event: Option<&Event>, problems: &mut Vec<Problem>) {
    let Some(end_ms) = event.and_then(|event| event.end_ms) else {
        return;
    };
    for Sourced { source, draft } in drafts.iter().filter(|sourced| sourced.draft.usable) {
        if draft.release_at_ms.is_some_and(|release| release >= end_ms) {
            let mut report = Report::new(source);
            report.warning(draft.name_line, "it is released only when the event has ended");
            problems.extend(report.finish());
        }
    }
}
