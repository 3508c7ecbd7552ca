//! The challenges as their files and organizers last said, shown or not, with the problems that
//! `flagship check` finds in their text. They are read again only after somebody changed one.

use std::collections::HashMap;
use std::sync::Arc;

use flagship_actions::challenge::files::known_files;
use flagship_actions::challenge::text::other;
use flagship_game::{Challenge, ChallengeId};
use flagship_pack::source::{self, OtherChallenge, Surroundings};
use flagship_pack::{Defaults, Problem, Severity};
use flagship_store::challenges::Draft;
use flagship_store::sources::{self, Kept};
use flagship_store::{Db, Seal, StoreError, challenges, lists};
use serde::Serialize;
use tokio::sync::Mutex;
use utoipa::ToSchema;

use crate::node::background::once;

/// A challenge as its text says.
pub struct Described {
    /// What players will see.
    pub challenge: Challenge,
    /// True if it is not to be shown.
    pub hidden: bool,
    /// When it is to be shown, in epoch milliseconds.
    pub release_at_ms: Option<i64>,
    /// How many flags count.
    pub flags: usize,
    /// Errors and warnings in its text, by line.
    pub problems: Vec<Problem>,
    /// Who changed it since files were applied, and when, in epoch milliseconds.
    pub changed: Option<(String, i64)>,
}

/// Something wrong in the file of a challenge, or perhaps wrong.
#[derive(Serialize, ToSchema)]
pub struct Found {
    /// Counted from 1; 0 for the whole file.
    pub line: usize,
    /// `error`, `warning` or `note`.
    pub severity: String,
    /// In a sentence.
    pub message: String,
}

/// The challenges that were last read.
#[derive(Default)]
pub struct Drafts(Mutex<Option<(Revision, Arc<Vec<Described>>)>>);

/// What the problems depend on: the actions, and the end of the event.
type Revision = (i64, Option<i64>);

impl Drafts {
    /// All challenges, by id.
    ///
    /// # Errors
    /// The database does not answer, or what it holds was altered.
    pub async fn read(
        &self,
        db: &Db,
        seal: &Seal,
        end_ms: Option<i64>,
    ) -> Result<Arc<Vec<Described>>, StoreError> {
        let mut last = self.0.lock().await;
        // Read first: a change after it is read again.
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
    kept: Vec<Kept>,
    defaults: &Defaults,
    end_ms: Option<i64>,
) -> Vec<Described> {
    let mut kept: HashMap<ChallengeId, Kept> =
        kept.into_iter().map(|kept| (kept.challenge.clone(), kept)).collect();
    let mut others: Vec<OtherChallenge> = drafts.iter().map(other).collect();
    let describe = |(at, draft): (usize, Draft)| {
        let kept = kept.remove(&draft.challenge.id);
        // Each is read among the others, without itself.
        let own = others.swap_remove(at);
        let problems = kept.as_ref().map_or_else(Vec::new, |kept| {
            let files = known_files(kept);
            problems(kept, Surroundings { defaults, end_ms, files: &files, others: &others })
        });
        others.push(own);
        let last = others.len() - 1;
        others.swap(at, last);
        Described {
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

/// The errors and warnings in a text.
fn problems(kept: &Kept, around: Surroundings<'_>) -> Vec<Problem> {
    let (path, text) = (kept.live.path.clone(), kept.live.text.clone());
    let read = source::read(&source::Source { path, text }, around);
    let mut problems = read.map_or_else(|problems| problems, |reading| reading.problems);
    problems.retain(|problem| problem.severity < Severity::Note);
    problems
}
