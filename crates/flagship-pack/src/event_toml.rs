//! Reads `event.toml`: name and times of the event, default scoring, and settings.
//!
//! An invalid setting falls back to its default. An invalid value in `[event]` makes the whole
//! event unusable, because an event without its freeze would reveal hidden results.

use std::collections::BTreeMap;
use std::path::Path;

use flagship_game::challenge::VALUE_MAX;
use flagship_game::name::NAME_CHARS_MAX;
use flagship_game::{DivisionRules, Event, Reveal, division};
use jiff::tz::TimeZone;
use serde_json::{Map, Value, json};
use toml::de::DeTable;

use crate::files::PackFile;
use crate::flags::Wrapper;
use crate::network::Network;
use crate::problem::{Report, nearest, quote};
use crate::settings::divisions::{self, email_domain};
use crate::settings::signup_fields::signup_fields;
use crate::settings::{
    Captcha, CaptchaProvider, KeepWrongTexts, Limits, Mail, MailTls, MailTransport, Named, Privacy,
    Registration, Settings, SignupCodes, WIDE_PROXIES,
};
use crate::table::{Lines, Table};
use crate::{files, html, site, toml_error};

/// Scoring of challenges that do not specify it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DefaultScoring {
    pub(crate) max: i64,
    pub(crate) min: i64,
    pub(crate) decay: i64,
}

impl Default for DefaultScoring {
    fn default() -> Self {
        Self { max: 500, min: 50, decay: 15 }
    }
}

/// The content of `event.toml`.
#[derive(Debug, Default)]
pub(crate) struct EventFile {
    pub(crate) event: Option<Event>,
    pub(crate) settings: Settings,
    pub(crate) common: ChallengeDefaults,
    /// The line of `end`.
    pub(crate) end_line: usize,
    /// Branding files of the site.
    pub(crate) files: Vec<PackFile>,
    /// All divisions; the event has the public ones.
    pub(crate) divisions: Vec<DivisionRules>,
}

/// Settings of the event file that apply to all challenges.
#[derive(Clone, Debug, Default)]
pub(crate) struct ChallengeDefaults {
    pub(crate) scoring: DefaultScoring,
    /// Prefix and suffix of flags.
    pub(crate) wrapper: Option<Wrapper>,
    /// The time zone, if one is set.
    pub(crate) zone: Option<TimeZone>,
    /// True if cards show authors and attributions.
    pub(crate) shows_authors: bool,
}

/// Maximum length of an event without a warning, in days.
const EVENT_DAYS_MAX: i64 = 7;

const DAY_MS: i64 = 24 * 60 * 60 * 1000;

/// Maximum value of `sightings_days`.
const SIGHTINGS_DAYS_MAX: i64 = 3_650;

/// Maximum value of a limit in `[limits]`.
const BUDGET_MAX: i64 = 1_000_000;

/// Maximum value of `max_teams`.
const TEAMS_MAX: i64 = 1_000_000;

/// Maximum value of `decay`.
pub(crate) const DECAY_MAX: i64 = 1_000_000;

const EVENT: &[&str] = &[
    "name",
    "start",
    "freeze",
    "end",
    "flag_format",
    "reveal",
    "timezone",
    "show_authors",
    "practice",
];
const REGISTRATION: &[&str] = &[
    "open",
    "opens",
    "closes",
    "max_teams",
    "waiting_list",
    "email_domains",
    "codes",
    "fields",
    "confirm_email",
    "student_label",
    "password_min",
    "refuse_common_passwords",
    "reserved_names",
    "members_max",
    "local_addresses",
];
const SCORING: &[&str] = &["max", "min", "decay", "hint_debt"];
const CAPTCHA: &[&str] = &["provider", "site_key", "verify_url"];
/// First line of a PEM certificate.
const CERTIFICATE: &str = "-----BEGIN CERTIFICATE-----";
/// Maximum length of `ca_file`, in bytes.
const FILE_NAME_BYTES_MAX: usize = 100;

