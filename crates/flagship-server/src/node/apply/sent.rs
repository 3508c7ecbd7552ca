//! Event files as the JSON document that `flagship apply --server` sends, and the response.
//! Settings, secrets and attachments are not part of the document.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use flagship_game::{ChallengeId, Secret};
use flagship_pack::{
    Broken, KnownFile, Pack, PackChallenge, Source, StoredChallenge, event_tables, file_text,
    read_texts, slashed,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::live::Take;

/// Event files to apply. The texts contain flags.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SentFiles {
    /// The tables `[event]`, `[scoring]` and `[[divisions]]` of `event.toml`.
    event: String,
    /// Content of `rules.md`.
    rules: String,
    /// Challenges without errors.
    challenges: Vec<SentChallenge>,
    /// Challenge files with errors. They are skipped, and their challenges are not removed.
    #[serde(default)]
    broken: Vec<SentBroken>,
}

/// A challenge file.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct SentChallenge {
    /// Path in the event folder.
    path: String,
    /// Content.
    text: String,
    /// Files that the text refers to: `name`, `digest`, `bytes` and, for an image, `picture`.
    #[schema(value_type = Vec<Object>)]
    #[serde(default)]
    files: Vec<KnownFile>,
}

/// A challenge file with errors.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct SentBroken {
    /// Path in the event folder.
    path: String,
    /// ID of its challenge, if it could be read.
    #[schema(value_type = Option<String>)]
    id: Option<ChallengeId>,
}

/// Request to apply event files.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct ApplyRequest {
    /// The files.
    pub files: SentFiles,
    /// Side that wins where live edits and the files differ. Without it, they are a conflict.
    #[serde(default)]
    pub take: Option<Take>,
    /// Confirmed number of destructive changes.
    #[serde(default)]
    pub confirm: Option<usize>,
    /// True to show the changes without applying them.
    #[serde(default)]
    pub dry_run: bool,
}

/// Result of applying event files.
#[derive(Serialize, Deserialize, ToSchema)]
pub struct ApplyAnswer {
    /// Description of the changes in the order of `flagship apply`.
    pub lines: Vec<String>,
    /// Outcome.
    pub outcome: ApplyOutcome,
    /// Outcome in one sentence.
    pub message: String,
    /// Digests of files that the server does not have.
    pub missing: Vec<String>,
}

/// Outcome of applying event files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ApplyOutcome {
    /// The changes were applied.
    Applied,
    /// There was nothing to change.
    Unchanged,
    /// The changes were only shown.
    Shown,
    /// Nothing was applied: upload the missing files and try again.
    FilesMissing,
    /// Nothing was applied, for the reason in `message`.
    Rejected,
}

impl SentFiles {
    /// Packs the files in `dir`, which were read as `pack`. Returns `None` if `event.toml` is no
    /// longer readable.
    pub fn of(dir: &Path, pack: &Pack) -> Option<Self> {
        let challenge = |it: &PackChallenge| SentChallenge {
            path: it.source.path.clone(),
            text: it.source.text.expose().to_owned(),
            files: it.known_files(),
        };
        let broken = |it: &Broken| SentBroken { path: slashed(&it.source), id: it.id.clone() };
        Some(Self {
            event: event_tables(&file_text(dir, "event.toml")?)?,
            rules: file_text(dir, "rules.md").unwrap_or_default(),
            challenges: pack.challenges.iter().map(challenge).collect(),
            broken: pack.broken.iter().map(broken).collect(),
        })
    }

    /// Digests of all files that the challenges refer to.
    pub fn digests(&self) -> BTreeSet<String> {
        let files = self.challenges.iter().flat_map(|challenge| &challenge.files);
        files.map(|file| file.digest.clone()).collect()
    }

    /// Reads the event. `stored` has the size and the image type of stored files by digest; those
    /// of other files are taken from the document.
    pub fn read(self, stored: &HashMap<String, KnownFile>) -> Pack {
        let known = |file: KnownFile| match stored.get(&file.digest) {
            Some(stored) => KnownFile { name: file.name, ..stored.clone() },
            None => file,
        };
        let challenge = |SentChallenge { path, text, files }| StoredChallenge {
            source: Source { path, text: Secret::new(text) },
            files: files.into_iter().map(known).collect(),
        };
        let challenges = self.challenges.into_iter().map(challenge).collect();
        let broken = |SentBroken { path, id }| Broken { source: PathBuf::from(path), id };
        let broken = self.broken.into_iter().map(broken).collect();
        Pack { broken, ..read_texts(&self.event, &self.rules, challenges) }
    }
}
