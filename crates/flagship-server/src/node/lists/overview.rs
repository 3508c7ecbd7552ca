//! Overview of the event: state, open tasks and node health.

use flagship_game::entry::Phase;
use flagship_game::event::Status;
use flagship_pack::Severity;
use flagship_store::lists::overview as store;
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::ReadScope;
use super::boards::Seen;
use super::drafts::{ChallengeDraft, Drafts};
use super::health::{Health, Warning, warnings};
use super::table::{Table, utc};
use crate::node::error::NodeError;
use crate::node::serving::Serving;

/// State of the event. Fields that the caller may not see are null. Times are epoch milliseconds.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Overview {
    /// The event's name.
    pub name: String,
    /// Same as in `GET /api/ctf`.
    #[schema(value_type = String)]
    pub status: Status,
    /// Current time of the event's clock.
    pub now: i64,
    /// Start time.
    pub start: Option<i64>,
    /// Time of the freeze.
    pub freeze: Option<i64>,
    /// End time.
    pub end: Option<i64>,
    /// True if organizers paused the event.
    pub is_paused: bool,
    /// True while the freeze hides solves.
    pub is_frozen: bool,
    /// True if the frozen scoreboard was revealed.
    pub is_revealed: bool,
    /// Team counts.
    pub teams: TeamCounts,
    /// Challenge counts.
    pub challenges: ChallengeCounts,
    /// Number of solves.
    pub solves: usize,
    /// Time of the last solve.
    pub last_solve_at: Option<i64>,
    /// Number of open questions.
    pub open_questions: Option<i64>,
    /// Health of this node.
    pub health: Option<Health>,
    /// Active warnings.
    pub warnings: Vec<Warning>,
}

/// Team counts.
#[derive(Serialize, ToSchema)]
pub struct TeamCounts {
    /// Teams on the scoreboard.
    pub playing: usize,
    /// Hidden teams.
    pub hidden: Option<usize>,
    /// Banned teams.
    pub banned: Option<usize>,
    /// Teams with an unconfirmed email address.
    pub unconfirmed: Option<i64>,
}

/// Challenge counts.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChallengeCounts {
    /// Challenges visible to players.
    pub shown: usize,
    /// All challenges.
    pub all: Option<usize>,
    /// Challenges with errors in their source.
    pub with_errors: Option<usize>,
}

impl Overview {
    /// Reads the overview for a reader with this scope.
    pub async fn read(
        node: &Serving,
        drafts: &Drafts,
        sight: &ReadScope,
    ) -> Result<Self, NodeError> {
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
        let is_broken = |it: &&ChallengeDraft| {
            it.problems.iter().any(|problem| problem.severity == Severity::Error)
        };
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

    /// One row for each figure and warning that the reader may see.
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
