//! What organizers do, and what they did.

use axum::extract::{Path, State};
use flagship_game::moves::{Move, moves};
use flagship_game::{ChallengeId, Contest, Viewer, view};
use flagship_store::accounts::Account;
use flagship_store::acts::{self, Record};
use flagship_store::addresses;
use flagship_store::mail::Purpose;
use flagship_store::ops::{
    Act, ActError, Acted, Actor, Op, Order, Outcome, TeamChange, What, contest_after,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

use super::by::By;
use super::teams::Place;
use crate::api::error::ApiError;
use crate::api::extract::{Json, Query};
use crate::api::schema;
use crate::node::mail::address::Email;
use crate::node::mail::outbox::{new_link_token, token_of_code};
use crate::node::organizers::acts::{ListActs, OwnAccount, Rule, rule};
use crate::node::organizers::{Barred, Who, factor, sentences};
use crate::node::report::report;
use crate::node::state::App;

/// Longest reason, in characters.
const REASON_MAX: usize = 500;
/// Acts of a page.
const PAGE: i64 = 50;

/// An act. Which of the other fields it needs depends on it.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ActRequest {
    /// Which: `team.ban`.
    act: String,
    /// The exact name of the team.
    #[serde(default)]
    team: Option<String>,
    /// The new address, of `team.address`.
    #[serde(default)]
    email: Option<String>,
    /// The points of `team.award`; negative ones are taken.
    #[serde(default)]
    points: Option<i64>,
    /// The challenge of `solve.withdraw`.
    #[serde(default)]
    challenge: Option<String>,
    /// Why, for the record of organizers; at most 500 characters.
    #[serde(default)]
    reason: String,
    /// True to see what would change, and to change nothing.
    #[serde(default)]
    preview: bool,
    /// What a preview gave: the act is refused if somebody did something with the team since.
    #[serde(default)]
    head: Option<i64>,
}

/// Why an act is taken back.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct UndoRequest {
    /// For the record of organizers; at most 500 characters.
    #[serde(default)]
    reason: String,
}

/// What an act did, or would do.
#[derive(Serialize, ToSchema)]
pub struct Answer {
    /// Its id; null in a preview.
    id: Option<i64>,
    /// Which.
    act: String,
    /// What was done, in a sentence.
    sentence: String,
    /// Whether it can be taken back; null in a preview.
    undo: Option<Undo>,
    /// Which teams move.
    effect: Effect,
    /// To be sent with the act after a preview; null otherwise.
    head: Option<i64>,
    /// The code of `team.code`, shown once: it sets a new password within an hour.
    code: Option<String>,
}

/// Whether an act can be taken back.
#[derive(Serialize, ToSchema)]
struct Undo {
    /// Whether it can.
    possible: bool,
    /// If not, why.
    why: Option<&'static str>,
}

/// The teams whose rank changes, the top of the list first.
#[derive(Serialize, ToSchema)]
struct Effect {
    /// With what the freeze hides; null for who may not see it.
    truth: Option<Vec<TeamMove>>,
    /// As everybody sees it.
    public: Vec<TeamMove>,
}

/// A team whose rank changes.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct TeamMove {
    /// Its name.
    team_name: String,
    /// Where it was; null if it was not on the board.
    from: Option<Place>,
    /// Where it is; null if it is not on the board any more.
    to: Option<Place>,
}

/// Does an act, or shows what it would change.
#[utoipa::path(post, path = "/acts", tag = "organizers", operation_id = "organizer_act",
    request_body = ActRequest,
    responses((status = 200, body = Answer), (status = 400, body = schema::Error),
        (status = 401, body = schema::Error), (status = 403, body = schema::Error),
        (status = 404, body = schema::Error), (status = 409, body = schema::Error),
        (status = 415, body = schema::Error), (status = 422, body = schema::Error),
        (status = 429, body = schema::Error), (status = 503, body = schema::Error)))]
