//! The pages of the event and the ready answers, as organizers read them. The actions that change
//! them are in `flagship-actions`.

use axum::extract::State;
use flagship_actions::settings::sections::{ANSWERS, files_in, pages_in};
use flagship_actions::site::answers_set::ReadyAnswer;
use flagship_actions::site::pages::is_of_files;
use flagship_pack::Live;
use flagship_store::{Db, StoreError, settings};
use serde::Serialize;
use utoipa::ToSchema;

use super::by::By;
use crate::api::error::ApiError;
use crate::api::extract::Part;
use crate::node::organizers::Organizers;
use crate::node::organizers::permissions::ListQuestions;

/// A page of the event's own.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ListedPage {
    /// The last part of its address.
    slug: String,
    /// Its title.
    title: String,
    /// `navigation` or `footer`.
    place: &'static str,
    /// Where it stands among those of the site, if that is said.
    position: Option<i64>,
    /// Its text in Markdown; null if it comes from files.
    text: Option<String>,
}

/// The pages of these settings, in the order in which they are shown.
pub(super) async fn listed(db: &Db, live: &Live) -> Result<Vec<ListedPage>, StoreError> {
    let files = files_in(db).await?.unwrap_or_default();
    let written = pages_in(&settings::kept(db).await?);
    let pages = live.site.pages.iter().map(|page| {
        let of_site = written.iter().find(|kept| kept.page.slug == page.slug);
        let kept = of_site.filter(|_| !is_of_files(&files, &page.slug));
        ListedPage {
            slug: page.slug.clone(),
            title: page.title.clone(),
            place: page.place.as_str(),
            position: kept.and_then(|kept| kept.position),
            text: kept.map(|kept| kept.text.clone()),
        }
    });
    Ok(pages.collect())
}

/// The answers that are ready.
#[derive(Serialize, ToSchema)]
pub struct ReadyAnswers {
    /// In the order in which they are shown.
    answers: Vec<ReadyAnswer>,
}

/// Lists the answers that organizers have ready for questions.
#[utoipa::path(get, path = "/answers", operation_id = "organizer_answers",
    responses((status = 200, body = ReadyAnswers)))]
pub async fn answers(
    State(organizers): Part<Organizers>,
    _by: By<ListQuestions>,
) -> Result<axum::Json<ReadyAnswers>, ApiError> {
    let kept = settings::kept(&organizers.db).await?.remove(ANSWERS);
    let answers = kept.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
    Ok(axum::Json(ReadyAnswers { answers }))
}
