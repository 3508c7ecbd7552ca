//! `flagship doctor`: checks what an event needs before it runs, with the checks of `serve` itself.
//! It changes nothing and sends no mail.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail, ensure};
use flagship_load::{Connection, Site, plain, upload_part};
use flagship_pack::{
    ATTACHMENT_BYTES_MAX, AtStart, Live, Origins, Settings, Severity, WIDE_PROXIES,
};
use flagship_server::Config;
use flagship_server::backup::{FREE_BYTES_MIN, free_bytes, mib};
use flagship_store::lane::Writer;
use flagship_store::{Clock, Db, Seal, settings};
use serde_json::Value;

use crate::cli::{self, Installation};
use crate::public_url::{self, is_local};
use crate::say::counted;
use crate::{failure, lists::table, serve};

/// Largest accepted difference between the clocks of this machine and the database.
const CLOCKS_APART_MS: i64 = 2_000;
/// The start of 2024 in epoch milliseconds; a clock before it was never set.
const CLOCK_MIN_MS: i64 = 1_704_067_200_000;
/// How long the public URL may take to respond.
const CALL_MAX: Duration = Duration::from_secs(5);
const UPLOAD_PATH: &str = "/api/organize/files";
/// Bytes that are sent to learn whether a proxy forwards uploads, more than the server reads of an
/// upload before it refuses it.
const UPLOADED_BYTES: u64 = 8 * 1024 * 1024;