pub async fn act(
    State(app): State<App>,
    by: By<OwnAccount>,
    Json(request): Json<ActRequest>,
) -> Result<axum::Json<Answer>, ApiError> {
    let rule = allowed(&by.who, &request.act)?;
    let team = request.team.clone().ok_or(ApiError::WRONG_SHAPE)?;
    let account = addresses::named(&app.db, &team).await?;
    let account = account.filter(|it| !it.has_lapsed(app.clock.now_ms()));
    let account = account.ok_or(ApiError::NO_TEAM)?;
    let (act, code) = read(&app, &by.who, &request, &account)?;
    if request.preview {
        return preview(&app, &by.who, &account, &act).await;
    }
    let head = request.head.map(|head| (head, by.who.acts()));
    let (reason, what) = (reason(&request.reason)?, What::Do { team, act: Box::new(act), head });
    done(&app, &by.who, Order { by: by.who.by(rule), what, reason }, code).await
}

/// What an act would change. What it is compared with is read first.
async fn preview(
    app: &App,
    who: &Who,
    account: &Account,
    act: &Act,
) -> Result<axum::Json<Answer>, ApiError> {
    let object = format!("team {}", account.id);
    let last = acts::last_of(&app.db, &object, &who.acts()).await?;
    let folded = last.as_ref().and_then(|last| last.last_seq).unwrap_or_default();
    let before = app.contest_at(folded).await?;
    let after = contest_after(&before, account, act, app.clock.now_ms())?;
    Ok(axum::Json(Answer {
        id: None,
        act: act.name().to_owned(),
        sentence: sentences::of(act.name(), &act.arguments(&account.name)),
        undo: None,
        effect: effect(app, who, (*before).clone(), after).await?,
        head: Some(last.map_or(0, |last| last.id)),
        code: None,
    }))
}

/// Takes an act back, as long as no later one about the same team stands.
#[utoipa::path(post, path = "/acts/{id}/undo", tag = "organizers",
    operation_id = "organizer_undo", request_body = UndoRequest,
    params(("id" = i64, Path, description = "The id of the act")),
    responses((status = 200, body = Answer), (status = 400, body = schema::Error),
        (status = 401, body = schema::Error), (status = 403, body = schema::Error),
        (status = 404, body = schema::Error), (status = 409, body = schema::Error),
        (status = 415, body = schema::Error), (status = 422, body = schema::Error),
        (status = 429, body = schema::Error), (status = 503, body = schema::Error)))]
pub async fn undo(
    State(app): State<App>,
    by: By<ListActs>,
    Path(id): Path<String>,
    Json(request): Json<UndoRequest>,
) -> Result<axum::Json<Answer>, ApiError> {
    let id: i64 = id.parse().map_err(|_| ApiError::NOT_FOUND)?;
    let record = acts::by_id(&app.db, id).await?.ok_or(ApiError::NOT_FOUND)?;
    let rule = allowed(&by.who, &record.act)?;
    let order =
        Order { by: by.who.by(rule), what: What::Undo { id }, reason: reason(&request.reason)? };
    done(&app, &by.who, order, None).await
}

/// The rule of an act that somebody may do. What no role of theirs has does not exist.
fn allowed(who: &Who, act: &str) -> Result<&'static Rule, ApiError> {
    let rule = rule(act).filter(|rule| Act::NAMES.contains(&rule.name));
    let rule = rule.ok_or(ApiError::NOT_FOUND)?;
    match who.may(rule) {
        Ok(()) => Ok(rule),
        Err(Barred::Factor) => Err(ApiError::FACTOR_NEEDED),
        Err(Barred::Role) => Err(ApiError::NOT_FOUND),
    }
}

fn reason(text: &str) -> Result<String, ApiError> {
    let text = text.trim();
    if text.is_empty() {
        return Err(ApiError::REASON_MISSING);
    }
    if text.chars().count() > REASON_MAX || text.contains('\0') {
        return Err(ApiError::WRONG_SHAPE);
    }
    Ok(text.to_owned())
}

