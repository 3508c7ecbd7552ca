//! A published board: serialised and compressed once for all readers, with the views of it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use flagship_game::contest::{Contest, Team};
use flagship_game::wire::{self, Ctftime, Notices, Snapshot};
use flagship_game::{Board, RankedRow, TeamId, view};
use serde::Serialize;

use super::cards::Cards;
use crate::net::body::{Body, Pieces};
use crate::net::work::Made;
use crate::node::links::Links;

/// How old a board may be while solves keep coming.
const STALE_MAX: Duration = Duration::from_millis(100);

/// A published board, and the fold it was made from.
pub struct Published {
    pub contest: Arc<Contest>,
    pub board: Board,
    /// The index of the last public frame that the board includes.
    pub cursor: u64,
    pub body: Body,
    /// The common part of all teams' lists of challenges.
    cards: Cards,
    ctftime: Made<Body>,
    notices: Made<Body>,
    pub(super) made: Instant,
}

/// The public board, and a fold that is not older, for the responses to one viewer. Of the fold
/// only the viewer's own part may be used.
pub struct View {
    pub published: Arc<Published>,
    pub contest: Arc<Contest>,
    pub(super) team: Option<TeamId>,
}

/// The board of a hidden team, which only that team sees.
pub struct HiddenBoard {
    pub(super) public_seq: u64,
    pub(super) team: Arc<Team>,
    pub board: Board,
    pub body: Body,
}

/// The public sequence numbers that a board must include to be fresh.
#[derive(Clone, Copy)]
pub struct Due {
    /// The number of the last change.
    pub seq: u64,
    /// The number of the last change that needs a snapshot: no board before it is fresh.
    pub snapshot_seq: u64,
}

impl Published {
    /// Makes the board's snapshot. `cursor` is the index of its last public frame.
    pub fn new(generation: &str, contest: Arc<Contest>, board: Board, cursor: u64) -> Self {
        let body = snapshot(generation, &contest, &board);
        let cards = Cards::default();
        let ctftime = Made::default();
        let notices = Made::default();
        Self { contest, board, cursor, body, cards, ctftime, notices, made: Instant::now() }
    }

    /// True if the board includes the public change `seq`.
    pub fn has(&self, seq: u64) -> bool {
        self.contest.public_seq() >= seq
    }

    /// True if the board may be shown to anyone.
    pub fn is_fresh(&self, due: Due) -> bool {
        self.has(due.seq) || (self.has(due.snapshot_seq) && self.made.elapsed() < STALE_MAX)
    }

    /// True if the board includes a team and all its public solves.
    pub fn has_own(&self, latest: &Contest, id: TeamId) -> bool {
        let Some(team) = latest.team(id) else { return true };
        let has_solves = self.contest.seq() >= latest.last_public_solve(team);
        has_solves && self.contest.team(id).is_some()
    }

    /// CTFtime's feed.
    pub async fn ctftime(self: &Arc<Self>) -> &Body {
        let published = self.clone();
        self.ctftime.get_or_make(move || Body::new(json(&Ctftime(&published.board)))).await
    }

    /// The notices, which are the same for everyone.
    pub async fn notices(self: &Arc<Self>) -> &Body {
        let published = self.clone();
        self.notices.get_or_make(move || Body::new(json(&Notices(&published.contest)))).await
    }
}

impl View {
    /// The view of a board without a newer fold.
    pub fn of(published: &Arc<Published>, team: Option<TeamId>) -> Self {
        Self { contest: published.contest.clone(), published: published.clone(), team }
    }

    /// A team's list of challenges, as JSON.
    pub fn cards(&self, links: &Links, team: TeamId) -> Pieces {
        self.published.cards.list(&self.published.board, &self.contest, links, team)
    }

    /// The frames of the solves that only the viewer's team sees.
    pub fn own(&self) -> Vec<Bytes> {
        let Some(team) = self.team else { return Vec::new() };
        wire::own_solves(&self.contest, team).iter().map(|solve| json(solve).into()).collect()
    }

    /// A team's row by name, in the viewer's view. For a viewer that is a hidden team, use its own
    /// board instead.
    pub fn ranked_row(&self, name: &str) -> Option<RankedRow<'_>> {
        view::ranked_row(&self.published.board, &self.contest, self.team, name)
    }
}

pub fn snapshot(generation: &str, contest: &Contest, board: &Board) -> Body {
    let seq = contest.public_seq();
    Body::new(json(&Snapshot { board, seq, generation }))
}

fn json(value: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(value).expect("what is sent is plain data")
}
