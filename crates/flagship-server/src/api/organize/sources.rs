//! Challenge sources: the stored version, and the preview of an edit.

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

use super::actions::{self, ActionFailure};
use super::auth::{Authorized, check};
use super::teams::{self, ViewQuery};
use crate::api::error::ApiError;
use crate::api::extract::{LargeJson, Query};
use crate::node::organizers::permissions::{CREATE_CHALLENGE, ReadChallenge};
use crate::node::state::App;

/// The source of a challenge.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Source {
    /// Challenge ID.
    challenge: String,
    /// Path of the challenge file in the event folder.
    path: String,
    /// Content of the file, including flags.
    text: String,
    /// Keys and values of the file, with numbers as written; null if the file is not a mapping.
    fields: Option<HashMap<String, Value>>,
    /// Files that the challenge can refer to.
    files: Vec<NamedFile>,
    /// Content of the file when it was last applied; null if the challenge was created on the site.
    applied: Option<String>,
    /// Organizer who changed the challenge since the last apply.
    changed_by: Option<String>,
    /// Time of that change, in epoch milliseconds.
    changed_at: Option<i64>,
    /// Hints that teams took, in the order of the teams. If the caller may not see hidden solves,
    /// without those that the freeze hides, and only of teams that count.
    taken_hints: Vec<TakenHint>,
}

/// A hint that a team took.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TakenHint {
    /// Hint ID.
    hint: String,
    /// Name of the team.
    team_name: String,
    /// Time in epoch milliseconds.
    at: i64,
    /// Points that the team paid.
    paid: i64,
    /// Points that the hint costs the team now; 0 if the points were returned.
    cost: i64,
}

/// A file of a challenge.
#[derive(Serialize, ToSchema)]
pub struct NamedFile {
    /// File name.
    name: String,
    /// SHA-256 digest, in hex.
    digest: String,
    /// Size in bytes.
    bytes: u64,
}

/// Returns the source of a challenge, including flags. Authors can read only their own challenges.
#[utoipa::path(get, path = "/challenges/{id}", operation_id = "organizer_challenge",
    params(("id" = String, Path, description = "Challenge ID"), ViewQuery),
    responses((status = 200, body = Source)))]
pub async fn read(
    State(app): State<App>,
    caller: Authorized<ReadChallenge>,
    Path(id): Path<String>,
    Query(query): Query<ViewQuery>,
) -> Result<axum::Json<Source>, ApiError> {
    let id = ChallengeId::parse(&id).map_err(|_| ApiError::NO_CHALLENGE)?;
    if !caller.who.may_edit(&id) {
        return Err(ApiError::NO_CHALLENGE);
    }
    let kept =
        sources::of(app.db(), &app.organizers.seal, &id).await?.ok_or(ApiError::NO_CHALLENGE)?;
    let taken_hints = taken_hints(&app, &id, teams::sight(&caller.who, &query.view)?.truth);
    let read = async move { source_of(&id, kept, taken_hints) };
    Ok(axum::Json(app.organizers.renderer.run(caller.who.organizer.id, read).await?))
}

/// The hints of a challenge that teams took; `sees_hidden` includes those that the freeze hides and
/// those of teams that do not count.
fn taken_hints(app: &App, id: &ChallengeId, sees_hidden: bool) -> Vec<TakenHint> {
    let contest = app.contest();
    let all = contest.hint_takers(id);
    let seen = all.filter(|(team, taken, _)| {
        sees_hidden || (team.counts() && !contest.hides_solves_of(taken.at_ms))
    });
    seen.map(|(team, taken, cost)| TakenHint {
        hint: taken.hint.clone(),
        team_name: team.name.to_string(),
        at: taken.at_ms,
        paid: taken.cost,
        cost,
    })
    .collect()
}

fn source_of(id: &ChallengeId, kept: sources::StoredSource, taken_hints: Vec<TakenHint>) -> Source {
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
        taken_hints,
    }
}

/// An edit of a challenge, to be previewed.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Change {
    /// Keys of `challenge.yml` with their new values, as for `challenge.edit`.
    #[schema(value_type = HashMap<String, Value>)]
    fields: Map<String, Value>,
    /// True to preview a new challenge.
    #[serde(default)]
    is_new: bool,
    /// ID of the challenge to copy for a new one.
    #[schema(nullable = false)]
    from: Option<String>,
}

/// Preview of an edit.
#[derive(Serialize, ToSchema)]
pub struct Preview {
    /// The challenge as players would see it; null if it has errors.
    card: Option<PreviewCard>,
    /// Problems that `flagship check` would report.
    problems: Vec<FoundIn>,
}

/// Number of solves that the curve of a preview covers.
const CURVE_SOLVES: u32 = 50;

