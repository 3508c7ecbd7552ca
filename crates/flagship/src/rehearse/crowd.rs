//! The crowd: simulated players and spectators, each a task that behaves like a browser.

use std::collections::{HashMap, HashSet};
use std::io::Write;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use flagship_game::ChallengeId;
use flagship_load::{Site, Watch, loopback};
use parking_lot::Mutex;
use rand::seq::IndexedRandom;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout, timeout_at};

use super::clients::{self, Client, Info, Judgment, Open, RequestError};
use super::script::{Figures, Message, Player, Script, Timed, arrival_s, play_s, start_delay_s};

/// Mean pause between two submissions of a team, in seconds.
const PAUSE_MEAN_S: f64 = 10.0;
/// One in this many submissions is correct, as in real events.
const RIGHT_ONE_IN: u32 = 7;
/// Maximum time from the start until a player requests the challenges, in seconds.
const START_JITTER_S: f64 = 2.0;
/// One in this many spectators loses the connection once, in the middle of the event.
const LOST_ONE_IN: u32 = 2;
/// Maximum time until a lost connection is reopened, in seconds.
const RETURN_S: f64 = 3.0;
/// Time before the end without submissions, because they could arrive too late.
const LAST: Duration = Duration::from_millis(500);
/// Time that sockets stay open after the end, to receive the last frames.
const AFTER: Duration = Duration::from_secs(2);

/// An unlocked challenge that a team has not solved.
#[derive(Clone)]
struct Challenge {
    id: String,
    /// The flags to submit, in this order.
    flags: Vec<String>,
    /// IDs of the hints that the team can take.
    hints: Vec<String>,
}

/// A flag that a team submits.
struct Guess {
    id: String,
    flag: String,
    kind: GuessKind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum GuessKind {
    Wrong,
    /// One of several flags, before the last one.
    Part,
    /// The only flag, or the last of several.
    Last,
}

impl Guess {
    /// A guess of a team that has found the first `found` flags of the challenge.
    fn new(challenge: Challenge, found: usize, is_right: bool) -> Self {
        let Challenge { id, mut flags, .. } = challenge;
        let last = flags.len().saturating_sub(1);
        let (flag, kind) = match (is_right, found < last) {
            (false, _) => ("flag{rehearsal, not right}".to_owned(), GuessKind::Wrong),
            (true, true) => (flags.swap_remove(found), GuessKind::Part),
            (true, false) => (flags.swap_remove(last), GuessKind::Last),
        };
        Self { id, flag, kind }
    }
}

impl GuessKind {
    /// True if the judgment is possible. A team of a running site may have found flags before.
    fn fits(self, judged: Judgment) -> bool {
        match self {
            Self::Wrong => judged == Judgment::Incorrect,
            Self::Part => judged != Judgment::Incorrect,
            Self::Last => judged == Judgment::Solved,
        }
    }
}

/// State shared by the clients of one worker.
struct Crowd {
    script: Script,
    site: Site,
    names: HashSet<String>,
    figures: Mutex<Figures>,
    /// Acknowledgement times of this worker's solves.
    acknowledged: Mutex<HashMap<(String, String), Instant>>,
    opened: Instant,
}

/// Runs a worker: plays the script from standard input, and writes messages to standard output.
pub async fn run() -> Result<()> {
    flagship_server::raise_open_files();
    let mut text = String::new();
    std::io::stdin().read_line(&mut text).context("read the script")?;
    let script: Script = serde_json::from_str(&text).context("the script is JSON")?;
    let crowd = Arc::new(Crowd {
        site: Site::parse(&script.url, own_address(&script.url))?,
        names: script.players.iter().map(|player| player.name.clone()).collect(),
        figures: Mutex::default(),
        acknowledged: Mutex::default(),
        opened: Instant::now(),
        script,
    });
    let mut clients = JoinSet::new();
    for player in &crowd.script.players {
        clients.spawn(crowd.clone().client(Some(player.clone())));
    }
    for _ in 0..crowd.script.spectators {
        clients.spawn(crowd.clone().client(None));
    }
    let progress = tokio::spawn(report_progress(crowd.clone()));
    clients.join_all().await;
    progress.abort();
    let mut figures = crowd.figures.lock().clone();
    figures.acknowledged = crowd.acknowledged.lock().keys().cloned().collect();
    send(&Message::Finished(Box::new(figures)))
}

/// Local address of this worker. Each worker has its own loopback address, so that together they
/// have enough ports.
fn own_address(url: &str) -> Option<IpAddr> {
    let is_loopback = url.contains("//127.") || url.contains("//localhost");
    is_loopback.then(|| loopback(std::process::id()))
}

fn send(message: &Message) -> Result<()> {
    let mut out = std::io::stdout().lock();
    serde_json::to_writer(&mut out, message)?;
    writeln!(out)?;
    Ok(out.flush()?)
}

async fn report_progress(crowd: Arc<Crowd>) {
    loop {
        sleep(Duration::from_secs(1)).await;
        let progress = {
            let figures = crowd.figures.lock();
            let [right, live] = [Timed::Right, Timed::Live].map(|it| figures.quantile_ms(it, 0.99));
            format!(
                "{} boards, {} flags ({right:.0} ms), {} frames ({live:.0} ms), {} failures",
                figures.count(Timed::Board),
                figures.count(Timed::Right) + figures.count(Timed::Wrong),
                figures.count(Timed::Live),
                figures.failure_count(),
            )
        };
        // Sending fails only if the parent process has ended.
        drop(send(&Message::Progress(progress)));
    }
}

fn within(seconds: f64) -> Duration {
    Duration::from_secs_f64(rand::random::<f64>() * seconds)
}

/// A random pause of a Poisson process.
fn pause() -> Duration {
    Duration::from_secs_f64(-PAUSE_MEAN_S * (1.0 - rand::random::<f64>()).ln())
}

/// Times of the event on this process's clock.
#[derive(Clone, Copy)]
struct EventTimes {
    start: Instant,
    middle: Instant,
    end: Instant,
}

impl Crowd {
    async fn client(self: Arc<Self>, player: Option<Player>) {
        sleep(within(arrival_s(self.script.minutes))).await;
        let mut client = Client::new(self.site.clone());
        let page = self.timed(Timed::Page, client.page()).await;
        let Some(info) = page else { return };
        let moments = self.moments(&info);
        let token = player.as_ref().map(|player| player.token.clone()).unwrap_or_default();
        let open = clients::live(Watch::open(&self.site, &token));
        let Some(watch) = self.timed(Timed::Board, open).await else { return };
        let watching = self.watch(watch, &token, moments);
        match &player {
            None => {
                // Spectators send no further requests.
                drop(client);
                watching.await;
            }
            Some(player) => {
                tokio::join!(watching, self.play(&mut client, player, moments));
            }
        }
    }

