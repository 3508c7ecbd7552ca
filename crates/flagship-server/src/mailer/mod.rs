//! Mail: takes what is due from the durable outbox and sends it, again and again if need be.
//! No request ever waits for it, and no address or link is ever logged.

mod transport;

use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use flagship_store::mail::{self, DueMail};
use flagship_store::{Lock, StoreError, accounts};
use futures_util::StreamExt;
use futures_util::stream::{self, FuturesUnordered};
use parking_lot::Mutex;
use tokio::sync::{Notify, mpsc, watch};

use crate::accounts::Ask;
use crate::app::{App, Config, told};
use crate::error::{ApiError, chain};
use crate::extract::ClientNetwork;
use crate::places::{Place, Shares};
use transport::Transport;

/// Mails that are sent at once.
const SENDERS_MAX: usize = 4;
/// Mails that are taken from the outbox at once.
const BATCH_MAX: i64 = 32;
/// The part of the hour's mails that is kept for networks that were sent none in it: whoever spends
/// the rest keeps nobody else from the first.
const KEPT_PART: usize = 10;
/// How often the outbox is looked at unasked: others write to it too, and retries come due.
const LOOK: Duration = Duration::from_millis(500);
/// How long one attempt may take.
const SEND_MAX: Duration = Duration::from_secs(30);
/// After this long, in milliseconds, a mail whose sender never came back is due again.
const CLAIM_MS: i64 = 90_000;
/// Attempts until a mail is given up: with the pauses below, after about eight hours.
const TRIES_MAX: i64 = 12;
/// Pause after the first failure, in milliseconds; it doubles with each.
const PAUSE_MIN_MS: i64 = 30_000;
/// Longest pause, in milliseconds.
const PAUSE_MAX_MS: i64 = 2 * 3_600_000;
/// Mails asked for that may wait to be written, of which one network has a share.
const ASKS_MAX: usize = 1_024;
/// How long one that was asked for is held before it is written, at least and at most.
const HOLD_MIN: Duration = Duration::from_millis(250);
const HOLD_MAX: Duration = Duration::from_secs(2);
/// How long what is under way may take to finish when the program stops.
const STOP_MAX: Duration = Duration::from_secs(2);
/// How often lapsed accounts and sessions are forgotten.
const HOUSEKEEPING: Duration = Duration::from_secs(600);

/// The way to the mailer.
pub struct Mailer {
    transport: Transport,
    wake: Notify,
    asks: mpsc::Sender<Ask>,
    ask_places: Shares,
    asked: Mutex<Option<mpsc::Receiver<Ask>>>,
    /// Whether the hour's mails were spent when it was looked last.
    is_spent: AtomicBool,
    /// Lines of a mail that begin so are printed, for a demonstration.
    printed: Option<String>,
}

impl Mailer {
    /// Sends as the settings say.
    pub fn new(config: &Config) -> anyhow::Result<Self> {
        let (asks, asked) = mpsc::channel(ASKS_MAX);
        Ok(Self {
            transport: Transport::new(config)?,
            wake: Notify::new(),
            asks,
            ask_places: Shares::new(ASKS_MAX),
            asked: Mutex::new(Some(asked)),
            is_spent: AtomicBool::new(false),
            printed: config.print_links.then(|| config.public_url.clone()),
        })
    }

    /// Says that a mail was queued.
    pub fn wake(&self) {
        self.wake.notify_one();
    }

    /// How many mails may be sent now, under the event's limit of an hour, and whether they are
    /// those that are kept for the first of a network.
    async fn left(&self, app: &App) -> Result<(usize, bool), StoreError> {
        let per_hour_max = app.config().settings.limits.mails_per_hour as usize;
        if per_hour_max == 0 {
            return Ok((usize::MAX, false));
        }
        let sent = mail::sent_in_hour(&app.db, app.clock.now_ms()).await?;
        let left = per_hour_max.saturating_sub(usize::try_from(sent).unwrap_or(0));
        let kept = per_hour_max / KEPT_PART;
        let is_spent = left <= kept;
        if self.is_spent.swap(is_spent, Ordering::Relaxed) != is_spent && is_spent {
            tracing::warn!(per_hour_max, "the hour's mails are spent; others wait");
        }
        Ok(if is_spent { (left, true) } else { (left - kept, false) })
    }

    /// A place for a mail that is asked for.
    pub fn place(&self, client: &ClientNetwork) -> Result<Place<IpAddr>, ApiError> {
        self.ask_places.take(client).map_err(|_| ApiError::overload())
    }

    /// Has a mail written soon.
    pub fn ask(&self, ask: Ask) -> Result<(), ApiError> {
        self.asks.try_send(ask).map_err(|_| ApiError::overload())
    }
}

/// Runs until told to stop, and finishes what is under way.
pub async fn run(app: App, stop: watch::Receiver<bool>) {
    let asked = app.mailer.asked.lock().take().expect("the mailer is run once");
    tokio::join!(
        answer_asks(&app, asked, stop.clone()),
        send_due(&app, stop.clone()),
        keep_house(&app, stop),
    );
}

/// Resolves when the program is told to stop.
async fn stopped(mut stop: watch::Receiver<bool>) {
    told(&mut stop).await;
}

