//! Submissions of teams, limited to what the role may see.

use std::sync::Arc;

use axum::extract::State;
use flagship_game::{ChallengeId, Contest};
use flagship_store::wrong_flags::NearMiss;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::auth::Authorized;
use super::blocking::blocking;
use super::cursor;
use super::teams::{self, named};
use crate::api::error::ApiError;
use crate::api::extract::Query;
use crate::node::lists::ReadScope;
use crate::node::lists::flags::{self, PAGE_MAX, Page, Read, Sent, Verdict};
use crate::node::organizers::permissions::ListFlags;
use crate::node::state::App;

/// List name in cursors.
const LIST: &str = "flags";

/// Filters for submissions. A submission must match all of them.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct FlagsQuery {
    /// Part of the team name or, if the caller can see networks, an address as in `network`.
    q: Option<String>,
    /// Exact name of the team.
    team: Option<String>,
    /// Challenge ID.
    challenge: Option<String>,
    /// `right` for correct submissions, `wrong` for incorrect ones, `first` for the first solve of
    /// each challenge.
    verdict: Option<String>,
    /// Near misses: `any`, or a comma-separated list of `case`, `wrapper`, `blanks`, `form`
    /// (several of the previous), `former`, `elsewhere`, `decoy` and `team` (another team's flag).
    near: Option<String>,
    /// Network of the submission: an IPv4 address, an IPv6 /64, or an address in it. Requires
    /// access to networks.
    network: Option<String>,
    /// Length of the period that ends now: a number, and `m`, `h` or `d`, such as `10m`.
    since: Option<String>,
    /// Earliest time, inclusive, with a UTC offset.
    from: Option<String>,
    /// Latest time, exclusive, with a UTC offset.
    until: Option<String>,
    /// Value of `next` on the previous page.
    before: Option<String>,
    /// `public` shows the public view: only solves on the scoreboard.
    #[serde(default)]
    pub view: String,
}

/// A page of submissions.
#[derive(Serialize, ToSchema)]
pub struct SentFlags {
    /// At most 100 submissions, newest first.
    flags: Vec<Sent>,
    /// Value of `before` for the next page; null on the last one.
    next: Option<String>,
}

impl FlagsQuery {
    /// Parses the query for a reader with this scope.
    pub fn read(self, app: &App, sight: &ReadScope) -> Result<flags::Query, ApiError> {
        let contest = app.contest();
        let team = |name: String| {
            let team = contest.team_named(&name).or_else(|| contest.team_formerly(&name));
            let team = team.filter(|team| sight.truth || team.counts());
            Ok::<_, ApiError>(team.ok_or(ApiError::NO_TEAM)?.id)
        };
        let challenge = |id: String| ChallengeId::parse(&id).map_err(|_| ApiError::NO_CHALLENGE);
        let way = |name: &str| {
            Ok::<_, ApiError>(named(&NearMiss::ALL, NearMiss::as_str, Some(name))?.into_iter())
        };
        let near = |ways: String| match &*ways {
            "any" => Ok(NearMiss::ALL.to_vec()),
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
        let since_ms = self.since.as_deref().map(length_ms).transpose()?;
        let since_ms = since_ms.map(|length_ms| app.now_ms() - length_ms);
        let from_ms = self.from.map(time).transpose()?;
        let is_first = self.verdict.as_deref() == Some("first");
        let verdict = self.verdict.as_deref().filter(|_| !is_first);
        let part = self.q.unwrap_or_default().trim().to_lowercase();
        let found_network = flags::network(&part).filter(|_| sight.networks);
        let named_so = |part: &str| {
            let teams = contest.teams().filter(|team| team.name.to_lowercase().contains(part));
            teams.map(|team| team.id).collect()
        };
        let teams = Some(&*part).filter(|part| !part.is_empty() && found_network.is_none());
        Ok(flags::Query {
            team: self.team.map(team).transpose()?,
            teams: teams.map(named_so),
            challenge: self.challenge.map(challenge).transpose()?,
            verdict: named(&Verdict::ALL, Verdict::as_str, verdict)?,
            first: is_first,
            near: self.near.map(near).transpose()?,
            network: self.network.map(network).transpose()?.or(found_network),
            from_ms: from_ms.max(since_ms),
            until_ms: self.until.map(time).transpose()?,
            before: self.before.map(|it| cursor::open(&app.config().key, LIST, &it)).transpose()?,
        })
    }
}

/// Parses a length such as `10m`.
fn length_ms(text: &str) -> Result<i64, ApiError> {
    let unit_ms = match text.bytes().last() {
        Some(b'm') => 60_000,
        Some(b'h') => 3_600_000,
        Some(b'd') => 86_400_000,
        _ => return Err(ApiError::WRONG_SHAPE),
    };
    let count: u16 = text[..text.len() - 1].parse().map_err(|_| ApiError::WRONG_SHAPE)?;
    Ok(i64::from(count) * unit_ms)
}

/// Lists judged submissions, newest first. While the freeze hides solves, callers without access to
/// the unfrozen view see only submissions from before the freeze.
#[utoipa::path(get, path = "/flags", operation_id = "organizer_flags", params(FlagsQuery),
    responses((status = 200, body = SentFlags)))]
pub async fn list(
    State(app): State<App>,
    caller: Authorized<ListFlags>,
    Query(query): Query<FlagsQuery>,
) -> Result<axum::Json<SentFlags>, ApiError> {
    let sight = teams::sight(&caller.who, &query.view)?;
    let query = query.read(&app, &sight)?;
    let _view = app.organizers.views.take(caller.who.organizer.id).await;
    let page = page(&app, sight, query, PAGE_MAX).await?;
    let page = with_texts(&app, caller.who.organizer.id, page).await?;
    let next = page.next.map(|place| cursor::seal(&app.config().key, LIST, place));
    Ok(axum::Json(SentFlags { flags: page.flags, next }))
}

/// Returns the submissions visible in this scope, without their texts.
pub async fn page(
    app: &App,
    sight: ReadScope,
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

/// Adds to a page the stored texts of incorrect submissions that the organizer may see.
async fn with_texts(app: &App, organizer: i64, page: Page) -> Result<Page, ApiError> {
    if !page.flags.iter().any(Sent::has_text) {
        return Ok(page);
    }
    app.judging.flags.follow().await?;
    let texts = app.judging.texts.clone();
    let opening = async move { page.with_texts(&texts) };
    Ok(app.organizers.renderer.run(organizer, opening).await?)
}
