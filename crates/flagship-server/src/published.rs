//! What readers are served: the public board, made a few times a second at most and serialised and
//! compressed once for everybody, and the newest fold for what is a viewer's own.
//!
//! Whether a board is fresh depends on the public stream alone. What the freeze hides, or players
//! may not know of yet, makes no board stale: it sends no reader another way.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use arc_swap::ArcSwap;
use bytes::Bytes;
use flagship_game::contest::{Change, Contest, Team};
use flagship_game::wire::{Ctftime, Snapshot};
use flagship_game::{Board, RankedRow, TeamId, Viewer, view};
use parking_lot::{Mutex, RwLock};
use serde::Serialize;
use tokio::sync::OnceCell;

use crate::body::{Body, End};
use crate::cards::Cards;
use crate::hub::Hub;

/// How old a board may be while solves keep coming.
const STALE_MAX: Duration = Duration::from_millis(100);
/// Changes that a board is brought up to date with; after more it is folded anew.
const PENDING_MAX: usize = 8192;

/// A board that was published, and the fold it was made from.
pub struct Published {
    /// The fold.
    pub contest: Arc<Contest>,
    /// The public board of it.
    pub board: Board,
    /// The place of the last public frame that is in it.
    pub cursor: u64,
    /// Its snapshot.
    pub body: Body,
    /// What teams' lists of challenges are made from.
    pub cards: Cards,
    ctftime: OnceCell<Body>,
    made: Instant,
}

/// What one viewer is answered from: the public board and a fold that is not older. Of the fold
/// only the viewer's own part may be looked at.
pub struct View {
    /// The board.
    pub published: Arc<Published>,
    /// The fold.
    pub contest: Arc<Contest>,
    /// The viewer, if it is a team.
    team: Option<TeamId>,
}

/// The board of a hidden team, which is in nobody else's.
pub struct HiddenBoard {
    public_seq: u64,
    team: Arc<Team>,
    /// The board.
    pub board: Board,
    /// Its snapshot.
    pub body: Body,
}

/// How far a board has to have come in the public stream.
#[derive(Clone, Copy)]
struct Due {
    /// Number of the last change.
    seq: u64,
    /// Number of the last one that deltas cannot say: no board before it is fresh.
    snapshot_seq: u64,
}

/// The newest fold.
struct Latest {
    contest: Arc<Contest>,
    due: Due,
}

/// What is due, for those who look at nothing else. It lies apart and is written by public changes
/// alone: after what is hidden, a reader finds it where it was.
#[repr(align(128))]
struct PublicDue {
    seq: AtomicU64,
    snapshot_seq: AtomicU64,
}

/// The way from the lane to the readers.
pub struct Feed {
    generation: String,
    latest: ArcSwap<Latest>,
    due: Box<PublicDue>,
    pending: Mutex<Pending>,
    keeper: Mutex<Board>,
    /// Held by the one who waits for a fresh board on behalf of all who do.
    turn: tokio::sync::Mutex<()>,
    published: ArcSwap<Published>,
    /// The folds with what teams did unseen by others since the published one, each by its team: a
    /// team's answer reads its own, and never what others' hidden entries have just written.
    own: RwLock<HashMap<TeamId, Arc<Contest>>>,
    hidden: Mutex<HashMap<TeamId, Arc<HiddenBoard>>>,
    /// Held by the one who has a hidden team's board made.
    hidden_turn: tokio::sync::Mutex<()>,
    /// The live channel's frames.
    pub hub: Hub,
}

/// Public changes that are in no board yet.
#[derive(Default)]
struct Pending {
    changes: Vec<Change>,
    cursor: u64,
}

