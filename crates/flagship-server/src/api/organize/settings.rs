//! The event and its settings, as organizers read them. The actions that change them are in
//! `flagship-actions`.

use std::collections::BTreeMap;

use axum::extract::State;
use flagship_actions::settings::secrets::{SECRETS, SecretKey};
use flagship_actions::settings::sections::{SECTIONS, by_section};
use flagship_game::Reveal;
use flagship_pack::is_file_only;
use flagship_store::ops::times_edit;
use flagship_store::settings;
use serde::Serialize;
use serde_json::{Map, Value, json};
use utoipa::ToSchema;

use super::auth::Authorized;
use super::site::{self, ListedPage};
use crate::api::error::ApiError;
use crate::node::organizers::permissions::SeeSettings;
use crate::node::settings::settings_of_site;
use crate::node::state::App;

/// Public details and settings of the event. Nothing here is secret.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SettingsAnswer {
    /// Public details; null before the event has a name.
    event: Option<EventLabels>,
    /// Markdown source of the rules; null if there are none or if they come from files.
    rules: Option<String>,
    /// True if the rules come from files.
    rules_from_files: bool,
    /// Values of all keys, by table of `event.toml`.
    #[schema(value_type = HashMap<String, HashMap<String, Value>>)]
    sections: BTreeMap<String, Value>,
    /// Source of each secret: `set` on the site, `environment` of the server, or null if it is
    /// missing.
    #[schema(value_type = HashMap<String, Option<String>>)]
    secrets: BTreeMap<&'static str, Option<&'static str>>,
    /// Keys set in `event.toml`, by table. They can only be changed there.
    #[schema(value_type = HashMap<String, Vec<String>>)]
    fixed: BTreeMap<String, Vec<String>>,
    /// Custom pages, in display order.
    pages: Vec<ListedPage>,
}

/// Public details of an event. Times are epoch milliseconds.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct EventLabels {
    name: String,
    /// IANA name of the time zone.
    timezone: String,
    /// Format of flags, such as `flag{...}`.
    flag_format: String,
    /// `auto` or `manual`.
    #[schema(value_type = String)]
    reveal: Reveal,
    /// True if teams can practice after the end and the reveal.
    practice: bool,
    start: Option<i64>,
    freeze: Option<i64>,
    end: Option<i64>,
    /// Name of the organizer who last changed the times, if they differ from those of the applied
    /// event files: `flagship apply` rejects the files until they have these times.
    times_changed_by: Option<String>,
    /// Time of that change.
    times_changed_at: Option<i64>,
}

/// Returns the event's public details and settings.
#[utoipa::path(get, path = "/settings", operation_id = "organizer_settings",
    responses((status = 200, body = SettingsAnswer)))]
pub async fn read(
    State(app): State<App>,
    _by: Authorized<SeeSettings>,
) -> Result<axum::Json<SettingsAnswer>, ApiError> {
    let (contest, live) = (app.contest(), app.settings());
    let event = contest.event();
    let html = event.map(|event| event.rules.as_str()).unwrap_or_default();
    let rules = settings_of_site(app.db()).await?.rules.filter(|kept| kept.html == html);
    let services = app.serving.services.load_full();
    let all = by_section(&live, &services.config.settings.at_start());
    let section = |name: &str| {
        let keys = all[name].as_object().into_iter().flatten();
        let shown = keys.filter(|(key, _)| !is_file_only(name, key));
        shown.map(|(key, value)| (key.clone(), value.clone())).collect::<Map<_, _>>()
    };
    let sections = SECTIONS.iter().map(|name| ((*name).to_owned(), json!(section(name))));
    let kept = settings::secrets(app.db(), &app.organizers.seal).await?;
    let secret = |SecretKey { name, .. }: SecretKey| {
        let is_set = kept.contains_key(name).then_some("set");
        let place = app.serving.services.is_in_environment(name).then_some("environment");
        (name, place.or(is_set))
    };
    let (times_changed_by, times_changed_at) = times_edit(app.db(), &contest).await?.unzip();
    let fixed = live.named.iter().map(|(table, keys)| (table.clone(), keys.iter().cloned()));
    Ok(axum::Json(SettingsAnswer {
        rules_from_files: rules.is_none() && !html.is_empty(),
        rules: rules.map(|kept| kept.text),
        event: event.map(|event| EventLabels {
            name: event.name.clone(),
            timezone: event.timezone.clone(),
            flag_format: event.flag_format.clone(),
            reveal: event.reveal,
            practice: event.practice,
            start: event.start_ms,
            freeze: event.freeze_ms,
            end: event.end_ms,
            times_changed_by,
            times_changed_at,
        }),
        sections: sections.collect(),
        secrets: SECRETS.into_iter().map(secret).collect(),
        fixed: fixed.map(|(table, keys)| (table, keys.collect())).collect(),
        pages: site::custom_pages(app.db(), &live).await?,
    }))
}
