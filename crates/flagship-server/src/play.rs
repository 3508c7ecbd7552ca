//! Playing: the challenges a team sees, and the flags it sends.

use std::cell::LazyCell;
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use flagship_game::contest::{Attempt, Refusal};
use flagship_game::{ChallengeId, TeamId};
use flagship_store::Db;
use flagship_store::ops::{Actor, Op, Outcome};
use flagship_store::wrong_flags::{self, WrongFlag};
use serde::{Deserialize, Serialize};
use tokio::sync::{mpsc, oneshot, watch};
use utoipa::ToSchema;

use crate::app::{App, told};
use crate::budgets::Judged;
use crate::error::ApiError;
use crate::extract::{self, Team};
use crate::links::Links;
use crate::metrics::Verdict as Submitted;
use crate::nodes::Verdict;
use crate::published::View;
use crate::{error, schema};

/// Most characters of a flag, after trimming.
const FLAG_CHARS_MAX: usize = 256;
/// How often a flag is judged anew because the flags change.
const JUDGED_MAX: usize = 8;
/// Wrong flags that may wait for the record; more are dropped with a word in the log.
const WRONG_FLAGS_MAX: usize = 65_536;
/// Pause between two batches of the record.
const WRONG_FLAGS_PAUSE: Duration = Duration::from_millis(500);

/// The challenges as the team sees them, in display order; none before the start.
#[utoipa::path(get, path = "/challenge", tag = "play",
    params(("X-Api-Key" = String, Header, description = "A team's token")),
    responses((status = 200, body = schema::Challenges), (status = 401, body = schema::Error)))]
pub async fn challenges(State(app): State<App>, team: Team) -> Response {
    let view = app.feed.view(Some(team.id)).await;
    list(&view, &app.links, team.id)
}

/// The answer with a team's list.
pub fn list(view: &View, links: &Links, team: TeamId) -> Response {
    let json = view.published.cards.list(view, links, team);
    ([(header::CONTENT_TYPE, HeaderValue::from_static("application/json"))], json).into_response()
}

/// A flag for a challenge.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Submission {
    /// The flag; at most 256 characters after trimming.
    flag: String,
    /// The challenge's id.
    challenge_id: String,
}

/// Whether a flag is right.
#[derive(Serialize, ToSchema)]
pub struct Answer {
    /// Whether it is; for a right one the solve is durable.
    correct: bool,
}

/// What became of a flag that was sent in the right form by a team that may play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Played {
    /// It is right, and the solve is on record.
    Right,
    /// It is not.
    Wrong,
}

/// Judges a flag.
#[utoipa::path(post, path = "/solve", tag = "play", request_body = Submission,
    params(("X-Api-Key" = String, Header, description = "A team's token")),
    responses((status = 200, body = Answer), (status = 400, body = schema::Error),
        (status = 401, body = schema::Error), (status = 403, body = schema::Error),
        (status = 404, body = schema::Error), (status = 415, body = schema::Error),
        (status = 422, body = schema::Error), (status = 429, body = schema::Error),
        (status = 503, body = schema::Error)))]
pub async fn solve(
    State(app): State<App>,
    team: Result<Team, ApiError>,
    extract::Json(submission): extract::Json<Submission>,
) -> Result<Json<Answer>, ApiError> {
    let flag = submission.flag.trim();
    if flag.is_empty() {
        return Err(ApiError::FLAG_MISSING);
    }
    if flag.chars().count() > FLAG_CHARS_MAX {
        return Err(ApiError::FLAG_LONG);
    }
    let played = app.play(team?.id, &submission.challenge_id, flag).await?;
    Ok(Json(Answer { correct: played == Played::Right }))
}

impl App {
    /// Judges a trimmed flag: the phase, then the challenge, its lock, the budget, the flag; a
    /// right one is recorded in the lane, which has the last word. Where the flags change
    /// meanwhile, it is judged anew.
    pub async fn play(&self, team: TeamId, id: &str, flag: &str) -> Result<Played, ApiError> {
        let known = ChallengeId::parse(id);
        let id = known.unwrap_or_else(|_| ChallengeId::from_name(""));
        for _ in 0..JUDGED_MAX {
            if let Some(played) = self.judge(team, &id, flag).await? {
                return Ok(played);
            }
            // Apart, so that it is not part of every flag's future.
            if let Err(error) = Box::pin(self.flags.follow()).await {
                error::report(&error, "the flags could not be read");
                break;
            }
        }
        Err(ApiError::overload())
    }

