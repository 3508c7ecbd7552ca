//! Sends the mails that are due from the durable outbox, and retries after failures. No request
//! waits for it, and no address or link is logged.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use flagship_store::StoreError;
use flagship_store::mail::{self, DueMail};
use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use parking_lot::Mutex;
use rand::seq::IteratorRandom;
use tokio::sync::{Notify, mpsc};

use super::requests::MailRequest;
use crate::net::address::{ClientNetwork, Sharer};
use crate::net::permits::{NetworkPermits, Permit};
use crate::net::shutdown::{Shutdown, shutdown_requested};
use crate::node::common::Common;
use crate::node::error::NodeError;
use crate::node::report::chain;
use crate::node::services::transport::{Failure, SENDERS_MAX};

/// Mails that are taken from the outbox at once: two for each sender, so that a mail of a network's
/// first turn does not wait long behind others.
const BATCH_MAX: i64 = 8;
/// A tenth of the hourly limit is reserved for networks without a mail in this hour, so that others
/// cannot use up all mails.
const RESERVED_PART: usize = 10;
/// A half may go to one network. A trusted one signs teams up without a limit.
const NETWORK_PART: usize = 2;
/// How often the outbox is read without a wake-up: other nodes write to it, and retries become due.
const POLL: Duration = Duration::from_millis(500);
/// How long one delivery attempt may take.
pub const SEND_MAX: Duration = Duration::from_secs(30);
/// After this long, in milliseconds, a mail is due again if the node that claimed it never
/// finished.
const CLAIM_MS: i64 = 90_000;
/// Attempts before a mail is abandoned: with the pauses below, after about eight hours.
const TRIES_MAX: i64 = 12;
/// Pause after the first failure, in milliseconds; it doubles with each.
const PAUSE_MIN_MS: i64 = 30_000;
/// Longest pause, in milliseconds.
const PAUSE_MAX_MS: i64 = 2 * 3_600_000;
/// Requested mails that may wait to be written. One network may hold a share of them.
const REQUESTS_MAX: usize = 1_024;
/// How long a requested mail is held before it is written, at least and at most.
const HOLD_MIN: Duration = Duration::from_millis(250);
const HOLD_MAX: Duration = Duration::from_secs(2);
/// Deliveries whose times are remembered.
const DELIVERIES_MAX: usize = 16;
/// How long a blank takes before the first delivery.
const FIRST_BLANK: Duration = Duration::from_millis(200);
/// How long deliveries under way may take to finish on shutdown.
const STOP_MAX: Duration = Duration::from_secs(2);

/// Queues and sends mails.
pub struct Mailer {
    node: Common,
    wake: Notify,
    requests: mpsc::Sender<MailRequest>,
    request_permits: NetworkPermits,
    /// True if at most the reserved mails were left at the last check.
    is_spent: AtomicBool,
    /// How long the last deliveries took.
    deliveries: Mutex<VecDeque<Duration>>,
}

impl Mailer {
    /// A mailer that delivers as the settings say, and the requests for its task.
    pub fn new(node: Common) -> (Arc<Self>, mpsc::Receiver<MailRequest>) {
        // No request waits until the texts are read.
        flagship_actions::mail::load();
        let (sender, requests) = mpsc::channel(REQUESTS_MAX);
        let mailer = Self {
            node,
            wake: Notify::new(),
            requests: sender,
            request_permits: NetworkPermits::new(REQUESTS_MAX),
            is_spent: AtomicBool::new(false),
            deliveries: Mutex::default(),
        };
        (Arc::new(mailer), requests)
    }

    /// Queues and sends mails until shutdown, and finishes deliveries under way.
    pub async fn run(self: Arc<Self>, requests: mpsc::Receiver<MailRequest>, shutdown: Shutdown) {
        tokio::join!(queue_requests(&self, requests, shutdown.clone()), send_due(&self, shutdown));
    }

    /// Wakes the task, after a mail was queued.
    pub fn wake(&self) {
        self.wake.notify_one();
    }

