//! The change of a section, and its undo.

use flagship_store::settings;

use super::secrets::NewSecret;
use crate::prelude::*;

/// A change of a section: a table of `event.toml`, a page, or the ready answers.
#[derive(Default)]
pub struct SectionChange {
    /// The section.
    pub section: String,
    /// The section when the action was prepared; `None` if nothing was stored.
    pub before: Option<String>,
    /// The new section; `None` removes it.
    pub left: Option<String>,
    /// The new secrets.
    pub secrets: Vec<NewSecret>,
}

impl SectionChange {
    /// Changes the section, unless it changed since the action was prepared.
    pub async fn perform(&self, context: &mut Context<'_>) -> ActionResult<Option<SettingsUndo>> {
        let Self { section, before, left, .. } = self;
        context.touch([format!("settings {section}")]).await?;
        if settings::kept_in(context.tx(), section).await? != *before {
            return Err(ActionError::Touched.into());
        }
        if before == left && self.secrets.is_empty() {
            return Err(ActionError::Unchanged.into());
        }
        let seal = context.seal();
        settings::keep_in(context.tx(), section, left.as_deref()).await?;
        let mut secrets = Vec::with_capacity(self.secrets.len());
        for NewSecret { name, secret } in &self.secrets {
            secrets.push(((*name).to_owned(), settings::sealed_in(context.tx(), name).await?));
            let sealed = secret.as_ref().map(|secret| settings::sealed(&seal, name, secret));
            settings::keep_sealed_in(context.tx(), name, sealed.as_deref()).await?;
        }
        let undo = SettingsUndo {
            section: section.clone(),
            before: before.clone(),
            left: left.clone(),
            secrets,
        };
        Ok(Some(undo))
    }
}

/// Undo data of a change of a section: put back if it is the one that the action left.
#[derive(Serialize, Deserialize)]
pub struct SettingsUndo {
    /// The section.
    pub section: String,
    /// The section before.
    pub before: Option<String>,
    /// The section that the action left.
    pub left: Option<String>,
    /// The sealed secrets before, by name.
    pub secrets: Vec<(String, Option<String>)>,
}

impl UndoData for SettingsUndo {
    async fn undo(self, context: &mut Context<'_>) -> ActionResult<()> {
        let Self { section, before, left, secrets } = self;
        if settings::kept_in(context.tx(), &section).await? != left {
            return Err(ActionError::Touched.into());
        }
        settings::keep_in(context.tx(), &section, before.as_deref()).await?;
        for (name, sealed) in secrets {
            settings::keep_sealed_in(context.tx(), &name, sealed.as_deref()).await?;
        }
        Ok(())
    }
}
