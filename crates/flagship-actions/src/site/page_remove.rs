//! `page.remove`

use flagship_store::settings;

use super::pages::files_without;
use crate::prelude::*;
use crate::settings::sections::page_section;
use crate::settings::{SectionChange, SettingsUndo};

/// Removes a page.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PageRemove {
    /// Slug of the page, the last part of its address.
    pub page: String,
    #[serde(skip)]
    change: SectionChange,
}

impl Action for PageRemove {
    const RULE: Rule = Rule { name: "page.remove", roles: RUNNERS, factor: Factor::Once };
    const LISTS: &'static [List] = &[List::Settings];
    type Undo = SettingsUndo;

    async fn prepare(&mut self, desk: &Desk) -> Result<Extras, Rejection> {
        files_without(desk, &self.page).await?;
        let section = page_section(&self.page);
        let before = settings::site_sections(&desk.db).await?.remove(&section);
        if before.is_none() {
            return Err(Rejection::setting(format!("no page has the slug {:?}", self.page)));
        }
        self.change = SectionChange { section, before, ..SectionChange::default() };
        Ok(Extras::default())
    }

    async fn perform(&self, context: &mut Context<'_>) -> ActionResult<Option<SettingsUndo>> {
        self.change.perform(context).await
    }
}
