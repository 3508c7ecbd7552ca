//! How the event stands, and the health of the node with what to do about it.

use axum::extract::State;
use flagship_game::event::Status;
use flagship_store::StoreError;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::by::By;
use super::{challenges, teams};
use crate::api::error::ApiError;
use crate::api::extract::Query;
use crate::api::schema;
use crate::node::lists;
use crate::node::lists::health::{self, per_s};
use crate::node::lists::overview;
use crate::node::metrics::pace::{LastMinute, Verdict};
use crate::node::organizers::Who;
use crate::node::organizers::acts::SeeOverview;
use crate::node::organizers::live::HealthFor;
use crate::node::organizers::turns::Turn;
use crate::node::state::App;

/// How the overview is shown.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct OverviewQuery {
    /// `public` shows what players see.
    #[serde(default)]
    pub view: String,
}

/// How the event stands. What the caller may not see is null. Times are epoch milliseconds.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Overview {
    /// The event's name.
    name: String,
    /// As in `GET /api/ctf`.
    #[schema(value_type = String)]
    status: Status,
    /// The event's time.
    now: i64,
    /// When it starts.
    start: Option<i64>,
    /// When the scoreboard freezes.
    freeze: Option<i64>,
    /// When it ends.
    end: Option<i64>,
    /// Whether organizers paused it.
    is_paused: bool,
    /// Whether solves are hidden from others now.
    is_frozen: bool,
    /// Whether what the freeze hid was shown.
    is_revealed: bool,
    /// The teams, counted.
    teams: TeamCounts,
    /// The challenges, counted.
    challenges: ChallengeCounts,
    /// Solves.
    solves: usize,
    /// When the last one was.
    last_solve_at: Option<i64>,
    /// Questions that wait for an answer.
    open_questions: Option<i64>,
    /// How this node is.
    health: Option<Health>,
    /// What is wrong.
    warnings: Vec<Warning>,
}

/// Teams, counted.
#[derive(Serialize, ToSchema)]
struct TeamCounts {
    /// Those on the board.
    playing: usize,
    /// Those that organizers hid.
    hidden: Option<usize>,
    /// Those that organizers banned.
    banned: Option<usize>,
    /// Those whose address is not confirmed.
    unconfirmed: Option<i64>,
}

/// Challenges, counted.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ChallengeCounts {
    /// Those that players see.
    shown: usize,
    /// All of them.
    all: Option<usize>,
    /// Those with an error in their text.
    with_errors: Option<usize>,
}

/// How this node is. While the freeze hides solves, what could tell of them is null for who may
/// not see them.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = NodeHealth)]
struct Health {
    /// Whether it can take flags; null while that is being found out.
    ready: Option<bool>,
    /// Flags a second in the last minute.
    flags_per_second: Option<FlagsPerSecond>,
    /// The lane, in which right flags are written.
    lane: Option<LaneHealth>,
    /// What the process uses.
    process: Option<ProcessHealth>,
    /// Memory of the machine that is left, in bytes.
    memory_available_bytes: Option<u64>,
    /// Space on the disk of the data folder that is left, in bytes.
    disk_free_bytes: Option<u64>,
    /// Open sockets of the live channel.
    sockets: usize,
    /// Open connections.
    connections: usize,
    /// Logins and signups that are looked up, wait for a hashing thread or are hashed.
    logins_in_progress: usize,
    /// The outbox; null if the database does not answer in time.
    mail: Option<MailHealth>,
    /// Nodes that run, or were killed and not started again.
    nodes: i64,
    /// When the last backup was made.
    last_backup_at: Option<i64>,
    /// How far the wall clock has jumped ahead of the event's, in milliseconds; null if it has
    /// not.
    clock_ahead_ms: Option<i64>,
    /// False once another program was found to have changed the journal or the flags.
    is_intact: bool,
}

/// Flags a second.
#[derive(Serialize, ToSchema)]
struct FlagsPerSecond {
    /// First right ones.
    right: f64,
    /// Wrong ones.
    wrong: f64,
    /// Right ones of a team that had solved the challenge.
    repeated: f64,
    /// Those that a spent budget refused.
    throttled: f64,
}

/// How the lane is.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct LaneHealth {
    /// Operations that wait.
    waiting: usize,
    /// Transactions that failed in the last minute.
    failures: u64,
    /// The longest transaction of the last minute, in milliseconds.
    slowest_ms: u64,
    /// The number of the journal's last entry.
    entries: i64,
}

/// What the process uses.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ProcessHealth {
    /// Its memory, in bytes.
    memory_bytes: usize,
    /// Open files and connections.
    files: usize,
    /// How many may be open.
    files_max: usize,
}

/// The outbox.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct MailHealth {
    /// Mails that wait.
    waiting: i64,
    /// Since when the oldest does, in epoch milliseconds.
    waiting_since: Option<i64>,
    /// Mails that were sent.
    sent: i64,
    /// Mails that were given up.
    failed: i64,
    /// Mails of the last hour.
    in_hour: i64,
    /// Most mails of an hour; 0 is no limit.
    per_hour_max: i64,
}

/// Something that is wrong.
#[derive(Serialize, ToSchema)]
struct Warning {
    /// Its name for programs.
    code: &'static str,
    /// What is wrong.
    message: &'static str,
    /// What to do.
    cure: &'static str,
}

