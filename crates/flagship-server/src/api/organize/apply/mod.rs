//! Applying event files over HTTPS, like `flagship apply` on the machine. The request has the texts
//! of the files. Attachments are uploaded first, with `POST /files`.

pub mod pull;

use std::collections::HashMap;
use std::time::Duration;

use axum::body::Body;
use axum::extract::State;
use axum::http::HeaderMap;
use bytes::BytesMut;
use flagship_actions::event::needs_proof;
use flagship_actions::{ClaimedFile, Files};
use flagship_pack::{KnownFile, Pack, Problem, Severity};
use flagship_store::StoreError;
use flagship_store::ops::{Actor, ApplyError, NeedsFactor, Op, Outcome, Plan};

use super::actions::run_to_completion;
use super::auth::Authorized;
use super::files::{BodyReader, WINDOW};
use crate::api::error::ApiError;
use crate::api::extract::{TimeLimit, is_of_type, parse};
use crate::node::apply::{
    self, ApplyAnswer, ApplyOutcome, ApplyRequest, Comparison, Review, SentFiles, Verdict, Wish,
};
use crate::node::limits::turns::Turn;
use crate::node::organizers::SignedInOrganizer;
use crate::node::organizers::permissions::{ApplyFiles, Permission};
use crate::node::state::App;

/// Maximum size of the event files, in bytes.
const BODY_BYTES_MAX: usize = 16 * 1024 * 1024;
/// Maximum time for comparing the files with the event.
const PREVIEW_MAX: Duration = Duration::from_secs(10);
/// Maximum number of problems in a response.
const PROBLEMS_MAX: usize = 20;

/// Applies event files, all of them or nothing, or shows the changes. Settings are not part of the
/// files. A change that needs two-factor authentication rejects all of them. Applying the same
/// files again changes nothing.
#[utoipa::path(post, path = "/apply", operation_id = "organizer_apply",
    request_body = ApplyRequest,
    responses((status = 200, body = ApplyAnswer), (status = 429)))]
pub async fn apply(
    State(app): State<App>,
    caller: Authorized<ApplyFiles>,
    limit: TimeLimit,
    headers: HeaderMap,
    body: Body,
) -> Result<axum::Json<ApplyAnswer>, ApiError> {
    let (bytes, turn) = receive(&app, caller.who.organizer.id, body).await?;
    let is_json = is_of_type(&headers, "application/json");
    run_to_completion(limit.clone(), async move {
        let _turn = turn;
        let (app, who) = (&app, &caller.who);
        let parsed = async move { parse::<ApplyRequest>(is_json, &bytes) };
        let request = app.organizers.renderer.run(who.organizer.id, parsed).await??;
        respond(app, who, request, &limit).await.map(axum::Json)
    })
    .await
}

/// Takes a memory permit and reads the request body.
async fn receive(app: &App, organizer: i64, mut body: Body) -> Result<(BytesMut, Turn), ApiError> {
    let turns = &app.organizers.import_files;
    let turn = turns.take(organizer).await;
    let mut bytes = BytesMut::new();
    let mut reader = BodyReader::new(&mut body, WINDOW);
    while let Some(data) = reader.next_bytes(|| turns.has_waiters()).await? {
        if bytes.len() + data.len() > BODY_BYTES_MAX {
            return Err(ApiError::TOO_LARGE);
        }
        bytes.extend_from_slice(&data);
    }
    Ok((bytes, turn))
}

