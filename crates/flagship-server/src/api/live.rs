//! The live channel: a WebSocket that streams changes to its viewer.
//!
//! A socket subscribes before it takes its snapshot and pulls frames with its own cursor, so it
//! misses none. The viewer's token is checked again before each frame.

use std::convert::Infallible;
use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use bytes::Bytes;
use flagship_game::wire::Message as WireMessage;
use flagship_game::{TeamId, view};
use serde::Deserialize;
use tokio::sync::Notify;
use tokio_tungstenite::tungstenite::Error;
use tokio_util::task::AbortOnDropHandle;

use super::error::ApiError;
use super::extract::is_object;
use crate::net::address::ClientNetwork;
use crate::net::message_limiter::{self, MessageLimiter};
use crate::net::permits::{Permit, PermitError};
use crate::net::shutdown::shutdown_requested;
use crate::net::socket::{CloseReason, Closed, Incoming, Limits, Socket, Upgrade};
use crate::node::board::hub::{Cursor, Frame, Kind, answer};
use crate::node::sessions::Team;
use crate::node::state::App;

/// Limits on the size of client messages and on the average bytes read per second.
pub(super) const LIMITS: Limits = Limits { message_bytes: 4096, bytes_per_s: 4096 };

/// Opens the live channel. The messages are described in the documentation.
#[utoipa::path(get, path = "/live", tag = "scoreboard",
    responses((status = 101, description = "A WebSocket. docs/api.md describes its messages"),
        (status = 400), (status = 429)))]
pub async fn live(
    State(app): State<App>,
    network: ClientNetwork,
    upgrade: Result<Upgrade, ApiError>,
) -> Result<Response, ApiError> {
    let upgrade = upgrade?;
    let permit = app.serving.sockets.permits.acquire(network.holder()).map_err(no_permit)?;
    let task = app.serving.sockets.tasks.token();
    Ok(upgrade.run(LIMITS, move |socket| async move {
        let viewer = None;
        let own = None;
        let cursor = None;
        let resuming = false;
        let delayed_push = None;
        let connection = Connection { socket, limiter: MessageLimiter::new() };
        let mut client = Client { app, connection, viewer, own, cursor, resuming, delayed_push };
        let Err(end) = client.run().await;
        end.close(client.connection.socket).await;
        drop((permit, task));
    }))
}

fn no_permit(refused: PermitError) -> ApiError {
    match refused {
        PermitError::Full => ApiError::overload(),
        PermitError::TooMany => ApiError::SOCKETS,
    }
}

/// A message from a client.
#[derive(Deserialize)]
pub(crate) struct Request {
    action: String,
    token: Option<String>,
    since: Option<u64>,
    generation: Option<String>,
}

impl Request {
    /// Parses a message. An error is the response to send.
    pub(crate) fn parse(text: &[u8]) -> Result<Self, ApiError> {
        let request = serde_json::from_slice::<Self>(text).ok().filter(|_| is_object(text));
        let request = request.ok_or(ApiError::LIVE_NOT_JSON)?;
        if request.action != "getscoreboard" {
            return Err(ApiError::LIVE_ACTION);
        }
        Ok(request)
    }
}

/// The team that a socket is watching as, and its permit.
struct Viewer {
    team: Team,
    _permit: Permit<TeamId>,
}

struct Client {
    app: App,
    connection: Connection,
    viewer: Option<Viewer>,
    /// Notified when there are frames only for this viewer.
    own: Option<Arc<Notify>>,
    /// Position after the frames already sent or included in the snapshot; `None` before the first
    /// request.
    cursor: Option<Cursor>,
    resuming: bool,
    /// Completes when a delayed snapshot may be pushed.
    delayed_push: Option<AbortOnDropHandle<()>>,
}

/// Completes when a delayed snapshot is due; never completes without one.
async fn due(delayed_push: &mut Option<AbortOnDropHandle<()>>) {
    let Some(turn) = delayed_push else { return std::future::pending().await };
    // The task neither fails nor is aborted while it is awaited.
    drop(turn.await);
    *delayed_push = None;
}

/// Reason why a socket ends.
pub(super) enum SocketEnd {
    /// The client closed the socket or violated the protocol.
    Client(Error),
    /// The server closes the socket.
    Server(CloseReason),
    /// The client stopped responding.
    Silent,
}

impl SocketEnd {
    /// Closes the socket accordingly.
    pub(super) async fn close(self, socket: Socket) {
        match self {
            Self::Client(error) => socket.end_after(error).await,
            Self::Server(why) => socket.end(why).await,
            Self::Silent => {}
        }
    }
}

impl From<Closed> for SocketEnd {
    fn from(Closed: Closed) -> Self {
        Self::Silent
    }
}

/// A socket with its client's message limiter.
pub(super) struct Connection {
    pub(super) socket: Socket,
    pub(super) limiter: MessageLimiter,
}

