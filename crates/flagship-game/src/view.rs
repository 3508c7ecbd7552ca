//! The three views of a contest: public, team and organizers.
//!
//! The view of a team is the contest in which no other team solved anything after the freeze; this
//! defines the freeze. All data that leaves the program comes from here.

use crate::board::{Board, RankedRow, Tally};
use crate::challenge::{Challenge, ChallengeId, ChallengeStatus, Hint, StatusKind};
use crate::contest::{Contest, Index, Notice, Progress, Solve, Team};
use crate::entry::{Phase, TeamId};
use crate::points;

/// The viewer of a contest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Viewer {
    /// Anyone.
    Public,
    /// A logged-in team.
    Team(TeamId),
    /// The organizers, for whom nothing is frozen.
    Organizer,
}

/// A challenge in the view of a team.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Card<'a> {
    /// The challenge.
    pub challenge: &'a Challenge,
    /// The challenge status.
    pub status: &'a ChallengeStatus,
    /// True if requirements are unsolved. Description, attachments, hints, connection info and the
    /// status note are then hidden.
    pub is_locked: bool,
    /// Number of teams that solved the challenge.
    pub nsolves: u32,
    /// Time of the first solve in epoch milliseconds, 0 without one.
    pub first_ms: i64,
    /// Hints; empty if the challenge is locked.
    pub hints: Vec<CardHint<'a>>,
    /// Flags that the team has found; `None` if one flag solves the challenge.
    pub progress: Option<Progress>,
    /// Incorrect submissions that the team may still make; `None` if they are not limited.
    pub attempts_left: Option<u32>,
    /// Time of the team's solve after the end, which is in no row, in epoch milliseconds.
    pub practiced_ms: Option<i64>,
}

/// A hint in the view of a team.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CardHint<'a> {
    /// The hint. Its text is only in `html`.
    hint: &'a Hint,
    /// Points that the team paid if it took the hint, otherwise those that it would pay.
    pub cost: i64,
    /// Sanitized HTML; `None` until the hint is published and the team may read it.
    pub html: Option<&'a str>,
    /// True if the team took the hint.
    pub is_taken: bool,
}

impl<'a> CardHint<'a> {
    /// ID within the challenge.
    pub fn id(&self) -> &'a str {
        &self.hint.id
    }

    /// Title of the hint.
    pub fn title(&self) -> Option<&'a str> {
        self.hint.title.as_deref()
    }

    /// Announced time of the hint, in epoch milliseconds.
    pub fn at_ms(&self) -> Option<i64> {
        self.hint.at_ms
    }

    /// IDs of the hints that must be taken first.
    pub fn requirements(&self) -> &'a [String] {
        &self.hint.requirements
    }
}

/// The hints of a challenge in the view of a team that can read the challenge.
fn card_hints<'a>(
    contest: &Contest,
    team: &Team,
    index: Index,
    challenge: &'a Challenge,
) -> Vec<CardHint<'a>> {
    let is_over = contest.is_over();
    let is_solved = team.has_solved(index);
    let card_hint = |hint: &'a Hint| {
        let taken = team.taken_hint(index, &hint.id);
        let is_open = is_over || taken.is_some() || !hint.must_be_taken();
        let cost = match taken {
            Some(taken) => contest.charged(team, taken),
            None if is_over || is_solved => 0,
            None => hint.cost,
        };
        let html = hint.html.as_deref().filter(|_| is_open);
        CardHint { hint, cost, html, is_taken: taken.is_some() }
    };
    challenge.hints.iter().map(card_hint).collect()
}

/// Computes the board of a viewer from scratch.
pub fn board(contest: &Contest, viewer: Viewer) -> Board {
    let mut board = Board::shown_columns(contest, contest.reached(Phase::Start));
    let is_own = |team: &Team| viewer == Viewer::Team(team.id) && team.has_row();
    let has_row = |team: &Team| team.counts() || is_own(team);
    let award = |team: &Team| match viewer == Viewer::Organizer || is_own(team) {
        true => contest.own_award(team),
        false => contest.public_award(team),
    };
    let mut row = |team: &Team| board.add_team(contest, team, award(team));
    // The rows are indexed by team.
    let rows: Vec<_> = contest.teams_by_index().map(|it| has_row(it).then(|| row(it))).collect();
    let is_hidden =
        |solve: &&Solve| viewer != Viewer::Organizer && contest.hides_solves_of(solve.at_ms);
    let own = |solve: &&Solve| viewer == Viewer::Team(contest.team_at(solve.team).id);
    board.fill(|challenge| {
        let solves =
            || contest.index_of(challenge).into_iter().flat_map(|it| contest.solves_at(it));
        // The team's own hidden solves come last, regardless of their position.
        let later = solves().filter(move |solve| own(solve) && is_hidden(solve));
        let seen = solves().filter(move |solve| !is_hidden(solve));
        seen.chain(later).filter_map(|solve| Some((rows[solve.team as usize]?, solve.at_ms)))
    });
    board.rank();
    board
}