const MAIL: &[&str] = &["transport", "from", "host", "port", "tls", "username", "ca_file"];
const LIMITS: &[&str] = &[
    "trusted_networks",
    "trusted_proxies",
    "submissions_per_challenge_per_10_s",
    "submissions_per_team_per_minute",
    "signups_per_network_per_hour",
    "failed_logins_per_team_per_minute",
    "mails_per_address_per_hour",
    "mails_per_hour",
];
const PRIVACY: &[&str] = &["sightings_days", "keep_wrong_texts"];

/// Keys that organizers cannot set on the site: paths in the event folder, a URL that only tests
/// replace, and settings that need a restart.
const FILES_ONLY: &[(&str, &[&str])] =
    &[("mail", &["ca_file"]), ("captcha", &["verify_url"]), ("site", site::FILES_ONLY)];

/// True if a key can only be set in the event files.
pub fn is_file_only(table: &str, key: &str) -> bool {
    FILES_ONLY.iter().any(|(of, keys)| *of == table && keys.contains(&key))
}

/// Settings by table and key.
pub type Given = BTreeMap<String, Map<String, Value>>;

const TABLES: &[(&str, &[&str])] = &[
    ("event", EVENT),
    ("registration", REGISTRATION),
    ("scoring", SCORING),
    ("captcha", CAPTCHA),
    ("mail", MAIL),
    ("limits", LIMITS),
    ("privacy", PRIVACY),
    ("site", site::KEYS),
];

/// Parses `text`, the content of `event.toml`; `folder` is the event folder.
pub(crate) fn read(text: &str, folder: &Path, report: &mut Report) -> EventFile {
    let lines = Lines::new(text);
    let root = match DeTable::parse(text) {
        Ok(root) => root.into_inner(),
        Err(error) => {
            let line = error.span().map_or(1, |span| lines.at(&span));
            let shown = text.lines().nth(line - 1).unwrap_or_default();
            report.error(line, toml_error::message(shown, error.message()));
            return EventFile::default();
        }
    };
    refuse_unknown_tables(&root, &lines, report);
    let open = |name, known, report: &mut Report| {
        let table = Table::open(&root, name, &lines, report);
        table.refuse_unknown(known, TABLES, report);
        table
    };
    let (mut event, mut common, end_line) = {
        let errors_before = report.errors();
        let table = open("event", EVENT, report);
        let (event, common) = event(&table, errors_before, report);
        (event, common, table.line("end"))
    };
    let (settings, files) = settings(&root, &lines, folder, report);
    let table = open("scoring", SCORING, report);
    common.scoring = scoring(&table, report);
    let hint_debt = table.boolean("hint_debt", report).unwrap_or_default();
    let confirms_email = settings.registration.confirm_email;
    let divisions = divisions::divisions(&Table::root(&root, &lines), confirms_email, report);
    if let Some(event) = &mut event {
        event.hint_debt = hint_debt;
        event.divisions = division::public(&divisions);
    }
    EventFile { event, settings, common, end_line, files, divisions }
}

/// Reads settings given by table and key, like those of a file.
pub(crate) fn read_given(given: &Given, report: &mut Report) -> Settings {
    let mut given = given.clone();
    let kept = given.get_mut("site").map(|site| site::uploads::take(site, report));
    let kept = kept.unwrap_or_default();
    let text = toml::to_string(&without_nulls(json!(given))).ok();
    let Some((text, root)) = text.as_ref().and_then(|it| Some((it, DeTable::parse(it).ok()?)))
    else {
        report.error(1, "there is a value of an unsupported type");
        return Settings::default();
    };
    let root = root.into_inner();
    let lines = Lines::new(text);
    refuse_unknown_tables(&root, &lines, report);
    let keys = given.iter().flat_map(|(table, keys)| keys.keys().map(move |key| (table, key)));
    let mut of_files = keys.filter(|(table, key)| is_file_only(table, key)).peekable();
    if of_files.peek().is_some() {
        for (_, key) in of_files {
            report.error(1, format!("`{key}` can only be set in event.toml"));
        }
        // Never read local files for settings from the site.
        return Settings::default();
    }
    let (mut settings, _) = settings(&root, &lines, Path::new(""), report);
    settings.named.entry("site".to_owned()).or_default().extend(kept.keys());
    settings.named.retain(|_, keys| !keys.is_empty());
    kept.put_into(&mut settings.site, report);
    settings
}