impl Feed {
    /// Starts with a fold that was read from the journal.
    pub fn new(generation: &str, contest: &Contest) -> Self {
        let board = view::board(contest, Viewer::Public);
        let contest = Arc::new(contest.clone());
        let published = make(generation, contest.clone(), board.clone(), 0);
        let due = Due { seq: contest.public_seq(), snapshot_seq: 0 };
        Self {
            generation: generation.to_owned(),
            latest: ArcSwap::from_pointee(Latest { contest, due }),
            due: Box::new(PublicDue { seq: due.seq.into(), snapshot_seq: 0.into() }),
            pending: Mutex::default(),
            keeper: Mutex::new(board),
            turn: tokio::sync::Mutex::default(),
            published: ArcSwap::from_pointee(published),
            own: RwLock::default(),
            hidden: Mutex::default(),
            hidden_turn: tokio::sync::Mutex::default(),
            hub: Hub::new(due.seq),
        }
    }

    /// Which journal this is.
    pub fn generation(&self) -> &str {
        &self.generation
    }

    /// The newest fold.
    pub fn latest(&self) -> Arc<Contest> {
        self.latest.load().contest.clone()
    }

    /// Takes what the lane has just made durable; `hub.wake` tells those who watch.
    pub fn publish(&self, contest: &Contest, changes: Vec<Change>) {
        let mut pending = self.pending.lock();
        let snapshot_seq = changes.iter().rev().find_map(|change| match change {
            Change::Snapshot { seq } => Some(*seq),
            _ => None,
        });
        let snapshot_seq = snapshot_seq.unwrap_or(self.latest.load().due.snapshot_seq);
        let contest = Arc::new(contest.clone());
        let own: Vec<_> = changes.iter().filter_map(own_team).collect();
        if !own.is_empty() {
            self.own.write().extend(own.into_iter().map(|team| (team, contest.clone())));
        }
        self.adopt(contest.clone(), snapshot_seq);
        // Last, so that whoever is sent a frame finds what it speaks of.
        pending.cursor = self.hub.push(&contest, &changes);
        pending.changes.extend(changes.into_iter().filter(is_public));
        if pending.changes.len() > PENDING_MAX {
            // Nobody asks for a board: the next one is folded anew.
            pending.changes = vec![Change::Snapshot { seq: contest.public_seq() }];
        }
    }

    fn adopt(&self, contest: Arc<Contest>, snapshot_seq: u64) {
        let due = Due { seq: contest.public_seq(), snapshot_seq };
        self.latest.store(Arc::new(Latest { contest, due }));
        if self.due.seq.load(Ordering::SeqCst) != due.seq {
            self.due.snapshot_seq.store(due.snapshot_seq, Ordering::SeqCst);
            self.due.seq.store(due.seq, Ordering::SeqCst);
        }
    }

    /// Takes a fold that does not follow from the one before.
    pub fn replace(&self, contest: &Contest) {
        let mut board = self.keeper.lock();
        {
            let mut pending = self.pending.lock();
            *board = view::board(contest, Viewer::Public);
            let (contest, seq) = (Arc::new(contest.clone()), contest.public_seq());
            self.adopt(contest.clone(), seq);
            pending.cursor = self.hub.push(&contest, &[Change::Snapshot { seq }]);
            pending.changes.clear();
            let made = make(&self.generation, contest, board.clone(), pending.cursor);
            self.published.store(Arc::new(made));
            self.own.write().clear();
            self.hidden.lock().clear();
        }
        self.hub.wake();
    }

    /// What a viewer is answered from: fresh enough for everyone and, for a team, with the team
    /// itself and all that it did.
    pub async fn view(self: &Arc<Self>, team: Option<TeamId>) -> View {
        self.fresh(team, 0).await
    }

    /// The same, unless a board has to be made first.
    pub fn view_already(&self, team: Option<TeamId>) -> Option<View> {
        self.already(team, 0)
    }

    /// A board with everything public up to this moment.
    pub async fn published_now(self: &Arc<Self>) -> Arc<Published> {
        let seq = self.due.seq.load(Ordering::SeqCst);
        self.fresh(None, seq).await.published
    }

