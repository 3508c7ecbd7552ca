//! Serves the public board and the folds for viewers' own data. The board is rebuilt at most every
//! 100 ms for solves and new teams, and immediately for changes that need a snapshot.
//!
//! Only public changes make a board stale. Changes that the freeze hides, or that concern
//! challenges not yet visible to players, do not, so response times do not reveal them.

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
use crate::net::shared_work::finish;

/// Maximum number of changes kept to update a board. Beyond that, the board is rebuilt from the
/// fold.
const PENDING_MAX: usize = 8192;

/// [`Due`] of the newest fold. Only public changes write to its cache line, so hidden changes do
/// not evict it from the readers' caches.
#[repr(align(128))]
struct PublicDue {
    seq: AtomicU64,
    snapshot_seq: AtomicU64,
}

/// Passes folds from the lane to readers.
pub struct Feed {
    generation: String,
    latest: ArcSwap<Contest>,
    public_due: Box<PublicDue>,
    /// Public number of the last notice change.
    notices_seq: AtomicU64,
    pending: Mutex<Pending>,
    /// Board that `refresh` updates in place.
    working_board: Mutex<Board>,
    /// Held by the reader that builds a board. Readers that waited for the lock use that board.
    build_lock: tokio::sync::Mutex<()>,
    published: ArcSwap<Published>,
    /// Unfrozen board as last requested by an organizer.
    organizer_board: Mutex<Option<Arc<Board>>>,
    /// Fold after each team's last hidden change, if newer than the published board. While that
    /// board has all public changes, responses to a team read this fold. They avoid `latest`, which
    /// other teams' hidden changes also write.
    own_folds: RwLock<HashMap<TeamId, Arc<Contest>>>,
    hidden_boards: Mutex<HashMap<TeamId, Arc<HiddenBoard>>>,
    /// Held by the reader that builds a hidden team's board.
    hidden_build_lock: tokio::sync::Mutex<()>,
    /// Frames of the live channel.
    pub hub: Hub,
}

/// Changes not yet included in the boards. For the published board, only public changes are kept.
#[derive(Default)]
struct Pending {
    changes: Vec<Change>,
    /// All changes since the organizer board was built; `None` if that board must be rebuilt.
    organizer_changes: Option<Vec<Change>>,
    /// Index of the last public frame in the hub.
    cursor: u64,
}

impl Feed {
    /// Creates a feed that starts with the journal's current fold.
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
            build_lock: tokio::sync::Mutex::default(),
            published: ArcSwap::from_pointee(published),
            organizer_board: Mutex::default(),
            own_folds: RwLock::default(),
            hidden_boards: Mutex::default(),
            hidden_build_lock: tokio::sync::Mutex::default(),
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

    /// Publishes a fold whose entries are durable. The caller then sends its replies and wakes the
    /// sockets with `hub.wake`.
    pub fn publish(&self, contest: &Contest, changes: Vec<Change>) {
        let mut pending = self.pending.lock();
        let last = |is_it: fn(&News) -> bool| {
            changes.iter().rev().find_map(|change| match change {
                Change::Public { seq, news } if is_it(news) => Some(*seq),
                _ => None,
            })
        };
        // An award by organizers takes effect at once, although it needs no snapshot.
        let snapshot_seq =
            last(|news| matches!(news, News::Snapshot | News::Award { is_hint: false, .. }));
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
        // Frames are pushed after the fold is stored, so that a reader of a frame always finds the
        // fold it refers to.
        pending.cursor = self.hub.push(&contest, &changes);
        if let Some(organizer_changes) = &mut pending.organizer_changes {
            organizer_changes.extend_from_slice(&changes);
        }
        // No organizer has requested the board for `PENDING_MAX` changes.
        pending.organizer_changes.take_if(|changes| changes.len() > PENDING_MAX);
        let is_public = |change: &Change| change.public_seq().is_some();
        pending.changes.extend(changes.into_iter().filter(is_public));
        if pending.changes.len() > PENDING_MAX {
            // No reader has requested the board for `PENDING_MAX` changes. This single change makes
            // `refresh` rebuild the board from the fold.
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

    /// Publishes a fold that does not follow from the previous one and builds its board
    /// immediately. Used when the state snapshot was wrong. Also wakes the sockets.
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
            pending.organizer_changes = None;
            let made = Published::new(&self.generation, contest, board.clone(), pending.cursor);
            self.published.store(Arc::new(made));
            self.own_folds.write().clear();
            self.hidden_boards.lock().clear();
        }
        self.hub.wake();
    }

    /// Returns a viewer's view. Its board is fresh and, for a team, includes the team's row and all
    /// its public solves.
    pub async fn view(self: &Arc<Self>, team: Option<TeamId>) -> View {
        self.fresh(team, 0).await
    }

    /// Returns a viewer's view, or `None` if a board must be built first.
    pub fn cached_view(&self, team: Option<TeamId>) -> Option<View> {
        self.cached(team, 0)
    }