/// Removes null members from a value, because TOML has no null.
pub(crate) fn without_nulls(value: Value) -> Value {
    match value {
        Value::Object(members) => {
            let left = members.into_iter().filter(|(_, value)| !value.is_null());
            Value::Object(left.map(|(name, value)| (name, without_nulls(value))).collect())
        }
        Value::Array(items) => Value::Array(items.into_iter().map(without_nulls).collect()),
        other => other,
    }
}

/// Reads the settings and the files in the event folder that they refer to.
fn settings(
    root: &DeTable<'_>,
    lines: &Lines,
    folder: &Path,
    report: &mut Report,
) -> (Settings, Vec<PackFile>) {
    let open = |name, known, report: &mut Report| {
        let table = Table::open(root, name, lines, report);
        table.refuse_unknown(known, TABLES, report);
        table
    };
    let (site, files) = site::read(&open("site", site::KEYS, report), folder, report);
    let settings = Settings {
        registration: registration(&open("registration", REGISTRATION, report), report),
        captcha: captcha(&open("captcha", CAPTCHA, report), report),
        mail: mail(&open("mail", MAIL, report), folder, report),
        limits: limits(&open("limits", LIMITS, report), report),
        privacy: privacy(&open("privacy", PRIVACY, report), report),
        site,
        named: named(root),
    };
    (settings, files)
}

/// Keys of the settings that are set.
fn named(root: &DeTable<'_>) -> Named {
    let is_setting = |name: &str| !["event", "scoring"].contains(&name);
    let tables = root.iter().filter_map(|(name, value)| {
        let (name, table) = (name.get_ref().as_ref(), value.get_ref().as_table()?);
        let keys = table.iter().map(|(key, _)| key.get_ref().as_ref().to_owned());
        is_setting(name).then(|| (name.to_owned(), keys.collect()))
    });
    let mut named: Named = tables.collect();
    // The default port depends on `tls`.
    if let Some(mail) = named.get_mut("mail").filter(|keys| keys.contains("tls")) {
        mail.insert("port".to_owned());
    }
    named
}

fn refuse_unknown_tables(root: &DeTable<'_>, lines: &Lines, report: &mut Report) {
    let names = || TABLES.iter().map(|(name, _)| *name).chain([divisions::TABLE]);
    for (key, value) in root.iter() {
        let word = key.get_ref().as_ref();
        if names().any(|name| name == word) {
            continue;
        }
        let line = lines.at(&key.span());
        if report.is_full() {
            report.error(line, "");
            continue;
        }
        let home = TABLES.iter().find(|(_, keys)| keys.contains(&word));
        if let (Some((home, _)), false) = (home, value.get_ref().is_table()) {
            report.error(line, format!("the key {} belongs in [{home}]", quote(word)));
        } else if let Some((near, _)) = nearest(names(), word) {
            let word = quote(word);
            report.error(line, format!("unknown table {word}; did you mean [{near}]?"));
        }
    }
}

