//! The teams and their mail, as much of them as a role may see.

pub mod import;

use axum::extract::State;
use flagship_store::lists::teams::MailState;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::blocking::blocking;
use super::by::By;
use super::cursor;
use crate::api::error::ApiError;
use crate::api::extract::Query;
use crate::node::lists::Sight;
use crate::node::lists::boards::Seen;
use crate::node::lists::teams::{self, Accounts, After, Order, PAGE_MAX, Page, Standing, Team};
use crate::node::organizers::Who;
use crate::node::organizers::permissions::ListTeams;
use crate::node::state::App;

/// What cursors are of.
const LIST: &str = "teams";

/// Which teams.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct TeamsQuery {
    /// A part of the name, or for who sees them of the address, or the number.
    #[serde(default)]
    q: String,
    /// `public` shows what players see.
    #[serde(default)]
    pub view: String,
    /// `rank`, or `joined` for the order in which they joined.
    #[serde(default)]
    order: String,
    /// `plays`, `hidden`, `banned`, `late` (it joined after the end) or `unconfirmed`.
    #[param(value_type = Option<String>)]
    standing: Option<Standing>,
    /// `queued` or `refused`: of whom the newest mail was not sent.
    mail: Option<String>,
    /// The `next` of the page before.
    after: Option<String>,
}

/// Whose view of a list.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ViewQuery {
    /// `public` shows what players see.
    #[serde(default)]
    pub view: String,
}

/// The teams.
#[derive(Serialize, ToSchema)]
pub struct Teams {
    /// At most 200. By rank, then those without one by name, the unconfirmed last; or in the order
    /// of joining.
    teams: Vec<Team>,
    /// How many there are on all pages.
    total: usize,
    /// The `after` of the next page; null on the last one.
    next: Option<String>,
}

/// A place on a board.
#[derive(Clone, Copy, Serialize, ToSchema)]
pub struct Place {
    /// Counted from 1.
    pub rank: usize,
    /// Its points.
    pub points: i64,
}

/// What `view` leaves of what somebody sees.
pub fn sight(who: &Who, view: &str) -> Result<Sight, ApiError> {
    match view {
        "" => Ok(who.sight()),
        "public" => Ok(Sight::public()),
        _ => Err(ApiError::WRONG_SHAPE),
    }
}

/// The value of a parameter with this name.
pub fn named<T: Copy>(
    all: &[T],
    name: impl Fn(T) -> &'static str,
    text: Option<&str>,
) -> Result<Option<T>, ApiError> {
    let Some(text) = text else { return Ok(None) };
    let found = all.iter().copied().find(|it| name(*it) == text);
    found.map(Some).ok_or(ApiError::WRONG_SHAPE)
}

impl TeamsQuery {
    /// Reads it.
    pub fn read(self, app: &App) -> Result<teams::Query, ApiError> {
        let undelivered = [MailState::Queued, MailState::Refused];
        let order = match self.order.as_str() {
            "" | "rank" => Order::Rank,
            "joined" => Order::Joined,
            _ => return Err(ApiError::WRONG_SHAPE),
        };
        let after = self.after.map(|it| cursor::open(&app.config().key, LIST, &it)).transpose()?;
        if after.as_ref().is_some_and(|after: &After| !after.is_of(order)) {
            return Err(ApiError::WRONG_SHAPE);
        }
        Ok(teams::Query {
            part: self.q,
            standing: self.standing,
            mail: named(&undelivered, MailState::as_str, self.mail.as_deref())?,
            order,
            after,
        })
    }
}

/// Lists the teams, with what became of the mail to them.
#[utoipa::path(get, path = "/teams", operation_id = "organizer_teams", params(TeamsQuery),
    responses((status = 200, body = Teams)))]
pub async fn list(
    State(app): State<App>,
    by: By<ListTeams>,
    Query(query): Query<TeamsQuery>,
) -> Result<axum::Json<Teams>, ApiError> {
    let sight = sight(&by.who, &query.view)?;
    let reader = by.who.organizer.id;
    let page = page(&app, reader, &sight, query.read(&app)?, PAGE_MAX).await?;
    let Page { teams, total, next } = page;
    let next = next.map(|place| cursor::seal(&app.config().key, LIST, place));
    Ok(axum::Json(Teams { teams, total, next }))
}

/// The teams of a page, with their addresses for who sees them. `reader` is the organizer's id.
pub async fn page(
    app: &App,
    reader: i64,
    sight: &Sight,
    query: teams::Query,
    count_max: usize,
) -> Result<Page, ApiError> {
    let _view = app.organizers.views.take(reader).await;
    let accounts = Accounts::read(app.db(), sight, &query).await?;
    let seen = Seen::new(&app.board.feed, sight.truth).await?;
    let of = sight.clone();
    let sorted =
        blocking(move || teams::page(&seen.boards(of.truth), &accounts, &of, &query, count_max));
    let mut page = sorted.await?;
    teams::add_contacts(app.db(), sight, &mut page.teams).await?;
    Ok(page)
}
