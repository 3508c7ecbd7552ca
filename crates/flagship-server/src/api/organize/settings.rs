//! The event and its settings on the site, as organizers read them. The actions that change them
//! are in `flagship-actions`.

use std::collections::BTreeMap;

use axum::extract::State;
use flagship_actions::settings::secrets::{SECRETS, SecretKey};
use flagship_actions::settings::sections::{SECTIONS, by_section};
use flagship_game::Reveal;
use flagship_pack::is_of_files_only;
use flagship_store::settings;
use serde::Serialize;
use serde_json::{Map, Value, json};
use utoipa::ToSchema;

use super::by::By;
use super::site::{self, ListedPage};
use crate::api::error::ApiError;
use crate::node::organizers::permissions::SeeSettings;
use crate::node::settings::settings_of_site;
use crate::node::state::App;

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
#[utoipa::path(get, path = "/settings", operation_id = "organizer_settings",
    responses((status = 200, body = SettingsAnswer)))]
pub async fn read(
    State(app): State<App>,
    _by: By<SeeSettings>,
) -> Result<axum::Json<SettingsAnswer>, ApiError> {
    let (contest, live) = (app.contest(), app.settings());
    let event = contest.event();
    let html = event.map(|event| event.rules.as_str()).unwrap_or_default();
    let rules = settings_of_site(app.db()).await?.rules.filter(|kept| kept.html == html);
    let services = app.serving.services.load_full();
    let all = by_section(&live, &services.config.settings.at_start());
    let section = |name: &str| {
        let keys = all[name].as_object().into_iter().flatten();
        let shown = keys.filter(|(key, _)| !is_of_files_only(name, key));
        shown.map(|(key, value)| (key.clone(), value.clone())).collect::<Map<_, _>>()
    };
    let sections = SECTIONS.iter().map(|name| ((*name).to_owned(), json!(section(name))));
    let kept = settings::secrets(app.db(), &app.organizers.seal).await?;
    let secret = |SecretKey { name, .. }: SecretKey| {
        let is_set = kept.contains_key(name).then_some("set");
        let place = app.serving.services.is_in_environment(name).then_some("environment");
        (name, place.or(is_set))
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
        secrets: SECRETS.into_iter().map(secret).collect(),
        fixed: fixed.map(|(table, keys)| (table, keys.collect())).collect(),
        pages: site::listed(app.db(), &live).await?,
    }))
}
