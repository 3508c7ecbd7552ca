//! What an event says of itself and how it is set, on the site: how organizers read it, and the
//! actions that change it. `event.toml` wins where it names a key.

use std::collections::BTreeMap;

use axum::extract::State;
use flagship_game::{Event, Reveal, Secret};
use flagship_pack::{Defaults, Given, is_of_files_only, settings_of};
use flagship_store::ops::{Action, EventAction, Labels, Rules, SettingsAction};
use flagship_store::{StoreError, settings, sources};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use utoipa::ToSchema;

use super::by::By;
use super::orders::{Desk, Read, Unread, fields, line, named};
use super::site::{self, ListedPage};
use crate::api::error::ApiError;
use crate::api::schema;
use crate::node::config::Config;
use crate::node::organizers::actions::SeeSettings;
use crate::node::services::{CAPTCHA_SECRET, SMTP_PASSWORD, Secrets};
use crate::node::settings::{KeptRules, SECTIONS, by_section, files_in, given, settings_of_site};
use crate::node::state::App;

/// The keys of sections that are secret, and by which name they are kept.
const SECRETS: [(&str, &str, &str); 2] =
    [("mail", "password", SMTP_PASSWORD), ("captcha", "secret", CAPTCHA_SECRET)];
/// Longest secret, in bytes.
const SECRET_BYTES_MAX: usize = 1_000;
/// Longest text of the rules, in bytes.
const RULES_BYTES_MAX: usize = 256 * 1024;

/// What the event says, and how it is set. Nothing here is secret.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SettingsAnswer {
    /// What it says; null before it has a name.
    event: Option<EventLabels>,
    /// The text of its rules in Markdown; null if there are none, or if they come from files.
    rules: Option<String>,
    /// Whether the rules come from files.
    rules_from_files: bool,
    /// The values of all keys, by the table of `event.toml`.
    #[schema(value_type = HashMap<String, HashMap<String, Value>>)]
    sections: BTreeMap<String, Value>,
    /// Where each secret is: `set` on the site, in the `environment` of the server, or null.
    #[schema(value_type = HashMap<String, Option<String>>)]
    secrets: BTreeMap<&'static str, Option<&'static str>>,
    /// The keys that `event.toml` names, by table: they are set there alone.
    #[schema(value_type = HashMap<String, Vec<String>>)]
    fixed: BTreeMap<String, Vec<String>>,
    /// The pages of the event's own, in the order in which they are shown.
    pages: Vec<ListedPage>,
}

/// What an event says of itself. Times are epoch milliseconds.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct EventLabels {
    name: String,
    /// IANA name of the time zone.
    timezone: String,
    /// What a flag looks like.
    flag_format: String,
    /// `auto` or `manual`.
    #[schema(value_type = String)]
    reveal: Reveal,
    start: Option<i64>,
    freeze: Option<i64>,
    end: Option<i64>,
}

/// Shows what the event says, and how it is set.
#[utoipa::path(get, path = "/settings", tag = "organizers", operation_id = "organizer_settings",
    responses((status = 200, body = SettingsAnswer), (status = 401, body = schema::Error),
        (status = 403, body = schema::Error), (status = 404, body = schema::Error),
        (status = 503, body = schema::Error)))]
pub async fn read(
    State(app): State<App>,
    _by: By<SeeSettings>,
) -> Result<axum::Json<SettingsAnswer>, ApiError> {
    let (contest, live) = (app.contest(), app.settings());
    let event = contest.event();
    let html = event.map(|event| event.rules.as_str()).unwrap_or_default();
    let rules = settings_of_site(&app.db).await?.rules.filter(|kept| kept.html == html);
    let services = app.services.load_full();
    let all = by_section(&live, &services.config.settings.at_start());
    let section = |name: &str| {
        let keys = all[name].as_object().into_iter().flatten();
        let shown = keys.filter(|(key, _)| !is_of_files_only(name, key));
        shown.map(|(key, value)| (key.clone(), value.clone())).collect::<Map<_, _>>()
    };
    let sections = SECTIONS.iter().map(|name| ((*name).to_owned(), json!(section(name))));
    let kept = settings::secrets(&app.db, &app.seal).await?;
    let secret = |(_, _, name): &(&str, &str, &'static str)| {
        let is_set = kept.contains_key(*name).then_some("set");
        let place = app.services.is_in_environment(name).then_some("environment");
        (*name, place.or(is_set))
    };
    let fixed = live.named.iter().map(|(table, keys)| (table.clone(), keys.iter().cloned()));
    Ok(axum::Json(SettingsAnswer {
        rules_from_files: rules.is_none() && !html.is_empty(),
        rules: rules.map(|kept| kept.text),
        event: event.map(|event| EventLabels {
            name: event.name.clone(),
            timezone: event.timezone.clone(),
            flag_format: event.flag_format.clone(),
            reveal: event.reveal,
            start: event.start_ms,
            freeze: event.freeze_ms,
            end: event.end_ms,
        }),
        sections: sections.collect(),
        secrets: SECRETS.iter().map(secret).collect(),
        fixed: fixed.map(|(table, keys)| (table, keys.collect())).collect(),
        pages: site::listed(&app.db, &live).await?,
    }))
}

