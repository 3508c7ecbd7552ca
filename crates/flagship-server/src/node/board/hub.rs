//! Buffers the latest live-channel frames in order, each serialized once for all sockets.
//!
//! Each socket pulls frames with its own cursor, so that a slow socket does not delay others. A
//! socket that falls behind the oldest frame receives a snapshot.

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;

use bytes::Bytes;
use flagship_game::facts::news::Change;
use flagship_game::wire::Message;
use flagship_game::{Contest, TeamId};
use parking_lot::{Mutex, RwLock};
use tokio::sync::{Notify, watch};
use tokio::time::{Instant, sleep, sleep_until};

/// Public frames kept for sockets that lag or reconnect.
const FRAMES_MAX: usize = 8192;
/// Frames kept for the sockets of one team.
const OWN_FRAMES_MAX: usize = 32;
/// Maximum number of missed messages sent individually to a resuming client. A slow reader keeps
/// all of these messages in memory, whereas all sockets share the bytes of a snapshot.
const MISSED_MAX: usize = 512;
/// Maximum delay before a socket receives a frame for its own team. Incorrect flags wake no
/// sockets, so a correct one must not wake many while its response is sent.
const OWN_DELAY_MAX: Duration = Duration::from_secs(1);

/// The kind of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An update that the client applies to its state.
    News,
    /// A public change of an award. Clients that do not resume get a snapshot instead.
    Award,
    /// An answer or message to the team. The client fetches its text.
    Answer,
    /// A change of the team's found flags or used attempts. The client fetches the challenges.
    Progress,
    /// A change that only a snapshot can express.
    Changed,
    /// Like `Changed`, but for one team. The frame has no text; sockets send a snapshot instead.
    OwnChanged,
}

/// One message, ready to be sent.
#[derive(Clone, Debug)]
pub struct Frame {
    pub kind: Kind,
    /// Number in the public stream.
    pub seq: Option<u64>,
    pub text: Bytes,
}

/// A viewer's position: the indexes of the last public frame and the last own frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cursor {
    /// Index in the public queue.
    pub public: u64,
    /// Index in the team's own queue.
    pub own: u64,
}

/// The frame queues and their wake-up signals. Each team's own frames have a separate queue and
/// lock, so that changes hidden by the freeze neither evict public frames, nor wake other viewers'
/// sockets, nor delay other viewers.
pub struct Hub {
    public: RwLock<Public>,
    own: RwLock<HashMap<TeamId, Arc<Mutex<Own>>>>,
    /// Number of frames ever pushed, equal to the index of the last one.
    count: AtomicU64,
    /// True if public frames were added since sockets were last woken.
    has_new_public: AtomicBool,
    /// Team queues with frames added since their sockets were last woken.
    own_to_wake: Mutex<Vec<Arc<Mutex<Own>>>>,
}

struct Public {
    queue: Queue,
    /// Number of the last change in the public stream.
    seq: u64,
    /// Index of the last frame for which sockets were woken.
    woken: watch::Sender<u64>,
}

/// Frames for a single team.
struct Own {
    queue: Queue,
    /// Wake-up signals, one per socket so that they can be woken one by one.
    sockets: Vec<Weak<Notify>>,
    /// True if a wake-up of the sockets is scheduled.
    is_due: bool,
}

/// Frames for one audience, oldest first, each with its index among all frames.
struct Queue {
    frames: VecDeque<(u64, Frame)>,
    frames_max: usize,
    /// Index of the last frame that was dropped.
    last_dropped: u64,
}

impl Queue {
    fn new(frames_max: usize) -> Self {
        Self { frames: VecDeque::new(), frames_max, last_dropped: 0 }
    }

    fn push(&mut self, index: u64, frame: Frame) {
        if self.frames.len() == self.frames_max
            && let Some((oldest, _)) = self.frames.pop_front()
        {
            self.last_dropped = oldest;
        }
        self.frames.push_back((index, frame));
    }

