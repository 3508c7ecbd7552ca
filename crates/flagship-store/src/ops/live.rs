//! What organizers changed live since files were applied: files do not replace it unasked.

use std::collections::{HashMap, HashSet};

use flagship_game::{ChallengeId, Contest, Event, Phase, Reveal};

use super::files::Plan;
use super::former::{former_in, former_times_in};
use super::undo_data::Moments;
use crate::challenges::{self, Draft, Drafts};
use crate::sources::{self, Kept, NamedFile, Source};
use crate::{Db, Result, Seal, Tx, actions, meta};

/// The meta key of the event that was applied last.
const APPLIED_EVENT: &str = "applied_event";

/// A live change that stands in the way of files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangedLive {
    /// Which challenge; `None` for the times of the event.
    pub challenge: Option<ChallengeId>,
    /// Who changed it.
    pub by: String,
    /// When, in epoch milliseconds.
    pub at_ms: i64,
}

/// The source of a challenge, with what it was since files were applied.
#[derive(Clone)]
pub struct LiveSource {
    /// As it is.
    pub kept: Kept,
    /// What is read from it, if anything is.
    pub draft: Option<Draft>,
    /// As it was before actions changed it, the newest first, down to the one of the files.
    pub former: Vec<Kept>,
}

impl LiveSource {
    /// The files that players get or see.
    pub fn files(&self) -> Vec<NamedFile> {
        let attached = self.draft.iter().flat_map(|draft| &draft.challenge.attachments);
        let mut files = self.kept.live.named();
        files.retain(|file| attached.clone().any(|it| it.is_file(&file.name, &file.digest)));
        files
    }

    /// Those that were changed live since files were applied.
    pub fn changed_files(&self) -> Vec<NamedFile> {
        let is_of_files = |former: &&Kept| former.changed.is_none() && self.kept.applied.is_some();
        let applied = self.former.last().filter(is_of_files);
        let applied = applied.map(|former| former.live.named()).unwrap_or_default();
        let mut files = if self.kept.is_changed() { self.files() } else { Vec::new() };
        files.retain(|file| !applied.contains(file));
        files
    }

    /// Those that were changed live, and that a folder does not have.
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

async fn live_source(tx: &mut Tx, seal: &Seal, kept: Kept, drafts: &[Draft]) -> Result<LiveSource> {
    let former = match kept.is_changed() {
        true => former_in(tx, seal, &kept.challenge).await?,
        false => Vec::new(),
    };
    let draft = drafts.iter().find(|draft| draft.challenge.id == kept.challenge).cloned();
    Ok(LiveSource { kept, draft, former })
}

/// What was changed live.
pub(super) struct Changes {
    kept: Vec<Kept>,
    changed: Vec<LiveSource>,
    times: Option<MovedTimes>,
    /// The mode of the reveal that was applied; `None` if no event was.
    applied_reveal: Option<Reveal>,
}

/// The times of the event that was applied were moved live.
struct MovedTimes {
    /// As they were applied.
    applied: Moments,
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
        let times = match applied.filter(|applied| is_moved(contest, applied)) {
            Some(applied) => {
                let (by, at_ms) = actions::last_about_in(tx, "event").await?;
                Some(MovedTimes { applied: Moments::of(&applied), by, at_ms })
            }
            None => None,
        };
        let mut changed = Vec::new();
        for kept in kept.iter().filter(|kept| kept.is_changed()) {
            changed.push(live_source(tx, seal, kept.clone(), drafts).await?);
        }
        Ok(Self { kept, changed, times, applied_reveal })
    }

    /// True if a plan would take back the reveal at a ceremony, which was chosen live. The file has
    /// another mode, perhaps only because it never had any.
    pub(super) fn skip_ceremony(&self, contest: &Contest, plan: &Plan) -> bool {
        let waits = contest
            .event()
            .is_some_and(|event| event.reveal == Reveal::Manual && event.freeze_ms.is_some());
        waits
            && self.applied_reveal == Some(Reveal::Auto)
            && plan.event.reveal == Reveal::Auto
            && !contest.reached(Phase::Reveal)
    }

    /// The plan with what stays as it is live, and what stands in its way.
    pub(super) fn merge(
        &self,
        plan: &Plan,
        contest: &Contest,
        drafts: &Drafts,
    ) -> (Plan, Vec<ChangedLive>) {
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
                in_the_way.push(ChangedLive { challenge: Some(id.clone()), by, at_ms });
            }
        }
        if let (Some(moved), Some(event)) = (&self.times, contest.event()) {
            // What was moved live is as it is; the others are as the files say.
            let pick = |live, applied, planned| if live == applied { planned } else { live };
            let live = Moments::of(event);
            let applied = moved.applied;
            let planned = Moments::of(&plan.event);
            let kept = Moments {
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
                    in_the_way.push(ChangedLive { challenge: None, by, at_ms });
                }
            }
        }
        (merged, in_the_way)
    }

    /// Whether a plan has other sources than those that are kept as applied.
    pub(super) fn differ(&self, plan: &Plan) -> bool {
        let has = |id: &ChallengeId, source: &Source| {
            let mut kept = self.kept.iter();
            kept.any(|it| it.challenge == *id && !it.is_changed() && it.live == *source)
        };
        let mut sources = plan.sources.iter().filter(|(id, _)| !plan.live.kept.contains(*id));
        self.times.is_some() || sources.any(|(id, source)| !has(id, source))
    }

    /// Keeps the sources of a plan that is applied; returns which are others than before.
    pub(super) async fn write(
        &self,
        tx: &mut Tx,
        seal: &Seal,
        plan: &Plan,
    ) -> Result<Vec<ChallengeId>> {
        let mut written = Vec::new();
        let kept: HashMap<&ChallengeId, &Kept> =
            self.kept.iter().map(|kept| (&kept.challenge, kept)).collect();
        for (id, source) in &plan.sources {
            let is_so = |kept: &&Kept| !kept.is_changed() && kept.live == *source;
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
            let event = serde_json::to_string(&plan.event).expect("plain data");
            meta::set(tx, APPLIED_EVENT, &event).await?;
        }
        Ok(written)
    }
}

/// Leaves a challenge as it is.
fn keep(plan: &mut Plan, id: &ChallengeId, drafts: &Drafts) {
    plan.challenges.retain(|draft| draft.challenge.id != *id);
    let is_it = |draft: &&Draft| draft.challenge.id == *id;
    plan.challenges.extend(drafts.drafts.iter().find(is_it).cloned());
}

/// The event as it was when files were applied, with its times since, if these were moved live.
pub async fn former_times(db: &Db, seal: &Seal, contest: &Contest) -> Result<Vec<Event>> {
    let mut tx = db.snapshot().await?;
    let applied = applied_event_in(&mut tx).await?;
    let Some(applied) = applied.filter(|applied| is_moved(contest, applied)) else {
        return Ok(Vec::new());
    };
    let mut former = vec![applied.clone()];
    for times in former_times_in(&mut tx, seal).await? {
        if times == Moments::of(&applied) {
            break;
        }
        former.push(times.applied_to(applied.clone()));
    }
    Ok(former)
}

/// True if the times of the event were moved live since it was applied.
fn is_moved(contest: &Contest, applied: &Event) -> bool {
    contest.event().is_some_and(|event| Moments::of(applied) != Moments::of(event))
}

/// The event as it was when files were applied, if they were.
async fn applied_event_in(tx: &mut Tx) -> Result<Option<Event>> {
    let applied = meta::get(tx, APPLIED_EVENT).await?;
    Ok(applied.and_then(|text| serde_json::from_str(&text).ok()))
}
