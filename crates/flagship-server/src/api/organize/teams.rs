//! Teams and the status of their emails, limited to what the role may see.

pub mod cards;
pub mod codes;
pub mod divisions;
pub mod import;

use std::collections::HashSet;

use axum::extract::State;
use flagship_game::TeamId;
use flagship_store::desk;
use flagship_store::lists::teams::MailState;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::auth::Authorized;
use super::blocking::blocking;
use super::cursor;
use crate::api::error::ApiError;
use crate::api::extract::Query;
use crate::node::lists::ReadScope;
use crate::node::lists::boards::Seen;
use crate::node::lists::teams::{
    self, Accounts, Activity, After, Order, PAGE_MAX, Page, Standing, Team,
};
use crate::node::organizers::SignedInOrganizer;
use crate::node::organizers::permissions::ListTeams;
use crate::node::state::App;

/// List name in cursors.
const LIST: &str = "teams";

/// Filters and order of the team list.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct TeamsQuery {
    /// Part of the team name, the team number or, if the caller can see email addresses, part of an
    /// address.
    #[serde(default)]
    q: String,
    /// `public` shows the public view.
    #[serde(default)]
    pub view: String,
    /// `rank`, or `joined` for the order of joining.
    #[serde(default)]
    order: String,
    /// Comma-separated list of `plays`, `hidden`, `banned`, `late` (joined after the end),
    /// `waiting` and `unconfirmed`.
    standing: Option<String>,
    /// `stuck` for teams on the scoreboard with an incorrect submission and no solve in the last 30
    /// minutes; `online` for teams that logged in, viewed the challenges or downloaded a file in
    /// the last 15 minutes.
    activity: Option<String>,
    /// `queued` or `refused`: status of the team's latest email.
    mail: Option<String>,
    /// ID of a division. A private division requires access to email addresses.
    division: Option<String>,
    /// Value of `next` on the previous page.
    after: Option<String>,
}

/// View of a list.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ViewQuery {
    /// `public` shows the public view.
    #[serde(default)]
    pub view: String,
}

/// A page of teams.
#[derive(Serialize, ToSchema)]
pub struct Teams {
    /// At most 200 teams. Sorted by rank, followed by unranked teams by name, the waiting list
    /// and unconfirmed teams, or by the order of joining.
    teams: Vec<Team>,
    /// Number of teams on all pages.
    total: usize,
    /// Value of `after` for the next page; null on the last one.
    next: Option<String>,
}

/// A place on the scoreboard.
#[derive(Clone, Copy, Serialize, ToSchema)]
pub struct Place {
    /// Rank, starting at 1.
    pub rank: usize,
    /// Points of the team.
    pub points: i64,
}

/// Returns the read scope of an organizer in this view.
pub fn sight(who: &SignedInOrganizer, view: &str) -> Result<ReadScope, ApiError> {
    match view {
        "" => Ok(who.sight()),
        "public" => Ok(ReadScope::public()),
        _ => Err(ApiError::WRONG_SHAPE),
    }
}

/// Returns the value for a parameter with this name.
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
    /// Parses the query.
    pub async fn read(self, app: &App, sight: &ReadScope) -> Result<teams::Query, ApiError> {
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
        let standing = |name: &str| {
            let found = named(&Standing::ALL, Standing::as_str, Some(name))?;
            found.ok_or(ApiError::WRONG_SHAPE)
        };
        let standings = self.standing.as_deref().map(|names| names.split(',').map(standing));
        let now_ms = app.now_ms();
        let activity = match self.activity.as_deref() {
            None => None,
            Some("stuck") => {
                let hidden_ms = app.contest().hidden_from_ms().filter(|_| !sight.truth);
                Some(Activity::stuck(now_ms, hidden_ms))
            }
            Some("online") => Some(Activity::online(now_ms)),
            Some(_) => return Err(ApiError::WRONG_SHAPE),
        };
        Ok(teams::Query {
            part: self.q,
            standings: standings.into_iter().flatten().collect::<Result<_, _>>()?,
            activity,
            mail: named(&undelivered, MailState::as_str, self.mail.as_deref())?,
            order,
            division: match self.division {
                Some(id) => Some(members_of(app, sight, &id).await?),
                None => None,
            },
            after,
        })
    }
}

/// The teams in a division, if the reader may see it.
pub async fn members_of(
    app: &App,
    sight: &ReadScope,
    id: &str,
) -> Result<HashSet<TeamId>, ApiError> {
    let rules = desk::divisions::rules(app.db(), &app.organizers.seal).await?;
    let division = rules.iter().find(|it| it.id().as_str() == id);
    let division = division.filter(|it| !it.private || sight.addresses);
    let id = division.ok_or(ApiError::NO_DIVISION)?.id();
    Ok(desk::divisions::members(app.db(), &app.contest(), &rules, id).await?)
}

/// Lists teams with the status of their emails.
#[utoipa::path(get, path = "/teams", operation_id = "organizer_teams", params(TeamsQuery),
    responses((status = 200, body = Teams)))]
pub async fn list(
    State(app): State<App>,
    caller: Authorized<ListTeams>,
    Query(query): Query<TeamsQuery>,
) -> Result<axum::Json<Teams>, ApiError> {
    let sight = sight(&caller.who, &query.view)?;
    let reader = caller.who.organizer.id;
    let query = query.read(&app, &sight).await?;
    let page = page(&app, reader, &sight, query, PAGE_MAX).await?;
    let Page { teams, total, next } = page;
    let next = next.map(|place| cursor::seal(&app.config().key, LIST, place));
    Ok(axum::Json(Teams { teams, total, next }))
}

/// Returns a page of teams, with email addresses if the reader can see them. `reader` is the
/// organizer's ID.
pub async fn page(
    app: &App,
    reader: i64,
    sight: &ReadScope,
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
    teams::add_contacts(app.db(), &app.organizers.seal, sight, &mut page.teams).await?;
    Ok(page)
}