    /// The newest fold as far as its public part goes.
    pub fn contest(&self) -> Arc<Contest> {
        let published = self.published.load();
        if published.has(self.public_due().seq) { published.contest.clone() } else { self.latest() }
    }

    /// The newest fold as far as a team's own part of it goes.
    pub fn contest_of(&self, team: TeamId) -> Arc<Contest> {
        let (due, published) = (self.public_due(), self.published.load());
        if published.has(due.seq) { self.own_contest(&published, team) } else { self.latest() }
    }

    /// The same where the board has everything public.
    fn own_contest(&self, published: &Published, team: TeamId) -> Arc<Contest> {
        let own = self.own.read().get(&team).cloned();
        let newer = own.filter(|own| own.seq() > published.contest.seq());
        newer.unwrap_or_else(|| published.contest.clone())
    }

    fn public_due(&self) -> Due {
        Due {
            seq: self.due.seq.load(Ordering::SeqCst),
            snapshot_seq: self.due.snapshot_seq.load(Ordering::SeqCst),
        }
    }

    fn already(&self, team: Option<TeamId>, seq_min: u64) -> Option<View> {
        let (due, published) = (self.public_due(), self.published.load());
        if !published.has(seq_min) || !published.is_fresh(due) {
            return None;
        }
        let contest = match team {
            None => published.contest.clone(),
            Some(id) if published.has(due.seq) => self.own_contest(&published, id),
            Some(id) => {
                let latest = self.latest();
                let is_newer = published.contest.seq() > latest.seq();
                let contest = if is_newer { published.contest.clone() } else { latest };
                Some(contest).filter(|contest| published.has_own(contest, id))?
            }
        };
        Some(View { contest, published: published.clone(), team })
    }

    async fn fresh(self: &Arc<Self>, team: Option<TeamId>, seq_min: u64) -> View {
        if let Some(view) = self.already(team, seq_min) {
            return view;
        }
        let _turn = self.turn.lock().await;
        if let Some(view) = self.already(team, seq_min) {
            return view;
        }
        let feed = self.clone();
        let refresh = tokio::task::spawn_blocking(move || feed.refresh());
        // A panic is reported where it happened; the board before it is still a board.
        drop(refresh.await);
        // Where more has come meanwhile, this was everything a moment ago.
        let made = || View::of(&self.published.load(), team);
        self.already(team, seq_min).unwrap_or_else(made)
    }

    /// Brings the kept board up to date, one caller at a time.
    fn refresh(&self) {
        let mut board = self.keeper.lock();
        let (latest, changes, cursor) = {
            let mut pending = self.pending.lock();
            (self.latest(), std::mem::take(&mut pending.changes), pending.cursor)
        };
        if latest.public_seq() == self.published.load().contest.public_seq() {
            return;
        }
        let advanced = changes.iter().all(|change| view::advance(&mut board, &latest, change));
        if !advanced {
            *board = view::board(&latest, Viewer::Public);
        }
        let seq = latest.seq();
        let made = make(&self.generation, latest, board.clone(), cursor);
        self.published.store(Arc::new(made));
        self.own.write().retain(|_, own| own.seq() > seq);
    }

