//! Live edits by organizers since files were last applied. Files replace them only on request.

use std::collections::{HashMap, HashSet};

use flagship_game::{ChallengeId, Contest, Event, Phase, Reveal};

use super::files::Plan;
use super::former::{former_in, former_times_in, last_times_change_in};
use super::undo_data::EventTimes;
use crate::challenges::{self, Draft, Drafts};
use crate::sources::{self, NamedFile, Source, StoredSource};
use crate::{Db, Result, Seal, Tx, meta};

/// Meta key of the last applied event.
const APPLIED_EVENT: &str = "applied_event";

/// A live edit that conflicts with the files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LiveConflict {
    /// The challenge; `None` for the event's times.
    pub challenge: Option<ChallengeId>,
    /// Name of the organizer who made the edit.
    pub by: String,
    /// Time of the edit, in epoch milliseconds.
    pub at_ms: i64,
}

/// The source of a challenge, with its history since files were last applied.
#[derive(Clone)]
pub struct LiveSource {
    /// The current source.
    pub kept: StoredSource,
    /// Parsed draft, if the source can be parsed.
    pub draft: Option<Draft>,
    /// Former sources, newest first, back to the one from the files.
    pub former: Vec<StoredSource>,
}

impl LiveSource {
    /// Returns the attachments and images that players can see.
    pub fn files(&self) -> Vec<NamedFile> {
        let attached = self.draft.iter().flat_map(|draft| &draft.challenge.attachments);
        let mut files = self.kept.live.named();
        files.retain(|file| attached.clone().any(|it| it.is_file(&file.name, &file.digest)));
        files
    }

    /// Returns the files that were changed live since files were applied.
    pub fn changed_files(&self) -> Vec<NamedFile> {
        let is_of_files =
            |former: &&StoredSource| former.changed.is_none() && self.kept.applied.is_some();
        let applied = self.former.last().filter(is_of_files);
        let applied = applied.map(|former| former.live.named()).unwrap_or_default();
        let mut files = if self.kept.is_changed() { self.files() } else { Vec::new() };
        files.retain(|file| !applied.contains(file));
        files
    }

    /// Returns the files that were changed live and are not in a folder.
    pub fn missing_from(&self, folder: &Source) -> Vec<NamedFile> {
        let (named, mut files) = (folder.named(), self.changed_files());
        files.retain(|file| !named.contains(file));
        files
    }
}

/// The sources of all challenges.
pub async fn live_sources(db: &Db, seal: &Seal) -> Result<Vec<LiveSource>> {
    let mut tx = db.snapshot().await?;
    let kept = sources::all_in(&mut tx, seal).await?;
    let drafts = challenges::all_in(&mut tx).await?;
    let mut all = Vec::with_capacity(kept.len());
    for kept in kept {
        all.push(live_source(&mut tx, seal, kept, &drafts).await?);
    }
    Ok(all)
}

async fn live_source(
    tx: &mut Tx,
    seal: &Seal,
    kept: StoredSource,
    drafts: &[Draft],
) -> Result<LiveSource> {
    let former = match kept.is_changed() {
        true => former_in(tx, seal, &kept.challenge).await?,
        false => Vec::new(),
    };
    let draft = drafts.iter().find(|draft| draft.challenge.id == kept.challenge).cloned();
    Ok(LiveSource { kept, draft, former })
}

/// Live edits of all challenges and of the event.
pub(super) struct Changes {
    kept: Vec<StoredSource>,
    changed: Vec<LiveSource>,
    times: Option<MovedTimes>,
    /// Applied reveal mode; `None` if no event was applied.
    applied_reveal: Option<Reveal>,
    /// Applied setting of practice; `None` if no event was applied.
    applied_practice: Option<bool>,
}

/// Live change of the event's times.
struct MovedTimes {
    /// The applied times.
    applied: EventTimes,
    by: String,
    at_ms: i64,
}

