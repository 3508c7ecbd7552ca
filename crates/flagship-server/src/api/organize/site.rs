//! Custom pages and saved replies, as organizers read them. The actions that change them are in
//! `flagship-actions`.

use axum::extract::State;
use flagship_actions::settings::sections::{ANSWERS, files_in, pages_in};
use flagship_actions::site::answers_set::ReadyAnswer;
use flagship_actions::site::pages::is_of_files;
use flagship_pack::Live;
use flagship_store::{Db, StoreError, settings};
use serde::Serialize;
use utoipa::ToSchema;

use super::auth::Authorized;
use crate::api::error::ApiError;
use crate::api::extract::Part;
use crate::node::organizers::Organizers;
use crate::node::organizers::permissions::ListQuestions;

/// A custom page.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ListedPage {
    /// Last segment of the page's path.
    slug: String,
    /// Title of the page.
    title: String,
    /// Place of the link: `navigation` or `footer`.
    place: &'static str,
    /// Position of the link among those of the site, if set.
    position: Option<i64>,
    /// Markdown source; null if the page comes from files.
    text: Option<String>,
}

/// Returns the custom pages of these settings, in display order.
pub(super) async fn custom_pages(db: &Db, live: &Live) -> Result<Vec<ListedPage>, StoreError> {
    let files = files_in(db).await?.unwrap_or_default();
    let written = pages_in(&settings::site_sections(db).await?);
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

/// Saved replies to questions.
#[derive(Serialize, ToSchema)]
pub struct ReadyAnswers {
    /// Saved replies, in display order.
    answers: Vec<ReadyAnswer>,
}

/// Lists the saved replies to questions.
#[utoipa::path(get, path = "/answers", operation_id = "organizer_answers",
    responses((status = 200, body = ReadyAnswers)))]
pub async fn answers(
    State(organizers): Part<Organizers>,
    _by: Authorized<ListQuestions>,
) -> Result<axum::Json<ReadyAnswers>, ApiError> {
    let kept = settings::site_sections(&organizers.db).await?.remove(ANSWERS);
    let answers = kept.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
    Ok(axum::Json(ReadyAnswers { answers }))
}