    /// The board of a viewer that is a hidden team, made once for each public change and change of
    /// its own, one at a time; `None` for all others.
    pub async fn hidden(self: &Arc<Self>, view: &View) -> Option<Arc<HiddenBoard>> {
        let id = view.team?;
        let team = view.contest.team(id).filter(|team| team.hidden && !team.banned)?.clone();
        let published = &view.published.contest;
        // The published fold serves as long as it has all of the team's own.
        let is_there = published.team(id) == Some(&team);
        let contest = if is_there { published.clone() } else { view.contest.clone() };
        let seq = contest.public_seq();
        let is_it = |it: &&Arc<HiddenBoard>| it.public_seq == seq && it.team == team;
        let already = || self.hidden.lock().get(&id).filter(is_it).cloned();
        if let Some(made) = already() {
            return Some(made);
        }
        let _turn = self.hidden_turn.lock().await;
        if let Some(made) = already() {
            return Some(made);
        }
        let feed = self.clone();
        let making = tokio::task::spawn_blocking(move || {
            let board = view::board(&contest, Viewer::Team(id));
            let body = snapshot(&feed.generation, &contest, &board);
            let made = Arc::new(HiddenBoard { public_seq: seq, team, board, body });
            let mut hidden = feed.hidden.lock();
            hidden.retain(|id, _| contest.team(*id).is_some_and(|team| team.hidden));
            hidden.insert(id, made.clone());
            made
        });
        Some(making.await.expect("making a board does not panic"))
    }
}

/// Whether a change is in the public board.
fn is_public(change: &Change) -> bool {
    match change {
        Change::Solve { seq, .. } => seq.is_some(),
        Change::NewTeam { .. } | Change::Snapshot { .. } => true,
        Change::OwnSnapshot { .. } | Change::Unseen => false,
    }
}

/// The team that alone sees a change.
fn own_team(change: &Change) -> Option<TeamId> {
    match change {
        Change::Solve { seq: None, team, .. } | Change::OwnSnapshot { team } => Some(*team),
        _ => None,
    }
}

impl Published {
    /// Whether it has come so far in the public stream.
    fn has(&self, seq: u64) -> bool {
        self.contest.public_seq() >= seq
    }

    /// Whether it may be shown to anyone.
    fn is_fresh(&self, due: Due) -> bool {
        self.has(due.seq) || (self.has(due.snapshot_seq) && self.made.elapsed() < STALE_MAX)
    }

    /// Whether a team is in it, and all that it did in public.
    fn has_own(&self, latest: &Contest, id: TeamId) -> bool {
        let Some(team) = latest.team(id) else { return true };
        let has_solves = self.contest.seq() >= latest.last_public_solve(team);
        has_solves && self.contest.team(id).is_some()
    }

    /// CTFtime's feed.
    pub async fn ctftime(self: &Arc<Self>) -> &Body {
        let making = || async {
            let published = self.clone();
            let making =
                tokio::task::spawn_blocking(move || Body::new(json(&Ctftime(&published.board))));
            making.await.expect("writing a feed does not panic")
        };
        self.ctftime.get_or_init(making).await
    }
}

impl View {
    fn of(published: &Arc<Published>, team: Option<TeamId>) -> Self {
        Self { contest: published.contest.clone(), published: published.clone(), team }
    }

    /// What a team sees beside the public board, as frames of its own solves.
    pub fn own(&self) -> Vec<Bytes> {
        let Some(team) = self.team else { return Vec::new() };
        view::own_solves(&self.contest, team).iter().map(|solve| json(solve).into()).collect()
    }

    /// A team's row by its name, with what the viewer sees beside the public; a viewer that is a
    /// hidden team has a board of its own.
    pub fn ranked_row(&self, name: &str) -> Option<RankedRow<'_>> {
        view::ranked_row(&self.published.board, &self.contest, self.team, name)
    }

    /// How the public snapshot ends for a team that sees more: its own solves in a last member.
    pub fn own_end(&self) -> Option<End> {
        let own = view::own_solves(&self.contest, self.team?);
        if own.is_empty() {
            return None;
        }
        let end = format!(",\"own\":{}}}", String::from_utf8_lossy(&json(&own)));
        Some(self.published.body.end(end.into_bytes()))
    }
}

fn make(generation: &str, contest: Arc<Contest>, board: Board, cursor: u64) -> Published {
    let body = snapshot(generation, &contest, &board);
    let (cards, ctftime) = (Cards::default(), OnceCell::new());
    Published { contest, board, cursor, body, cards, ctftime, made: Instant::now() }
}