    /// How many mails the hourly limit still allows, and how many of an hour may be of one network.
    async fn left(&self) -> Result<(usize, i64), StoreError> {
        let Common { db, clock, settings, .. } = &self.node;
        let per_hour_max = settings.load().limits.mails_per_hour as usize;
        if per_hour_max == 0 {
            return Ok((usize::MAX, i64::MAX));
        }
        let sent = mail::sent_in_hour(db, clock.now_ms()).await?;
        let left = per_hour_max.saturating_sub(usize::try_from(sent).unwrap_or(0));
        let reserved = per_hour_max / RESERVED_PART;
        let is_spent = left <= reserved;
        if self.is_spent.swap(is_spent, Ordering::Relaxed) != is_spent && is_spent {
            tracing::warn!(
                per_hour_max,
                "the hourly limit of mails is reached but for the reserve; others wait"
            );
        }
        let of_network = (per_hour_max / NETWORK_PART).max(1) as i64;
        Ok(if is_spent { (left, 1) } else { (left - reserved, of_network) })
    }

    fn note_delivery(&self, took: Duration) {
        let mut deliveries = self.deliveries.lock();
        if deliveries.len() == DELIVERIES_MAX {
            deliveries.pop_front();
        }
        deliveries.push_back(took);
    }

    /// How long one of the last deliveries took.
    fn usual_delivery(&self) -> Duration {
        let deliveries = self.deliveries.lock();
        let took = deliveries.iter().choose(&mut rand::rng()).copied();
        took.unwrap_or(FIRST_BLANK)
    }

    /// Acquires a permit for a requested mail.
    pub fn permit(&self, client: &ClientNetwork) -> Result<Permit<Sharer>, NodeError> {
        Ok(self.request_permits.acquire(client)?)
    }

    /// Hands a request to the task, which writes the mail soon.
    pub fn request(&self, request: MailRequest) -> Result<(), NodeError> {
        self.requests.try_send(request).map_err(|_| NodeError::Busy)
    }

    /// Writes a requested mail to the outbox.
    async fn queue(&self, request: &MailRequest) {
        match request.queue(&self.node).await {
            Ok(()) => self.wake(),
            Err(error) => warn("a requested mail could not be queued", &error),
        }
    }
}

/// Writes requested mails, each after a random delay, so that a client cannot time the writing or
/// the delivery by its request.
async fn queue_requests(
    mailer: &Mailer,
    mut requests: mpsc::Receiver<MailRequest>,
    mut shutdown: Shutdown,
) {
    let mut held = FuturesUnordered::new();
    loop {
        let request = tokio::select! {
            biased;
            Some(request) = held.next() => request,
            request = requests.recv() => {
                let Some(request) = request else { break };
                held.push(hold(request, shutdown.clone()));
                continue;
            }
            () = shutdown_requested(&mut shutdown), if !requests.is_closed() => {
                requests.close();
                continue;
            }
        };
        mailer.queue(&request).await;
    }
    while let Some(request) = held.next().await {
        mailer.queue(&request).await;
    }
}

async fn hold(request: MailRequest, mut shutdown: Shutdown) -> MailRequest {
    let hold = rand::random_range(HOLD_MIN..HOLD_MAX);
    drop(tokio::time::timeout(hold, shutdown_requested(&mut shutdown)).await);
    request
}

async fn send_due(mailer: &Mailer, mut shutdown: Shutdown) {
    let mut line = Line::default();
    let mut sending = FuturesUnordered::new();
    loop {
        if line.waiting.is_empty()
            && sending.len() < SENDERS_MAX
            && let Err(error) = line.read(mailer).await
        {
            warn("the outbox could not be read", &error);
        }
        while sending.len() < SENDERS_MAX
            && let Some(mail) = line.waiting.pop_front()
        {
            line.under_way.insert(mail.id, mail.sharer.clone());
            sending.push(async move { (mail.id, send_one(mailer, &mail).await) });
        }
        tokio::select! {
            Some((id, sent)) = sending.next() => {
                line.under_way.remove(&id);
                if let Err(error) = sent {
                    warn("what became of a mail could not be written", &error);
                }
            }
            () = mailer.wake.notified() => {}
            () = tokio::time::sleep(POLL) => {}
            () = shutdown_requested(&mut shutdown) => {
                // A delivery that is cut off here is due again when its claim expires.
                let rest = async { while sending.next().await.is_some() {} };
                drop(tokio::time::timeout(STOP_MAX, rest).await);
                return;
            }
        }
    }
}

