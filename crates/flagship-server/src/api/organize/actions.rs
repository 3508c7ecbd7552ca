//! What organizers do, and what they did.

mod not_done;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Path, State};
use flagship_store::StoreError;
use flagship_store::actions::{self, Record};
use flagship_store::ops::{self, Acted, Action, Actor, Op, Order, Outcome, What};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};
use utoipa::{IntoParams, ToSchema};

use super::by::By;
use super::effect::{self, Effect, Phases, SHOWN_MAX, effect};
use super::orders::{self, Desk, Read};
use super::site::ReadyAnswer;
use crate::api::error::ApiError;
use crate::api::extract::{Json, LargeJson, Query, TimeLimit};
use crate::api::schema;
use crate::node::organizers::actions::{ListActions, OwnAccount, Rule, is_light, rule};
use crate::node::organizers::turns::Turn;
use crate::node::organizers::{Barred, Who, sentences};
use crate::node::report::report;
use crate::node::state::App;
pub use not_done::{NotDone, shown};

/// How long an action may take that is previewed, and how long what it moves.
const PREVIEW_MAX: Duration = Duration::from_secs(5);
/// Actions of a page.
const PAGE: i64 = 50;
/// Seconds after which somebody may look again if the disk has space.
const DISK_RETRY_S: u64 = 60;
/// The actions after which the node reads its settings again.
const OF_SETTINGS: [&str; 4] = ["brand.set", "page.remove", "page.set", "settings.set"];

/// An action. Which of the other fields it needs depends on it; it takes no others.
#[derive(ToSchema)]
#[schema(as = ActionRequest, rename_all = "camelCase")]
#[allow(dead_code, reason = "it describes what `Given` reads")]
pub struct ActionRequest {
    /// Which: `team.ban`.
    action: String,
    /// The exact name of the team.
    #[schema(nullable = false)]
    team: Option<String>,
    /// The new address, of `team.address`.
    #[schema(nullable = false)]
    email: Option<String>,
    /// The points of `team.award`; negative ones are taken.
    #[schema(nullable = false)]
    points: Option<i64>,
    /// The new name, of `team.rename` and `event.name`; the event's name, of `event.reveal`.
    #[schema(nullable = false)]
    name: Option<String>,
    /// Whether the name before is offensive, so that it leads nowhere.
    #[schema(nullable = false)]
    offensive: Option<bool>,
    /// The two-letter code, of `team.country`.
    #[schema(nullable = false)]
    country: Option<String>,
    /// The text of notes, messages, notices, answers, rules and pages. Notes and messages are plain
    /// text, the others Markdown.
    #[schema(nullable = false)]
    text: Option<String>,
    /// The id of the challenge.
    #[schema(nullable = false)]
    challenge: Option<String>,
    /// The keys of `challenge.yml` with their new values, of `challenge.create` and
    /// `challenge.edit`; null removes one. A file is a name, or `{name, digest}` of an upload.
    #[schema(nullable = false)]
    fields: Option<HashMap<String, Value>>,
    /// The challenge that a new one is made like, of `challenge.create`.
    #[schema(nullable = false)]
    from: Option<String>,
    /// The ids of several, of `challenge.release`.
    #[schema(nullable = false)]
    challenges: Option<Vec<String>>,
    /// When, with an offset: of `challenge.release`, `challenge.close`, `solve.count` and
    /// `notice.post`.
    #[schema(nullable = false)]
    at: Option<String>,
    /// `works`, `looked_at`, `broken` or `fixed`, of `challenge.status`.
    #[schema(nullable = false)]
    status: Option<String>,
    /// A line for players, of `challenge.status`.
    #[schema(nullable = false)]
    note: Option<String>,
    /// With an offset, of `event.times`.
    #[schema(nullable = false)]
    start: Option<String>,
    /// With an offset, of `event.times`.
    #[schema(nullable = false)]
    freeze: Option<String>,
    /// With an offset, of `event.times`.
    #[schema(nullable = false)]
    end: Option<String>,
    /// IANA name of a time zone, of `event.name`.
    #[schema(nullable = false)]
    timezone: Option<String>,
    /// What a flag looks like, of `event.name`.
    #[schema(nullable = false)]
    flag_format: Option<String>,
    /// `auto` or `manual`, of `event.name`.
    #[schema(nullable = false)]
    reveal: Option<String>,
    /// The table of `event.toml`, of `settings.set`.
    #[schema(nullable = false)]
    section: Option<String>,
    /// The keys of the table with their new values, of `settings.set`; those of `[site]`, of
    /// `brand.set`. Null removes one. A file is `{digest}` of an upload.
    #[schema(nullable = false)]
    values: Option<HashMap<String, Value>>,
    /// The name of a page of the event's own, which is the last part of its address: of `page.set`
    /// and `page.remove`.
    #[schema(nullable = false)]
    page: Option<String>,
    /// Where the link of the page stands, `navigation` or `footer`: of `page.set`.
    #[schema(nullable = false)]
    place: Option<String>,
    /// Where the page stands among the others, of `page.set`; last without it.
    #[schema(nullable = false)]
    position: Option<i64>,
    /// All that are ready, of `answers.set`.
    #[schema(nullable = false)]
    answers: Option<Vec<ReadyAnswer>>,
    /// Whether what is to come moves by the pause, of `event.resume`.
    #[schema(nullable = false)]
    moves: Option<bool>,
    /// The title, of notices.
    #[schema(nullable = false)]
    title: Option<String>,
    /// Whether players see it at once, of `notice.post`.
    #[schema(nullable = false)]
    urgent: Option<bool>,
    /// When an urgent notice stops to interrupt players, with an offset, of `notice.post`; without
    /// it, when the notice is withdrawn.
    #[schema(nullable = false)]
    until: Option<String>,
    /// The id of the notice.
    #[schema(nullable = false)]
    notice: Option<i64>,
    /// The id of the question.
    #[schema(nullable = false)]
    question: Option<i64>,
    /// Whether the answer is a notice too, of `question.answer`.
    #[schema(nullable = false)]
    to_all: Option<bool>,
    /// The other team, of `evidence.state`; none for what is about one team.
    #[schema(nullable = false)]
    other: Option<String>,
    /// `new`, `looked_at` or `cleared`, of `evidence.state`.
    #[schema(nullable = false)]
    state: Option<String>,
    /// Why, for the record of organizers; at most 500 characters. Some actions need none.
    #[schema(nullable = false)]
    reason: Option<String>,
    /// True to see what would change, and to change nothing.
    #[schema(nullable = false)]
    preview: Option<bool>,
    /// What a preview gave: the action is refused if somebody touched the same object since.
    head: Option<i64>,
}

