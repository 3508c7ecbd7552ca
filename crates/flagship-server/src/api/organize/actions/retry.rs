//! Retries of actions: a request with the key of an earlier one gets the stored response.

use std::convert::Infallible;

use axum::extract::FromRequestParts;
use axum::http::header::CONTENT_TYPE;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use flagship_actions::Common;
use flagship_store::actions;
use flagship_store::actions::idempotency::{self, IdempotencyKey};
use serde_json::{Value, json};

use super::answer::Answer;
use super::failure::ActionFailure;
use crate::api::error::ApiError;
use crate::api::organize::effect::SHOWN_MAX;
use crate::node::organizers::SignedInOrganizer;
use crate::node::report::report;
use crate::node::state::App;

/// Name of the idempotency header.
const HEADER: &str = "idempotency-key";
/// Maximum length of a key, in characters.
const KEY_MAX: usize = 255;
/// Time after which a missing response is considered lost with its node, in milliseconds.
const ANSWER_MAX_MS: i64 = 60_000;

/// Idempotency key of a request; `None` without one.
pub struct KeyHeader(Result<Option<String>, ApiError>);

impl<S: Sync> FromRequestParts<S> for KeyHeader {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        let mut values = parts.headers.get_all(HEADER).iter();
        let Some(value) = values.next() else { return Ok(Self(Ok(None))) };
        let key = value.to_str().ok().filter(|key| is_key(key) && values.next().is_none());
        Ok(Self(key.map(|key| Some(key.to_owned())).ok_or(ApiError::WRONG_SHAPE)))
    }
}

fn is_key(key: &str) -> bool {
    (1..=KEY_MAX).contains(&key.len()) && key.bytes().all(|byte| byte.is_ascii_graphic())
}

impl KeyHeader {
    /// Returns the key and a digest of the request; `None` without a key or for a preview. The
    /// digest does not depend on the order of the members. It is keyed with the event's secret,
    /// because a request can contain flags. It includes the organizer's rights, because an
    /// organizer whose rights changed must not read the first response.
    pub async fn of(
        self,
        app: &App,
        who: &SignedInOrganizer,
        request: impl FnOnce() -> Value,
        Common { reason, is_preview, head }: &Common,
    ) -> Result<Option<IdempotencyKey>, ApiError> {
        let Some(key) = self.0?.filter(|_| !is_preview) else { return Ok(None) };
        let mut request = json!([request(), reason, head, format!("{:?}", who.organizer.rights)]);
        let secret = app.config().key.clone();
        // Hashing a large request takes milliseconds and must not block other requests.
        let digest = app.organizers.renderer.run(who.organizer.id, async move {
            request.sort_all_objects();
            secret.mac("request of an action", &[&request.to_string()])
        });
        Ok(Some(IdempotencyKey { key, digest: digest.await? }))
    }
}

/// Returns the stored response if the key was used before. Otherwise, `doing` performs the request.
pub async fn respond(
    app: &App,
    who: &SignedInOrganizer,
    key: Option<IdempotencyKey>,
    doing: impl Future<Output = Result<Answer, ActionFailure>>,
) -> Result<Response, ActionFailure> {
    let Some(key) = key else { return Ok(axum::Json(doing.await?).into_response()) };
    let running = app.organizers.running_keys.acquire(Some((who.organizer.id, key.key.clone())));
    let _running = running.map_err(|_| ApiError::KEY_IN_PROGRESS)?;
    if let Some(answer) = stored_response(app, who, &key).await? {
        return Ok(answer);
    }
    match doing.await {
        // Another node was faster.
        Err(ActionFailure::Repeated) => {
            Ok(stored_response(app, who, &key).await?.ok_or(ApiError::INTERNAL)?)
        }
        answer => {
            let answer = answer?;
            store_response(app, &answer).await;
            Ok(axum::Json(answer).into_response())
        }
    }
}

/// Returns the response to an earlier request with the same key; `None` if there was none.
///
/// # Errors
/// Fails if the key was used for another request, or if another node is still processing the first
/// one.
async fn stored_response(
    app: &App,
    who: &SignedInOrganizer,
    IdempotencyKey { key, digest }: &IdempotencyKey,
) -> Result<Option<Response>, ActionFailure> {
    let now_ms = app.now_ms();
    let used = idempotency::used(app.db(), who.organizer.id, key, now_ms).await?;
    let Some(used) = used else { return Ok(None) };
    if used.digest != *digest {
        return Err(ApiError::KEY_CONFLICT.into());
    }
    if let Some(answer) = used.answer(&app.seal())? {
        return Ok(Some(([(CONTENT_TYPE, "application/json")], answer).into_response()));
    }
    if now_ms - used.at_ms < ANSWER_MAX_MS {
        return Err(ApiError::KEY_IN_PROGRESS.into());
    }
    let record = actions::by_id(app.db(), used.action_id).await?.ok_or(ApiError::NOT_FOUND)?;
    Ok(Some(axum::Json(Answer::of_record(app, who, record).await?).into_response()))
}

/// Stores the response to an action for retries. Returns early if that takes too long.
async fn store_response(app: &App, answer: &Answer) {
    let Some(id) = answer.id else { return };
    let text = serde_json::to_string(answer).expect("plain data");
    let (db, seal) = (app.db().clone(), app.seal());
    let keeping = tokio::spawn(async move {
        if let Err(error) = idempotency::keep_answer(&db, &seal, id, &text).await {
            report(&error, "failed to store the response to an action for retries");
        }
    });
    drop(tokio::time::timeout(SHOWN_MAX, keeping).await);
}
