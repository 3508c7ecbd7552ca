//! Shapes of hand-written responses, used only for the OpenAPI description. A test checks real
//! responses against them.
#![allow(dead_code, reason = "these types describe; nothing builds them")]

use std::collections::HashMap;

use flagship_game::contest::Progress;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa::openapi::schema::{ArrayBuilder, ArrayItems, ObjectBuilder, Schema, Type};

use super::error::{Error, codes};
pub use crate::node::lists::drafts::Found;

/// Error returned when an action is not undone.
#[derive(ToSchema)]
pub struct NotUndone {
    #[schema(schema_with = codes)]
    code: String,
    /// Description of the error, in one sentence for people.
    message: String,
    /// With the code `later_actions`: the actions to undo first, newest first.
    #[schema(required = false, nullable = false)]
    actions: Option<Vec<i64>>,
}

/// Error returned when an action is rejected.
#[derive(ToSchema)]
pub struct NotDone {
    #[schema(schema_with = codes)]
    code: String,
    /// Description of the error, in one sentence for people.
    message: String,
    /// With the code `challenge_invalid`: problems in the challenge file. With `settings_invalid`:
    /// problems in the settings. If the action is about several teams or challenges: the one that
    /// rejected it.
    #[schema(required = false, nullable = false)]
    problems: Option<Vec<Found>>,
}

/// A team's challenges.
#[derive(ToSchema)]
pub struct Challenges {
    challenges: Vec<Challenge>,
}

/// A challenge as the team sees it.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct Challenge {
    id: String,
    challenge_name: String,
    challenge_type: ChallengeType,
    max_value: i64,
    min_value: i64,
    speedrun_values: Vec<i64>,
    /// Decay constant of the scoring curve, if it is not 15.
    #[schema(required = false, nullable = false)]
    decay: Option<i64>,
    categories: Vec<String>,
    /// Sanitized HTML; empty while locked.
    description: String,
    status: ChallengeStatus,
    /// Details of the status, in one line of plain text; empty while locked.
    status_note: String,
    /// Empty while locked.
    hints: Vec<Hint>,
    /// Connection info, such as `nc host 1337`; `null` while locked.
    connection: Option<String>,
    /// Format of the challenge's flags, such as `flag{...}`; `null` while locked, or if its flags
    /// have no common format.
    flag_format: Option<String>,
    /// Epoch milliseconds after which no flags are accepted, if earlier than the end of the event.
    #[schema(required = false, nullable = false)]
    closes: Option<i64>,
    /// Empty while locked.
    attachments: Vec<Attachment>,
    locked: bool,
    /// IDs of the challenges that must be solved first.
    requirements: Vec<String>,
    nsolves: u32,
    /// Epoch seconds of the first solve, with up to three decimals; 0 if there is none.
    #[schema(rename = "fbTs")]
    fb_ts: f64,
    /// Flags that the team has found, if the challenge needs several.
    #[schema(required = false, nullable = false)]
    progress: Option<FlagProgress>,
    /// Number of incorrect flags that the team may still submit, if the challenge limits them.
    #[schema(required = false, nullable = false)]
    attempts_left: Option<u32>,
    /// Epoch milliseconds of the team's solve after the end of the event, which no score counts;
    /// `null` without one.
    practiced_at: Option<i64>,
    /// Difficulty: `beginner`, `easy`, `medium`, `hard`, or the event's own word.
    #[schema(required = false, nullable = false)]
    difficulty: Option<String>,
    /// Tags; absent if there are none.
    #[schema(required = false, nullable = false)]
    tags: Option<Vec<String>>,
    /// Author, if the event shows authors; absent while locked.
    #[schema(required = false, nullable = false)]
    author: Option<String>,
    /// Acknowledgment of sources as sanitized HTML, if the event shows authors; absent while
    /// locked.
    #[schema(required = false, nullable = false)]
    attribution: Option<String>,
}

/// Flags that a team has found for a challenge that needs several.
#[derive(Clone, Copy, Serialize, ToSchema)]
pub struct FlagProgress {
    /// Number of flags found.
    found: u32,
    /// Number of flags needed.
    of: u32,
}

impl From<Progress> for FlagProgress {
    fn from(Progress { found, of }: Progress) -> Self {
        Self { found, of }
    }
}

/// Scoring method of a challenge.
#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
pub enum ChallengeType {
    /// Constant points.
    Static,
    /// Points by the order of solves.
    Speedrun,
    /// Points by the number of solves.
    Dynamic,
}

/// Status of a challenge.
#[derive(ToSchema)]
#[schema(rename_all = "snake_case")]
pub enum ChallengeStatus {
    /// Working as intended.
    Works,
    /// Being investigated by the organizers.
    LookedAt,
    /// Currently unsolvable.
    Broken,
    /// Working again after being broken.
    Fixed,
}

/// A hint of a challenge.
#[derive(ToSchema)]
pub struct Hint {
    id: String,
    /// Title, which is shown before the hint is taken.
    title: Option<String>,
    /// Points that the team paid if it took the hint, otherwise those that it would pay.
    cost: i64,
    /// Sanitized HTML; `null` until the hint is released, and taken if it has a cost or
    /// requirements.
    html: Option<String>,
    /// Scheduled release time, in epoch milliseconds.
    at: Option<i64>,
    /// True if the team took the hint.
    taken: bool,
    /// IDs of the hints of the challenge that must be taken first.
    requirements: Vec<String>,
}

/// Notices from the organizers, newest first.
#[derive(ToSchema)]
pub struct Notices {
    notices: Vec<Notice>,
}

