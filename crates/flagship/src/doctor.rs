//! `flagship doctor`: looks at what an event needs before it runs. It changes nothing.

use std::fs;
use std::net::ToSocketAddrs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use flagship_pack::{Mail, MailTransport};
use flagship_store::lane::Writer;
use flagship_store::{Clock, Db};

use crate::cli::{self, Place};
use crate::serve::is_local;

/// Least free space in the data folder, in bytes.
const FREE_BYTES_MIN: u64 = 1024 * 1024 * 1024;
/// How far the clocks of the program and the database may be apart, in milliseconds.
const CLOCKS_APART_MS: i64 = 2_000;
/// A clock that stands before 2024 was never set.
const CLOCK_MIN_MS: i64 = 1_704_067_200_000;
/// How long a mail server may take to answer.
const MAIL_WAIT: Duration = Duration::from_secs(5);

/// What was found so far.
#[derive(Default)]
struct Findings {
    problems: usize,
}

impl Findings {
    /// Prints a line: what is well, or what is wrong.
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

/// Prints a line for each finding; an error when one is a problem.
pub async fn doctor(args: &cli::Doctor) -> Result<()> {
    let (mut findings, place) = (Findings::default(), &args.place);
    let known = Db::schema_known();
    let version = format!("{}, schema version {known}", env!("CARGO_PKG_VERSION"));
    findings.add("flagship", Ok(version));
    findings.add("clock", clock());
    findings.add("data folder", folder(&place.data));
    findings.add("file modes", modes(place));
    findings.add("free space", free_space(&place.data));
    findings.add("secret", place.key(false).map(|_| "can be read".to_owned()));
    match connect(place).await {
        Err(error) => findings.add("database", Err(error)),
        Ok(db) => {
            findings.add("database", database(&db).await);
            findings.add("journal", journal(&db, place).await);
            findings.add("database's clock", clocks(&db).await);
            db.close().await;
        }
    }
    if let Some(event) = &args.event {
        findings.add("event's files", files(event));
        if let Ok(pack) = flagship_pack::read(event) {
            findings.add("mail", mail(&pack.settings.mail, &place.data).await);
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
        bail!("it was never set; the event's times would mean nothing");
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

/// Nobody but the owner may read what holds addresses, sessions and the secret.
fn modes(place: &Place) -> Result<String> {
    let inside = ["flagship.db", "flagship.db-wal", "files", "mail"];
    let inside = inside.into_iter().map(|name| place.data.join(name));
    for path in [place.data.clone(), place.secret_path()].into_iter().chain(inside) {
        let Ok(about) = fs::metadata(&path) else { continue };
        let mode = about.permissions().mode() & 0o777;
        let is_inside = path.starts_with(&place.data) && path != place.data;
        // What lies in a folder that is closed is closed.
        if mode & 0o077 != 0 && !(is_inside && is_closed(&place.data)) {
            bail!("`{}` has mode {mode:o}: others may read it (chmod go=)", path.display());
        }
    }
    Ok("the owner's alone".to_owned())
}

fn is_closed(folder: &Path) -> bool {
    fs::metadata(folder).is_ok_and(|about| about.permissions().mode() & 0o077 == 0)
}

fn free_space(data: &Path) -> Result<String> {
    let about = rustix::fs::statvfs(data).context("look at the disk")?;
    let bytes = about.f_bavail * about.f_frsize;
    let words = format!("{} MiB", bytes / 1024 / 1024);
    if bytes < FREE_BYTES_MIN {
        bail!("only {words}; {} MiB are asked for", FREE_BYTES_MIN / 1024 / 1024);
    }
    Ok(words)
}

async fn connect(place: &Place) -> Result<Db> {
    let file = place.database_file();
    if place.database.is_none() && !file.exists() {
        bail!("there is no event in `{}`", place.data.display());
    }
    place.connect(&file).await
}

async fn database(db: &Db) -> Result<String> {
    let (is, known) = (db.schema().await.context("read its schema")?, Db::schema_known());
    if is > known {
        bail!(flagship_store::StoreError::Newer(is));
    }
    if let Some(damage) = db.damage().await? {
        bail!("it is damaged: {damage}");
    }
    let next = if is < known { "; the next start brings it up to date" } else { "" };
    Ok(format!("{}, schema version {is}{next}", db.engine()))
}

async fn journal(db: &Db, place: &Place) -> Result<String> {
    if db.schema().await? != Db::schema_known() {
        return Ok("not read before the schema is up to date".to_owned());
    }
    let clock = db.clock().await?;
    let writer = Writer::open(db.clone(), &place.key(false)?, clock.clone()).await?;
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
            Ok("written to files; nobody is sent anything".to_owned())
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
            connected.with_context(|| format!("call `{address}`"))?;
            Ok(format!("`{address}` answers"))
        }
    }
}

fn public_url(url: &str) -> Result<String> {
    match url {
        url if url.starts_with("https://") => Ok(format!("`{url}` is protected by TLS")),
        url if is_local(url) => Ok(format!("`{url}` is for this machine alone")),
        url if url.starts_with("http://") => {
            bail!("`{url}` is not protected: no browser keeps players logged in; use https")
        }
        _ => bail!("`{url}` begins neither with https:// nor with http://"),
    }
}
