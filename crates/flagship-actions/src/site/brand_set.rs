//! `brand.set`

use crate::prelude::*;
use crate::settings::{SectionChange, SettingsUndo, wanted};

/// Changes the branding of the site: colors, images, links and sponsors.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BrandSet {
    /// Table of `event.toml`: `site`.
    #[serde(skip_deserializing)]
    section: String,
    /// Names of the changed keys.
    #[serde(skip_deserializing)]
    keys: Vec<String>,
    /// Keys of `[site]` with their new values. Null removes a key. A file is the `{digest}` of an
    /// upload.
    #[schema(value_type = HashMap<String, Value>)]
    pub values: Map<String, Value>,
    #[serde(skip)]
    change: SectionChange,
}

impl Action for BrandSet {
    const RULE: Rule = Rule { name: "brand.set", roles: RUNNERS, factor: Factor::Once };
    const RENDERS: bool = true;
    const LISTS: &'static [List] = &[List::Settings];
    type Undo = SettingsUndo;

    async fn prepare(&mut self, desk: &Desk) -> Result<Extras, Rejection> {
        self.section = "site".to_owned();
        let wanted = wanted(desk, &self.section, std::mem::take(&mut self.values)).await?;
        self.keys = wanted.keys();
        self.values = wanted.values;
        self.change = wanted.change;
        Ok(Extras { files: wanted.files, ..Extras::default() })
    }

    async fn perform(&self, context: &mut Context<'_>) -> ActionResult<Option<SettingsUndo>> {
        self.change.perform(context).await
    }
}