/// What every action has.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Common {
    /// Why, for the record of organizers; at most 500 characters.
    #[serde(default)]
    reason: String,
    /// True to see what would change, and to change nothing.
    #[serde(default)]
    preview: bool,
    /// What a preview gave: the action is refused if somebody touched the same object since.
    #[serde(default)]
    head: Option<i64>,
}

/// An action as it was sent.
pub struct Given {
    action: String,
    fields: Map<String, Value>,
    common: Common,
}

impl<'de> Deserialize<'de> for Given {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let mut fields = Map::<String, Value>::deserialize(from)?;
        let Some(Value::String(action)) = fields.remove("action") else {
            return Err(D::Error::missing_field("action"));
        };
        let common = ["reason", "preview", "head"];
        let common = common.into_iter().filter_map(|name| fields.remove_entry(name)).collect();
        let common = serde_json::from_value(Value::Object(common)).map_err(D::Error::custom)?;
        Ok(Self { action, fields, common })
    }
}

/// What an action did, or would do.
#[derive(Serialize, ToSchema)]
#[schema(as = Acted)]
pub struct Answer {
    /// Its id; null in a preview.
    id: Option<i64>,
    /// Which.
    action: String,
    /// What was done, in a sentence.
    sentence: String,
    /// Whether it can be taken back; null in a preview.
    undo: Option<Undo>,
    /// Which teams move; null if that could not be computed, though the action is done.
    effect: Option<Effect>,
    /// Immediate effects on the phases of the event; null if there are none.
    phases: Option<Phases>,
    /// To be sent with the action after a preview; null otherwise.
    head: Option<i64>,
    /// The code of `team.code`, shown once: it sets a new password within an hour.
    code: Option<String>,
    /// What may not be meant in a challenge that was made or changed.
    problems: Vec<schema::Found>,
}

