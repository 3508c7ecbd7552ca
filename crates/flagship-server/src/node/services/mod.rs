//! Email and captcha, the external services of a node. Settings in the event files are read at the
//! start and take precedence over those on the site, which can change at any time. Secrets come
//! from the environment or, sealed, from the database.

mod smtp_error;
pub mod transport;

use std::sync::Arc;

use anyhow::ensure;
use arc_swap::{ArcSwap, Guard};
use flagship_actions::settings::secrets::{CAPTCHA_SECRET, SMTP_PASSWORD, Secrets};
use flagship_actions::settings::sections::given;
use flagship_game::Secret;
use flagship_pack::{Given, Named, Settings, parse_settings};
use flagship_store::settings::{self, SettingsRevisions};
use flagship_store::{Clock, Db, Seal, StoreError};
use tokio::sync::Mutex;

use self::transport::Transport;
use super::captcha::Captcha;
use super::captcha::spent::Spent;
use super::config::Config;
use super::tasks::Tasks;

/// Fills in secrets from the database that are missing in the environment.
///
/// # Errors
/// Fails if the secrets cannot be read.
pub async fn with_stored_secrets(
    config: Config,
    db: &Db,
    seal: &Seal,
) -> Result<Config, StoreError> {
    let mut stored = settings::secrets(db, seal).await?;
    Ok(Config {
        smtp_password: config.smtp_password.or_else(|| stored.remove(SMTP_PASSWORD)),
        captcha_secret: config.captcha_secret.or_else(|| stored.remove(CAPTCHA_SECRET)),
        ..config
    })
}

/// Checks the email and captcha settings with their secrets, without disk or network access.
///
/// # Errors
/// Fails if a node would not start with these settings.
pub fn check_settings(config: &Config) -> anyhow::Result<()> {
    transport::check(config)?;
    Captcha::check(config)
}

/// Email and captcha with their current settings.
pub struct Services {
    start: Config,
    spent: Arc<Spent>,
    current: ArcSwap<Current>,
    /// Revisions of the settings last read from the database. Locked while they are read.
    revisions: Mutex<SettingsRevisions>,
}

pub struct Current {
    /// Configuration from the start, with the settings of the site.
    pub config: Config,
    /// Delivers email.
    pub transport: Arc<Transport>,
    pub captcha: Arc<Captcha>,
}

impl Services {
    /// Creates the services from the start configuration and the site settings, and spawns the task
    /// that marks solved captchas.
    pub async fn open(
        start: &Config,
        db: &Db,
        clock: &Clock,
        seal: &Seal,
        tasks: &Tasks,
    ) -> anyhow::Result<Arc<Self>> {
        let (spent, marking) = Spent::new(db.clone(), clock.clone());
        tasks.spawn_loop(marking);
        let config = start.clone();
        let spent = Arc::new(spent);
        let current = Current {
            transport: Arc::new(Transport::new(&config)?),
            captcha: Arc::new(Captcha::new(&config, spent.clone())?),
            config,
        };
        let current = ArcSwap::from_pointee(current);
        let revisions = Mutex::default();
        let services = Self { start: start.clone(), spent, current, revisions };
        services.follow(db, seal, &settings::revisions(db).await?).await?;
        Ok(Arc::new(services))
    }

    pub fn load(&self) -> Guard<Arc<Current>> {
        self.current.load()
    }

    /// Like `load`, for values that are held longer.
    pub fn load_full(&self) -> Arc<Current> {
        self.current.load_full()
    }

    /// True if the secret is set in the environment, which takes precedence.
    pub fn is_in_environment(&self, name: &str) -> bool {
        match name {
            SMTP_PASSWORD => self.start.smtp_password.is_some(),
            _ => self.start.captcha_secret.is_some(),
        }
    }

    /// Applies the site settings if they have changed.
    pub async fn follow(
        &self,
        db: &Db,
        seal: &Seal,
        seen: &SettingsRevisions,
    ) -> Result<(), StoreError> {
        let mut last = self.revisions.lock().await;
        if *last == *seen {
            return Ok(());
        }
        let stored = given(&settings::site_sections(db).await?);
        let applied = self
            .build_config(&stored, &settings::secrets(db, seal).await?)
            .and_then(|config| self.apply(config));
        if let Err(error) = applied {
            tracing::error!("ignoring invalid settings from the site: {error:#}");
        }
        *last = seen.clone();
        Ok(())
    }

    /// Returns the configuration with the given site settings, current or proposed.
    pub fn build_config(&self, stored: &Given, secrets: &Secrets) -> anyhow::Result<Config> {
        let site = parse_settings(stored).map_err(|problems| {
            let lines: Vec<String> = problems.into_iter().map(|it| it.message).collect();
            anyhow::anyhow!("{}", lines.join("; "))
        })?;
        let start = &self.start.settings;
        let both = start.at_start().over(&site.at_start());
        let settings = Settings { mail: both.mail, captcha: both.captcha, ..start.clone() };
        let secret = |start: &Option<Secret>, name| start.clone().or(secrets.get(name).cloned());
        let config = Config {
            settings,
            smtp_password: secret(&self.start.smtp_password, SMTP_PASSWORD),
            captcha_secret: secret(&self.start.captcha_secret, CAPTCHA_SECRET),
            ..self.start.clone()
        };
        let (mail, captcha) = (&config.settings.mail, &config.settings.captcha);
        let lacks_password = mail.username.is_some() && config.smtp_password.is_none();
        ensure!(!lacks_password, "SMTP with a username needs a password");
        let lacks_secret = captcha.provider.is_remote() && config.captcha_secret.is_none();
        ensure!(!lacks_secret, "the {} captcha needs its secret", captcha.provider.as_str());
        check_settings(&config)?;
        Ok(config)
    }

    fn apply(&self, config: Config) -> anyhow::Result<()> {
        let now = self.load_full();
        let (old, new) = (&now.config.settings, &config.settings);
        let is_same_mail = old.mail == new.mail && now.config.smtp_password == config.smtp_password;
        let is_same_captcha =
            old.captcha == new.captcha && now.config.captcha_secret == config.captcha_secret;
        if is_same_mail && is_same_captcha {
            return Ok(());
        }
        let transport = match is_same_mail {
            true => now.transport.clone(),
            false => Arc::new(Transport::new(&config)?),
        };
        let captcha = match is_same_captcha {
            true => now.captcha.clone(),
            false => Arc::new(Captcha::new(&config, self.spent.clone())?),
        };
        self.current.store(Arc::new(Current { config, transport, captcha }));
        tracing::info!("loaded [mail] and [captcha] from the site settings");
        Ok(())
    }
}

impl flagship_actions::Services for Services {
    fn check(&self, settings: &Given, secrets: &Secrets) -> Result<(), String> {
        self.build_config(settings, secrets).map(drop).map_err(|error| format!("{error:#}"))
    }

    fn named(&self) -> &Named {
        &self.start.settings.named
    }
}
