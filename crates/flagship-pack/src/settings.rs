//! The settings in `event.toml` beside the event itself: registration, captcha, mail, limits, the
//! site. Every field has a default. The file never holds secrets.

use std::collections::{BTreeMap, BTreeSet};

use flagship_game::PictureKind;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::network::Network;

/// The settings that are read at every start, with defaults filled in.
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
    /// The keys that are given; the others have their defaults.
    pub named: Named,
}

/// Keys of settings, by table.
pub type Named = BTreeMap<String, BTreeSet<String>>;

/// The tables that running nodes take over.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Live {
    /// `[registration]`
    pub registration: Registration,
    /// `[limits]`
    pub limits: Limits,
    /// `[privacy]`
    pub privacy: Privacy,
    /// `[site]`, of which `allowed_origins` waits for a restart.
    pub site: Site,
    /// The keys that are given, of these tables and others.
    pub named: Named,
}

/// The settings that a server uses until its next start.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct AtStart {
    /// `[captcha]`
    pub captcha: Captcha,
    /// `[mail]`
    pub mail: Mail,
    /// `[site] allowed_origins`
    pub site: Origins,
    /// The keys that are given, of these tables and others.
    pub named: Named,
}

/// The part of `[site]` that waits for a restart.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Origins {
    /// Origins of other sites that may call the API from a browser.
    pub allowed_origins: Vec<String>,
}

impl Settings {
    /// What running nodes take over.
    pub fn live(&self) -> Live {
        let (registration, limits) = (self.registration.clone(), self.limits.clone());
        let site = Site { allowed_origins: Vec::new(), ..self.site.clone() };
        let (privacy, named) = (self.privacy.clone(), self.named.clone());
        Live { registration, limits, privacy, site, named }
    }

    /// What waits for a restart.
    pub fn at_start(&self) -> AtStart {
        let site = Origins { allowed_origins: self.site.allowed_origins.clone() };
        let (captcha, mail) = (self.captcha.clone(), self.mail.clone());
        AtStart { captcha, mail, site, named: self.named.clone() }
    }
}

impl Live {
    /// These settings, and those below for keys that are given there alone.
    #[must_use]
    pub fn over(&self, below: &Self) -> Self {
        filled((self, &self.named), (below, &below.named))
    }
}

impl AtStart {
    /// These settings, and those below for keys that are given there alone.
    #[must_use]
    pub fn over(&self, below: &Self) -> Self {
        filled((self, &self.named), (below, &below.named))
    }
}

/// Settings with those below for keys that are given there alone.
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

/// Who may sign up, and how.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Registration {
    /// Whether new teams may sign up.
    pub open: bool,
    /// Whether a team plays only once its e-mail address is confirmed.
    pub confirm_email: bool,
    /// The label of the students' checkbox; `None` shows the usual one.
    pub student_label: Option<String>,
    /// Minimum length of a password, in characters.
    pub password_min: usize,
    /// Whether common passwords are refused.
    pub refuse_common_passwords: bool,
    /// Names that no team may sign up with, nor with a look-alike; in addition to the built-in
    /// reserved names.
    pub reserved_names: Vec<String>,
    /// Most people whose names a team may give, for prizes; 0 asks for none.
    pub members_max: usize,
    /// Whether teams may sign up with addresses of the machine or its local network, such as
    /// `w@localhost` and `w@intranet`.
    pub local_addresses: bool,
}

impl Default for Registration {
    fn default() -> Self {
        Self {
            open: true,
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

/// The captcha of signup and login.
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
    /// All of them.
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

    /// Whether a remote service verifies the captcha, which needs a site key.
    pub fn is_remote(self) -> bool {
        matches!(self, Self::Recaptcha | Self::Hcaptcha | Self::Turnstile)
    }
}

/// The captcha. The secret is in the environment variable `FLAGSHIP_CAPTCHA_SECRET`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Captcha {
    /// The provider.
    pub provider: CaptchaProvider,
    /// The public key for a remote provider's widget; always set for a remote provider.
    pub site_key: Option<String>,
    /// Replaces the URL of the provider's verify call, for tests.
    pub verify_url: Option<String>,
}

/// How mail is delivered.
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

/// How mail is sent. The password is in the environment variable `FLAGSHIP_SMTP_PASSWORD`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Mail {
    /// Files or SMTP.
    pub transport: MailTransport,
    /// The sender, `Name <address>` or a bare address.
    pub from: String,
    /// The SMTP server's name; not empty when the transport is SMTP.
    pub host: String,
    /// The SMTP server's port.
    pub port: u16,
    /// Encryption of the connection.
    pub tls: MailTls,
    /// The user name to log in with, if any.
    pub username: Option<String>,
    /// The certificate authorities to trust in place of the public ones, in PEM: the content of
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

/// Budgets, and the networks that are exempt. 0 means no limit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Limits {
    /// Networks exempt from signup and connection limits: a campus behind one address.
    pub trusted_networks: Vec<Network>,
    /// Proxies whose forwarded client address is trusted.
    pub trusted_proxies: Vec<Network>,
    /// Wrong flags of one team for one challenge in ten seconds.
    pub submissions_per_challenge_per_10_s: u32,
    /// Wrong flags of one team in a minute.
    pub submissions_per_team_per_minute: u32,
    /// Signups from one network in an hour.
    pub signups_per_network_per_hour: u32,
    /// Failed logins for one team from one network in a minute.
    pub failed_logins_per_team_per_minute: u32,
    /// Mails of one kind to one address in an hour; the first from each network is not counted.
    pub mails_per_address_per_hour: u32,
    /// Mails of all kinds to all addresses sent in an hour; further ones wait.
    pub mails_per_hour: u32,
}

