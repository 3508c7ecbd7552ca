//! The live channel: a WebSocket that is sent what its viewer sees, as it happens.
//!
//! A socket subscribes before its snapshot is taken and pulls frames by its own cursor, so it is
//! never silently skipped. The viewer's token is looked at again before each frame.

use std::convert::Infallible;
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::State;
use axum::response::Response;
use flagship_game::wire::Message as WireMessage;
use flagship_game::{TeamId, view};
use governor::clock::{Clock, DefaultClock};
use governor::{DefaultDirectRateLimiter, Quota, RateLimiter};
use serde::Deserialize;
use tokio::sync::watch;
use tokio::time::{MissedTickBehavior, Sleep};
use tokio_tungstenite::tungstenite::Error;
use tokio_util::task::TaskTracker;

use crate::app::{App, told};
use crate::error::ApiError;
use crate::extract::{ClientNetwork, Team, is_object};
use crate::hub::{Cursor, Frame, Kind};
use crate::places::{Place, Places, Refused};
use crate::schema;
use crate::socket::{Closed, Ending, Heard, Limits, Socket, Upgrade};

/// Sockets that may be open at once.
const SOCKETS_MAX: usize = 20_000;
/// Sockets of one network (an IPv4 address, an IPv6 /64) that is not trusted.
const SOCKETS_PER_NETWORK_MAX: usize = 512;
/// Sockets that watch as the same team.
const SOCKETS_PER_TEAM_MAX: usize = 256;
/// What a client may say: messages of so many bytes, and no more bytes a second, in the long run.
const LIMITS: Limits = Limits { message_bytes: 4096, bytes_per_s: 4096 };
/// How often a silent client is asked whether it is there.
const PING_EVERY: Duration = Duration::from_secs(30);
/// Questions in a row that a client may leave without an answer.
const PINGS_UNANSWERED_MAX: u32 = 3;
/// Messages that a client may send in a burst, and then in each second.
const MESSAGES_BURST: u32 = 10;
/// Unasked snapshots to all sockets together, in kilobytes a second.
const PUSH_KILOBYTES_PER_S: NonZeroU32 = NonZeroU32::new(64 * 1024).expect("not zero");

/// What all sockets share.
pub struct Sockets {
    places: Arc<Places<IpAddr>>,
    of_teams: Arc<Places<TeamId>>,
    pace: DefaultDirectRateLimiter,
    tasks: TaskTracker,
}

impl Sockets {
    /// No sockets yet.
    pub fn new() -> Self {
        Self {
            places: Places::new(SOCKETS_MAX, SOCKETS_PER_NETWORK_MAX),
            of_teams: Places::new(SOCKETS_MAX, SOCKETS_PER_TEAM_MAX),
            pace: RateLimiter::direct(Quota::per_second(PUSH_KILOBYTES_PER_S)),
            tasks: TaskTracker::new(),
        }
    }

    /// How many are open.
    pub fn open(&self) -> usize {
        self.places.taken()
    }

    /// Waits until all have ended, once they are told to.
    pub async fn ended(&self) {
        self.tasks.close();
        self.tasks.wait().await;
    }
}

/// The live channel; see the documentation of its messages.
#[utoipa::path(get, path = "/live", tag = "scoreboard",
    responses((status = 101, description = "A WebSocket; messages are described in docs"),
        (status = 400, body = schema::Error), (status = 429, body = schema::Error),
        (status = 503, body = schema::Error)))]
pub async fn live(
    State(app): State<App>,
    network: ClientNetwork,
    upgrade: Result<Upgrade, ApiError>,
) -> Result<Response, ApiError> {
    let upgrade = upgrade?;
    let place = app.sockets.places.take(network.holder()).map_err(no_place)?;
    let task = app.sockets.tasks.token();
    Ok(upgrade.run(LIMITS, move |socket| async move {
        let (viewer, own, cursor, resuming, later) = (None, None, None, false, None);
        let (unanswered, budget) = (0, (MESSAGES_BURST, Instant::now()));
        let mut client =
            Client { app, socket, viewer, own, cursor, resuming, later, unanswered, budget };
        let end = client.run().await;
        let socket = client.socket;
        match end {
            End::Client(error) => socket.end_after(error).await,
            End::Server(why) => socket.end(why).await,
            End::Silent => {}
        }
        drop((place, task));
    }))
}

