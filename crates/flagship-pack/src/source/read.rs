//! Reads one challenge from its source, among the others of the event, without a folder.

use std::path::{Path, PathBuf};

use flagship_game::{Challenge, ChallengeId, Event, Scoring, Secret};
use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};

use crate::challenge_yml::{self, Descriptor};
use crate::event_toml::{Common, DefaultScoring};
use crate::fields::Text;
use crate::files::{Files, KnownFile};
use crate::flags::{Flag, Wrapper};
use crate::links::{self, Sourced};
use crate::problem::{Problem, Report, Severity};

/// Where a challenge comes from. `Debug` does not show the text, which holds flags.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// Path of its `challenge.yml`, relative to the event folder, with `/`.
    pub path: String,
    /// The content of that file, without its byte order mark.
    pub text: Secret,
}

/// What `event.toml` says about all challenges.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Defaults {
    /// The points of a challenge that states none.
    pub max: i64,
    /// The points that a dynamic challenge never falls below.
    pub min: i64,
    /// The curve's `decay`.
    pub decay: i64,
    /// What flags look like; empty if the event says nothing, or nothing that flags can be
    /// compared with.
    pub flag_format: String,
    /// The time zone, if one is named.
    pub timezone: Option<String>,
}

impl Default for Defaults {
    fn default() -> Self {
        Self::of(&Common::default())
    }
}

impl Defaults {
    pub(crate) fn of(common: &Common) -> Self {
        let DefaultScoring { max, min, decay } = common.scoring;
        let flag_format = common.wrapper.as_ref().map(Wrapper::format).unwrap_or_default();
        let timezone = common.zone.as_ref().and_then(TimeZone::iana_name);
        Self {
            max,
            min,
            decay,
            flag_format: flag_format.to_owned(),
            timezone: timezone.map(str::to_owned),
        }
    }

    /// The same points, with what an event says otherwise.
    #[must_use]
    pub fn with_event(self, event: &Event) -> Self {
        let zone = TimeZone::get(&event.timezone).ok();
        let scoring = self.common().scoring;
        let wrapper = Wrapper::of(&event.flag_format);
        Self::of(&Common { scoring, wrapper, zone })
    }

    fn common(&self) -> Common {
        let Self { max, min, decay, flag_format, timezone } = self;
        Common {
            scoring: DefaultScoring { max: *max, min: *min, decay: *decay },
            wrapper: Wrapper::of(flag_format),
            zone: timezone.as_deref().and_then(|name| TimeZone::get(name).ok()),
        }
    }
}

/// What a challenge is read among.
#[derive(Clone, Copy, Debug)]
pub struct Surroundings<'a> {
    /// What the event says about all challenges.
    pub defaults: &'a Defaults,
    /// The end of the event in epoch milliseconds.
    pub end_ms: Option<i64>,
    /// The files that `files` may name.
    pub files: &'a [KnownFile],
    /// The other challenges, without the one that is read.
    pub others: &'a [OtherChallenge],
}

/// What one challenge has to know of another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OtherChallenge {
    /// Its identity.
    pub id: ChallengeId,
    /// Its name.
    pub name: String,
    /// Path of its `challenge.yml`, for messages. Empty if the reader may not know of the
    /// challenge: no message then names it, or reveals its place or that it is hidden.
    pub path: String,
    /// Whether it is hidden.
    pub hidden: bool,
    /// What it requires.
    pub requirements: Vec<ChallengeId>,
}

/// A challenge as its source says.
#[derive(Clone, Debug)]
pub struct Reading {
    /// What players may see, with its attachments and requirements.
    pub challenge: Challenge,
    /// The correct flags.
    pub flags: Vec<Flag>,
    /// Whether the challenge is hidden until an organizer releases it.
    pub hidden: bool,
    /// Time of release in epoch milliseconds; `None` releases at the start.
    pub release_at_ms: Option<i64>,
    /// Warnings and notes.
    pub problems: Vec<Problem>,
}

/// Reads a challenge as [`crate::read`] does. Names in `requirements` and `files` are those of
/// `around`; attachments are not searched for flags.
///
/// # Errors
/// The source has at least one error; all problems are returned.
pub fn read(source: &Source, around: Surroundings<'_>) -> Result<Reading, Vec<Problem>> {
    let path = PathBuf::from(&source.path);
    let mut report = Report::new(&path);
    let common = around.defaults.common();
    let text = source.text.expose();
    let descriptor = challenge_yml::read(text, Files::Known(around.files), &common, &mut report);
    let mut problems = report.finish();
    let Some(descriptor) = descriptor else { return Err(problems) };
    let mut all: Vec<Sourced> = around.others.iter().map(other).collect();
    all.push(Sourced { source: path, text: source.text.clone(), descriptor });
    let mut more = links::join(&mut all);
    let Some(own) = all.pop() else { return Err(problems) };
    let own = [own];
    more.extend(links::warn_of_late_releases(&own, around.end_ms));
    let [Sourced { source: path, descriptor, .. }] = own;
    problems.extend(more.into_iter().filter(|problem| problem.file == path));
    problems.sort_by_key(|problem| (problem.line, problem.severity));
    let has_error = problems.iter().any(|problem| problem.severity == Severity::Error);
    if has_error || !descriptor.usable {
        return Err(problems);
    }
    let Descriptor { challenge, flags, hidden, release_at_ms, .. } = descriptor;
    Ok(Reading { challenge, flags, hidden, release_at_ms, problems })
}

/// Another challenge as the checks across challenges take it.
fn other(other: &OtherChallenge) -> Sourced {
    let OtherChallenge { id, name, path, hidden, requirements } = other;
    let wanted = |id: &ChallengeId| Text { text: id.as_str().to_owned(), line: 1 };
    Sourced {
        source: Path::new(path).to_owned(),
        text: Secret::new(""),
        descriptor: Descriptor {
            challenge: Challenge {
                id: id.clone(),
                name: name.clone(),
                scoring: Scoring::Static { max: 0 },
                categories: Vec::new(),
                description: String::new(),
                attachments: Vec::new(),
                requirements: Vec::new(),
                position: None,
                hints: Vec::new(),
                connection: None,
                closes_ms: None,
                flag_format: None,
            },
            name_line: 1,
            flags: Vec::new(),
            hidden: *hidden,
            release_at_ms: None,
            files: Vec::new(),
            wanted: requirements.iter().map(wanted).collect(),
            usable: true,
        },
    }
}
