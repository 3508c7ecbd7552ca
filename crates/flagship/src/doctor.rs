//! `flagship doctor`: checks that the machine is ready for the event, with the same checks as
//! `serve`. Changes nothing and sends no email.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail, ensure};
use flagship_load::{Connection, Site, plain, upload_part};
use flagship_pack::{
    ATTACHMENT_BYTES_MAX, AtStart, Live, Origins, Settings, Severity, WIDE_PROXIES,
};
use flagship_server::backup::{FREE_BYTES_MIN, free_bytes, mib};
use flagship_server::storage::{Location, Storage};
use flagship_server::{CertificateTimes, Config};
use flagship_store::lane::Writer;
use flagship_store::{Clock, Db, Seal, settings};
use serde_json::Value;

use crate::cli::{self, Installation};
use crate::output::counted;
use crate::public_url::{self, is_local};
use crate::{failure, lists::table, serve};

/// Maximum accepted difference between the clocks of this machine and the database.
const CLOCKS_APART_MS: i64 = 2_000;
/// Start of 2024 in epoch milliseconds. A clock before it was never set.
const CLOCK_MIN_MS: i64 = 1_704_067_200_000;
/// Timeout for a response from the public URL.
const CALL_MAX: Duration = Duration::from_secs(5);
const UPLOAD_PATH: &str = "/api/organize/files";
/// Number of bytes sent to find out if a proxy forwards uploads: more than the server reads before
/// it rejects an upload.
const UPLOADED_BYTES: u64 = 8 * 1024 * 1024;

/// The result of a check that found no problem.
enum Finding {
    Fine(String),
    /// Something that is missing but not required yet.
    Warning(String),
}

impl From<String> for Finding {
    fn from(words: String) -> Self {
        Self::Fine(words)
    }
}

/// The number of problems found so far.
#[derive(Default)]
struct Findings {
    problems: usize,
}

impl Findings {
    /// Prints the result of a check.
    fn add<T: Into<Finding>>(&mut self, about: &str, found: Result<T>) {
        match self.value(about, found).map(Into::into) {
            Some(Finding::Fine(words)) => outln!("ok       {about}: {words}"),
            Some(Finding::Warning(words)) => outln!("warning  {about}: {words}"),
            None => {}
        }
    }

    fn warn(&mut self, about: &str, words: &str) {
        self.add(about, Ok(Finding::Warning(words.to_owned())));
    }

    /// Returns the value of a check; prints the problem if the check failed.
    fn value<T>(&mut self, about: &str, found: Result<T>) -> Option<T> {
        let problem = |error| {
            self.problems += 1;
            outln!("problem  {about}: {}", failure::message(&error));
        };
        found.map_err(problem).ok()
    }
}

/// Prints a line for each check; returns an error if there is a problem.
pub async fn doctor(args: &cli::Doctor) -> Result<()> {
    let mut findings = Findings::default();
    let installation = &args.installation;
    let known = Db::schema_known();
    let version = format!("{}, schema version {known}", env!("CARGO_PKG_VERSION"));
    findings.add("flagship", Ok(version));
    findings.add("clock", clock());
    findings.add("data folder", folder(&installation.data));
    findings.add("file modes", modes(installation));
    findings.add("free space", free_space(&installation.data));
    let has_event = installation.holds_event().await;
    let is_first = matches!(has_event, Ok(false));
    let is_event = matches!(has_event, Ok(true));
    findings.add("secret", secret(installation, is_first, is_event));
    if findings.value("database", has_event) == Some(false) {
        findings.warn("database", "there is no event yet; the first `flagship serve` creates it");
    }
    if is_event {
        event(&mut findings, installation).await;
    }
    let used = match &args.event {
        Some(event) => config_of_files(&mut findings, event, installation),
        None if is_event => config_of_site(&mut findings, installation).await,
        None => {
            let why =
                "not checked: pass the event folder with --event, or set up the event on the site";
            findings.warn("event's files", why);
            None
        }
    };
    let own = args.tls.as_ref().map(|domain| format!("https://{domain}"));
    let known = used.as_ref().and_then(|used| used.public_url.as_ref());
    let given = args.public_url.as_ref().or(own.as_ref());
    let url = given.or(known);
    if let Some(used) = &used {
        findings.add("mail", mail(used).await);
    }
    let certificate = url.and_then(|url| certificate(installation, url, args.tls.is_some()));
    let has_tls = certificate.is_some();
    if let Some(found) = certificate {
        findings.add("certificate", found);
    }
    let local = known.filter(|url| given.is_none() && is_local(url));
    if let Some(url) = local {
        let why = format!(
            "not checked: the server was last started at `{url}`, which is local to \
             this machine; pass --public-url to `serve`, or here"
        );
        findings.warn("public URL", &why);
    } else if let Some(url) = url {
        findings.add("public URL", public_url(url));
        if let Some(used) = &used {
            findings.add("proxies", proxies(!has_tls && url.starts_with("https://"), used));
        }
        let found = site(url, is_first).await;
        let is_reachable = matches!(found, Ok(Finding::Fine(_)));
        findings.add("site", found);
        if is_reachable {
            findings.add("uploads", uploads(url).await);
        }
    }
    match findings.problems {
        0 => Ok(()),
        1 => bail!("1 problem found; see above"),
        count => bail!("{count} problems found; see above"),
    }
}

