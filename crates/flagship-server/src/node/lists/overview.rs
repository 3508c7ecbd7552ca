//! How the event stands, what waits for organizers, and how the node is.

use flagship_game::entry::Phase;
use flagship_game::event::Status;
use flagship_pack::Severity;
use flagship_store::lists::overview as store;
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::Sight;
use super::boards::Seen;
use super::drafts::{Described, Drafts};
use super::health::{Health, Warning, warnings};
use super::table::{Table, utc};
use crate::node::error::NodeError;
use crate::node::serving::Serving;

/// How the event stands. What the caller may not see is null. Times are epoch milliseconds.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Overview {
    /// The event's name.
    pub name: String,
    /// As in `GET /api/ctf`.
    #[schema(value_type = String)]
    pub status: Status,
    /// The event's time.
    pub now: i64,
    /// When it starts.
    pub start: Option<i64>,
    /// When the scoreboard freezes.
    pub freeze: Option<i64>,
    /// When it ends.
    pub end: Option<i64>,
    /// Whether organizers paused it.
    pub is_paused: bool,
    /// Whether solves are hidden from others now.
    pub is_frozen: bool,
    /// Whether what the freeze hid was shown.
    pub is_revealed: bool,
    /// The teams, counted.
    pub teams: TeamCounts,
    /// The challenges, counted.
    pub challenges: ChallengeCounts,
    /// Solves.
    pub solves: usize,
    /// When the last one was.
    pub last_solve_at: Option<i64>,
    /// Questions that wait for an answer.
    pub open_questions: Option<i64>,
    /// How this node is.
    pub health: Option<Health>,
    /// What is wrong.
    pub warnings: Vec<Warning>,
}

/// Teams, counted.
#[derive(Serialize, ToSchema)]
pub struct TeamCounts {
    /// Those on the board.
    pub playing: usize,
    /// Those that organizers hid.
    pub hidden: Option<usize>,
    /// Those that organizers banned.
    pub banned: Option<usize>,
    /// Those whose address is not confirmed.
    pub unconfirmed: Option<i64>,
}

/// Challenges, counted.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChallengeCounts {
    /// Those that players see.
    pub shown: usize,
    /// All of them.
    pub all: Option<usize>,
    /// Those with an error in their text.
    pub with_errors: Option<usize>,
}

impl Overview {
    /// Reads it, for who sees this much.
    pub async fn read(node: &Serving, drafts: &Drafts, sight: &Sight) -> Result<Self, NodeError> {
        let seen = Seen::new(&node.feed, sight.truth).await?;
        let now_ms = node.clock.now_ms();
        let contest = seen.contest.clone();
        let event = contest.event();
        let end_ms = event.and_then(|event| event.end_ms);
        let status = contest.status(now_ms);
        let is_frozen = contest.hides_new_solves(now_ms);
        let counts = store::counts(&node.db).await?;
        let described = match sight.own {
            None => Some(drafts.read(&node.db, &node.seal, end_ms).await?),
            Some(_) => None,
        };
        let health = match sight.counts {
            true => Some(Health::read(node, &counts, sight.truth || !is_frozen).await?),
            false => None,
        };
        let boards = seen.boards(sight.truth);
        let board = boards.truth.unwrap_or(boards.public);
        let count = |is_so: fn(&flagship_game::contest::Team) -> bool| {
            sight.addresses.then(|| contest.teams().filter(|team| is_so(team)).count())
        };
        let is_broken =
            |it: &&Described| it.problems.iter().any(|problem| problem.severity == Severity::Error);
        let runs = matches!(status, Status::Running | Status::Frozen);
        let warnings = health.as_ref().map(|health| warnings(health, runs, now_ms));
        Ok(Self {
            name: event.map(|event| event.name.clone()).unwrap_or_default(),
            status,
            now: now_ms,
            start: event.and_then(|event| event.start_ms),
            freeze: event.and_then(|event| event.freeze_ms),
            end: end_ms,
            is_paused: contest.is_paused(),
            is_frozen,
            is_revealed: contest.reached(Phase::Reveal),
            teams: TeamCounts {
                playing: board.rows().count(),
                hidden: count(|team| team.hidden && !team.banned),
                banned: count(|team| team.banned),
                unconfirmed: sight.addresses.then_some(counts.unconfirmed),
            },
            challenges: ChallengeCounts {
                shown: board.tallies().len(),
                all: described.as_ref().map(|all| all.len()),
                with_errors: described.map(|all| all.iter().filter(is_broken).count()),
            },
            solves: board.rows().map(|row| row.marks().len()).sum(),
            last_solve_at: board.rows().map(|row| row.last_solve_ms()).max().filter(|ms| *ms > 0),
            open_questions: sight.addresses.then_some(counts.questions),
            health,
            warnings: warnings.unwrap_or_default(),
        })
    }

    /// One row for each figure and each warning that the reader may see.
    pub fn table(&self) -> Table {
        let time = |ms: Option<i64>| ms.map_or(Value::Null, utc);
        let mut rows = vec![
            ("event", json!(self.name)),
            ("status", json!(self.status)),
            ("now", utc(self.now)),
            ("start", time(self.start)),
            ("freeze", time(self.freeze)),
            ("end", time(self.end)),
            ("paused", json!(self.is_paused)),
            ("frozen", json!(self.is_frozen)),
            ("revealed", json!(self.is_revealed)),
            ("teams_playing", json!(self.teams.playing)),
            ("teams_hidden", json!(self.teams.hidden)),
            ("teams_banned", json!(self.teams.banned)),
            ("teams_unconfirmed", json!(self.teams.unconfirmed)),
            ("challenges_shown", json!(self.challenges.shown)),
            ("challenges", json!(self.challenges.all)),
            ("challenges_with_errors", json!(self.challenges.with_errors)),
            ("solves", json!(self.solves)),
            ("last_solve", time(self.last_solve_at)),
            ("questions_open", json!(self.open_questions)),
        ];
        if let Some(health) = &self.health {
            rows.extend(health.figures());
        }
        let warnings = self.warnings.iter().map(|it| ("warning", json!(it.message)));
        let rows = rows.into_iter().chain(warnings).filter(|(_, value)| !value.is_null());
        let rows = rows.map(|(name, value)| vec![json!(name), value]);
        Table::new(&["figure", "value"], rows)
    }
}
