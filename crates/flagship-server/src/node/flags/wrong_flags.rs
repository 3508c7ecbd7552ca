//! Records incorrect submissions for organizers. Submissions are answered first: case-insensitive
//! digests, near misses and the networks used are computed in batches on a low-priority thread and
//! written in the background.

use std::sync::Arc;
use std::time::Duration;

use flagship_game::TeamId;
use flagship_store::sightings::Kind;
use flagship_store::wrong_flags::{self, WrongFlag};
use flagship_store::{Clock, Db, Seal, StoreError};
use tokio::sync::{mpsc, oneshot};

use super::texts::Texts;
use super::{Flags, SubmittedFlag};
use crate::net::shutdown::{Shutdown, shutdown_requested};
use crate::node::background::Background;
use crate::node::board::feed::Feed;
use crate::node::report::report;
use crate::node::settings::LiveSettings;
use crate::node::sightings::Sightings;

/// Maximum number of queued submissions. Further ones are dropped, with a warning in the log.
const QUEUE_MAX: usize = 65_536;
/// Pause between batches.
const PAUSE: Duration = Duration::from_millis(500);
/// Submissions per computation. Other work can use the thread in between.
const COMPUTED_MAX: usize = 4096;

/// An incorrect submission waiting to be recorded. It holds the text until then.
#[derive(Debug)]
pub struct IncorrectSubmission {
    pub team: TeamId,
    /// The submitted flag, without the data computed later.
    pub submitted: SubmittedFlag,
    /// Time of submission, in epoch milliseconds.
    pub at_ms: i64,
}

/// Queue of incorrect submissions to be recorded.
pub struct WrongFlags {
    queue: mpsc::Sender<IncorrectSubmission>,
    /// Callers of `wait_until_written`, notified once everything queued before is written.
    waiting: mpsc::UnboundedSender<oneshot::Sender<()>>,
}

/// Parts of the node needed to complete a record.
#[derive(Clone)]
pub struct Parts {
    /// Records the networks.
    pub sightings: Arc<Sightings>,
    /// Decides which texts are kept.
    pub texts: Arc<Texts>,
}

/// Task that completes and writes the records.
pub struct WrongFlagsTask {
    db: Db,
    /// Parts of the node, shared with other tasks.
    pub parts: Parts,
    thread: Arc<Background<()>>,
    queue: mpsc::Receiver<IncorrectSubmission>,
    waiting: mpsc::UnboundedReceiver<oneshot::Sender<()>>,
}

impl WrongFlags {
    /// Creates a queue whose task writes to `db`. Reads the flags.
    pub async fn open(
        db: &Db,
        seal: &Seal,
        settings: &LiveSettings,
        clock: &Clock,
        feed: &Arc<Feed>,
    ) -> Result<(Self, WrongFlagsTask), StoreError> {
        let flags = Arc::new(Flags::open(db.clone(), seal.clone(), feed.clone()).await?);
        let sightings = Arc::new(Sightings::new(settings.clone(), clock.clone()));
        let texts = Arc::new(Texts {
            seal: seal.clone(),
            settings: settings.clone(),
            flags,
            feed: feed.clone(),
            clock: clock.clone(),
        });
        let parts = Parts { sightings, texts };
        Ok(Self::with_capacity(QUEUE_MAX, db.clone(), parts))
    }

    fn with_capacity(size: usize, db: Db, parts: Parts) -> (Self, WrongFlagsTask) {
        let (sender, queue) = mpsc::channel(size);
        let (wait, waiting) = mpsc::unbounded_channel();
        let thread = Arc::new(Background::new("wrong flags", 1));
        let task = WrongFlagsTask { db, parts, thread, queue, waiting };
        (Self { queue: sender, waiting: wait }, task)
    }

    /// Waits until everything queued before is written or has failed.
    pub async fn wait_until_written(&self) {
        let (written, is_written) = oneshot::channel();
        drop(self.waiting.send(written));
        // An error means that the task has ended.
        drop(is_written.await);
    }

    /// Queues an incorrect submission. Does not wait for the record.
    pub fn push(&self, wrong: IncorrectSubmission) {
        if self.queue.try_send(wrong).is_err() {
            tracing::warn!("incorrect submission not recorded: queue full");
        }
    }
}

impl Parts {
    /// Builds the rows to record. Texts are dropped here unless the event keeps them.
    fn rows(&self, batch: Vec<IncorrectSubmission>) -> Vec<WrongFlag> {
        let key = self.texts.seal.key();
        let near = self.texts.flags.near.load_full();
        batch
            .into_iter()
            .map(|IncorrectSubmission { team, submitted, at_ms }| {
                let challenge = Some(&submitted.challenge);
                self.sightings.note_at(at_ms, team, Kind::Wrong, challenge, submitted.network);
                submitted.near_miss(key, &near, Some(team));
                self.texts.keep(&submitted, &near, team);
                submitted.wrong_flag(key, team, at_ms)
            })
            .collect()
    }
}

