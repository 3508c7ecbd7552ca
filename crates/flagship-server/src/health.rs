//! Health: whether the process answers, and whether it is ready to play. Neither says anything of
//! the contest. One look serves all who ask within a second, so that asking costs nothing.

use std::future::Future;
use std::time::{Duration, Instant};

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use flagship_store::{StoreError, health};
use serde::Serialize;
use tokio::sync::Mutex;
use utoipa::ToSchema;

use crate::app::App;
use crate::error::{self, ApiError};
use crate::schema;

/// How long a look may take.
const LOOK_MAX: Duration = Duration::from_secs(2);
/// How long what was found is said again without another look.
const KEPT: Duration = Duration::from_secs(1);
/// Pause before each look at whether the fold has come so far.
const FOLD_PAUSE: Duration = Duration::from_millis(100);

/// What the last look found, and when.
#[derive(Default)]
pub struct Readiness(Mutex<Option<(Instant, Result<(), ApiError>)>>);

/// That all is well.
#[derive(Serialize, ToSchema)]
pub struct Health {
    /// Always `ok`.
    status: &'static str,
}

const WELL: Json<Health> = Json(Health { status: "ok" });

fn unstored(response: impl IntoResponse) -> Response {
    let mut response = response.into_response();
    let never = HeaderValue::from_static("no-store");
    response.headers_mut().insert(header::CACHE_CONTROL, never);
    response
}

/// Whether the process answers.
#[utoipa::path(get, path = "/healthz", tag = "health", responses((status = 200, body = Health)))]
pub async fn healthz() -> Response {
    unstored(WELL)
}

/// Whether the node can take flags: the database answers and can be written to, and the board
/// holds all that the journal does. A 503 names what is amiss, also while the program stops.
#[utoipa::path(get, path = "/readyz", tag = "health",
    responses((status = 200, body = Health), (status = 503, body = schema::Error)))]
pub async fn readyz(State(app): State<App>) -> Response {
    unstored(app.is_ready().await.map(|()| WELL))
}

impl App {
    /// Whether the node can take flags; an error says what is amiss.
    pub(crate) async fn is_ready(&self) -> Result<(), ApiError> {
        if self.is_leaving() {
            return Err(ApiError::STOPPING);
        }
        if self.lane.is_read_only() {
            return Err(ApiError::READ_ONLY);
        }
        let mut kept = self.readiness.0.lock().await;
        if let Some((at, found)) = *kept
            && at.elapsed() < KEPT
        {
            return found;
        }
        let found = self.look().await;
        *kept = Some((Instant::now(), found));
        found
    }

    async fn look(&self) -> Result<(), ApiError> {
        let end = Instant::now() + LOOK_MAX;
        let seq = within(end, health::last_seq(&self.db), ApiError::NO_DATABASE).await?;
        within(end, health::write(&self.db), ApiError::NO_WRITES).await?;
        if self.lane.is_over() {
            return Err(ApiError::NO_WRITES);
        }
        self.lane.hint.notify_one();
        loop {
            // Also where the fold has come so far already: else the time of the answer would tell
            // whether another node wrote something that the freeze hides.
            tokio::time::sleep(FOLD_PAUSE).await;
            if self.feed.latest().seq() >= seq {
                return Ok(());
            }
            if Instant::now() > end {
                return Err(ApiError::BEHIND);
            }
        }
    }
}

/// What the store says in time; else what is amiss, and the log has the reason.
async fn within<T>(
    end: Instant,
    asked: impl Future<Output = Result<T, StoreError>>,
    amiss: ApiError,
) -> Result<T, ApiError> {
    match tokio::time::timeout_at(end.into(), asked).await {
        Ok(Ok(found)) => return Ok(found),
        Ok(Err(error)) => error::report(&error, "this node is not ready"),
        Err(late) => error::report(&late, "this node is not ready"),
    }
    Err(amiss)
}
