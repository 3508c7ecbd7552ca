//! The organizers' live channel: what is new is read at a steady beat, for all sockets together.
//! Nothing wakes it in between, so that players can time nothing by what organizers watch.

pub mod presence;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use flagship_game::wire::watched::{self, Sight as View};
use flagship_game::{Board, Contest};
use flagship_store::acts::{self, Record};
use flagship_store::desk::notices::{self, Due};
use flagship_store::desk::questions::{self, Asked};
use flagship_store::organizers::{self, Rights};
use flagship_store::{Clock, Db, StoreError};
use serde::Serialize;
use tokio::sync::{Mutex, broadcast, watch};
use tokio::time::MissedTickBehavior;

use crate::net::body::Body;
use crate::net::permits::Permits;
use crate::net::shutdown::{Shutdown, shutdown_requested};
use crate::net::socket::framed;
use crate::net::work::Made;
use crate::node::background::Background;
use crate::node::board::feed::Feed;
use crate::node::error::NodeError;
use crate::node::lists::Sight;
use crate::node::lists::arrivals::{Arrivals, Arrived};
use crate::node::lists::boards::Seen;
use crate::node::lists::flags::{Place, Sent, Sight as FlagSight};
use crate::node::organizers::turns::{NODE, Turn, Turns};
use crate::node::report::report;
use presence::Presence;

/// How often what is new is read.
const BEAT: Duration = Duration::from_secs(1);
/// How often it is read who may still watch: within a second they are told no more.
const STANDINGS_EVERY: Duration = Duration::from_millis(400);
/// The pause between two things that a beat reads: flags that come meanwhile wait for one of them
/// at most.
const BREATH: Duration = Duration::from_millis(10);
/// Beats that a slow socket may be behind before it is sent everything anew. Each may hold a board.
const BEATS_MAX: usize = 4;
/// Acts that are read in one beat; the rest comes in the next ones.
const ACTS_MAX: i64 = 200;
/// Sockets that may be open at once ...
const SOCKETS_MAX: usize = 128;
/// ... and of one organizer.
const SOCKETS_EACH_MAX: usize = 8;

/// The live channel of this node.
pub struct Live {
    /// Permits for open sockets, by organizer.
    pub permits: Arc<Permits<i64>>,
    /// Who looks at what.
    pub presence: Arc<Presence>,
    /// How the event and the node are, as it was last sent, for each kind of reader.
    pub health: Mutex<HashMap<HealthFor, (u64, Arc<Told>)>>,
    beats: broadcast::Sender<Arc<Beat>>,
    standings: watch::Sender<Standings>,
    /// Held by each socket that watches what the freeze hides.
    truth: Arc<()>,
}

/// A kind of reader of the overview.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct HealthFor {
    /// Whether it sees addresses, and what the freeze hides.
    pub sight: Sight,
    /// Whether it sees all challenges.
    pub sees_all: bool,
}

/// A text that was sent, and what of it decides whether it is sent again.
pub struct Told {
    /// The frame.
    pub frame: String,
    /// The same without what always moves.
    pub steady: String,
}

/// What the tasks read.
#[derive(Clone)]
pub struct Sources {
    /// The database.
    pub db: Db,
    /// The event's clock.
    pub clock: Clock,
    /// The fold.
    pub feed: Arc<Feed>,
    /// Turns of reading something for organizers.
    pub views: Arc<Turns>,
    /// Compares boards.
    pub boards: Arc<Background<()>>,
}

impl Sources {
    async fn view(&self) -> Turn {
        self.views.take(NODE).await
    }

    /// Pauses, and lets others read meanwhile.
    async fn breathe(&self, view: Turn) -> Turn {
        drop(view);
        tokio::time::sleep(BREATH).await;
        self.view().await
    }
}

/// What is new since the beat before, for who sees all of it.
pub struct Beat {
    /// Its number, from 1.
    pub number: u64,
    /// Whether something may be missing: everything is to be sent anew.
    pub is_gap: bool,
    /// A fold that is not older than the rest.
    pub contest: Arc<Contest>,
    /// The board as players see it.
    pub public: Arc<Watched>,
    /// The board with what the freeze hides, while somebody watches it.
    pub truth: Option<Arc<Watched>>,
    /// Flags that were judged.
    flags: Arc<Vec<Arrived>>,
    frames: Mutex<Vec<(FlagSight, FlagFrames)>>,
    /// What organizers did, the oldest first, each with whether something puts it back.
    pub acts: Vec<(Record, bool)>,
    /// All questions of teams.
    pub questions: Vec<Asked>,
    /// Notices that wait for their time.
    pub waiting: Vec<Due>,
    standings: Standings,
}

/// The flags that some see alike.
type FlagFrames = Arc<Made<Flags>>;

/// Flags as they are told, the oldest first.
pub struct Flags {
    /// Each for itself.
    pub texts: Vec<(Place, Bytes)>,
    /// All together, as [`framed`] makes them.
    pub framed: Bytes,
}