    /// Removes the frame that announces the same progress, so that a burst of attempts leaves one
    /// frame per challenge. Sockets that have not read it read the newer one.
    fn supersede(&mut self, newer: &Frame) {
        if newer.kind == Kind::Progress {
            self.frames
                .retain(|(_, frame)| frame.kind != Kind::Progress || frame.text != newer.text);
        }
    }

    /// Returns the frames after `index`; `None` if some of them were dropped.
    fn after(&self, index: u64) -> Option<impl Iterator<Item = &(u64, Frame)>> {
        let skip = self.frames.partition_point(|(known, _)| *known <= index);
        (self.last_dropped <= index).then(|| self.frames.range(skip..))
    }

    /// Index of the last frame.
    fn last(&self) -> u64 {
        self.frames.back().map_or(0, |(index, _)| *index)
    }
}

/// Maximum clients per tenth of a second that fetch the board, and then the challenges, after a
/// change that needs a snapshot. The maximum is exceeded if the clients do not fit into
/// `TENTHS_MAX`.
const FETCHES_PER_TENTH: usize = 200;
/// Maximum time over which fetches are spread, in tenths of a second.
const TENTHS_MAX: usize = 20;

/// Returns the time over which the clients of this many sockets spread their snapshot fetches.
/// Rounded up in steps, so that it hardly reveals the number of sockets.
fn within_ms(sockets: usize) -> u64 {
    100 * sockets.div_ceil(FETCHES_PER_TENTH).clamp(1, TENTHS_MAX) as u64
}

/// Wakes a team's sockets one by one, within `OWN_DELAY_MAX`. The random start makes the arrival of
/// the first frame independent of the number of sockets. Each team has its own random times, so
/// that they do not reveal the number of sockets of other teams that solve at the same time.
async fn wake_own(own: Arc<Mutex<Own>>) {
    sleep(own_pause(1)).await;
    let sockets: Vec<_> = {
        let mut own = own.lock();
        own.is_due = false;
        own.sockets.iter().filter_map(Weak::upgrade).collect()
    };
    let mut turn = Instant::now();
    for socket in &sockets {
        turn += own_pause(sockets.len());
        sleep_until(turn).await;
        socket.notify_one();
    }
}

/// Returns a random pause. The pauses of `count` sockets take at most half of `OWN_DELAY_MAX` in
/// total.
fn own_pause(count: usize) -> Duration {
    (OWN_DELAY_MAX / 2).mul_f64(rand::random::<f64>() / count as f64)
}

impl Hub {
    /// Creates an empty hub for a public stream whose last number is `seq`.
    pub fn new(seq: u64) -> Self {
        Self {
            public: RwLock::new(Public {
                queue: Queue::new(FRAMES_MAX),
                seq,
                woken: watch::Sender::new(0),
            }),
            own: RwLock::default(),
            count: AtomicU64::new(0),
            has_new_public: AtomicBool::new(false),
            own_to_wake: Mutex::default(),
        }
    }

    /// Returns a receiver that changes when public frames are added.
    pub fn watch(&self) -> watch::Receiver<u64> {
        self.public.read().woken.subscribe()
    }

    /// Registers a socket of a team. The signal is notified when frames for that team are added.
    pub fn watch_own(&self, team: TeamId) -> Arc<Notify> {
        let socket = Arc::new(Notify::new());
        let own = self.own_queue(team);
        let mut own = own.lock();
        own.sockets.retain(|socket| socket.strong_count() > 0);
        own.sockets.push(Arc::downgrade(&socket));
        socket
    }

    /// Index of the last frame for one team.
    pub fn own_cursor(&self, team: TeamId) -> u64 {
        self.own_queue(team).lock().queue.last()
    }