impl Connection {
    /// Returns the text of a message. `None` for a message without text, which is answered if
    /// necessary.
    pub(super) async fn text(&mut self, message: Incoming) -> Result<Option<Bytes>, SocketEnd> {
        if !self.limiter.record_message() {
            self.error(ApiError::LIVE_TOO_FAST).await?;
            return Err(SocketEnd::Server(CloseReason::Policy));
        }
        match message {
            Incoming::Text(text) => return Ok(Some(text)),
            Incoming::Sign => {}
            Incoming::Binary(_) => self.error(ApiError::LIVE_NOT_JSON).await?,
        }
        Ok(None)
    }

    /// Sends a ping if the client still answers.
    pub(super) async fn ping(&mut self) -> Result<(), SocketEnd> {
        if !self.limiter.record_ping() {
            return Err(SocketEnd::Silent);
        }
        Ok(self.socket.ping().await?)
    }

    /// Sends an error as a message.
    pub(super) async fn error(&mut self, error: ApiError) -> Result<(), Closed> {
        let (code, message) = (error.code(), error.message());
        let text = serde_json::to_string(&WireMessage::Error { code, message });
        self.socket.text(text.expect("messages are plain data")).await
    }
}

/// Completes when there are frames only for this viewer; never completes for the public.
async fn own_frames(own: Option<&Notify>) {
    let Some(own) = own else { return std::future::pending().await };
    own.notified().await;
}

impl Client {
    async fn run(&mut self) -> Result<Infallible, SocketEnd> {
        let mut frames = self.app.board.feed.hub.watch();
        let mut draining = self.app.serving.draining();
        let mut ping = message_limiter::ping_interval();
        loop {
            tokio::select! {
                message = self.connection.socket.receive() => {
                    let message = message.map_err(SocketEnd::Client)?;
                    // Boxed to keep idle sockets small.
                    Box::pin(self.handle(message)).await?;
                }
                changed = frames.changed() => {
                    changed.map_err(|_| SocketEnd::Server(CloseReason::Away))?;
                    self.catch_up().await?;
                }
                () = own_frames(self.own.as_deref()) => self.catch_up().await?,
                () = due(&mut self.delayed_push) => self.snapshot().await?,
                _ = ping.tick() => self.connection.ping().await?,
                () = shutdown_requested(&mut draining) => {
                    return Err(SocketEnd::Server(CloseReason::Away));
                }
            }
        }
    }