async fn event(findings: &mut Findings, installation: &Installation) {
    let Some(db) = findings.value("database", installation.connect().await) else { return };
    findings.add("database", database(&db).await);
    findings.add("attachments", attachments(&db, installation).await);
    findings.add("journal", journal(&db, installation).await);
    findings.add("database clock", clocks(&db).await);
    db.close().await;
}

fn clock() -> Result<String> {
    ensure!(
        Clock::system().now_ms() >= CLOCK_MIN_MS,
        "the system clock is not set, so the event would not start and end on time: set it \
        (`timedatectl set-ntp true`)"
    );
    Ok(jiff::Timestamp::now().strftime("%Y-%m-%d %H:%M:%S UTC").to_string())
}

fn folder(data: &Path) -> Result<Finding> {
    let there = existing(data);
    let mut file = tempfile::tempfile_in(there)
        .with_context(|| format!("`{}` is not writable", there.display()))?;
    std::io::Write::write_all(&mut file, b"x").context("write")?;
    file.sync_all().context("write to the disk")?;
    Ok(match there == data {
        true => Finding::Fine(format!("`{}` is writable", data.display())),
        false => Finding::Warning(format!(
            "`{}` does not exist yet; the first `flagship serve` creates it",
            data.display()
        )),
    })
}

/// Returns the folder, or its nearest existing parent.
fn existing(folder: &Path) -> &Path {
    let mut parents = folder.ancestors().filter(|it| *it != Path::new(""));
    parents.find(|it| it.exists()).unwrap_or(Path::new("."))
}

fn secret(installation: &Installation, is_first: bool, is_event: bool) -> Result<Finding> {
    if is_event && installation.is_secret_missing() {
        return Err(installation.no_secret());
    }
    if is_first && !installation.secret_path().try_exists()? {
        return Ok(Finding::Warning("not created yet; the first start creates it".to_owned()));
    }
    installation.key(false).map(|_| Finding::Fine("readable".to_owned()))
}

/// Checks that only the owner can read the files with addresses, sessions and the secret.
fn modes(installation: &Installation) -> Result<String> {
    let inside = ["flagship.db", "flagship.db-wal", "files", "mail", "tls"];
    let inside = inside.into_iter().map(|name| installation.data.join(name));
    let data = fs::metadata(&installation.data);
    let is_private = data.is_ok_and(|about| about.permissions().mode() & 0o077 == 0);
    for path in [installation.data.clone(), installation.secret_path()].into_iter().chain(inside) {
        let Ok(about) = fs::metadata(&path) else { continue };
        let mode = about.permissions().mode() & 0o777;
        let is_inside = path.starts_with(&installation.data) && path != installation.data;
        // Files in a private data folder are private.
        if mode & 0o077 != 0 && !(is_inside && is_private) {
            bail!(
                "`{}` has mode {mode:o}, so other users can read it: run `chmod go=` on it",
                path.display()
            );
        }
    }
    Ok("readable by the owner only".to_owned())
}