    /// Appends the frames for some changes without waking sockets. Returns the index of the last
    /// public frame.
    pub fn push(&self, contest: &Contest, changes: &[Change]) -> u64 {
        let mut public = Vec::new();
        let sockets = self.public.read().woken.receiver_count();
        let frames =
            |change| frame(contest, change, sockets).into_iter().chain(own(contest, change));
        for (team, frame) in changes.iter().flat_map(frames) {
            match team {
                None => public.push((self.next_index(), frame)),
                Some(team) => self.push_own(team, frame),
            }
        }
        if public.is_empty() {
            return self.public.read().queue.last();
        }
        let mut all = self.public.write();
        for (index, frame) in public {
            all.seq = frame.seq.unwrap_or(all.seq);
            all.queue.push(index, frame);
        }
        self.has_new_public.store(true, Ordering::Release);
        all.queue.last()
    }

    /// Notifies a team's sockets of a new answer and wakes them.
    pub fn push_answer(&self, team: TeamId) {
        self.push_own(team, answer());
        self.wake();
    }

    fn push_own(&self, team: TeamId, frame: Frame) {
        let shared = self.own_queue(team);
        let mut own = shared.lock();
        // Assigned under the lock, so that the queue is ordered by index.
        let index = self.next_index();
        own.queue.supersede(&frame);
        own.queue.push(index, frame);
        if !std::mem::replace(&mut own.is_due, true) {
            self.own_to_wake.lock().push(shared.clone());
        }
    }

    fn next_index(&self) -> u64 {
        self.count.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// Wakes sockets with new frames: immediately for public frames, within a second for their
    /// team's own frames.
    pub fn wake(&self) {
        for own in std::mem::take(&mut *self.own_to_wake.lock()) {
            tokio::spawn(wake_own(own));
        }
        if self.has_new_public.swap(false, Ordering::AcqRel) {
            let public = self.public.read();
            let last = public.queue.last();
            public.woken.send_if_modified(|woken| std::mem::replace(woken, last) != last);
        }
    }

    /// Returns the viewer's frames after `cursor` and the new cursor; `None` if some were dropped.
    pub fn after(&self, cursor: Cursor, viewer: Option<TeamId>) -> Option<(Vec<Frame>, Cursor)> {
        let own = viewer.and_then(|team| self.own.read().get(&team).cloned());
        let own = own.as_ref().map(|own| own.lock());
        let public = self.public.read();
        let mut frames: Vec<&(u64, Frame)> = public.queue.after(cursor.public)?.collect();
        let mut reached = Cursor { public: public.queue.last(), ..cursor };
        if let Some(own) = &own {
            frames.extend(own.queue.after(cursor.own)?);
            reached.own = own.queue.last();
            frames.sort_by_key(|(index, _)| *index);
        }
        Some((frames.into_iter().map(|(_, frame)| frame.clone()).collect(), reached))
    }

    /// Returns the public frames after number `seq` and the index of the last one; `None` if there
    /// are too many, or if some were dropped or need a snapshot.
    pub fn missed(&self, seq: u64) -> Option<(Vec<Frame>, u64)> {
        let public = self.public.read();
        let count = usize::try_from(public.seq.checked_sub(seq)?).ok()?;
        let skip = public.queue.frames.len().checked_sub(count).filter(|_| count <= MISSED_MAX)?;
        let missed = public.queue.frames.range(skip..).map(|(_, frame)| frame.clone());
        let missed: Vec<Frame> = missed.collect();
        let only_deltas = missed.iter().all(|frame| frame.kind != Kind::Changed);
        only_deltas.then(|| (missed, public.queue.last()))
    }

    fn own_queue(&self, team: TeamId) -> Arc<Mutex<Own>> {
        if let Some(own) = self.own.read().get(&team) {
            return own.clone();
        }
        let queue = Queue::new(OWN_FRAMES_MAX);
        let own = Own { queue, sockets: Vec::new(), is_due: false };
        self.own.write().entry(team).or_insert_with(|| Arc::new(Mutex::new(own))).clone()
    }
}

/// Creates the frame for an answer to a team.
pub fn answer() -> Frame {
    Frame { kind: Kind::Answer, seq: None, text: json(&Message::Answer {}) }
}

fn json(message: &Message) -> Bytes {
    serde_json::to_string(message).expect("messages are plain data").into()
}

/// Creates the frame of a change for this many sockets. The team is set if only that team may see
/// it.
fn frame(contest: &Contest, change: &Change, sockets: usize) -> Option<(Option<TeamId>, Frame)> {
    let (team, news) = match change {
        Change::Public { news, .. } => (None, news),
        Change::Own { team, news } => (Some(*team), news),
        Change::Unseen => return None,
    };
    let seq = change.public_seq();
    let (kind, text) = match (news.message(contest, seq), seq) {
        (Some(message @ Message::Award { .. }), Some(_)) => (Kind::Award, json(&message)),
        (Some(message @ Message::Progress { .. }), _) => (Kind::Progress, json(&message)),
        (Some(message), _) => (Kind::News, json(&message)),
        // Each number has a frame, even if the update can no longer be shown.
        (None, Some(seq)) => {
            (Kind::Changed, json(&Message::Changed { seq, within_ms: within_ms(sockets) }))
        }
        (None, None) => (Kind::OwnChanged, Bytes::new()),
    };
    Some((team, Frame { kind, seq, text }))
}

/// Creates the frame for the team that sees a public change differently. Follows the public frame.
fn own(contest: &Contest, change: &Change) -> Option<(Option<TeamId>, Frame)> {
    let Change::Public { news, .. } = change else { return None };
    let (team, message) = news.own_message(contest)?;
    Some((Some(team), Frame { kind: Kind::News, seq: None, text: json(&message) }))
}

#[cfg(test)]
mod tests {
    use flagship_control::control;
    use flagship_game::ChallengeId;
    use flagship_game::facts::news::News;
    use flagship_game::facts::{self, Entry, Fact};
    use serde_json::Value;
    use tokio::time::timeout;

