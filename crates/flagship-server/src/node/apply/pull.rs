//! The live edits of an event as one document, from which `flagship pull` writes files.

use flagship_actions::settings::sections::{StoredPage, pages_in};
use flagship_game::{ChallengeId, Contest, Event};
use flagship_pack::{file_paths, new_event_toml, page_file, page_path};
use flagship_store::desk::divisions;
use flagship_store::ops::{LiveSource, former_times, live_sources};
use flagship_store::sources::{self, NamedFile};
use flagship_store::{Db, Seal, StoreError, settings};
use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{difference, live};
use crate::node::settings::settings_of_site;

/// The live edits of an event. The texts contain flags.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LiveEvent {
    /// The event, as in the journal; null if there is none.
    #[schema(value_type = Option<Object>)]
    pub event: Option<Event>,
    /// The event as applied, followed by versions with the times moved live since then; empty if
    /// neither the times nor practice were changed live.
    #[schema(value_type = Vec<Object>)]
    pub former: Vec<Event>,
    /// Challenges with live edits; all challenges for a new folder.
    pub challenges: Vec<LiveChallenge>,
    /// Pages that were written on the site.
    pub pages: Vec<LiveText>,
    /// Other files of a new folder; null for an existing folder or without an event.
    pub new: Option<NewFolder>,
}

/// A challenge with its live edits.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LiveChallenge {
    /// Challenge ID.
    #[schema(value_type = String)]
    pub id: ChallengeId,
    /// Path of its file in the event folder.
    pub path: String,
    /// Content of the file, with the current visibility and release time.
    pub text: String,
    /// True if the content differs from the applied files.
    pub edited: bool,
    /// Reason why visibility and release time are not in the text.
    pub left_out: Option<String>,
    /// Content of the file when it was last applied; null if the challenge was created live.
    pub applied: Option<String>,
    /// Attachments and images that players can see.
    #[schema(value_type = Vec<Object>)]
    pub files: Vec<NamedFile>,
    /// Files that were changed live.
    #[schema(value_type = Vec<Object>)]
    pub changed_files: Vec<NamedFile>,
    /// Former versions, newest first, back to the one from the files.
    pub former: Vec<FormerVersion>,
}

/// A former version of a challenge.
#[derive(Serialize, Deserialize, ToSchema)]
pub struct FormerVersion {
    /// Content of the file.
    pub text: String,
    /// Files that the text could refer to.
    #[schema(value_type = Vec<Object>)]
    pub files: Vec<NamedFile>,
}

/// A text file.
#[derive(Serialize, Deserialize, ToSchema)]
pub struct LiveText {
    /// Path in the event folder.
    pub path: String,
    /// Content.
    pub text: String,
}

/// Files of a new event folder, other than challenges and pages.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NewFolder {
    /// Content of `event.toml`, without secrets.
    pub event_toml: String,
    /// Content of `rules.md`.
    pub rules: String,
    /// Branding files, with their paths as names.
    #[schema(value_type = Vec<Object>)]
    pub files: Vec<NamedFile>,
}

impl LiveEvent {
    /// Reads the live edits of an event; for a new folder, the whole event.
    ///
    /// # Errors
    /// Fails if the database cannot be read.
    pub async fn read(
        db: &Db,
        seal: &Seal,
        contest: &Contest,
        is_new: bool,
    ) -> Result<Self, StoreError> {
        let event = contest.event().map(|event| (**event).clone());
        let zone = difference::zone(event.as_ref());
        let all = live_sources(db, seal).await?.into_iter();
        let all = all.map(|live| LiveChallenge::new(&live, &zone));
        let is_wanted = |it: &LiveChallenge| is_new || it.edited || it.left_out.is_some();
        let mut live = Self {
            challenges: all.filter(is_wanted).collect(),
            former: former_times(db, seal, contest).await?,
            pages: Vec::new(),
            new: None,
            event,
        };
        let pages = match &live.event {
            Some(event) if is_new => {
                let (new, pages) = new_folder(db, seal, event).await?;
                live.new = Some(new);
                pages
            }
            _ if is_new => Vec::new(),
            _ => pages_in(&settings::site_sections(db).await?),
        };
        live.pages = pages.iter().map(LiveText::of).collect();
        Ok(live)
    }
}

impl LiveChallenge {
    fn new(live: &LiveSource, zone: &TimeZone) -> Self {
        let kept = &live.kept;
        let source = kept.live.text.expose();
        let shown = live::shown(live, zone);
        let left_out = shown.as_ref().err().map(ToString::to_string);
        let text = shown.unwrap_or_else(|_| source.to_owned());
        let former = live.former.iter().map(|former| FormerVersion {
            text: former.live.text.expose().to_owned(),
            files: former.live.named(),
        });
        Self {
            id: kept.challenge.clone(),
            path: kept.live.path.clone(),
            edited: kept.is_changed() || text != source,
            left_out,
            applied: kept.applied.as_ref().map(|text| text.expose().to_owned()),
            files: live.files(),
            changed_files: live.changed_files(),
            former: former.collect(),
            text,
        }
    }
}

impl LiveText {
    fn of(kept: &StoredPage) -> Self {
        let text = page_file(kept.page.place, kept.position, &kept.text);
        Self { path: page_path(&kept.page.slug).display().to_string(), text }
    }
}

/// Returns the files of an event that was set up on the site: `event.toml`, `rules.md` and its
/// branding; and its pages. Of secrets, only the codes of divisions are written to files.
async fn new_folder(
    db: &Db,
    seal: &Seal,
    event: &Event,
) -> Result<(NewFolder, Vec<StoredPage>), StoreError> {
    let mut kept = settings_of_site(db).await?;
    let defaults = sources::defaults(db).await?;
    let defaults = defaults.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
    let files = kept.sections.get_mut("site").map(file_paths).unwrap_or_default();
    let files = files.into_iter().map(|(name, digest)| NamedFile { name, digest }).collect();
    let divisions = divisions::rules(db, seal).await?;
    let event_toml = new_event_toml(event, &defaults, &kept.sections, &divisions)
        .map_err(|error| StoreError::Corrupt(format!("the event's times: {error}")))?;
    // Without Markdown source, the rendered page is valid Markdown too, except that its
    // placeholders are already filled in.
    let rules = kept.rules.filter(|rules| rules.html == event.rules).map(|rules| rules.text);
    let rules = rules.unwrap_or_else(|| event.rules.clone());
    Ok((NewFolder { event_toml, rules, files }, kept.pages))
}
