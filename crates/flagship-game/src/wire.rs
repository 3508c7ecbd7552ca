//! The JSON of the scoreboard and the live channel: names and units as in the contract, in one
//! place. Times are epoch seconds with up to three decimals.

use serde::ser::{SerializeMap, SerializeSeq};
use serde::{Serialize, Serializer};

use crate::board::{Board, Mark, Row, Tally};
use crate::challenge::{Scoring, StatusKind};
use crate::contest::Contest;
use crate::entry::TeamId;
use crate::points::DECAY_DEFAULT;
use crate::view::{self, OwnSolve, SeenNotice};

/// Epoch milliseconds, written as seconds with up to three decimals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seconds(pub i64);

impl Serialize for Seconds {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        if self.0 % 1000 == 0 {
            to.serialize_i64(self.0 / 1000)
        } else {
            // The nearest double to the quotient prints its three decimals and no more.
            to.serialize_f64(self.0 as f64 / 1000.0)
        }
    }
}

/// How a challenge gives points, as members of the JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Value<'a> {
    challenge_type: &'static str,
    max_value: i64,
    min_value: i64,
    speedrun_values: &'a [i64],
    #[serde(skip_serializing_if = "Option::is_none")]
    decay: Option<i64>,
}

impl<'a> From<&'a Scoring> for Value<'a> {
    fn from(scoring: &'a Scoring) -> Self {
        let empty = Self {
            challenge_type: "static",
            max_value: 0,
            min_value: 0,
            speedrun_values: &[],
            decay: None,
        };
        match scoring {
            Scoring::Static { max } => Self { max_value: *max, ..empty },
            Scoring::Speedrun { values } => {
                Self { challenge_type: "speedrun", speedrun_values: values, ..empty }
            }
            Scoring::Dynamic { max, min, decay } => Self {
                challenge_type: "dynamic",
                max_value: *max,
                min_value: *min,
                decay: (*decay != DECAY_DEFAULT).then_some(*decay),
                ..empty
            },
        }
    }
}

/// A full snapshot, which replaces the client's state.
#[derive(Clone, Debug)]
pub struct Snapshot<'a> {
    /// What the viewer sees.
    pub board: &'a Board,
    /// Number of the last public change in it.
    pub seq: u64,
    /// The generation: the random name of the journal.
    pub generation: &'a str,
}

impl Serialize for Snapshot<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(None)?;
        map.serialize_entry("event", "scoreboard")?;
        map.serialize_entry("seq", &self.seq)?;
        map.serialize_entry("generation", self.generation)?;
        map.serialize_entry("challenges", &Columns(self.board.tallies()))?;
        map.serialize_entry("scoreboard", &Rows(self.board))?;
        map.end()
    }
}

/// A challenge's column.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Column<'a> {
    id: &'a str,
    challenge_name: &'a str,
    #[serde(flatten)]
    value: Value<'a>,
    categories: &'a [String],
    nsolves: u32,
    #[serde(rename = "fbTs")]
    first: Seconds,
}

impl<'a> From<&'a Tally> for Column<'a> {
    fn from(tally: &'a Tally) -> Self {
        Self {
            id: tally.challenge.id.as_str(),
            challenge_name: &tally.challenge.name,
            value: Value::from(&tally.challenge.scoring),
            categories: &tally.challenge.categories,
            nsolves: tally.nsolves(),
            first: Seconds(tally.first_ms()),
        }
    }
}

struct Columns<'a>(&'a [Tally]);

impl Serialize for Columns<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.0.iter().map(Column::from))
    }
}

struct Rows<'a>(&'a Board);

impl Serialize for Rows<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.0.rows().map(WireRow))
    }
}

struct WireRow<'a>(&'a Row);

impl Serialize for WireRow<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let row = self.0;
        let mut seq = to.serialize_seq(None)?;
        seq.serialize_element(row.name())?;
        seq.serialize_element(row.country())?;
        seq.serialize_element(&Marks(row.marks()))?;
        seq.serialize_element(&Seconds(row.last_solve_ms()))?;
        if row.award() != 0 {
            seq.serialize_element(&row.award())?;
        }
        seq.end()
    }
}

struct Marks<'a>(&'a [Mark]);

impl Serialize for Marks<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let entry = |mark: &Mark| (mark.challenge, (mark.position, Seconds(mark.at_ms)));
        to.collect_map(self.0.iter().map(entry))
    }
}