/// Whether an action can be taken back.
#[derive(Serialize, ToSchema)]
struct Undo {
    /// Whether it can.
    possible: bool,
    /// If not, why.
    why: Option<&'static str>,
}

/// Does an action, or shows what it would change.
#[utoipa::path(post, path = "/actions", tag = "organizers", operation_id = "organizer_action",
    request_body = ActionRequest,
    responses((status = 200, body = Answer), (status = 400, body = schema::Error),
        (status = 401, body = schema::Error), (status = 403, body = schema::Error),
        (status = 404, body = schema::Error), (status = 409, body = schema::Error),
        (status = 415, body = schema::Error), (status = 422, body = schema::NotDone),
        (status = 429, body = schema::Error), (status = 503, body = schema::Error)))]
pub async fn action(
    State(app): State<App>,
    by: By<OwnAccount>,
    limit: TimeLimit,
    given: LargeJson<Given>,
) -> Result<axum::Json<Answer>, NotDone> {
    let (renderer, organizer) = (&app.organizers.renderer, by.who.organizer.id);
    let bytes = given.bytes();
    let Given { action, fields, common } = given.parsed(renderer, organizer).await?;
    let (rule, desk) = (allowed(&by.who, &action)?, desk(&app, &by.who));
    let read = match is_light(&action) {
        true => desk.read(&action, fields).await,
        false => renderer.run(organizer, async move { desk.read(&action, fields).await }).await?,
    };
    let Read { action, code, files, problems } = read?;
    if action.needs_reason() && !common.preview && common.reason.trim().is_empty() {
        return Err(ApiError::REASON_MISSING.into());
    }
    let is_done = !common.preview;
    if is_done {
        check_room(&app, &by.who, bytes).await?;
    }
    let what = What::Do(Box::new(action));
    let mut answer = run(&app, &by.who, rule, what, common, files, &limit).await?;
    (answer.code, answer.problems) = (code.filter(|_| is_done), shown(problems));
    Ok(axum::Json(answer))
}

/// Takes an action back, as long as no later one about the same objects stands, or shows what that
/// would change.
#[utoipa::path(post, path = "/actions/{id}/undo", tag = "organizers",
    operation_id = "organizer_undo", request_body = Common,
    params(("id" = i64, Path, description = "The id of the action")),
    responses((status = 200, body = Answer), (status = 400, body = schema::Error),
        (status = 401, body = schema::Error), (status = 403, body = schema::Error),
        (status = 404, body = schema::Error), (status = 409, body = schema::NotUndone),
        (status = 415, body = schema::Error), (status = 422, body = schema::Error),
        (status = 429, body = schema::Error), (status = 503, body = schema::Error)))]
pub async fn undo(
    State(app): State<App>,
    by: By<OwnAccount>,
    limit: TimeLimit,
    Path(id): Path<String>,
    Json(common): Json<Common>,
) -> Result<axum::Json<Answer>, NotDone> {
    let id: i64 = id.parse().map_err(|_| ApiError::NOT_FOUND)?;
    let record = actions::by_id(&app.db, id).await?;
    let contest = app.contest();
    let record = record.filter(|record| by.who.sees_record(record, &contest));
    let record = record.ok_or(ApiError::NOT_FOUND)?;
    let rule = may(&by.who, rule(&record.action))?;
    let is_reason_missing = !common.preview && common.reason.trim().is_empty();
    let what = What::Undo { id, is_confirmed: common.preview || by.who.is_fresh() };
    if is_reason_missing {
        // An author must not learn of actions about others' challenges, so permission comes first.
        let common = Common { preview: true, ..common };
        run(&app, &by.who, rule, what, common, Vec::new(), &limit).await?;
        return Err(ApiError::REASON_MISSING.into());
    }
    if !common.preview {
        check_room(&app, &by.who, common.reason.len()).await?;
    }
    Ok(axum::Json(run(&app, &by.who, rule, what, common, Vec::new(), &limit).await?))
}