fn event(
    table: &Table<'_, '_>,
    errors_before: usize,
    report: &mut Report,
) -> (Option<Event>, ChallengeDefaults) {
    let name = table.text("name", report);
    let times = ["start", "freeze", "end"].map(|key| (key, table.time(key, report)));
    let [start_ms, freeze_ms, end_ms] = times.map(|(_, time)| time.map(|time| time.at_ms));
    for (later, earlier, ordered) in [
        ("end", "start", before(start_ms, end_ms)),
        ("freeze", "start", before(start_ms, freeze_ms)),
        ("end", "freeze", before(freeze_ms, end_ms)),
    ] {
        if !ordered {
            report.error(table.line(later), format!("`{later}` must be later than `{earlier}`"));
        }
    }
    let reveal = [("auto", Reveal::Auto), ("manual", Reveal::Manual)];
    let reveal = table.choice("reveal", &reveal, report).unwrap_or(Reveal::Auto);
    let says = "is not a time zone; use a name like \"Europe/Rome\"";
    let timezone = table.text_where("timezone", says, is_time_zone, report);
    let flag_format = table.text("flag_format", report).unwrap_or_default();
    let zone = timezone.as_deref().and_then(|name| TimeZone::get(name).ok());
    for (key, time) in times {
        if let Some(says) =
            zone.as_ref().zip(time).and_then(|(zone, time)| time.offset_mismatch(zone))
        {
            report.warning(table.line(key), format!("`{key}` {says}"));
        }
    }
    warn_of_length(table, start_ms, end_ms, report);
    if name.is_none() && report.errors() == errors_before {
        report.error(table.line("name"), "missing event name: add `name = \"...\"` to [event]");
    }
    let usable = report.errors() == errors_before;
    for (key, time) in [("start", start_ms), ("end", end_ms)] {
        if usable && time.is_none() {
            let message = format!("missing `{key}` in [event]: a time with a UTC offset");
            report.error(table.line(key), message);
        }
    }
    let wrapper = Wrapper::of(&flag_format);
    let shows_authors = table.boolean("show_authors", report).unwrap_or_default();
    let practice = table.boolean("practice", report).unwrap_or_default();
    let event = name.filter(|_| usable).map(|name| Event {
        name,
        start_ms,
        end_ms,
        freeze_ms,
        reveal,
        timezone: timezone.unwrap_or_else(|| "UTC".into()),
        flag_format,
        rules: String::new(),
        hint_debt: false,
        practice,
        divisions: Vec::new(),
    });
    let scoring = DefaultScoring::default();
    (event, ChallengeDefaults { scoring, wrapper, zone, shows_authors })
}

fn warn_of_length(
    table: &Table<'_, '_>,
    start_ms: Option<i64>,
    end_ms: Option<i64>,
    report: &mut Report,
) {
    let days = start_ms.zip(end_ms).map_or(0, |(start, end)| (end - start) / DAY_MS);
    if days > EVENT_DAYS_MAX {
        let message = format!("the event is {days} days long; check the dates of start and end");
        report.warning(table.line("end"), message);
    }
}

/// True if `a` is before `b`, or if either is unknown.
fn before(a: Option<i64>, b: Option<i64>) -> bool {
    a.zip(b).is_none_or(|(a, b)| a < b)
}

pub(crate) fn is_time_zone(name: &str) -> bool {
    TimeZone::get(name).is_ok()
}