    use super::*;

    const WAIT_MAX: Duration = Duration::from_secs(30);

    /// A fold with two teams.
    fn contest() -> Contest {
        let mut contest = Contest::default();
        for id in [1, 2] {
            let name = format!("Team {id}");
            let country = "UN".to_owned();
            let fact = Fact::from(facts::Team {
                team: TeamId(id),
                name,
                country,
                hidden: false,
                divisions: vec![],
            });
            let entry = Entry { seq: contest.seq() + 1, at_ms: 0, fact };
            contest.fold(&entry).expect("the entry has the next number");
        }
        contest
    }

    fn hidden(team: i64) -> Change {
        let challenge = ChallengeId::from_name("a");
        let team = TeamId(team);
        Change::Own { team, news: News::Solve { team, challenge, at_ms: 0 } }
    }

    fn joined(seq: u64, team: i64) -> Change {
        Change::Public { seq, news: News::NewTeam { team: TeamId(team) } }
    }

    /// The `event` member of each frame.
    fn kinds(frames: &[Frame]) -> Vec<String> {
        let word = |frame: &Frame| {
            let message: Value = serde_json::from_slice(&frame.text).expect("it is JSON");
            message["event"].as_str().expect("it has a word").to_owned()
        };
        frames.iter().map(word).collect()
    }

    /// True if the socket was woken. Resets the signal.
    fn is_woken(socket: &Notify) -> bool {
        std::pin::pin!(socket.notified()).enable()
    }

    #[tokio::test]
    async fn hidden_solves_neither_drop_frames_nor_wake_sockets_of_others() {
        let hub = Hub::new(0);
        let contest = contest();
        let public = hub.push(&contest, &[joined(1, 1)]);
        let cursor = Cursor { public, own: 0 };
        hub.wake();
        let mut world = hub.watch();
        world.mark_unchanged();
        let (own, other) = (hub.watch_own(TeamId(1)), hub.watch_own(TeamId(2)));
        let words = "a socket of another team woke";
        let is_own = control("hidden_solves_neither_drop_frames_nor_wake_sockets_of_others", words);
        let solver = if is_own { 1 } else { 2 };
        let changes: Vec<Change> = (0..2 * FRAMES_MAX).map(|_| hidden(solver)).collect();
        hub.push(&contest, &changes);
        hub.wake();
        let woken = timeout(WAIT_MAX, async {
            tokio::select! {
                () = own.notified() => false,
                () = other.notified() => true,
            }
        });
        assert_eq!(woken.await.ok(), Some(true), "a socket of another team woke");
        assert_eq!(world.has_changed().ok(), Some(false));
        for viewer in [None, Some(TeamId(1))] {
            let (frames, _) = hub.after(cursor, viewer).expect("none of their frames was dropped");
            assert!(frames.is_empty(), "{frames:?}");
            assert!(
                hub.after(Cursor::default(), viewer).is_some_and(|(frames, _)| frames.len() == 1)
            );
        }
        assert!(hub.after(cursor, Some(TeamId(2))).is_none(), "its own frames were dropped");
        assert!(hub.missed(0).is_some_and(|(frames, _)| kinds(&frames) == ["newteam"]));
    }