    async fn handle(&mut self, message: Incoming) -> Result<(), SocketEnd> {
        let Some(text) = self.connection.text(message).await? else { return Ok(()) };
        let request = match Request::parse(&text) {
            Ok(request) => request,
            Err(error) => return Ok(self.connection.error(error).await?),
        };
        let Ok(team) = self.app.accounts.team_of(&request.token.unwrap_or_default()).await else {
            return Ok(self.connection.error(ApiError::overload()).await?);
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

    /// Switches to watching as a team or as the public. Returns true if the viewer is unchanged.
    async fn watch_as(&mut self, team: Option<Team>) -> Result<bool, SocketEnd> {
        let before = self.viewer.take();
        let Some(team) = team else {
            self.own = None;
            return Ok(before.is_none());
        };
        let kept = before.filter(|viewer| viewer.team.id == team.id);
        let is_same = kept.is_some();
        let permit = match kept {
            Some(viewer) => Ok(viewer._permit),
            None => self.app.serving.sockets.team_permits.acquire(Some(team.id)),
        };
        let Ok(_permit) = permit else {
            self.connection.error(ApiError::LIVE_TEAM_SOCKETS).await?;
            return Err(SocketEnd::Server(CloseReason::Policy));
        };
        if !is_same {
            self.own = Some(self.app.board.feed.hub.watch_own(team.id));
        }
        self.viewer = Some(Viewer { team, _permit });
        Ok(is_same)
    }

    /// Sends the public frames that a client missed. If the viewer is unchanged on this socket, the
    /// client still has its own frames. On a new socket during the freeze, the server cannot know
    /// which of the team's own frames the client has.
    async fn resume(&mut self, since: u64, generation: &str, is_same: bool) -> Result<(), Closed> {
        self.resuming = true;
        let (feed, team) = (self.app.board.feed.clone(), self.active_viewer());
        // Read before the state, so that no frame between the two reads is skipped.
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
        self.connection.socket.texts(missed.into_iter().map(|frame| frame.text).collect()).await?;
        Box::pin(self.catch_up()).await
    }

    /// Sends the frames since the last one, or a snapshot if frames cannot express the changes.
    async fn catch_up(&mut self) -> Result<(), Closed> {
        let Some(cursor) = self.cursor.filter(|_| self.delayed_push.is_none()) else {
            return Ok(());
        };
        let viewer = self.active_viewer();
        let Some((frames, cursor)) = self.app.board.feed.hub.after(cursor, viewer) else {
            return Box::pin(self.push_snapshot()).await;
        };
        let needs_snapshot = |frame: &Frame| match frame.kind {
            Kind::Changed | Kind::Award => !self.resuming,
            Kind::OwnChanged => true,
            Kind::News | Kind::Answer | Kind::Progress => false,
        };
        if frames.iter().any(needs_snapshot) {
            return Box::pin(self.push_snapshot()).await;
        }
        self.cursor = Some(cursor);
        self.connection.socket.texts(frames.into_iter().map(|frame| frame.text).collect()).await
    }

    /// Pushes a snapshot that the client did not request. Pushes are rate-limited because all
    /// sockets need one at the same time. The socket keeps reading messages while a push waits.
    async fn push_snapshot(&mut self) -> Result<(), Closed> {
        let published = self.app.board.feed.current_board().await;
        let bytes = if self.connection.socket.takes_packed() {
            published.body.deflated().await.len()
        } else {
            published.body.plain.len()
        };
        self.delayed_push = Some(self.app.serving.sockets.turn(bytes));
        Ok(())
    }

    /// Sends the public scoreboard, which all viewers share, followed by the team's own later
    /// solves, one message each. A hidden team gets its own scoreboard.
    async fn snapshot(&mut self) -> Result<(), Closed> {
        let (feed, team) = (self.app.board.feed.clone(), self.active_viewer());
        // Read before the state, so that no frame is skipped. A repeated frame is harmless.
        let own = team.map_or(0, |team| feed.hub.own_cursor(team));
        let missed_answer = self.unsent_answer(team);
        let view = feed.view(team).await;
        let cursor = Cursor { public: view.published.cursor, own };
        (self.cursor, self.delayed_push) = (Some(cursor), None);
        let hidden = feed.hidden_board(&view).await;
        let body = hidden.as_ref().map_or(&view.published.body, |hidden| &hidden.body);
        if self.connection.socket.takes_packed() {
            self.connection.socket.packed(body.deflated().await).await?;
        } else {
            self.connection.socket.text(body.plain.clone()).await?;
        }
        self.connection.socket.texts(view.own()).await?;
        if let Some(missed_answer) = missed_answer {
            self.connection.socket.texts(vec![missed_answer.text]).await?;
        }
        // Frames that arrived while the snapshot was built come after its cursor.
        Box::pin(self.catch_up()).await
    }

    /// Returns a frame for an answer that was not sent on this socket and that a snapshot would
    /// skip. An extra one is harmless: the client refetches its questions.
    fn unsent_answer(&self, team: Option<TeamId>) -> Option<Frame> {
        let (cursor, team) = (self.cursor?, team?);
        let Some((frames, _)) = self.app.board.feed.hub.after(cursor, Some(team)) else {
            return Some(answer());
        };
        frames.into_iter().rfind(|frame| frame.kind == Kind::Answer)
    }

    /// Returns the watching team if its session is still valid.
    fn active_viewer(&self) -> Option<TeamId> {
        let viewer = &self.viewer.as_ref()?.team;
        let now_ms = self.app.now_ms();
        let contest = self.app.board.feed.team_contest(viewer.id);
        let plays = contest.team(viewer.id).is_some_and(|team| !team.banned);
        (plays && self.app.accounts.sessions.is_living(&viewer.token_hash, now_ms))
            .then_some(viewer.id)
    }

    /// True if the viewer may see more than the public.
    fn has_own_view(&self) -> bool {
        let Some(team) = self.active_viewer() else { return false };
        let contest = self.app.board.feed.latest();
        contest.hides_new_solves(self.app.now_ms()) || view::has_own_view(&contest, team)
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use super::*;
    use crate::node::sockets::{SOCKETS_MAX, SOCKETS_PER_NETWORK_MAX, Sockets};

    #[test]
    fn total_and_network_socket_limits_have_different_errors() {
        let sockets = Sockets::new();
        let of = |i: usize| Some(IpAddr::from((i as u32 / 500).to_be_bytes()));
        let open: Vec<_> = (0..SOCKETS_MAX).map(|i| sockets.permits.acquire(of(i))).collect();
        assert!(open.iter().all(Result::is_ok), "no network has reached its limit");
        let refused = sockets.permits.acquire(None).err().expect("all permits are held");
        assert_eq!(no_permit(refused), ApiError::overload());
        drop(open);
        let here = Some(IpAddr::from([192, 0, 2, 1]));
        let open: Vec<_> =
            (0..SOCKETS_PER_NETWORK_MAX).map(|_| sockets.permits.acquire(here)).collect();
        let refused =
            sockets.permits.acquire(here).err().expect("the network has reached its limit");
        assert_eq!(no_permit(refused), ApiError::SOCKETS);
        assert!(open.iter().all(Result::is_ok) && sockets.permits.acquire(None).is_ok());
    }
}
