//! Sends due emails from the durable outbox and retries failures. Requests never wait for it, and
//! it logs no addresses or links.

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
use crate::net::address::{ClientNetwork, ShareKey};
use crate::net::permits::{NetworkPermits, Permit};
use crate::net::shutdown::{Shutdown, shutdown_requested};
use crate::node::common::Common;
use crate::node::error::NodeError;
use crate::node::report::chain;
use crate::node::services::transport::{Failure, SENDERS_MAX};

/// Number of emails read from the outbox at once: two per sender, so that the first email of a
/// network does not wait long behind others.
const BATCH_MAX: i64 = 8;
/// Divisor for the share of the hourly limit reserved for networks without an email in this hour (a
/// tenth), so that others cannot use up the limit.
const RESERVED_DIVISOR: usize = 10;
/// Divisor for the share of the hourly limit that one network may use (half). Trusted networks have
/// no limit on signups.
const NETWORK_DIVISOR: usize = 2;
/// Polling interval for the outbox without a wake-up. Other nodes write to it, and retries become
/// due.
const POLL: Duration = Duration::from_millis(500);
/// Timeout of one delivery attempt.
pub const SEND_MAX: Duration = Duration::from_secs(30);
/// Duration of a claim, in milliseconds. Afterwards the email is due again, if the node that
/// claimed it never finished.
const CLAIM_MS: i64 = 90_000;
/// Maximum attempts per email. With the pauses below, this takes about eight hours.
const ATTEMPTS_MAX: i64 = 12;
/// Pause after the first failure, in milliseconds. Doubles with each failure.
const PAUSE_MIN_MS: i64 = 30_000;
/// Maximum pause, in milliseconds.
const PAUSE_MAX_MS: i64 = 2 * 3_600_000;
/// Maximum number of requested emails waiting to be written. One network may hold a share of them.
const REQUESTS_MAX: usize = 1_024;
/// Bounds of the random delay before a requested email is written.
const HOLD_MIN: Duration = Duration::from_millis(250);
const HOLD_MAX: Duration = Duration::from_secs(2);
/// Number of recent delivery times kept.
const DELIVERIES_MAX: usize = 16;
/// Delivery time of a blank email before the first real delivery.
const BLANK_DEFAULT: Duration = Duration::from_millis(200);
/// Time that deliveries in progress may take to finish on shutdown.
const STOP_MAX: Duration = Duration::from_secs(2);

/// Queues and sends emails.
pub struct Mailer {
    node: Common,
    wake: Notify,
    requests: mpsc::Sender<MailRequest>,
    request_permits: NetworkPermits,
    /// True if only the reserve was left at the last check.
    is_nearly_used_up: AtomicBool,
    /// Durations of the last deliveries.
    deliveries: Mutex<VecDeque<Duration>>,
}

impl Mailer {
    /// Creates a mailer with the configured transport, and the request channel for its task.
    pub fn new(node: Common) -> (Arc<Self>, mpsc::Receiver<MailRequest>) {
        // Loaded now, so that no request has to wait for the texts.
        flagship_actions::mail::load();
        let (sender, requests) = mpsc::channel(REQUESTS_MAX);
        let mailer = Self {
            node,
            wake: Notify::new(),
            requests: sender,
            request_permits: NetworkPermits::new(REQUESTS_MAX),
            is_nearly_used_up: AtomicBool::new(false),
            deliveries: Mutex::default(),
        };
        (Arc::new(mailer), requests)
    }

    /// Queues and sends emails until shutdown, then finishes deliveries in progress.
    pub async fn run(self: Arc<Self>, requests: mpsc::Receiver<MailRequest>, shutdown: Shutdown) {
        tokio::join!(queue_requests(&self, requests, shutdown.clone()), send_due(&self, shutdown));
    }

    /// Wakes the task after an email was queued.
    pub fn wake(&self) {
        self.wake.notify_one();
    }

    /// Returns the number of emails that the hourly limit still allows, and the number per hour
    /// that one network may use.
    async fn hourly_quota(&self) -> Result<(usize, i64), StoreError> {
        let Common { db, clock, settings, .. } = &self.node;
        let per_hour_max = settings.load().limits.mails_per_hour as usize;
        if per_hour_max == 0 {
            return Ok((usize::MAX, i64::MAX));
        }
        let sent = mail::sent_in_hour(db, clock.now_ms()).await?;
        let left = per_hour_max.saturating_sub(usize::try_from(sent).unwrap_or(0));
        let reserved = per_hour_max / RESERVED_DIVISOR;
        let is_nearly_used_up = left <= reserved;
        if self.is_nearly_used_up.swap(is_nearly_used_up, Ordering::Relaxed) != is_nearly_used_up
            && is_nearly_used_up
        {
            tracing::warn!(
                per_hour_max,
                "hourly email limit nearly reached: only the reserve is left, other emails are \
                delayed"
            );
        }
        let of_network = (per_hour_max / NETWORK_DIVISOR).max(1) as i64;
        Ok(if is_nearly_used_up { (left, 1) } else { (left - reserved, of_network) })
    }

    fn record_delivery(&self, took: Duration) {
        let mut deliveries = self.deliveries.lock();
        if deliveries.len() == DELIVERIES_MAX {
            deliveries.pop_front();
        }
        deliveries.push_back(took);
    }

    /// Returns the duration of a random recent delivery.
    fn sample_delivery_time(&self) -> Duration {
        let deliveries = self.deliveries.lock();
        let took = deliveries.iter().choose(&mut rand::rng()).copied();
        took.unwrap_or(BLANK_DEFAULT)
    }

