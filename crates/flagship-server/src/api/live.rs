//! The live channel: a WebSocket that sends its viewer's changes as they happen.
//!
//! A socket subscribes before its snapshot is taken and pulls frames by its own cursor, so that it
//! misses no frame. Before each frame the viewer's token is checked again.

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
use crate::net::permits::{Permit, Refused};
use crate::net::shutdown::shutdown_requested;
use crate::net::socket::{Closed, Ending, Heard, Limits, Socket, Upgrade};
use crate::net::talk::{self, Talk};
use crate::node::board::hub::{Cursor, Frame, Kind, answer};
use crate::node::sessions::Team;
use crate::node::state::App;

/// The size of a client's messages, and the bytes that are read a second, averaged over time.
pub(super) const LIMITS: Limits = Limits { message_bytes: 4096, bytes_per_s: 4096 };

/// The live channel; see the documentation of its messages.
#[utoipa::path(get, path = "/live", tag = "scoreboard",
    responses((status = 101, description = "A WebSocket; messages are described in docs"),
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
        let later = None;
        let line = Line { socket, talk: Talk::new() };
        let mut client = Client { app, line, viewer, own, cursor, resuming, later };
        let Err(end) = client.converse().await;
        end.of(client.line.socket).await;
        drop((permit, task));
    }))
}