    #[test]
    fn fewer_sockets_fetch_snapshots_sooner() {
        let times = [(0, 100), (200, 100), (201, 200), (1_000, 500), (10_000, 2_000)];
        for (sockets, expected_ms) in times {
            assert_eq!(within_ms(sockets), expected_ms, "{sockets} sockets");
        }
        let hub = Hub::new(0);
        let contest = contest();
        let sockets: Vec<_> = (0..201).map(|_| hub.watch()).collect();
        hub.push(&contest, &[Change::Public { seq: 1, news: News::Snapshot }]);
        let (frames, _) = hub.after(Cursor::default(), None).expect("none was dropped");
        assert_eq!(&frames[0].text[..], br#"{"event":"changed","seq":1,"withinMs":200}"#);
        drop(sockets);
    }

    #[test]
    fn a_status_that_can_no_longer_be_shown_keeps_its_number() {
        let hub = Hub::new(0);
        let contest = contest();
        let challenge = ChallengeId::from_name("hidden since");
        let changes = [
            joined(1, 1),
            Change::Public { seq: 2, news: News::Status { challenge } },
            joined(3, 2),
        ];
        hub.push(&contest, &changes);
        let (frames, _) = hub.after(Cursor::default(), None).expect("none was dropped");
        assert_eq!(kinds(&frames), ["newteam", "changed", "newteam"]);
        assert!(hub.missed(1).is_none(), "it needs a snapshot");
        assert!(hub.missed(2).is_some_and(|(frames, _)| kinds(&frames) == ["newteam"]));
    }

    #[test]
    fn a_burst_of_attempts_leaves_one_frame_for_each_challenge() {
        let hub = Hub::new(0);
        let contest = contest();
        let progress = |challenge: &str| Change::Own {
            team: TeamId(1),
            news: News::Progress { challenge: ChallengeId::from_name(challenge) },
        };
        let mut changes = vec![hidden(1)];
        changes.extend((0..2 * OWN_FRAMES_MAX).map(|_| progress("a")));
        changes.extend([progress("b"), progress("a")]);
        hub.push(&contest, &changes);
        let (frames, cursor) =
            hub.after(Cursor::default(), Some(TeamId(1))).expect("none was dropped");
        assert_eq!(kinds(&frames), ["solve", "progress", "progress"]);
        assert!(frames[2].text.ends_with(br#""a"}"#), "the last one is the newest");
        hub.push(&contest, &[progress("b")]);
        let (frames, _) = hub.after(cursor, Some(TeamId(1))).expect("none was dropped");
        assert_eq!(kinds(&frames), ["progress"], "also for a socket that has read the former");
    }

    #[tokio::test]
    async fn the_sockets_of_a_team_wake_one_by_one_after_a_hidden_solve() {
        let hub = Hub::new(0);
        let contest = contest();
        let words = "sockets that woke with the flag";
        let is_burst = control("the_sockets_of_a_team_wake_one_by_one_after_a_hidden_solve", words);
        let sockets: Vec<_> = (0..256).map(|_| hub.watch_own(TeamId(1))).collect();
        let count_woken = || sockets.iter().filter(|socket| is_woken(socket)).count();
        hub.push(&contest, &[hidden(1)]);
        hub.wake();
        if is_burst {
            sockets.iter().for_each(|socket| socket.notify_one());
        }
        assert_eq!(count_woken(), 0, "{words}");
        let mut woken = 0;
        let mut turns = 0;
        let all = timeout(WAIT_MAX, async {
            while woken < sockets.len() {
                tokio::task::yield_now().await;
                let count = count_woken();
                (woken, turns) = (woken + count, turns + usize::from(count > 0));
            }
        });
        all.await.expect("every socket wakes");
        assert!(turns > 1, "all at once");
        // Frames that arrive before the sockets are woken cause a single wake-up.
        hub.push(&contest, &[hidden(1)]);
        hub.wake();
        hub.push(&contest, &[hidden(1)]);
        assert!(hub.own_to_wake.lock().is_empty());
    }

    #[tokio::test]
    async fn sockets_of_other_teams_do_not_change_when_those_of_a_team_wake() {
        let is_shared = control(
            "sockets_of_other_teams_do_not_change_when_those_of_a_team_wake",
            "as if it were the only team",
        );
        let rival = if is_shared { TeamId(1) } else { TeamId(2) };
        let mut waiting = tokio::task::JoinSet::new();
        for _ in 0..400 {
            let hub = Hub::new(0);
            let contest = contest();
            let socket = hub.watch_own(TeamId(1));
            let others: Vec<_> = (0..64).map(|_| hub.watch_own(rival)).collect();
            hub.push(&contest, &[hidden(1), hidden(2)]);
            waiting.spawn(async move {
                let begun = Instant::now();
                hub.wake();
                socket.notified().await;
                drop(others);
                begun.elapsed()
            });
        }
        let total: Duration = waiting.join_all().await.into_iter().sum();
        // The mean wait is the sum of two random pauses of up to half a second each. If teams
        // shared their times, it would be hardly longer than one pause.
        assert!(
            total / 400 > OWN_DELAY_MAX * 2 / 5,
            "as if it were the only team: {:?}",
            total / 400
        );
    }

    #[test]
    fn own_frames_wait_at_most_a_second() {
        for count in [1, 2, 256] {
            let total: Duration = (0..count).map(|_| own_pause(count)).sum();
            assert!(own_pause(1) + total <= OWN_DELAY_MAX, "{total:?}");
        }
    }

    #[test]
    fn own_frames_are_interleaved_with_public_ones() {
        let hub = Hub::new(0);
        let contest = contest();
        let join = |seq| joined(seq, 1);
        hub.push(&contest, &[join(1), hidden(1), hidden(2), join(2)]);
        let sent = |index, viewer| {
            let cursor = Cursor { public: index, own: index };
            let (frames, reached) = hub.after(cursor, viewer).expect("the frames are still queued");
            assert_eq!(reached.public, 4);
            assert_eq!(hub.after(reached, viewer).expect("the frames are still queued").0.len(), 0);
            kinds(&frames)
        };
        assert_eq!(sent(0, None), ["newteam", "newteam"]);
        let own = ["newteam", "solve", "newteam"];
        assert_eq!(sent(0, Some(TeamId(1))), own, "own frames between the public ones");
        assert_eq!(sent(1, Some(TeamId(2))), own[1..]);
    }

    #[test]
    fn a_socket_too_far_behind_the_public_frames_is_detected() {
        let hub = Hub::new(0);
        let contest = contest();
        let joins = (1..=FRAMES_MAX as u64 + 1).map(|seq| joined(seq, 1));
        hub.push(&contest, &joins.collect::<Vec<_>>());
        assert!(hub.after(Cursor::default(), None).is_none() && hub.missed(0).is_none());
        assert!(
            hub.after(Cursor { public: 1, own: 0 }, None)
                .is_some_and(|(frames, _)| frames.len() == FRAMES_MAX)
        );
        let last = FRAMES_MAX as u64 + 1;
        let few = last - MISSED_MAX as u64;
        assert!(hub.missed(few).is_some_and(|(frames, _)| frames.len() == MISSED_MAX));
        assert!(hub.missed(few - 1).is_none(), "a board is smaller");
    }
}
