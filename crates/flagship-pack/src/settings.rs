//! The settings in `event.toml` other than the event itself: registration, captcha, email, limits
//! and the site. Every field has a default. The file never contains secrets.

use std::collections::{BTreeMap, BTreeSet};

use flagship_game::PictureKind;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use self::signup_fields::SignupField;
use crate::network::Network;

pub(crate) mod divisions;
pub(crate) mod signup_fields;

/// Settings read at every start, with defaults filled in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// `[registration]`
    pub registration: Registration,
    /// `[captcha]`
    pub captcha: Captcha,
    /// `[mail]`
    pub mail: Mail,
    /// `[limits]`
    pub limits: Limits,
    /// `[privacy]`
    pub privacy: Privacy,
    /// `[site]`
    pub site: Site,
    /// The keys that are set; all others have their defaults.
    pub named: Named,
}

/// Keys of settings, by table.
pub type Named = BTreeMap<String, BTreeSet<String>>;

/// Settings that running nodes pick up without a restart.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Live {
    /// `[registration]`
    pub registration: Registration,
    /// `[limits]`
    pub limits: Limits,
    /// `[privacy]`
    pub privacy: Privacy,
    /// `[site]`, except `allowed_origins`, which needs a restart.
    pub site: Site,
    /// The keys that are set, in these and other tables.
    pub named: Named,
}

/// Settings that take effect at the next start of a node.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct AtStart {
    /// `[captcha]`
    pub captcha: Captcha,
    /// `[mail]`
    pub mail: Mail,
    /// `[site] allowed_origins`
    pub site: Origins,
    /// The keys that are set, in these and other tables.
    pub named: Named,
}

/// The part of `[site]` that needs a restart.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Origins {
    /// Origins of other sites that are allowed to call the API from a browser.
    pub allowed_origins: Vec<String>,
}

impl Settings {
    /// Returns the settings that running nodes pick up.
    pub fn live(&self) -> Live {
        let (registration, limits) = (self.registration.clone(), self.limits.clone());
        let site = Site { allowed_origins: Vec::new(), ..self.site.clone() };
        let (privacy, named) = (self.privacy.clone(), self.named.clone());
        Live { registration, limits, privacy, site, named }
    }

    /// Returns the settings that need a restart.
    pub fn at_start(&self) -> AtStart {
        let site = Origins { allowed_origins: self.site.allowed_origins.clone() };
        let (captcha, mail) = (self.captcha.clone(), self.mail.clone());
        AtStart { captcha, mail, site, named: self.named.clone() }
    }
}

impl Live {
    /// Returns these settings, with values from `below` for keys that are only set there.
    #[must_use]
    pub fn over(&self, below: &Self) -> Self {
        filled((self, &self.named), (below, &below.named))
    }
}

impl AtStart {
    /// Returns these settings, with values from `below` for keys that are only set there.
    #[must_use]
    pub fn over(&self, below: &Self) -> Self {
        filled((self, &self.named), (below, &below.named))
    }
}

/// Merges settings: takes values from `below` for keys that are only set there.
fn filled<T: Serialize + DeserializeOwned>(
    (settings, named): (&T, &Named),
    (below, below_named): (&T, &Named),
) -> T {
    let json = |it: &T| serde_json::to_value(it).expect("settings are plain data");
    let (mut all, below) = (json(settings), json(below));
    for (table, keys) in below_named {
        let given = named.get(table);
        for key in keys.iter().filter(|key| given.is_none_or(|given| !given.contains(*key))) {
            let place = all.get_mut(table).and_then(|table| table.get_mut(key));
            if let (Some(place), Some(value)) = (place, below[table].get(key)) {
                *place = value.clone();
            }
        }
    }
    serde_json::from_value(all).expect("each value is of such settings")
}