fn no_place(refused: Refused) -> ApiError {
    match refused {
        Refused::Full => ApiError::overload(),
        Refused::TooMany => ApiError::SOCKETS,
    }
}

/// What a client may say.
#[derive(Deserialize)]
pub(crate) struct Request {
    action: String,
    #[serde(default)]
    token: Option<String>,
    #[serde(default)]
    since: Option<u64>,
    #[serde(default)]
    generation: Option<String>,
}

impl Request {
    /// Reads a message.
    pub(crate) fn parse(text: &[u8]) -> Result<Self, ApiError> {
        let request = serde_json::from_slice::<Self>(text).ok().filter(|_| is_object(text));
        let request = request.ok_or(ApiError::LIVE_NOT_JSON)?;
        if request.action != "getscoreboard" {
            return Err(ApiError::LIVE_ACTION);
        }
        Ok(request)
    }
}

/// A team that watches, and its place among the team's sockets.
struct Viewer {
    team: Team,
    _place: Place<TeamId>,
}

struct Client {
    app: App,
    socket: Socket,
    viewer: Option<Viewer>,
    /// Told when there are frames for the viewer alone.
    own: Option<watch::Receiver<u64>>,
    /// The frames it was sent or that are in its snapshot; none before it asked.
    cursor: Option<Cursor>,
    resuming: bool,
    /// When it may be sent the snapshot that it waits for.
    later: Option<Pin<Box<Sleep>>>,
    /// Pings since it was last heard.
    unanswered: u32,
    budget: (u32, Instant),
}

/// Resolves when a snapshot's time has come; never without one.
async fn due(later: &mut Option<Pin<Box<Sleep>>>) {
    let Some(sleep) = later else { return std::future::pending().await };
    sleep.await;
    *later = None;
}

/// Why a socket is over.
enum End {
    /// The client said goodbye, or nothing that can be understood.
    Client(Error),
    /// The server says goodbye.
    Server(Ending),
    /// Nobody is there to hear a goodbye.
    Silent,
}

impl From<Closed> for End {
    fn from(Closed: Closed) -> Self {
        Self::Silent
    }
}

/// Resolves when a team has more frames of its own; never for those who are no team.
async fn more(own: &mut Option<watch::Receiver<u64>>) {
    let Some(own) = own else { return std::future::pending().await };
    // The hub, which tells, lives as long as the socket.
    drop(own.changed().await);
}

impl Client {
    async fn run(&mut self) -> End {
        match self.converse().await {
            Err(end) => end,
            Ok(never) => match never {},
        }
    }

