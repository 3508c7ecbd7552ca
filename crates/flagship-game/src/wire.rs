//! The JSON of the scoreboard and the live channel: names and units as in the contract, in one
//! place. Times are epoch seconds with up to three decimals.

use serde::ser::{SerializeMap, SerializeSeq};
use serde::{Serialize, Serializer};

use crate::board::{Board, Mark, Row, Tally};
use crate::challenge::Scoring;
use crate::points::DECAY_DEFAULT;

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

/// How a challenge gives points, in the members of the wire.
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

/// A full snapshot: it replaces what the client holds.
#[derive(Clone, Debug)]
pub struct Snapshot<'a> {
    /// What the viewer sees.
    pub board: &'a Board,
    /// Number of the last public change in it.
    pub seq: u64,
    /// Which journal this is.
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

struct Columns<'a>(&'a [Tally]);

impl Serialize for Columns<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
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
        to.collect_seq(self.0.iter().map(|tally| Column {
            id: tally.challenge.id.as_str(),
            challenge_name: &tally.challenge.name,
            value: Value::from(&tally.challenge.scoring),
            categories: &tally.challenge.categories,
            nsolves: tally.nsolves(),
            first: Seconds(tally.first_ms()),
        }))
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
        /// What.
        challenge_id: &'a str,
        /// Who.
        team_name: &'a str,
        /// When.
        ts: Seconds,
        /// Number in the public stream; none when only the team itself is told.
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
    /// A resuming client has to fetch a snapshot.
    Changed {
        /// Number in the public stream.
        seq: u64,
    },
    /// Shown to the person; the socket stays open.
    Error {
        /// What happened, for programs.
        code: &'a str,
        /// The same in one sentence.
        message: &'a str,
    },
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