fn no_permit(refused: Refused) -> ApiError {
    match refused {
        Refused::Full => ApiError::overload(),
        Refused::TooMany => ApiError::SOCKETS,
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
    /// Parses a message; an error is the one to respond with.
    pub(crate) fn parse(text: &[u8]) -> Result<Self, ApiError> {
        let request = serde_json::from_slice::<Self>(text).ok().filter(|_| is_object(text));
        let request = request.ok_or(ApiError::LIVE_NOT_JSON)?;
        if request.action != "getscoreboard" {
            return Err(ApiError::LIVE_ACTION);
        }
        Ok(request)
    }
}

/// The team that a socket watches as, and its permit.
struct Viewer {
    team: Team,
    _permit: Permit<TeamId>,
}

struct Client {
    app: App,
    line: Line,
    viewer: Option<Viewer>,
    /// Notified when there are frames for the viewer alone.
    own: Option<Arc<Notify>>,
    /// The last frames that were sent or are in the snapshot; `None` before the first request.
    cursor: Option<Cursor>,
    resuming: bool,
    /// Completes when a snapshot that waits for its turn may be pushed.
    later: Option<AbortOnDropHandle<()>>,
}

/// Completes when a waiting snapshot is due; never without one.
async fn due(later: &mut Option<AbortOnDropHandle<()>>) {
    let Some(turn) = later else { return std::future::pending().await };
    // It neither fails nor is aborted while it is awaited.
    drop(turn.await);
    *later = None;
}

/// Why a socket ends.
pub(super) enum End {
    /// The client closed it, or broke the protocol.
    Client(Error),
    /// The server closes it.
    Server(Ending),
    /// The client is gone.
    Silent,
}

impl End {
    /// Ends a socket.
    pub(super) async fn of(self, socket: Socket) {
        match self {
            Self::Client(error) => socket.end_after(error).await,
            Self::Server(why) => socket.end(why).await,
            Self::Silent => {}
        }
    }
}

impl From<Closed> for End {
    fn from(Closed: Closed) -> Self {
        Self::Silent
    }
}

/// A socket, and what its client has said so far.
pub(super) struct Line {
    pub(super) socket: Socket,
    pub(super) talk: Talk,
}

impl Line {
    /// The text of a message; `None` for a message that has none, which is answered if necessary.
    pub(super) async fn text_of(&mut self, heard: Heard) -> Result<Option<Bytes>, End> {
        if !self.talk.hears() {
            self.error(ApiError::LIVE_TOO_FAST).await?;
            return Err(End::Server(Ending::Policy));
        }
        match heard {
            Heard::Text(text) => return Ok(Some(text)),
            Heard::Sign => {}
            Heard::Binary(_) => self.error(ApiError::LIVE_NOT_JSON).await?,
        }
        Ok(None)
    }

    /// Pings a client that still answers.
    pub(super) async fn ping(&mut self) -> Result<(), End> {
        if !self.talk.pings() {
            return Err(End::Silent);
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

/// Completes when there are frames for the viewer alone; never for the public.
async fn more(own: Option<&Notify>) {
    let Some(own) = own else { return std::future::pending().await };
    own.notified().await;
}

impl Client {
    async fn converse(&mut self) -> Result<Infallible, End> {
        let mut frames = self.app.board.feed.hub.watch();
        let mut draining = self.app.serving.draining();
        let mut ping = talk::pings();
        loop {
            tokio::select! {
                heard = self.line.socket.hear() => {
                    let heard = heard.map_err(End::Client)?;
                    // Boxed, so that an idle socket stays small.
                    Box::pin(self.hear(heard)).await?;
                }
                grown = frames.changed() => {
                    grown.map_err(|_| End::Server(Ending::Away))?;
                    self.catch_up().await?;
                }
                () = more(self.own.as_deref()) => self.catch_up().await?,
                () = due(&mut self.later) => self.snapshot().await?,
                _ = ping.tick() => self.line.ping().await?,
                () = shutdown_requested(&mut draining) => return Err(End::Server(Ending::Away)),
            }
        }
    }

    async fn hear(&mut self, heard: Heard) -> Result<(), End> {
        let Some(text) = self.line.text_of(heard).await? else { return Ok(()) };
        let request = match Request::parse(&text) {
            Ok(request) => request,
            Err(error) => return Ok(self.line.error(error).await?),
        };
        let Ok(team) = self.app.accounts.team_of(&request.token.unwrap_or_default()).await else {
            return Ok(self.line.error(ApiError::overload()).await?);
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

    /// Watches as a team from now on, or as the public. Gives true if the viewer is the same as
    /// before.
    async fn watch_as(&mut self, team: Option<Team>) -> Result<bool, End> {
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
            self.line.error(ApiError::LIVE_TEAM_SOCKETS).await?;
            return Err(End::Server(Ending::Policy));
        };
        if !is_same {
            self.own = Some(self.app.board.feed.hub.watch_own(team.id));
        }
        self.viewer = Some(Viewer { team, _permit });
        Ok(is_same)
    }

    /// Sends the public frames that a client missed. If the viewer is the same as before on this
    /// socket, the client still has its own frames. On a new socket during the freeze the server
    /// does not know which of them it has.
    async fn resume(&mut self, since: u64, generation: &str, is_same: bool) -> Result<(), Closed> {
        self.resuming = true;
        let (feed, team) = (self.app.board.feed.clone(), self.living_viewer());
        // Read before the fold, so that a frame between the two reads is not skipped.
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
        self.line.socket.texts(missed.into_iter().map(|frame| frame.text).collect()).await?;
        Box::pin(self.catch_up()).await
    }

    /// Sends the frames since the last one, or a snapshot if frames cannot express the changes.
    async fn catch_up(&mut self) -> Result<(), Closed> {
        let Some(cursor) = self.cursor.filter(|_| self.later.is_none()) else { return Ok(()) };
        let viewer = self.living_viewer();
        let Some((frames, cursor)) = self.app.board.feed.hub.after(cursor, viewer) else {
            return Box::pin(self.push_snapshot()).await;
        };
        let needs_snapshot = |frame: &Frame| match frame.kind {
            Kind::Changed => !self.resuming,
            Kind::OwnChanged => true,
            Kind::News | Kind::Answer => false,
        };
        if frames.iter().any(needs_snapshot) {
            return Box::pin(self.push_snapshot()).await;
        }
        self.cursor = Some(cursor);
        self.line.socket.texts(frames.into_iter().map(|frame| frame.text).collect()).await
    }

    /// Pushes a snapshot that the client did not request. The rate of pushes is limited, since all
    /// sockets need one at the same time. While a push waits, the socket still reads messages.
    async fn push_snapshot(&mut self) -> Result<(), Closed> {
        let published = self.app.board.feed.board_of_now().await;
        let bytes = if self.line.socket.takes_packed() {
            published.body.deflated().await.len()
        } else {
            published.body.plain.len()
        };
        self.later = Some(self.app.serving.sockets.turn(bytes));
        Ok(())
    }

    /// Sends the public board, which all viewers share, and then the team's own later solves, each
    /// as a message. A hidden team has a board of its own.
    async fn snapshot(&mut self) -> Result<(), Closed> {
        let (feed, team) = (self.app.board.feed.clone(), self.living_viewer());
        // Read before the fold, so that no frame is skipped; a frame that comes twice is harmless.
        let own = team.map_or(0, |team| feed.hub.own_cursor(team));
        let told = self.unsent_answer(team);
        let view = feed.view(team).await;
        let cursor = Cursor { public: view.published.cursor, own };
        (self.cursor, self.later) = (Some(cursor), None);
        let hidden = feed.hidden(&view).await;
        let body = hidden.as_ref().map_or(&view.published.body, |hidden| &hidden.body);
        if self.line.socket.takes_packed() {
            self.line.socket.packed(body.deflated().await).await?;
        } else {
            self.line.socket.text(body.plain.clone()).await?;
        }
        self.line.socket.texts(view.own()).await?;
        if let Some(told) = told {
            self.line.socket.texts(vec![told.text]).await?;
        }
        // Frames that arrived while the snapshot was made are after its cursor.
        Box::pin(self.catch_up()).await
    }

    /// A frame of an answer that the socket was not sent, and that a snapshot would skip. One too
    /// many is harmless: the client fetches its questions.
    fn unsent_answer(&self, team: Option<TeamId>) -> Option<Frame> {
        let (cursor, team) = (self.cursor?, team?);
        let Some((frames, _)) = self.app.board.feed.hub.after(cursor, Some(team)) else {
            return Some(answer());
        };
        frames.into_iter().rfind(|frame| frame.kind == Kind::Answer)
    }

    /// The team that watches, if its session is still valid.
    fn living_viewer(&self) -> Option<TeamId> {
        let viewer = &self.viewer.as_ref()?.team;
        let now_ms = self.app.now_ms();
        let contest = self.app.board.feed.contest_of(viewer.id);
        let plays = contest.team(viewer.id).is_some_and(|team| !team.banned);
        (plays && self.app.accounts.sessions.is_living(&viewer.token_hash, now_ms))
            .then_some(viewer.id)
    }

    /// True if the viewer may see more than the public.
    fn has_own_view(&self) -> bool {
        let Some(team) = self.living_viewer() else { return false };
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
    fn the_socket_limits_of_all_and_of_one_network_have_different_errors() {
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
