//! The organizers' live channel: whether something is new is read at a steady beat, for all sockets
//! together, and each socket is told which lists to read. Nothing wakes it in between, so that
//! players can time nothing by what organizers watch.

pub mod list;
pub mod presence;

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::time::{Duration, Instant};

use flagship_actions::{List, OF_QUESTIONS, lists_of};
use flagship_game::Contest;
use flagship_store::actions::{self, Record};
use flagship_store::desk::notices::{self, Due};
use flagship_store::desk::questions::{self, Asked};
use flagship_store::organizers::{self, Rights};
use flagship_store::{Clock, Db, StoreError};
use tokio::sync::{broadcast, watch};
use tokio::time::MissedTickBehavior;

use super::Who;
use crate::net::permits::Permits;
use crate::node::board::feed::Feed;
use crate::node::limits::turns::{NODE, Turn, Turns};
use crate::node::lists::Sight;
use crate::node::lists::arrivals::{Arrivals, Arrived};
use crate::node::report::report;
use list::{OF_SCOREBOARD, OF_WRONG_FLAGS, is_for};
use presence::Presence;

/// How often what is new is read.
const BEAT: Duration = Duration::from_secs(1);
/// How often it is read who may still watch: within a second they are told no more.
const STANDINGS_EVERY: Duration = Duration::from_millis(400);
/// The pause between two things that a beat reads: flags that come meanwhile wait for one of them
/// at most.
const BREATH: Duration = Duration::from_millis(10);
/// Beats that a slow socket may be behind before it is told to read everything.
const BEATS_MAX: usize = 4;
/// Actions that are read in one beat; the rest comes in the next ones.
const ACTIONS_MAX: i64 = 200;
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
    beats: broadcast::Sender<Arc<Beat>>,
    standings: watch::Sender<Standings>,
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
    /// A fold that is not older than the rest.
    pub contest: Arc<Contest>,
    /// The fold of the beat before; `None` if there was none, so that everything may be new.
    before: Option<Arc<Contest>>,
    /// Wrong flags.
    wrong: Vec<Arrived>,
    /// What organizers did.
    actions: Vec<Record>,
    /// Questions of teams that are new, other than before, or gone.
    questions: Vec<Asked>,
    /// True if notices are new or other than before.
    has_notices: bool,
    standings: Standings,
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

    /// The lists in which something may be new for somebody, of those that they may read. `sight`
    /// is how much of the event they watch.
    pub fn changed(&self, who: &Who, sight: &Sight) -> BTreeSet<List> {
        let mut lists = BTreeSet::new();
        // When the freeze is moved or revealed, older flags come to light.
        let hidden_ms = self.contest.hidden_from_ms();
        if self.before.as_ref().is_none_or(|before| before.hidden_from_ms() != hidden_ms) {
            lists.extend(List::ALL);
        }
        let has_wrong = self.wrong.iter().any(|flag| flag.is_seen(&self.contest, sight));
        // In the freeze, a wrong flag is told as a right one is: what is read for it takes as long.
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

    /// Returns true if somebody is sent a hint at this beat, whether or not anything is new: in the
    /// freeze a hint tells of nothing by when it is written.
    pub fn is_steady(&self, sight: &Sight) -> bool {
        sight.truth && self.is_frozen()
    }

    /// Returns true if the scoreboard may have moved that somebody sees.
    fn has_moved(&self, sight: &Sight) -> bool {
        self.before.as_ref().is_some_and(|before| match sight.truth {
            true => before.seq() != self.contest.seq(),
            false => before.public_seq() != self.contest.public_seq(),
        })
    }

    fn is_frozen(&self) -> bool {
        self.contest.hides_solves_of(self.contest.at_ms())
    }
}

/// What was read up to the beat before.
struct Reader {
    arrivals: Arrivals,
    last_action: i64,
    contest: Arc<Contest>,
    questions: Vec<Asked>,
    waiting: Vec<Due>,
}

impl Reader {
    async fn begin(from: &Sources) -> Result<Self, StoreError> {
        let db = &from.db;
        Ok(Self {
            arrivals: Arrivals::begin(db, &from.feed, from.clock.now_ms()).await?,
            last_action: actions::last(db).await?,
            contest: from.feed.latest(),
            questions: questions::all(db).await?,
            waiting: notices::waiting(db).await?,
        })
    }
}

impl Live {
    /// Nobody watches yet.
    pub fn new() -> Self {
        let none = Standings { begun: Instant::now(), by_pass: Arc::default() };
        Self {
            permits: Permits::new(SOCKETS_MAX, SOCKETS_EACH_MAX),
            presence: Arc::default(),
            beats: broadcast::Sender::new(BEATS_MAX),
            standings: watch::Sender::new(none),
        }
    }

    /// The beats from now on.
    pub fn watch(&self) -> broadcast::Receiver<Arc<Beat>> {
        self.beats.subscribe()
    }

    /// Completes when the ground of a socket has changed.
    pub async fn ended(&self, ground: &Ground) {
        let mut standings = self.standings.subscribe();
        // An error means that the node stops.
        drop(standings.wait_for(|standings| !standings.have(ground)).await);
    }

    /// Reads what is new at each beat while somebody watches.
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
                    // An error means that nobody watches any more.
                    drop(self.beats.send(Arc::new(beat)));
                }
                Err(error) => report(&error, "what organizers watch could not be read"),
            }
        }
    }

    /// Reads who may still watch, while somebody does.
    async fn follow(&self, from: &Sources) {
        let mut pause = steady(STANDINGS_EVERY);
        loop {
            pause.tick().await;
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

/// Reads one beat. Without what was read before, everything may be new.
async fn read(from: &Sources, before: Option<Reader>) -> Result<(Beat, Reader), StoreError> {
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
    let beat = Beat {
        wrong,
        questions: differing(&reader.questions, &questions),
        has_notices: reader.waiting != waiting || !before.notices().eq(contest.notices()),
        before: (!is_first).then_some(before),
        contest: contest.clone(),
        actions,
        // Last: nobody is told what came after their rights had ended.
        standings: standings(from).await?,
    };
    let last_action = beat.actions.last().map_or(reader.last_action, |record| record.id);
    Ok((beat, Reader { last_action, contest, questions, waiting, ..reader }))
}

/// The questions that are in one of two lists alone.
fn differing(before: &[Asked], after: &[Asked]) -> Vec<Asked> {
    let only = |of: &[Asked], other: &[Asked]| -> Vec<Asked> {
        let known: HashMap<i64, &Asked> = other.iter().map(|it| (it.row.id, it)).collect();
        of.iter().filter(|it| known.get(&it.row.id) != Some(it)).cloned().collect()
    };
    [only(before, after), only(after, before)].concat()
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
