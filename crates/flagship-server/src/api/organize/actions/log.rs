//! The audit log, as organizers read it.

use axum::extract::State;
use flagship_store::StoreError;
use flagship_store::actions::{self, Record};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

use crate::api::error::ApiError;
use crate::api::extract::Query;
use crate::api::organize::by::By;
use crate::node::organizers::Who;
use crate::node::organizers::permissions::ListActions;
use crate::node::state::App;

/// Actions of a page.
const PAGE: i64 = 50;

/// Which actions.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ActionsQuery {
    /// Those before this one; the newest ones if it is left out.
    before: Option<i64>,
}

/// What organizers did.
#[derive(Serialize, ToSchema)]
pub struct Actions {
    /// The newest first; at most 50.
    actions: Vec<Entry>,
}

/// Something that an organizer did. Times are epoch milliseconds.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Entry {
    /// Its id.
    id: i64,
    /// When.
    at: i64,
    /// The organizer's name.
    actor: String,
    /// Which: `team.ban`.
    action: String,
    /// The arguments; null if they were erased.
    arguments: Value,
    /// Why; null if it was erased.
    reason: Value,
    /// What was done, in a sentence.
    sentence: String,
    /// The action that it takes back.
    undoes: Option<i64>,
    /// The action that took it back.
    undone_by: Option<i64>,
    /// Whether something puts it back.
    undoable: bool,
}

/// Lists what organizers did, of what the own roles may do.
#[utoipa::path(get, path = "/actions", operation_id = "organizer_actions", params(ActionsQuery),
    responses((status = 200, body = Actions)))]
pub async fn list(
    State(app): State<App>,
    by: By<ListActions>,
    Query(query): Query<ActionsQuery>,
) -> Result<axum::Json<Actions>, ApiError> {
    let who = &by.who;
    let records = seen_before(&app, who, query.before.unwrap_or(i64::MAX)).await?;
    let ids: Vec<i64> = records.iter().map(|record| record.id).collect();
    let undone = actions::undone(app.db(), &ids).await?;
    let undoable = actions::undoable(app.db(), &ids).await?;
    let entry = |record: Record| Entry {
        id: record.id,
        at: record.at_ms,
        sentence: who.sentence(&record),
        arguments: who.arguments(&record),
        reason: record.field("reason"),
        undoes: record.undoes,
        undone_by: undone.iter().find(|(action, _)| *action == record.id).map(|(_, by)| *by),
        undoable: undoable.contains(&record.id),
        actor: record.actor,
        action: record.action,
    };
    Ok(axum::Json(Actions { actions: records.into_iter().map(entry).collect() }))
}

/// The newest records before one that somebody sees. They may see few of those that are read at
/// once, so more are read until there are enough.
async fn seen_before(app: &App, who: &Who, id: i64) -> Result<Vec<Record>, StoreError> {
    let names = who.actions();
    let mut before = id;
    let mut seen = Vec::new();
    loop {
        let read = actions::before(app.db(), before, &names, PAGE).await?;
        let is_last = read.len() < PAGE as usize;
        before = read.last().map_or(before, |last| last.id);
        let contest = app.contest();
        seen.extend(read.into_iter().filter(|record| who.sees_record(record, &contest)));
        if is_last || seen.len() >= PAGE as usize {
            seen.truncate(PAGE as usize);
            return Ok(seen);
        }
    }
}
