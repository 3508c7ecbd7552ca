//! `page.set`

use std::collections::BTreeMap;

use flagship_pack::{Live, PAGES_BYTES_MAX, PAGES_MAX, PagePlace, SitePage};
use flagship_store::settings;

use super::pages::{files_without, is_of_files, page_of};
use crate::prelude::*;
use crate::settings::sections::{StoredPage, page_section, pages_in};
use crate::settings::{SectionChange, SettingsUndo};

/// Creates or edits a page.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PageSet {
    /// Slug of the page, the last part of its address.
    pub page: String,
    /// Page title.
    #[serde(skip_deserializing)]
    title: String,
    /// Text in Markdown, starting with the title.
    #[serde(skip_serializing_if = "is_unrecorded")]
    #[schema(required = true)]
    pub text: String,
    /// Placement of the link: `navigation` or `footer`.
    #[serde(default, skip_serializing_if = "is_unrecorded")]
    #[schema(value_type = String)]
    pub place: PagePlace,
    /// Position among the pages. A page without a position comes last.
    #[serde(default, skip_serializing_if = "is_unrecorded")]
    #[schema(nullable = false)]
    pub position: Option<i64>,
    #[serde(skip)]
    change: SectionChange,
}

impl Action for PageSet {
    const RULE: Rule = Rule { name: "page.set", roles: RUNNERS, factor: Factor::Once };
    const RENDERS: bool = true;
    const LISTS: &'static [List] = &[List::Settings];
    type Undo = SettingsUndo;

    async fn prepare(&mut self, desk: &Desk) -> Result<Extras, Rejection> {
        let files = files_without(desk, &self.page).await?;
        let kept = settings::site_sections(&desk.db).await?;
        let (page, problems) = page_of(desk, &self.page, self.place, &self.text).await?;
        check_all(&files, &kept, &page)?;
        self.title.clone_from(&page.title);
        let section = page_section(&self.page);
        let text = std::mem::take(&mut self.text);
        let new = StoredPage { text, position: self.position, page };
        self.change = SectionChange {
            before: kept.get(&section).cloned(),
            left: Some(serde_json::to_string(&new).expect("plain data")),
            section,
            secrets: Vec::new(),
        };
        Ok(Extras { problems, ..Extras::default() })
    }

    async fn perform(&self, context: &mut Context<'_>) -> ActionResult<Option<SettingsUndo>> {
        self.change.perform(context).await
    }
}

/// Rejects a page if there would be too many pages, or if they would exceed the total size limit.
fn check_all(
    files: &Live,
    kept: &BTreeMap<String, String>,
    page: &SitePage,
) -> Result<(), Rejection> {
    let others = pages_in(kept).into_iter().map(|kept| kept.page);
    let others = others.filter(|it| it.slug != page.slug && !is_of_files(files, &it.slug));
    let others: Vec<SitePage> = others.chain(files.site.pages.iter().cloned()).collect();
    if others.len() >= PAGES_MAX {
        return Err(Rejection::setting(format!("too many pages: at most {PAGES_MAX} are allowed")));
    }
    let bytes = others.iter().map(|page| page.html.len()).sum::<usize>() + page.html.len();
    if bytes > PAGES_BYTES_MAX {
        let kib_max = PAGES_BYTES_MAX / 1024;
        let message = format!("the pages exceed {kib_max} KiB in total");
        return Err(Rejection::setting(message));
    }
    Ok(())
}