/// Shows how the event stands, and the health of this node.
#[utoipa::path(get, path = "/overview", tag = "organizers", operation_id = "organizer_overview",
    params(OverviewQuery),
    responses((status = 200, body = Overview), (status = 401, body = schema::Error),
        (status = 403, body = schema::Error), (status = 404, body = schema::Error),
        (status = 422, body = schema::Error), (status = 503, body = schema::Error)))]
pub async fn overview(
    State(app): State<App>,
    by: By<SeeOverview>,
    Query(query): Query<OverviewQuery>,
) -> Result<axum::Json<Overview>, ApiError> {
    Ok(axum::Json(read(&app, &by.who, &query.view).await?.into()))
}

/// The overview for somebody.
pub async fn read(app: &App, who: &Who, view: &str) -> Result<overview::Overview, ApiError> {
    let (sight, of_challenges) = (teams::sight(who, view)?, challenges::sight(who, view)?);
    let _view = turn(app, who, &of_challenges).await?;
    Ok(overview::Overview::read(app, sight, &of_challenges).await?)
}

/// The same for somebody who watches, with or without what the freeze hides.
pub async fn watched(
    app: &App,
    who: &Who,
    kind: HealthFor,
) -> Result<overview::Overview, ApiError> {
    let of_challenges = challenges::sight(who, "")?;
    let _view = turn(app, who, &of_challenges).await?;
    Ok(overview::Overview::read(app, kind.sight, &of_challenges).await?)
}

/// A turn for somebody. All texts are read before it, which takes long after a change: other lists
/// do not wait for that.
async fn turn(app: &App, who: &Who, of: &lists::challenges::Sight) -> Result<Turn, StoreError> {
    if of.own.is_none() {
        let end_ms = app.contest().event().and_then(|event| event.end_ms);
        app.organizers.lists.drafts.read(&app.db, &app.seal, end_ms).await?;
    }
    Ok(app.organizers.views.take(who.organizer.id).await)
}

/// For what kind of reader the overview of somebody who watches is the same.
pub fn kind(who: &Who, truth: bool) -> HealthFor {
    let sight = lists::Sight { addresses: who.sees_addresses(), truth };
    HealthFor { sight, sees_all: who.only_challenges().is_none() }
}

impl From<overview::Overview> for Overview {
    fn from(it: overview::Overview) -> Self {
        let (all, with_errors) = it.challenges.unzip();
        Self {
            name: it.name,
            status: it.status,
            now: it.now_ms,
            start: it.start_ms,
            freeze: it.freeze_ms,
            end: it.end_ms,
            is_paused: it.is_paused,
            is_frozen: it.is_frozen,
            is_revealed: it.is_revealed,
            teams: TeamCounts {
                playing: it.playing,
                hidden: it.others.map(|it| it.hidden),
                banned: it.others.map(|it| it.banned),
                unconfirmed: it.others.map(|it| it.unconfirmed),
            },
            challenges: ChallengeCounts { shown: it.shown, all, with_errors },
            solves: it.solves,
            last_solve_at: it.last_solve_ms,
            open_questions: it.questions,
            health: it.health.map(Health::from),
            warnings: it.warnings.into_iter().map(Warning::from).collect(),
        }
    }
}

impl From<health::Health> for Health {
    fn from(it: health::Health) -> Self {
        let rate = |minute: &LastMinute, of: Verdict| per_s(minute.flags_per_s[of as usize]);
        let minute = it.minute;
        let lane = minute.zip(it.queue).zip(it.entries);
        Self {
            ready: it.ready.map(|ready| ready.is_ok()),
            flags_per_second: minute.map(|minute| FlagsPerSecond {
                right: rate(&minute, Verdict::Right),
                wrong: rate(&minute, Verdict::Wrong),
                repeated: rate(&minute, Verdict::Repeated),
                throttled: rate(&minute, Verdict::Throttled),
            }),
            lane: lane.map(|((minute, waiting), entries)| LaneHealth {
                waiting,
                failures: minute.lane_failures,
                slowest_ms: minute.slowest_ms,
                entries,
            }),
            process: it.used.map(|used| ProcessHealth {
                memory_bytes: used.memory_bytes,
                files: used.files,
                files_max: used.files_max,
            }),
            memory_available_bytes: it.memory.map(|memory| memory.available_bytes),
            disk_free_bytes: it.disk_free_bytes,
            sockets: it.sockets,
            connections: it.connections,
            logins_in_progress: it.passwords,
            mail: it.mails.map(|mails| MailHealth {
                waiting: mails.waiting,
                waiting_since: it.mail_since_ms,
                sent: mails.sent,
                failed: mails.failed,
                in_hour: mails.in_hour,
                per_hour_max: it.mails_per_hour_max,
            }),
            nodes: it.nodes,
            last_backup_at: it.last_backup_ms,
            clock_ahead_ms: it.clock_ahead_ms,
            is_intact: !it.is_altered,
        }
    }
}

impl From<health::Warning> for Warning {
    fn from(it: health::Warning) -> Self {
        Self { code: it.code, message: it.message, cure: it.cure }
    }
}
