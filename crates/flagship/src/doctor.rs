//! `flagship doctor`: checks what an event needs before it runs. It changes nothing.

use std::fs;
use std::net::ToSocketAddrs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use flagship_pack::{Mail, MailTransport};
use flagship_store::lane::Writer;
use flagship_store::{Clock, Db};

use crate::cli::{self, Installation};
use crate::serve::is_local;

/// Least free space in the data folder, in bytes.
const FREE_BYTES_MIN: u64 = 1024 * 1024 * 1024;
/// Largest accepted difference between the clocks of this machine and the database.
const CLOCKS_APART_MS: i64 = 2_000;
/// The start of 2024 in epoch milliseconds; a clock before it was never set.
const CLOCK_MIN_MS: i64 = 1_704_067_200_000;
/// Timeout of the connection to the mail server.
const MAIL_WAIT: Duration = Duration::from_secs(5);

/// The number of problems found so far.
#[derive(Default)]
struct Findings {
    problems: usize,
}

impl Findings {
    /// Prints the result of a check.
    fn add(&mut self, about: &str, found: Result<String>) {
        match found {
            Ok(words) => println!("ok       {about}: {words}"),
            Err(error) => {
                self.problems += 1;
                println!("problem  {about}: {error:#}");
            }
        }
    }
}

/// Prints a line for each check; returns an error if there is a problem.
pub async fn doctor(args: &cli::Doctor) -> Result<()> {
    let (mut findings, installation) = (Findings::default(), &args.installation);
    let known = Db::schema_known();
    let version = format!("{}, schema version {known}", env!("CARGO_PKG_VERSION"));
    findings.add("flagship", Ok(version));
    findings.add("clock", clock());
    findings.add("data folder", folder(&installation.data));
    findings.add("file modes", modes(installation));
    findings.add("free space", free_space(&installation.data));
    findings.add("secret", installation.key(false).map(|_| "can be read".to_owned()));
    match connect(installation).await {
        Err(error) => findings.add("database", Err(error)),
        Ok(db) => {
            findings.add("database", database(&db).await);
            findings.add("journal", journal(&db, installation).await);
            findings.add("database's clock", clocks(&db).await);
            db.close().await;
        }
    }
    if let Some(event) = &args.event {
        findings.add("event's files", files(event));
        if let Ok(pack) = flagship_pack::read(event) {
            findings.add("mail", mail(&pack.settings.mail, &installation.data).await);
        }
    }
    if let Some(url) = &args.public_url {
        findings.add("public URL", public_url(url));
    }
    match findings.problems {
        0 => Ok(()),
        1 => bail!("1 problem"),
        count => bail!("{count} problems"),
    }
}

fn clock() -> Result<String> {
    if Clock::system().now_ms() < CLOCK_MIN_MS {
        bail!("the clock was never set, so the event would not start and end on time");
    }
    Ok(jiff::Timestamp::now().strftime("%Y-%m-%d %H:%M:%S UTC").to_string())
}

fn folder(data: &Path) -> Result<String> {
    let mut file = tempfile::tempfile_in(data)
        .with_context(|| format!("`{}` cannot be written to", data.display()))?;
    std::io::Write::write_all(&mut file, b"x").context("write")?;
    file.sync_all().context("write to the disk")?;
    Ok(format!("`{}` can be written to", data.display()))
}

/// Checks that only the owner can read the files with addresses, sessions and the secret.
fn modes(installation: &Installation) -> Result<String> {
    let inside = ["flagship.db", "flagship.db-wal", "files", "mail"];
    let inside = inside.into_iter().map(|name| installation.data.join(name));
    for path in [installation.data.clone(), installation.secret_path()].into_iter().chain(inside) {
        let Ok(about) = fs::metadata(&path) else { continue };
        let mode = about.permissions().mode() & 0o777;
        let is_inside = path.starts_with(&installation.data) && path != installation.data;
        // Files in a private data folder are private.
        if mode & 0o077 != 0 && !(is_inside && is_private(&installation.data)) {
            bail!("`{}` has mode {mode:o}: other users may read it (chmod go=)", path.display());
        }
    }
    Ok("readable by the owner alone".to_owned())
}

