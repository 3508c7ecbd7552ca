//! All challenges as last set by files and organizers, visible or not, with the problems that
//! `flagship check` finds in their sources. Reread only after a challenge changes.

use std::collections::HashMap;
use std::sync::Arc;

use flagship_actions::challenge::files::known_files;
use flagship_actions::challenge::text::other;
use flagship_game::{Challenge, ChallengeId};
use flagship_pack::source::{self, OtherChallenge, ParseContext};
use flagship_pack::{Defaults, Problem, Severity};
use flagship_store::challenges::Draft;
use flagship_store::sources::{self, StoredSource};
use flagship_store::{Db, Seal, StoreError, challenges, lists};
use serde::Serialize;
use tokio::sync::Mutex;
use utoipa::ToSchema;

use crate::node::background::once;

/// A challenge as defined by its source.
pub struct ChallengeDraft {
    /// Public part of the challenge.
    pub challenge: Challenge,
    /// True if the challenge is hidden.
    pub hidden: bool,
    /// Scheduled release time, in epoch milliseconds.
    pub release_at_ms: Option<i64>,
    /// Number of flags, without decoys.
    pub flags: usize,
    /// Errors and warnings in the source, by line.
    pub problems: Vec<Problem>,
    /// Organizer who last changed the challenge since files were applied, and the time in epoch
    /// milliseconds.
    pub changed: Option<(String, i64)>,
}

/// A problem or possible problem in the file of a challenge.
#[derive(Serialize, ToSchema)]
pub struct Found {
    /// Line number, starting at 1; 0 for the whole file.
    pub line: usize,
    /// `error`, `warning` or `note`.
    pub severity: String,
    /// Message, as a sentence.
    pub message: String,
}

/// Cache of the challenges that were last read.
#[derive(Default)]
pub struct Drafts(Mutex<Option<(Revision, Arc<Vec<ChallengeDraft>>)>>);

/// Version that the problems depend on: the last action, and the end of the event.
type Revision = (i64, Option<i64>);

impl Drafts {
    /// Returns all challenges by ID.
    ///
    /// # Errors
    /// Fails if the database does not respond, or if its contents were modified.
    pub async fn read(
        &self,
        db: &Db,
        seal: &Seal,
        end_ms: Option<i64>,
    ) -> Result<Arc<Vec<ChallengeDraft>>, StoreError> {
        let mut last = self.0.lock().await;
        // Read first, so that a later change triggers another read.
        let revision = (lists::challenges::revision(db).await?, end_ms);
        if let Some((known, all)) = &*last
            && *known == revision
        {
            return Ok(all.clone());
        }
        let (_, drafts) = challenges::all(db).await?;
        let kept = sources::all(db, seal).await?;
        let defaults = sources::defaults(db).await?;
        let defaults = defaults.and_then(|text| serde_json::from_str::<Defaults>(&text).ok());
        let defaults = defaults.unwrap_or_default();
        let describe = move || Arc::new(described(drafts, kept, &defaults, end_ms));
        let all = once("challenges", describe).await.expect("reading a challenge does not panic");
        *last = Some((revision, all.clone()));
        Ok(all)
    }
}

fn described(
    drafts: Vec<Draft>,
    kept: Vec<StoredSource>,
    defaults: &Defaults,
    end_ms: Option<i64>,
) -> Vec<ChallengeDraft> {
    let mut kept: HashMap<ChallengeId, StoredSource> =
        kept.into_iter().map(|kept| (kept.challenge.clone(), kept)).collect();
    let mut others: Vec<OtherChallenge> = drafts.iter().map(other).collect();
    let describe = |(at, draft): (usize, Draft)| {
        let kept = kept.remove(&draft.challenge.id);
        // Each challenge is parsed in the context of the others, without itself.
        let own = others.swap_remove(at);
        let problems = kept.as_ref().map_or_else(Vec::new, |kept| {
            let files = known_files(kept);
            problems(kept, ParseContext { defaults, end_ms, files: &files, others: &others })
        });
        others.push(own);
        let last = others.len() - 1;
        others.swap(at, last);
        ChallengeDraft {
            hidden: draft.hidden,
            release_at_ms: draft.release_at_ms,
            flags: draft.flags.iter().filter(|flag| flag.counts()).count(),
            challenge: draft.challenge,
            changed: kept.and_then(|kept| kept.changed),
            problems,
        }
    };
    drafts.into_iter().enumerate().map(describe).collect()
}

/// Errors and warnings in a source.
fn problems(kept: &StoredSource, around: ParseContext<'_>) -> Vec<Problem> {
    let (path, text) = (kept.live.path.clone(), kept.live.text.clone());
    let read = source::read(&source::Source { path, text }, around);
    let mut problems = read.map_or_else(|problems| problems, |reading| reading.problems);
    problems.retain(|problem| problem.severity < Severity::Note);
    problems
}
