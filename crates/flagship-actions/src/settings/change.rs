//! Changing a section of the settings, and undoing it.

use flagship_store::settings;

use super::secrets::NewSecret;
use crate::prelude::*;

/// Change of a section: a table of `event.toml`, a page or the saved replies.
#[derive(Default)]
pub struct SectionChange {
    /// Section name.
    pub section: String,
    /// Section when the action was prepared; `None` if nothing was stored.
    pub before: Option<String>,
    /// New section; `None` removes it.
    pub left: Option<String>,
    /// New secrets.
    pub secrets: Vec<NewSecret>,
}

impl SectionChange {
    /// Changes the section, unless it has changed since the action was prepared.
    pub async fn perform(&self, context: &mut Context<'_>) -> ActionResult<Option<SettingsUndo>> {
        let Self { section, before, left, .. } = self;
        context.touch([format!("settings {section}")]).await?;
        if settings::section_in(context.tx(), section).await? != *before {
            return Err(ActionError::Touched.into());
        }
        if before == left && self.secrets.is_empty() {
            return Err(ActionError::Unchanged.into());
        }
        let seal = context.seal();
        settings::set_section_in(context.tx(), section, left.as_deref()).await?;
        let mut secrets = Vec::with_capacity(self.secrets.len());
        for NewSecret { name, secret } in &self.secrets {
            secrets.push(((*name).to_owned(), settings::sealed_in(context.tx(), name).await?));
            let sealed = secret.as_ref().map(|secret| settings::sealed(&seal, name, secret));
            settings::set_sealed_in(context.tx(), name, sealed.as_deref()).await?;
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

/// Undo data of a section change. It is restored only if it has not changed since.
#[derive(Serialize, Deserialize)]
pub struct SettingsUndo {
    /// Section name.
    pub section: String,
    /// Section before the action.
    pub before: Option<String>,
    /// Section after the action.
    pub left: Option<String>,
    /// Sealed secrets before the action, by name.
    pub secrets: Vec<(String, Option<String>)>,
}

impl UndoData for SettingsUndo {
    async fn undo(self, context: &mut Context<'_>) -> ActionResult<()> {
        let Self { section, before, left, secrets } = self;
        if settings::section_in(context.tx(), &section).await? != left {
            return Err(ActionError::Touched.into());
        }
        settings::set_section_in(context.tx(), &section, before.as_deref()).await?;
        for (name, sealed) in secrets {
            settings::set_sealed_in(context.tx(), &name, sealed.as_deref()).await?;
        }
        Ok(())
    }
}
