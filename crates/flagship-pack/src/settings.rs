//! What `event.toml` says beside the event itself: registration, captcha, mail, limits, the site.
//! Every field has its default; no secret is ever in the file.

use crate::network::Network;

/// Everything of `event.toml` that is read at every start, with its defaults filled in.
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
    /// `[site]`
    pub site: Site,
}

/// Who may sign up, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Registration {
    /// Whether new teams may sign up.
    pub open: bool,
    /// Whether a team plays only once its e-mail address is confirmed.
    pub confirm_email: bool,
    /// The text beside the students' checkbox; without it there is no checkbox.
    pub student_label: Option<String>,
    /// The least number of characters in a password.
    pub password_min: usize,
    /// Whether passwords from the list of common ones are refused.
    pub refuse_common_passwords: bool,
    /// Names that no team may sign up under, or under one that looks like it, beside those that
    /// never are free.
    pub reserved_names: Vec<String>,
    /// Whether teams may sign up with addresses of the machine itself or its own network, such as
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
            local_addresses: false,
        }
    }
}

/// Which captcha guards signup and login.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CaptchaProvider {
    /// Proof of work, made and checked by Flagship itself.
    #[default]
    Altcha,
    /// Google reCAPTCHA v2.
    Recaptcha,
    /// hCaptcha.
    Hcaptcha,
    /// Cloudflare Turnstile.
    Turnstile,
    /// None: any captcha token is taken.
    Off,
}

impl CaptchaProvider {
    /// The word in `event.toml` and on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Altcha => "altcha",
            Self::Recaptcha => "recaptcha",
            Self::Hcaptcha => "hcaptcha",
            Self::Turnstile => "turnstile",
            Self::Off => "off",
        }
    }

    /// Whether another company's service decides, so that a site key is needed.
    pub fn is_remote(self) -> bool {
        matches!(self, Self::Recaptcha | Self::Hcaptcha | Self::Turnstile)
    }
}

/// The captcha. Its secret comes from the environment, `FLAGSHIP_CAPTCHA_SECRET`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Captcha {
    /// Which one.
    pub provider: CaptchaProvider,
    /// The public key that a remote provider's widget shows; always there with a remote one.
    pub site_key: Option<String>,
    /// Another address of the provider's verify call, for tests.
    pub verify_url: Option<String>,
}

/// Where mail goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MailTransport {
    /// Files in `DATA/mail`.
    #[default]
    File,
    /// An SMTP server.
    Smtp,
}

/// How the connection to the SMTP server is protected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MailTls {
    /// Plain at first, then encrypted before anything is said.
    #[default]
    Starttls,
    /// Encrypted from the first byte.
    Tls,
    /// Not at all.
    None,
}

impl MailTls {
    /// The port that goes with it when the file names none.
    pub fn port(self) -> u16 {
        match self {
            Self::Starttls => 587,
            Self::Tls => 465,
            Self::None => 25,
        }
    }
}

/// How mail is sent. The password comes from the environment, `FLAGSHIP_SMTP_PASSWORD`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mail {
    /// Files or SMTP.
    pub transport: MailTransport,
    /// The sender, `Name <address>` or a bare address.
    pub from: String,
    /// The SMTP server's name; not empty when the transport is SMTP.
    pub host: String,
    /// Its port.
    pub port: u16,
    /// How the connection is protected.
    pub tls: MailTls,
    /// The user name to log in with, if any.
    pub username: Option<String>,
    /// The certificates, as PEM, that the server's has to be signed by, in place of the public
    /// ones: what `ca_file` holds.
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

/// Budgets and whom they spare. A number of 0 means no limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Networks exempt from signup and connection limits: a campus behind one address.
    pub trusted_networks: Vec<Network>,
    /// Proxies whose word on a client's address is believed.
    pub trusted_proxies: Vec<Network>,
    /// Wrong flags of one team for one challenge in ten seconds.
    pub submissions_per_challenge_per_10_s: u32,
    /// Wrong flags of one team in a minute.
    pub submissions_per_team_per_minute: u32,
    /// Signups from one network in an hour.
    pub signups_per_network_per_hour: u32,
    /// Failed logins for one team from one network in a minute.
    pub failed_logins_per_team_per_minute: u32,
    /// Mails of one kind to one address in an hour, beside the first of each network.
    pub mails_per_address_per_hour: u32,
    /// Mails that leave in an hour, of all kinds to all addresses; others wait.
    pub mails_per_hour: u32,
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

/// What the site shows of the event's house.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Site {
    /// The line under the event's name.
    pub banner: Option<String>,
    /// The accent colour, `#rgb` or `#rrggbb`.
    pub accent: Option<String>,
    /// Address of the event's microblog, http or https.
    pub microblog: Option<String>,
    /// Address of the event's chat community, http or https.
    pub chat: Option<String>,
    /// Origins of other sites that may call the API from a browser, as `https://name[:port]`.
    pub allowed_origins: Vec<String>,
}