fn free_space(data: &Path) -> Result<String> {
    let bytes = free_bytes(existing(data))?;
    let words = format!("{} MiB", mib(bytes));
    ensure!(
        bytes >= FREE_BYTES_MIN,
        "only {words} free; an event needs {} MiB: free some space or use another --data folder",
        mib(FREE_BYTES_MIN)
    );
    Ok(words)
}

async fn database(db: &Db) -> Result<String> {
    let is = db.schema().await.context("read its schema")?;
    let known = Db::schema_known();
    ensure!(is <= known, flagship_store::StoreError::Newer(is));
    if let Some(damage) = db.damage().await? {
        bail!(
            "the database is damaged ({damage}): stop the server and keep the file; then restore \
             the newest backup into an empty folder: `flagship restore FILE --data NEW`"
        );
    }
    let next = if is < known { "; the next start migrates it" } else { "" };
    Ok(format!("{}, schema version {is}{next}", db.engine()))
}

/// Checks that attachments can be stored, and that none are left in the data folder.
async fn attachments(db: &Db, installation: &Installation) -> Result<Finding> {
    let place = installation.location()?;
    if db.schema().await? != Db::schema_known() {
        return Ok(Finding::Warning("not checked: the schema is not up to date".to_owned()));
    }
    let storage = installation.storage_at(&place, db)?;
    storage.check().await.with_context(|| format!("write to {place}"))?;
    let stored = storage.list().await.context("list the files")?;
    let count = counted(stored.len() as i64, "file", "files");
    if storage.is_shared() {
        let in_folder = Storage::folder(&installation.data).list().await?;
        let left = in_folder.iter().filter(|file| !stored.contains(file)).count();
        ensure!(
            left == 0,
            "{left} files are in `{0}/files` and not in {place}: stop the servers and run \
            `flagship attachments move --to {1}` with --attachments {2}",
            installation.data.display(),
            place.argument(),
            Location::Folder(installation.data.clone()).argument()
        );
    }
    Ok(Finding::Fine(format!("{place} is writable, {count}")))
}

async fn journal(db: &Db, installation: &Installation) -> Result<String> {
    if db.schema().await? != Db::schema_known() {
        return Ok("not checked: the schema is not up to date".to_owned());
    }
    if installation.is_secret_missing() {
        return Ok("not checked: the secret is missing".to_owned());
    }
    let clock = db.clock().await?;
    let writer = Writer::open(db.clone(), &installation.key(false)?, clock.clone()).await?;
    flagship_store::journal::check_solves(db).await?;
    writer.seal().check(db).await?;
    let ahead_s = (writer.contest().at_ms() - clock.now_ms()) / 1000;
    ensure!(
        ahead_s <= 0,
        "the last entry is {} in the future: the clock is or was wrong; set it (`timedatectl`)",
        table::duration(ahead_s * 1000)
    );
    let entries = counted(writer.contest().seq(), "entry", "entries");
    Ok(format!("{entries}, hash chain intact"))
}

async fn clocks(db: &Db) -> Result<String> {
    let apart_ms = db.clock().await?.now_ms() - Clock::system().now_ms();
    ensure!(
        apart_ms.abs() <= CLOCKS_APART_MS,
        "{} s ahead of this machine's: set both clocks (`timedatectl set-ntp true`)",
        apart_ms / 1000
    );
    Ok("in sync with this machine".to_owned())
}

/// Configuration that a server uses.
struct EffectiveConfig {
    /// Settings, with the email and captcha secrets.
    config: Config,
    /// Place to change the settings, for messages.
    place: &'static str,
    /// Public URL of the last start, for an event without files.
    public_url: Option<String>,
}

/// Checks the event files; returns the configuration for `serve` if they are readable.
fn config_of_files(
    findings: &mut Findings,
    event: &Path,
    installation: &Installation,
) -> Option<EffectiveConfig> {
    let read = flagship_pack::check(event, Clock::system().now_ms());
    let pack = findings.value("event's files", read.map_err(Into::into))?;
    let error = pack.problems.iter().find(|it| it.severity == Severity::Error);
    let checked = match error {
        Some(problem) => Err(anyhow!(
            "{problem}; `flagship check --event {}` lists all problems",
            event.display()
        )),
        None => Ok(pack.summary()),
    };
    findings.add("event's files", checked);
    let config = serve::config(None, &installation.data, &pack.settings, None);
    let config = findings.value("mail", config)?;
    Some(EffectiveConfig { config, place: "event.toml", public_url: None })
}

