//! The text of a challenge: as it is kept, and as an edit would make it, before anything is done.

use std::collections::HashMap;

use axum::extract::{Path, State};
use flagship_actions::challenge::files::known_files;
use flagship_actions::challenge::text::Text;
use flagship_actions::{ArgumentError, Desk, Rejection};
use flagship_game::{Attachment, Challenge, ChallengeId, Hint, points};
use flagship_pack::source::{self, Keys};
use flagship_pack::{KnownFile, Problem};
use flagship_store::sources;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::actions::{self, NotDone};
use super::by::{By, check};
use crate::api::error::ApiError;
use crate::api::extract::LargeJson;
use crate::node::organizers::permissions::{CREATE_CHALLENGE, ReadChallenge};
use crate::node::state::App;

/// The source of a challenge.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Source {
    /// The challenge's id.
    challenge: String,
    /// The path of its file in the event's folder.
    path: String,
    /// The content of the file, with the flags.
    text: String,
    /// The keys of the text with their values, numbers as they are written; null if it is no map.
    fields: Option<HashMap<String, Value>>,
    /// The files that the text may name.
    files: Vec<NamedFile>,
    /// The content of the file as it was applied last; null if the challenge was made live.
    applied: Option<String>,
    /// Who changed it since files were applied.
    changed_by: Option<String>,
    /// When, in epoch milliseconds.
    changed_at: Option<i64>,
}

/// A file of a challenge.
#[derive(Serialize, ToSchema)]
pub struct NamedFile {
    /// Its name.
    name: String,
    /// The SHA-256 of its bytes, in hex.
    digest: String,
    /// How many bytes it has.
    bytes: u64,
}

/// The source of a challenge, with its flags; an author sees those of own ones.
#[utoipa::path(get, path = "/challenges/{id}", operation_id = "organizer_challenge",
    params(("id" = String, Path, description = "The challenge's id")),
    responses((status = 200, body = Source)))]
pub async fn read(
    State(app): State<App>,
    by: By<ReadChallenge>,
    Path(id): Path<String>,
) -> Result<axum::Json<Source>, ApiError> {
    let id = ChallengeId::parse(&id).map_err(|_| ApiError::NO_CHALLENGE)?;
    if !by.who.may_edit(&id) {
        return Err(ApiError::NO_CHALLENGE);
    }
    let kept =
        sources::of(app.db(), &app.organizers.seal, &id).await?.ok_or(ApiError::NO_CHALLENGE)?;
    let read = async move { source_of(&id, kept) };
    Ok(axum::Json(app.organizers.renderer.run(by.who.organizer.id, read).await?))
}

fn source_of(id: &ChallengeId, kept: sources::Kept) -> Source {
    let files = known_files(&kept).into_iter();
    let named = |KnownFile { name, digest, bytes, .. }| NamedFile { name, digest, bytes };
    let (changed_by, changed_at) = kept.changed.unzip();
    let text = kept.live.text.expose();
    Source {
        challenge: id.to_string(),
        path: kept.live.path,
        fields: source::fields(text).map(HashMap::from_iter),
        files: files.map(named).collect(),
        text: text.to_owned(),
        applied: kept.applied.map(|text| text.expose().to_owned()),
        changed_by,
        changed_at,
    }
}

/// A change to a challenge that is not done yet.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Change {
    /// The keys of `challenge.yml` with their new values, as those of `challenge.edit`.
    #[schema(value_type = HashMap<String, Value>)]
    fields: Map<String, Value>,
    /// Whether the challenge is to be made.
    #[serde(default)]
    is_new: bool,
    /// The challenge that a new one is made like.
    #[schema(nullable = false)]
    from: Option<String>,
}

/// What a change would make of a challenge.
#[derive(Serialize, ToSchema)]
pub struct Preview {
    /// What players would see; null if the challenge has errors.
    card: Option<PreviewCard>,
    /// What `flagship check` finds in its text.
    problems: Vec<FoundIn>,
}

/// A challenge as players see it, before anybody solved it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct PreviewCard {
    /// Its name.
    challenge_name: String,
    /// Its categories.
    categories: Vec<String>,
    /// What the first solve is worth.
    value: i64,
    /// Its description, in HTML.
    description: String,
    /// Its hints, those too that wait for their time.
    hints: Vec<PreviewHint>,
    /// Its files.
    attachments: Vec<NamedFile>,
    /// How to reach it.
    connection: Option<String>,
    /// The ids of the challenges that it requires.
    requirements: Vec<String>,
}