/// The result of a check that found no problem.
enum Finding {
    Fine(String),
    /// Something that is not there yet.
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
            Some(Finding::Fine(words)) => say!("ok       {about}: {words}"),
            Some(Finding::Warning(words)) => say!("warning  {about}: {words}"),
            None => {}
        }
    }

    fn warn(&mut self, about: &str, words: &str) {
        self.add(about, Ok(Finding::Warning(words.to_owned())));
    }

    /// What was found; prints the problem if that failed.
    fn value<T>(&mut self, about: &str, found: Result<T>) -> Option<T> {
        let problem = |error| {
            self.problems += 1;
            say!("problem  {about}: {}", failure::words(&error));
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
        Some(event) => used_of_files(&mut findings, event, installation),
        None if is_event => used_of_site(&mut findings, installation).await,
        None => {
            let why =
                "not checked: name their folder with --event, or set the event up on the site";
            findings.warn("event's files", why);
            None
        }
    };
    let known = used.as_ref().and_then(|used| used.public_url.as_ref());
    let url = args.public_url.as_ref().or(known);
    if let Some(used) = &used {
        findings.add("mail", mail(used, url.map(String::as_str)).await);
    }
    let local = known.filter(|url| args.public_url.is_none() && is_local(url));
    if let Some(url) = local {
        let why = format!(
            "not checked: the server was last started at `{url}`, which is for this machine \
             alone; give --public-url to `serve`, or here"
        );
        findings.warn("public URL", &why);
    } else if let Some(url) = url {
        findings.add("public URL", public_url(url));
        if let Some(used) = &used {
            findings.add("proxies", proxies(url, used));
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
        1 => bail!("1 problem: its line says what to do"),
        count => bail!("{count} problems: their lines say what to do"),
    }
}

async fn event(findings: &mut Findings, installation: &Installation) {
    let Some(db) = findings.value("database", installation.connect().await) else { return };
    findings.add("database", database(&db).await);
    findings.add("journal", journal(&db, installation).await);
    findings.add("database's clock", clocks(&db).await);
    db.close().await;
}

fn clock() -> Result<String> {
    ensure!(
        Clock::system().now_ms() >= CLOCK_MIN_MS,
        "the clock was never set, so the event would not start and end on time: set it \
         (`timedatectl set-ntp true`)"
    );
    Ok(jiff::Timestamp::now().strftime("%Y-%m-%d %H:%M:%S UTC").to_string())
}

fn folder(data: &Path) -> Result<Finding> {
    let there = existing(data);
    let mut file = tempfile::tempfile_in(there)
        .with_context(|| format!("`{}` cannot be written to", there.display()))?;
    std::io::Write::write_all(&mut file, b"x").context("write")?;
    file.sync_all().context("write to the disk")?;
    Ok(match there == data {
        true => Finding::Fine(format!("`{}` can be written to", data.display())),
        false => Finding::Warning(format!(
            "`{}` does not exist yet; the first `flagship serve` creates it",
            data.display()
        )),
    })
}

/// The folder, or the nearest one above it that exists.
fn existing(folder: &Path) -> &Path {
    let mut parents = folder.ancestors().filter(|it| *it != Path::new(""));
    parents.find(|it| it.exists()).unwrap_or(Path::new("."))
}

fn secret(installation: &Installation, is_first: bool, is_event: bool) -> Result<Finding> {
    if is_event && installation.is_secret_missing() {
        return Err(installation.no_secret());
    }
    if is_first && !installation.secret_path().try_exists()? {
        return Ok(Finding::Warning("there is none yet; the first start creates it".to_owned()));
    }
    installation.key(false).map(|_| Finding::Fine("can be read".to_owned()))
}

/// Checks that only the owner can read the files with addresses, sessions and the secret.
fn modes(installation: &Installation) -> Result<String> {
    let inside = ["flagship.db", "flagship.db-wal", "files", "mail"];
    let inside = inside.into_iter().map(|name| installation.data.join(name));
    let data = fs::metadata(&installation.data);
    let is_private = data.is_ok_and(|about| about.permissions().mode() & 0o077 == 0);
    for path in [installation.data.clone(), installation.secret_path()].into_iter().chain(inside) {
        let Ok(about) = fs::metadata(&path) else { continue };
        let mode = about.permissions().mode() & 0o777;
        let is_inside = path.starts_with(&installation.data) && path != installation.data;
        // Files in a private data folder are private.
        if mode & 0o077 != 0 && !(is_inside && is_private) {
            bail!("`{}` has mode {mode:o}: other users may read it (chmod go=)", path.display());
        }
    }
    Ok("readable by the owner alone".to_owned())
}

fn free_space(data: &Path) -> Result<String> {
    let bytes = free_bytes(existing(data))?;
    let words = format!("{} MiB", mib(bytes));
    ensure!(
        bytes >= FREE_BYTES_MIN,
        "only {words}; an event needs {} MiB: free some space, or choose another --data",
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
        "its last entry is {} in the future: the clock is wrong, or was; set it \
         (`timedatectl`)",
        table::duration(ahead_s * 1000)
    );
    let entries = counted(writer.contest().seq(), "entry", "entries");
    Ok(format!("{entries}, each follows the one before"))
}

async fn clocks(db: &Db) -> Result<String> {
    let apart_ms = db.clock().await?.now_ms() - Clock::system().now_ms();
    ensure!(
        apart_ms.abs() <= CLOCKS_APART_MS,
        "{} s ahead of this machine's: set both clocks (`timedatectl set-ntp true`)",
        apart_ms / 1000
    );
    Ok("the same as this machine's".to_owned())
}

/// What a server uses.
struct Used {
    /// The settings, and the secrets of mail and captcha.
    config: Config,
    /// Where organizers change the settings.
    place: &'static str,
    /// The public address of the last start, of an event without files.
    public_url: Option<String>,
}

/// Checks the event's files; returns what `serve` uses of them, if they can be read at all.
fn used_of_files(
    findings: &mut Findings,
    event: &Path,
    installation: &Installation,
) -> Option<Used> {
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
    Some(Used { config, place: "event.toml", public_url: None })
}

/// Reads what a server uses that is started without files, or says why that is not checked.
async fn used_of_site(findings: &mut Findings, installation: &Installation) -> Option<Used> {
    // Another check reports a database or a secret that cannot be read.
    let read = async {
        let db = installation.connect().await?;
        let used = read_of_site(&db, installation).await;
        db.close().await;
        used
    };
    let Some(used) = findings.value("settings", read.await.context("read the settings"))? else {
        let why = "not checked, because no server has used this database yet: name the event's \
                   folder with --event";
        findings.warn("settings", why);
        return None;
    };
    findings.add("settings", Ok(format!("those of {}", used.place)));
    Some(used)
}

async fn read_of_site(db: &Db, installation: &Installation) -> Result<Option<Used>> {
    ensure!(
        db.schema().await? == Db::schema_known(),
        "the database's schema is of another version"
    );
    let Some(at_start) = flagship_server::at_start_in(db).await? else { return Ok(None) };
    let AtStart { captcha, mail, site: Origins { allowed_origins }, .. } = at_start;
    let live = flagship_server::settings_in(db).await?;
    let Live { registration, limits, privacy, site, named } = live;
    let site = flagship_pack::Site { allowed_origins, ..site };
    let settings = Settings { registration, captcha, mail, limits, privacy, site, named };
    let config = serve::config(None, &installation.data, &settings, None)?;
    let seal = Seal::open(db, &installation.key(false)?).await?;
    let config = flagship_server::with_kept_secrets(config, db, &seal).await?;
    let public_url = settings::public_url(db).await?;
    Ok(Some(Used { config, place: "the settings of the site", public_url }))
}

/// The checks of `serve`, then a login to the mail server. At a public `url` signups need mail.
async fn mail(used: &Used, url: Option<&str>) -> Result<Finding> {
    let config = &used.config;
    flagship_server::check_settings(config)?;
    if let Some(address) = flagship_server::log_in_to_mail(config).await? {
        let login = match config.settings.mail.username {
            Some(_) => "accepts the login",
            None => "answers",
        };
        return Ok(Finding::Fine(format!("`{address}` {login}")));
    }
    let folder = config.data.join("mail");
    if folder.exists() {
        tempfile::tempfile_in(&folder).context("the mail folder cannot be written to")?;
    }
    let registration = &config.settings.registration;
    if url.is_some_and(|url| !is_local(url)) && registration.open && registration.confirm_email {
        return Ok(Finding::Warning(format!(
            "written to files, so no team that signs up gets the link that it needs to play: set \
             `transport = \"smtp\"` in [mail] of {}, or `confirm_email = false` in [registration]",
            used.place
        )));
    }
    Ok(Finding::Fine("written to files; no mail is sent".to_owned()))
}

fn public_url(url: &str) -> Result<String> {
    public_url::check(url).with_context(|| format!("`{url}`"))?;
    match url {
        url if url.starts_with("https://") => Ok(format!("`{url}` is protected by TLS")),
        url if is_local(url) => Ok(format!("`{url}` is for this machine alone")),
        url => bail!(
            "`{url}` is not protected by TLS: browsers do not keep players logged in; use https"
        ),
    }
}

/// Behind https there is a proxy, whose address all players have if it is not trusted.
fn proxies(url: &str, used: &Used) -> Result<String> {
    let (limits, place) = (&used.config.settings.limits, used.place);
    let proxies = &limits.trusted_proxies;
    ensure!(
        !(url.starts_with("https://") && proxies.is_empty()),
        "`trusted_proxies` of [limits] in {place} is empty, and https needs a proxy: all \
         players would count as one network. List the proxy: trusted_proxies = [\"127.0.0.1\"]"
    );
    if let Some(wide) = limits.wide_proxies().next() {
        bail!(
            "`trusted_proxies` of [limits] in {place} has {wide}: {WIDE_PROXIES}. List the \
             addresses of the proxy only: trusted_proxies = [\"127.0.0.1\"]"
        );
    }
    Ok(format!("{} trusted", proxies.len()))
}

/// Calls the site as a player would.
async fn site(url: &str, is_first: bool) -> Result<Finding> {
    let called = tokio::time::timeout(CALL_MAX, call(url)).await;
    let called = called.unwrap_or_else(|_| bail!("there was no answer in 5 s"));
    match called {
        Ok(name) => Ok(Finding::Fine(format!("`{url}` answers as {name:?}"))),
        Err(error) if is_first => Ok(Finding::Warning(format!(
            "`{url}` is not reachable yet ({error:#}); call doctor again once it is served"
        ))),
        Err(error) => bail!(
            "`{url}` does not show the event ({error:#}): check that the server runs (`systemctl \
             status flagship`), that the proxy forwards to its --listen address, and the name in \
             DNS"
        ),
    }
}

/// Begins an upload as large as the largest file. Without a session the server refuses it with a
/// `code`, so that an answer without one comes from a proxy. Nothing is stored.
async fn uploads(url: &str) -> Result<Finding> {
    let site = Site::parse(url, None)?;
    let largest = upload_part(&site, UPLOAD_PATH, ATTACHMENT_BYTES_MAX, UPLOADED_BYTES);
    // A proxy that stores requests before it forwards them waits for the rest.
    let Ok(answer) = tokio::time::timeout(CALL_MAX, largest).await else {
        return Ok(Finding::Warning(
            "a proxy stores an upload before it forwards it, which needs space on its disk for \
             each: turn off its buffering of requests (nginx: `proxy_request_buffering off`)"
                .to_owned(),
        ));
    };
    let (status, body) = answer.context("send an upload of 1 GiB")?;
    let answer: Value = serde_json::from_slice(&body).unwrap_or_default();
    ensure!(
        answer["code"].is_string(),
        "a proxy refuses a file of 1 GiB with {status}: raise its limit of a request's size for \
         /api/organize/ to 1025 MiB, as the examples in `deploy/` do (nginx: \
         `client_max_body_size`, Caddy: `max_size`)"
    );
    Ok(Finding::Fine("files of up to 1 GiB reach the server".to_owned()))
}

/// The name of the event that a site shows.
async fn call(url: &str) -> Result<String> {
    let mut connection = Connection::to(&Site::parse(url, None)?).await?;
    let response = connection.send(plain("/api/ctf", "")?).await?;
    ensure!(response.status.is_success(), "it answers {}", response.status);
    let event: Value = serde_json::from_slice(&response.body).unwrap_or_default();
    ensure!(event["serverTime"].is_i64(), "another program answers");
    Ok(event["name"].as_str().unwrap_or_default().to_owned())
}