/// Finds the row of a team in the view of a viewer who is not a hidden team. Equals the row on the
/// viewer's [`board`], without computing that board. `public` is the public board of the same or an
/// older fold.
pub fn ranked_row<'a>(
    public: &'a Board,
    contest: &Contest,
    viewer: Option<TeamId>,
    name: &str,
) -> Option<RankedRow<'a>> {
    let viewer = viewer.and_then(|id| contest.team(id)).filter(|team| !team.hidden);
    let solver = viewer.map_or("", |team| &team.name);
    let later = viewer.into_iter().flat_map(|team| own_later(contest, team));
    let later = later.map(|(challenge, solve)| (challenge, solve.at_ms));
    public.row_after(name, solver, later, viewer.map_or(0, |team| hidden_award(contest, team)))
}

/// A team's solve that is hidden from others by the freeze.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OwnSolve<'a> {
    /// The challenge.
    pub challenge: &'a ChallengeId,
    /// The team's name.
    pub team_name: &'a str,
    /// Epoch milliseconds.
    pub at_ms: i64,
}

/// Returns the solves that a client adds to the public board to get the board of a team: those
/// hidden from others by the freeze, in chronological order. Empty for a hidden team, whose board
/// is computed separately.
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

/// True if a team sees more than the public: solves hidden from others by the freeze or, for a
/// hidden team, itself.
pub fn has_own_view(contest: &Contest, team: TeamId) -> bool {
    let Some(team) = contest.team(team).filter(|team| !team.banned) else { return false };
    team.hidden || own_later(contest, team).next().is_some() || hidden_award(contest, team) != 0
}

/// Award of a team in its own view, if it differs from the award that others see because the freeze
/// hides the cost of hints. `None` for a hidden team, whose board is computed separately.
pub fn own_award(contest: &Contest, id: TeamId) -> Option<OwnAward<'_>> {
    let team = contest.team(id).filter(|team| !team.hidden)?;
    let award = contest.own_award(team);
    (hidden_award(contest, team) != 0).then_some(OwnAward { team_name: &team.name, award })
}

/// Award of a team that differs from the award that others see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OwnAward<'a> {
    /// The team's name.
    pub team_name: &'a str,
    /// The award.
    pub award: i64,
}

/// Points of a team in its own view. Equals the points of its row on its own [`board`], without
/// computing that board.
pub fn own_points(contest: &Contest, id: TeamId) -> i64 {
    let Some(team) = contest.team(id).filter(|team| team.has_row()) else { return 0 };
    if !contest.reached(Phase::Start) {
        return team.award;
    }
    let is_on_board = |solve: &&Solve| {
        let other = contest.team_at(solve.team);
        other.id == id || (other.counts() && !contest.hides_solves_of(solve.at_ms))
    };
    let points =
        team.solves.iter().filter(|(index, _)| contest.is_shown_at(*index)).map(|(index, own)| {
            let is_later = contest.hides_solves_of(own.at_ms);
            let seen = || contest.solves_at(*index).filter(is_on_board);
            let count = seen().count() as u32;
            // The team's own hidden solve comes last, regardless of its position.
            let before = seen().filter(|solve| solve.team != own.team);
            let position = match is_later {
                true => count,
                false => 1 + before.filter(|solve| solve.place() < own.place()).count() as u32,
            };
            points::value(&contest.challenge_at(*index).scoring, count, Some(position))
        });
    contest.own_award(team) + points.sum::<i64>()
}

/// Difference between a team's own award and the award that others see.
fn hidden_award(contest: &Contest, team: &Team) -> i64 {
    match team.has_row() {
        true => contest.own_award(team) - contest.public_award(team),
        false => 0,
    }
}

