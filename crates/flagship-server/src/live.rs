//! The live channel: a WebSocket that is sent what its viewer sees, as it happens.
//!
//! A socket subscribes before its snapshot is taken and pulls frames by its own cursor, so it is
//! never silently skipped. The viewer's token is looked at again before each frame.

use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use axum::extract::State;
use axum::extract::ws::{Message, Utf8Bytes, WebSocket, WebSocketUpgrade};
use axum::response::{IntoResponse, Response};
use flagship_game::wire::Message as WireMessage;
use flagship_game::{TeamId, view};
use governor::{DefaultDirectRateLimiter, Quota, RateLimiter};
use serde::Deserialize;
use tokio::sync::watch;
use tokio::time::timeout;

use crate::app::{App, told};
use crate::error::ApiError;
use crate::extract::{Team, is_object};
use crate::hub::{Frame, Kind};
use crate::schema;

/// Sockets that may be open at once.
const SOCKETS_MAX: usize = 20_000;
/// Largest message a client may send, in bytes.
const MESSAGE_BYTES_MAX: usize = 4096;
/// Read buffer of a socket, in bytes: clients say little.
const READ_BUFFER_BYTES: usize = 4096;
/// How long one message may take to be sent.
const SEND_MAX: Duration = Duration::from_secs(20);
/// How often a silent client is asked whether it is there.
const PING_EVERY: Duration = Duration::from_secs(30);
/// How long a client may be silent.
const SILENCE_MAX: Duration = Duration::from_secs(90);
/// Messages that a client may send in a burst, and then in each second.
const MESSAGES_BURST: u32 = 10;
/// Unasked snapshots to all sockets together, in kilobytes a second.
const PUSH_KILOBYTES_PER_S: NonZeroU32 = NonZeroU32::new(64 * 1024).expect("not zero");

const NOT_JSON: &str = "This message is not JSON of the live channel.";
const NOT_KNOWN: &str = "The live channel does not know this action.";
const TOO_FAST: &str = "Too many messages; please slow down.";
const AWAY: &str = "The server is busy; please try again in a moment.";

/// What all sockets share.
pub struct Sockets {
    open: Arc<AtomicUsize>,
    pace: DefaultDirectRateLimiter,
}

impl Sockets {
    /// No sockets yet.
    pub fn new() -> Self {
        let pace = RateLimiter::direct(Quota::per_second(PUSH_KILOBYTES_PER_S));
        Self { open: Arc::default(), pace }
    }
}

/// A place among the open sockets, given back when it is dropped.
struct Place(Arc<AtomicUsize>);

impl Drop for Place {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

/// The live channel; see the documentation of its messages.
#[utoipa::path(get, path = "/live", tag = "scoreboard",
    responses((status = 101, description = "A WebSocket; messages are described in docs"),
        (status = 400, body = schema::Error), (status = 503, body = schema::Error)))]
pub async fn live(
    State(app): State<App>,
    upgrade: Result<WebSocketUpgrade, axum::extract::ws::rejection::WebSocketUpgradeRejection>,
) -> Response {
    let Ok(upgrade) = upgrade else { return ApiError::NOT_A_SOCKET.into_response() };
    let open = app.sockets.open.clone();
    let place = Place(open.clone());
    if open.fetch_add(1, Ordering::SeqCst) >= SOCKETS_MAX {
        return ApiError::overload().into_response();
    }
    upgrade
        .max_message_size(MESSAGE_BYTES_MAX)
        .max_frame_size(MESSAGE_BYTES_MAX)
        .read_buffer_size(READ_BUFFER_BYTES)
        .write_buffer_size(0)
        .on_upgrade(move |socket| async move {
            let now = Instant::now();
            let (viewer, own, cursor, resuming) = (None, None, None, false);
            let (heard, budget) = (now, (MESSAGES_BURST, now));
            let mut client = Client { app, socket, viewer, own, cursor, resuming, heard, budget };
            // Whatever ends a socket, the client knows it by the closed connection.
            drop(client.run().await);
            drop(place);
        })
}

/// What a client may say.
#[derive(Deserialize)]
struct Request {
    action: String,
    #[serde(default)]
    token: Option<String>,
    #[serde(default)]
    since: Option<u64>,
    #[serde(default)]
    generation: Option<String>,
}

struct Client {
    app: App,
    socket: WebSocket,
    viewer: Option<Team>,
    /// Told when there are frames for the viewer alone.
    own: Option<watch::Receiver<u64>>,
    /// The frames it was sent or that are in its snapshot; none before it asked.
    cursor: Option<u64>,
    resuming: bool,
    heard: Instant,
    budget: (u32, Instant),
}

/// The socket is over.
struct Closed;

/// Resolves when a team has more frames of its own; never for those who are no team.
async fn more(own: &mut Option<watch::Receiver<u64>>) {
    let Some(own) = own else { return std::future::pending().await };
    // The hub, which tells, lives as long as the socket.
    drop(own.changed().await);
}

impl Client {
    async fn run(&mut self) -> Result<(), Closed> {
        let mut frames = self.app.feed.hub.watch();
        let mut stop = self.app.stopped();
        let mut ping = tokio::time::interval(PING_EVERY);
        loop {
            tokio::select! {
                message = self.socket.recv() => {
                    let message = message.ok_or(Closed)?.map_err(|_| Closed)?;
                    self.heard = Instant::now();
                    self.hear(message).await?;
                }
                grown = frames.changed() => {
                    grown.map_err(|_| Closed)?;
                    self.catch_up().await?;
                }
                () = more(&mut self.own) => self.catch_up().await?,
                _ = ping.tick() => {
                    if self.heard.elapsed() > SILENCE_MAX {
                        return Err(Closed);
                    }
                    self.send(Message::Ping(bytes::Bytes::new())).await?;
                }
                () = told(&mut stop) => {
                    return self.send(Message::Close(None)).await;
                }
            }
        }
    }

