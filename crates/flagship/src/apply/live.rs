//! What organizers changed live since files were applied, beside the files.

use anyhow::Result;
use flagship_pack::source::{Conflict, EditError, Showing, State, shown_as, three_way};
use flagship_store::challenges::Draft;
use flagship_store::ops::{ChangedLive, Live, LiveSource, Plan, live_sources};
use flagship_store::{Db, Seal};
use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::cli::Take;
use crate::difference;

/// The challenges that were changed live, and how they differ from the files.
pub struct LiveChanges(Vec<Compared>);

/// A challenge beside its file.
struct Compared {
    live: LiveSource,
    /// The keys that were changed live, if the file does not have them all.
    keys: Option<Conflict>,
    /// The attachments that the folder does not have as they are.
    attachments: Vec<String>,
}

impl Compared {
    fn new(live: LiveSource, plan: &Plan) -> Self {
        let source = plan.sources.get(&live.kept.challenge);
        let applied = live.kept.applied.as_ref().map(|text| text.expose());
        let file = source.map(|source| source.text.expose());
        let mut keys = missing(three_way(applied, file, Some(live.kept.live.text.expose())));
        // Whether it is shown holds against files, so that these need not say so.
        if keys.is_some()
            && let Ok(shown) = shown(&live, &difference::zone(Some(&plan.event)))
        {
            keys = missing(three_way(applied, file, Some(&shown)));
        }
        let attachments = source.map(|source| live.missing_from(source)).unwrap_or_default();
        let attachments = attachments.into_iter().map(|file| file.name).collect();
        Self { live, keys, attachments }
    }

    /// Whether the folder has all that was changed live.
    fn is_in_files(&self) -> bool {
        self.keys.is_none() && self.attachments.is_empty()
    }
}

/// The keys that were changed live, unless the file has them all.
fn missing(state: State) -> Option<Conflict> {
    match state {
        State::Same | State::BothSame(_) | State::FilesChanged(_) | State::Merged(_) => None,
        State::LiveChanged(live) => Some(Conflict { files: Vec::new(), live, both: Vec::new() }),
        State::Conflict(conflict) => Some(conflict),
    }
}

/// The text of a challenge, which says whether and when it is shown.
pub fn shown(live: &LiveSource, zone: &TimeZone) -> Result<String, EditError> {
    let text = live.kept.live.text.expose();
    let Some(Draft { hidden, release_at_ms, .. }) = live.draft else {
        return Ok(text.to_owned());
    };
    shown_as(text, Showing { hidden, release_at_ms }, zone)
}

impl LiveChanges {
    /// Those of an event, beside the files of a plan.
    pub async fn read(db: &Db, seal: &Seal, plan: &Plan) -> Result<Self> {
        let all = live_sources(db, seal).await?.into_iter();
        let changed = all.filter(|live| live.kept.is_changed());
        Ok(Self(changed.map(|live| Compared::new(live, plan)).collect()))
    }

    /// What becomes of them. Files that have all that was changed live are taken, with their
    /// comments.
    pub fn decided(&self, take: Option<Take>) -> Live {
        let mut live = Live { keeps_times: take.map(|take| take == Take::Live), ..Live::default() };
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

    /// The differences on both sides, a line for each challenge.
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
    let by = kept.changed.as_ref().map(|(by, at_ms)| who(by, *at_ms, zone)).unwrap_or_default();
    let mut line = format!("{}: changed live{by}: {}", kept.challenge, live.join(", "));
    for (side, keys) in [("the file changes", files), ("both change", both)] {
        if !keys.is_empty() {
            line += &format!("; {side} {}", keys.join(", "));
        }
    }
    Some(line)
}

/// Why files are refused over a live change.
pub fn refusal(change: &ChangedLive, zone: &TimeZone) -> String {
    let what = match &change.challenge {
        Some(id) => id.as_str(),
        None => "the times of the event",
    };
    let by = who(&change.by, change.at_ms, zone);
    format!(
        "{what}: changed live{by}; `flagship pull` writes live changes into the files, and --take \
         files|live says which side counts"
    )
}

fn who(by: &str, at_ms: i64, zone: &TimeZone) -> String {
    let at = Timestamp::from_millisecond(at_ms).unwrap_or_default().to_zoned(zone.clone());
    format!(" by {by} at {}", at.strftime("%Y-%m-%d %H:%M"))
}