    /// Returns a board with all changes that were public at the time of the call.
    pub async fn current_board(self: &Arc<Self>) -> Arc<Published> {
        let seq = self.public_due.seq.load(Ordering::SeqCst);
        self.fresh(None, seq).await.published
    }

    /// Returns a board with all notices published at the time of the call, so that the notice list
    /// is never older than a live frame.
    pub async fn board_with_notices(self: &Arc<Self>) -> Arc<Published> {
        let seq = self.notices_seq.load(Ordering::SeqCst);
        self.fresh(None, seq).await.published
    }

    /// Returns a fold whose public part is current. Its other parts must not be used.
    pub fn contest(&self) -> Arc<Contest> {
        let published = self.published.load();
        if published.has(self.public_due().seq) { published.contest.clone() } else { self.latest() }
    }

    /// Returns a fold whose data on this team is current. Its other parts must not be used.
    pub fn team_contest(&self, team: TeamId) -> Arc<Contest> {
        let (due, published) = (self.public_due(), self.published.load());
        if published.has(due.seq) { self.own_contest(&published, team) } else { self.latest() }
    }

    /// `team_contest`, for a board that has all public changes.
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

    /// Slow path of `fresh`: updates the board.
    async fn refreshed(self: &Arc<Self>, team: Option<TeamId>, seq_min: u64) -> View {
        let _making = self.build_lock.lock().await;
        if let Some(view) = self.cached(team, seq_min) {
            return view;
        }
        let feed = self.clone();
        let refresh = tokio::task::spawn_blocking(move || feed.refresh());
        // A panic was already logged. The published board is unchanged then.
        drop(refresh.await);
        // `cached` returns `None` again if changes arrived in the meantime. This board is good
        // enough: it was complete when `refresh` began.
        let made = || View::from_published(&self.published.load(), team);
        self.cached(team, seq_min).unwrap_or_else(made)
    }

    /// Updates and publishes the board. Only one caller runs at a time.
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

    /// Returns the current unfrozen board for organizers, and its fold. Blocking: the first call
    /// takes long.
    pub fn organizer_board(&self) -> (Arc<Contest>, Arc<Board>) {
        let mut stored = self.organizer_board.lock();
        let (latest, changes) = {
            let mut pending = self.pending.lock();
            (self.latest(), pending.organizer_changes.replace(Vec::new()))
        };
        // After a panic the board is missing and gets rebuilt.
        let advanced = stored.take().zip(changes).and_then(|(mut board, changes)| {
            let is_same = changes.is_empty();
            let advance = |board| news::advance_organizers(board, &latest, &changes);
            (is_same || advance(Arc::make_mut(&mut board))).then_some(board)
        });
        let board = advanced.unwrap_or_else(|| Arc::new(view::board(&latest, Viewer::Organizer)));
        *stored = Some(board.clone());
        (latest, board)
    }

    /// Returns the board of a viewer that is a hidden team; `None` for other viewers. Boards are
    /// built on request, one at a time across all hidden teams, and at most once per public change
    /// and per change of the team.
    pub async fn hidden_board(self: &Arc<Self>, view: &View) -> Option<Arc<HiddenBoard>> {
        let id = view.team?;
        let team = view.contest.team(id).filter(|team| team.hidden && !team.banned)?.clone();
        let published = &view.published.contest;
        // The published fold is good enough if it has the same data on the team as the view's fold.
        let is_published = published.team(id) == Some(&team);
        let contest = if is_published { published.clone() } else { view.contest.clone() };
        let seq = contest.public_seq();
        if let Some(made) = self.cached_hidden(id, &team, seq) {
            return Some(made);
        }
        let feed = self.clone();
        Some(finish(async move { feed.build_hidden(id, team, contest).await }).await)
    }

    fn cached_hidden(&self, id: TeamId, team: &Team, seq: u64) -> Option<Arc<HiddenBoard>> {
        let boards = self.hidden_boards.lock();
        let made = boards.get(&id)?;
        (made.public_seq == seq && *made.team == *team).then(|| made.clone())
    }

    /// Returns a hidden team's board, and builds it unless another caller has done so.
    async fn build_hidden(
        self: &Arc<Self>,
        id: TeamId,
        team: Arc<Team>,
        contest: Arc<Contest>,
    ) -> Arc<HiddenBoard> {
        let seq = contest.public_seq();
        let _making = self.hidden_build_lock.lock().await;
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
        let event = Event {
            name,
            start_ms,
            end_ms,
            freeze_ms,
            reveal,
            timezone,
            flag_format,
            rules,
            hint_debt: false,
            practice: false,
            divisions: Vec::new(),
        };
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
            rules: Default::default(),
            labels: Default::default(),
        };
        Fact::from(facts::Challenge { challenge })
    }

    fn joins(id: i64) -> Fact {
        let name = format!("Team {id}");
        let country = "UN".to_owned();
        Fact::from(facts::Team {
            team: TeamId(id),
            name,
            country,
            hidden: false,
            divisions: vec![],
        })
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