/// The fields of `event.name`. What is missing stays.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OfName {
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    timezone: Option<String>,
    #[serde(default, rename = "flagFormat", alias = "flag_format")]
    flag_format: Option<String>,
    #[serde(default)]
    reveal: Option<Reveal>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OfRules {
    text: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OfSettings {
    section: String,
    values: Map<String, Value>,
}

impl Desk {
    /// Reads an action about what the event says, how it is set, and what the site shows of it.
    pub(super) async fn read_settings(
        &self,
        name: &str,
        of: Map<String, Value>,
    ) -> Result<Read, Unread> {
        match name {
            "event.name" => Ok(self.name_event(fields(of)?).await?.into()),
            "event.rules" => Ok(self.rules(fields(of)?).await?.into()),
            "settings.set" => {
                let OfSettings { section, values } = fields(of)?;
                self.set("settings.set", section, values).await
            }
            "brand.set" => self.brand(fields(of)?).await,
            "page.set" => self.page(fields(of)?).await,
            "page.remove" => self.remove_page(fields(of)?).await,
            "answers.set" => self.answers(fields(of)?).await,
            _ => Err(ApiError::NOT_FOUND.into()),
        }
    }

    /// Reads an action that names the event.
    async fn name_event(&self, of: OfName) -> Result<Action, Unread> {
        let OfName { name, timezone, flag_format, reveal } = of;
        let name = name.map(|name| named(line(&name)?)).transpose()?;
        let flag_format = flag_format.map(|text| line(&text)).transpose()?;
        if let Some(zone) = timezone.as_ref().filter(|zone| !flagship_pack::is_time_zone(zone)) {
            let message = format!("`timezone` names no time zone: {zone:?}");
            return Err(Unread::refused(message));
        }
        if name.is_none() && timezone.is_none() && flag_format.is_none() && reveal.is_none() {
            return Err(ApiError::WRONG_SHAPE.into());
        }
        self.says(Labels { name, timezone, flag_format, reveal, rules: None }).await
    }

    /// Reads an action that writes the rules.
    async fn rules(&self, OfRules { text }: OfRules) -> Result<Action, Unread> {
        let html = self.rules_html(&text).await?;
        let kept = KeptRules { text, html: html.clone() };
        let kept = serde_json::to_string(&kept).expect("plain data");
        self.says(Labels { rules: Some(Rules { html, kept }), ..Labels::default() }).await
    }

    /// The page of a text of the rules.
    pub(super) async fn rules_html(&self, text: &str) -> Result<String, Unread> {
        if text.len() > RULES_BYTES_MAX || text.contains('\0') {
            return Err(ApiError::TEXT.into());
        }
        let html = flagship_pack::rules_of(text, &self.defaults().await?);
        Ok(html.map_err(|_| ApiError::TEXT)?)
    }

    async fn says(&self, labels: Labels) -> Result<Action, Unread> {
        let event: Option<&Event> = self.contest.event().map(|event| &**event);
        let said = labels.applied_to(event).ok_or(ApiError::NO_EVENT)?;
        let defaults = self.defaults().await?;
        let new = defaults.clone().with_event(&said);
        let defaults = (new != defaults).then(|| serde_json::to_string(&new).expect("plain data"));
        let is_confirmed = self.is_proven;
        Ok(Action::Event(EventAction::Says { labels: Box::new(labels), defaults, is_confirmed }))
    }

    /// What challenges are read with.
    pub(super) async fn defaults(&self) -> Result<Defaults, StoreError> {
        let text = sources::defaults(&self.db).await?;
        let read = text.and_then(|text| serde_json::from_str::<Defaults>(&text).ok());
        Ok(read.unwrap_or_default())
    }

    /// Reads an action that sets keys of a section.
    pub(super) async fn set(
        &self,
        name: &'static str,
        section: String,
        values: Map<String, Value>,
    ) -> Result<Read, Unread> {
        let wanted = self.wanted(&section, values).await?;
        let Wanted { was, becomes, values, secrets, files, .. } = wanted;
        let named = secrets.iter().map(|(name, _)| *name);
        let keys: Vec<&str> = values.keys().map(String::as_str).chain(named).collect();
        let arguments = json!({"section": section, "keys": keys, "values": values});
        let action = SettingsAction { name, section, arguments, was, becomes, secrets };
        Ok(Read { files, ..Read::of(Action::Settings(Box::new(action))) })
    }

    /// The configuration of the node with mail as it would be set.
    pub(super) async fn mail_config(&self, values: Map<String, Value>) -> Result<Config, Unread> {
        let wanted = self.wanted("mail", values).await?;
        wanted.config.ok_or_else(|| ApiError::INTERNAL.into())
    }

    /// A section with keys set.
    async fn wanted(
        &self,
        section: &str,
        mut values: Map<String, Value>,
    ) -> Result<Wanted, Unread> {
        if !SECTIONS.contains(&section) {
            return Err(Unread::refused(format!("there is no section {section:?} to set here")));
        }
        let secrets = secrets_of(section, &mut values)?;
        let files = files_in(&self.db).await?.unwrap_or_default();
        let of_node = self.services.as_ref().map(|it| it.start_named());
        let fixed = [files.named.get(section), of_node.and_then(|named| named.get(section))];
        let is_fixed = |key: &&String| fixed.iter().flatten().any(|keys| keys.contains(*key));
        if let Some(key) = values.keys().find(is_fixed) {
            return Err(Unread::refused(format!("`{key}` is set in event.toml; change it there")));
        }
        let uploaded = match section {
            "site" => self.take_uploads(&mut values).await?,
            _ => Vec::new(),
        };
        let rows = settings::kept(&self.db).await?;
        let was = rows.get(section).cloned();
        let mut kept = given(&rows);
        let keys = kept.entry(section.to_owned()).or_default();
        for (key, value) in &values {
            match value {
                Value::Null => drop(keys.remove(key)),
                value => drop(keys.insert(key.clone(), value.clone())),
            }
        }
        let becomes = (!keys.is_empty()).then(|| Value::Object(keys.clone()).to_string());
        let only = Given::from([(section.to_owned(), keys.clone())]);
        let read = settings_of(&only).map_err(Unread::Settings)?;
        self.check_size(&read.site).await?;
        let config = match &self.services {
            None => None,
            Some(services) => {
                let mut all = settings::secrets(&self.db, &self.seal).await?;
                put(&mut all, &secrets);
                let config = services.configured(&kept, all);
                Some(config.map_err(|error| Unread::refused(format!("{error:#}")))?)
            }
        };
        Ok(Wanted { was, becomes, values, secrets, files: uploaded, config })
    }
}

/// A section as it would be, and the node's configuration with it.
struct Wanted {
    was: Option<String>,
    becomes: Option<String>,
    values: Map<String, Value>,
    secrets: Vec<(&'static str, Option<Secret>)>,
    /// The digests of the uploaded files among the values.
    files: Vec<String>,
    config: Option<Config>,
}

/// Takes the secrets out of the values of a section. Null and empty ones are forgotten.
fn secrets_of(
    section: &str,
    values: &mut Map<String, Value>,
) -> Result<Vec<(&'static str, Option<Secret>)>, Unread> {
    let mut secrets = Vec::new();
    for (_, key, name) in SECRETS.iter().filter(|(of, ..)| *of == section) {
        match values.remove(*key) {
            None => {}
            Some(Value::Null) => secrets.push((*name, None)),
            Some(Value::String(text)) if text.len() <= SECRET_BYTES_MAX => {
                secrets.push((*name, (!text.is_empty()).then(|| Secret::new(text))));
            }
            Some(_) => return Err(Unread::refused(format!("`{key}` must be a text"))),
        }
    }
    Ok(secrets)
}

fn put(all: &mut Secrets, secrets: &[(&'static str, Option<Secret>)]) {
    for (name, secret) in secrets {
        match secret {
            Some(secret) => drop(all.insert((*name).to_owned(), secret.clone())),
            None => drop(all.remove(*name)),
        }
    }
}