/// Rules for signing up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Registration {
    /// True if new teams can sign up, within the window.
    pub open: bool,
    /// First instant at which teams can sign up, in epoch milliseconds.
    pub opens: Option<i64>,
    /// First instant at which teams can no longer sign up, in epoch milliseconds.
    pub closes: Option<i64>,
    /// Maximum number of teams; 0 for no maximum. Hidden and banned teams do not count.
    pub max_teams: usize,
    /// True if teams can sign up for a waiting list while the event is full.
    pub waiting_list: bool,
    /// Domains of email addresses that teams can use, lowercase and in ASCII (IDNA), without their
    /// subdomains. Empty allows all.
    pub email_domains: Vec<String>,
    /// Use of signup codes.
    pub codes: SignupCodes,
    /// Questions of the signup form.
    pub fields: Vec<SignupField>,
    /// True if a team must confirm its email address before it can play.
    pub confirm_email: bool,
    /// Label of the student checkbox; `None` shows the default label.
    pub student_label: Option<String>,
    /// Minimum length of a password, in characters.
    pub password_min: usize,
    /// True to reject common passwords.
    pub refuse_common_passwords: bool,
    /// Names that teams cannot use, including lookalikes; in addition to the built-in reserved
    /// names.
    pub reserved_names: Vec<String>,
    /// Maximum number of member names per team, for prizes; 0 disables the field.
    pub members_max: usize,
    /// True if teams can sign up with email addresses of the machine or its local network, such as
    /// `w@localhost` and `w@intranet`.
    pub local_addresses: bool,
}

impl Default for Registration {
    fn default() -> Self {
        Self {
            open: true,
            opens: None,
            closes: None,
            max_teams: 0,
            waiting_list: false,
            email_domains: Vec::new(),
            codes: SignupCodes::None,
            fields: Vec::new(),
            confirm_email: true,
            student_label: None,
            password_min: 6,
            refuse_common_passwords: true,
            reserved_names: Vec::new(),
            members_max: 4,
            local_addresses: false,
        }
    }
}

/// Use of signup codes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SignupCodes {
    /// Codes are not used.
    #[default]
    None,
    /// A team can sign up with or without a code.
    Optional,
    /// A team needs a code to sign up.
    Required,
}

impl SignupCodes {
    /// All variants, by their names in `event.toml` and on the wire.
    pub const NAMED: [(&str, Self); 3] =
        [("none", Self::None), ("optional", Self::Optional), ("required", Self::Required)];
}

/// State of the signup at one time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SignupPhase {
    /// The window has not begun.
    NotOpen,
    /// Teams can sign up.
    Open,
    /// The window has ended, or `open` is false.
    Closed,
}

impl Registration {
    /// State of the signup at a time in epoch milliseconds.
    pub fn phase(&self, now_ms: i64) -> SignupPhase {
        if !self.open || self.closes.is_some_and(|closes_ms| closes_ms <= now_ms) {
            return SignupPhase::Closed;
        }
        match self.opens {
            Some(opens_ms) if now_ms < opens_ms => SignupPhase::NotOpen,
            _ => SignupPhase::Open,
        }
    }

    /// True if teams can use email addresses of a domain, which is lowercase and in ASCII.
    pub fn allows_domain(&self, domain: &str) -> bool {
        self.email_domains.is_empty() || self.email_domains.iter().any(|it| it == domain)
    }
}

/// Captcha provider for signup and login.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CaptchaProvider {
    /// Proof of work, created and verified by Flagship itself.
    #[default]
    Altcha,
    /// Google reCAPTCHA v2.
    Recaptcha,
    /// hCaptcha.
    Hcaptcha,
    /// Cloudflare Turnstile.
    Turnstile,
    /// No captcha: any token is accepted.
    Off,
}

impl CaptchaProvider {
    /// All variants.
    pub const ALL: [Self; 5] =
        [Self::Altcha, Self::Recaptcha, Self::Hcaptcha, Self::Turnstile, Self::Off];

    /// The name in `event.toml` and on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Altcha => "altcha",
            Self::Recaptcha => "recaptcha",
            Self::Hcaptcha => "hcaptcha",
            Self::Turnstile => "turnstile",
            Self::Off => "off",
        }
    }

    /// True if a remote service verifies the captcha, which requires a site key.
    pub fn is_remote(self) -> bool {
        matches!(self, Self::Recaptcha | Self::Hcaptcha | Self::Turnstile)
    }
}