/// The act of a request with the mails that it needs, and the code that it makes.
fn read(
    app: &App,
    who: &Who,
    request: &ActRequest,
    account: &Account,
) -> Result<(Act, Option<String>), ApiError> {
    let (context, team) = (app.mailer.outbox.context(), account.name.as_str());
    let was = account.email.clone();
    let link = |purpose| {
        let token = new_link_token();
        let letter = context.organizers_link(&was, purpose, team, &token);
        Act::Link { was: was.clone(), purpose, letter, token }
    };
    let act = match request.act.as_str() {
        "team.ban" => Act::Change(TeamChange::Ban),
        "team.unban" => Act::Change(TeamChange::Unban),
        "team.hide" => Act::Change(TeamChange::Hide),
        "team.show" => Act::Change(TeamChange::Show),
        "team.award" => {
            let points = request.points.ok_or(ApiError::WRONG_SHAPE)?;
            Act::Change(TeamChange::Award { points, reason: String::new() })
        }
        "solve.withdraw" => {
            let challenge = request.challenge.as_deref().ok_or(ApiError::WRONG_SHAPE)?;
            let challenge = ChallengeId::parse(challenge).map_err(|_| ApiError::NO_CHALLENGE)?;
            Act::Withdraw { challenge }
        }
        "team.confirm" => Act::Confirm,
        "team.end_sessions" => Act::EndSessions,
        "team.resend" => link(Purpose::Confirm),
        "team.reset" => link(Purpose::Reset),
        "team.address" => address(app, who, request, account)?,
        "team.code" => {
            let code = factor::new_code();
            let token = token_of_code(&code).expect("it is a code");
            return Ok((Act::Code { token }, Some(code)));
        }
        _ => return Err(ApiError::NOT_FOUND),
    };
    Ok((act, None))
}

/// The change of an address, with its mails.
fn address(app: &App, who: &Who, request: &ActRequest, account: &Account) -> Result<Act, ApiError> {
    let email = request.email.as_deref().ok_or(ApiError::WRONG_SHAPE)?;
    let rules = &app.settings().registration;
    let email = Email::parse(email)
        .filter(|email| rules.local_addresses || email.is_public())
        .ok_or(ApiError::EMAIL)?;
    let (context, team) = (app.mailer.outbox.context(), account.name.as_str());
    let (token, new) = (new_link_token(), email.as_str().to_owned());
    if account.confirmed_at_ms.is_none() {
        let letter = context.organizers_link(&new, Purpose::Confirm, team, &token);
        return Ok(Act::Correct { email: new, letter, token });
    }
    let at_once = who.confirms_addresses();
    let warning = context.address_changes(&account.email, team, &token, at_once);
    Ok(Act::Address {
        was: account.email.clone(),
        email: new,
        at_once,
        warning: (warning, token),
        notice: context.new_address(&email, team, at_once),
    })
}

/// Has the lane do it.
async fn done(
    app: &App,
    who: &Who,
    order: Order,
    code: Option<String>,
) -> Result<axum::Json<Answer>, ApiError> {
    let op = Op::Act(Box::new(order)).by(Actor::Organizer);
    let Outcome::Act(acted) = app.run(op).await? else { return Err(ApiError::INTERNAL) };
    let Acted { record, before, after } = *acted?;
    app.mailer.wake();
    if let Err(error) = app.sessions.follow(&app.db).await {
        // It is done; the node follows soon.
        report(&error, "ended sessions could not be read");
    }
    let possible = record.undoes.is_none() && Act::UNDOABLE.contains(&record.act.as_str());
    let why = (!possible).then(|| sentences::why_no_undo(&record.act));
    Ok(axum::Json(Answer {
        id: Some(record.id),
        sentence: sentences::of_record(&record),
        act: record.act,
        undo: Some(Undo { possible, why }),
        effect: effect(app, who, before, after).await?,
        head: None,
        code,
    }))
}

