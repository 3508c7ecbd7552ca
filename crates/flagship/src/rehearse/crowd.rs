//! The crowd: players and spectators, each a task, as their browsers would behave.

use std::collections::{HashMap, HashSet};
use std::io::Write;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use flagship_load::{Site, Watch, loopback};
use parking_lot::Mutex;
use rand::seq::IndexedRandom;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout, timeout_at};

use super::clients::{self, Info, Refused, Wire};
use super::figures::{Figures, Timed};
use super::script::{Player, Script, Word, doors_s, opens_s, play_s};

/// Pause between two submissions of a team, in seconds; the mean of an exponential distribution.
const PAUSE_MEAN_S: f64 = 10.0;
/// Of this many submissions one is right, as in real events.
const RIGHT_ONE_IN: u32 = 7;
/// A client fetches what the start changed within this time, in seconds.
const START_JITTER_S: f64 = 2.0;
/// Of this many spectators one loses the network, once, in the middle.
const LOST_ONE_IN: u32 = 2;
/// Those who lost it come back within this time, in seconds.
const RETURN_S: f64 = 3.0;
/// Nobody submits in the last moments before the end: whether it counts is a matter of luck.
const LAST: Duration = Duration::from_millis(500);
/// How long sockets stay after the end, for the last frames.
const AFTER: Duration = Duration::from_secs(2);

/// What the clients of one process share.
struct Crowd {
    script: Script,
    site: Site,
    names: HashSet<String>,
    figures: Mutex<Figures>,
    /// When this process's own solves were acknowledged.
    acknowledged: Mutex<HashMap<(String, String), Instant>>,
    opened: Instant,
}

/// Reads the script from standard input and plays it; the figures go to standard output.
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
    let told = tokio::spawn(tell(crowd.clone()));
    clients.join_all().await;
    told.abort();
    let mut figures = crowd.figures.lock().clone();
    figures.acknowledged = crowd.acknowledged.lock().keys().cloned().collect();
    say(&Word::Done(Box::new(figures)))
}

/// Each process of a crowd has a loopback address of its own, and so ports enough.
fn own_address(url: &str) -> Option<IpAddr> {
    let is_loopback = url.contains("//127.") || url.contains("//localhost");
    is_loopback.then(|| loopback(std::process::id()))
}

fn say(word: &Word) -> Result<()> {
    let mut out = std::io::stdout().lock();
    serde_json::to_writer(&mut out, word)?;
    writeln!(out)?;
    Ok(out.flush()?)
}