impl Changes {
    pub(super) async fn read(
        tx: &mut Tx,
        seal: &Seal,
        contest: &Contest,
        drafts: &[Draft],
    ) -> Result<Self> {
        let kept = sources::all_in(tx, seal).await?;
        let applied = applied_event_in(tx).await?;
        let applied_reveal = applied.as_ref().map(|applied| applied.reveal);
        let applied_practice = applied.as_ref().map(|applied| applied.practice);
        let times = match applied.filter(|applied| is_moved(contest, applied)) {
            Some(applied) => {
                let (by, at_ms) = last_times_change_in(tx).await?;
                Some(MovedTimes { applied: EventTimes::of(&applied), by, at_ms })
            }
            None => None,
        };
        let mut changed = Vec::new();
        for kept in kept.iter().filter(|kept| kept.is_changed()) {
            changed.push(live_source(tx, seal, kept.clone(), drafts).await?);
        }
        Ok(Self { kept, changed, times, applied_reveal, applied_practice })
    }

    /// True if a plan would replace a manual reveal that was chosen live with the automatic reveal
    /// in the file. The file may be automatic only because it sets no mode.
    pub(super) fn skip_ceremony(&self, contest: &Contest, plan: &Plan) -> bool {
        let waits = contest
            .event()
            .is_some_and(|event| event.reveal == Reveal::Manual && event.freeze_ms.is_some());
        waits
            && self.applied_reveal == Some(Reveal::Auto)
            && plan.event.reveal == Reveal::Auto
            && !contest.reached(Phase::Reveal)
    }

    /// Returns the plan merged with the live edits that are kept, and the conflicting live edits.
    pub(super) fn merge(
        &self,
        plan: &Plan,
        contest: &Contest,
        drafts: &Drafts,
    ) -> (Plan, Vec<LiveConflict>) {
        let mut merged = plan.clone();
        let mut in_the_way = Vec::new();
        for change in &self.changed {
            let (kept, id) = (&change.kept, &change.kept.challenge);
            let is_replaced = plan.live.replaced.get(id) == Some(&kept.version());
            let is_same = plan.sources.get(id).is_some_and(|source| {
                source.text == kept.live.text && change.missing_from(source).is_empty()
            });
            if plan.live.kept.contains(id) {
                keep(&mut merged, id, drafts);
            } else if !is_replaced && !is_same {
                let (by, at_ms) = kept.changed.clone().unwrap_or_default();
                in_the_way.push(LiveConflict { challenge: Some(id.clone()), by, at_ms });
            }
        }
        let live_practice = contest.event().map(|event| event.practice);
        let is_of_files = self.applied_practice == Some(plan.event.practice);
        if let Some(practice) = live_practice.filter(|_| is_of_files)
            && plan.live.keeps_times != Some(false)
        {
            // Practice that was set live stays, unless the files change it too.
            merged.event.practice = practice;
        }
        if let (Some(moved), Some(event)) = (&self.times, contest.event()) {
            // Times that were moved live stay; the others come from the files.
            let pick = |live, applied, planned| if live == applied { planned } else { live };
            let live = EventTimes::of(event);
            let applied = moved.applied;
            let planned = EventTimes::of(&plan.event);
            let kept = EventTimes {
                start_ms: pick(live.start_ms, applied.start_ms, planned.start_ms),
                freeze_ms: pick(live.freeze_ms, applied.freeze_ms, planned.freeze_ms),
                end_ms: pick(live.end_ms, applied.end_ms, planned.end_ms),
            };
            match plan.live.keeps_times {
                _ if kept == planned => {}
                Some(true) => merged.event = kept.applied_to(plan.event.clone()),
                Some(false) => {}
                None => {
                    let (by, at_ms) = (moved.by.clone(), moved.at_ms);
                    in_the_way.push(LiveConflict { challenge: None, by, at_ms });
                }
            }
        }
        (merged, in_the_way)
    }

