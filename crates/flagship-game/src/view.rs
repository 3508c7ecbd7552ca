//! The three views: what the public, a team and the organizers see of a contest.
//!
//! A team's view is the contest in which nobody but that team solved anything after the freeze: the
//! definition of the freeze. Everything that leaves the program comes from here.

use crate::board::{Board, RankedRow, Tally};
use crate::challenge::{Challenge, ChallengeId};
use crate::contest::{Change, Contest, Solve, Team};
use crate::entry::{Phase, TeamId};

/// Who looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Viewer {
    /// Anyone.
    Public,
    /// A logged-in team.
    Team(TeamId),
    /// Those who run the event: nothing is frozen for them.
    Organizer,
}

/// A challenge as a team sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Card<'a> {
    /// The challenge.
    pub challenge: &'a Challenge,
    /// Whether requirements are missing; then description and attachments stay unseen.
    pub is_locked: bool,
    /// The number of teams that solved it.
    pub nsolves: u32,
    /// Epoch milliseconds of the first solve, 0 without one.
    pub first_ms: i64,
}

/// Computes the board of a viewer from all solves.
pub fn board(contest: &Contest, viewer: Viewer) -> Board {
    let mut board = Board::shown_columns(contest, contest.reached(Phase::Start));
    let has_row = |team: &Team| team.counts() || (viewer == Viewer::Team(team.id) && !team.banned);
    for team in contest.teams().filter(|team| has_row(team)) {
        board.add_team(&team.name, &team.country, team.award);
    }
    for state in contest.challenges() {
        for solve in &state.solves {
            let team = contest.team_at(solve.team);
            let is_later = contest.hides_solves_of(solve.at_ms);
            let sees_later = viewer == Viewer::Organizer || viewer == Viewer::Team(team.id);
            if has_row(team) && (sees_later || !is_later) {
                board.add_solve(&team.name, &state.challenge.id, solve.at_ms);
            }
        }
    }
    board.rank();
    board
}

/// A team's row, by name, in the view of a viewer who is not a hidden team: the row of the viewer's
/// [`board`], without computing it. `public` is the public board of a fold that is not newer.
pub fn ranked_row<'a>(
    public: &'a Board,
    contest: &Contest,
    viewer: Option<TeamId>,
    name: &str,
) -> Option<RankedRow<'a>> {
    let viewer = viewer.and_then(|id| contest.team(id)).filter(|team| !team.hidden);
    let solver = viewer.map_or("", |team| &team.name);
    let later = viewer.into_iter().flat_map(|team| own_later(contest, team));
    public.row_after(name, solver, later.map(|(challenge, solve)| (challenge, solve.at_ms)))
}

/// A team's solve that the freeze hides from others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OwnSolve<'a> {
    /// Which challenge.
    pub challenge: &'a ChallengeId,
    /// The team's name.
    pub team_name: &'a str,
    /// Epoch milliseconds.
    pub at_ms: i64,
}

/// What a client adds to the public board to get a team's own: the team's solves that the freeze
/// hides from others, in the order of the journal. None for a hidden team, whose board is folded.
pub fn own_solves(contest: &Contest, id: TeamId) -> Vec<OwnSolve<'_>> {
    let Some(team) = contest.team(id).filter(|team| !team.hidden) else { return Vec::new() };
    let own = |(challenge, solve): (_, &Solve)| OwnSolve {
        challenge,
        team_name: &team.name,
        at_ms: solve.at_ms,
    };
    own_later(contest, team).map(own).collect()
}

/// Whether a team sees anything that the public does not: solves that the freeze hides from
/// others, or, for a hidden team, itself.
pub fn has_own_view(contest: &Contest, team: TeamId) -> bool {
    let Some(team) = contest.team(team).filter(|team| !team.banned) else { return false };
    team.hidden || own_later(contest, team).next().is_some()
}

/// Updates the public board by a change; `false` if it has to be computed anew.
pub fn advance(public: &mut Board, contest: &Contest, change: &Change) -> bool {
    match change {
        Change::Snapshot { .. } => return false,
        Change::Solve { seq: None, .. } | Change::OwnSnapshot { .. } | Change::Unseen => {}
        Change::Solve { team, challenge, at_ms, .. } => {
            if let Some(team) = contest.team(*team) {
                public.add_solve(&team.name, challenge, *at_ms);
            }
        }
        Change::NewTeam { team, .. } => {
            if let Some(team) = contest.team(*team) {
                public.add_team(&team.name, &team.country, 0);
            }
        }
    }
    public.rank();
    true
}

/// The challenges as a team sees them, in display order. `public` is the public board of the
/// same contest.
pub fn cards<'a>(public: &'a Board, contest: &Contest, id: TeamId) -> Vec<Card<'a>> {
    let Some(team) = contest.team(id) else { return Vec::new() };
    let later: Vec<_> = own_later(contest, team).collect();
    let card = |tally: &'a Tally| {
        let challenge = tally.challenge();
        let own = later.iter().find(|(id, _)| **id == challenge.id);
        let (mut nsolves, mut first_ms) = (tally.nsolves(), tally.first_ms());
        if let Some((_, solve)) = own {
            first_ms = if nsolves == 0 { solve.at_ms } else { first_ms.min(solve.at_ms) };
            nsolves += 1;
        }
        let index = contest.index_of(&challenge.id);
        let is_locked = index.is_none_or(|index| contest.is_locked(team, index));
        Card { challenge, is_locked, nsolves, first_ms }
    };
    public.tallies().iter().map(card).collect()
}

/// A challenge that a team may read now: the event has started, the challenge is shown and not
/// locked.
pub fn open_challenge<'a>(
    contest: &'a Contest,
    team: TeamId,
    id: &ChallengeId,
) -> Option<&'a Challenge> {
    let team = contest.team(team).filter(|team| !team.banned)?;
    let index = contest.index_of(id).filter(|&index| contest.is_shown_at(index))?;
    let is_open = contest.reached(Phase::Start) && !contest.is_locked(team, index);
    is_open.then(|| contest.challenge(id).map(|challenge| &**challenge)).flatten()
}

/// A team's solves that the public does not see, in the order of the journal.
fn own_later<'a>(
    contest: &'a Contest,
    team: &'a Team,
) -> impl Iterator<Item = (&'a ChallengeId, &'a Solve)> {
    let solves: &[_] = if team.banned { &[] } else { &team.solves };
    solves
        .iter()
        .filter(|(index, _)| contest.is_shown_at(*index))
        .filter(|(_, solve)| team.hidden || contest.hides_solves_of(solve.at_ms))
        .map(|(index, solve)| (&contest.challenge_at(*index).id, solve))
}
