//! Shapes of answers that are written by hand elsewhere, for the HTTP description alone. A test
//! holds real answers to them.
#![allow(dead_code, reason = "these types describe; nothing builds them")]

use std::collections::HashMap;

use utoipa::ToSchema;
use utoipa::openapi::schema::{ArrayBuilder, ArrayItems, ObjectBuilder, Type};

use super::error::{Error, codes};
pub use crate::node::lists::drafts::Found;

/// Why an action is not taken back.
#[derive(ToSchema)]
pub struct NotUndone {
    #[schema(schema_with = codes)]
    code: String,
    /// What happened, in one sentence for a person.
    message: String,
    /// With the code `later_actions`: the actions to take back first, the newest first.
    #[schema(required = false, nullable = false)]
    actions: Option<Vec<i64>>,
}

/// Why an action is not done.
#[derive(ToSchema)]
pub struct NotDone {
    #[schema(schema_with = codes)]
    code: String,
    /// What happened, in one sentence for a person.
    message: String,
    /// With the code `challenge_invalid`: what is wrong in the challenge's file; with
    /// `settings_invalid`: in the settings.
    #[schema(required = false, nullable = false)]
    problems: Option<Vec<Found>>,
}

/// A team's challenges.
#[derive(ToSchema)]
pub struct Challenges {
    challenges: Vec<Challenge>,
}

/// A challenge as a team sees it.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct Challenge {
    id: String,
    challenge_name: String,
    challenge_type: ChallengeType,
    max_value: i64,
    min_value: i64,
    speedrun_values: Vec<i64>,
    /// The curve's constant, where it is not 15.
    #[schema(required = false, nullable = false)]
    decay: Option<i64>,
    categories: Vec<String>,
    /// Sanitised HTML; empty while locked.
    description: String,
    status: ChallengeStatus,
    /// More about its status, in one line of plain text; empty while locked.
    status_note: String,
    /// None while locked.
    hints: Vec<Hint>,
    /// How to reach it, such as `nc host 1337`; `null` while locked.
    connection: Option<String>,
    /// Format of its flags, such as `flag{...}`; `null` while locked, and where its flags have none
    /// in common.
    flag_format: Option<String>,
    /// Epoch milliseconds from which on no flag counts, where that is before the end.
    #[schema(required = false, nullable = false)]
    closes: Option<i64>,
    /// None while locked.
    attachments: Vec<Attachment>,
    locked: bool,
    /// Ids of the challenges that must be solved first.
    requirements: Vec<String>,
    nsolves: u32,
    /// Epoch seconds of the first solve, with up to three decimals; 0 without one.
    #[schema(rename = "fbTs")]
    fb_ts: f64,
}

/// How a challenge gives points.
#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
pub enum ChallengeType {
    /// Always the same.
    Static,
    /// By the order of solves.
    Speedrun,
    /// By the number of solves.
    Dynamic,
}

/// How a challenge is doing.
#[derive(ToSchema)]
#[schema(rename_all = "snake_case")]
pub enum ChallengeStatus {
    /// As it should.
    Works,
    /// Organizers look at it.
    LookedAt,
    /// It cannot be solved now.
    Broken,
    /// It was broken, and works again.
    Fixed,
}

/// A hint of a challenge.
#[derive(ToSchema)]
pub struct Hint {
    id: String,
    /// Sanitised HTML; `null` while the hint is only announced.
    html: Option<String>,
    /// Epoch milliseconds of its announced time.
    at: Option<i64>,
}

/// What organizers told everyone, the newest first.
#[derive(ToSchema)]
pub struct Notices {
    notices: Vec<Notice>,
}

/// A notice. Times are epoch milliseconds.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct Notice {
    id: i64,
    /// When it was posted.
    at: i64,
    /// Plain text; empty if it was taken back.
    title: String,
    /// Sanitised HTML; empty if it was taken back.
    html: String,
    /// The challenge that it is about, if players see that challenge.
    #[schema(required = true)]
    challenge_id: Option<String>,
    /// Whether it interrupts players.
    urgent: bool,
    /// When it was last corrected.
    #[schema(required = true)]
    corrected_at: Option<i64>,
    /// Whether it was taken back.
    withdrawn: bool,
    /// When.
    #[schema(required = true)]
    withdrawn_at: Option<i64>,
    /// When an urgent one stops to interrupt players; null if it does until it is withdrawn.
    #[schema(required = true)]
    urgent_until: Option<i64>,
}