    /// The event's times, limited to the duration of the rehearsal.
    fn moments(&self, info: &Info) -> EventTimes {
        let now = Instant::now();
        let at = |time: Option<i64>| {
            let ms = time.unwrap_or_default() - info.server_time;
            now + Duration::from_millis(u64::try_from(ms).unwrap_or_default())
        };
        let opens = self.opened + Duration::from_secs_f64(start_delay_s(self.script.minutes));
        let closes = opens + Duration::from_secs_f64(play_s(self.script.minutes));
        let start = at(info.start_time).max(now).min(closes);
        let end = if info.end_time.is_some() { at(info.end_time).min(closes) } else { closes };
        EventTimes { start, middle: start + end.saturating_duration_since(start) / 2, end }
    }

    /// Watches the live channel to the end. Some spectators lose their connection once.
    async fn watch(&self, mut watch: Watch, token: &str, moments: EventTimes) {
        let loses = token.is_empty() && rand::random_ratio(1, LOST_ONE_IN);
        let until = if loses { moments.middle } else { moments.end + AFTER };
        self.receive(&mut watch, until).await;
        if loses {
            watch.disconnect();
            sleep(within(RETURN_S)).await;
            let back = clients::live(watch.connect(&self.site, token));
            if self.timed(Timed::Return, back).await.is_some() {
                self.receive(&mut watch, moments.end + AFTER).await;
            }
        }
    }

