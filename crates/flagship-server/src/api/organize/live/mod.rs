//! The organizers' live channel: a WebSocket that announces at regular intervals which of the lists
//! visible to an organizer have changed. Clients fetch the changes from the lists.
//!
//! The socket ends with its session or when the organizer's rights change, so no frame is sent
//! under a role other than the one that opened it.

mod watcher;

use std::convert::Infallible;
use std::future::Future;
use std::sync::Arc;
use std::time::Instant;

use axum::extract::State;
use axum::response::Response;
use serde::Deserialize;
use tokio::sync::broadcast::error::RecvError;
use utoipa::IntoParams;

use super::auth::{Authorized, SameOrigin};
use super::teams;
use crate::api::error::ApiError;
use crate::api::extract::{Query, is_object};
use crate::api::live::{Connection, LIMITS, SocketEnd};
use crate::net::message_limiter::{self, MessageLimiter};
use crate::net::permits::PermitError;
use crate::net::shutdown::{Shutdown, shutdown_requested};
use crate::net::socket::{CloseReason, Incoming, Upgrade};
use crate::node::organizers::live::presence::Object;
use crate::node::organizers::live::{Live, LiveTick, SocketAuthorization};
use crate::node::organizers::permissions::WatchLive;
use crate::node::state::App;
use watcher::Watcher;

/// View to watch.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct LiveQuery {
    /// `public` reports changes in the public view.
    #[serde(default)]
    view: String,
}

/// Opens the organizers' live channel. The messages are described in the documentation.
#[utoipa::path(get, path = "/live", operation_id = "organizer_live", params(LiveQuery),
    responses((status = 101, description = "A WebSocket. docs/api.md describes its messages"),
        (status = 400), (status = 429)))]
pub async fn live(
    State(app): State<App>,
    _: SameOrigin,
    caller: Authorized<WatchLive>,
    Query(query): Query<LiveQuery>,
    upgrade: Result<Upgrade, ApiError>,
) -> Result<Response, ApiError> {
    let sight = teams::sight(&caller.who, &query.view)?;
    let upgrade = upgrade?;
    let who = caller.who.without_permit();
    let channel = app.organizers.live.clone();
    let permit =
        channel.permits.acquire(Some(who.organizer.id)).map_err(|refused| match refused {
            PermitError::Full => ApiError::overload(),
            PermitError::TooMany => ApiError::ORGANIZER_SOCKETS,
        })?;
    let task = app.serving.sockets.tasks.token();
    let ground = SocketAuthorization {
        pass: who.pass.digest.clone(),
        organizer: who.organizer.id,
        rights: who.organizer.rights.clone(),
        since: Instant::now(),
    };
    Ok(upgrade.run(LIMITS, move |socket| async move {
        let watcher = Watcher {
            place: channel.presence.enter(who.organizer.id, &who.organizer.name),
            who,
            sight,
            is_current: false,
            presence: String::new(),
        };
        let connection = Connection { socket, limiter: MessageLimiter::new() };
        let mut client = Client { connection, watcher, channel };
        let Err(end) = client.run(&ground, app.serving.draining()).await;
        end.close(client.connection.socket).await;
        drop((permit, task));
    }))
}

/// A client's message about the object it is viewing.
#[derive(Deserialize)]
struct LookMessage {
    event: String,
    object: Option<String>,
}

impl LookMessage {
    /// Parses the object that the client is viewing. An error is the response to send.
    fn read(text: &[u8]) -> Result<Option<Object>, ApiError> {
        let look = serde_json::from_slice::<Self>(text).ok().filter(|_| is_object(text));
        let look = look.ok_or(ApiError::LIVE_NOT_JSON)?;
        if look.event != "look" {
            return Err(ApiError::LIVE_ACTION);
        }
        let object = look.object.map(|text| Object::parse(&text).ok_or(ApiError::LIVE_NOT_JSON));
        object.transpose()
    }
}

struct Client {
    connection: Connection,
    watcher: Watcher,
    channel: Arc<Live>,
}

impl Client {
    async fn run(
        &mut self,
        ground: &SocketAuthorization,
        mut draining: Shutdown,
    ) -> Result<Infallible, SocketEnd> {
        let channel = self.channel.clone();
        let mut beats = channel.watch();
        let mut ping = message_limiter::ping_interval();
        let mut ended = std::pin::pin!(channel.ended(ground));
        loop {
            tokio::select! {
                message = self.connection.socket.receive() => {
                    let message = message.map_err(SocketEnd::Client)?;
                    while_authorized(&mut ended, self.handle(message)).await?;
                }
                beat = beats.recv() => match beat {
                    Ok(beat) if beat.is_for(ground) => {
                        while_authorized(&mut ended, self.send_tick(&beat)).await?;
                    }
                    Ok(_) => {}
                    Err(RecvError::Lagged(_)) => self.watcher.is_current = false,
                    Err(RecvError::Closed) => return Err(SocketEnd::Server(CloseReason::Away)),
                },
                () = &mut ended => return Err(SocketEnd::Server(CloseReason::Policy)),
                _ = ping.tick() => self.connection.ping().await?,
                () = shutdown_requested(&mut draining) => {
                    return Err(SocketEnd::Server(CloseReason::Away));
                }
            }
        }
    }

    async fn handle(&mut self, message: Incoming) -> Result<(), SocketEnd> {
        let Some(text) = self.connection.text(message).await? else { return Ok(()) };
        match LookMessage::read(&text) {
            Ok(object) => self.watcher.place.look(object),
            Err(error) => self.connection.error(error).await?,
        }
        Ok(())
    }

    /// Sends the news of a tick.
    async fn send_tick(&mut self, beat: &LiveTick) -> Result<(), SocketEnd> {
        let news = self.watcher.messages(beat, &self.channel.presence);
        Ok(self.connection.socket.texts(news).await?)
    }
}

/// Runs an operation unless the socket's authorization ends first. In that case the socket is
/// closed, even in the middle of a message that the client does not read.
async fn while_authorized(
    ended: &mut (impl Future<Output = ()> + Unpin),
    doing: impl Future<Output = Result<(), SocketEnd>>,
) -> Result<(), SocketEnd> {
    tokio::select! {
        biased;
        () = ended => Err(SocketEnd::Server(CloseReason::Policy)),
        done = doing => done,
    }
}