/// Reads the configuration of a server started without files, or prints the reason for skipping the
/// check.
async fn config_of_site(
    findings: &mut Findings,
    installation: &Installation,
) -> Option<EffectiveConfig> {
    // Another check reports a database or a secret that cannot be read.
    let read = async {
        let db = installation.connect().await?;
        let used = read_site_config(&db, installation).await;
        db.close().await;
        used
    };
    let Some(used) = findings.value("settings", read.await.context("read the settings"))? else {
        let why = "not checked: no server has used this database yet; pass the event folder with \
                   --event";
        findings.warn("settings", why);
        return None;
    };
    findings.add("settings", Ok(format!("read from {}", used.place)));
    Some(used)
}

async fn read_site_config(db: &Db, installation: &Installation) -> Result<Option<EffectiveConfig>> {
    ensure!(
        db.schema().await? == Db::schema_known(),
        "the database has a different schema version"
    );
    let Some(at_start) = flagship_server::at_start_in(db).await? else { return Ok(None) };
    let AtStart { captcha, mail, site: Origins { allowed_origins }, .. } = at_start;
    let live = flagship_server::settings_in(db).await?;
    let Live { registration, limits, privacy, site, named } = live;
    let site = flagship_pack::Site { allowed_origins, ..site };
    let settings = Settings { registration, captcha, mail, limits, privacy, site, named };
    let config = serve::config(None, &installation.data, &settings, None)?;
    let seal = Seal::open(db, &installation.key(false)?).await?;
    let config = flagship_server::with_stored_secrets(config, db, &seal).await?;
    let public_url = settings::public_url(db).await?;
    Ok(Some(EffectiveConfig { config, place: "the site settings", public_url }))
}

/// Runs the checks of `serve`, then logs in to the mail server.
async fn mail(used: &EffectiveConfig) -> Result<Finding> {
    let config = &used.config;
    flagship_server::check_settings(config)?;
    if let Some(address) = flagship_server::log_in_to_mail(config).await? {
        let login = match config.settings.mail.username {
            Some(_) => "accepts the login",
            None => "responds",
        };
        return Ok(Finding::Fine(format!("`{address}` {login}")));
    }
    let folder = config.data.join("mail");
    if folder.exists() {
        tempfile::tempfile_in(&folder).context("the mail folder is not writable")?;
    }
    let registration = &config.settings.registration;
    if registration.open && registration.confirm_email {
        return Ok(Finding::Warning(format!(
            "emails are written to files, so teams never receive their confirmation link: set \
             `transport = \"smtp\"` in [mail] of {}, or `confirm_email = false` in [registration]",
            used.place
        )));
    }
    Ok(Finding::Fine("emails are written to files, not sent".to_owned()))
}

fn public_url(url: &str) -> Result<String> {
    public_url::check(url).with_context(|| format!("`{url}`"))?;
    match url {
        url if url.starts_with("https://") => Ok(format!("`{url}` is protected by TLS")),
        url if is_local(url) => Ok(format!("`{url}` is local to this machine")),
        url => bail!(
            "`{url}` does not use TLS, so browsers will not keep players logged in: use https"
        ),
    }
}

/// Checks the stored certificate of `serve --tls`. Returns `None` without `--tls` if none is stored
/// for the host of the URL.
fn certificate(
    installation: &Installation,
    url: &str,
    has_option: bool,
) -> Option<Result<Finding>> {
    let domain = url.strip_prefix("https://")?.trim_end_matches('/');
    match flagship_server::stored_certificate(&installation.data, domain) {
        Err(_) | Ok(None) if !has_option => None,
        Err(error) => Some(Err(error)),
        Ok(None) => Some(Ok(Finding::Warning(
            "there is none yet; `flagship serve --tls` requests it".to_owned(),
        ))),
        Ok(Some(times)) => Some(validity(&times, Clock::system().now_ms())),
    }
}