    /// Receives frames until a given time, and records each frame's delay after its
    /// acknowledgement.
    async fn receive(&self, watch: &mut Watch, until: Instant) {
        let connected = Instant::now();
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let frame = match timeout(left, watch.next()).await {
                Err(_) => return,
                Ok(Ok(frame)) => frame,
                Ok(Err(error)) => {
                    let failure = format!("the live channel: {error}");
                    return self.figures.lock().record_failure(failure);
                }
            };
            if frame.event == "solve" && self.names.contains(&frame.team) {
                // A frame may arrive before the acknowledgement. Solves from before this connection
                // do not measure the speed of the channel.
                let solve = (frame.team, frame.challenge);
                let answered = self.acknowledged.lock().get(&solve).copied();
                if answered.is_none_or(|answered| answered >= connected) {
                    let since = answered.map(|answered| answered.elapsed());
                    self.figures.lock().record(Timed::Live, since.unwrap_or_default());
                }
            }
        }
    }

    async fn play(&self, client: &mut Client, player: &Player, moments: EventTimes) {
        sleep(moments.start.saturating_duration_since(Instant::now())).await;
        sleep(within(START_JITTER_S)).await;
        let mut open = self.open_challenges(client, player).await;
        // Number of flags found, by challenge ID.
        let mut found: HashMap<String, usize> = HashMap::new();
        loop {
            let pause = pause();
            if Instant::now() + pause + LAST >= moments.end {
                return;
            }
            sleep(pause).await;
            let Some(chosen) = open.choose(&mut rand::rng()).cloned() else { return };
            let is_right = rand::random_ratio(1, RIGHT_ONE_IN);
            let found = found.entry(chosen.id.clone()).or_default();
            let guess = Guess::new(chosen, *found, is_right);
            let asked = Instant::now();
            let sent = self.submit(client, player, &guess);
            let Ok(judged) = timeout_at((moments.end - LAST / 5).into(), sent).await else {
                // The event ended before the response: the time so far counts as the latency.
                return self.figures.lock().record(Timed::of_flag(is_right), asked.elapsed());
            };
            match judged {
                Some(Judgment::Solved) => {
                    self.take_hint(client, player, &open).await;
                    open = self.open_challenges(client, player).await;
                }
                Some(Judgment::Found) => *found += 1,
                Some(Judgment::Incorrect) | None => {}
            }
        }
    }

    /// Takes a hint of a random challenge, if it has one. The new points often pay for it.
    async fn take_hint(&self, client: &mut Client, player: &Player, open: &[Challenge]) {
        let Some(challenge) = open.choose(&mut rand::rng()) else { return };
        let Some(hint) = challenge.hints.first() else { return };
        self.timed(Timed::Hint, client.hint(&player.token, &challenge.id, hint)).await;
    }

    /// The unlocked challenges that a team has not solved, with their flags.
    async fn open_challenges(&self, client: &mut Client, player: &Player) -> Vec<Challenge> {
        let listed = self.timed(Timed::Challenges, client.challenges(&player.token)).await;
        let solved = self.acknowledged.lock();
        let open = listed.unwrap_or_default().into_iter();
        let open = open.filter(|it| !solved.contains_key(&(player.name.clone(), it.id.clone())));
        let flags = |id: &str| self.script.answers.get(&ChallengeId::parse(id).ok()?).cloned();
        let known = |Open { id, hints }| Some(Challenge { flags: flags(&id)?, id, hints });
        open.filter_map(known).collect()
    }

    /// Submits a flag; returns its judgment if it was acknowledged.
    async fn submit(
        &self,
        client: &mut Client,
        player: &Player,
        guess: &Guess,
    ) -> Option<Judgment> {
        let Guess { id, flag, kind } = guess;
        let what = Timed::of_flag(*kind != GuessKind::Wrong);
        let judged = self.timed(what, client.solve(&player.token, id, flag)).await?;
        if !kind.fits(judged) {
            self.figures.lock().record_failure("a flag was misjudged".to_owned());
        }
        if judged == Judgment::Solved {
            let solve = (player.name.clone(), id.clone());
            self.acknowledged.lock().insert(solve, Instant::now());
        }
        Some(judged)
    }

    /// Awaits a response and records its latency or its failure.
    async fn timed<T>(
        &self,
        what: Timed,
        answer: impl Future<Output = Result<T, RequestError>>,
    ) -> Option<T> {
        let asked = Instant::now();
        let answer = answer.await;
        let mut figures = self.figures.lock();
        match answer {
            Ok(answer) => {
                figures.record(what, asked.elapsed());
                return Some(answer);
            }
            Err(RequestError::RateLimited) => figures.rate_limited += 1,
            Err(RequestError::Busy) => figures.busy += 1,
            Err(RequestError::Failed(why)) => figures.record_failure(why),
        }
        None
    }
}
