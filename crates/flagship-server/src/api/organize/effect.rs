//! Rank changes caused by an action, for its response.

use std::time::Duration;

use flagship_game::entry::Phase;
use flagship_game::moves::{self, Move, first_bloods, moves};
use flagship_game::{Board, Contest, PhaseChange, Viewer, view};
use serde::Serialize;
use utoipa::ToSchema;

use super::teams::Place;
use crate::node::error::NodeError;
use crate::node::organizers::SignedInOrganizer;
use crate::node::state::App;

/// Maximum time that a completed action waits for the effects in its response.
pub const SHOWN_MAX: Duration = Duration::from_secs(3);

/// Teams whose rank or points change: first the ones that leave the scoreboard, then the others in
/// the order of the new scoreboard.
#[derive(Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Effect {
    /// Changes in the unfrozen view; null if the caller may not see it.
    truth: Option<Vec<TeamMove>>,
    /// Changes in the public view.
    public: Vec<TeamMove>,
    /// First bloods that teams lose, in the unfrozen view if the caller may see it.
    first_bloods: Vec<FirstBlood>,
}

/// A first blood that moves to another team.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct FirstBlood {
    /// Challenge name.
    challenge_name: String,
    /// Team that loses the first blood.
    from: String,
    /// Team that gains the first blood; null if there is none.
    to: Option<String>,
}

/// A team whose rank or points change.
#[derive(Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct TeamMove {
    /// Team name.
    team_name: String,
    /// Previous place; null if the team was not on the scoreboard.
    from: Option<Place>,
    /// New place; null if the team is no longer on the scoreboard.
    to: Option<Place>,
}

/// Immediate effects of an action on the phases of the event. Times are epoch milliseconds.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Phases {
    /// True if this starts the event, so that players see its challenges.
    starts_at_once: bool,
    /// True if this ends the event.
    ends_at_once: bool,
    /// True if this publishes results hidden by the freeze, which cannot be undone.
    shows_hidden: bool,
    /// New end of an event that had ended and resumes; null if it does not resume.
    runs_again_until: Option<i64>,
}

impl Phases {
    /// Returns the effects; `None` if there are none.
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

/// Computes the rank changes between two contests, without waiting for lists or previews.
pub async fn effect(
    app: &App,
    who: &SignedInOrganizer,
    moves_teams: bool,
    before: Contest,
    after: Contest,
) -> Result<Effect, NodeError> {
    let sees_truth = who.runs_the_contest();
    if before.seq() == after.seq() || !moves_teams {
        return Ok(Effect { truth: sees_truth.then(Vec::new), ..Effect::default() });
    }
    // Four scoreboards of a large event take several milliseconds, which submissions must not wait
    // for.
    let effect = app.organizers.boards.run((), move |()| {
        let boards = |viewer| [view::board(&before, viewer), view::board(&after, viewer)];
        let moved = |[before, after]: &[Board; 2]| {
            moves(before, after).into_iter().map(TeamMove::from).collect::<Vec<_>>()
        };
        let shown = boards(Viewer::Public);
        let is_open = |it: &Contest| !it.reached(Phase::Freeze) || it.reached(Phase::Reveal);
        // Without a freeze, both views are the same.
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