    async fn hear(&mut self, message: Message) -> Result<(), Closed> {
        if !self.may_speak() {
            self.error(TOO_FAST).await?;
            return Err(Closed);
        }
        let text = match message {
            Message::Text(text) => text,
            Message::Close(_) => return Err(Closed),
            Message::Ping(_) | Message::Pong(_) => return Ok(()),
            Message::Binary(_) => return self.error(NOT_JSON).await,
        };
        let request = serde_json::from_str::<Request>(&text).ok();
        let Some(request) = request.filter(|_| is_object(text.as_bytes())) else {
            return self.error(NOT_JSON).await;
        };
        if request.action != "getscoreboard" {
            return self.error(NOT_KNOWN).await;
        }
        let token = request.token.unwrap_or_default();
        let Ok(viewer) = self.app.team_of(&token).await else {
            return self.error(AWAY).await;
        };
        self.own = viewer.as_ref().map(|team| self.app.feed.hub.watch_own(team.id));
        self.viewer = viewer;
        match (request.since, request.generation) {
            (Some(since), Some(generation)) => self.resume(since, &generation).await,
            _ => {
                self.resuming = false;
                self.snapshot().await
            }
        }
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

    async fn resume(&mut self, since: u64, generation: &str) -> Result<(), Closed> {
        self.resuming = true;
        let feed = self.app.feed.clone();
        if generation != feed.generation() || self.has_own_view() {
            return self.snapshot().await;
        }
        let Some((missed, cursor)) = feed.hub.missed(since) else {
            return self.snapshot().await;
        };
        let bytes: usize = missed.iter().map(|frame| frame.text.len()).sum();
        if bytes > feed.published().await.body.plain.len() {
            return self.snapshot().await;
        }
        self.cursor = Some(cursor);
        for frame in missed {
            self.send(Message::Text(frame.text)).await?;
        }
        Ok(())
    }

    /// Sends what came since the last time, or a snapshot where deltas cannot say it.
    async fn catch_up(&mut self) -> Result<(), Closed> {
        let Some(cursor) = self.cursor else { return Ok(()) };
        let viewer = self.living_viewer();
        let Some((frames, cursor)) = self.app.feed.hub.after(cursor, viewer) else {
            return self.push_snapshot().await;
        };
        let needs_snapshot = |frame: &Frame| match frame.kind {
            Kind::Changed => !self.resuming,
            Kind::OwnChanged => true,
            Kind::Solve | Kind::NewTeam => false,
        };
        if frames.iter().any(needs_snapshot) {
            return self.push_snapshot().await;
        }
        self.cursor = Some(cursor);
        for frame in frames {
            self.send(Message::Text(frame.text)).await?;
        }
        Ok(())
    }

    /// A snapshot that nobody asked for: paced, since all sockets are sent one at once.
    async fn push_snapshot(&mut self) -> Result<(), Closed> {
        let published = self.app.feed.published_now().await;
        let kilobytes = (published.body.plain.len() / 1024).max(1);
        let cells = u32::try_from(kilobytes).unwrap_or(u32::MAX).min(PUSH_KILOBYTES_PER_S.get());
        let cells = NonZeroU32::new(cells).expect("at least one");
        let paced = self.app.sockets.pace.until_n_ready(cells).await;
        paced.expect("the number was cut to what fits in a second");
        self.snapshot().await
    }

    async fn snapshot(&mut self) -> Result<(), Closed> {
        let team = self.living_viewer();
        let published = match team {
            Some(team) => self.app.feed.published_for(team).await,
            None => self.app.feed.published().await,
        };
        self.cursor = Some(published.cursor);
        let body = published.body_for(self.app.feed.generation(), team);
        let text = Utf8Bytes::try_from(body.plain.clone()).expect("JSON is UTF-8");
        self.send(Message::Text(text)).await?;
        // Frames that came while the snapshot was made are after its cursor.
        Box::pin(self.catch_up()).await
    }

    /// The team that watches, if its session still lives.
    fn living_viewer(&self) -> Option<TeamId> {
        let viewer = self.viewer.as_ref()?;
        let now_ms = self.app.clock.now_ms();
        let contest = self.app.feed.latest();
        let plays = contest.team(viewer.id).is_some_and(|team| !team.banned);
        (plays && self.app.sessions.is_living(&viewer.token_hash, now_ms)).then_some(viewer.id)
    }

    fn has_own_view(&self) -> bool {
        let Some(team) = self.living_viewer() else { return false };
        let contest = self.app.feed.latest();
        contest.is_frozen_at(self.app.clock.now_ms()) || view::has_own_view(&contest, team)
    }

    async fn error(&mut self, message: &str) -> Result<(), Closed> {
        let text = serde_json::to_string(&WireMessage::Error { message });
        let text = text.expect("messages are plain data");
        self.send(Message::Text(text.into())).await
    }

    async fn send(&mut self, message: Message) -> Result<(), Closed> {
        match timeout(SEND_MAX, self.socket.send(message)).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) | Err(_) => Err(Closed),
        }
    }
}
