//! The audit log, as organizers read it.

use axum::extract::State;
use flagship_store::StoreError;
use flagship_store::actions::{self, Record};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

use crate::api::error::ApiError;
use crate::api::extract::Query;
use crate::api::organize::auth::Authorized;
use crate::node::organizers::SignedInOrganizer;
use crate::node::organizers::permissions::ListActions;
use crate::node::state::App;

/// Number of actions on a page.
const PAGE: i64 = 50;

/// Page of the audit log.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ActionsQuery {
    /// ID of an action: only earlier actions are listed. If omitted, the page starts with the
    /// latest.
    before: Option<i64>,
}

/// A page of the audit log.
#[derive(Serialize, ToSchema)]
pub struct Actions {
    /// At most 50 actions, newest first.
    actions: Vec<Entry>,
}

/// An action of an organizer. Times are epoch milliseconds.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Entry {
    /// Action ID.
    id: i64,
    /// Time of the action.
    at: i64,
    /// Name of the organizer.
    actor: String,
    /// Kind of the action, such as `team.ban`.
    action: String,
    /// Arguments of the action; null if they were erased.
    arguments: Value,
    /// Reason for the action; null if it was erased.
    reason: Value,
    /// Description of the action, in one sentence.
    sentence: String,
    /// ID of the action that this one undoes.
    undoes: Option<i64>,
    /// ID of the action that undid this one.
    undone_by: Option<i64>,
    /// True if the action can be undone.
    undoable: bool,
}

/// Lists the actions that the caller's roles permit to see, newest first.
#[utoipa::path(get, path = "/actions", operation_id = "organizer_actions", params(ActionsQuery),
    responses((status = 200, body = Actions)))]
pub async fn list(
    State(app): State<App>,
    caller: Authorized<ListActions>,
    Query(query): Query<ActionsQuery>,
) -> Result<axum::Json<Actions>, ApiError> {
    let who = &caller.who;
    let records = visible_before(&app, who, query.before.unwrap_or(i64::MAX)).await?;
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

/// Returns the newest visible records before an ID. If most of the records in a batch are not
/// visible, further batches are read until the page is full.
async fn visible_before(
    app: &App,
    who: &SignedInOrganizer,
    id: i64,
) -> Result<Vec<Record>, StoreError> {
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
