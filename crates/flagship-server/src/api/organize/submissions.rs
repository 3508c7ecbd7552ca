//! The flags that teams sent, right and wrong, as much of them as a role may see.

use std::sync::Arc;

use axum::extract::State;
use flagship_game::{ChallengeId, Contest};
use flagship_store::wrong_flags::Near;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::blocking::blocking;
use super::by::By;
use super::cursor;
use super::teams::{self, named};
use crate::api::error::ApiError;
use crate::api::extract::Query;
use crate::node::lists::Sight;
use crate::node::lists::flags::{self, PAGE_MAX, Page, Read, Sent, Verdict};
use crate::node::organizers::permissions::ListFlags;
use crate::node::state::App;

/// What cursors are of.
const LIST: &str = "flags";

/// Which flags. All that is given has to fit.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct FlagsQuery {
    /// The exact name of the team.
    team: Option<String>,
    /// The id of the challenge.
    challenge: Option<String>,
    /// `right` or `wrong`.
    verdict: Option<String>,
    /// Wrong ones that came near a right flag: `any`, or ways with commas between: `case`,
    /// `wrapper`, `blanks`, `form` (several of these), `former`, `elsewhere`, `decoy`, `team`
    /// (another team's).
    near: Option<String>,
    /// From this network, an IPv4 address or an IPv6 /64, or the one that an address is in; for who
    /// may see networks.
    network: Option<String>,
    /// From this time on, with an offset.
    from: Option<String>,
    /// Before this time, with an offset.
    until: Option<String>,
    /// The `next` of the page before.
    before: Option<String>,
    /// `public` shows what players see: the solves on the board.
    #[serde(default)]
    pub view: String,
}

/// The flags.
#[derive(Serialize, ToSchema)]
pub struct SentFlags {
    /// At most 100, the newest first.
    flags: Vec<Sent>,
    /// The `before` of the next page; null on the last one.
    next: Option<String>,
}

impl FlagsQuery {
    /// Reads it, for somebody with this sight.
    pub fn read(self, app: &App, sight: &Sight) -> Result<flags::Query, ApiError> {
        let contest = app.contest();
        let team = |name: String| {
            let team = contest.team_named(&name).or_else(|| contest.team_formerly(&name));
            let team = team.filter(|team| sight.truth || team.counts());
            Ok::<_, ApiError>(team.ok_or(ApiError::NO_TEAM)?.id)
        };
        let challenge = |id: String| ChallengeId::parse(&id).map_err(|_| ApiError::NO_CHALLENGE);
        let way = |name: &str| {
            Ok::<_, ApiError>(named(&Near::ALL, Near::as_str, Some(name))?.into_iter())
        };
        let near = |ways: String| match &*ways {
            "any" => Ok(Near::ALL.to_vec()),
            ways => {
                let ways = ways.split(',').map(way).collect::<Result<Vec<_>, _>>()?;
                Ok::<_, ApiError>(ways.into_iter().flatten().collect())
            }
        };
        let network = |text: String| match sight.networks {
            true => flags::network(&text).ok_or(ApiError::WRONG_SHAPE),
            false => Err(ApiError::NOT_FOUND),
        };
        let time = |text: String| {
            let time: Timestamp = text.parse().map_err(|_| ApiError::TIME)?;
            Ok::<_, ApiError>(time.as_millisecond())
        };
        Ok(flags::Query {
            team: self.team.map(team).transpose()?,
            challenge: self.challenge.map(challenge).transpose()?,
            verdict: named(&Verdict::ALL, Verdict::as_str, self.verdict.as_deref())?,
            near: self.near.map(near).transpose()?,
            network: self.network.map(network).transpose()?,
            from_ms: self.from.map(time).transpose()?,
            until_ms: self.until.map(time).transpose()?,
            before: self.before.map(|it| cursor::open(&app.config().key, LIST, &it)).transpose()?,
        })
    }
}

/// Lists the flags that were judged, the newest first. While the freeze hides solves, who may not
/// see them sees the flags of before.
#[utoipa::path(get, path = "/flags", operation_id = "organizer_flags", params(FlagsQuery),
    responses((status = 200, body = SentFlags)))]
pub async fn list(
    State(app): State<App>,
    by: By<ListFlags>,
    Query(query): Query<FlagsQuery>,
) -> Result<axum::Json<SentFlags>, ApiError> {
    let sight = teams::sight(&by.who, &query.view)?;
    let query = query.read(&app, &sight)?;
    let _view = app.organizers.views.take(by.who.organizer.id).await;
    let page = page(&app, sight, query, PAGE_MAX).await?;
    let page = with_texts(&app, by.who.organizer.id, page).await?;
    let next = page.next.map(|place| cursor::seal(&app.config().key, LIST, place));
    Ok(axum::Json(SentFlags { flags: page.flags, next }))
}

/// The flags that somebody with this sight sees, without their texts.
pub async fn page(
    app: &App,
    sight: Sight,
    query: flags::Query,
    count_max: usize,
) -> Result<Page, ApiError> {
    let hidden_ms = app.contest().hidden_from_ms();
    let read = Read::new(app.db(), hidden_ms, &sight, query, count_max).await?;
    let contest: Arc<Contest> = app.contest();
    let seen = sight.clone();
    let page = blocking(move || read.page(&contest, &seen)).await?;
    Ok(page.with_networks(app.db(), &sight).await?)
}

/// Adds the texts of wrong flags that may be shown to a page for an organizer, by the newest flags.
async fn with_texts(app: &App, organizer: i64, page: Page) -> Result<Page, ApiError> {
    if !page.flags.iter().any(Sent::has_text) {
        return Ok(page);
    }
    app.judging.flags.follow().await?;
    let texts = app.judging.texts.clone();
    let opening = async move { page.with_texts(&texts) };
    Ok(app.organizers.renderer.run(organizer, opening).await?)
}
