//! What readers are served: the public board, made again at most every 100 ms for solves and new
//! teams, and at once where a snapshot is needed; and a fold for a viewer's own part.
//!
//! Only public changes make a board stale. Changes that the freeze hides, or that concern
//! challenges players may not know of yet, do not, so that no reader can notice them by a
//! response time.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use arc_swap::ArcSwap;
use flagship_game::contest::{Contest, Team};
use flagship_game::facts::news::{self, Change, News};
use flagship_game::{Board, TeamId, Viewer, view};
use parking_lot::{Mutex, RwLock};

use super::hub::Hub;
use super::published::{Due, HiddenBoard, Published, View, snapshot};
use crate::net::work::finish;

/// Most changes that are kept to update a board; with more, it is computed anew from the fold.
const PENDING_MAX: usize = 8192;

/// [`Due`] of the newest fold. Only public changes write to its cache line, so that hidden changes
/// do not evict it from the readers' caches.
#[repr(align(128))]
struct PublicDue {
    seq: AtomicU64,
    snapshot_seq: AtomicU64,
}

/// Hands the folds from the lane to the readers.
pub struct Feed {
    generation: String,
    latest: ArcSwap<Contest>,
    public_due: Box<PublicDue>,
    /// The public number of the last change of a notice.
    notices_seq: AtomicU64,
    pending: Mutex<Pending>,
    /// The board that `refresh` updates in place.
    working_board: Mutex<Board>,
    /// Held by the reader that is making a board. Readers that waited for the lock use that board.
    making: tokio::sync::Mutex<()>,
    published: ArcSwap<Published>,
    /// The board with what the freeze hides, as an organizer last saw it.
    truth: Mutex<Option<Arc<Board>>>,
    /// For each team, the fold after its last hidden change, if that is newer than the published
    /// board. While that board has all public changes, responses to a team read this fold, not
    /// `latest`, which other teams' hidden changes also write.
    own_folds: RwLock<HashMap<TeamId, Arc<Contest>>>,
    hidden_boards: Mutex<HashMap<TeamId, Arc<HiddenBoard>>>,
    /// Held by the reader that is making a hidden team's board.
    making_hidden: tokio::sync::Mutex<()>,
    /// The live channel's frames.
    pub hub: Hub,
}

/// Changes that the boards do not include yet; for the published one the public ones.
#[derive(Default)]
struct Pending {
    changes: Vec<Change>,
    /// All changes since an organizer's board; `None` if that has to be computed anew.
    of_truth: Option<Vec<Change>>,
    /// The index of the last public frame in the hub.
    cursor: u64,
}

impl Feed {
    /// A feed that starts with a fold of the journal.
    pub fn new(generation: &str, contest: &Contest) -> Self {
        let board = view::board(contest, Viewer::Public);
        let contest = Arc::new(contest.clone());
        let published = Published::new(generation, contest.clone(), board.clone(), 0);
        let seq = contest.public_seq();
        Self {
            generation: generation.to_owned(),
            latest: ArcSwap::new(contest),
            public_due: Box::new(PublicDue { seq: seq.into(), snapshot_seq: 0.into() }),
            notices_seq: 0.into(),
            pending: Mutex::default(),
            working_board: Mutex::new(board),
            making: tokio::sync::Mutex::default(),
            published: ArcSwap::from_pointee(published),
            truth: Mutex::default(),
            own_folds: RwLock::default(),
            hidden_boards: Mutex::default(),
            making_hidden: tokio::sync::Mutex::default(),
            hub: Hub::new(seq),
        }
    }

    /// The journal's generation.
    pub fn generation(&self) -> &str {
        &self.generation
    }

    /// The newest fold.
    pub fn latest(&self) -> Arc<Contest> {
        self.latest.load_full()
    }

