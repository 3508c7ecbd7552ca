//! What readers are served: the newest fold, and the public board made from it a few times a
//! second at most, serialised and compressed once for everybody.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant};

use arc_swap::{ArcSwap, Guard};
use axum::http::HeaderValue;
use bytes::Bytes;
use data_encoding::HEXLOWER;
use flagship_game::contest::{Change, Contest};
use flagship_game::wire::Snapshot;
use flagship_game::{Board, TeamId, Viewer, view};
use parking_lot::Mutex;
use sha2::{Digest, Sha256};
use tokio::sync::OnceCell;

use crate::cards::Cards;
use crate::deflate;
use crate::hub::Hub;

/// How old a board may be while solves keep coming.
const STALE_MAX: Duration = Duration::from_millis(100);
/// Changes that a board is brought up to date with; after more it is folded anew.
const PENDING_MAX: usize = 8192;
/// Brotli's effort, 0 to 11: the board is compressed anew with each change.
const BROTLI_QUALITY: i32 = 5;

/// A body, its tag, and its compressed forms, each made when it is first asked for.
pub struct Body {
    /// As it is.
    pub plain: Bytes,
    /// A strong tag of the plain bytes, in quotes.
    pub etag: HeaderValue,
    brotli: OnceCell<Bytes>,
    gzip: OnceCell<Bytes>,
    deflate: OnceCell<Bytes>,
}

/// How a body is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// As it is.
    Plain,
    /// Compressed by Brotli.
    Brotli,
    /// Compressed by gzip.
    Gzip,
}

/// A board that was published, and the fold it was made from.
pub struct Published {
    /// The fold.
    pub contest: Contest,
    /// The public board of it.
    pub board: Board,
    /// The live frames that are in it.
    pub cursor: u64,
    /// Its snapshot.
    pub body: Arc<Body>,
    /// What teams' lists of challenges are made from.
    pub cards: Arc<Cards>,
    made: Instant,
}

/// The way from the lane to the readers.
pub struct Feed {
    generation: String,
    latest: ArcSwap<Contest>,
    pending: Mutex<Pending>,
    keeper: Arc<Mutex<Board>>,
    /// Held by the one who waits for a fresh board on behalf of all who do.
    turn: tokio::sync::Mutex<()>,
    published: ArcSwap<Published>,
    /// The entry of the last change that deltas cannot say: no board before it is fresh.
    changed_seq: AtomicI64,
    /// The live channel's frames.
    pub hub: Hub,
}

#[derive(Default)]
struct Pending {
    changes: Vec<Change>,
    cursor: u64,
}

impl Body {
    /// Takes the bytes of a body.
    pub fn new(plain: Vec<u8>) -> Self {
        let etag = etag(&plain);
        let (brotli, gzip, deflate) = (OnceCell::new(), OnceCell::new(), OnceCell::new());
        Self { plain: plain.into(), etag, brotli, gzip, deflate }
    }

    /// One of its forms, if it is there already.
    pub fn ready(&self, form: Form) -> Option<&Bytes> {
        match form {
            Form::Plain => Some(&self.plain),
            Form::Brotli => self.brotli.get(),
            Form::Gzip => self.gzip.get(),
        }
    }

    /// One of its forms, made once, and away from the tasks that serve.
    pub async fn form(&self, form: Form) -> Bytes {
        match form {
            Form::Plain => self.plain.clone(),
            Form::Brotli => self.packed(&self.brotli, brotli).await,
            Form::Gzip => self.packed(&self.gzip, gzip).await,
        }
    }

    /// As it is sent compressed over the live channel, made in the same way.
    pub async fn deflated(&self) -> Bytes {
        self.packed(&self.deflate, deflate::pack).await
    }

    async fn packed(&self, place: &OnceCell<Bytes>, pack: fn(&[u8]) -> Bytes) -> Bytes {
        let packing = || async {
            let plain = self.plain.clone();
            let packing = tokio::task::spawn_blocking(move || pack(&plain));
            packing.await.expect("packing does not panic")
        };
        place.get_or_init(packing).await.clone()
    }
}

