//! JSON format of the scoreboard and the live channel, with names and units as in the contract.
//! Times are epoch seconds with up to three decimals.

use std::collections::HashSet;

use serde::ser::{SerializeMap, SerializeSeq};
use serde::{Serialize, Serializer};

use crate::board::{Board, Mark, Row, Tally};
use crate::challenge::{Scoring, StatusKind};
use crate::contest::Contest;
use crate::division::DivisionId;
use crate::entry::TeamId;
use crate::points::DECAY_DEFAULT;
use crate::view::{self, OwnAward, OwnSolve, PublicNotice};

/// Epoch milliseconds, serialized as seconds with up to three decimals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seconds(pub i64);

impl Serialize for Seconds {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        if self.0 % 1000 == 0 {
            to.serialize_i64(self.0 / 1000)
        } else {
            // The nearest double to the quotient prints with at most three decimals.
            to.serialize_f64(self.0 as f64 / 1000.0)
        }
    }
}

/// JSON members for the scoring of a challenge.
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

/// A complete snapshot, which replaces the client's state.
#[derive(Clone, Debug)]
pub struct Snapshot<'a> {
    /// The viewer's board.
    pub board: &'a Board,
    /// Number of the last included public change.
    pub seq: u64,
    /// The generation, a random name of the journal.
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

/// Column of a challenge.
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
        let has_divisions = !row.divisions().is_empty();
        if row.award() != 0 || has_divisions {
            seq.serialize_element(&row.award())?;
        }
        if has_divisions {
            seq.serialize_element(row.divisions())?;
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

/// A message of the live channel other than a snapshot.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "event", rename_all = "lowercase")]
pub enum Message<'a> {
    /// A team solved a challenge.
    #[serde(rename_all = "camelCase")]
    Solve {
        /// The challenge.
        challenge_id: &'a str,
        /// The team.
        team_name: &'a str,
        /// Time of the solve.
        ts: Seconds,
        /// Number in the public stream; `None` in a message only to the team.
        #[serde(skip_serializing_if = "Option::is_none")]
        seq: Option<u64>,
    },
    /// A team joined.
    #[serde(rename_all = "camelCase")]
    NewTeam {
        /// The team name.
        team_name: &'a str,
        /// Two-letter country code.
        country: &'a str,
        /// Public divisions of the team.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        divisions: Vec<DivisionId>,
        /// Number in the public stream.
        seq: u64,
    },
    /// The award of a team changed.
    #[serde(rename_all = "camelCase")]
    Award {
        /// The team name.
        team_name: &'a str,
        /// The new award of the row.
        award: i64,
        /// Number in the public stream; `None` in a message only to the team.
        #[serde(skip_serializing_if = "Option::is_none")]
        seq: Option<u64>,
    },
    /// A notice was posted, edited, withdrawn or restored.
    Notice {
        /// The current version.
        #[serde(flatten)]
        notice: Notice<'a>,
        /// Number in the public stream.
        seq: u64,
    },
    /// The status of a challenge changed.
    #[serde(rename_all = "camelCase")]
    Status {
        /// The challenge.
        challenge_id: &'a str,
        /// The status.
        status: StatusKind,
        /// One line of plain text; empty if only some teams can read it.
        note: &'a str,
        /// Number in the public stream.
        seq: u64,
    },
    /// A resuming client must fetch a snapshot.
    #[serde(rename_all = "camelCase")]
    Changed {
        /// Number in the public stream.
        seq: u64,
        /// Clients fetch at a random time within this many milliseconds.
        within_ms: u64,
    },
    /// The team found a flag of several, used an attempt, or got attempts back.
    #[serde(rename_all = "camelCase")]
    Progress {
        /// The challenge.
        challenge_id: &'a str,
    },
    /// Organizers answered a question of the viewer's team, or sent it a message.
    Answer {},
    /// An error shown to the user; the socket stays open.
    Error {
        /// Machine-readable error code.
        code: &'a str,
        /// Human-readable message.
        message: &'a str,
    },
}

/// A notice. Times are in epoch milliseconds.
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

impl<'a> From<PublicNotice<'a>> for Notice<'a> {
    fn from(notice: PublicNotice<'a>) -> Self {
        let PublicNotice { id, at_ms: at, title, html, challenge, urgent, .. } = notice;
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

/// Maximum number of notices in the list. Older ones are omitted, because the list is sent to
/// everyone.
pub const NOTICES_MAX: usize = 200;

/// The latest notices, newest first.
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

/// Messages for a team's own solves and hints that are hidden from others by the freeze.
pub fn own_changes(contest: &Contest, team: TeamId) -> Vec<Message<'_>> {
    let message = |OwnSolve { challenge, team_name, at_ms }| Message::Solve {
        challenge_id: challenge.as_str(),
        team_name,
        ts: Seconds(at_ms),
        seq: None,
    };
    let award = view::own_award(contest, team)
        .map(|OwnAward { team_name, award }| Message::Award { team_name, award, seq: None });
    view::own_solves(contest, team).into_iter().map(message).chain(award).collect()
}

/// A board in the CTFtime format: `{tasks, standings[{pos, team, score, taskStats, lastAccept}]}`,
/// with times in whole seconds (<https://ctftime.org/json-scoreboard-feed>).
#[derive(Clone, Copy, Debug)]
pub struct Ctftime<'a> {
    /// The board.
    pub board: &'a Board,
    /// Names of the teams of a division; `None` for all teams.
    pub members: Option<&'a HashSet<String>>,
}

impl Serialize for Ctftime<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let Self { board, members } = *self;
        let tallies = board.tallies();
        let tasks: Vec<&str> = tallies.iter().map(|tally| &*tally.challenge.name).collect();
        let mut map = to.serialize_map(None)?;
        map.serialize_entry("tasks", &tasks)?;
        map.serialize_entry("standings", &Standings { board, members, tasks: &tasks })?;
        map.end()
    }
}

struct Standings<'a> {
    board: &'a Board,
    members: Option<&'a HashSet<String>>,
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
        let is_member = |row: &&Row| self.members.is_none_or(|it| it.contains(row.name()));
        to.collect_seq(self.board.rows().filter(is_member).zip(1..).map(|(row, pos)| {
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