    /// Adopts the fold of durable entries. The caller wakes the sockets with `hub.wake`, after its
    /// replies.
    pub fn publish(&self, contest: &Contest, changes: Vec<Change>) {
        let mut pending = self.pending.lock();
        let last = |is_it: fn(&News) -> bool| {
            changes.iter().rev().find_map(|change| match change {
                Change::Public { seq, news } if is_it(news) => Some(*seq),
                _ => None,
            })
        };
        let snapshot_seq = last(|news| matches!(news, News::Snapshot));
        let snapshot_seq = snapshot_seq.unwrap_or(self.public_due().snapshot_seq);
        let notice = last(|news| matches!(news, News::Notice { .. }));
        let contest = Arc::new(contest.clone());
        let teams: Vec<_> = changes.iter().filter_map(Change::own_team).collect();
        if !teams.is_empty() {
            self.own_folds.write().extend(teams.into_iter().map(|team| (team, contest.clone())));
        }
        self.adopt(contest.clone(), snapshot_seq);
        if let Some(seq) = notice {
            self.notices_seq.fetch_max(seq, Ordering::SeqCst);
        }
        // Frames are pushed after the fold is stored, so that whoever reads a frame finds the fold
        // it refers to.
        pending.cursor = self.hub.push(&contest, &changes);
        if let Some(of_truth) = &mut pending.of_truth {
            of_truth.extend_from_slice(&changes);
        }
        // Nobody has asked for so long.
        pending.of_truth.take_if(|changes| changes.len() > PENDING_MAX);
        let is_public = |change: &Change| change.public_seq().is_some();
        pending.changes.extend(changes.into_iter().filter(is_public));
        if pending.changes.len() > PENDING_MAX {
            // For so many changes nobody has requested a board. They are dropped, and this one
            // makes `refresh` compute the board from the fold.
            let seq = contest.public_seq();
            pending.changes = vec![Change::Public { seq, news: News::Snapshot }];
        }
    }

    fn adopt(&self, contest: Arc<Contest>, snapshot_seq: u64) {
        let seq = contest.public_seq();
        self.latest.store(contest);
        if self.public_due.seq.load(Ordering::SeqCst) != seq {
            self.public_due.snapshot_seq.store(snapshot_seq, Ordering::SeqCst);
            self.public_due.seq.store(seq, Ordering::SeqCst);
        }
    }

    /// Adopts a fold that does not follow from the previous one and makes its board at once; used
    /// when the kept fold was wrong. Wakes the sockets itself.
    pub fn replace(&self, contest: &Contest) {
        let mut board = self.working_board.lock();
        {
            let mut pending = self.pending.lock();
            *board = view::board(contest, Viewer::Public);
            let (contest, seq) = (Arc::new(contest.clone()), contest.public_seq());
            self.adopt(contest.clone(), seq);
            let change = Change::Public { seq, news: News::Snapshot };
            pending.cursor = self.hub.push(&contest, &[change]);
            pending.changes.clear();
            pending.of_truth = None;
            let made = Published::new(&self.generation, contest, board.clone(), pending.cursor);
            self.published.store(Arc::new(made));
            self.own_folds.write().clear();
            self.hidden_boards.lock().clear();
        }
        self.hub.wake();
    }

    /// The view of a viewer. Its board is fresh and, for a team, has that team's row and all its
    /// public solves.
    pub async fn view(self: &Arc<Self>, team: Option<TeamId>) -> View {
        self.fresh(team, 0).await
    }

    /// The view of a viewer, unless a board must be made first.
    pub fn cached_view(&self, team: Option<TeamId>) -> Option<View> {
        self.cached(team, 0)
    }

    /// A board with all changes that were public when this was called.
    pub async fn board_of_now(self: &Arc<Self>) -> Arc<Published> {
        let seq = self.public_due.seq.load(Ordering::SeqCst);
        self.fresh(None, seq).await.published
    }

    /// A board that has all notices which were published when this was called: the list of notices
    /// is never older than a live frame.
    pub async fn board_with_notices(self: &Arc<Self>) -> Arc<Published> {
        let seq = self.notices_seq.load(Ordering::SeqCst);
        self.fresh(None, seq).await.published
    }

    /// A fold whose public part is the newest; nothing else in it may be used.
    pub fn contest(&self) -> Arc<Contest> {
        let published = self.published.load();
        if published.has(self.public_due().seq) { published.contest.clone() } else { self.latest() }
    }

    /// A fold whose part of this team is the newest; nothing else in it may be used.
    pub fn contest_of(&self, team: TeamId) -> Arc<Contest> {
        let (due, published) = (self.public_due(), self.published.load());
        if published.has(due.seq) { self.own_contest(&published, team) } else { self.latest() }
    }

    /// `contest_of`, for a board that has all public changes.
    fn own_contest(&self, published: &Published, team: TeamId) -> Arc<Contest> {
        let own = self.own_folds.read().get(&team).cloned();
        let newer = own.filter(|own| own.seq() > published.contest.seq());
        newer.unwrap_or_else(|| published.contest.clone())
    }

    fn public_due(&self) -> Due {
        Due {
            seq: self.public_due.seq.load(Ordering::SeqCst),
            snapshot_seq: self.public_due.snapshot_seq.load(Ordering::SeqCst),
        }
    }

