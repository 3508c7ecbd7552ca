//! Live channel for organizers. A fixed tick polls for changes for all sockets together and tells
//! each socket which lists to refetch. Nothing triggers it in between, so players cannot infer
//! anything from its timing.

pub mod list;
pub mod presence;

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::time::{Duration, Instant};

use flagship_actions::{List, OF_QUESTIONS, lists_of};
use flagship_game::Contest;
use flagship_store::actions::{self, Record};
use flagship_store::desk::notices::{self, ScheduledNotice};
use flagship_store::desk::questions::{self, TeamQuestion};
use flagship_store::organizers::{self, Rights};
use flagship_store::{Clock, Db, StoreError};
use tokio::sync::{broadcast, watch};
use tokio::time::MissedTickBehavior;

use super::SignedInOrganizer;
use crate::net::permits::Permits;
use crate::node::board::feed::Feed;
use crate::node::limits::turns::{NODE, Turn, Turns};
use crate::node::lists::ReadScope;
use crate::node::lists::arrivals::{NewSubmission, SubmissionPoller};
use crate::node::report::report;
use list::{OF_SCOREBOARD, OF_WRONG_FLAGS, is_for};
use presence::Presence;

/// Interval of the live tick.
const BEAT: Duration = Duration::from_secs(1);
/// Interval at which permissions are checked. A socket that loses them gets no updates after at
/// most a second.
const STANDINGS_EVERY: Duration = Duration::from_millis(400);
/// Pause between two queries of a tick. Submissions that arrive during a tick wait for at most one
/// query.
const BREATH: Duration = Duration::from_millis(10);
/// Number of ticks a slow socket may lag behind before it must refetch everything.
const BEATS_MAX: usize = 4;
/// Maximum number of actions read per tick. The others follow in the next ticks.
const ACTIONS_MAX: i64 = 200;
/// Maximum number of open sockets ...
const SOCKETS_MAX: usize = 128;
/// ... and per organizer.
const SOCKETS_EACH_MAX: usize = 8;

/// Live channel of this node.
pub struct Live {
    /// Permits for open sockets, by organizer.
    pub permits: Arc<Permits<i64>>,
    /// Objects that organizers are viewing.
    pub presence: Arc<Presence>,
    beats: broadcast::Sender<Arc<LiveTick>>,
    standings: watch::Sender<Standings>,
}

/// Data sources of the background tasks.
#[derive(Clone)]
pub struct Sources {
    /// The database.
    pub db: Db,
    /// The event's clock.
    pub clock: Clock,
    /// Feed of the fold.
    pub feed: Arc<Feed>,
    /// Slots for reading data for organizers.
    pub views: Arc<Turns>,
}

impl Sources {
    async fn view(&self) -> Turn {
        self.views.take(NODE).await
    }

    /// Pauses, and gives up the slot so that others can read.
    async fn breathe(&self, view: Turn) -> Turn {
        drop(view);
        tokio::time::sleep(BREATH).await;
        self.view().await
    }
}

/// Changes since the previous tick, without access restrictions.
pub struct LiveTick {
    /// A fold at least as new as the rest.
    pub contest: Arc<Contest>,
    /// Fold of the previous tick. `None` on the first tick, when everything counts as changed.
    before: Option<Arc<Contest>>,
    /// Incorrect submissions.
    wrong: Vec<NewSubmission>,
    /// Organizer actions.
    actions: Vec<Record>,
    /// Questions that are new, changed or gone.
    questions: Vec<TeamQuestion>,
    /// True if notices were added or changed.
    has_notices: bool,
    standings: Standings,
}

/// Permissions of all organizers with a session or token.
#[derive(Clone)]
struct Standings {
    /// Start of the query that read them.
    begun: Instant,
    by_pass: Arc<HashMap<String, (i64, Rights)>>,
}

/// Authorization of an open socket. The socket is closed when it changes.
#[derive(Clone)]
pub struct SocketAuthorization {
    /// Digest of the session token or API token.
    pub pass: String,
    /// Organizer ID.
    pub organizer: i64,
    /// Roles and challenges.
    pub rights: Rights,
    /// Time at which the socket was opened, after its session had started.
    pub since: Instant,
}

impl Standings {
    fn have(&self, ground: &SocketAuthorization) -> bool {
        // Data read earlier says nothing about a newer session.
        self.begun < ground.since
            || self.by_pass.get(&ground.pass).is_some_and(|(organizer, rights)| {
                (*organizer, rights) == (ground.organizer, &ground.rights)
            })
    }
}

impl LiveTick {
    /// True if the socket may still receive this tick. Its changes were read before the
    /// permissions.
    pub fn is_for(&self, ground: &SocketAuthorization) -> bool {
        self.standings.begun >= ground.since && self.standings.have(ground)
    }

    /// Lists with possible changes, limited to those that the organizer may read. `sight` is their
    /// read scope.
    pub fn changed(&self, who: &SignedInOrganizer, sight: &ReadScope) -> BTreeSet<List> {
        let mut lists = BTreeSet::new();
        // Moving the freeze or revealing makes older submissions visible.
        let hidden_ms = self.contest.hidden_from_ms();
        if self.before.as_ref().is_none_or(|before| before.hidden_from_ms() != hidden_ms) {
            lists.extend(List::ALL);
        }
        let has_wrong = self.wrong.iter().any(|flag| flag.is_seen(&self.contest, sight));
        // During the freeze, an incorrect submission causes the same hint as a correct one, because
        // reading takes equally long for both.
        if self.has_moved(sight) || (has_wrong && self.is_frozen()) {
            lists.extend(OF_SCOREBOARD);
        } else if has_wrong {
            lists.extend(OF_WRONG_FLAGS);
        }
        if is_for(List::Actions, who) {
            let seen = |record: &&Record| who.sees_record(record, &self.contest);
            for record in self.actions.iter().filter(seen) {
                lists.insert(List::Actions);
                lists.extend(lists_of(&record.action));
            }
        }
        if self.questions.iter().any(|asked| who.sees_question(asked)) {
            lists.extend(OF_QUESTIONS);
        }
        if self.has_notices {
            lists.insert(List::Notices);
        }
        lists.retain(|list| is_for(*list, who));
        lists
    }

