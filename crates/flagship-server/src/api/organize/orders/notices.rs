//! The action that posts a notice, as it is given.

use flagship_store::ops::NoticeAction;
use serde::Deserialize;

use super::values::{challenge, html, line, long, named, time};
use crate::api::error::ApiError;

/// The fields of `notice.post`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OfPost {
    title: String,
    text: String,
    #[serde(default)]
    challenge: Option<String>,
    #[serde(default)]
    urgent: bool,
    #[serde(default)]
    until: Option<String>,
    #[serde(default)]
    at: Option<String>,
}

/// A notice. Only an urgent one has an end, which comes after it is posted.
pub(super) fn post(of: OfPost, now_ms: i64) -> Result<NoticeAction, ApiError> {
    let OfPost { title, text, challenge: id, urgent, until, at } = of;
    let at_ms = at.map(|at| time(&at)).transpose()?;
    let urgent_until_ms = until.map(|until| time(&until)).transpose()?;
    let posted_ms = at_ms.unwrap_or(now_ms).max(now_ms);
    if urgent_until_ms.is_some_and(|until_ms| !urgent || until_ms <= posted_ms) {
        return Err(ApiError::UNTIL);
    }
    Ok(NoticeAction::Post {
        title: named(line(&title)?)?,
        html: html(&text)?,
        text: long(&text)?,
        challenge: id.map(|id| challenge(&id)).transpose()?,
        urgent,
        urgent_until_ms,
        at_ms,
    })
}