    fn cached(&self, team: Option<TeamId>, seq_min: u64) -> Option<View> {
        let (due, published) = (self.public_due(), self.published.load());
        if !published.has(seq_min) || !published.is_fresh(due) {
            return None;
        }
        let contest = match team {
            None => published.contest.clone(),
            Some(id) if published.has(due.seq) => self.own_contest(&published, id),
            Some(id) => {
                let latest = self.latest();
                let is_published_newer = published.contest.seq() > latest.seq();
                let contest = if is_published_newer { published.contest.clone() } else { latest };
                Some(contest).filter(|contest| published.has_own(contest, id))?
            }
        };
        Some(View { contest, published: published.clone(), team })
    }

    async fn fresh(self: &Arc<Self>, team: Option<TeamId>, seq_min: u64) -> View {
        if let Some(view) = self.cached(team, seq_min) {
            return view;
        }
        let feed = self.clone();
        finish(async move { feed.refreshed(team, seq_min).await }).await
    }

    /// `fresh`, if the board is not in time.
    async fn refreshed(self: &Arc<Self>, team: Option<TeamId>, seq_min: u64) -> View {
        let _making = self.making.lock().await;
        if let Some(view) = self.cached(team, seq_min) {
            return view;
        }
        let feed = self.clone();
        let refresh = tokio::task::spawn_blocking(move || feed.refresh());
        // The panic was logged where it happened; the published board is unchanged.
        drop(refresh.await);
        // `cached` is `None` again if changes arrived meanwhile. This board will do: it was
        // complete when `refresh` began.
        let made = || View::of(&self.published.load(), team);
        self.cached(team, seq_min).unwrap_or_else(made)
    }

    /// Updates and publishes the board, one caller at a time.
    fn refresh(&self) {
        let mut board = self.working_board.lock();
        let (latest, changes, cursor) = {
            let mut pending = self.pending.lock();
            (self.latest(), std::mem::take(&mut pending.changes), pending.cursor)
        };
        if latest.public_seq() == self.published.load().contest.public_seq() {
            return;
        }
        if !news::advance(&mut board, &latest, &changes) {
            *board = view::board(&latest, Viewer::Public);
        }
        let seq = latest.seq();
        let made = Published::new(&self.generation, latest, board.clone(), cursor);
        self.published.store(Arc::new(made));
        self.own_folds.write().retain(|_, own| own.seq() > seq);
    }

    /// The newest board with what the freeze hides, for organizers, and its fold. Blocks: it takes
    /// long for the first one.
    pub fn truth(&self) -> (Arc<Contest>, Arc<Board>) {
        let mut kept = self.truth.lock();
        let (latest, changes) = {
            let mut pending = self.pending.lock();
            (self.latest(), pending.of_truth.replace(Vec::new()))
        };
        // What is taken is missing after a panic, and is then computed anew.
        let advanced = kept.take().zip(changes).and_then(|(mut board, changes)| {
            let is_same = changes.is_empty();
            let advance = |board| news::advance_truth(board, &latest, &changes);
            (is_same || advance(Arc::make_mut(&mut board))).then_some(board)
        });
        let board = advanced.unwrap_or_else(|| Arc::new(view::board(&latest, Viewer::Organizer)));
        *kept = Some(board.clone());
        (latest, board)
    }

    /// The board of a viewer that is a hidden team; `None` for other viewers. At most one is made
    /// for each public change and each change of the team, on request; only one board of any hidden
    /// team is made at a time.
    pub async fn hidden(self: &Arc<Self>, view: &View) -> Option<Arc<HiddenBoard>> {
        let id = view.team?;
        let team = view.contest.team(id).filter(|team| team.hidden && !team.banned)?.clone();
        let published = &view.published.contest;
        // The published fold will do if the team is the same in it as in the view's.
        let is_published = published.team(id) == Some(&team);
        let contest = if is_published { published.clone() } else { view.contest.clone() };
        let seq = contest.public_seq();
        if let Some(made) = self.cached_hidden(id, &team, seq) {
            return Some(made);
        }
        let feed = self.clone();
        Some(finish(async move { feed.made_hidden(id, team, contest).await }).await)
    }

    fn cached_hidden(&self, id: TeamId, team: &Team, seq: u64) -> Option<Arc<HiddenBoard>> {
        let boards = self.hidden_boards.lock();
        let made = boards.get(&id)?;
        (made.public_seq == seq && *made.team == *team).then(|| made.clone())
    }

