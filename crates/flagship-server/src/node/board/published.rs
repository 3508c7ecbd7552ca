//! A published scoreboard and its views, serialized and compressed once for all readers.

use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use flagship_game::contest::{Contest, Team};
use flagship_game::wire::{self, Ctftime, Notices, Snapshot};
use flagship_game::{Board, RankedRow, TeamId, view};
use serde::Serialize;

use super::cards::{CardReader, Cards};
use crate::net::body::{Body, Pieces};
use crate::net::shared_work::SharedCell;

/// Maximum age of a board while solves keep arriving.
const STALE_MAX: Duration = Duration::from_millis(100);

/// A published board and the fold it was built from.
pub struct Published {
    pub contest: Arc<Contest>,
    pub board: Board,
    /// Index of the last public frame included in the board.
    pub cursor: u64,
    pub body: Body,
    /// Members common to all teams' challenge lists.
    cards: Cards,
    ctftime: SharedCell<Body>,
    /// CTFtime feeds of the divisions, in their order.
    division_feeds: Vec<SharedCell<Body>>,
    notices: SharedCell<Body>,
    pub(super) made: Instant,
}

/// The public board and a fold at least as new, used to answer one viewer. From the fold, only the
/// viewer's own data may be used.
pub struct View {
    pub published: Arc<Published>,
    pub contest: Arc<Contest>,
    pub(super) team: Option<TeamId>,
}

/// The board of a hidden team, visible only to that team.
pub struct HiddenBoard {
    pub(super) public_seq: u64,
    pub(super) team: Arc<Team>,
    pub board: Board,
    pub body: Body,
}

/// Public sequence numbers that a board must include to be fresh.
#[derive(Clone, Copy)]
pub struct Due {
    /// Number of the last change.
    pub seq: u64,
    /// Number of the last change that needs a snapshot. A board without it is never fresh.
    pub snapshot_seq: u64,
}

impl Published {
    /// Serializes the board. `cursor` is the index of its last public frame.
    pub fn new(generation: &str, contest: Arc<Contest>, board: Board, cursor: u64) -> Self {
        let body = snapshot(generation, &contest, &board);
        let cards = Cards::default();
        let ctftime = SharedCell::default();
        let division_feeds = contest.divisions().iter().map(|_| SharedCell::default()).collect();
        let notices = SharedCell::default();
        Self {
            contest,
            board,
            cursor,
            body,
            cards,
            ctftime,
            division_feeds,
            notices,
            made: Instant::now(),
        }
    }

    /// True if the board includes the public change `seq`.
    pub fn has(&self, seq: u64) -> bool {
        self.contest.public_seq() >= seq
    }

    /// True if the board is recent enough for any viewer.
    pub fn is_fresh(&self, due: Due) -> bool {
        self.has(due.seq) || (self.has(due.snapshot_seq) && self.made.elapsed() < STALE_MAX)
    }

    /// True if the board includes the team and all its public solves.
    pub fn has_own(&self, latest: &Contest, id: TeamId) -> bool {
        let Some(team) = latest.team(id) else { return true };
        let has_solves = self.contest.seq() >= latest.last_public_solve(team);
        has_solves && self.contest.team(id).is_some()
    }

    /// The CTFtime feed.
    pub async fn ctftime(self: &Arc<Self>) -> &Body {
        let published = self.clone();
        let feed = move || Body::new(json(&Ctftime { board: &published.board, members: None }));
        self.ctftime.get_or_init(feed).await
    }

    /// The CTFtime feed of a public division; `None` if there is no such division.
    pub async fn division_feed(self: &Arc<Self>, division: &str) -> Option<&Body> {
        let divisions = self.contest.divisions();
        let index = divisions.iter().position(|it| it.id.as_str() == division)?;
        let (published, division) = (self.clone(), division.to_owned());
        let feed = move || {
            let members = published.board.members(&division);
            Body::new(json(&Ctftime { board: &published.board, members: Some(&members) }))
        };
        Some(self.division_feeds[index].get_or_init(feed).await)
    }

    /// The notice list, shared by all viewers.
    pub async fn notices(self: &Arc<Self>) -> &Body {
        let published = self.clone();
        self.notices.get_or_init(move || Body::new(json(&Notices(&published.contest)))).await
    }
}

impl View {
    /// Creates a view that uses the board's own fold.
    pub fn from_published(published: &Arc<Published>, team: Option<TeamId>) -> Self {
        Self { contest: published.contest.clone(), published: published.clone(), team }
    }

    /// A team's challenge list as JSON.
    pub fn cards(&self, reader: &CardReader<'_>) -> Pieces {
        self.published.cards.list(&self.published.board, &self.contest, reader)
    }

    /// Frames of the solves and of the award that only the viewer's team can see.
    pub fn own(&self) -> Vec<Bytes> {
        let Some(team) = self.team else { return Vec::new() };
        wire::own_changes(&self.contest, team).iter().map(|change| json(change).into()).collect()
    }

    /// The row of the named team as the viewer sees it. If the viewer is a hidden team, use its
    /// [`HiddenBoard`] instead.
    pub fn ranked_row(&self, name: &str) -> Option<RankedRow<'_>> {
        view::ranked_row(&self.published.board, &self.contest, self.team, name)
    }
}

pub fn snapshot(generation: &str, contest: &Contest, board: &Board) -> Body {
    let seq = contest.public_seq();
    Body::new(json(&Snapshot { board, seq, generation }))
}

fn json(value: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(value).expect("snapshots are plain data")
}