/// A notice. Times are epoch milliseconds.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct Notice {
    id: i64,
    /// Time of posting.
    at: i64,
    /// Title in plain text; empty if the notice was withdrawn.
    title: String,
    /// Sanitized HTML; empty if the notice was withdrawn.
    html: String,
    /// ID of the challenge that the notice is about, if players can see that challenge.
    #[schema(required = true)]
    challenge_id: Option<String>,
    /// True if the notice interrupts players.
    urgent: bool,
    /// Time of the last edit.
    #[schema(required = true)]
    corrected_at: Option<i64>,
    /// True if the notice was withdrawn.
    withdrawn: bool,
    /// Time of the withdrawal.
    #[schema(required = true)]
    withdrawn_at: Option<i64>,
    /// Time at which an urgent notice stops interrupting players; null if it interrupts until it is
    /// withdrawn.
    #[schema(required = true)]
    urgent_until: Option<i64>,
}

/// An attachment of a challenge.
#[derive(ToSchema)]
pub struct Attachment {
    name: String,
    /// Download link. It works without headers and only for this team.
    link: String,
    /// Size in bytes.
    bytes: u64,
    /// SHA-256 digest, in hex.
    sha256: String,
}

/// A full snapshot of the scoreboard.
#[derive(ToSchema)]
pub struct Snapshot {
    /// Always `scoreboard`.
    event: String,
    /// Sequence number of the last public change in the snapshot.
    seq: u64,
    /// Identifier of the journal.
    generation: String,
    challenges: Vec<Column>,
    /// Rows in rank order: `[teamName, country, solves, last_solve_ts, award?, divisions?]`, where
    /// `solves` maps the decimal index into `challenges` to `[position, seconds]`, and `divisions`
    /// is the list of the team's public division IDs, if it has any.
    #[schema(schema_with = rows)]
    scoreboard: Vec<()>,
}

fn rows() -> ArrayBuilder {
    let typed = |kind| ObjectBuilder::new().schema_type(kind);
    let text = || Schema::from(typed(Type::String));
    let number = || Schema::from(typed(Type::Number));
    let solve = tuple(2, [number(), number()]);
    let solves = Schema::from(typed(Type::Object).additional_properties(Some(solve)));
    let divisions = Schema::from(ArrayBuilder::new().items(typed(Type::String)));
    ArrayBuilder::new().items(tuple(4, [text(), text(), solves, number(), number(), divisions]))
}

/// Describes an array of up to `N` items, at least `least`, each with its own type.
fn tuple<const N: usize>(least: usize, items: [Schema; N]) -> ArrayBuilder {
    let array = ArrayBuilder::new().items(ArrayItems::False).prefix_items(items);
    array.min_items(Some(least)).max_items(Some(N))
}

/// A message of the live channel, `GET /live`. Clients must ignore unknown events and members.
#[derive(ToSchema)]
#[serde(tag = "event", rename_all = "lowercase")]
pub enum LiveMessage {
    /// Replaces the client's state.
    Scoreboard(Snapshot),
    /// A team solved a challenge. Solves arrive in order, so this one comes after all earlier
    /// solves of the challenge.
    #[serde(rename_all = "camelCase")]
    Solve {
        challenge_id: String,
        team_name: String,
        /// Epoch seconds, with up to three decimals.
        ts: f64,
        /// Sequence number in the public stream; absent for the team's own solves during the
        /// freeze.
        #[schema(required = false, nullable = false)]
        seq: Option<u64>,
    },
    /// A team without solves joined.
    #[serde(rename_all = "camelCase")]
    NewTeam {
        team_name: String,
        country: String,
        /// IDs of the team's public divisions, if it has any.
        #[schema(required = false, nullable = false)]
        divisions: Option<Vec<String>>,
        /// Sequence number in the public stream.
        seq: u64,
    },
    /// The award of a row changed: by organizers, or because the team took a hint. Only sent to
    /// clients that resumed, and to a team that took a hint during the freeze or at no cost.
    #[serde(rename_all = "camelCase")]
    Award {
        team_name: String,
        /// The new award of the row.
        award: i64,
        /// Sequence number in the public stream; absent for the team's own award.
        #[schema(required = false, nullable = false)]
        seq: Option<u64>,
    },
    /// A notice was posted, edited, withdrawn or restored.
    Notice {
        #[serde(flatten)]
        notice: Notice,
        /// Sequence number in the public stream.
        seq: u64,
    },
    /// The status of a challenge changed.
    #[serde(rename_all = "camelCase")]
    Status {
        challenge_id: String,
        status: ChallengeStatus,
        /// One line of plain text; empty if only some teams may read it.
        note: String,
        /// Sequence number in the public stream.
        seq: u64,
    },
    /// Sent to clients that resumed: they must fetch the snapshot.
    #[serde(rename_all = "camelCase")]
    Changed {
        /// Sequence number in the public stream.
        seq: u64,
        /// Clients should fetch at a random time within this many milliseconds.
        within_ms: u64,
    },
    /// The team found a flag of several, used an attempt, or got attempts back.
    #[serde(rename_all = "camelCase")]
    Progress { challenge_id: String },
    /// The organizers answered a question from the team or sent it a message.
    Answer,
    /// The client's message was rejected, or the socket is closing.
    Error(Error),
}

/// A scoreboard column for a challenge.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct Column {
    id: String,
    challenge_name: String,
    challenge_type: ChallengeType,
    max_value: i64,
    min_value: i64,
    speedrun_values: Vec<i64>,
    /// Decay constant of the scoring curve, if it is not 15.
    #[schema(required = false, nullable = false)]
    decay: Option<i64>,
    categories: Vec<String>,
    nsolves: u32,
    /// Epoch seconds of the first solve, with up to three decimals; 0 if there is none.
    #[schema(rename = "fbTs")]
    fb_ts: f64,
}

/// Scoreboard feed for CTFtime.
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