    /// The board of a hidden team, which is made unless another caller has done so.
    async fn made_hidden(
        self: &Arc<Self>,
        id: TeamId,
        team: Arc<Team>,
        contest: Arc<Contest>,
    ) -> Arc<HiddenBoard> {
        let seq = contest.public_seq();
        let _making = self.making_hidden.lock().await;
        if let Some(made) = self.cached_hidden(id, &team, seq) {
            return made;
        }
        let feed = self.clone();
        let making = tokio::task::spawn_blocking(move || {
            let board = view::board(&contest, Viewer::Team(id));
            let body = snapshot(&feed.generation, &contest, &board);
            let made = Arc::new(HiddenBoard { public_seq: seq, team, board, body });
            let mut hidden = feed.hidden_boards.lock();
            hidden.retain(|id, _| contest.team(*id).is_some_and(|team| team.hidden));
            hidden.insert(id, made.clone());
            made
        });
        making.await.expect("making a board does not panic")
    }
}

#[cfg(test)]
mod tests {
    use flagship_control::control;
    use flagship_game::entry::Phase;
    use flagship_game::facts::{self, Fact};
    use flagship_game::{Challenge, ChallengeId, Entry, Event, Reveal, Scoring};

    use super::*;

    fn event() -> Fact {
        let name = String::new();
        let timezone = "UTC".to_owned();
        let start_ms = Some(0);
        let freeze_ms = Some(1);
        let end_ms = None;
        let flag_format = String::new();
        let rules = String::new();
        let reveal = Reveal::Manual;
        let event =
            Event { name, start_ms, end_ms, freeze_ms, reveal, timezone, flag_format, rules };
        Fact::from(facts::Event { event })
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
            hints: Vec::new(),
            connection: None,
            closes_ms: None,
            flag_format: None,
        };
        Fact::from(facts::Challenge { challenge })
    }

    fn joins(id: i64) -> Fact {
        let name = format!("Team {id}");
        let country = "UN".to_owned();
        Fact::from(facts::Team { team: TeamId(id), name, country, hidden: false })
    }

    #[test]
    fn pending_changes_are_bounded_without_readers() {
        let mut contest = Contest::default();
        let feed = Feed::new("generation", &contest);
        for id in 1..=PENDING_MAX as i64 + 10 {
            let entry = Entry { seq: id, at_ms: 1, fact: joins(id) };
            let change = contest.fold(&entry).expect("the entry has the next number");
            feed.publish(&contest, vec![change]);
        }
        let kept = feed.pending.lock().changes.len();
        assert!(kept <= 10, "{kept} changes");
        feed.refresh();
        let made = feed.published.load();
        assert_eq!(made.board.rows().count(), PENDING_MAX + 10, "no team is lost");
    }

    #[test]
    fn hidden_solves_do_not_invalidate_a_board() {
        let mut contest = Contest::default();
        let mut fold = |fact| {
            let entry = Entry { seq: contest.seq() + 1, at_ms: 1, fact };
            let change = contest.fold(&entry).expect("the entry has the next number");
            (contest.clone(), change)
        };
        for fact in
            [event(), Fact::from(facts::Phase { phase: Phase::Start }), challenge(), joins(1)]
        {
            fold(fact);
        }
        let (contest, _) = fold(Fact::from(facts::Phase { phase: Phase::Freeze }));
        let feed = Feed::new("generation", &contest);
        let before = feed.published.load_full();

        let solve =
            Fact::from(facts::Solve { team: TeamId(1), challenge: ChallengeId::from_name("a") });
        let words = "the viewer's newest permitted fold, and no newer one";
        let is_broken_on_purpose = control("hidden_solves_do_not_invalidate_a_board", words);
        let solver = TeamId(if is_broken_on_purpose { 2 } else { 1 });
        let (contest, change) = fold(solve);
        feed.publish(&contest, vec![change]);
        for viewer in [None, Some(TeamId(1)), Some(TeamId(2))] {
            let view = feed.cached_view(viewer).expect("no viewer has to wait for a new board");
            assert!(Arc::ptr_eq(&view.published, &before));
            let is_own = viewer == Some(solver);
            let newest = if is_own { contest.seq() } else { before.contest.seq() };
            assert_eq!(view.contest.seq(), newest, "{words}");
            assert_eq!(!view.own().is_empty(), is_own, "only the solver gets own solves");
        }
        assert!(feed.pending.lock().changes.is_empty(), "nothing waits for a new board");

        let (contest, change) = fold(joins(2));
        feed.publish(&contest, vec![change]);
        feed.refresh();
        let public = feed.published.load_full();
        assert!(public.made > before.made && public.body.plain != before.body.plain);
    }
}