/// The rights of all who are signed in.
#[derive(Clone)]
struct Standings {
    /// They were read after this moment.
    begun: Instant,
    by_pass: Arc<HashMap<String, (i64, Rights)>>,
}

/// Why a socket is open, which has to stay so.
#[derive(Clone)]
pub struct Ground {
    /// The digest of the session's token, or of the one for scripts.
    pub pass: String,
    /// The organizer's id.
    pub organizer: i64,
    /// Roles and challenges.
    pub rights: Rights,
    /// When the socket was opened, after its session had begun.
    pub since: Instant,
}

impl Standings {
    fn have(&self, ground: &Ground) -> bool {
        // What was read before says nothing about a newer session.
        self.begun < ground.since
            || self.by_pass.get(&ground.pass).is_some_and(|(organizer, rights)| {
                (*organizer, rights) == (ground.organizer, &ground.rights)
            })
    }
}

impl Beat {
    /// Whether somebody may be told of it. What is new was read before their rights were.
    pub fn is_for(&self, ground: &Ground) -> bool {
        self.standings.begun >= ground.since && self.standings.have(ground)
    }

    /// The frames of the flags that somebody sees, the oldest first, made once for all who see the
    /// same ones.
    pub async fn flags(
        &self,
        sight: &FlagSight,
        frame: impl Fn(Sent) -> String + Send + 'static,
    ) -> FlagFrames {
        let mut all = self.frames.lock().await;
        let kept = all.iter().find(|(of, _)| of == sight).map(|(_, frames)| frames.clone());
        let frames = kept.unwrap_or_else(|| {
            all.push((sight.clone(), Arc::default()));
            all[all.len() - 1].1.clone()
        });
        drop(all);
        let (flags, contest, sight) = (self.flags.clone(), self.contest.clone(), sight.clone());
        let make = move || {
            let seen = flags.iter().filter_map(|it| it.seen_by(&contest, &sight));
            let mut texts: Vec<_> = seen.map(|it| (it.place, frame(it).into())).collect();
            texts.sort_by_key(|(place, _)| *place);
            let framed = framed(texts.iter().map(|(_, text)| text));
            Flags { texts, framed }
        };
        frames.get_or_make(make).await;
        frames
    }
}

/// A board that is watched.
pub struct Watched {
    seen: Arc<Seen>,
    view: View,
    /// What changed since the beat before.
    pub change: Change,
    whole: Arc<Made<Body>>,
}

/// What changed of a board.
pub enum Change {
    /// Nothing.
    None,
    /// This: a frame.
    Some(Bytes),
    /// Everything.
    All,
}

impl Watched {
    /// The board of what was seen, after the one of the beat before.
    fn new(seen: &Arc<Seen>, view: View, before: Option<&Self>, is_steady: bool) -> Self {
        let change = match before {
            None => Change::All,
            Some(before) if std::ptr::eq(before.board(), seen.board(view)) && !is_steady => {
                Change::None
            }
            Some(before) => match watched::change(before.board(), seen.board(view), view) {
                None => Change::All,
                // In the freeze a frame is sent at each beat, whether or not anybody solved.
                Some(change) if change.is_empty() && !is_steady => Change::None,
                Some(change) => Change::Some(json(&change).into()),
            },
        };
        let whole = match (&change, before) {
            (Change::None, Some(before)) => before.whole.clone(),
            _ => Arc::default(),
        };
        Self { seen: seen.clone(), view, change, whole }
    }

    fn board(&self) -> &Board {
        self.seen.board(self.view)
    }

    /// The whole board as a frame, made once for all sockets.
    pub async fn whole(&self) -> &Body {
        let (seen, view) = (self.seen.clone(), self.view);
        let made = move || Body::new(json(&watched::whole(seen.board(view), view)).into_bytes());
        self.whole.get_or_make(made).await
    }
}

fn json(frame: &impl Serialize) -> String {
    serde_json::to_string(frame).expect("frames are plain data")
}

/// What was read up to the beat before.
struct Reader {
    arrivals: Arrivals,
    last_act: i64,
    public: Option<Arc<Watched>>,
    truth: Option<Arc<Watched>>,
}

impl Live {
    /// Nobody watches yet.
    pub fn new() -> Self {
        let none = Standings { begun: Instant::now(), by_pass: Arc::default() };
        Self {
            permits: Permits::new(SOCKETS_MAX, SOCKETS_EACH_MAX),
            presence: Arc::default(),
            health: Mutex::default(),
            beats: broadcast::Sender::new(BEATS_MAX),
            standings: watch::Sender::new(none),
            truth: Arc::default(),
        }
    }

    /// The beats from now on. The first one comes with everything.
    pub fn watch(&self) -> broadcast::Receiver<Arc<Beat>> {
        self.beats.subscribe()
    }

    /// To be held while what the freeze hides is watched.
    pub fn watch_truth(&self) -> Arc<()> {
        self.truth.clone()
    }

