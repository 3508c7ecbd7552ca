//! The act that sets what `event.toml` sets too, on the site.

use flagship_game::Secret;
use serde_json::{Map, Value, json};

use super::acting::{ActError, Acting, Acts};
use super::restore::Restore;
use crate::settings;

/// Sets keys of a section, which is a table of `event.toml`.
#[derive(Clone)]
pub struct SettingsAct {
    /// The section.
    pub section: String,
    /// The keys that are set, for the record; null ones are not set any more.
    pub values: Map<String, Value>,
    /// The section as it was read, and as it is to be: JSON of all keys that are set.
    pub was: Option<String>,
    /// `None` if no key is set.
    pub becomes: Option<String>,
    /// The secrets that are set, or forgotten, by name.
    pub secrets: Vec<(&'static str, Option<Secret>)>,
}

impl SettingsAct {
    /// What is recorded of it: no secret, only its name.
    pub(super) fn arguments(&self) -> Value {
        let secrets: Vec<&str> = self.secrets.iter().map(|(name, _)| *name).collect();
        let keys: Vec<&str> = self.values.keys().map(String::as_str).chain(secrets).collect();
        json!({"section": self.section, "keys": keys, "values": self.values})
    }
}

fn object(section: &str) -> String {
    format!("settings {section}")
}

impl Acts<'_> {
    /// Sets keys of a section.
    pub(super) async fn settings(
        &mut self,
        act: &SettingsAct,
    ) -> Acting<(Vec<String>, Option<Restore>)> {
        let objects = vec![object(&act.section)];
        self.check_head(&objects).await?;
        let seal = self.step.seal.clone();
        let tx = &mut self.step.tx;
        let before = settings::kept_in(tx, &act.section).await?;
        if before != act.was {
            return Err(ActError::Touched.into());
        }
        if before == act.becomes && act.secrets.is_empty() {
            return Err(ActError::Unchanged.into());
        }
        settings::keep_in(tx, &act.section, act.becomes.as_deref()).await?;
        let mut secrets = Vec::with_capacity(act.secrets.len());
        for (name, secret) in &act.secrets {
            secrets.push(((*name).to_owned(), settings::sealed_in(tx, name).await?));
            let sealed = secret.as_ref().map(|secret| settings::sealed(&seal, name, secret));
            settings::keep_sealed_in(tx, name, sealed.as_deref()).await?;
        }
        let (section, left) = (act.section.clone(), act.becomes.clone());
        Ok((objects, Some(Restore::Settings { section, before, left, secrets })))
    }

    /// Puts a section back, unless it is not as an act left it.
    pub(super) async fn put_settings(
        &mut self,
        section: &str,
        before: Option<String>,
        left: Option<String>,
        secrets: Vec<(String, Option<String>)>,
    ) -> Acting<()> {
        let tx = &mut self.step.tx;
        if settings::kept_in(tx, section).await? != left {
            return Err(ActError::Touched.into());
        }
        settings::keep_in(tx, section, before.as_deref()).await?;
        for (name, sealed) in secrets {
            settings::keep_sealed_in(tx, &name, sealed.as_deref()).await?;
        }
        Ok(())
    }
}