/// A strong tag of bytes, in quotes.
pub fn etag(bytes: &[u8]) -> HeaderValue {
    let tag = format!("\"{}\"", &HEXLOWER.encode(&Sha256::digest(bytes))[..32]);
    tag.parse().expect("a tag is plain ASCII")
}

/// Brotli's form of bytes that are made once and read often.
pub fn brotli(plain: &[u8]) -> Bytes {
    let quality = BROTLI_QUALITY;
    let params = brotli::enc::BrotliEncoderParams { quality, ..Default::default() };
    let mut packed = Vec::new();
    brotli::BrotliCompress(&mut &plain[..], &mut packed, &params)
        .expect("writing to memory does not fail");
    packed.into()
}

fn gzip(plain: &[u8]) -> Bytes {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    packed.write_all(plain).expect("writing to memory does not fail");
    packed.finish().expect("writing to memory does not fail").into()
}

impl Feed {
    /// Starts with a fold that was read from the journal.
    pub fn new(generation: &str, contest: &Contest) -> Self {
        let board = view::board(contest, Viewer::Public);
        let published = make(generation, contest.clone(), board.clone(), 0);
        Self {
            generation: generation.to_owned(),
            latest: ArcSwap::from_pointee(contest.clone()),
            pending: Mutex::default(),
            keeper: Arc::new(Mutex::new(board)),
            turn: tokio::sync::Mutex::default(),
            published: ArcSwap::from_pointee(published),
            changed_seq: AtomicI64::new(0),
            hub: Hub::new(contest.public_seq()),
        }
    }

    /// Which journal this is.
    pub fn generation(&self) -> &str {
        &self.generation
    }

    /// The newest fold.
    pub fn latest(&self) -> Arc<Contest> {
        self.latest.load_full()
    }

    /// Takes what the lane has just made durable; `hub.wake` tells those who watch.
    pub fn publish(&self, contest: &Contest, changes: Vec<Change>) {
        let mut pending = self.pending.lock();
        if changes.iter().any(|change| matches!(change, Change::Snapshot { .. })) {
            self.changed_seq.store(contest.seq(), Ordering::SeqCst);
        }
        self.latest.store(Arc::new(contest.clone()));
        // Last, so that whoever is sent a frame finds what it speaks of.
        pending.cursor = self.hub.push(contest, &changes);
        pending.changes.extend(changes);
        if pending.changes.len() > PENDING_MAX {
            // Nobody asks for a board: the next one is folded anew.
            pending.changes = vec![Change::Snapshot { seq: contest.public_seq() }];
        }
    }

    /// Takes a fold that does not follow from the one before.
    pub fn replace(&self, contest: &Contest) {
        let mut board = self.keeper.lock();
        {
            let mut pending = self.pending.lock();
            *board = view::board(contest, Viewer::Public);
            self.latest.store(Arc::new(contest.clone()));
            let changed = Change::Snapshot { seq: contest.public_seq() };
            pending.cursor = self.hub.push(contest, &[changed]);
            pending.changes.clear();
            let made = make(&self.generation, contest.clone(), board.clone(), pending.cursor);
            self.published.store(Arc::new(made));
        }
        self.hub.wake();
    }

    /// A board fresh enough for everyone.
    pub async fn published(self: &Arc<Self>) -> Arc<Published> {
        self.published_with(0).await
    }

    /// The same, unless it has to be made first.
    pub fn published_already(&self) -> Option<Guard<Arc<Published>>> {
        let current = self.published.load();
        self.is_fresh(&current, 0).then_some(current)
    }

    /// A board fresh enough for a team: with the team itself and all that it did.
    pub async fn published_for(self: &Arc<Self>, team: TeamId) -> Arc<Published> {
        self.published_with(self.needed_by(team)).await
    }

    /// The same, unless it has to be made first.
    pub fn published_already_for(&self, team: TeamId) -> Option<Guard<Arc<Published>>> {
        let needed = self.needed_by(team);
        let current = self.published.load();
        self.is_fresh(&current, needed).then_some(current)
    }

    /// The entry without which no board is fresh for a team.
    fn needed_by(&self, team: TeamId) -> i64 {
        let latest = self.latest();
        if self.published.load().contest.team(team).is_none() {
            return latest.seq();
        }
        latest.team(team).and_then(|team| team.last_seq()).unwrap_or(0)
    }

