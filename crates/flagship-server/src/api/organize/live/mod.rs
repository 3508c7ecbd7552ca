//! The organizers' live channel: a WebSocket that tells each organizer in which of the lists that
//! their roles read something is new, at a steady beat. What is new is in the lists.
//!
//! It ends when its session or the rights of its organizer do, so that no frame is for another role
//! than the one that opened it.

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

use super::by::{By, OwnOrigin};
use super::teams;
use crate::api::error::ApiError;
use crate::api::extract::{Query, is_object};
use crate::api::live::{End, LIMITS, Line};
use crate::net::permits::Refused;
use crate::net::shutdown::{Shutdown, shutdown_requested};
use crate::net::socket::{Ending, Heard, Upgrade};
use crate::net::talk::{self, Talk};
use crate::node::organizers::live::presence::Object;
use crate::node::organizers::live::{Beat, Ground, Live};
use crate::node::organizers::permissions::WatchLive;
use crate::node::state::App;
use watcher::Watcher;

/// What is watched.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct LiveQuery {
    /// `public` tells of what players see.
    #[serde(default)]
    view: String,
}

/// The live channel of organizers; see the documentation of its messages.
#[utoipa::path(get, path = "/live", operation_id = "organizer_live", params(LiveQuery),
    responses((status = 101, description = "A WebSocket; messages are described in docs"),
        (status = 400), (status = 429)))]
pub async fn live(
    State(app): State<App>,
    _: OwnOrigin,
    by: By<WatchLive>,
    Query(query): Query<LiveQuery>,
    upgrade: Result<Upgrade, ApiError>,
) -> Result<Response, ApiError> {
    let sight = teams::sight(&by.who, &query.view)?;
    let upgrade = upgrade?;
    let who = by.who.without_permit();
    let channel = app.organizers.live.clone();
    let permit =
        channel.permits.acquire(Some(who.organizer.id)).map_err(|refused| match refused {
            Refused::Full => ApiError::overload(),
            Refused::TooMany => ApiError::ORGANIZER_SOCKETS,
        })?;
    let task = app.serving.sockets.tasks.token();
    let ground = Ground {
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
        let line = Line { socket, talk: Talk::new() };
        let mut client = Client { line, watcher, channel };
        let Err(end) = client.converse(&ground, app.serving.draining()).await;
        end.of(client.line.socket).await;
        drop((permit, task));
    }))
}

/// A message of a client: what it looks at.
#[derive(Deserialize)]
struct Said {
    event: String,
    object: Option<String>,
}

impl Said {
    /// Reads what the client looks at now; an error is the one to respond with.
    fn read(text: &[u8]) -> Result<Option<Object>, ApiError> {
        let said = serde_json::from_slice::<Self>(text).ok().filter(|_| is_object(text));
        let said = said.ok_or(ApiError::LIVE_NOT_JSON)?;
        if said.event != "look" {
            return Err(ApiError::LIVE_ACTION);
        }
        let object = said.object.map(|text| Object::parse(&text).ok_or(ApiError::LIVE_NOT_JSON));
        object.transpose()
    }
}

struct Client {
    line: Line,
    watcher: Watcher,
    channel: Arc<Live>,
}

impl Client {
    async fn converse(
        &mut self,
        ground: &Ground,
        mut draining: Shutdown,
    ) -> Result<Infallible, End> {
        let channel = self.channel.clone();
        let mut beats = channel.watch();
        let mut ping = talk::pings();
        let mut ended = std::pin::pin!(channel.ended(ground));
        loop {
            tokio::select! {
                heard = self.line.socket.hear() => {
                    let heard = heard.map_err(End::Client)?;
                    unless(&mut ended, self.hear(heard)).await?;
                }
                beat = beats.recv() => match beat {
                    Ok(beat) if beat.is_for(ground) => {
                        unless(&mut ended, self.tell(&beat)).await?;
                    }
                    Ok(_) => {}
                    Err(RecvError::Lagged(_)) => self.watcher.is_current = false,
                    Err(RecvError::Closed) => return Err(End::Server(Ending::Away)),
                },
                () = &mut ended => return Err(End::Server(Ending::Policy)),
                _ = ping.tick() => self.line.ping().await?,
                () = shutdown_requested(&mut draining) => return Err(End::Server(Ending::Away)),
            }
        }
    }

    async fn hear(&mut self, heard: Heard) -> Result<(), End> {
        let Some(text) = self.line.text_of(heard).await? else { return Ok(()) };
        match Said::read(&text) {
            Ok(object) => self.watcher.place.look(object),
            Err(error) => self.line.error(error).await?,
        }
        Ok(())
    }

    /// Tells what a beat brings.
    async fn tell(&mut self, beat: &Beat) -> Result<(), End> {
        let news = self.watcher.news(beat, &self.channel.presence);
        Ok(self.line.socket.texts(news).await?)
    }
}

/// Does something, unless the ground of the socket ends first: then it is closed, also in the
/// middle of a message that the client does not read.
async fn unless(
    ended: &mut (impl Future<Output = ()> + Unpin),
    doing: impl Future<Output = Result<(), End>>,
) -> Result<(), End> {
    tokio::select! {
        biased;
        () = ended => Err(End::Server(Ending::Policy)),
        done = doing => done,
    }
}