/// Writes what was asked for, each a random while later: neither the writing nor the sending
/// follows the request so closely that its sender could time it.
async fn answer_asks(app: &App, mut asked: mpsc::Receiver<Ask>, stop: watch::Receiver<bool>) {
    let mut held = FuturesUnordered::new();
    loop {
        let ask = tokio::select! {
            biased;
            Some(ask) = held.next() => ask,
            ask = asked.recv() => {
                let Some(ask) = ask else { break };
                held.push(hold(ask, stop.clone()));
                continue;
            }
            () = stopped(stop.clone()), if !asked.is_closed() => {
                asked.close();
                continue;
            }
        };
        answer(app, &ask).await;
    }
    while let Some(ask) = held.next().await {
        answer(app, &ask).await;
    }
}

async fn hold(ask: Ask, stop: watch::Receiver<bool>) -> Ask {
    let hold = rand::random_range(HOLD_MIN..HOLD_MAX);
    drop(tokio::time::timeout(hold, stopped(stop)).await);
    ask
}

async fn answer(app: &App, ask: &Ask) {
    match ask.answer(app).await {
        Ok(()) => app.mailer.wake(),
        Err(error) => warn("a mail that was asked for could not be queued", &error),
    }
}

async fn send_due(app: &App, stop: watch::Receiver<bool>) {
    let stopped = stopped(stop);
    tokio::pin!(stopped);
    loop {
        let batch = send_batch(app);
        tokio::pin!(batch);
        let sent = tokio::select! {
            sent = &mut batch => sent,
            () = &mut stopped => {
                // What is cut off here is due again when its claim has run out.
                drop(tokio::time::timeout(STOP_MAX, batch).await);
                return;
            }
        };
        match sent {
            Ok(count) if count > 0 => continue,
            Ok(_) => {}
            Err(error) => warn("the outbox could not be read", &error),
        }
        tokio::select! {
            () = app.mailer.wake.notified() => {}
            () = tokio::time::sleep(LOOK) => {}
            () = &mut stopped => return,
        }
    }
}

/// Sends what is due; says how many mails were taken.
async fn send_batch(app: &App) -> Result<usize, StoreError> {
    let (left, is_kept) = app.mailer.left(app).await?;
    if left == 0 {
        return Ok(0);
    }
    let turn_max = if is_kept { 1 } else { i64::MAX };
    let mut due = mail::due(&app.db, app.clock.now_ms(), turn_max, BATCH_MAX).await?;
    due.truncate(left);
    let sends = due.into_iter().map(|mail| send_one(app.clone(), mail));
    let taken: Vec<_> = stream::iter(sends).buffer_unordered(SENDERS_MAX).collect().await;
    let mut count = 0;
    for taken in taken {
        count += usize::from(taken?);
    }
    Ok(count)
}

/// Sends a mail unless another node took it first.
async fn send_one(app: App, due: DueMail) -> Result<bool, StoreError> {
    let now_ms = app.clock.now_ms();
    if !mail::claim(&app.db, &due, now_ms, now_ms + CLAIM_MS).await? {
        return Ok(false);
    }
    if due.subject.is_empty() {
        mail::sent(&app.db, due.id, now_ms).await?;
        return Ok(true);
    }
    let mailer = &app.mailer;
    let sent = tokio::time::timeout(SEND_MAX, mailer.transport.send(&due, now_ms)).await;
    let sent = sent.unwrap_or_else(|_| Err(transport::Failure::timeout()));
    let now_ms = app.clock.now_ms();
    let Err(failure) = sent else {
        if let Some(prefix) = &mailer.printed {
            for link in due.body.lines().filter(|line| line.starts_with(prefix)) {
                println!("Mailed: {link}");
            }
        }
        mail::sent(&app.db, due.id, now_ms).await?;
        return Ok(true);
    };
    let tries = due.attempts + 1;
    let next_at_ms = (!failure.is_final && tries < TRIES_MAX).then(|| now_ms + pause_ms(tries));
    let will_retry = next_at_ms.is_some();
    // The mail server's own words may name the address; they are kept with it, not logged.
    tracing::warn!(reason = failure.public, tries, will_retry, "a mail was not sent");
    mail::failed(&app.db, due.id, &failure.detail, next_at_ms).await?;
    Ok(true)
}

/// How long to wait after so many failures.
fn pause_ms(tries: i64) -> i64 {
    let doublings = (tries - 1).clamp(0, 32) as u32;
    (PAUSE_MIN_MS << doublings).min(PAUSE_MAX_MS)
}

async fn keep_house(app: &App, stop: watch::Receiver<bool>) {
    loop {
        tokio::select! {
            () = tokio::time::sleep(HOUSEKEEPING) => {}
            () = stopped(stop.clone()) => return,
        }
        let now_ms = app.clock.now_ms();
        app.sessions.sweep(now_ms);
        if let Err(error) = forget_lapsed(app, now_ms).await {
            warn("lapsed accounts could not be forgotten", &error);
        }
    }
}

async fn forget_lapsed(app: &App, now_ms: i64) -> Result<(), StoreError> {
    let mut tx = app.db.begin(Lock::Accounts).await?;
    accounts::forget_lapsed(&mut tx, now_ms).await?;
    mail::forget_blanks(&mut tx, now_ms).await?;
    tx.commit().await
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
