//! `settings.set`

use super::change::{SectionChange, SettingsUndo};
use super::wanted::wanted;
use crate::prelude::*;

/// Changes keys of a table of `event.toml`.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Set {
    /// Table of `event.toml`.
    pub section: String,
    /// Names of the changed keys and secrets.
    #[serde(skip_deserializing)]
    keys: Vec<String>,
    /// Keys of the table with their new values. Null removes a key. A file is the `{digest}` of an
    /// upload.
    #[schema(value_type = HashMap<String, Value>)]
    pub values: Map<String, Value>,
    #[serde(skip)]
    change: SectionChange,
}

impl Action for Set {
    const RULE: Rule = Rule { name: "settings.set", roles: OWNERS, factor: Factor::Again };
    const RENDERS: bool = true;
    const LISTS: &'static [List] = &[List::Settings];
    type Undo = SettingsUndo;

    async fn prepare(&mut self, desk: &Desk) -> Result<Extras, Rejection> {
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