/// A challenge as players see it before its first solve.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct PreviewCard {
    /// Challenge name.
    challenge_name: String,
    /// Categories of the challenge.
    categories: Vec<String>,
    /// Points for the first solve.
    value: i64,
    /// Points of each solve after 1 to 50 solves; of a speedrun, the points of the 1st to 50th.
    curve: Vec<i64>,
    /// Flag format shown to players.
    flag_format: Option<String>,
    /// Description as HTML.
    description: String,
    /// Hints, including scheduled ones.
    hints: Vec<PreviewHint>,
    /// Attachments listed below the description.
    attachments: Vec<NamedFile>,
    /// Connection info.
    connection: Option<String>,
    /// IDs of the required challenges.
    requirements: Vec<String>,
    /// Number of flags that a team must find; null if one flag solves the challenge.
    needed_flags: Option<usize>,
    /// Maximum number of incorrect submissions per team; null for no limit.
    attempts: Option<u32>,
    /// Difficulty.
    difficulty: Option<String>,
    /// Tags.
    tags: Vec<String>,
    /// Author, if the event shows authors.
    author: Option<String>,
    /// Acknowledgment of sources as HTML, if the event shows authors.
    attribution: Option<String>,
}

/// A hint.
#[derive(Serialize, ToSchema)]
struct PreviewHint {
    /// Hint ID.
    id: String,
    /// Title of the hint.
    title: Option<String>,
    /// Points that the hint costs.
    cost: i64,
    /// IDs of the hints that must be taken first.
    requirements: Vec<String>,
    /// Text of the hint as HTML.
    html: String,
    /// Release time, in epoch milliseconds; null if the hint is released with the challenge.
    at: Option<i64>,
}

/// An error or warning about a challenge file.
#[derive(Serialize, ToSchema)]
struct FoundIn {
    /// Key with the problem; null for the whole file.
    key: Option<String>,
    /// Line number in the edited file, starting at 1; 0 for the whole file.
    line: usize,
    /// `error` or `warning`.
    severity: String,
    /// Description of the problem, in one sentence.
    message: String,
}

/// Previews an edit of a challenge and reports problems in it, without changing or recording
/// anything. Authors can preview only their own challenges.
#[utoipa::path(post, path = "/challenges/{id}/preview",
    operation_id = "organizer_preview_challenge", request_body = Change,
    params(("id" = String, Path, description = "ID of the challenge, or of the new one")),
    responses((status = 200, body = Preview)))]
pub async fn preview(
    State(app): State<App>,
    caller: Authorized<ReadChallenge>,
    Path(id): Path<String>,
    change: LargeJson<Change>,
) -> Result<axum::Json<Preview>, ActionFailure> {
    let (renderer, organizer) = (&app.organizers.renderer, caller.who.organizer.id);
    let change = change.parsed(renderer, organizer).await?;
    if change.is_new {
        check(&caller.who, &CREATE_CHALLENGE)?;
    }
    let desk = actions::desk(&app, &caller.who);
    let previewed =
        renderer.run(organizer, async move { preview_change(&desk, &id, change).await });
    Ok(axum::Json(previewed.await??))
}

/// Previews an edit of the challenge with this ID.
async fn preview_change(desk: &Desk, id: &str, change: Change) -> Result<Preview, ActionFailure> {
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
            problems: found_problems(&text, reading.problems),
        },
        Err(Rejection::Problems(problems)) => {
            Preview { card: None, problems: found_problems(&text, problems) }
        }
        Err(error) => return Err(error.into()),
    })
}

/// Converts problems, adding the key that each one is about.
fn found_problems(text: &Text, problems: Vec<Problem>) -> Vec<FoundIn> {
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
        let hint = |Hint { id, html, at_ms, title, cost, requirements }| PreviewHint {
            id,
            title,
            cost,
            requirements,
            html: html.unwrap_or_default(),
            at: at_ms,
        };
        let file = |Attachment { name, digest, bytes, .. }| NamedFile { name, digest, bytes };
        Self {
            value: points::value(&it.scoring, 0, None),
            curve: (1..=CURVE_SOLVES).map(|n| points::value(&it.scoring, n, None)).collect(),
            flag_format: it.flag_format,
            challenge_name: it.name,
            categories: it.categories,
            description: it.description,
            hints: it.hints.into_iter().map(hint).collect(),
            attachments: it
                .attachments
                .into_iter()
                .filter(|it| it.picture.is_none())
                .map(file)
                .collect(),
            connection: it.connection,
            requirements: it.requirements.iter().map(ToString::to_string).collect(),
            needed_flags: Some(it.rules.needed_flags.len()).filter(|count| *count > 0),
            attempts: it.rules.attempts_max,
            difficulty: it.labels.difficulty,
            tags: it.labels.tags,
            author: it.labels.author,
            attribution: it.labels.attribution,
        }
    }
}
