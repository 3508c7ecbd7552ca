//! Mail and captcha: what the node calls other machines for. They are set in the files, at the
//! start, and below them on the site, at any time; secrets in the environment, or sealed in the
//! database.

mod smtp_error;
pub mod transport;

use std::sync::Arc;

use anyhow::ensure;
use arc_swap::{ArcSwap, Guard};
use flagship_actions::settings::secrets::{CAPTCHA_SECRET, SMTP_PASSWORD, Secrets};
use flagship_actions::settings::sections::given;
use flagship_game::Secret;
use flagship_pack::{Given, Named, Settings, settings_of};
use flagship_store::settings::{self, Seen};
use flagship_store::{Clock, Db, Seal, StoreError};
use tokio::sync::Mutex;

use self::transport::Transport;
use super::captcha::Captcha;
use super::captcha::spent::Spent;
use super::config::Config;
use super::tasks::Tasks;

/// A configuration with the secrets that are kept, where the environment has none.
///
/// # Errors
/// The secrets cannot be read.
pub async fn with_kept_secrets(config: Config, db: &Db, seal: &Seal) -> Result<Config, StoreError> {
    let mut kept = settings::secrets(db, seal).await?;
    Ok(Config {
        smtp_password: config.smtp_password.or_else(|| kept.remove(SMTP_PASSWORD)),
        captcha_secret: config.captcha_secret.or_else(|| kept.remove(CAPTCHA_SECRET)),
        ..config
    })
}

/// Checks the settings of mail and captcha with their secrets. Touches no disk and no network.
///
/// # Errors
/// A node would not start with them.
pub fn check_settings(config: &Config) -> anyhow::Result<()> {
    transport::check(config)?;
    Captcha::check(config)
}

/// Mail and captcha as they are set now.
pub struct Services {
    start: Config,
    spent: Arc<Spent>,
    current: ArcSwap<Current>,
    /// What was last read of the database; held while it is read.
    seen: Mutex<Seen>,
}

pub struct Current {
    /// The configuration of the start, with what is set on the site.
    pub config: Config,
    /// Delivers mails.
    pub transport: Arc<Transport>,
    pub captcha: Arc<Captcha>,
}

impl Services {
    /// Those of a start, and of the site, with the task that marks solutions of captchas.
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
        let seen = Mutex::default();
        let services = Self { start: start.clone(), spent, current, seen };
        services.follow(db, seal, &settings::seen(db).await?).await?;
        Ok(Arc::new(services))
    }

    pub fn load(&self) -> Guard<Arc<Current>> {
        self.current.load()
    }

    /// The same, to be held for longer.
    pub fn load_full(&self) -> Arc<Current> {
        self.current.load_full()
    }

    /// Whether the environment has a secret, which then counts.
    pub fn is_in_environment(&self, name: &str) -> bool {
        match name {
            SMTP_PASSWORD => self.start.smtp_password.is_some(),
            _ => self.start.captcha_secret.is_some(),
        }
    }

    /// Takes over what is set on the site, if it was changed since.
    pub async fn follow(&self, db: &Db, seal: &Seal, seen: &Seen) -> Result<(), StoreError> {
        let mut last = self.seen.lock().await;
        if *last == *seen {
            return Ok(());
        }
        let kept = given(&settings::kept(db).await?);
        let taken = self
            .configured(&kept, &settings::secrets(db, seal).await?)
            .and_then(|config| self.take(config));
        if let Err(error) = taken {
            tracing::error!("what is set on the site is not used: {error:#}");
        }
        *last = seen.clone();
        Ok(())
    }

    /// The configuration with what is, or would be, set on the site.
    pub fn configured(&self, kept: &Given, secrets: &Secrets) -> anyhow::Result<Config> {
        let site = settings_of(kept).map_err(|problems| {
            let lines: Vec<String> = problems.into_iter().map(|it| it.message).collect();
            anyhow::anyhow!("{}", lines.join("; "))
        })?;
        let of_start = &self.start.settings;
        let both = of_start.at_start().over(&site.at_start());
        let settings = Settings { mail: both.mail, captcha: both.captcha, ..of_start.clone() };
        let secret = |start: &Option<Secret>, name| start.clone().or(secrets.get(name).cloned());
        let config = Config {
            settings,
            smtp_password: secret(&self.start.smtp_password, SMTP_PASSWORD),
            captcha_secret: secret(&self.start.captcha_secret, CAPTCHA_SECRET),
            ..self.start.clone()
        };
        let (mail, captcha) = (&config.settings.mail, &config.settings.captcha);
        let lacks_password = mail.username.is_some() && config.smtp_password.is_none();
        ensure!(!lacks_password, "mail with a user name needs a password");
        let lacks_secret = captcha.provider.is_remote() && config.captcha_secret.is_none();
        ensure!(!lacks_secret, "the captcha of {} needs its secret", captcha.provider.as_str());
        check_settings(&config)?;
        Ok(config)
    }

    fn take(&self, config: Config) -> anyhow::Result<()> {
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
        tracing::info!("took over [mail] and [captcha] of the site");
        Ok(())
    }
}

impl flagship_actions::Services for Services {
    fn check(&self, settings: &Given, secrets: &Secrets) -> Result<(), String> {
        self.configured(settings, secrets).map(drop).map_err(|error| format!("{error:#}"))
    }

    fn named(&self) -> &Named {
        &self.start.settings.named
    }
}
