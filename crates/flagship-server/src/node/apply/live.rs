//! Live edits since files were last applied, compared with the files.

use flagship_pack::source::{Conflict, EditError, State, Visibility, three_way, with_visibility};
use flagship_store::challenges::Draft;
use flagship_store::ops::{LiveConflict, LiveEditChoices, LiveSource, Plan, live_sources};
use flagship_store::{Db, Seal, StoreError};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::difference;

/// Side that wins a conflict between live edits and the event files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Take {
    /// The event files; live edits are lost.
    Files,
    /// The live edits; the files stay unchanged.
    Live,
}

/// Challenges with live edits, and their differences from the files.
pub struct LiveChanges(Vec<Compared>);

/// A challenge with live edits, compared with its file.
struct Compared {
    live: LiveSource,
    /// Keys edited live; `None` if the file contains all these edits.
    keys: Option<Conflict>,
    /// Attachments that are missing or different in the folder.
    attachments: Vec<String>,
}

impl Compared {
    fn new(live: LiveSource, plan: &Plan) -> Self {
        let source = plan.sources.get(&live.kept.challenge);
        let applied = live.kept.applied.as_ref().map(|text| text.expose());
        let file = source.map(|source| source.text.expose());
        let mut keys = missing(three_way(applied, file, Some(live.kept.live.text.expose())));
        // Visibility set live takes precedence over the files, so they need not contain it.
        if keys.is_some()
            && let Ok(shown) = shown(&live, &difference::zone(Some(&plan.event)))
        {
            keys = missing(three_way(applied, file, Some(&shown)));
        }
        let attachments = source.map(|source| live.missing_from(source)).unwrap_or_default();
        let attachments = attachments.into_iter().map(|file| file.name).collect();
        Self { live, keys, attachments }
    }

    /// True if the folder contains all live edits.
    fn is_in_files(&self) -> bool {
        self.keys.is_none() && self.attachments.is_empty()
    }
}

/// Returns the keys edited live; `None` if the file contains all these edits.
fn missing(state: State) -> Option<Conflict> {
    match state {
        State::Same | State::BothSame(_) | State::FilesChanged(_) | State::Merged(_) => None,
        State::LiveChanged(live) => Some(Conflict { files: Vec::new(), live, both: Vec::new() }),
        State::Conflict(conflict) => Some(conflict),
    }
}

/// Returns the source of a challenge, with its current visibility and release time.
pub fn shown(live: &LiveSource, zone: &TimeZone) -> Result<String, EditError> {
    let text = live.kept.live.text.expose();
    let Some(Draft { hidden, release_at_ms, .. }) = live.draft else {
        return Ok(text.to_owned());
    };
    with_visibility(text, Visibility { hidden, release_at_ms }, zone)
}

impl LiveChanges {
    /// Reads the live edits of an event and compares them with the files of a plan.
    pub async fn read(db: &Db, seal: &Seal, plan: &Plan) -> Result<Self, StoreError> {
        let all = live_sources(db, seal).await?.into_iter();
        let changed = all.filter(|live| live.kept.is_changed());
        Ok(Self(changed.map(|live| Compared::new(live, plan)).collect()))
    }

    /// Decides between the files and the live edits. Files that contain all live edits are used,
    /// with their comments.
    pub fn decided(&self, take: Option<Take>) -> LiveEditChoices {
        let mut live = LiveEditChoices {
            keeps_times: take.map(|take| take == Take::Live),
            ..LiveEditChoices::default()
        };
        for compared in &self.0 {
            let kept = &compared.live.kept;
            if compared.is_in_files() || take == Some(Take::Files) {
                live.replaced.insert(kept.challenge.clone(), kept.version());
            } else if take == Some(Take::Live) {
                live.kept.insert(kept.challenge.clone());
            }
        }
        live
    }

    /// Returns the differences on both sides, one line per challenge.
    pub fn lines(&self, zone: &TimeZone) -> Vec<String> {
        let mut lines: Vec<String> = self.0.iter().filter_map(|it| line(it, zone)).collect();
        lines.sort();
        lines
    }
}

fn line(compared: &Compared, zone: &TimeZone) -> Option<String> {
    if compared.is_in_files() {
        return None;
    }
    let Compared { live: LiveSource { kept, .. }, keys, attachments } = compared;
    let attachments = attachments.iter().map(|name| format!("the file {name:?}"));
    let none = Conflict { files: Vec::new(), live: Vec::new(), both: Vec::new() };
    let Conflict { files, live, both } = keys.as_ref().unwrap_or(&none);
    let live: Vec<String> = live.iter().cloned().chain(attachments).collect();
    let by = kept
        .changed
        .as_ref()
        .map(|(by, at_ms)| author_and_time(by, *at_ms, zone))
        .unwrap_or_default();
    let mut line = format!("{}: edited live{by}: {}", kept.challenge, live.join(", "));
    for (side, keys) in [("the file changes", files), ("both changed", both)] {
        if !keys.is_empty() {
            line += &format!("; {side} {}", keys.join(", "));
        }
    }
    Some(line)
}

/// Error message for files that conflict with a live edit.
pub fn refusal(change: &LiveConflict, zone: &TimeZone) -> String {
    let what = match &change.challenge {
        Some(id) => id.as_str(),
        None => "the event times",
    };
    let by = author_and_time(&change.by, change.at_ms, zone);
    format!(
        "{what}: edited live{by}; run `flagship pull` to write live edits to the files, or choose \
        a side with --take files|live"
    )
}

fn author_and_time(by: &str, at_ms: i64, zone: &TimeZone) -> String {
    let at = Timestamp::from_millisecond(at_ms).unwrap_or_default().to_zoned(zone.clone());
    format!(" by {by} at {}", at.strftime("%Y-%m-%d %H:%M"))
}