/// A file of a challenge.
#[derive(ToSchema)]
pub struct Attachment {
    name: String,
    /// Works without any header, for this team alone.
    link: String,
    /// Its size.
    bytes: u64,
    /// SHA-256 of its bytes, in hex.
    sha256: String,
}

/// A full snapshot of the scoreboard.
#[derive(ToSchema)]
pub struct Snapshot {
    /// Always `scoreboard`.
    event: String,
    /// Number of the last public change in it.
    seq: u64,
    /// Which journal this is.
    generation: String,
    challenges: Vec<Column>,
    /// Rows from first to last: `[teamName, country, solves, last_solve_ts, award?]`, where
    /// `solves` maps the decimal index into `challenges` to `[position, seconds]`.
    #[schema(schema_with = rows)]
    scoreboard: Vec<()>,
}

fn rows() -> ArrayBuilder {
    let typed = |kind| ObjectBuilder::new().schema_type(kind);
    let text = || typed(Type::String);
    let number = || typed(Type::Number);
    let solve = tuple(2, [number(), number()]);
    let solves = typed(Type::Object).additional_properties(Some(solve));
    ArrayBuilder::new().items(tuple(4, [text(), text(), solves, number(), number()]))
}

/// An array of so many items, at least `least`, each of its own type.
fn tuple<const N: usize>(least: usize, items: [ObjectBuilder; N]) -> ArrayBuilder {
    let array = ArrayBuilder::new().items(ArrayItems::False).prefix_items(items);
    array.min_items(Some(least)).max_items(Some(N))
}

/// A message of the live channel, `GET /live`. Clients ignore events and members that they do not
/// know.
#[derive(ToSchema)]
#[serde(tag = "event", rename_all = "lowercase")]
pub enum LiveMessage {
    /// Replaces what the client knows.
    Scoreboard(Snapshot),
    /// A team solved a challenge, after all others.
    #[serde(rename_all = "camelCase")]
    Solve {
        challenge_id: String,
        team_name: String,
        /// Epoch seconds, with up to three decimals.
        ts: f64,
        /// Number in the public stream. Absent in the team's own solves of the freeze.
        #[schema(required = false, nullable = false)]
        seq: Option<u64>,
    },
    /// A team joined, without solves.
    #[serde(rename_all = "camelCase")]
    NewTeam {
        team_name: String,
        country: String,
        /// Number in the public stream.
        seq: u64,
    },
    /// A notice was posted, corrected, taken back or put back.
    Notice {
        #[serde(flatten)]
        notice: Notice,
        /// Number in the public stream.
        seq: u64,
    },
    /// How a challenge is doing.
    #[serde(rename_all = "camelCase")]
    Status {
        challenge_id: String,
        status: ChallengeStatus,
        /// One line of plain text; empty if only some teams may read it.
        note: String,
        /// Number in the public stream.
        seq: u64,
    },
    /// To clients that resumed: the snapshot is to be fetched.
    #[serde(rename_all = "camelCase")]
    Changed {
        /// Number in the public stream.
        seq: u64,
        /// The clients fetch at random times within so many milliseconds.
        within_ms: u64,
    },
    /// Organizers answered a question of the team, or wrote to it.
    Answer,
    /// The client's message was refused, or the socket is closed.
    Error(Error),
}

/// A challenge's column.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct Column {
    id: String,
    challenge_name: String,
    challenge_type: ChallengeType,
    max_value: i64,
    min_value: i64,
    speedrun_values: Vec<i64>,
    /// The curve's constant, where it is not 15.
    #[schema(required = false, nullable = false)]
    decay: Option<i64>,
    categories: Vec<String>,
    nsolves: u32,
    /// Epoch seconds of the first solve, with up to three decimals; 0 without one.
    #[schema(rename = "fbTs")]
    fb_ts: f64,
}

/// CTFtime's scoreboard feed.
#[derive(ToSchema)]
pub struct Ctftime {
    tasks: Vec<String>,
    standings: Vec<CtftimeStanding>,
}

/// A team in CTFtime's feed.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct CtftimeStanding {
    pos: usize,
    team: String,
    score: i64,
    task_stats: HashMap<String, CtftimeTask>,
    /// Epoch seconds of the last solve.
    last_accept: i64,
}

/// A solve in CTFtime's feed.
#[derive(ToSchema)]
pub struct CtftimeTask {
    points: i64,
    /// Epoch seconds.
    time: i64,
}