/// Captcha settings. The secret is in the environment variable `FLAGSHIP_CAPTCHA_SECRET`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Captcha {
    /// The provider.
    pub provider: CaptchaProvider,
    /// Public key for the widget of a remote provider; always set for a remote provider.
    pub site_key: Option<String>,
    /// Overrides the provider's verification URL, for tests.
    pub verify_url: Option<String>,
}

/// Delivery method for email.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MailTransport {
    /// Files in `DATA/mail`.
    #[default]
    File,
    /// An SMTP server.
    Smtp,
}

/// Encryption of the connection to the SMTP server.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MailTls {
    /// STARTTLS before anything is sent.
    #[default]
    Starttls,
    /// TLS from the first byte.
    Tls,
    /// No encryption.
    None,
}

impl MailTls {
    /// The default port.
    pub fn port(self) -> u16 {
        match self {
            Self::Starttls => 587,
            Self::Tls => 465,
            Self::None => 25,
        }
    }
}

/// Email settings. The password is in the environment variable `FLAGSHIP_SMTP_PASSWORD`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Mail {
    /// Files or SMTP.
    pub transport: MailTransport,
    /// The sender: `Name <address>` or a bare address.
    pub from: String,
    /// Host name of the SMTP server; not empty if the transport is SMTP.
    pub host: String,
    /// Port of the SMTP server.
    pub port: u16,
    /// Encryption of the connection.
    pub tls: MailTls,
    /// User name for the SMTP server, if any.
    pub username: Option<String>,
    /// Certificate authorities to trust instead of the public ones, in PEM: the content of
    /// `ca_file`.
    #[serde(rename = "ca_file")]
    pub ca: Option<String>,
}

impl Default for Mail {
    fn default() -> Self {
        Self {
            transport: MailTransport::File,
            from: "Flagship <flagship@localhost>".into(),
            host: String::new(),
            port: MailTls::Starttls.port(),
            tls: MailTls::Starttls,
            username: None,
            ca: None,
        }
    }
}

/// Rate limits, and the networks exempt from them. 0 means no limit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Limits {
    /// Networks exempt from signup and connection limits, such as a campus behind one address.
    pub trusted_networks: Vec<Network>,
    /// Proxies whose forwarded client address is trusted.
    pub trusted_proxies: Vec<Network>,
    /// Incorrect submissions per team and challenge in ten seconds.
    pub submissions_per_challenge_per_10_s: u32,
    /// Incorrect submissions per team in a minute.
    pub submissions_per_team_per_minute: u32,
    /// Signups per network in an hour.
    pub signups_per_network_per_hour: u32,
    /// Failed logins per team and network in a minute.
    pub failed_logins_per_team_per_minute: u32,
    /// Maximum emails of one kind per address and hour; the first one requested from each network
    /// is not counted.
    pub mails_per_address_per_hour: u32,
    /// Emails sent in an hour in total; further emails are queued.
    pub mails_per_hour: u32,
}

/// Consequence of a network in `trusted_proxies` that is too wide.
pub const WIDE_PROXIES: &str = "anyone in this network can spoof any address and bypass the \
                                limits per network";

impl Limits {
    /// Returns the networks in `trusted_proxies` that are too wide for proxies.
    pub fn wide_proxies(&self) -> impl Iterator<Item = &Network> {
        self.trusted_proxies.iter().filter(|network| network.is_wide())
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            trusted_networks: Vec::new(),
            trusted_proxies: Vec::new(),
            submissions_per_challenge_per_10_s: 3,
            submissions_per_team_per_minute: 10,
            signups_per_network_per_hour: 20,
            failed_logins_per_team_per_minute: 10,
            mails_per_address_per_hour: 3,
            mails_per_hour: 5_000,
        }
    }
}

/// Retention of private data.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Privacy {
    /// Days after the end of the event during which the networks of teams are kept; 0 disables
    /// recording.
    pub sightings_days: u32,
    /// Retention of the texts of incorrect submissions, for organizers.
    pub keep_wrong_texts: KeepWrongTexts,
}

impl Default for Privacy {
    fn default() -> Self {
        Self { sightings_days: 30, keep_wrong_texts: KeepWrongTexts::Never }
    }
}

/// Retention of the texts of incorrect submissions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum KeepWrongTexts {
    /// Texts are not stored.
    #[default]
    Never,
    /// Until the event ends.
    UntilEnd,
}