/// One message of the live channel that is not a snapshot.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "event", rename_all = "lowercase")]
pub enum Message<'a> {
    /// A team solved a challenge.
    #[serde(rename_all = "camelCase")]
    Solve {
        /// Which challenge.
        challenge_id: &'a str,
        /// Which team.
        team_name: &'a str,
        /// When.
        ts: Seconds,
        /// Number in the public stream; none in a message to the team alone.
        #[serde(skip_serializing_if = "Option::is_none")]
        seq: Option<u64>,
    },
    /// A team joined.
    #[serde(rename_all = "camelCase")]
    NewTeam {
        /// Its name.
        team_name: &'a str,
        /// Two-letter code.
        country: &'a str,
        /// Number in the public stream.
        seq: u64,
    },
    /// A notice was posted, corrected, taken back or put back.
    Notice {
        /// As it is now.
        #[serde(flatten)]
        notice: Notice<'a>,
        /// Number in the public stream.
        seq: u64,
    },
    /// How a challenge is doing.
    #[serde(rename_all = "camelCase")]
    Status {
        /// Which challenge.
        challenge_id: &'a str,
        /// In a word.
        status: StatusKind,
        /// One line of plain text; empty if only some teams may read it.
        note: &'a str,
        /// Number in the public stream.
        seq: u64,
    },
    /// A resuming client has to fetch a snapshot.
    #[serde(rename_all = "camelCase")]
    Changed {
        /// Number in the public stream.
        seq: u64,
        /// The clients fetch at random times within so many milliseconds.
        within_ms: u64,
    },
    /// The organizers answered a question of the viewer's team, or wrote to it.
    Answer {},
    /// Shown to the person; the socket stays open.
    Error {
        /// What happened, for programs.
        code: &'a str,
        /// The same in one sentence.
        message: &'a str,
    },
}

/// A notice. Times are epoch milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Notice<'a> {
    id: i64,
    at: i64,
    title: &'a str,
    html: &'a str,
    challenge_id: Option<&'a str>,
    urgent: bool,
    corrected_at: Option<i64>,
    withdrawn: bool,
    withdrawn_at: Option<i64>,
    urgent_until: Option<i64>,
}

impl<'a> From<SeenNotice<'a>> for Notice<'a> {
    fn from(notice: SeenNotice<'a>) -> Self {
        let SeenNotice { id, at_ms: at, title, html, challenge, urgent, .. } = notice;
        let challenge_id = challenge.map(|challenge| challenge.as_str());
        let (corrected_at, withdrawn_at) = (notice.corrected_at_ms, notice.withdrawn_at_ms);
        let withdrawn = withdrawn_at.is_some();
        Self {
            id,
            at,
            title,
            html,
            challenge_id,
            urgent,
            corrected_at,
            withdrawn,
            withdrawn_at,
            urgent_until: notice.urgent_until_ms,
        }
    }
}

/// Maximum number of notices in their list. Older ones are left out: the list goes to everyone.
pub const NOTICES_MAX: usize = 200;

/// The newest notices, the newest first.
#[derive(Clone, Copy, Debug)]
pub struct Notices<'a>(pub &'a Contest);

impl Serialize for Notices<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let notices: Vec<Notice<'_>> =
            view::notices(self.0).take(NOTICES_MAX).map(Notice::from).collect();
        let mut map = to.serialize_map(Some(1))?;
        map.serialize_entry("notices", &notices)?;
        map.end()
    }
}

/// A team's own solves that the freeze hides from others, as they were sent to its sockets.
pub fn own_solves(contest: &Contest, team: TeamId) -> Vec<Message<'_>> {
    let message = |OwnSolve { challenge, team_name, at_ms }| Message::Solve {
        challenge_id: challenge.as_str(),
        team_name,
        ts: Seconds(at_ms),
        seq: None,
    };
    view::own_solves(contest, team).into_iter().map(message).collect()
}

/// A board as CTFtime reads it: `{tasks, standings[{pos, team, score, taskStats, lastAccept}]}`,
/// times in whole seconds (<https://ctftime.org/json-scoreboard-feed>).
#[derive(Clone, Copy, Debug)]
pub struct Ctftime<'a>(pub &'a Board);

impl Serialize for Ctftime<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let tallies = self.0.tallies();
        let tasks: Vec<&str> = tallies.iter().map(|tally| &*tally.challenge.name).collect();
        let mut map = to.serialize_map(None)?;
        map.serialize_entry("tasks", &tasks)?;
        map.serialize_entry("standings", &Standings { board: self.0, tasks: &tasks })?;
        map.end()
    }
}

struct Standings<'a> {
    board: &'a Board,
    tasks: &'a [&'a str],
}

impl Serialize for Standings<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        #[serde(rename_all = "camelCase")]
        struct Standing<'a> {
            pos: usize,
            team: &'a str,
            score: i64,
            task_stats: std::collections::BTreeMap<&'a str, Task>,
            last_accept: i64,
        }
        #[derive(Serialize)]
        struct Task {
            points: i64,
            time: i64,
        }
        to.collect_seq(self.board.rows().zip(1..).map(|(row, pos)| {
            Standing {
                pos,
                team: row.name(),
                score: row.points(),
                task_stats: row
                    .marks()
                    .iter()
                    .map(|mark| {
                        let (points, time) = (self.board.points_of(mark), mark.at_ms / 1000);
                        (self.tasks[mark.challenge as usize], Task { points, time })
                    })
                    .collect(),
                last_accept: row.last_solve_ms() / 1000,
            }
        }))
    }
}
