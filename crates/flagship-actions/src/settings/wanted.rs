//! Validated new values of a section.

use flagship_pack::{Given, parse_settings};
use flagship_store::settings;

use super::change::SectionChange;
use super::secrets::{NewSecret, Secrets, take_secrets};
use super::sections::{SECTIONS, files_in, given};
use super::uploads;
use crate::prelude::*;

/// A section with validated new values, ready to be stored.
pub struct Wanted {
    /// Change of the section.
    pub change: SectionChange,
    /// Values, with descriptions of uploaded files and without secrets.
    pub values: Map<String, Value>,
    /// Digests of the uploaded files among the values.
    pub files: Vec<String>,
    /// Settings of the node after the change; `None` for a command.
    pub of_node: Option<NodeSettings>,
}

/// Site settings that configure a node.
pub struct NodeSettings {
    /// Tables of `event.toml`.
    pub settings: Given,
    /// Secrets.
    pub secrets: Secrets,
}

impl Wanted {
    /// Names of the changed keys and secrets.
    pub fn keys(&self) -> Vec<String> {
        let secrets = self.change.secrets.iter().map(|it| it.name.to_owned());
        self.values.keys().cloned().chain(secrets).collect()
    }
}

/// Validates new values of a section: they must not be set in files, must be valid, and must be
/// accepted by the node's services.
///
/// # Errors
/// Fails with the first error in the values, or if the database cannot be read.
pub async fn wanted(
    desk: &Desk,
    section: &str,
    mut values: Map<String, Value>,
) -> Result<Wanted, Rejection> {
    if !SECTIONS.contains(&section) {
        return Err(Rejection::setting(format!("the section {section:?} cannot be changed here")));
    }
    let secrets = take_secrets(section, &mut values)?;
    check_fixed(desk, section, &values).await?;
    let files = match section {
        "site" => uploads::describe_all(desk, &mut values).await?,
        _ => Vec::new(),
    };
    let rows = settings::site_sections(&desk.db).await?;
    let before = rows.get(section).cloned();
    let mut all = given(&rows);
    let keys = all.entry(section.to_owned()).or_default();
    for (key, value) in &values {
        match value {
            Value::Null => drop(keys.remove(key)),
            value => drop(keys.insert(key.clone(), value.clone())),
        }
    }
    let left = (!keys.is_empty()).then(|| Value::Object(keys.clone()).to_string());
    let only = Given::from([(section.to_owned(), keys.clone())]);
    let read = parse_settings(&only).map_err(Rejection::Settings)?;
    uploads::check_size(desk, &read.site).await?;
    let of_node = of_node(desk, all, &secrets).await?;
    let section = section.to_owned();
    let change = SectionChange { section, before, left, secrets };
    Ok(Wanted { change, values, files, of_node })
}

/// Rejects keys that are set in the event files or in the node's own files.
async fn check_fixed(
    desk: &Desk,
    section: &str,
    values: &Map<String, Value>,
) -> Result<(), Rejection> {
    let files = files_in(&desk.db).await?.unwrap_or_default();
    let of_node = desk.services.as_ref().and_then(|services| services.named().get(section));
    let fixed = [files.named.get(section), of_node];
    let is_fixed = |key: &&String| fixed.iter().flatten().any(|keys| keys.contains(*key));
    match values.keys().find(is_fixed) {
        Some(key) => {
            let message = format!("`{key}` is set in event.toml; change it there");
            Err(Rejection::setting(message))
        }
        None => Ok(()),
    }
}

/// Settings of the node after the change. Checks that the node accepts them.
async fn of_node(
    desk: &Desk,
    settings: Given,
    new: &[NewSecret],
) -> Result<Option<NodeSettings>, Rejection> {
    let Some(services) = &desk.services else { return Ok(None) };
    let mut secrets = settings::secrets(&desk.db, &desk.seal).await?;
    NewSecret::apply_all(new, &mut secrets);
    services.check(&settings, &secrets).map_err(Rejection::setting)?;
    Ok(Some(NodeSettings { settings, secrets }))
}
