//! Which teams an act moves, as its answer has it.

use std::time::Duration;

use flagship_game::entry::Phase;
use flagship_game::moves::{Move, moves};
use flagship_game::{Contest, Viewer, view};
use serde::Serialize;
use utoipa::ToSchema;

use super::teams::Place;
use crate::node::error::NodeError;
use crate::node::organizers::Who;
use crate::node::report::report;
use crate::node::state::App;

/// How long an act that was done waits for what its answer shows.
pub const SHOWN_MAX: Duration = Duration::from_secs(3);

/// The teams whose rank or points change: those that leave the board first, then the others in the
/// order of the new board.
#[derive(Serialize, ToSchema)]
pub struct Effect {
    /// With what the freeze hides; null for who may not see it.
    pub truth: Option<Vec<TeamMove>>,
    /// As everybody sees it.
    pub public: Vec<TeamMove>,
}

/// A team whose rank or points change.
#[derive(Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TeamMove {
    /// Its name.
    team_name: String,
    /// Where it was; null if it was not on the board.
    from: Option<Place>,
    /// Where it is; null if it is not on the board any more.
    to: Option<Place>,
}

/// Whether an act may move teams: the boards of the others are not computed.
fn moves_teams(act: &str) -> bool {
    let of_team =
        ["team.award", "team.ban", "team.confirm", "team.hide", "team.show", "team.unban"];
    let never = ["challenge.create", "challenge.close", "challenge.status"];
    let of_challenge = act.starts_with("challenge.") && !never.contains(&act);
    let of_event = act.starts_with("event.") && act != "event.pause";
    of_team.contains(&act) || of_challenge || of_event || act.starts_with("solve.")
}

/// Which teams move from one contest to the other. It waits for no list and no preview.
pub async fn effect(
    app: &App,
    who: &Who,
    act: &str,
    before: Contest,
    after: Contest,
) -> Result<Effect, NodeError> {
    if before.seq() == after.seq() || !moves_teams(act) {
        return Ok(Effect { truth: who.sees_truth().then(Vec::new), public: Vec::new() });
    }
    let sees_truth = who.sees_truth();
    // Four boards of a large event take some milliseconds, which flags must not wait for.
    let effect = app.organizers.boards.run((), move |()| {
        let moved = |viewer| {
            let moves = moves(&view::board(&before, viewer), &view::board(&after, viewer));
            moves.into_iter().map(TeamMove::from).collect::<Vec<_>>()
        };
        let public = moved(Viewer::Public);
        let is_open = |it: &Contest| !it.reached(Phase::Freeze) || it.reached(Phase::Reveal);
        // Without a freeze the two are the same.
        let truth = || match is_open(&before) && is_open(&after) {
            true => public.clone(),
            false => moved(Viewer::Organizer),
        };
        Effect { truth: sees_truth.then(truth), public }
    });
    effect.await
}

/// Which teams an act that was done moves; `None` if that cannot be computed in time.
pub async fn shown(
    app: &App,
    who: &Who,
    act: &str,
    before: Contest,
    after: Contest,
) -> Option<Effect> {
    let computed = tokio::time::timeout(SHOWN_MAX, effect(app, who, act, before, after)).await;
    let computed = computed.unwrap_or(Err(NodeError::Busy));
    computed.inspect_err(|error| report(error, "the moves of an act are not shown")).ok()
}

impl From<Move> for TeamMove {
    fn from(it: Move) -> Self {
        let place = |place: Option<flagship_game::moves::Place>| {
            place.map(|it| Place { rank: it.rank, points: it.points })
        };
        Self { team_name: it.team, from: place(it.from), to: place(it.to) }
    }
}