fn snapshot(generation: &str, contest: &Contest, board: &Board) -> Body {
    let seq = contest.public_seq();
    Body::new(json(&Snapshot { board, seq, generation }))
}

fn json(value: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(value).expect("what is sent is plain data")
}

#[cfg(test)]
mod tests {
    use flagship_control::control;
    use flagship_game::entry::{Fact, Phase};
    use flagship_game::{Challenge, ChallengeId, Entry, Event, Reveal, Scoring};

    use super::*;

    fn event() -> Fact {
        let (name, timezone) = (String::new(), "UTC".to_owned());
        let (start_ms, freeze_ms, end_ms) = (Some(0), Some(1), None);
        let (flag_format, rules, reveal) = (String::new(), String::new(), Reveal::Manual);
        let event =
            Event { name, start_ms, end_ms, freeze_ms, reveal, timezone, flag_format, rules };
        Fact::Event { event }
    }

    fn challenge() -> Fact {
        let challenge = Challenge {
            id: ChallengeId::from_name("a"),
            name: "a".to_owned(),
            scoring: Scoring::Static { max: 1 },
            categories: Vec::new(),
            description: String::new(),
            attachments: Vec::new(),
            requirements: Vec::new(),
            position: None,
        };
        Fact::Challenge { challenge }
    }

    fn joins(id: i64) -> Fact {
        Fact::Team { team: TeamId(id), name: format!("Team {id}"), country: "UN".to_owned() }
    }

    #[test]
    fn changes_that_nobody_asks_for_are_not_kept() {
        let mut contest = Contest::default();
        let feed = Feed::new("generation", &contest);
        for id in 1..=PENDING_MAX as i64 + 10 {
            let entry = Entry { seq: id, at_ms: 1, fact: joins(id) };
            let change = contest.fold(&entry).expect("it follows");
            feed.publish(&contest, vec![change]);
        }
        let kept = feed.pending.lock().changes.len();
        assert!(kept <= 10, "{kept} changes");
        feed.refresh();
        let made = feed.published.load();
        assert_eq!(made.board.rows().count(), PENDING_MAX + 10, "no team is lost");
    }

    #[test]
    fn what_the_freeze_hides_makes_no_board_stale() {
        let mut contest = Contest::default();
        let mut fold = |fact| {
            let entry = Entry { seq: contest.seq() + 1, at_ms: 1, fact };
            let change = contest.fold(&entry).expect("it follows");
            (contest.clone(), change)
        };
        for fact in [event(), Fact::Phase { phase: Phase::Start }, challenge(), joins(1)] {
            fold(fact);
        }
        let (contest, _) = fold(Fact::Phase { phase: Phase::Freeze });
        let feed = Feed::new("generation", &contest);
        let before = feed.published.load_full();

        let solve = Fact::Solve { team: TeamId(1), challenge: ChallengeId::from_name("a") };
        let words = "all that it may look at";
        let is_wrong = control("what_the_freeze_hides_makes_no_board_stale", words);
        let solver = TeamId(if is_wrong { 2 } else { 1 });
        let (contest, change) = fold(solve);
        feed.publish(&contest, vec![change]);
        for viewer in [None, Some(TeamId(1)), Some(TeamId(2))] {
            let view = feed.view_already(viewer).expect("nobody goes another way");
            assert!(Arc::ptr_eq(&view.published, &before));
            let is_own = viewer == Some(solver);
            let newest = if is_own { contest.seq() } else { before.contest.seq() };
            assert_eq!(view.contest.seq(), newest, "all that it may look at, and no more");
            assert_eq!(view.own_end().is_some(), is_own, "its own");
        }
        assert!(feed.pending.lock().changes.is_empty(), "nothing waits for a new board");

        let (contest, change) = fold(joins(2));
        feed.publish(&contest, vec![change]);
        feed.refresh();
        let public = feed.published.load_full();
        assert!(public.made > before.made && public.body.plain != before.body.plain);
    }
}
