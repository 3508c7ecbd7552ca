//! What organizers changed live since files were applied, beside the files.

use std::collections::HashMap;

use anyhow::Result;
use flagship_game::ChallengeId;
use flagship_pack::source::{Conflict, State, three_way};
use flagship_store::ops::{ChangedLive, Live, Plan};
use flagship_store::sources::{self, Kept};
use flagship_store::{Db, Seal};
use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::cli::Take;

/// The challenges that were changed live, and how they differ from the files.
pub struct LiveChanges(HashMap<ChallengeId, (Kept, State)>);

impl LiveChanges {
    /// Those of an event, beside the files of a plan.
    pub async fn read(db: &Db, seal: &Seal, plan: &Plan) -> Result<Self> {
        let kept = sources::all(db, seal).await?;
        let compared = kept.into_iter().filter(Kept::is_changed).map(|kept| {
            let applied = kept.applied.as_ref().map(|text| text.expose());
            let file = plan.sources.get(&kept.challenge).map(|source| source.text.expose());
            let state = three_way(applied, file, Some(kept.live.text.expose()));
            (kept.challenge.clone(), (kept, state))
        });
        Ok(Self(compared.collect()))
    }

    /// What becomes of them. Where files and live say the same, files are taken, with their
    /// comments.
    pub fn decided(&self, take: Option<Take>) -> Live {
        let mut live = Live { keeps_times: take.map(|take| take == Take::Live), ..Live::default() };
        for (id, (kept, state)) in &self.0 {
            let is_same =
                matches!(state, State::Same | State::BothSame(_) | State::FilesChanged(_));
            if is_same || take == Some(Take::Files) {
                live.replaced.insert(id.clone(), kept.version());
            } else if take == Some(Take::Live) {
                live.kept.insert(id.clone());
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

fn line((id, (kept, state)): (&ChallengeId, &(Kept, State)), zone: &TimeZone) -> Option<String> {
    let (live, files) = match state {
        State::Same | State::BothSame(_) | State::FilesChanged(_) => return None,
        State::LiveChanged(live) => (live, None),
        State::Conflict(Conflict { files, live, both }) => (live, Some((files, both))),
    };
    let by = kept.changed.as_ref().map(|(by, at_ms)| who(by, *at_ms, zone)).unwrap_or_default();
    let mut line = format!("{id}: changed live{by}: {}", live.join(", "));
    if let Some((files, both)) = files {
        line += &format!("; the file changes {}", files.join(", "));
        if !both.is_empty() {
            line += &format!("; both change {}", both.join(", "));
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