/// What the actions of somebody are read with.
pub(super) fn desk(app: &App, who: &Who) -> Desk {
    Desk {
        db: app.db.clone(),
        contest: app.contest(),
        now_ms: app.clock.now_ms(),
        public_url: app.config().public_url.clone(),
        registration: app.settings().registration.clone(),
        confirms_addresses: who.confirms_addresses(),
        is_proven: who.is_fresh(),
        actor: who.organizer.name.clone(),
        only_challenges: who.only_challenges(),
        key: app.config().key.clone(),
        seal: app.seal(),
        uploads: app.uploads.clone(),
        services: Some(app.services.clone()),
    }
}

/// The rule of an action that somebody may do. What no role of theirs has does not exist.
fn allowed(who: &Who, action: &str) -> Result<&'static Rule, ApiError> {
    may(who, rule(action).filter(|rule| Action::NAMES.contains(&rule.name)))
}

/// A rule that somebody has.
fn may(who: &Who, rule: Option<&'static Rule>) -> Result<&'static Rule, ApiError> {
    let rule = rule.ok_or(ApiError::NOT_FOUND)?;
    match who.may(rule) {
        Ok(()) => Ok(rule),
        Err(Barred::Factor) => Err(ApiError::FACTOR_NEEDED),
        Err(Barred::Role) => Err(ApiError::NOT_FOUND),
    }
}

/// Refuses what would fill the disk: the record of an action stays for good, with what undoes it.
/// The organizers who run the contest can always action: on a full disk they have to pause it.
async fn check_room(app: &App, who: &Who, bytes: usize) -> Result<(), ApiError> {
    if who.runs_the_contest() {
        return Ok(());
    }
    if !app.uploads.has_space().await {
        return Err(ApiError::DISK.retry_after(DISK_RETRY_S));
    }
    let taken = app.organizers.action_budgets.take(who.organizer.id, bytes, app.clock.now_ms());
    taken.map_err(|seconds| ApiError::ACTIONS.retry_after(seconds))
}

/// Has the lane do it, or previews it.
async fn run(
    app: &App,
    who: &Who,
    rule: &'static Rule,
    what: What,
    Common { reason, preview, head }: Common,
    files: Vec<String>,
    limit: &TimeLimit,
) -> Result<Answer, NotDone> {
    let order = Order { by: who.by(rule), what, reason: orders::text(&reason)?, head };
    if preview {
        return previewed(app, who, order).await;
    }
    let turn = app.organizers.actions.take(who.organizer.id).await;
    limit.lift();
    let acted = done(app, order, files, turn).await?;
    let phases = Phases::of(acted.phases());
    let Acted { record, is_undoable: possible, before, after, .. } = acted;
    // It is done: nothing from here on may fail, and what is only shown may be missing.
    app.mailer.wake();
    let why = (!possible).then(|| sentences::why_no_undo(&record));
    let of_settings = OF_SETTINGS.contains(&record.action.as_str());
    let (effect, ()) = tokio::join!(
        effect::shown(app, who, &record.action, before, after),
        follow(app, of_settings)
    );
    Ok(Answer {
        id: Some(record.id),
        sentence: who.sentence(&record),
        action: record.action,
        undo: Some(Undo { possible, why }),
        effect,
        phases,
        head: None,
        code: None,
        problems: Vec::new(),
    })
}

/// Has the lane do it, to the end also if the caller hangs up: then what takes a later action back
/// still has its files, and the organizer's next action still waits for this one.
async fn done(app: &App, order: Order, files: Vec<String>, turn: Turn) -> Result<Acted, NotDone> {
    let (node, op) = (app.clone(), Op::Action(Box::new(order)).by(Actor::Organizer));
    let doing = tokio::spawn(async move {
        let _turn = turn;
        let outcome = node.run(op).await;
        if let Ok(Outcome::Action(Ok(_))) = &outcome {
            for digest in files {
                node.uploads.keep_for_good(&digest).await;
            }
        }
        outcome
    });
    match doing.await.map_err(|_| ApiError::INTERNAL)?? {
        Outcome::Action(acted) => Ok(*acted?),
        _ => Err(ApiError::INTERNAL.into()),
    }
}

/// Has the node follow an action before its answer, unless that takes long: it follows by itself
/// soon.
async fn follow(app: &App, of_settings: bool) {
    let node = app.clone();
    let following = tokio::spawn(async move {
        if let Err(error) = node.sessions.follow(&node.db).await {
            report(&error, "ended sessions could not be read");
        }
        if let Err(error) = node.answers.follow(&node.db, &node.feed.hub).await {
            report(&error, "new answers could not be read");
        }
        if of_settings && let Err(error) = node.follow_settings().await {
            report(&error, "what was set could not be read");
        }
    });
    drop(tokio::time::timeout(SHOWN_MAX, following).await);
}

/// Does an action in a transaction that is not committed.
async fn previewed(app: &App, who: &Who, order: Order) -> Result<Answer, NotDone> {
    // It has a lock for a moment, on SQLite that of the lane, so there is one at a time.
    let turn = app.organizers.previews.take(who.organizer.id).await;
    let seal = Arc::new(app.seal());
    let contest = app.contest();
    let previewed = ops::preview_action(&app.db, &app.clock, &seal, &contest, &order);
    let previewed = tokio::time::timeout(PREVIEW_MAX, previewed).await;
    let acted = previewed.map_err(|_| ApiError::overload())???;
    let (head, action) = (acted.head, acted.record.action.clone());
    let phases = Phases::of(acted.phases());
    let sentence = who.sentence(&acted.record);
    // With its turn, so that the answers of actions wait for one preview at most.
    let effect = effect(app, who, &action, acted.before, acted.after);
    let effect = tokio::time::timeout(PREVIEW_MAX, effect).await;
    let effect = effect.map_err(|_| ApiError::overload())??;
    drop(turn);
    let id = None;
    let undo = None;
    let head = Some(head);
    let code = None;
    let problems = Vec::new();
    Ok(Answer { id, action, sentence, undo, effect: Some(effect), phases, head, code, problems })
}

/// Which actions.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ActionsQuery {
    /// Those before this one; the newest ones if it is left out.
    #[serde(default)]
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
#[utoipa::path(get, path = "/actions", tag = "organizers", operation_id = "organizer_actions",
    params(ActionsQuery),
    responses((status = 200, body = Actions), (status = 401, body = schema::Error),
        (status = 403, body = schema::Error), (status = 404, body = schema::Error),
        (status = 422, body = schema::Error), (status = 503, body = schema::Error)))]