    async fn converse(&mut self) -> Result<Infallible, End> {
        let mut frames = self.app.feed.hub.watch();
        let mut stop = self.app.left();
        let mut ping = tokio::time::interval(PING_EVERY);
        ping.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                heard = self.socket.hear() => {
                    let heard = heard.map_err(End::Client)?;
                    self.unanswered = 0;
                    // What is done seldom takes no room in a socket that waits.
                    Box::pin(self.hear(heard)).await?;
                }
                grown = frames.changed() => {
                    grown.map_err(|_| End::Server(Ending::Away))?;
                    self.catch_up().await?;
                }
                () = more(&mut self.own) => self.catch_up().await?,
                () = due(&mut self.later) => self.catch_up().await?,
                _ = ping.tick() => {
                    if self.unanswered >= PINGS_UNANSWERED_MAX {
                        return Err(End::Silent);
                    }
                    self.unanswered += 1;
                    self.socket.ping().await?;
                }
                () = told(&mut stop) => return Err(End::Server(Ending::Away)),
            }
        }
    }

    async fn hear(&mut self, heard: Heard) -> Result<(), End> {
        if !self.may_speak() {
            self.error(ApiError::LIVE_TOO_FAST).await?;
            return Err(End::Server(Ending::Policy));
        }
        let text = match heard {
            Heard::Text(text) => text,
            Heard::Sign => return Ok(()),
            Heard::Binary(_) => return Ok(self.error(ApiError::LIVE_NOT_JSON).await?),
        };
        let request = match Request::parse(&text) {
            Ok(request) => request,
            Err(error) => return Ok(self.error(error).await?),
        };
        let Ok(team) = self.app.team_of(&request.token.unwrap_or_default()).await else {
            return Ok(self.error(ApiError::overload()).await?);
        };
        let is_same = self.watch_as(team).await?;
        if let (Some(since), Some(generation)) = (request.since, request.generation) {
            self.resume(since, &generation, is_same).await?;
        } else {
            self.resuming = false;
            self.snapshot().await?;
        }
        Ok(())
    }

    /// Watches with a team's eyes from now on, or with anyone's. Gives whether they are the same
    /// as before.
    async fn watch_as(&mut self, team: Option<Team>) -> Result<bool, End> {
        let before = self.viewer.take();
        let Some(team) = team else {
            self.own = None;
            return Ok(before.is_none());
        };
        let kept = before.filter(|viewer| viewer.team.id == team.id);
        let is_same = kept.is_some();
        let place = match kept {
            Some(viewer) => Ok(viewer._place),
            None => self.app.sockets.of_teams.take(Some(team.id)),
        };
        let Ok(_place) = place else {
            self.error(ApiError::LIVE_TEAM_SOCKETS).await?;
            return Err(End::Server(Ending::Policy));
        };
        if !is_same {
            self.own = Some(self.app.feed.hub.watch_own(team.id));
        }
        self.viewer = Some(Viewer { team, _place });
        Ok(is_same)
    }

    /// A budget of messages that fills up by one a second.
    fn may_speak(&mut self) -> bool {
        let (left, since) = self.budget;
        let earned = since.elapsed().as_secs().min(u64::from(MESSAGES_BURST)) as u32;
        let since = if earned > 0 { Instant::now() } else { since };
        let left = (left + earned).min(MESSAGES_BURST);
        self.budget = (left.saturating_sub(1), since);
        left > 0
    }

    /// Sends what a client missed of the public stream. What it was sent of its own on this socket
    /// it still has, when it watches as the same as before; on a new one, in the freeze, nobody
    /// knows what it has.
    async fn resume(&mut self, since: u64, generation: &str, is_same: bool) -> Result<(), Closed> {
        self.resuming = true;
        let (feed, team) = (self.app.feed.clone(), self.living_viewer());
        // Before the fold is looked at, so that what comes between the two is not skipped.
        let own = team.map_or(0, |team| feed.hub.own_cursor(team));
        let own = match self.cursor.filter(|_| is_same) {
            Some(cursor) => cursor.own,
            None if self.has_own_view() => return self.snapshot().await,
            None => own,
        };
        let missed = feed.hub.missed(since).filter(|_| generation == feed.generation());
        let Some((missed, public)) = missed else {
            return self.snapshot().await;
        };
        let bytes: usize = missed.iter().map(|frame| frame.text.len()).sum();
        if bytes > feed.view(None).await.published.body.plain.len() {
            return self.snapshot().await;
        }
        self.cursor = Some(Cursor { public, own });
        self.socket.texts(missed.into_iter().map(|frame| frame.text).collect()).await?;
        Box::pin(self.catch_up()).await
    }

    /// Sends what came since the last time, or a snapshot where deltas cannot say it.
    async fn catch_up(&mut self) -> Result<(), Closed> {
        let Some(cursor) = self.cursor.filter(|_| self.later.is_none()) else { return Ok(()) };
        let viewer = self.living_viewer();
        let Some((frames, cursor)) = self.app.feed.hub.after(cursor, viewer) else {
            return Box::pin(self.push_snapshot()).await;
        };
        let needs_snapshot = |frame: &Frame| match frame.kind {
            Kind::Changed => !self.resuming,
            Kind::OwnChanged => true,
            Kind::Solve | Kind::NewTeam => false,
        };
        if frames.iter().any(needs_snapshot) {
            return Box::pin(self.push_snapshot()).await;
        }
        self.cursor = Some(cursor);
        self.socket.texts(frames.into_iter().map(|frame| frame.text).collect()).await
    }

    /// A snapshot that nobody asked for: paced, since all sockets are sent one at once. One that
    /// has to wait goes on to hear its client meanwhile.
    async fn push_snapshot(&mut self) -> Result<(), Closed> {
        let published = self.app.feed.published_now().await;
        let bytes = if self.socket.takes_packed() {
            published.body.deflated().await.len()
        } else {
            published.body.plain.len()
        };
        let kilobytes = (bytes / 1024).max(1);
        let cells = u32::try_from(kilobytes).unwrap_or(u32::MAX).min(PUSH_KILOBYTES_PER_S.get());
        let cells = NonZeroU32::new(cells).expect("at least one");
        let paced = self.app.sockets.pace.check_n(cells);
        match paced.expect("the number was cut to what fits in a second") {
            Ok(()) => self.snapshot().await,
            Err(early) => {
                let wait = early.wait_time_from(DefaultClock::default().now());
                self.later = Some(Box::pin(tokio::time::sleep(wait)));
                Ok(())
            }
        }
    }

    /// Sends the public board, which all share, and after it what a team sees beside it: its own
    /// later solves, each as a message. A hidden team has a board of its own.
    async fn snapshot(&mut self) -> Result<(), Closed> {
        let (feed, team) = (self.app.feed.clone(), self.living_viewer());
        // Before the fold is read, so that none is skipped; one that comes twice changes nothing.
        let own = team.map_or(0, |team| feed.hub.own_cursor(team));
        let view = feed.view(team).await;
        let cursor = Cursor { public: view.published.cursor, own };
        (self.cursor, self.later) = (Some(cursor), None);
        let hidden = feed.hidden(&view).await;
        let body = hidden.as_ref().map_or(&view.published.body, |hidden| &hidden.body);
        if self.socket.takes_packed() {
            self.socket.packed(body.deflated().await).await?;
        } else {
            self.socket.text(body.plain.clone()).await?;
        }
        self.socket.texts(view.own()).await?;
        // Frames that came while the snapshot was made are after its cursor.
        Box::pin(self.catch_up()).await
    }

    /// The team that watches, if its session still lives.
    fn living_viewer(&self) -> Option<TeamId> {
        let viewer = &self.viewer.as_ref()?.team;
        let now_ms = self.app.clock.now_ms();
        let contest = self.app.feed.contest_of(viewer.id);
        let plays = contest.team(viewer.id).is_some_and(|team| !team.banned);
        (plays && self.app.sessions.is_living(&viewer.token_hash, now_ms)).then_some(viewer.id)
    }

    /// Whether it may see what the public does not.
    fn has_own_view(&self) -> bool {
        let Some(team) = self.living_viewer() else { return false };
        let contest = self.app.feed.latest();
        contest.is_frozen_at(self.app.clock.now_ms()) || view::has_own_view(&contest, team)
    }

    async fn error(&mut self, error: ApiError) -> Result<(), Closed> {
        let (code, message) = (error.code(), error.message());
        let text = serde_json::to_string(&WireMessage::Error { code, message });
        self.socket.text(text.expect("messages are plain data")).await
    }
}