    /// Acquires a permit for a requested email.
    pub fn permit(&self, client: &ClientNetwork) -> Result<Permit<ShareKey>, NodeError> {
        Ok(self.request_permits.acquire(client)?)
    }

    /// Passes a request to the task, which writes the email shortly after.
    pub fn request(&self, request: MailRequest) -> Result<(), NodeError> {
        self.requests.try_send(request).map_err(|_| NodeError::Busy)
    }

    /// Writes a requested email to the outbox.
    async fn queue(&self, request: &MailRequest) {
        match request.queue(&self.node).await {
            Ok(()) => self.wake(),
            Err(error) => warn("failed to queue a requested email", &error),
        }
    }
}

/// Writes requested emails, each after a random delay, so that clients cannot correlate the write
/// or the delivery with their request.
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
    let mut queue = SendQueue::default();
    let mut sending = FuturesUnordered::new();
    loop {
        if queue.waiting.is_empty()
            && sending.len() < SENDERS_MAX
            && let Err(error) = queue.read(mailer).await
        {
            warn("failed to read the outbox", &error);
        }
        while sending.len() < SENDERS_MAX
            && let Some(mail) = queue.waiting.pop_front()
        {
            queue.in_progress.insert(mail.id, mail.sharer.clone());
            sending.push(async move { (mail.id, send_one(mailer, &mail).await) });
        }
        tokio::select! {
            Some((id, sent)) = sending.next() => {
                queue.in_progress.remove(&id);
                if let Err(error) = sent {
                    warn("failed to record an email's delivery status", &error);
                }
            }
            () = mailer.wake.notified() => {}
            () = tokio::time::sleep(POLL) => {}
            () = shutdown_requested(&mut shutdown) => {
                // A delivery interrupted here is due again when its claim expires.
                let rest = async { while sending.next().await.is_some() {} };
                drop(tokio::time::timeout(STOP_MAX, rest).await);
                return;
            }
        }
    }
}

/// Emails that this node is about to send.
#[derive(Default)]
struct SendQueue {
    waiting: VecDeque<DueMail>,
    /// Sharers of emails in progress, by email ID. These emails are neither sent nor due.
    in_progress: HashMap<i64, Option<String>>,
}

impl SendQueue {
    /// Reads due emails, as many as the hourly limits allow.
    async fn read(&mut self, mailer: &Mailer) -> Result<(), StoreError> {
        let (left, turn_max) = mailer.hourly_quota().await?;
        let left = left.saturating_sub(self.in_progress.len());
        if left == 0 {
            return Ok(());
        }
        let Common { db, clock, .. } = &mailer.node;
        let mut due = mail::due(db, clock.now_ms(), turn_max, BATCH_MAX).await?;
        due.retain(|mail| !self.in_progress.contains_key(&mail.id) && self.turn(mail) <= turn_max);
        due.truncate(left);
        self.waiting = due.into();
        Ok(())
    }

    /// Returns the turn of an email, counted after those in progress.
    fn turn(&self, mail: &DueMail) -> i64 {
        let own = self.in_progress.values().filter(|sharer| **sharer == mail.sharer).count();
        mail.turn.saturating_add(own as i64)
    }
}

/// Sends an email unless another node claimed it first.
async fn send_one(mailer: &Mailer, due: &DueMail) -> Result<(), StoreError> {
    let Common { db, clock, config, services, .. } = &mailer.node;
    let now_ms = clock.now_ms();
    if !mail::claim(db, due, now_ms, now_ms + CLAIM_MS).await? {
        return Ok(());
    }
    if due.subject.is_empty() {
        // Sleeps as long as a delivery takes. The gap between two writes, or a busy sender, would
        // otherwise reveal who receives an email.
        tokio::time::sleep(mailer.sample_delivery_time()).await;
        return mail::sent(db, due.id, clock.now_ms()).await;
    }
    let transport = services.load().transport.clone();
    let begun = Instant::now();
    let sent = tokio::time::timeout(SEND_MAX, transport.send(due, now_ms)).await;
    let took = begun.elapsed();
    let sent = sent.unwrap_or_else(|_| Err(Failure::timeout()));
    let now_ms = clock.now_ms();
    let Err(failure) = sent else {
        // Failures are not recorded: clients can cause quick ones, and outages slow ones.
        mailer.record_delivery(took);
        // For demos.
        let links = due.body.lines().filter(|line| line.starts_with(&config.public_url));
        for link in links.filter(|_| config.print_links) {
            println!("Emailed link: {link}");
        }
        return mail::sent(db, due.id, now_ms).await;
    };
    let tries = due.attempts + 1;
    let next_at_ms = (!failure.is_final && tries < ATTEMPTS_MAX).then(|| now_ms + pause_ms(tries));
    let will_retry = next_at_ms.is_some();
    // The mail server's response may contain the address, so it is stored with the email and not
    // logged.
    tracing::warn!(reason = failure.public, tries, will_retry, "email not sent");
    mail::failed(db, due.id, &failure.detail, next_at_ms).await
}

/// Returns the pause after the given number of failures.
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
        let pauses: Vec<i64> = (1..ATTEMPTS_MAX).map(|tries| pause_ms(tries) / 1000).collect();
        assert_eq!(pauses, [30, 60, 120, 240, 480, 960, 1920, 3840, 7200, 7200, 7200]);
        assert_eq!(pause_ms(i64::MAX), PAUSE_MAX_MS);
    }
}