async fn tell(crowd: Arc<Crowd>) {
    loop {
        sleep(Duration::from_secs(1)).await;
        let now = {
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
        // Nobody hears it when the rehearsal is over.
        drop(say(&Word::Now(now)));
    }
}

/// A random time up to `seconds`.
fn within(seconds: f64) -> Duration {
    Duration::from_secs_f64(rand::random::<f64>() * seconds)
}

/// A random pause of a Poisson process.
fn pause() -> Duration {
    Duration::from_secs_f64(-PAUSE_MEAN_S * (1.0 - rand::random::<f64>()).ln())
}

/// The moments of the event on this process's clock.
#[derive(Clone, Copy)]
struct Moments {
    start: Instant,
    middle: Instant,
    end: Instant,
}

impl Crowd {
    async fn client(self: Arc<Self>, player: Option<Player>) {
        sleep(within(doors_s(self.script.minutes))).await;
        let mut wire = Wire::new(self.site.clone());
        let page = self.timed(Timed::Page, wire.page()).await;
        let Some(info) = page else { return };
        let moments = self.moments(&info);
        let token = player.as_ref().map(|player| player.token.clone()).unwrap_or_default();
        let open = clients::watch(&self.site, &token);
        let Some(watch) = self.timed(Timed::Board, open).await else { return };
        let watching = self.watch(watch, &token, moments);
        match &player {
            None => {
                // Who only watches asks for nothing more.
                drop(wire);
                watching.await;
            }
            Some(player) => {
                tokio::join!(watching, self.play(&mut wire, player, moments));
            }
        }
    }

    /// The event's own times as far as they fall into the rehearsal.
    fn moments(&self, info: &Info) -> Moments {
        let now = Instant::now();
        let at = |time: Option<i64>| {
            let ms = time.unwrap_or_default() - info.server_time;
            now + Duration::from_millis(u64::try_from(ms).unwrap_or_default())
        };
        let opens = self.opened + Duration::from_secs_f64(opens_s(self.script.minutes));
        let closes = opens + Duration::from_secs_f64(play_s(self.script.minutes));
        let start = at(info.start_time).max(now).min(closes);
        let end = if info.end_time.is_some() { at(info.end_time).min(closes) } else { closes };
        Moments { start, middle: start + end.saturating_duration_since(start) / 2, end }
    }

    /// Watches to the end; some lose the network on the way.
    async fn watch(&self, mut watch: Watch, token: &str, moments: Moments) {
        let loses = token.is_empty() && rand::random_ratio(1, LOST_ONE_IN);
        let until = if loses { moments.middle } else { moments.end + AFTER };
        self.see(&mut watch, until).await;
        if loses {
            watch.lose();
            sleep(within(RETURN_S)).await;
            let back = clients::come_back(&mut watch, &self.site, token);
            if self.timed(Timed::Return, back).await.is_some() {
                self.see(&mut watch, moments.end + AFTER).await;
            }
        }
    }

    async fn see(&self, watch: &mut Watch, until: Instant) {
        let came = Instant::now();
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let frame = match timeout(left, watch.next()).await {
                Err(_) => return,
                Ok(Ok(frame)) => frame,
                Ok(Err(error)) => {
                    return self.figures.lock().failed(format!("the live channel: {error}"));
                }
            };
            if frame.event == "solve" && self.names.contains(&frame.team) {
                // A frame may overtake the answer of the one who solved; one that was missed
                // says nothing of the channel's pace.
                let solve = (frame.team, frame.challenge);
                let answered = self.acknowledged.lock().get(&solve).copied();
                if answered.is_none_or(|answered| answered >= came) {
                    let since = answered.map(|answered| answered.elapsed());
                    self.figures.lock().took(Timed::Live, since.unwrap_or_default());
                }
            }
        }
    }

    async fn play(&self, wire: &mut Wire, player: &Player, moments: Moments) {
        sleep(moments.start.saturating_duration_since(Instant::now())).await;
        sleep(within(START_JITTER_S)).await;
        let mut open = self.open_challenges(wire, player).await;
        loop {
            let pause = pause();
            if Instant::now() + pause + LAST >= moments.end {
                return;
            }
            sleep(pause).await;
            let Some((id, answer)) = open.choose(&mut rand::rng()).cloned() else { return };
            let is_right = rand::random_ratio(1, RIGHT_ONE_IN);
            let flag = if is_right { answer.as_str() } else { "flag{rehearsal, not right}" };
            let asked = Instant::now();
            let sent = self.submit(wire, player, &id, flag, is_right);
            let Ok(is_solved) = timeout_at((moments.end - LAST / 5).into(), sent).await else {
                // What the end overtakes took so long at least.
                return self.figures.lock().took(Timed::of_flag(is_right), asked.elapsed());
            };
            if is_solved {
                open = self.open_challenges(wire, player).await;
            }
        }
    }

    /// The challenges that a team may try and has not solved, with their answers.
    async fn open_challenges(&self, wire: &mut Wire, player: &Player) -> Vec<(String, String)> {
        let listed = self.timed(Timed::Challenges, wire.challenges(&player.token)).await;
        let solved = self.acknowledged.lock();
        let open = listed.unwrap_or_default().into_iter();
        let open = open.filter(|id| !solved.contains_key(&(player.name.clone(), id.clone())));
        open.filter_map(|id| Some((id.clone(), self.script.answers.get(&id)?.clone()))).collect()
    }

    /// Sends a flag; whether it was right and acknowledged.
    async fn submit(
        &self,
        wire: &mut Wire,
        player: &Player,
        id: &str,
        flag: &str,
        is_right: bool,
    ) -> bool {
        let what = Timed::of_flag(is_right);
        let answer = self.timed(what, wire.solve(&player.token, id, flag)).await;
        if answer.is_some_and(|answer| answer != is_right) {
            self.figures.lock().failed("a flag was judged wrongly".to_owned());
        }
        if answer == Some(true) {
            let solve = (player.name.clone(), id.to_owned());
            self.acknowledged.lock().insert(solve, Instant::now());
        }
        answer == Some(true)
    }

    /// Awaits an answer and takes its time, or its failure.
    async fn timed<T>(
        &self,
        what: Timed,
        answer: impl Future<Output = Result<T, Refused>>,
    ) -> Option<T> {
        let asked = Instant::now();
        let answer = answer.await;
        let mut figures = self.figures.lock();
        match answer {
            Ok(answer) => {
                figures.took(what, asked.elapsed());
                return Some(answer);
            }
            Err(Refused::HeldBack) => figures.held_back += 1,
            Err(Refused::Shed) => figures.shed += 1,
            Err(Refused::Failed(why)) => figures.failed(why),
        }
        None
    }
}