    /// Completes when the ground of a socket has changed.
    pub async fn ended(&self, ground: &Ground) {
        let mut standings = self.standings.subscribe();
        // An error means that the node stops.
        drop(standings.wait_for(|standings| !standings.have(ground)).await);
    }

    /// Reads what is new at each beat while somebody watches, until shutdown.
    pub async fn run(self: Arc<Self>, from: Sources, shutdown: Shutdown) {
        tokio::join!(self.beat(&from, shutdown.clone()), self.follow(&from, shutdown));
    }

    async fn beat(&self, from: &Sources, mut shutdown: Shutdown) {
        let (mut reader, mut number) = (None, 0);
        let mut pause = steady(BEAT);
        loop {
            tokio::select! {
                () = shutdown_requested(&mut shutdown) => return,
                _ = pause.tick() => {}
            }
            if self.beats.receiver_count() == 0 {
                reader = None;
                self.health.lock().await.clear();
                continue;
            }
            number += 1;
            match self.read(from, number, reader.take()).await {
                Ok((beat, read)) => {
                    reader = Some(read);
                    // An error means that nobody watches any more.
                    drop(self.beats.send(Arc::new(beat)));
                }
                Err(error) => report(&error, "what organizers watch could not be read"),
            }
        }
    }

    /// Reads one beat. Without what was read before, there is a gap.
    async fn read(
        &self,
        from: &Sources,
        number: u64,
        before: Option<Reader>,
    ) -> Result<(Beat, Reader), NodeError> {
        let mut view = from.view().await;
        let (db, now_ms) = (&from.db, from.clock.now_ms());
        let is_first = before.is_none();
        let mut reader = match before {
            Some(reader) => reader,
            None => Reader {
                arrivals: Arrivals::begin(db, &from.feed, now_ms).await?,
                last_act: acts::last(db).await?,
                public: None,
                truth: None,
            },
        };
        let look = reader.arrivals.look(db, &from.feed, now_ms).await?;
        view = from.breathe(view).await;
        let records = acts::after(db, reader.last_act, ACTS_MAX).await?;
        let ids: Vec<i64> = records.iter().map(|record| record.id).collect();
        let undoable = acts::undoable(db, &ids).await?;
        reader.last_act = ids.last().copied().unwrap_or(reader.last_act);
        view = from.breathe(view).await;
        let (questions, waiting) = (questions::all(db).await?, notices::waiting(db).await?);
        view = from.breathe(view).await;
        let truth = Arc::strong_count(&self.truth) > 1;
        let seen = Arc::new(Seen::new(&from.feed, Sight { addresses: false, truth }).await?);
        drop(view);
        let contest = seen.contest.clone();
        let is_gap = is_first || !look.is_whole || look.hidden_ms != contest.hidden_from_ms();
        let is_frozen = contest.hides_solves_of(contest.at_ms());
        let before = (reader.public.take(), reader.truth.take().filter(|_| truth));
        let compare = move |(): &mut ()| {
            let (public, hidden) = (before.0.as_deref(), before.1.as_deref());
            let public = Arc::new(Watched::new(&seen, View::Public, public, false));
            let whole = || Arc::new(Watched::new(&seen, View::Truth, hidden, is_frozen));
            (public, truth.then(whole))
        };
        let (public, truth) = from.boards.run((), compare).await?;
        let act = |record: Record| {
            let is_undoable = undoable.contains(&record.id);
            (record, is_undoable)
        };
        let beat = Beat {
            number,
            is_gap,
            contest,
            flags: Arc::new(look.flags),
            frames: Mutex::default(),
            acts: records.into_iter().map(act).collect(),
            questions,
            waiting,
            // Last: nobody is told what came after their rights had ended.
            standings: standings(from).await?,
            public: public.clone(),
            truth: truth.clone(),
        };
        Ok((beat, Reader { public: Some(public), truth, ..reader }))
    }

    /// Reads who may still watch, while somebody does, until shutdown.
    async fn follow(&self, from: &Sources, mut shutdown: Shutdown) {
        let mut pause = steady(STANDINGS_EVERY);
        loop {
            tokio::select! {
                () = shutdown_requested(&mut shutdown) => return,
                _ = pause.tick() => {}
            }
            if self.beats.receiver_count() == 0 {
                continue;
            }
            match standings(from).await {
                Ok(now) => drop(self.standings.send_replace(now)),
                Err(error) => report(&error, "who may watch could not be read"),
            }
        }
    }
}

/// A pause that does not depend on how long what comes between takes.
fn steady(every: Duration) -> tokio::time::Interval {
    let mut pause = tokio::time::interval(every);
    pause.set_missed_tick_behavior(MissedTickBehavior::Skip);
    pause
}

async fn standings(from: &Sources) -> Result<Standings, StoreError> {
    let begun = Instant::now();
    let rights = organizers::rights_by_pass(&from.db, from.clock.now_ms()).await?;
    Ok(Standings { begun, by_pass: Arc::new(rights) })
}