async fn respond(
    app: &App,
    who: &SignedInOrganizer,
    request: ApplyRequest,
    limit: &TimeLimit,
) -> Result<ApplyAnswer, ApiError> {
    let ApplyRequest { files, take, confirm, dry_run } = request;
    let Stored { known, missing } = Stored::of(app, &files).await?;
    let is_complete = missing.is_empty();
    let digests: Vec<String> = known.keys().cloned().collect();
    let reading = async move { files.read(&known) };
    let pack = app.organizers.renderer.run(who.organizer.id, reading).await?;
    let answer = |lines, outcome, message| Ok(ApplyAnswer { lines, outcome, message, missing });
    let plan = match (apply::plan(&pack, &app.config().key), errors(&pack)) {
        (Some(plan), None) => plan,
        (_, errors) => {
            let errors = errors.unwrap_or_else(|| "the files define no event".to_owned());
            let message = format!("nothing was applied: {errors}");
            return answer(Vec::new(), ApplyOutcome::Rejected, message);
        }
    };
    let needs: NeedsFactor = needs_proof;
    let needs_factor = (!who.is_fresh()).then_some(needs);
    let plan = Plan { by: who.by(&ApplyFiles::RULE), needs_factor, ..plan };
    let wish = Wish { take, confirm, dry_run };
    let (comparison, Review { lines, verdict }) = review(app, who, &pack, plan, wish).await?;
    match verdict {
        Verdict::Rejected(why) => answer(lines, ApplyOutcome::Rejected, why),
        Verdict::Shown(why) => answer(lines, ApplyOutcome::Shown, why),
        // Files can be missing without any change, for example after a restore of the database.
        Verdict::Unchanged | Verdict::Ready if !is_complete && !dry_run => {
            let message = "nothing was applied: some attachments are not uploaded".to_owned();
            answer(lines, ApplyOutcome::FilesMissing, message)
        }
        Verdict::Unchanged => {
            if !dry_run {
                keep(app, &digests).await;
            }
            answer(lines, ApplyOutcome::Unchanged, "nothing to change".to_owned())
        }
        Verdict::Ready => match write(app, who, comparison.into_plan(), limit).await? {
            Ok(message) => {
                keep(app, &digests).await;
                answer(lines, ApplyOutcome::Applied, message)
            }
            Err(why) => answer(lines, ApplyOutcome::Rejected, why),
        },
    }
}

/// Keeps uploaded attachments for good.
async fn keep(app: &App, digests: &[String]) {
    for digest in digests {
        app.organizers.uploads.keep_for_good(digest).await;
    }
}

/// Compares a plan with the event, one plan at a time.
async fn review<'p>(
    app: &App,
    who: &SignedInOrganizer,
    pack: &'p Pack,
    plan: Plan,
    wish: Wish,
) -> Result<(Comparison<'p>, Review), ApiError> {
    let (db, seal) = (app.db(), &app.organizers.seal);
    let _turn = app.organizers.previews.take(who.organizer.id).await;
    let reviewing = async {
        let comparison = Comparison::new(db, seal, pack, plan, wish).await?;
        let preview = app.preview(comparison.plan()).await?.ok_or(ApiError::READ_ONLY)?;
        if preview.needs_factor && !wish.dry_run {
            return Err(ApiError::FACTOR_NEEDED);
        }
        let review = comparison.review(db, seal, preview).await?;
        Ok((comparison, review))
    };
    let reviewed = tokio::time::timeout(PREVIEW_MAX, reviewing).await;
    reviewed.map_err(|_| ApiError::overload())?
}

/// Writes a plan in one transaction; returns the message, or the reason for rejecting the plan.
async fn write(
    app: &App,
    who: &SignedInOrganizer,
    plan: Plan,
    limit: &TimeLimit,
) -> Result<Result<String, String>, ApiError> {
    let _turn = app.organizers.actions.take(who.organizer.id).await;
    if !limit.lift() {
        return Err(ApiError::TOO_SLOW);
    }
    let op = Op::Apply(Box::new(plan)).by(Actor::Organizer);
    let Outcome::Apply(done) = app.run(op).await? else { return Err(ApiError::INTERNAL) };
    match done {
        Ok(applied) => Ok(Ok(apply::applied_message(applied))),
        Err(ApplyError::Ended) => Err(ApiError::UNAUTHORIZED),
        Err(ApplyError::Factor) => Err(ApiError::FACTOR_NEEDED),
        Err(error) => Ok(Err(apply::apply_error_message(error))),
    }
}

/// Attachments of event files on this node.
struct Stored {
    /// Stored files by digest. The names are empty.
    known: HashMap<String, KnownFile>,
    /// Digests of the other files.
    missing: Vec<String>,
}

impl Stored {
    /// Looks the files up, and extends the lifetime of those that nothing uses yet.
    async fn of(app: &App, files: &SentFiles) -> Result<Self, StoreError> {
        let mut known = HashMap::new();
        let mut missing = Vec::new();
        for digest in files.digests() {
            match app.organizers.uploads.claim(&digest, app.now_ms()).await? {
                Some(ClaimedFile { bytes, picture }) => {
                    let name = String::new();
                    let file = KnownFile { name, digest: digest.clone(), bytes, picture };
                    known.insert(digest, file);
                }
                None => missing.push(digest),
            }
        }
        Ok(Self { known, missing })
    }
}

/// Returns the errors in event files that the client read without errors.
fn errors(pack: &Pack) -> Option<String> {
    let errors = pack.problems.iter().filter(|problem| problem.severity == Severity::Error);
    let lines: Vec<String> = errors.take(PROBLEMS_MAX).map(Problem::to_string).collect();
    (!lines.is_empty()).then(|| format!("the server found errors: {}", lines.join("; ")))
}