/// Which teams move from one contest to the other.
async fn effect(app: &App, who: &Who, before: Contest, after: Contest) -> Result<Effect, ApiError> {
    if before.seq() == after.seq() {
        return Ok(Effect { truth: who.sees_truth().then(Vec::new), public: Vec::new() });
    }
    let _view = app.organizers.views.acquire().await.expect("it is never closed");
    let sees_truth = who.sees_truth();
    // Four boards of a large event take some milliseconds.
    let effect = tokio::task::spawn_blocking(move || {
        let moved = |viewer| {
            let moves = moves(&view::board(&before, viewer), &view::board(&after, viewer));
            moves.into_iter().map(TeamMove::from).collect::<Vec<_>>()
        };
        let truth = sees_truth.then(|| moved(Viewer::Organizer));
        Effect { truth, public: moved(Viewer::Public) }
    });
    effect.await.map_err(|_| ApiError::INTERNAL)
}

impl From<Move> for TeamMove {
    fn from(it: Move) -> Self {
        let place = |place: Option<flagship_game::moves::Place>| {
            place.map(|it| Place { rank: it.rank, points: it.points })
        };
        Self { team_name: it.team, from: place(it.from), to: place(it.to) }
    }
}

/// Which acts.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ActsQuery {
    /// Those before this one; the newest ones if it is left out.
    #[serde(default)]
    before: Option<i64>,
}

/// What organizers did.
#[derive(Serialize, ToSchema)]
pub struct Acts {
    /// The newest first; at most 50.
    acts: Vec<Entry>,
}

/// Something that an organizer did. Times are epoch milliseconds.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Entry {
    /// Its id.
    id: i64,
    /// When.
    at: i64,
    /// The organizer's name.
    actor: String,
    /// Which: `team.ban`.
    act: String,
    /// The arguments; null if they were erased.
    arguments: Value,
    /// Why; null if it was erased.
    reason: Value,
    /// What was done, in a sentence.
    sentence: String,
    /// The act that it takes back.
    undoes: Option<i64>,
    /// The act that took it back.
    undone_by: Option<i64>,
}

/// Lists what organizers did, of what the own roles may do.
#[utoipa::path(get, path = "/acts", tag = "organizers", operation_id = "organizer_acts",
    params(ActsQuery),
    responses((status = 200, body = Acts), (status = 401, body = schema::Error),
        (status = 403, body = schema::Error), (status = 404, body = schema::Error),
        (status = 422, body = schema::Error), (status = 503, body = schema::Error)))]
pub async fn list(
    State(app): State<App>,
    by: By<ListActs>,
    Query(query): Query<ActsQuery>,
) -> Result<axum::Json<Acts>, ApiError> {
    let before = query.before.unwrap_or(i64::MAX);
    let records = acts::before(&app.db, before, &by.who.acts(), PAGE).await?;
    let ids: Vec<i64> = records.iter().map(|record| record.id).collect();
    let undone = acts::undone(&app.db, &ids).await?;
    let entry = |record: Record| Entry {
        id: record.id,
        at: record.at_ms,
        sentence: sentences::of_record(&record),
        arguments: record.field("arguments"),
        reason: record.field("reason"),
        undoes: record.undoes,
        undone_by: undone.iter().find(|(act, _)| *act == record.id).map(|(_, by)| *by),
        actor: record.actor,
        act: record.act,
    };
    Ok(axum::Json(Acts { acts: records.into_iter().map(entry).collect() }))
}

impl From<ActError> for ApiError {
    fn from(error: ActError) -> Self {
        match error {
            ActError::Ended => Self::UNAUTHORIZED,
            ActError::NoTeam => Self::NO_TEAM,
            ActError::NoAct => Self::NOT_FOUND,
            ActError::Touched => Self::TOUCHED,
            ActError::Unchanged => Self::UNCHANGED,
            ActError::Points => Self::POINTS,
            ActError::NotSolved => Self::NOT_SOLVED,
            ActError::Standing => Self::STANDING,
            ActError::AddressTaken => Self::ADDRESS_TAKEN,
            ActError::Mails => Self::MAILS,
            ActError::NoUndo => Self::NO_UNDO,
        }
    }
}