    /// True if a plan has sources, or a setting of practice in its files, that differ from the
    /// applied ones.
    pub(super) fn differ(&self, plan: &Plan, practice: bool) -> bool {
        let has = |id: &ChallengeId, source: &Source| {
            let mut kept = self.kept.iter();
            kept.any(|it| it.challenge == *id && !it.is_changed() && it.live == *source)
        };
        let mut sources = plan.sources.iter().filter(|(id, _)| !plan.live.kept.contains(*id));
        let is_same_practice = self.applied_practice.is_none_or(|applied| applied == practice);
        self.times.is_some() || !is_same_practice || sources.any(|(id, source)| !has(id, source))
    }

    /// Stores the sources of an applied plan; returns the challenges whose sources changed.
    /// `practice` is the setting in the files, which the plan can replace by the live one.
    pub(super) async fn write(
        &self,
        tx: &mut Tx,
        seal: &Seal,
        plan: &Plan,
        practice: bool,
    ) -> Result<Vec<ChallengeId>> {
        let mut written = Vec::new();
        let kept: HashMap<&ChallengeId, &StoredSource> =
            self.kept.iter().map(|kept| (&kept.challenge, kept)).collect();
        for (id, source) in &plan.sources {
            let is_so = |kept: &&StoredSource| !kept.is_changed() && kept.live == *source;
            if !plan.live.kept.contains(id) && !kept.get(id).is_some_and(is_so) {
                sources::apply(tx, seal, id, source).await?;
                written.push(id.clone());
            }
        }
        let planned: HashSet<&ChallengeId> =
            plan.challenges.iter().map(|it| &it.challenge.id).collect();
        for id in kept.keys().filter(|id| !planned.contains(*id)) {
            sources::put_row(tx, id, None).await?;
        }
        if let Some(defaults) = &plan.defaults {
            sources::set_defaults(tx, defaults).await?;
        }
        if plan.live.keeps_times != Some(true) {
            let event = Event { practice, ..plan.event.clone() };
            let event = serde_json::to_string(&event).expect("plain data");
            meta::set(tx, APPLIED_EVENT, &event).await?;
        }
        Ok(written)
    }
}

/// Keeps a challenge unchanged.
fn keep(plan: &mut Plan, id: &ChallengeId, drafts: &Drafts) {
    plan.challenges.retain(|draft| draft.challenge.id != *id);
    let is_it = |draft: &&Draft| draft.challenge.id == *id;
    plan.challenges.extend(drafts.drafts.iter().find(is_it).cloned());
}

/// Returns the event as applied, followed by versions with the times moved live since then; empty
/// if neither the times nor practice were changed live.
pub async fn former_times(db: &Db, seal: &Seal, contest: &Contest) -> Result<Vec<Event>> {
    let mut tx = db.snapshot().await?;
    let applied = applied_event_in(&mut tx).await?;
    let Some(applied) = applied else { return Ok(Vec::new()) };
    if !is_moved(contest, &applied) {
        let is_same = contest.event().is_none_or(|event| event.practice == applied.practice);
        return Ok(if is_same { Vec::new() } else { vec![applied] });
    }
    let mut former = vec![applied.clone()];
    for times in former_times_in(&mut tx, seal).await? {
        if times == EventTimes::of(&applied) {
            break;
        }
        former.push(times.applied_to(applied.clone()));
    }
    Ok(former)
}

/// Returns the organizer who last moved the event's times live, and the time of that change in
/// epoch milliseconds; `None` if the times are those of the applied files.
pub async fn times_edit(db: &Db, contest: &Contest) -> Result<Option<(String, i64)>> {
    let mut tx = db.snapshot().await?;
    match applied_event_in(&mut tx).await?.filter(|applied| is_moved(contest, applied)) {
        Some(_) => last_times_change_in(&mut tx).await.map(Some),
        None => Ok(None),
    }
}

/// True if the event's times were moved live since it was applied.
fn is_moved(contest: &Contest, applied: &Event) -> bool {
    contest.event().is_some_and(|event| EventTimes::of(applied) != EventTimes::of(event))
}

/// Returns the event as applied from files, if any.
async fn applied_event_in(tx: &mut Tx) -> Result<Option<Event>> {
    let applied = meta::get(tx, APPLIED_EVENT).await?;
    Ok(applied.and_then(|text| serde_json::from_str(&text).ok()))
}