pub async fn list(
    State(app): State<App>,
    by: By<ListActions>,
    Query(query): Query<ActionsQuery>,
) -> Result<axum::Json<Actions>, ApiError> {
    let before = query.before.unwrap_or(i64::MAX);
    Ok(axum::Json(Actions { actions: before_one(&app, &by.who, before).await? }))
}

/// The newest actions before one that somebody sees.
async fn before_one(app: &App, who: &Who, id: i64) -> Result<Vec<Entry>, StoreError> {
    let records = seen_before(app, who, id).await?;
    let ids: Vec<i64> = records.iter().map(|record| record.id).collect();
    let undone = actions::undone(&app.db, &ids).await?;
    let undoable = actions::undoable(&app.db, &ids).await?;
    let entry = |record: &Record| {
        let undone_by = undone.iter().find(|(action, _)| *action == record.id).map(|(_, by)| *by);
        Entry::new(who, record, undone_by, undoable.contains(&record.id))
    };
    Ok(records.iter().map(entry).collect())
}

/// Their records. Somebody may see few of those that are read at once, so more are read until there
/// are enough.
async fn seen_before(app: &App, who: &Who, id: i64) -> Result<Vec<Record>, StoreError> {
    let names = who.actions();
    let mut before = id;
    let mut seen = Vec::new();
    loop {
        let read = actions::before(&app.db, before, &names, PAGE).await?;
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

impl Entry {
    /// An action as somebody may read it, with the one that took it back, and whether something
    /// puts it back.
    pub fn new(who: &Who, record: &Record, undone_by: Option<i64>, undoable: bool) -> Self {
        Self {
            id: record.id,
            at: record.at_ms,
            sentence: who.sentence(record),
            arguments: who.arguments(record),
            reason: record.field("reason"),
            undoes: record.undoes,
            undoable,
            undone_by,
            actor: record.actor.clone(),
            action: record.action.clone(),
        }
    }
}