fn validity(times: &CertificateTimes, now_ms: i64) -> Result<Finding> {
    let until = times.expires_at();
    ensure!(
        now_ms < times.expires_at_ms,
        "it expired at {until} and was not renewed: the log of `serve` has the reason"
    );
    Ok(match now_ms < times.renew_at_ms {
        true => Finding::Fine(format!("valid until {until}")),
        false => Finding::Warning(format!(
            "valid until {until}, but its renewal is due: the log of `serve` has the reason if it \
             fails"
        )),
    })
}

/// With https there is a proxy, unless TLS is built in. If it is not trusted, all players appear
/// under its address.
fn proxies(is_proxied: bool, used: &EffectiveConfig) -> Result<String> {
    let (limits, place) = (&used.config.settings.limits, used.place);
    let proxies = &limits.trusted_proxies;
    ensure!(
        !(is_proxied && proxies.is_empty()),
        "https needs a proxy, but `trusted_proxies` in [limits] of {place} is empty, so all \
         players would share one network's limits. List the proxy: trusted_proxies = \
         [\"127.0.0.1\"]"
    );
    if let Some(wide) = limits.wide_proxies().next() {
        bail!(
            "`trusted_proxies` in [limits] of {place} has {wide}: {WIDE_PROXIES}. List the \
             addresses of the proxy only: trusted_proxies = [\"127.0.0.1\"]"
        );
    }
    Ok(format!("{} trusted", proxies.len()))
}

/// Requests the site like a player.
async fn site(url: &str, is_first: bool) -> Result<Finding> {
    let called = tokio::time::timeout(CALL_MAX, call(url)).await;
    let called = called.unwrap_or_else(|_| bail!("no response within 5 s"));
    match called {
        Ok(name) => Ok(Finding::Fine(format!("`{url}` serves {name:?}"))),
        Err(error) if is_first => Ok(Finding::Warning(format!(
            "`{url}` is not reachable yet ({error:#}); run doctor again when the server is running"
        ))),
        Err(error) => bail!(
            "`{url}` does not serve the event ({error:#}): check that the server is running \
            (`systemctl status flagship`), that the proxy forwards to its --listen address, and \
            the DNS record"
        ),
    }
}

/// Begins an upload of the maximum file size. The server rejects it with a `code` because there is
/// no session, so a response without a code comes from a proxy. Nothing is stored.
async fn uploads(url: &str) -> Result<Finding> {
    let site = Site::parse(url, None)?;
    let largest = upload_part(&site, UPLOAD_PATH, ATTACHMENT_BYTES_MAX, UPLOADED_BYTES);
    // A proxy that buffers requests waits for the rest.
    let Ok(answer) = tokio::time::timeout(CALL_MAX, largest).await else {
        return Ok(Finding::Warning(
            "a proxy buffers uploads on its disk before forwarding them: turn off request \
             buffering (nginx: `proxy_request_buffering off`)"
                .to_owned(),
        ));
    };
    let (status, body) = answer.context("send an upload of 1 GiB")?;
    let answer: Value = serde_json::from_slice(&body).unwrap_or_default();
    ensure!(
        answer["code"].is_string(),
        "a proxy rejects a 1 GiB file with {status}: raise its request size limit for \
         /api/organize/ to 1025 MiB, as the examples in `deploy/` do (nginx: \
         `client_max_body_size`, Caddy: `max_size`)"
    );
    Ok(Finding::Fine("files of up to 1 GiB reach the server".to_owned()))
}

/// Returns the event name that a site shows.
async fn call(url: &str) -> Result<String> {
    let mut connection = Connection::to(&Site::parse(url, None)?).await?;
    let response = connection.send(plain("/api/ctf", "")?).await?;
    ensure!(response.status.is_success(), "it responded with {}", response.status);
    let event: Value = serde_json::from_slice(&response.body).unwrap_or_default();
    ensure!(event["serverTime"].is_i64(), "a different program responded");
    Ok(event["name"].as_str().unwrap_or_default().to_owned())
}
