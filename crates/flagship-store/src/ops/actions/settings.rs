//! The actions that set on the site what the event's files set too, and what organizers share.

use flagship_game::Secret;
use serde_json::Value;

use super::super::restore::Restore;
use super::acting::{Acting, ActionError, Actions};
use crate::settings;

/// Sets a section: a table of `event.toml`, a page of the event's own, or something else that is
/// kept with the settings.
#[derive(Clone)]
pub struct SettingsAction {
    /// Its name for programs.
    pub name: &'static str,
    /// The section.
    pub section: String,
    /// What is recorded of it: no secret, only its name.
    pub arguments: Value,
    /// The section as it was read, and as it is to be.
    pub was: Option<String>,
    /// `None` if nothing is kept of it.
    pub becomes: Option<String>,
    /// The secrets that are set, or forgotten, by name.
    pub secrets: Vec<(&'static str, Option<Secret>)>,
}

fn object(section: &str) -> String {
    format!("settings {section}")
}

impl Actions<'_> {
    /// Sets a section.
    pub(super) async fn settings(
        &mut self,
        action: &SettingsAction,
    ) -> Acting<(Vec<String>, Option<Restore>)> {
        let objects = vec![object(&action.section)];
        self.check_head(&objects).await?;
        let seal = self.step.seal.clone();
        let tx = &mut self.step.tx;
        let before = settings::kept_in(tx, &action.section).await?;
        if before != action.was {
            return Err(ActionError::Touched.into());
        }
        if before == action.becomes && action.secrets.is_empty() {
            return Err(ActionError::Unchanged.into());
        }
        settings::keep_in(tx, &action.section, action.becomes.as_deref()).await?;
        let mut secrets = Vec::with_capacity(action.secrets.len());
        for (name, secret) in &action.secrets {
            secrets.push(((*name).to_owned(), settings::sealed_in(tx, name).await?));
            let sealed = secret.as_ref().map(|secret| settings::sealed(&seal, name, secret));
            settings::keep_sealed_in(tx, name, sealed.as_deref()).await?;
        }
        let (section, left) = (action.section.clone(), action.becomes.clone());
        Ok((objects, Some(Restore::Settings { section, before, left, secrets })))
    }

    /// Puts a section back, unless it is not as an action left it.
    pub(super) async fn put_settings(
        &mut self,
        section: &str,
        before: Option<String>,
        left: Option<String>,
        secrets: Vec<(String, Option<String>)>,
    ) -> Acting<()> {
        let tx = &mut self.step.tx;
        if settings::kept_in(tx, section).await? != left {
            return Err(ActionError::Touched.into());
        }
        settings::keep_in(tx, section, before.as_deref()).await?;
        for (name, sealed) in secrets {
            settings::keep_sealed_in(tx, &name, sealed.as_deref()).await?;
        }
        Ok(())
    }
}
