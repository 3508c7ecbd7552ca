//! How the event stands, what waits for organizers, and how the node is.

use flagship_game::entry::Phase;
use flagship_game::event::Status;
use flagship_pack::Severity;
use flagship_store::lists::overview as store;
use serde_json::{Value, json};

use super::boards::Seen;
use super::drafts::Described;
use super::health::{Health, Warning, warnings};
use super::table::{Table, utc};
use super::{Sight, challenges};
use crate::node::error::NodeError;
use crate::node::state::App;

/// How the event stands. What the reader may not see is missing. Times are epoch milliseconds.
pub struct Overview {
    /// The event's name.
    pub name: String,
    /// Its status.
    pub status: Status,
    /// The event's time.
    pub now_ms: i64,
    /// When it starts.
    pub start_ms: Option<i64>,
    /// When the scoreboard freezes.
    pub freeze_ms: Option<i64>,
    /// When it ends.
    pub end_ms: Option<i64>,
    /// Whether organizers paused it.
    pub is_paused: bool,
    /// Whether solves are hidden now.
    pub is_frozen: bool,
    /// Whether what the freeze hid was shown.
    pub is_revealed: bool,
    /// Teams on the board.
    pub playing: usize,
    /// The teams that are not, for who sees those.
    pub others: Option<Others>,
    /// Challenges that players see.
    pub shown: usize,
    /// All challenges, and those with errors in their text, for who sees all.
    pub challenges: Option<(usize, usize)>,
    /// Solves.
    pub solves: usize,
    /// When the last one was.
    pub last_solve_ms: Option<i64>,
    /// Questions that wait for an answer, for who sees them all.
    pub questions: Option<i64>,
    /// How the node is; players see nothing of it.
    pub health: Option<Health>,
    /// What is wrong.
    pub warnings: Vec<Warning>,
}

/// Teams that are not on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Others {
    /// Organizers hid them.
    pub hidden: usize,
    /// Organizers banned them.
    pub banned: usize,
    /// They have not confirmed their address.
    pub unconfirmed: i64,
}

impl Overview {
    /// Reads it, for who sees this much of teams and challenges.
    ///
    /// # Errors
    /// The database does not answer.
    pub async fn read(
        app: &App,
        sight: Sight,
        of_challenges: &challenges::Sight,
    ) -> Result<Self, NodeError> {
        let seen = Seen::new(&app.feed, sight).await?;
        let now_ms = app.clock.now_ms();
        let contest = seen.contest.clone();
        let event = contest.event();
        let end_ms = event.and_then(|event| event.end_ms);
        let status = contest.status(now_ms);
        let is_frozen = contest.hides_new_solves(now_ms);
        let counts = store::counts(&app.db).await?;
        let described = match of_challenges.own {
            None => Some(app.organizers.lists.drafts.read(&app.db, &app.seal, end_ms).await?),
            Some(_) => None,
        };
        let health = match of_challenges.counts {
            true => Some(Health::read(app, &counts, sight.truth || !is_frozen).await?),
            false => None,
        };
        let boards = seen.boards(sight);
        let board = boards.truth.unwrap_or(boards.public);
        let count = |is_so: fn(&flagship_game::contest::Team) -> bool| {
            contest.teams().filter(|team| is_so(team)).count()
        };
        let others = sight.addresses.then(|| Others {
            hidden: count(|team| team.hidden && !team.banned),
            banned: count(|team| team.banned),
            unconfirmed: counts.unconfirmed,
        });
        let runs = matches!(status, Status::Running | Status::Frozen);
        let warnings = health.as_ref().map(|health| warnings(health, runs, now_ms));
        Ok(Self {
            name: event.map(|event| event.name.clone()).unwrap_or_default(),
            status,
            now_ms,
            start_ms: event.and_then(|event| event.start_ms),
            freeze_ms: event.and_then(|event| event.freeze_ms),
            end_ms,
            is_paused: contest.is_paused(),
            is_frozen,
            is_revealed: contest.reached(Phase::Reveal),
            playing: board.rows().count(),
            others,
            shown: board.tallies().len(),
            challenges: described.map(|all| {
                let is_broken = |it: &&Described| {
                    it.problems.iter().any(|problem| problem.severity == Severity::Error)
                };
                (all.len(), all.iter().filter(is_broken).count())
            }),
            solves: board.rows().map(|row| row.marks().len()).sum(),
            last_solve_ms: board.rows().map(|row| row.last_solve_ms()).max().filter(|ms| *ms > 0),
            questions: sight.addresses.then_some(counts.questions),
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
            ("now", utc(self.now_ms)),
            ("start", time(self.start_ms)),
            ("freeze", time(self.freeze_ms)),
            ("end", time(self.end_ms)),
            ("paused", json!(self.is_paused)),
            ("frozen", json!(self.is_frozen)),
            ("revealed", json!(self.is_revealed)),
            ("teams_playing", json!(self.playing)),
            ("teams_hidden", json!(self.others.map(|it| it.hidden))),
            ("teams_banned", json!(self.others.map(|it| it.banned))),
            ("teams_unconfirmed", json!(self.others.map(|it| it.unconfirmed))),
            ("challenges_shown", json!(self.shown)),
            ("challenges", json!(self.challenges.map(|it| it.0))),
            ("challenges_with_errors", json!(self.challenges.map(|it| it.1))),
            ("solves", json!(self.solves)),
            ("last_solve", time(self.last_solve_ms)),
            ("questions_open", json!(self.questions)),
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