fn registration(table: &Table<'_, '_>, report: &mut Report) -> Registration {
    let default = Registration::default();
    let [opens, closes] = ["opens", "closes"].map(|key| table.time(key, report));
    let mut window = [opens, closes].map(|time| time.map(|time| time.at_ms));
    if !before(window[0], window[1]) {
        report.error(table.line("closes"), "`closes` must be later than `opens`".to_owned());
        window = [None, None];
    }
    let [opens, closes] = window;
    let says = "must be domains such as \"example.org\"";
    let email_domains = table.list("email_domains", says, email_domain, report).unwrap_or_default();
    let confirm_email = table.boolean("confirm_email", report).unwrap_or(default.confirm_email);
    if !email_domains.is_empty() && !confirm_email {
        let message = "without `confirm_email`, a team can enter any address of these domains";
        report.warning(table.line("email_domains"), message);
    }
    let max_teams = table.number("max_teams", 0..=TEAMS_MAX, report).unwrap_or(default.max_teams);
    let waiting_list = table.boolean("waiting_list", report).unwrap_or(default.waiting_list);
    if waiting_list && max_teams == 0 {
        let message = "without `max_teams`, no team waits";
        report.warning(table.line("waiting_list"), message);
    }
    Registration {
        open: table.boolean("open", report).unwrap_or(default.open),
        opens,
        closes,
        max_teams,
        waiting_list,
        email_domains,
        codes: table.choice("codes", &SignupCodes::NAMED, report).unwrap_or(default.codes),
        fields: signup_fields(table, report),
        confirm_email,
        student_label: table.text("student_label", report),
        password_min: table.number("password_min", 1..=128, report).unwrap_or(default.password_min),
        refuse_common_passwords: table
            .boolean("refuse_common_passwords", report)
            .unwrap_or(default.refuse_common_passwords),
        reserved_names: table
            .list("reserved_names", "must be names", reserved_name, report)
            .unwrap_or_default(),
        members_max: table.number("members_max", 0..=20, report).unwrap_or(default.members_max),
        local_addresses: table
            .boolean("local_addresses", report)
            .unwrap_or(default.local_addresses),
    }
}

fn reserved_name(text: &str) -> Option<String> {
    (!text.is_empty() && text.chars().count() <= NAME_CHARS_MAX).then(|| text.to_owned())
}

fn scoring(table: &Table<'_, '_>, report: &mut Report) -> DefaultScoring {
    let default = DefaultScoring::default();
    let max = table.number("max", 0..=VALUE_MAX, report).unwrap_or(default.max);
    let min = table.number("min", 0..=VALUE_MAX, report);
    let decay = table.number("decay", 1..=DECAY_MAX, report).unwrap_or(default.decay);
    if min.is_some_and(|min| min > max) {
        report.error(table.line("min"), format!("`min` must be at most `max`, which is {max}"));
    }
    DefaultScoring { max, min: min.unwrap_or(default.min).min(max), decay }
}

fn captcha(table: &Table<'_, '_>, report: &mut Report) -> Captcha {
    let providers = CaptchaProvider::ALL.map(|provider| (provider.as_str(), provider));
    let provider = table.choice("provider", &providers, report).unwrap_or_default();
    let site_key = table.text("site_key", report);
    if provider.is_remote() && site_key.is_none() {
        let name = provider.as_str();
        let message = format!("the {name} captcha requires its public `site_key`");
        report.error(table.line("provider"), message);
    }
    if provider == CaptchaProvider::Off {
        let message = "without a captcha, bots can sign up and log in";
        report.warning(table.line("provider"), message);
    }
    let says = "must be an http or https URL";
    let verify_url = table.text_where("verify_url", says, html::is_web_address, report);
    Captcha { provider, site_key, verify_url }
}

fn mail(table: &Table<'_, '_>, folder: &Path, report: &mut Report) -> Mail {
    let default = Mail::default();
    let transports = [("file", MailTransport::File), ("smtp", MailTransport::Smtp)];
    let transport = table.choice("transport", &transports, report).unwrap_or_default();
    let modes = [("starttls", MailTls::Starttls), ("tls", MailTls::Tls), ("none", MailTls::None)];
    let tls = table.choice("tls", &modes, report).unwrap_or_default();
    let says = "must be a host name or IP address, without a port";
    let host = table.text_where("host", says, is_host, report);
    let says = "must be an email address, optionally with a name: `Name <a@b.example>`";
    let from = table.text_where("from", says, has_address, report);
    let username = table.text("username", report);
    if transport == MailTransport::Smtp {
        for key in ["host", "from"] {
            if !table.has(key) {
                let message = format!("SMTP requires `{key}` in [mail]");
                report.error(table.line("transport"), message);
            }
        }
        if tls == MailTls::None && username.is_some() {
            let message = "with `tls = \"none\"`, the mail password is sent in clear text";
            report.warning(table.line("tls"), message);
        }
    }
    Mail {
        transport,
        from: from.unwrap_or(default.from),
        host: host.unwrap_or_default(),
        port: table.number("port", 1..=65_535, report).unwrap_or(tls.port()),
        tls,
        username,
        ca: ca(table, folder, report),
    }
}

