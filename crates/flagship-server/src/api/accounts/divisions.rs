//! Divisions of a team: its choice before the start.

use std::collections::HashMap;

use axum::extract::State;
use flagship_game::division::{DivisionChoice, DivisionCodes, DivisionRefusal};
use flagship_store::ops::{Actor, Op, Outcome, OwnDivisionsError};
use serde::Deserialize;
use utoipa::ToSchema;

use super::login::Empty;
use crate::api::error::{ApiError, errors_from};
use crate::api::extract::{Json, Part};
use crate::node::accounts::Accounts;
use crate::node::sessions::Team;

/// Code for divisions: one for all, or one for each ID.
#[derive(Clone, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum DivisionCode {
    /// One code.
    All(String),
    /// Codes by division ID.
    Each(HashMap<String, String>),
}

impl Default for DivisionCode {
    fn default() -> Self {
        Self::All(String::new())
    }
}

impl From<DivisionCode> for DivisionCodes {
    fn from(code: DivisionCode) -> Self {
        match code {
            DivisionCode::All(code) => Self::All(code),
            DivisionCode::Each(codes) => Self::Each(codes),
        }
    }
}

/// A team's choice of divisions.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DivisionsRequest {
    /// IDs of all divisions of the team, at most one of each group. Divisions that only organizers
    /// change are kept.
    divisions: Vec<String>,
    /// Code for the divisions that need one, or an object with a code for each division ID. Not
    /// needed for divisions that the team is in.
    #[serde(default)]
    division_code: DivisionCode,
}

/// Replaces the team's divisions. Once the event has started, only organizers can do so.
#[utoipa::path(post, path = "/account/divisions", tag = "accounts",
    operation_id = "own_divisions",
    params(("X-Api-Key" = String, Header, description = "Team token")),
    responses((status = 200, body = Empty), (status = 403), (status = 422), (status = 429)))]
pub async fn divisions(
    State(accounts): Part<Accounts>,
    team: Result<Team, ApiError>,
    Json(DivisionsRequest { divisions, division_code }): Json<DivisionsRequest>,
) -> Result<axum::Json<Empty>, ApiError> {
    let team = team?;
    let _permit = accounts.own_writes.acquire(Some(team.id)).map_err(|_| ApiError::overload())?;
    // Incorrect codes count, too.
    accounts.count(&[accounts.limits.account_change(team.id)]).await?;
    let codes = division_code.into();
    let choice = Box::new(DivisionChoice { ids: divisions, codes, is_student: false });
    let op = Op::Divisions { team: team.id, session: team.token_hash, choice };
    match accounts.lane.run(op.by(Actor::Team(team.id))).await? {
        Outcome::Divisions(done) => done.map_err(ApiError::from)?,
        _ => return Err(ApiError::INTERNAL),
    }
    Ok(axum::Json(Empty {}))
}

impl From<OwnDivisionsError> for ApiError {
    fn from(error: OwnDivisionsError) -> Self {
        match error {
            OwnDivisionsError::Own(error) => error.into(),
            OwnDivisionsError::Fixed => Self::DIVISIONS_FIXED,
            OwnDivisionsError::Refused(refusal) => refusal.into(),
        }
    }
}

errors_from! {
    DivisionRefusal {
        Unknown => DIVISION_UNKNOWN,
        Group => DIVISION_GROUP,
        Code => DIVISION_CODE,
        Domain => DIVISION_DOMAIN,
    }
}
