//! Actions about what the site shows of the event's house, and what organizers share: the brand,
//! the event's own pages, and the answers that are ready.

use axum::extract::State;
use flagship_pack::{
    FILE_BYTES_MAX, FILES_BYTES_MAX, Live, PAGES_BYTES_MAX, PAGES_MAX, PagePlace, SPONSORS_MAX,
    Site, SitePage, kept_file, page_of,
};
use flagship_store::ops::{Action, SettingsAction};
use flagship_store::{Db, StoreError, settings};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use utoipa::ToSchema;

use super::by::By;
use super::orders::{Desk, Read, Unread, line, long, named};
use crate::api::error::ApiError;
use crate::api::schema;
use crate::node::organizers::actions::ListQuestions;
use crate::node::settings::{ANSWERS, KeptPage, files_in, page_section, pages_in};
use crate::node::state::App;

/// Most answers that are ready.
const ANSWERS_MAX: usize = 100;

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
        let kept = of_site.filter(|_| !has(&files, &page.slug));
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

/// Whether the files have a page of this name.
fn has(files: &Live, slug: &str) -> bool {
    files.site.pages.iter().any(|page| page.slug == slug)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OfBrand {
    values: Map<String, Value>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OfPage {
    page: String,
    text: String,
    #[serde(default)]
    place: PagePlace,
    #[serde(default)]
    position: Option<i64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OfRemovedPage {
    page: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OfAnswers {
    answers: Vec<ReadyAnswer>,
}

/// An answer that is ready.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ReadyAnswer {
    /// What organizers choose it by: at most 200 characters.
    title: String,
    /// The answer in Markdown: at most 8,000 characters.
    text: String,
}

/// The answers that are ready.
#[derive(Serialize, ToSchema)]
pub struct ReadyAnswers {
    /// In the order in which they are shown.
    answers: Vec<ReadyAnswer>,
}

/// Lists the answers that organizers have ready for questions.
#[utoipa::path(get, path = "/answers", tag = "organizers", operation_id = "organizer_answers",
    responses((status = 200, body = ReadyAnswers), (status = 401, body = schema::Error),
        (status = 403, body = schema::Error), (status = 404, body = schema::Error),
        (status = 503, body = schema::Error)))]
pub async fn answers(
    State(app): State<App>,
    _by: By<ListQuestions>,
) -> Result<axum::Json<ReadyAnswers>, ApiError> {
    let kept = settings::kept(&app.db).await?.remove(ANSWERS);
    let answers = kept.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
    Ok(axum::Json(ReadyAnswers { answers }))
}

/// An action that keeps a text in a section, or nothing any more.
fn keeps(
    name: &'static str,
    section: String,
    arguments: Value,
    (was, becomes): (Option<String>, Option<String>),
) -> Action {
    let secrets = Vec::new();
    Action::Settings(Box::new(SettingsAction { name, section, arguments, was, becomes, secrets }))
}

impl Desk {
    /// Reads an action that sets keys of `[site]`.
    pub(super) async fn brand(&self, OfBrand { values }: OfBrand) -> Result<Read, Unread> {
        self.set("brand.set", "site".to_owned(), values).await
    }

    /// Reads an action that writes a page.
    pub(super) async fn page(&self, of: OfPage) -> Result<Read, Unread> {
        let OfPage { page: slug, text, place, position } = of;
        let (files, kept) = (self.files_without(&slug).await?, settings::kept(&self.db).await?);
        let (page, problems) = self.page_of(&slug, place, &text).await?;
        let others = pages_in(&kept).into_iter().map(|kept| kept.page);
        let others = others.filter(|it| it.slug != slug && !has(&files, &it.slug));
        let all: Vec<SitePage> = others.chain(files.site.pages.iter().cloned()).collect();
        if all.len() >= PAGES_MAX {
            return Err(Unread::refused(format!("there are more than {PAGES_MAX} pages")));
        }
        let bytes = all.iter().map(|page| page.html.len()).sum::<usize>() + page.html.len();
        if bytes > PAGES_BYTES_MAX {
            let most = PAGES_BYTES_MAX / 1024;
            return Err(Unread::refused(format!("the pages are together larger than {most} KiB")));
        }
        let arguments = json!({"page": slug, "title": page.title});
        let becomes = serde_json::to_string(&KeptPage { text, position, page });
        let (section, becomes) = (page_section(&slug), becomes.expect("plain data"));
        let was = kept.get(&section).cloned();
        let action = keeps("page.set", section, arguments, (was, Some(becomes)));
        Ok(Read { problems, ..Read::of(action) })
    }

    /// Reads an action that removes a page.
    pub(super) async fn remove_page(&self, of: OfRemovedPage) -> Result<Read, Unread> {
        let OfRemovedPage { page: slug } = of;
        self.files_without(&slug).await?;
        let section = page_section(&slug);
        let was = settings::kept(&self.db).await?.remove(&section);
        if was.is_none() {
            return Err(Unread::refused(format!("there is no page {slug:?}")));
        }
        Ok(keeps("page.remove", section, json!({"page": slug}), (was, None)).into())
    }

    /// Reads an action that writes the answers that are ready.
    pub(super) async fn answers(&self, of: OfAnswers) -> Result<Read, Unread> {
        if of.answers.len() > ANSWERS_MAX {
            return Err(ApiError::WRONG_SHAPE.into());
        }
        let ready = |it: &ReadyAnswer| -> Result<ReadyAnswer, ApiError> {
            Ok(ReadyAnswer { title: named(line(&it.title)?)?, text: long(&it.text)? })
        };
        let all = of.answers.iter().map(ready).collect::<Result<Vec<_>, _>>()?;
        let was = settings::kept(&self.db).await?.remove(ANSWERS);
        let becomes = serde_json::to_string(&all).expect("plain data");
        let becomes = Some(becomes).filter(|_| !all.is_empty());
        let arguments = json!({"answers": all.len()});
        Ok(keeps("answers.set", ANSWERS.to_owned(), arguments, (was, becomes)).into())
    }

    /// The page of a text, with what may not be meant in it.
    pub(super) async fn page_of(
        &self,
        slug: &str,
        place: PagePlace,
        text: &str,
    ) -> Result<(SitePage, Vec<flagship_pack::Problem>), Unread> {
        if text.len() > PAGES_BYTES_MAX || text.contains('\0') {
            return Err(ApiError::TEXT.into());
        }
        page_of(slug, place, text, &self.defaults().await?).map_err(Unread::Settings)
    }

    /// The settings of files that have no page of this name.
    async fn files_without(&self, slug: &str) -> Result<Live, Unread> {
        let files = files_in(&self.db).await?.unwrap_or_default();
        match has(&files, slug) {
            true => {
                Err(Unread::refused("the page is in the event's files; change it there".to_owned()))
            }
            false => Ok(files),
        }
    }

    /// Puts what is known of uploaded files in place of their digests; returns those.
    pub(super) async fn take_uploads(
        &self,
        values: &mut Map<String, Value>,
    ) -> Result<Vec<String>, Unread> {
        let mut digests = Vec::new();
        for (key, value) in values.iter_mut() {
            match (key.as_str(), value) {
                ("sponsors", Value::Array(sponsors)) if sponsors.len() <= SPONSORS_MAX => {
                    for logo in sponsors.iter_mut().filter_map(|it| it.get_mut("logo")) {
                        digests.extend(self.take_upload("logo", logo).await?);
                    }
                }
                (key, value) => digests.extend(self.take_upload(key, value).await?),
            }
        }
        Ok(digests)
    }

    /// Only an object is an upload. It may be as the settings show it, with more than a digest.
    async fn take_upload(&self, key: &str, value: &mut Value) -> Result<Option<String>, Unread> {
        let Value::Object(members) = &*value else { return Ok(None) };
        let file = members.get("file").and_then(Value::as_object).unwrap_or(members);
        let digest = file.get("digest").and_then(Value::as_str).ok_or(ApiError::WRONG_SHAPE)?;
        let digest = digest.to_owned();
        let claimed = self.uploads.claim(&digest, self.now_ms).await.ok_or(ApiError::NO_FILE)?;
        if claimed.bytes > FILE_BYTES_MAX {
            return Err(Unread::refused(format!(
                "`{key}` is larger than {} KiB",
                FILE_BYTES_MAX / 1024
            )));
        }
        let bytes = self.uploads.bytes(&digest).await.ok_or(ApiError::NO_FILE)?;
        *value = kept_file(key, &digest, &bytes).map_err(Unread::refused)?;
        Ok(Some(digest))
    }

    /// Refuses files that are too large together: nodes keep them in memory.
    pub(super) async fn check_size(&self, site: &Site) -> Result<(), Unread> {
        let mut bytes = 0;
        for file in site.files() {
            let known = self.uploads.claim(&file.digest, self.now_ms).await;
            bytes += known.map_or(0, |known| known.bytes);
        }
        if bytes > FILES_BYTES_MAX {
            let most = FILES_BYTES_MAX / (1024 * 1024);
            return Err(Unread::refused(format!(
                "the site's files are together larger than {most} MiB"
            )));
        }
        Ok(())
    }
}
