//! Parses a challenge from its source, in the context of the event's other challenges, without a
//! folder.

use std::path::{Path, PathBuf};

use flagship_game::{Challenge, ChallengeId, Event, Scoring, Secret, SubmissionRules};
use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};

use crate::challenge_yml::{self, Descriptor};
use crate::event_toml::{ChallengeDefaults, DefaultScoring};
use crate::fields::Text;
use crate::files::{Files, KnownFile};
use crate::flags::{Flag, Wrapper};
use crate::links::{self, LoadedDescriptor};
use crate::problem::{Problem, Report, Severity};

/// Source of a challenge. `Debug` does not show the text, which contains flags.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// Path of its `challenge.yml`, relative to the event folder, with `/`.
    pub path: String,
    /// The content of that file, without its byte order mark.
    pub text: Secret,
}

/// Settings of `event.toml` that apply to all challenges.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Defaults {
    /// Default points of a challenge.
    pub max: i64,
    /// Minimum value of a dynamic challenge.
    pub min: i64,
    /// Default `decay` of the dynamic curve.
    pub decay: i64,
    /// The flag format; empty if the event has none, or one that flags cannot be checked against.
    pub flag_format: String,
    /// The time zone, if one is set.
    pub timezone: Option<String>,
    /// True if cards show authors and attributions.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub shows_authors: bool,
}

impl Default for Defaults {
    fn default() -> Self {
        Self::of(&ChallengeDefaults::default())
    }
}

impl Defaults {
    pub(crate) fn of(common: &ChallengeDefaults) -> Self {
        let DefaultScoring { max, min, decay } = common.scoring;
        let flag_format = common.wrapper.as_ref().map(Wrapper::format).unwrap_or_default();
        let timezone = common.zone.as_ref().and_then(TimeZone::iana_name);
        Self {
            max,
            min,
            decay,
            flag_format: flag_format.to_owned(),
            timezone: timezone.map(str::to_owned),
            shows_authors: common.shows_authors,
        }
    }

    /// Returns the same settings with the flag format and time zone of an event.
    #[must_use]
    pub fn with_event(self, event: &Event) -> Self {
        let zone = TimeZone::get(&event.timezone).ok();
        let wrapper = Wrapper::of(&event.flag_format);
        Self::of(&ChallengeDefaults { wrapper, zone, ..self.common() })
    }

    fn common(&self) -> ChallengeDefaults {
        let Self { max, min, decay, flag_format, timezone, shows_authors } = self;
        ChallengeDefaults {
            scoring: DefaultScoring { max: *max, min: *min, decay: *decay },
            wrapper: Wrapper::of(flag_format),
            zone: timezone.as_deref().and_then(|name| TimeZone::get(name).ok()),
            shows_authors: *shows_authors,
        }
    }
}

/// Context for parsing a challenge.
#[derive(Clone, Copy, Debug)]
pub struct ParseContext<'a> {
    /// Settings that apply to all challenges.
    pub defaults: &'a Defaults,
    /// End of the event in epoch milliseconds.
    pub end_ms: Option<i64>,
    /// Files that `files` can refer to.
    pub files: &'a [KnownFile],
    /// The other challenges, without the parsed one.
    pub others: &'a [OtherChallenge],
}

/// Properties of another challenge that are needed to check requirements and duplicates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OtherChallenge {
    /// The challenge ID.
    pub id: ChallengeId,
    /// The challenge name.
    pub name: String,
    /// Path of its `challenge.yml`, for messages. Empty if the reader must not know about the
    /// challenge: messages then reveal neither its name, nor its position, nor that it is hidden.
    pub path: String,
    /// True if the challenge is hidden.
    pub hidden: bool,
    /// Requirements of the challenge.
    pub requirements: Vec<ChallengeId>,
}

/// A challenge parsed from its source.
#[derive(Clone, Debug)]
pub struct ParsedChallenge {
    /// The part visible to players, with attachments and requirements.
    pub challenge: Challenge,
    /// The correct flags.
    pub flags: Vec<Flag>,
    /// True if the challenge is hidden until an organizer releases it.
    pub hidden: bool,
    /// Release time in epoch milliseconds; `None` releases at the start.
    pub release_at_ms: Option<i64>,
    /// Warnings and notes.
    pub problems: Vec<Problem>,
}

/// Parses a challenge like [`crate::read`]. `requirements` and `files` are resolved within
/// `around`; attachments are not searched for flags.
///
/// # Errors
/// The source has at least one error; all problems are returned.
pub fn read(source: &Source, around: ParseContext<'_>) -> Result<ParsedChallenge, Vec<Problem>> {
    let path = PathBuf::from(&source.path);
    let mut report = Report::new(&path);
    let common = around.defaults.common();
    let text = source.text.expose();
    let descriptor = challenge_yml::read(text, Files::Known(around.files), &common, &mut report);
    let mut problems = report.finish();
    let Some(descriptor) = descriptor else { return Err(problems) };
    let mut all: Vec<LoadedDescriptor> = around.others.iter().map(other).collect();
    all.push(LoadedDescriptor { source: path, text: source.text.clone(), descriptor });
    let mut more = links::join(&mut all);
    let Some(own) = all.pop() else { return Err(problems) };
    let own = [own];
    more.extend(links::warn_of_late_releases(&own, around.end_ms));
    let [LoadedDescriptor { source: path, descriptor, .. }] = own;
    problems.extend(more.into_iter().filter(|problem| problem.file == path));
    problems.sort_by_key(|problem| (problem.line, problem.severity));
    let has_error = problems.iter().any(|problem| problem.severity == Severity::Error);
    if has_error || !descriptor.usable {
        return Err(problems);
    }
    let Descriptor { challenge, flags, hidden, release_at_ms, .. } = descriptor;
    Ok(ParsedChallenge { challenge, flags, hidden, release_at_ms, problems })
}

/// Converts another challenge for the checks across challenges.
fn other(other: &OtherChallenge) -> LoadedDescriptor {
    let OtherChallenge { id, name, path, hidden, requirements } = other;
    let wanted = |id: &ChallengeId| Text { text: id.as_str().to_owned(), line: 1 };
    LoadedDescriptor {
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
                rules: SubmissionRules::default(),
                labels: Box::default(),
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
