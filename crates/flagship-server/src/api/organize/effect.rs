//! Which teams an action moves, as its answer has it.

use std::time::Duration;

use flagship_game::entry::Phase;
use flagship_game::moves::{self, Move, first_bloods, moves};
use flagship_game::{Board, Contest, PhaseChange, Viewer, view};
use serde::Serialize;
use utoipa::ToSchema;

use super::teams::Place;
use crate::node::error::NodeError;
use crate::node::organizers::Who;
use crate::node::state::App;

/// How long an action that was done waits for what its answer shows.
pub const SHOWN_MAX: Duration = Duration::from_secs(3);

/// The teams whose rank or points change: those that leave the board first, then the others in the
/// order of the new board.
#[derive(Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Effect {
    /// With what the freeze hides; null for who may not see it.
    truth: Option<Vec<TeamMove>>,
    /// As everybody sees it.
    public: Vec<TeamMove>,
    /// The first bloods that teams lose; with what the freeze hides for who may see it.
    first_bloods: Vec<FirstBlood>,
}

/// A first blood that a team loses.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct FirstBlood {
    /// The challenge's name.
    challenge_name: String,
    /// The team that had it.
    from: String,
    /// The team that has it; null if nobody has.
    to: Option<String>,
}

/// A team whose rank or points change.
#[derive(Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct TeamMove {
    /// Its name.
    team_name: String,
    /// Where it was; null if it was not on the board.
    from: Option<Place>,
    /// Where it is; null if it is not on the board any more.
    to: Option<Place>,
}

/// Immediate effects of an action on the phases of the event. Times are epoch milliseconds.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Phases {
    /// True if an event that has not started starts, so that everyone sees its challenges.
    starts_at_once: bool,
    /// True if an event that has not ended ends.
    ends_at_once: bool,
    /// True if everyone sees some of what the freeze hides, which cannot be undone.
    shows_hidden: bool,
    /// New end of an event that has ended and runs again; null if it does not.
    runs_again_until: Option<i64>,
}

impl Phases {
    /// The effects; `None` if there are none.
    pub fn of(change: PhaseChange) -> Option<Self> {
        let PhaseChange { starts_at_once, ends_at_once, shows_hidden, runs_again_until_ms } =
            change;
        (change != PhaseChange::default()).then_some(Self {
            starts_at_once,
            ends_at_once,
            shows_hidden,
            runs_again_until: runs_again_until_ms,
        })
    }
}

/// Which teams move from one contest to the other. It waits for no list and no preview.
pub async fn effect(
    app: &App,
    who: &Who,
    moves_teams: bool,
    before: Contest,
    after: Contest,
) -> Result<Effect, NodeError> {
    let sees_truth = who.runs_the_contest();
    if before.seq() == after.seq() || !moves_teams {
        return Ok(Effect { truth: sees_truth.then(Vec::new), ..Effect::default() });
    }
    // Four boards of a large event take some milliseconds, which flags must not wait for.
    let effect = app.organizers.boards.run((), move |()| {
        let boards = |viewer| [view::board(&before, viewer), view::board(&after, viewer)];
        let moved = |[before, after]: &[Board; 2]| {
            moves(before, after).into_iter().map(TeamMove::from).collect::<Vec<_>>()
        };
        let shown = boards(Viewer::Public);
        let is_open = |it: &Contest| !it.reached(Phase::Freeze) || it.reached(Phase::Reveal);
        // Without a freeze the two are the same.
        let is_same = is_open(&before) && is_open(&after);
        let whole = (sees_truth && !is_same).then(|| boards(Viewer::Organizer));
        let public = moved(&shown);
        let truth = || whole.as_ref().map_or_else(|| public.clone(), moved);
        let truth = sees_truth.then(truth);
        let [before, after] = whole.as_ref().unwrap_or(&shown);
        let lost = first_bloods(before, after).into_iter().map(|it| FirstBlood {
            challenge_name: it.challenge,
            from: it.from,
            to: it.to,
        });
        Effect { truth, public, first_bloods: lost.collect() }
    });
    effect.await
}

impl From<Move> for TeamMove {
    fn from(it: Move) -> Self {
        let place = |place: Option<moves::Place>| {
            place.map(|it| Place { rank: it.rank, points: it.points })
        };
        Self { team_name: it.team, from: place(it.from), to: place(it.to) }
    }
}