/// Reads the certificates in the `ca_file`.
fn ca(table: &Table<'_, '_>, folder: &Path, report: &mut Report) -> Option<String> {
    let says = "must be a file in the same folder as event.toml";
    let name = table.text_where("ca_file", says, is_file_name, report)?;
    let text = files::read_bytes(folder, Path::new(&name)).and_then(|bytes| {
        let text = String::from_utf8(bytes).ok();
        let text = text.filter(|text| text.contains(CERTIFICATE));
        text.ok_or_else(|| "it contains no PEM certificate".to_owned())
    });
    let refused = |why| report.error(table.line("ca_file"), format!("{}: {why}", quote(&name)));
    text.map_err(refused).ok()
}

fn is_file_name(text: &str) -> bool {
    let fits = |c: char| c.is_ascii_alphanumeric() || "-._".contains(c);
    text.chars().all(fits) && !text.starts_with('.') && text.len() <= FILE_NAME_BYTES_MAX
}

fn is_host(text: &str) -> bool {
    let fits = |c: char| c.is_ascii_alphanumeric() || "-._".contains(c);
    text.chars().all(fits) || text.parse::<std::net::IpAddr>().is_ok()
}

fn has_address(text: &str) -> bool {
    let address = match text.trim().rsplit_once('<') {
        Some((_, rest)) => rest.strip_suffix('>'),
        None => Some(text),
    };
    let parts = address.and_then(|address| address.split_once('@'));
    let fits = |part: &str| !part.is_empty() && !part.contains(|c: char| " <>@,".contains(c));
    !text.chars().any(char::is_control)
        && parts.is_some_and(|(local, domain)| fits(local) && fits(domain))
}

fn limits(table: &Table<'_, '_>, report: &mut Report) -> Limits {
    let mut limits = Limits::default();
    for (key, networks) in [
        ("trusted_networks", &mut limits.trusted_networks),
        ("trusted_proxies", &mut limits.trusted_proxies),
    ] {
        let says = "must contain networks like \"10.0.0.0/8\" or \"2001:db8::/32\"";
        let read = |text: &str| text.parse::<Network>().ok();
        *networks = table.list(key, says, read, report).unwrap_or_default();
    }
    for wide in limits.wide_proxies() {
        let message = format!("{wide} in `trusted_proxies`: {WIDE_PROXIES}");
        report.warning(table.line("trusted_proxies"), message);
    }
    for (key, budget) in [
        ("submissions_per_challenge_per_10_s", &mut limits.submissions_per_challenge_per_10_s),
        ("submissions_per_team_per_minute", &mut limits.submissions_per_team_per_minute),
        ("signups_per_network_per_hour", &mut limits.signups_per_network_per_hour),
        ("failed_logins_per_team_per_minute", &mut limits.failed_logins_per_team_per_minute),
        ("mails_per_address_per_hour", &mut limits.mails_per_address_per_hour),
        ("mails_per_hour", &mut limits.mails_per_hour),
    ] {
        *budget = table.number(key, 0..=BUDGET_MAX, report).unwrap_or(*budget);
    }
    limits
}

fn privacy(table: &Table<'_, '_>, report: &mut Report) -> Privacy {
    let days = table.number("sightings_days", 0..=SIGHTINGS_DAYS_MAX, report);
    let default = Privacy::default();
    let choices = KeepWrongTexts::ALL.map(|keep| (keep.as_str(), keep));
    let texts = table.choice("keep_wrong_texts", &choices, report);
    Privacy {
        sightings_days: days.unwrap_or(default.sightings_days),
        keep_wrong_texts: texts.unwrap_or(default.keep_wrong_texts),
    }
}