#[cfg(test)]
mod tests {
    use flagship_control::control;

    use super::*;

    #[test]
    fn one_socket_too_many_is_shed_and_a_network_is_told_that_it_has_too_many() {
        let sockets = Sockets::new();
        let of = |i: usize| Some(IpAddr::from((i as u32 / 500).to_be_bytes()));
        let free = usize::from(control(
            "one_socket_too_many_is_shed_and_a_network_is_told_that_it_has_too_many",
            "all places are taken",
        ));
        let open: Vec<_> = (free..SOCKETS_MAX).map(|i| sockets.places.take(of(i))).collect();
        assert!(open.iter().all(Result::is_ok), "each of these has less than a network may have");
        let refused = sockets.places.take(None).err().expect("all places are taken");
        assert_eq!(no_place(refused), ApiError::overload());
        drop(open);
        let here = Some(IpAddr::from([192, 0, 2, 1]));
        let open: Vec<_> =
            (0..SOCKETS_PER_NETWORK_MAX).map(|_| sockets.places.take(here)).collect();
        let refused = sockets.places.take(here).err().expect("the network has its share");
        assert_eq!(no_place(refused), ApiError::SOCKETS);
        assert!(open.iter().all(Result::is_ok) && sockets.places.take(None).is_ok());
    }

    #[test]
    fn snapshots_that_nobody_asked_for_share_the_kilobytes_of_a_second() {
        let sockets = Sockets::new();
        let words = "snapshots at once of";
        let lax = control("snapshots_that_nobody_asked_for_share_the_kilobytes_of_a_second", words);
        let snapshot = NonZeroU32::new(if lax { 300 } else { 600 }).expect("not zero");
        let at_once =
            (0..1000).take_while(|_| matches!(sockets.pace.check_n(snapshot), Ok(Ok(())))).count();
        // What is earned while this runs is a few more at most.
        let expected = (PUSH_KILOBYTES_PER_S.get() / 600) as usize;
        assert!(
            (expected..expected + 20).contains(&at_once),
            "{at_once} snapshots at once of {expected}"
        );
    }
}