/// Returns the challenges in the view of a team, in display order. `public` is the public board of
/// the same contest.
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
        let is_locked = index.is_none_or(|index| contest.is_locked_for(team, index));
        let open = index.filter(|_| !is_locked);
        let hints = open.map(|index| card_hints(contest, team, index, challenge));
        let (status, hints) = (tally.status(), hints.unwrap_or_default());
        let progress = index.and_then(|index| contest.progress_of(team, index));
        let attempts_left = index.and_then(|index| contest.attempts_left_of(team, index));
        let practiced = index.and_then(|index| contest.practice_solve_of(team, index));
        Card {
            challenge,
            status,
            is_locked,
            nsolves,
            first_ms,
            hints,
            progress,
            attempts_left,
            practiced_ms: practiced.map(|solve| solve.at_ms),
        }
    };
    public.tallies().iter().map(card).collect()
}

/// The public view of a notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PublicNotice<'a> {
    /// The notice number.
    pub id: i64,
    /// Time of the first post, in epoch milliseconds.
    pub at_ms: i64,
    /// Plain text; empty if the notice was withdrawn.
    pub title: &'a str,
    /// Sanitized HTML; empty if the notice was withdrawn.
    pub html: &'a str,
    /// The related challenge, if players can see it.
    pub challenge: Option<&'a ChallengeId>,
    /// True if the notice interrupts players.
    pub urgent: bool,
    /// Time after which the notice no longer interrupts players, in epoch milliseconds.
    pub urgent_until_ms: Option<i64>,
    /// Time of the last edit, in epoch milliseconds.
    pub corrected_at_ms: Option<i64>,
    /// Time of withdrawal, in epoch milliseconds; `None` if the notice is not withdrawn.
    pub withdrawn_at_ms: Option<i64>,
}

/// The public view of all notices, newest first.
pub fn notices(contest: &Contest) -> impl Iterator<Item = PublicNotice<'_>> {
    contest.notices().rev().map(|notice| seen(contest, notice))
}

/// The public view of a notice.
pub fn notice(contest: &Contest, id: i64) -> Option<PublicNotice<'_>> {
    contest.notice(id).map(|notice| seen(contest, notice))
}

fn seen<'a>(contest: &Contest, notice: &'a Notice) -> PublicNotice<'a> {
    let Notice { id, at_ms, urgent, urgent_until_ms, .. } = *notice;
    let (corrected_at_ms, withdrawn_at_ms) = (notice.corrected_at_ms, notice.withdrawn_at_ms);
    let is_withdrawn = notice.is_withdrawn();
    let (title, html) = if is_withdrawn { ("", "") } else { (&*notice.title, &*notice.html) };
    let challenge = notice.challenge.as_ref().filter(|id| !is_withdrawn && contest.is_seen(id));
    PublicNotice {
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

/// The public status of a challenge. The note is only for teams that can read the challenge; if it
/// has requirements, the note is only in the challenge list.
pub fn public_status<'a>(contest: &'a Contest, id: &ChallengeId) -> Option<(StatusKind, &'a str)> {
    let challenge = contest.challenge(id).filter(|_| contest.is_seen(id))?;
    let status = contest.challenge_status(id)?;
    let note = if challenge.requirements.is_empty() { &*status.note } else { "" };
    Some((status.kind, note))
}

/// Finds a challenge that a team can read now: the event has started, and the challenge is visible
/// and unlocked.
pub fn open_challenge<'a>(
    contest: &'a Contest,
    team: TeamId,
    id: &ChallengeId,
) -> Option<&'a Challenge> {
    let team = contest.team(team).filter(|team| !team.banned)?;
    let index = contest.index_of(id).filter(|&index| contest.is_shown_at(index))?;
    let is_open = contest.reached(Phase::Start) && !contest.is_locked_for(team, index);
    is_open.then(|| contest.challenge(id).map(|challenge| &**challenge)).flatten()
}

/// True if a team's own solve precedes all public solves of its challenge. Only possible for a
/// hidden team, because solves hidden by the freeze come last.
fn precedes_public(contest: &Contest, challenge: Index, own: &Solve) -> bool {
    let is_public = |solve: &&Solve| {
        contest.team_at(solve.team).counts() && !contest.hides_solves_of(solve.at_ms)
    };
    let first = contest.solves_at(challenge).find(is_public);
    !contest.hides_solves_of(own.at_ms) && first.is_some_and(|first| own.place() < first.place())
}

/// Solves of a team that are hidden from the public, in order of position.
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