/// A hint.
#[derive(Serialize, ToSchema)]
struct PreviewHint {
    /// What it is called by.
    id: String,
    /// Its text, in HTML.
    html: String,
    /// When it is shown, in epoch milliseconds; null: with the challenge.
    at: Option<i64>,
}

/// Something wrong in the text of a challenge, or perhaps wrong.
#[derive(Serialize, ToSchema)]
struct FoundIn {
    /// The key that it is about; null for the whole text.
    key: Option<String>,
    /// Its line in the changed text, counted from 1; 0 for the whole text.
    line: usize,
    /// `error` or `warning`.
    severity: String,
    /// In a sentence.
    message: String,
}

/// Shows what a change would make of a challenge, and what is wrong with it; nothing is changed or
/// recorded. An author asks about own challenges.
#[utoipa::path(post, path = "/challenges/{id}/preview",
    operation_id = "organizer_preview_challenge", request_body = Change,
    params(("id" = String, Path, description = "The id of the challenge, or of the new one")),
    responses((status = 200, body = Preview)))]
pub async fn preview(
    State(app): State<App>,
    by: By<ReadChallenge>,
    Path(id): Path<String>,
    change: LargeJson<Change>,
) -> Result<axum::Json<Preview>, NotDone> {
    let (renderer, organizer) = (&app.organizers.renderer, by.who.organizer.id);
    let change = change.parsed(renderer, organizer).await?;
    if change.is_new {
        check(&by.who, &CREATE_CHALLENGE)?;
    }
    let desk = actions::desk(&app, &by.who);
    let previewed = renderer.run(organizer, async move { previewed(&desk, &id, change).await });
    Ok(axum::Json(previewed.await??))
}

/// What a change would make of the challenge with an id.
async fn previewed(desk: &Desk, id: &str, change: Change) -> Result<Preview, NotDone> {
    let Change { fields, is_new, from } = change;
    let text = match is_new {
        true => Text::made(desk, id, fields, from.as_deref()).await,
        false if from.is_some() => Err(ArgumentError::Shape.into()),
        false => Text::changed(desk, id, fields).await,
    };
    let text = match text {
        Ok(text) => text,
        Err(Rejection::Edit(message)) => {
            let severity = flagship_pack::Severity::Error.to_string();
            let problems = vec![FoundIn { key: None, line: 0, severity, message }];
            return Ok(Preview { card: None, problems });
        }
        Err(error) => return Err(error.into()),
    };
    Ok(match text.reading(desk).await {
        Ok(reading) => Preview {
            card: Some(reading.challenge.into()),
            problems: found(&text, reading.problems),
        },
        Err(Rejection::Problems(problems)) => {
            Preview { card: None, problems: found(&text, problems) }
        }
        Err(error) => return Err(error.into()),
    })
}

/// The problems, each with the key that it is about.
fn found(text: &Text, problems: Vec<Problem>) -> Vec<FoundIn> {
    let keys = Keys::of(text.source.text.expose());
    let is_news = |problem: &Problem| problem.severity < flagship_pack::Severity::Note;
    let found_in = |problem: Problem| FoundIn {
        key: keys.about(&problem).map(str::to_owned),
        line: problem.line,
        severity: problem.severity.to_string(),
        message: problem.message,
    };
    problems.into_iter().filter(is_news).map(found_in).collect()
}

impl From<Challenge> for PreviewCard {
    fn from(it: Challenge) -> Self {
        let hint = |Hint { id, html, at_ms }| PreviewHint {
            id,
            html: html.unwrap_or_default(),
            at: at_ms,
        };
        let file = |Attachment { name, digest, bytes, .. }| NamedFile { name, digest, bytes };
        Self {
            value: points::value(&it.scoring, 0, None),
            challenge_name: it.name,
            categories: it.categories,
            description: it.description,
            hints: it.hints.into_iter().map(hint).collect(),
            attachments: it.attachments.into_iter().map(file).collect(),
            connection: it.connection,
            requirements: it.requirements.iter().map(ToString::to_string).collect(),
        }
    }
}
