//! The three views: what the public, a team and the organizers see of a contest.
//!
//! A team's view is the contest in which nobody but that team solved anything after the freeze: the
//! definition of the freeze. Everything that leaves the program comes from here.

use crate::board::{Board, RankedRow, Tally};
use crate::challenge::{Challenge, ChallengeId, ChallengeStatus, StatusKind};
use crate::contest::{Contest, Index, Notice, Solve, Team};
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
    /// How it is doing.
    pub status: &'a ChallengeStatus,
    /// Whether requirements are missing; then description, attachments, hints, connection and the
    /// note of its status stay unseen.
    pub is_locked: bool,
    /// The number of teams that solved it.
    pub nsolves: u32,
    /// Epoch milliseconds of the first solve, 0 without one.
    pub first_ms: i64,
}

/// Computes the board of a viewer from all solves.
pub fn board(contest: &Contest, viewer: Viewer) -> Board {
    let mut board = Board::shown_columns(contest, contest.reached(Phase::Start));
    let is_own = |team: &Team| viewer == Viewer::Team(team.id) && team.has_row();
    let has_row = |team: &Team| team.counts() || is_own(team);
    let mut row = |team: &Team| board.add_team(&team.name, &team.country, team.award);
    // By index of the team.
    let rows: Vec<_> = contest.teams_by_index().map(|it| has_row(it).then(|| row(it))).collect();
    let is_hidden =
        |solve: &&Solve| viewer != Viewer::Organizer && contest.hides_solves_of(solve.at_ms);
    let own = |solve: &&Solve| viewer == Viewer::Team(contest.team_at(solve.team).id);
    board.fill(|challenge| {
        let solves =
            || contest.index_of(challenge).into_iter().flat_map(|it| contest.solves_at(it));
        // A team's own hidden solves come on top, whatever their place.
        let later = solves().filter(move |solve| own(solve) && is_hidden(solve));
        let seen = solves().filter(move |solve| !is_hidden(solve));
        seen.chain(later).filter_map(|solve| Some((rows[solve.team as usize]?, solve.at_ms)))
    });
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
/// hides from others, by time. None for a hidden team, whose board is folded.
pub fn own_solves(contest: &Contest, id: TeamId) -> Vec<OwnSolve<'_>> {
    let Some(team) = contest.team(id).filter(|team| !team.hidden) else { return Vec::new() };
    let mut solves: Vec<_> = own_later(contest, team).collect();
    solves.sort_by_key(|(_, solve)| (solve.at_ms, solve.seq));
    let own = |(challenge, solve): (_, &Solve)| OwnSolve {
        challenge,
        team_name: &team.name,
        at_ms: solve.at_ms,
    };
    solves.into_iter().map(own).collect()
}

/// Whether a team sees anything that the public does not: solves that the freeze hides from
/// others, or, for a hidden team, itself.
pub fn has_own_view(contest: &Contest, team: TeamId) -> bool {
    let Some(team) = contest.team(team).filter(|team| !team.banned) else { return false };
    team.hidden || own_later(contest, team).next().is_some()
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
        let index = contest.index_of(&challenge.id);
        if let (Some((_, solve)), Some(index)) = (own, index) {
            if nsolves == 0 || precedes_public(contest, index, solve) {
                first_ms = solve.at_ms;
            }
            nsolves += 1;
        }
        let is_locked = index.is_none_or(|index| contest.is_locked(team, index));
        Card { challenge, status: tally.status(), is_locked, nsolves, first_ms }
    };
    public.tallies().iter().map(card).collect()
}

/// A notice as everyone sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeenNotice<'a> {
    /// Its number.
    pub id: i64,
    /// When it was posted, in epoch milliseconds.
    pub at_ms: i64,
    /// Plain text; empty if it was taken back.
    pub title: &'a str,
    /// Sanitised HTML; empty if it was taken back.
    pub html: &'a str,
    /// The challenge that it is about, if players see that challenge.
    pub challenge: Option<&'a ChallengeId>,
    /// Whether it interrupts players.
    pub urgent: bool,
    /// Time from which it does not any more, in epoch milliseconds.
    pub urgent_until_ms: Option<i64>,
    /// When it was last corrected, in epoch milliseconds.
    pub corrected_at_ms: Option<i64>,
    /// When it was taken back, in epoch milliseconds; none unless it is.
    pub withdrawn_at_ms: Option<i64>,
}

/// All notices as everyone sees them, the newest first.
pub fn notices(contest: &Contest) -> impl Iterator<Item = SeenNotice<'_>> {
    contest.notices().rev().map(|notice| seen(contest, notice))
}

/// A notice as everyone sees it.
pub fn notice(contest: &Contest, id: i64) -> Option<SeenNotice<'_>> {
    contest.notice(id).map(|notice| seen(contest, notice))
}

fn seen<'a>(contest: &Contest, notice: &'a Notice) -> SeenNotice<'a> {
    let Notice { id, at_ms, urgent, urgent_until_ms, .. } = *notice;
    let (corrected_at_ms, withdrawn_at_ms) = (notice.corrected_at_ms, notice.withdrawn_at_ms);
    let is_withdrawn = notice.is_withdrawn();
    let (title, html) = if is_withdrawn { ("", "") } else { (&*notice.title, &*notice.html) };
    let challenge = notice.challenge.as_ref().filter(|id| !is_withdrawn && contest.is_seen(id));
    SeenNotice {
        id,
        at_ms,
        title,
        html,
        challenge,
        urgent,
        urgent_until_ms,
        corrected_at_ms,
        withdrawn_at_ms,
    }
}

/// What everyone may be told of how a challenge is doing. The note is only for those who can read
/// the challenge: where it has requirements, the list of challenges has it.
pub fn public_status<'a>(contest: &'a Contest, id: &ChallengeId) -> Option<(StatusKind, &'a str)> {
    let challenge = contest.challenge(id).filter(|_| contest.is_seen(id))?;
    let status = contest.challenge_status(id)?;
    let note = if challenge.requirements.is_empty() { &*status.note } else { "" };
    Some((status.kind, note))
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

/// Whether a team's own solve comes before all that the public sees of its challenge: one of a
/// hidden team, since later ones come on top.
fn precedes_public(contest: &Contest, challenge: Index, own: &Solve) -> bool {
    let is_public = |solve: &&Solve| {
        contest.team_at(solve.team).counts() && !contest.hides_solves_of(solve.at_ms)
    };
    let first = contest.solves_at(challenge).find(is_public);
    !contest.hides_solves_of(own.at_ms) && first.is_some_and(|first| own.place() < first.place())
}

/// A team's solves that the public does not see, in the order of their places.
fn own_later<'a>(
    contest: &'a Contest,
    team: &'a Team,
) -> impl Iterator<Item = (&'a ChallengeId, &'a Solve)> {
    let solves: &[_] = if team.has_row() { &team.solves } else { &[] };
    solves
        .iter()
        .filter(|(index, _)| contest.is_shown_at(*index))
        .filter(|(_, solve)| team.hidden || contest.hides_solves_of(solve.at_ms))
        .map(|(index, solve)| (&contest.challenge_at(*index).id, solve))
}