    /// True if a hint is sent at every tick, changed or not: during the freeze, the timing of hints
    /// must not reveal anything.
    pub fn is_steady(&self, sight: &ReadScope) -> bool {
        sight.truth && self.is_frozen()
    }

    /// True if a scoreboard visible in this scope may have changed.
    fn has_moved(&self, sight: &ReadScope) -> bool {
        self.before.as_ref().is_some_and(|before| match sight.truth {
            true => before.seq() != self.contest.seq(),
            false => before.public_seq() != self.contest.public_seq(),
        })
    }

    fn is_frozen(&self) -> bool {
        self.contest.hides_solves_of(self.contest.at_ms())
    }
}

/// Data read up to the previous tick.
struct Reader {
    arrivals: SubmissionPoller,
    last_action: i64,
    contest: Arc<Contest>,
    questions: Vec<TeamQuestion>,
    waiting: Vec<ScheduledNotice>,
}

impl Reader {
    async fn begin(from: &Sources) -> Result<Self, StoreError> {
        let db = &from.db;
        Ok(Self {
            arrivals: SubmissionPoller::begin(db, &from.feed, from.clock.now_ms()).await?,
            last_action: actions::last(db).await?,
            contest: from.feed.latest(),
            questions: questions::all(db).await?,
            waiting: notices::waiting(db).await?,
        })
    }
}

impl Live {
    /// Creates a channel without sockets.
    pub fn new() -> Self {
        let none = Standings { begun: Instant::now(), by_pass: Arc::default() };
        Self {
            permits: Permits::new(SOCKETS_MAX, SOCKETS_EACH_MAX),
            presence: Arc::default(),
            beats: broadcast::Sender::new(BEATS_MAX),
            standings: watch::Sender::new(none),
        }
    }

    /// Subscribes to ticks from now on.
    pub fn watch(&self) -> broadcast::Receiver<Arc<LiveTick>> {
        self.beats.subscribe()
    }

    /// Completes when the authorization of a socket has changed.
    pub async fn ended(&self, ground: &SocketAuthorization) {
        let mut standings = self.standings.subscribe();
        // An error means that the node is shutting down.
        drop(standings.wait_for(|standings| !standings.have(ground)).await);
    }

    /// Polls for changes at each tick while sockets are open.
    pub async fn run(self: Arc<Self>, from: Sources) {
        tokio::join!(self.beat(&from), self.follow(&from));
    }

    async fn beat(&self, from: &Sources) {
        let mut reader = None;
        let mut pause = steady(BEAT);
        loop {
            pause.tick().await;
            if self.beats.receiver_count() == 0 {
                reader = None;
                continue;
            }
            match read(from, reader.take()).await {
                Ok((beat, read)) => {
                    reader = Some(read);
                    // An error means that no socket is open anymore.
                    drop(self.beats.send(Arc::new(beat)));
                }
                Err(error) => report(&error, "failed to read organizer live data"),
            }
        }
    }

    /// Polls permissions while sockets are open.
    async fn follow(&self, from: &Sources) {
        let mut pause = steady(STANDINGS_EVERY);
        loop {
            pause.tick().await;
            if self.beats.receiver_count() == 0 {
                continue;
            }
            match standings(from).await {
                Ok(now) => drop(self.standings.send_replace(now)),
                Err(error) => report(&error, "failed to read organizer permissions"),
            }
        }
    }
}

/// Reads one tick. Without previous data, everything counts as changed.
async fn read(from: &Sources, before: Option<Reader>) -> Result<(LiveTick, Reader), StoreError> {
    let mut view = from.view().await;
    let db = &from.db;
    let is_first = before.is_none();
    let mut reader = match before {
        Some(reader) => reader,
        None => Reader::begin(from).await?,
    };
    let wrong = reader.arrivals.look(db, &from.feed, from.clock.now_ms()).await?;
    view = from.breathe(view).await;
    let actions = actions::after(db, reader.last_action, ACTIONS_MAX).await?;
    view = from.breathe(view).await;
    let questions = questions::all(db).await?;
    let waiting = notices::waiting(db).await?;
    drop(view);
    let before = reader.contest;
    let contest = from.feed.latest();
    let beat = LiveTick {
        wrong,
        questions: differing(&reader.questions, &questions),
        has_notices: reader.waiting != waiting || !before.notices().eq(contest.notices()),
        before: (!is_first).then_some(before),
        contest: contest.clone(),
        actions,
        // Read last: no socket receives changes from after the end of its permissions.
        standings: standings(from).await?,
    };
    let last_action = beat.actions.last().map_or(reader.last_action, |record| record.id);
    Ok((beat, Reader { last_action, contest, questions, waiting, ..reader }))
}

/// Questions that are in only one of the two lists.
fn differing(before: &[TeamQuestion], after: &[TeamQuestion]) -> Vec<TeamQuestion> {
    let only = |of: &[TeamQuestion], other: &[TeamQuestion]| -> Vec<TeamQuestion> {
        let known: HashMap<i64, &TeamQuestion> = other.iter().map(|it| (it.row.id, it)).collect();
        of.iter().filter(|it| known.get(&it.row.id) != Some(it)).cloned().collect()
    };
    [only(before, after), only(after, before)].concat()
}

/// A fixed-rate interval, independent of the duration of the work in between.
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