    /// The same by the flags that are in memory; `None` when they are not the newest.
    async fn judge(
        &self,
        team: TeamId,
        id: &ChallengeId,
        flag: &str,
    ) -> Result<Option<Played>, ApiError> {
        let attempt = self.feed.latest().judge(team, id, self.clock.now_ms())?;
        let key = &self.config().key;
        let digest = LazyCell::new(|| key.flag_digest(id.as_str(), flag));
        let verdict = match self.nodes.alone() {
            Some(_counting) => self.judge_alone(team, id, flag, &digest, attempt).await,
            // Apart, as above.
            None => {
                let digest = LazyCell::force(&digest).clone();
                Box::pin(self.nodes.judge(team, id, flag, digest)).await?
            }
        };
        let Some(Verdict { judged, revision }) = verdict else { return Ok(None) };
        match judged {
            Judged::Unknown => Ok(None),
            Judged::TooFast(seconds) => {
                self.submitted(Submitted::Throttled);
                Err(ApiError::TOO_FAST.retry_after(seconds))
            }
            Judged::Wrong => {
                self.submitted(Submitted::Wrong);
                Ok(Some(Played::Wrong))
            }
            Judged::Right if attempt == Attempt::Again => {
                self.submitted(Submitted::Repeated);
                Ok(Some(Played::Right))
            }
            Judged::Right => {
                let challenge = id.clone();
                let op = Op::Flag { team, challenge, revision };
                match self.run(op.by(Actor::Team(team))).await? {
                    Outcome::Solve(Ok(_)) => {
                        self.submitted(Submitted::Right);
                        Ok(Some(Played::Right))
                    }
                    Outcome::Solve(Err(refusal)) => Err(refusal.into()),
                    Outcome::Stale => Ok(None),
                    _ => Err(ApiError::INTERNAL),
                }
            }
        }
    }

    /// Judges by what is counted in memory. What the lane does not look at is told only if this
    /// node is alone and its flags are the newest.
    async fn judge_alone(
        &self,
        team: TeamId,
        id: &ChallengeId,
        flag: &str,
        digest: &str,
        attempt: Attempt,
    ) -> Option<Verdict> {
        let now_ms = self.clock.now_ms();
        let (judged, revision) = {
            let flags = self.flags.load();
            let is_right = || flags.is_right(&self.config().key, id, flag, digest);
            (self.budgets.judge(team, id, now_ms, is_right), flags.revision)
        };
        let is_told_here = judged == Judged::Wrong || attempt == Attempt::Again;
        if is_told_here && !self.nodes.confirm(revision).await {
            if judged == Judged::Wrong {
                self.budgets.give_back(team, id, now_ms);
            }
            return None;
        }
        if judged == Judged::Wrong {
            let (account_id, challenge_id) = (team.0, id.as_str().to_owned());
            let digest = digest.to_owned();
            self.wrong_flags.push(WrongFlag { account_id, challenge_id, at_ms: now_ms, digest });
        }
        Some(Verdict { judged, revision })
    }

    fn submitted(&self, outcome: Submitted) {
        if let Some(metrics) = &self.metrics {
            metrics.submitted(outcome);
        }
    }
}

impl From<Refusal> for ApiError {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::NotStarted => Self::NOT_STARTED,
            Refusal::Ended => Self::ENDED,
            Refusal::UnknownChallenge => Self::NO_CHALLENGE,
            Refusal::Locked => Self::LOCKED,
            Refusal::NoTeam => Self::UNAUTHORIZED,
        }
    }
}

/// The way of wrong flags to the organizers' record: nobody waits for it.
pub struct WrongFlags {
    queue: mpsc::Sender<WrongFlag>,
    /// Whoever waits until all that was pushed before is written.
    waiting: mpsc::UnboundedSender<oneshot::Sender<()>>,
}

/// The task that writes the record, before it runs.
pub struct WrongFlagsTask {
    db: Db,
    queue: mpsc::Receiver<WrongFlag>,
    waiting: mpsc::UnboundedReceiver<oneshot::Sender<()>>,
}

impl WrongFlags {
    /// A record in `db`.
    pub fn new(db: Db) -> (Self, WrongFlagsTask) {
        let (sender, queue) = mpsc::channel(WRONG_FLAGS_MAX);
        let (wait, waiting) = mpsc::unbounded_channel();
        (Self { queue: sender, waiting: wait }, WrongFlagsTask { db, queue, waiting })
    }

    /// Waits until all that was pushed before is written, as far as the database takes it.
    pub async fn written(&self) {
        let (written, is_written) = oneshot::channel();
        drop(self.waiting.send(written));
        // An error means that nothing is written any more.
        drop(is_written.await);
    }

    fn push(&self, wrong: WrongFlag) {
        if self.queue.try_send(wrong).is_err() {
            tracing::warn!("a wrong flag is not on record: too many wait");
        }
    }
}

impl WrongFlagsTask {
    /// Writes batches until told to stop, then the rest.
    pub async fn run(mut self, mut stop: watch::Receiver<bool>) {
        let (mut batch, mut waiting) = (Vec::new(), Vec::new());
        let mut pause = tokio::time::interval(WRONG_FLAGS_PAUSE);
        pause.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            let stopped = tokio::select! {
                () = told(&mut stop) => true,
                Some(written) = self.waiting.recv() => {
                    waiting.push(written);
                    false
                }
                _ = pause.tick() => false,
            };
            while let Ok(wrong) = self.queue.try_recv() {
                batch.push(wrong);
            }
            if !batch.is_empty()
                && let Err(error) = wrong_flags::record(&self.db, &batch).await
            {
                error::report(&error, "wrong flags are not on record");
            }
            batch.clear();
            // Whoever waited may be gone.
            for written in waiting.drain(..) {
                written.send(()).ok();
            }
            if stopped {
                return;
            }
        }
    }
}