/// Consequence of a network in `trusted_proxies` that is too wide.
pub const WIDE_PROXIES: &str = "anyone in it can claim any address, so that limits for each \
                                network do not hold";

impl Limits {
    /// The networks of `trusted_proxies` that hold more addresses than proxies have.
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

/// How long private data is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Privacy {
    /// For how many days after the end of the event it is kept from which networks teams were seen;
    /// with 0 it is not recorded.
    pub sightings_days: u32,
    /// For how long the texts of wrong flags are kept for organizers.
    pub keep_wrong_texts: KeepWrongTexts,
}

impl Default for Privacy {
    fn default() -> Self {
        Self { sightings_days: 30, keep_wrong_texts: KeepWrongTexts::Never }
    }
}

/// For how long the texts of wrong flags are kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum KeepWrongTexts {
    /// They are not kept.
    #[default]
    Never,
    /// Until the event ends.
    UntilEnd,
}

impl KeepWrongTexts {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Never, Self::UntilEnd];

    /// The name in `event.toml`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Never => "never",
            Self::UntilEnd => "until_end",
        }
    }
}

/// How the site presents the event.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Site {
    /// The line under the event's name.
    pub banner: Option<String>,
    /// The accent colour, `#rgb` or `#rrggbb`.
    pub accent: Option<String>,
    /// The accent on the dark ground, where it is another.
    pub accent_dark: Option<String>,
    /// Stands in the bar, in place of the event's name.
    pub logo: Option<SiteFile>,
    /// The logo on the dark ground, where it is another.
    pub logo_dark: Option<SiteFile>,
    /// The icon of the browser's tab.
    pub favicon: Option<SiteFile>,
    /// A picture on the home page, above the event's name.
    pub hero: Option<SiteFile>,
    /// What a link to the site is shown with elsewhere.
    pub preview: Option<SiteFile>,
    /// The face of headings, where it is not that of texts.
    pub heading_font: Option<HeadingFont>,
    /// Links in the footer.
    pub links: Vec<SiteLink>,
    /// Who pays for the event, in the order of the file.
    pub sponsors: Vec<Sponsor>,
    /// Pages of the event's own, in the order in which they are shown.
    pub pages: Vec<SitePage>,
    /// Address of the event's microblog, http or https.
    pub microblog: Option<String>,
    /// Address of the event's chat community, http or https.
    pub chat: Option<String>,
    /// Origins of other sites that may call the API from a browser, as `https://name[:port]`.
    /// They wait for a restart.
    #[serde(skip)]
    pub allowed_origins: Vec<String>,
}

impl Site {
    /// The files that visitors may fetch.
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

/// A file of the event's folder that the site shows. Its bytes are kept elsewhere, by `digest`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SiteFile {
    /// SHA-256 in hex.
    pub digest: String,
    /// What it is, by its content.
    pub kind: SiteFileKind,
    /// In pixels, if it is a picture that says so.
    pub size: Option<(usize, usize)>,
}

/// The kinds of files that the site shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SiteFileKind {
    /// A picture that cannot run scripts.
    Picture(PictureKind),
    /// Served with a policy that runs nothing of it.
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

/// A face for headings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum HeadingFont {
    /// The site's face for code.
    Mono,
    /// A face of the event's own.
    File(SiteFile),
}

/// A link in the footer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SiteLink {
    /// Its words.
    pub name: String,
    /// An http or https address.
    pub link: String,
}

/// Who pays for the event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sponsor {
    /// The name.
    pub name: String,
    /// An http or https address.
    pub link: Option<String>,
    /// The heading below which it stands.
    pub tier: Option<String>,
    /// Its logo.
    pub logo: Option<SiteFile>,
}

/// A page of the event's own, `pages/SLUG.md`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SitePage {
    /// The last part of its address.
    pub slug: String,
    /// Its title.
    pub title: String,
    /// Where its link stands.
    pub place: PagePlace,
    /// Sanitised HTML, with placeholders as in the rules.
    pub html: String,
}

/// Where the link of a page stands.
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