    /// A board with everything up to this moment.
    pub async fn published_now(self: &Arc<Self>) -> Arc<Published> {
        self.published_with(self.latest.load().seq()).await
    }

    async fn published_with(self: &Arc<Self>, seq: i64) -> Arc<Published> {
        let current = self.published.load_full();
        if self.is_fresh(&current, seq) {
            return current;
        }
        let _turn = self.turn.lock().await;
        let current = self.published.load_full();
        if self.is_fresh(&current, seq) {
            return current;
        }
        let feed = self.clone();
        let refresh = tokio::task::spawn_blocking(move || feed.refresh(seq));
        refresh.await.unwrap_or(current)
    }

    fn is_fresh(&self, current: &Published, seq: i64) -> bool {
        if current.contest.seq() == self.latest.load().seq() {
            return true;
        }
        let needed = seq.max(self.changed_seq.load(Ordering::SeqCst));
        current.contest.seq() >= needed && current.made.elapsed() < STALE_MAX
    }

    /// Brings the kept board up to date, one caller at a time.
    fn refresh(&self, seq: i64) -> Arc<Published> {
        let mut board = self.keeper.lock();
        let current = self.published.load_full();
        if self.is_fresh(&current, seq) {
            return current;
        }
        let (contest, changes, cursor) = {
            let mut pending = self.pending.lock();
            (self.latest(), std::mem::take(&mut pending.changes), pending.cursor)
        };
        let advanced = changes.iter().all(|change| view::advance(&mut board, &contest, change));
        if !advanced {
            *board = view::board(&contest, Viewer::Public);
        }
        let (contest, board) = (Contest::clone(&contest), board.clone());
        let made = if contest.public_seq() == current.contest.public_seq() {
            // What the freeze hides leaves no trace, neither in the age of the board nor in the
            // time that packing it and writing its cards takes.
            let (body, cards) = (current.body.clone(), current.cards.clone());
            Published { contest, board, cursor, body, cards, made: current.made }
        } else {
            make(&self.generation, contest, board, cursor)
        };
        let made = Arc::new(made);
        self.published.store(made.clone());
        made
    }
}

impl Published {
    /// The snapshot as a viewer is sent it: everyone's, unless a team sees more.
    pub fn body_for(&self, generation: &str, team: Option<TeamId>) -> Arc<Body> {
        match team.filter(|team| view::has_own_view(&self.contest, *team)) {
            None => self.body.clone(),
            Some(team) => {
                let board = view::own_board(&self.board, &self.contest, team);
                Arc::new(snapshot(generation, &self.contest, &board))
            }
        }
    }
}

fn make(generation: &str, contest: Contest, board: Board, cursor: u64) -> Published {
    let body = Arc::new(snapshot(generation, &contest, &board));
    let cards = Arc::default();
    Published { contest, board, cursor, body, cards, made: Instant::now() }
}

fn snapshot(generation: &str, contest: &Contest, board: &Board) -> Body {
    let seq = contest.public_seq();
    let json = serde_json::to_vec(&Snapshot { board, seq, generation });
    Body::new(json.expect("snapshots are plain data"))
}

#[cfg(test)]
mod tests {
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
        let made = feed.refresh(contest.seq());
        assert_eq!(made.board.rows().count(), PENDING_MAX + 10, "no team is lost");
    }

    #[test]
    fn what_the_freeze_hides_makes_no_new_board() {
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
        let (contest, change) = fold(solve);
        feed.publish(&contest, vec![change]);
        let hidden = feed.refresh(contest.seq());
        assert_eq!(hidden.contest.seq(), contest.seq(), "its own team sees it");
        assert!(Arc::ptr_eq(&hidden.body, &before.body) && hidden.made == before.made);
        assert!(Arc::ptr_eq(&hidden.cards, &before.cards));

        let (contest, change) = fold(joins(2));
        feed.publish(&contest, vec![change]);
        let public = feed.refresh(contest.seq());
        assert!(!Arc::ptr_eq(&public.body, &before.body) && public.made > before.made);
        assert!(!Arc::ptr_eq(&public.cards, &before.cards));
    }
}