fn is_private(folder: &Path) -> bool {
    fs::metadata(folder).is_ok_and(|about| about.permissions().mode() & 0o077 == 0)
}

fn free_space(data: &Path) -> Result<String> {
    let about = rustix::fs::statvfs(data).context("read the free space of the disk")?;
    let bytes = about.f_bavail * about.f_frsize;
    let words = format!("{} MiB", bytes / 1024 / 1024);
    if bytes < FREE_BYTES_MIN {
        bail!("only {words}; an event needs {} MiB", FREE_BYTES_MIN / 1024 / 1024);
    }
    Ok(words)
}

async fn connect(installation: &Installation) -> Result<Db> {
    let file = installation.database_file();
    if installation.database.is_none() && !file.exists() {
        bail!("there is no event in `{}`", installation.data.display());
    }
    installation.connect(&file).await
}

async fn database(db: &Db) -> Result<String> {
    let (is, known) = (db.schema().await.context("read its schema")?, Db::schema_known());
    if is > known {
        bail!(flagship_store::StoreError::Newer(is));
    }
    if let Some(damage) = db.damage().await? {
        bail!("the database is damaged: {damage}");
    }
    let next = if is < known { "; the next start migrates it" } else { "" };
    Ok(format!("{}, schema version {is}{next}", db.engine()))
}

async fn journal(db: &Db, installation: &Installation) -> Result<String> {
    if db.schema().await? != Db::schema_known() {
        return Ok("not checked: the schema is not up to date".to_owned());
    }
    let clock = db.clock().await?;
    let writer = Writer::open(db.clone(), &installation.key(false)?, clock.clone()).await?;
    flagship_store::journal::check_solves(db).await?;
    writer.seal().check(db).await?;
    let ahead_s = (writer.contest().at_ms() - clock.now_ms()) / 1000;
    if ahead_s > 0 {
        bail!("its last entry is {ahead_s} s in the future: the clock is wrong, or was");
    }
    Ok(format!("{} entries, each follows the one before", writer.contest().seq()))
}

async fn clocks(db: &Db) -> Result<String> {
    let apart_ms = db.clock().await?.now_ms() - Clock::system().now_ms();
    if apart_ms.abs() > CLOCKS_APART_MS {
        bail!("{} s ahead of this machine's", apart_ms / 1000);
    }
    Ok("the same as this machine's".to_owned())
}

fn files(event: &Path) -> Result<String> {
    let pack = flagship_pack::read(event)?;
    match pack.problems.iter().find(|it| it.severity == flagship_pack::Severity::Error) {
        Some(problem) => bail!("{problem}"),
        None => Ok(pack.summary()),
    }
}

async fn mail(settings: &Mail, data: &Path) -> Result<String> {
    match settings.transport {
        MailTransport::File => {
            let folder = data.join("mail");
            if folder.exists() {
                tempfile::tempfile_in(&folder).context("the mail folder cannot be written to")?;
            }
            Ok("written to files; no mail is sent".to_owned())
        }
        MailTransport::Smtp => {
            let address = format!("{}:{}", settings.host, settings.port);
            let resolve = address.clone();
            let found = tokio::task::spawn_blocking(move || resolve.to_socket_addrs()).await?;
            let found = found.with_context(|| format!("find `{address}`"))?.next();
            let found = found.with_context(|| format!("`{address}` has no address"))?;
            let connect = tokio::net::TcpStream::connect(found);
            let connected = tokio::time::timeout(MAIL_WAIT, connect).await;
            let connected = connected.context("no answer").and_then(|stream| Ok(stream?));
            connected.with_context(|| format!("connect to `{address}`"))?;
            Ok(format!("`{address}` answers"))
        }
    }
}

fn public_url(url: &str) -> Result<String> {
    match url {
        url if url.starts_with("https://") => Ok(format!("`{url}` is protected by TLS")),
        url if is_local(url) => Ok(format!("`{url}` is for this machine alone")),
        url if url.starts_with("http://") => {
            bail!(
                "`{url}` is not protected by TLS: browsers do not keep players logged in; use https"
            )
        }
        _ => bail!("`{url}` begins neither with https:// nor with http://"),
    }
}