impl KeepWrongTexts {
    /// All variants.
    pub const ALL: [Self; 2] = [Self::Never, Self::UntilEnd];

    /// The name in `event.toml`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Never => "never",
            Self::UntilEnd => "until_end",
        }
    }
}

/// Branding and content of the site.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Site {
    /// The line below the event name.
    pub banner: Option<String>,
    /// The accent color, `#rgb` or `#rrggbb`.
    pub accent: Option<String>,
    /// The accent color for the dark theme, if different.
    pub accent_dark: Option<String>,
    /// Logo in the navigation bar, instead of the event name.
    pub logo: Option<SiteFile>,
    /// The logo for the dark theme, if different.
    pub logo_dark: Option<SiteFile>,
    /// Icon of the browser tab.
    pub favicon: Option<SiteFile>,
    /// Image on the home page, above the event name.
    pub hero: Option<SiteFile>,
    /// Preview image for links to the site.
    pub preview: Option<SiteFile>,
    /// Font for headings, if different from the text font.
    pub heading_font: Option<HeadingFont>,
    /// Links in the footer.
    pub links: Vec<SiteLink>,
    /// Sponsors of the event, in the order of the file.
    pub sponsors: Vec<Sponsor>,
    /// Custom pages, in display order.
    pub pages: Vec<SitePage>,
    /// URL of the event's microblog, http or https.
    pub microblog: Option<String>,
    /// URL of the event's chat community, http or https.
    pub chat: Option<String>,
    /// Origins of other sites that are allowed to call the API from a browser, as
    /// `https://name[:port]`. Changes need a restart.
    #[serde(skip)]
    pub allowed_origins: Vec<String>,
}

impl Site {
    /// Returns the files that visitors can download.
    pub fn files(&self) -> impl Iterator<Item = &SiteFile> {
        let own = [&self.logo, &self.logo_dark, &self.favicon, &self.hero, &self.preview];
        let font = self.heading_font.iter().filter_map(|font| match font {
            HeadingFont::Mono => None,
            HeadingFont::File(file) => Some(file),
        });
        let logos = self.sponsors.iter().filter_map(|sponsor| sponsor.logo.as_ref());
        own.into_iter().flatten().chain(font).chain(logos)
    }
}

/// A branding file. Its bytes are stored separately, by `digest`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SiteFile {
    /// SHA-256 in hex.
    pub digest: String,
    /// The file type, detected from the content.
    pub kind: SiteFileKind,
    /// Width and height in pixels, if it is an image with a known size.
    pub size: Option<(usize, usize)>,
}

/// Types of branding files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SiteFileKind {
    /// An image that cannot run scripts.
    Picture(PictureKind),
    /// An SVG image, served with a policy that blocks its scripts.
    Svg,
    /// A font.
    Woff2,
}

impl SiteFileKind {
    /// The media type.
    pub fn media_type(self) -> &'static str {
        match self {
            Self::Picture(kind) => kind.media_type(),
            Self::Svg => "image/svg+xml",
            Self::Woff2 => "font/woff2",
        }
    }
}

/// A font for headings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum HeadingFont {
    /// The monospace font of the site.
    Mono,
    /// A custom font.
    File(SiteFile),
}

/// A link in the footer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SiteLink {
    /// The link text.
    pub name: String,
    /// An http or https URL.
    pub link: String,
}

/// A sponsor of the event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sponsor {
    /// The name.
    pub name: String,
    /// An http or https URL.
    pub link: Option<String>,
    /// Heading of the sponsor's group.
    pub tier: Option<String>,
    /// The logo.
    pub logo: Option<SiteFile>,
}

/// A custom page, `pages/SLUG.md`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SitePage {
    /// Last segment of the page's URL.
    pub slug: String,
    /// The title.
    pub title: String,
    /// Location of the link to the page.
    pub place: PagePlace,
    /// Sanitized HTML, with placeholders as in the rules.
    pub html: String,
}

/// Location of the link to a page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PagePlace {
    /// In the navigation.
    Navigation,
    /// In the footer.
    #[default]
    Footer,
}

impl PagePlace {
    /// The name in front matter and on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Navigation => "navigation",
            Self::Footer => "footer",
        }
    }
}