/// The mails that this node is about to send.
#[derive(Default)]
struct Line {
    waiting: VecDeque<DueMail>,
    /// The sharers of those under way, by id: they are neither sent nor due.
    under_way: HashMap<i64, Option<String>>,
}

impl Line {
    /// Reads the mails that are due, as many as the limits of the hour leave.
    async fn read(&mut self, mailer: &Mailer) -> Result<(), StoreError> {
        let (left, turn_max) = mailer.left().await?;
        let left = left.saturating_sub(self.under_way.len());
        if left == 0 {
            return Ok(());
        }
        let Common { db, clock, .. } = &mailer.node;
        let mut due = mail::due(db, clock.now_ms(), turn_max, BATCH_MAX).await?;
        due.retain(|mail| !self.under_way.contains_key(&mail.id) && self.turn(mail) <= turn_max);
        due.truncate(left);
        self.waiting = due.into();
        Ok(())
    }

    /// The turn of a mail behind those under way.
    fn turn(&self, mail: &DueMail) -> i64 {
        let own = self.under_way.values().filter(|sharer| **sharer == mail.sharer).count();
        mail.turn.saturating_add(own as i64)
    }
}

/// Sends a mail unless another node claimed it first.
async fn send_one(mailer: &Mailer, due: &DueMail) -> Result<(), StoreError> {
    let Common { db, clock, config, services, .. } = &mailer.node;
    let now_ms = clock.now_ms();
    if !mail::claim(db, due, now_ms, now_ms + CLAIM_MS).await? {
        return Ok(());
    }
    if due.subject.is_empty() {
        // As long as a delivery takes: a gap between two writes, or a sender that is busy, would
        // tell who gets a mail.
        tokio::time::sleep(mailer.usual_delivery()).await;
        return mail::sent(db, due.id, clock.now_ms()).await;
    }
    let transport = services.load().transport.clone();
    let begun = Instant::now();
    let sent = tokio::time::timeout(SEND_MAX, transport.send(due, now_ms)).await;
    let took = begun.elapsed();
    let sent = sent.unwrap_or_else(|_| Err(Failure::timeout()));
    let now_ms = clock.now_ms();
    let Err(failure) = sent else {
        // Not failures: clients cause quick ones, and outages slow ones.
        mailer.note_delivery(took);
        // For a demonstration.
        let links = due.body.lines().filter(|line| line.starts_with(&config.public_url));
        for link in links.filter(|_| config.print_links) {
            println!("Mailed: {link}");
        }
        return mail::sent(db, due.id, now_ms).await;
    };
    let tries = due.attempts + 1;
    let next_at_ms = (!failure.is_final && tries < TRIES_MAX).then(|| now_ms + pause_ms(tries));
    let will_retry = next_at_ms.is_some();
    // The mail server's response may name the address, so it is stored with the mail, not logged.
    tracing::warn!(reason = failure.public, tries, will_retry, "a mail was not sent");
    mail::failed(db, due.id, &failure.detail, next_at_ms).await
}

/// The pause after so many failures.
fn pause_ms(tries: i64) -> i64 {
    let doublings = (tries - 1).clamp(0, 32) as u32;
    (PAUSE_MIN_MS << doublings).min(PAUSE_MAX_MS)
}

fn warn(what: &str, error: &StoreError) {
    tracing::warn!(error = chain(error), "{what}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_up_to_two_hours() {
        let pauses: Vec<i64> = (1..TRIES_MAX).map(|tries| pause_ms(tries) / 1000).collect();
        assert_eq!(pauses, [30, 60, 120, 240, 480, 960, 1920, 3840, 7200, 7200, 7200]);
        assert_eq!(pause_ms(i64::MAX), PAUSE_MAX_MS);
    }
}
