//! What pairs of teams have in common, for those who run the contest.

use axum::extract::State;
use flagship_store::lists::evidence as store;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::by::By;
use crate::api::error::ApiError;
use crate::api::extract::Query;
use crate::api::schema;
use crate::node::lists::evidence::{self, Shown, ShownFact};
use crate::node::organizers::acts::ListEvidence;
use crate::node::state::App;

/// What of it.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct EvidenceQuery {
    /// `public` shows what players see: nothing.
    #[serde(default)]
    pub view: String,
}

/// What teams have in common. It is evidence to look at, and never a verdict.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EvidenceList {
    /// When it was found, in epoch milliseconds: a few seconds ago.
    at: i64,
    /// At most 500, the newest first.
    pairs: Vec<EvidencePair>,
    /// How many more there are.
    more: usize,
}

/// Two teams and what they have in common, or one team.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct EvidencePair {
    /// A team's name.
    team_name: String,
    /// The other one's; null for what is about one team.
    other_name: Option<String>,
    /// `new`, `looked_at` or `cleared`, as an organizer said last with the act `evidence.state`.
    state: String,
    /// Who said it.
    state_by: Option<String>,
    /// When, in epoch milliseconds: later facts are not looked at yet.
    state_at: Option<i64>,
    /// What they noted.
    note: Option<String>,
    /// When the last of it was, in epoch milliseconds.
    last_at: i64,
    /// What they have in common.
    facts: Vec<EvidenceFact>,
}

/// Something that two teams have in common.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct EvidenceFact {
    /// `team_flag` (a flag that is right for the other team), `same_text` (the same rare wrong
    /// flag within minutes), `no_download` (solved, and no file of the challenge fetched),
    /// `same_order` (solved the same challenges in the same order, minutes later) or
    /// `same_network`.
    kind: &'static str,
    /// The name of the team that did it, or did it later; null for a network.
    by: Option<String>,
    /// When first, in epoch milliseconds.
    at: i64,
    /// With which challenges.
    challenges: Vec<EvidenceChallenge>,
    /// How often it sent the flag, or how many challenges it solved so.
    times: Option<usize>,
    /// How many teams sent the flag or the text, fetched a file, or were seen in the network.
    teams: Option<usize>,
    /// How many teams solved the challenge whose file was fetched.
    of_teams: Option<usize>,
    /// The network.
    network: Option<String>,
    /// Why it may mean nothing.
    explanation: EvidenceExplanation,
}

/// A challenge with which two teams did the same.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct EvidenceChallenge {
    /// Its id.
    challenge_id: String,
    /// When, in epoch milliseconds.
    at: i64,
    /// When the other team did.
    other_at: Option<i64>,
}

/// Why a fact may mean nothing.
#[derive(Serialize, ToSchema)]
struct EvidenceExplanation {
    /// For programs: `passed_on`, `published`, `shared_source`, `found_decoy`,
    /// `file_from_elsewhere`, `obvious_order`, `one_place` or `campus`.
    code: &'static str,
    /// For people.
    text: String,
}

/// Lists pairs of teams with what they have in common, each fact with its harmless explanation.
#[utoipa::path(get, path = "/evidence", tag = "organizers", operation_id = "organizer_evidence",
    params(EvidenceQuery),
    responses((status = 200, body = EvidenceList), (status = 401, body = schema::Error),
        (status = 403, body = schema::Error), (status = 404, body = schema::Error),
        (status = 422, body = schema::Error), (status = 503, body = schema::Error)))]
pub async fn list(
    State(app): State<App>,
    by: By<ListEvidence>,
    Query(query): Query<EvidenceQuery>,
) -> Result<axum::Json<EvidenceList>, ApiError> {
    let _view = app.organizers.views.take(by.who.organizer.id).await;
    let (at, shown, more) = read(&app, &query.view).await?;
    let pairs = shown.into_iter().map(EvidencePair::from).collect();
    Ok(axum::Json(EvidenceList { at, pairs, more }))
}

/// When it was found, what was, and how much more.
pub async fn read(app: &App, view: &str) -> Result<(i64, Vec<Shown>, usize), ApiError> {
    match view {
        "" => {}
        "public" => return Ok((0, Vec::new(), 0)),
        _ => return Err(ApiError::WRONG_SHAPE),
    }
    let (contest, now_ms) = (app.contest(), app.clock.now_ms());
    let evidence = &app.organizers.lists.evidence;
    let found = evidence.read(&app.db, &app.config().key, contest.clone(), now_ms).await?;
    let said = store::states(&app.db).await?;
    let (shown, more) = evidence::show(&found, &contest, &said);
    Ok((found.at_ms, shown, more))
}

impl From<Shown> for EvidencePair {
    fn from(it: Shown) -> Self {
        let said = it.said;
        Self {
            team_name: it.team,
            other_name: it.other,
            state: said.as_ref().map_or_else(|| "new".to_owned(), |said| said.state.clone()),
            state_at: said.as_ref().map(|said| said.at_ms),
            state_by: said.as_ref().map(|said| said.by.clone()),
            note: said.map(|said| said.note),
            last_at: it.last_ms,
            facts: it.facts.into_iter().map(EvidenceFact::from).collect(),
        }
    }
}

impl From<ShownFact> for EvidenceFact {
    fn from(it: ShownFact) -> Self {
        let challenges = it.challenges.into_iter().map(|it| EvidenceChallenge {
            challenge_id: it.challenge,
            at: it.at_ms,
            other_at: it.other_at_ms,
        });
        Self {
            kind: it.kind,
            by: it.by,
            at: it.at_ms,
            challenges: challenges.collect(),
            times: it.times,
            teams: it.teams,
            of_teams: it.of_teams,
            network: it.network,
            explanation: EvidenceExplanation {
                code: it.explanation.code,
                text: it.explanation.text,
            },
        }
    }
}