impl WrongFlagsTask {
    /// Writes batches until shutdown, then the remaining submissions.
    pub async fn run(mut self, mut shutdown: Shutdown) {
        let mut waiting = Vec::new();
        let mut pause = tokio::time::interval(PAUSE);
        pause.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            let is_shutdown = tokio::select! {
                () = shutdown_requested(&mut shutdown) => true,
                Some(written) = self.waiting.recv() => {
                    waiting.push(written);
                    false
                }
                _ = pause.tick() => false,
            };
            self.write().await;
            // The caller may have stopped waiting.
            for written in waiting.drain(..) {
                written.send(()).ok();
            }
            if is_shutdown {
                return;
            }
        }
    }

    /// Completes and writes the submissions queued at the time of the call. Later ones wait for the
    /// next call, so that callers of `wait_until_written` do not wait for the end of a flood.
    async fn write(&mut self) {
        let mut queued = self.queue.len();
        while queued > 0 {
            let mut batch = Vec::new();
            self.queue.recv_many(&mut batch, queued.min(COMPUTED_MAX)).await;
            queued = queued.saturating_sub(batch.len().max(1));
            let (parts, count) = (self.parts.clone(), batch.len());
            let Ok(rows) = self.thread.run((), move |()| parts.rows(batch)).await else {
                // A panic is a bug and was already logged by the panic hook.
                tracing::error!(count, "failed to record incorrect submissions");
                continue;
            };
            if let Err(error) = wrong_flags::record(&self.db, &rows).await {
                report(&error, "failed to record incorrect submissions");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use flagship_game::ChallengeId;
    use flagship_pack::Live;
    use flagship_store::Key;
    use flagship_store::lane::Writer;
    use flagship_testkit::{TestDb, on_both_engines};
    use tokio::sync::watch;

    use super::*;

    const TEXT: &str = "flag{Near}";

    async fn open(test: &TestDb) -> (WrongFlags, WrongFlagsTask) {
        let key = Key::new(b"secret");
        let clock = Clock::manual(9_000);
        let writer = Writer::open(test.db.clone(), &key, clock.clone()).await.expect("it opens");
        let settings = LiveSettings::new(Live::default());
        let feed = Arc::new(Feed::new(writer.generation(), writer.contest()));
        let opened = WrongFlags::open(&test.db, writer.seal(), &settings, &clock, &feed).await;
        opened.expect("it opens")
    }

    fn submission(key: &Key, at_ms: i64) -> IncorrectSubmission {
        let challenge = ChallengeId::from_name("one");
        let submitted = SubmittedFlag::new(key, &challenge, TEXT, Some([192, 0, 2, 7].into()));
        IncorrectSubmission { team: TeamId(1), submitted, at_ms }
    }

    on_both_engines! {
        async fn submissions_are_queued_unchanged_and_completed_on_the_thread(engine: Engine) {
            let test = TestDb::new(engine).await;
            let (queue, task) = open(&test).await;
            let parts = task.parts.clone();
            let (go, gone) = std::sync::mpsc::channel::<()>();
            let (busy, is_busy) = oneshot::channel();
            let thread = task.thread.clone();
            let block = thread.run((), move |()| {
                busy.send(()).ok();
                gone.recv().ok();
            });
            // The computing thread is busy, and `push` does not wait for it.
            queue.push(submission(parts.texts.seal.key(), 7_000));
            let stop = watch::Sender::new(false);
            let written = async {
                is_busy.await.expect("the thread works");
                queue.push(submission(parts.texts.seal.key(), 7_001));
                let sql = "select at_ms, digest from wrong_flags";
                assert!(test.rows::<(i64, String)>(sql).await.is_empty(), "nothing yet");
                drop(go);
                queue.wait_until_written().await;
                let sql = "select at_ms, digest, folded, network from wrong_flags order by at_ms";
                let rows = test.rows::<(i64, String, String, String)>(sql).await;
                stop.send_replace(true);
                rows
            };
            let running = task.run(stop.subscribe());
            let (rows, blocked, ()) = tokio::join!(written, block, running);
            assert_eq!(blocked, Ok(()));
            let digest = |text: &str| parts.texts.seal.key().flag_digest("one", text);
            let row = |at_ms| {
                (at_ms, digest(TEXT), digest("flag{near}"), "192.0.2.7".to_owned())
            };
            assert_eq!(rows, [row(7_000), row(7_001)]);
            parts.sightings.run(test.db.clone(), stop.subscribe()).await;
            let sql = "select kind, object, first_ms, count from sightings";
            let seen = test.rows::<(String, String, i64, i64)>(sql).await;
            assert_eq!(seen, [("wrong".to_owned(), "one".to_owned(), 7_000, 2)]);
        }

        async fn a_full_queue_drops_records_and_shutdown_writes_the_rest(engine: Engine) {
            let test = TestDb::new(engine).await;
            let parts = open(&test).await.1.parts;
            let (queue, task) = WrongFlags::with_capacity(3, test.db.clone(), parts.clone());
            for at_ms in 0..5 {
                queue.push(submission(parts.texts.seal.key(), at_ms));
            }
            task.run(watch::Sender::new(true).subscribe()).await;
            let sql = "select at_ms, near from wrong_flags order by at_ms";
            let rows = test.rows::<(i64, Option<String>)>(sql).await;
            assert_eq!(rows, [(0, None), (1, None), (2, None)]);
            // The task has ended, so this returns immediately.
            queue.wait_until_written().await;
        }
    }

    #[test]
    fn a_queued_text_is_not_shown() {
        let shown = format!("{:?}", submission(&Key::new(b"secret"), 0));
        assert!(!shown.to_lowercase().contains("near}"), "{shown}");
    }
}
