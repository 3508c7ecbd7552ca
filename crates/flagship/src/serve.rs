//! `flagship serve`: runs the event.

mod listeners;

use std::collections::HashSet;
use std::fs::File;
use std::future::Future;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use flagship_game::Secret;
use flagship_game::event::Status;
use flagship_pack::{Pack, Problem, Settings, Severity, WIDE_PROXIES};
use flagship_server::apply::difference;
use flagship_server::storage::{Location, Storage};
use flagship_server::{App, Certificates, Config};
use flagship_store::lane::Writer;
use flagship_store::nodes::{self, Node};
use flagship_store::settings::{self, AtStart};
use flagship_store::{Clock, Db, Key, PgPoolSizes, challenges};
use rustix::process::{
    DumpableBehavior, Resource, Rlimit, getrlimit, set_dumpable_behavior, setrlimit,
};
use tokio::signal::unix::{SignalKind, signal as unix_signal};
use tokio::sync::Notify;

use self::listeners::{Listeners, listen};
use crate::attachments::Comparison;
use crate::cli::LogFormat;
use crate::lists::table::duration;
use crate::organizers::first_owner;
use crate::{apply, attachments, cli, demo, failure, public_url, reload};

/// Time limit of a graceful shutdown, even if the database does not respond.
const SHUTDOWN_MAX: Duration = Duration::from_secs(4);
/// Maximum time by which the last journal entry may be in the future, in milliseconds. Beyond it,
/// the clock counts as wrong.
const AHEAD_MAX_MS: i64 = 2_000;

/// Time after which another node in the list without a heartbeat counts as killed: longer than the
/// nodes themselves wait.
const OTHERS_SILENT: Duration = Duration::from_secs(8);
/// Interval between two reads of the list of nodes.
const OTHERS_POLL: Duration = Duration::from_millis(100);

/// Runs the event until a shutdown signal.
pub async fn serve(args: cli::Serve, log: LogFormat) -> Result<()> {
    // The handler is registered first, so that a signal during the start also shuts down
    // gracefully.
    let signal = shutdown_signal()?;
    let shutdown_requested = Notify::new();
    let hangup = unix_signal(SignalKind::hangup()).context("listen for SIGHUP")?;
    let shutdown = async {
        signal.await;
        tracing::info!("stopping");
        shutdown_requested.notify_one();
    };
    let pack = args.event.as_deref().map(|dir| read(dir, args.demo, log)).transpose()?;
    let settings = pack.as_ref().map(|pack| pack.settings.clone()).unwrap_or_default();
    let told = told_url(&args)?;
    let told = told.as_deref();
    let certificates = certificates(&args)?;
    let data = &args.installation.data;
    let attachments = args.installation.location()?;
    flagship_server::check_settings(&config(told, data, &settings, None)?)?;
    match &args.event {
        Some(dir) => args.installation.ensure_separate_folders(dir)?,
        None if args.demo => bail!("--demo requires --event DIR"),
        None => {}
    }
    let (listeners, _lock) = claim(&args).await?;
    let Listeners { players, redirects, metrics } = listeners;
    if args.demo {
        demo::refuse_other_event(&args.installation).await?;
    }
    let (db, key) = args.installation.create(PgPoolSizes::SERVER).await?;
    let clock = db.clock().await?;
    let mut writer = Writer::open_with_snapshot(db, &key, clock, data).await?;
    warn_about_clock(&writer);
    let storage = args.installation.storage(writer.db())?;
    if let Err(error) = attachments::warn_about_others(&storage, data).await {
        tracing::warn!("attachments cannot be read: {}", failure::message(&error));
    }
    let names = match &pack {
        Some(pack) => prepare(&args, pack, &mut writer, (&key, &storage)).await?,
        None => Vec::new(),
    };
    flagship_server::raise_open_files();
    forbid_core_dumps();
    let address = players.local_addr().context("read the address listened on")?;
    let config = Config {
        print_links: args.demo,
        metrics: args.metrics.is_some(),
        attachments,
        key,
        secret_file: args.installation.secret_path(),
        certificates: certificates.clone(),
        ..config(told, data, &settings, Some(address))?
    };
    let site = if certificates.is_some() { config.public_url.clone() } else { plain(address) };
    let invitation = note_start(&writer, &config, pack.is_some()).await?;
    warn_about_access(&config);
    let is_set_up = writer.contest().event().is_some();
    let app = start(&args, writer, config).await?;
    if let Some((listener, certificates)) = redirects.zip(certificates) {
        tokio::spawn(flagship_server::serve_redirects(listener, certificates, app.clone()));
    }
    let metrics = metrics.map(|it| tokio::spawn(flagship_server::serve_metrics(it, app.clone())));
    tokio::spawn(reload::reload_on_signal(hangup, app.clone(), args.event.clone()));
    if let Some(pack) = pack.filter(|_| args.demo) {
        tokio::spawn(demo::play(app.clone(), demo::answers(&pack), names));
    }
    outln!("Flagship is ready on {site}");
    match invitation {
        Some(link) => outln!("Set up the event here (link valid for 24 hours): {link}"),
        None if !is_set_up => outln!("No event is set up yet; an owner can set it up on the site"),
        None => {}
    }
    if args.demo {
        outln!("Mail is written to {}", data.join("mail").display());
    }
    serve_until(flagship_server::serve(players, app, shutdown), &shutdown_requested).await?;
    // The metrics listener answers until the shutdown is complete.
    drop(metrics);
    Ok(())
}

/// Returns the public URL from the arguments. With `--tls` it is the URL of the domain.
fn told_url(args: &cli::Serve) -> Result<Option<String>> {
    let Some(domain) = &args.tls else { return Ok(args.public_url.clone()) };
    ensure!(!args.join, "--tls works with one server only: omit --join, or put a proxy in front");
    let url = format!("https://{domain}");
    let told = args.public_url.as_deref().map(|url| url.trim_end_matches('/'));
    ensure!(
        told.is_none_or(|told| told.eq_ignore_ascii_case(&url)),
        "--public-url is `{}`, but with --tls the site is `{url}`: omit --public-url",
        told.unwrap_or_default()
    );
    Ok(Some(url))
}

/// Opens the certificate of `--tls`.
fn certificates(args: &cli::Serve) -> Result<Option<Arc<Certificates>>> {
    let Some(domain) = &args.tls else { return Ok(None) };
    let data = &args.installation.data;
    let opened = Certificates::open(domain, &args.acme, args.acme_root.as_deref(), data)?;
    Ok(Some(Arc::new(opened)))
}

fn plain(address: SocketAddr) -> String {
    format!("http://{address}")
}

/// Starts the node. With `--tls` on PostgreSQL, fails if another node is running.
async fn start(args: &cli::Serve, writer: Writer, config: Config) -> Result<App> {
    let db = writer.db().clone();
    // The lock of the data folder excludes other nodes on SQLite.
    let may_be_several = args.tls.is_some() && args.installation.database.is_some();
    let others = if may_be_several { nodes::list(&db).await? } else { Vec::new() };
    let app = App::over(writer, config).await?;
    match ensure_others_are_gone(&db, others).await {
        Ok(()) => Ok(app),
        Err(error) => {
            app.stop().await;
            Err(error)
        }
    }
}

/// Rejects `--tls` if a node in the list is running: each node would request a certificate, and the
/// certificate authority would reach only one of them. Nodes without a heartbeat were killed.
async fn ensure_others_are_gone(db: &Db, mut others: Vec<Node>) -> Result<()> {
    let begun = Instant::now();
    while !others.is_empty() && begun.elapsed() < OTHERS_SILENT {
        tokio::time::sleep(OTHERS_POLL).await;
        let listed = nodes::list(db).await?;
        others.retain(|other| listed.iter().any(|it| it.node_id == other.node_id));
        let is_alive = |other: &Node| {
            listed.iter().any(|it| it.node_id == other.node_id && it.beat > other.beat)
        };
        ensure!(
            !others.iter().any(is_alive),
            "another server uses this database, and --tls works with one server only. Put a TLS \
             proxy in front of several servers (deploy/nginx.conf, deploy/Caddyfile), and omit \
             --tls"
        );
    }
    Ok(())
}

/// Writes the settings of a start to the database, for commands and other nodes. At a start without
/// files, invites the owner and returns the link.
async fn note_start(writer: &Writer, config: &Config, has_files: bool) -> Result<Option<String>> {
    if writer.newer().is_some() {
        return Ok(None);
    }
    let db = writer.db();
    let read = &config.settings;
    if !has_files {
        reload::keep_previous_file_settings(db).await?;
    }
    let live = difference::json(&read.live()).to_string();
    let settings = &difference::json(&read.at_start()).to_string();
    let at_start = AtStart { settings, has_files, public_url: &config.public_url };
    settings::put(db, &live, Some(at_start)).await.context("write the settings")?;
    if has_files { Ok(None) } else { first_owner(db, &config.key, &config.public_url).await }
}

/// Serves until the shutdown is complete, its time limit has passed, or a second signal arrives.
async fn serve_until(serving: impl Future<Output = ()>, shutdown_requested: &Notify) -> Result<()> {
    let aborted = async {
        shutdown_requested.notified().await;
        let second_signal = shutdown_signal()?;
        tokio::select! {
            () = tokio::time::sleep(SHUTDOWN_MAX) => {
                tracing::warn!("shutdown timed out; unfinished work was aborted");
                Ok(())
            }
            () = second_signal => bail!("a second signal aborted the shutdown"),
        }
    };
    tokio::select! {
        () = serving => Ok(()),
        result = aborted => result,
    }
}

/// Binds the addresses, and locks the data folder until the lock is dropped, so that no other
/// server starts on it. Fails before anything is created if an address is in use. Locks an existing
/// folder first, so that a second server reports the lock, whatever its address.
async fn claim(args: &cli::Serve) -> Result<(Listeners, Option<File>)> {
    let installation = &args.installation;
    if installation.data.is_dir() {
        let lock = installation.lock(args.join).await?;
        return Ok((listen(args).await?, lock));
    }
    let listeners = listen(args).await?;
    Ok((listeners, installation.lock(args.join).await?))
}

/// Reads the event's files and prints the number of problems. Fails on errors in `event.toml` and
/// prints them, because the event could not be served.
fn read(dir: &Path, is_demo: bool, log: LogFormat) -> Result<Pack> {
    let pack = match is_demo {
        // A demonstration moves the times to now, so their warnings do not apply.
        true => flagship_pack::read(dir)?,
        false => flagship_pack::check(dir, Clock::system().now_ms())?,
    };
    let dir = dir.display();
    let say = |line: &str| match log {
        LogFormat::Text => errln!("{line}"),
        LogFormat::Json => tracing::warn!("{line}"),
    };
    if !pack.problems.is_empty() {
        let summary = pack.summary();
        say(&format!("`{dir}`: {summary}; `flagship check --event {dir}` lists them"));
    }
    let in_settings = |problem: &Problem| {
        problem.severity == Severity::Error && problem.file == Path::new("event.toml")
    };
    if pack.event.is_none() || pack.problems.iter().any(in_settings) {
        pack.problems.iter().filter(|it| in_settings(it)).for_each(|it| say(&it.to_string()));
        bail!("cannot serve the event in `{dir}`: fix the errors in `event.toml` listed above");
    }
    Ok(pack)
}

/// Applies the files on the first start. With `--demo`, moves the event's times to now, adds the
/// simulated teams and returns their names.
async fn prepare(
    args: &cli::Serve,
    pack: &Pack,
    writer: &mut Writer,
    (key, storage): (&Key, &Storage),
) -> Result<Vec<String>> {
    let mut plan = apply::plan(pack, key).context("the event files define no event")?;
    let now_ms = writer.clock().now_ms();
    let is_first = writer.contest().event().is_none();
    if is_first || args.demo && writer.contest().status(now_ms) == Status::Ended {
        if args.demo {
            demo::shift(&mut plan.event, now_ms);
        }
        attachments::keep(&attachments::in_pack(pack), storage, Comparison::Digest).await?;
        let done = apply::write(writer, plan).await?;
        if !args.demo {
            tracing::info!("first start: {done}");
        }
    } else if !args.demo {
        if let Err(error) = keep_applied(pack, writer, storage).await {
            tracing::warn!("some attachments are missing: {}", failure::message(&error));
        }
        if writer.newer().is_none() {
            reload::log_pending_changes(pack, &writer.preview(&plan).await?, &plan);
        }
    }
    if args.demo { demo::join(writer).await } else { Ok(Vec::new()) }
}

/// Stores applied attachments again that are missing, or damaged in a folder.
async fn keep_applied(pack: &Pack, writer: &Writer, storage: &Storage) -> Result<()> {
    let (_, drafts) = challenges::all(writer.db()).await?;
    let attached = drafts.iter().flat_map(|draft| &draft.challenge.attachments);
    let of_site = pack.settings.site.files().map(|it| it.digest.as_str());
    let applied: HashSet<&str> = attached.map(|it| it.digest.as_str()).chain(of_site).collect();
    let mut files = attachments::in_pack(pack);
    files.retain(|file| applied.contains(file.digest.as_str()));
    attachments::keep(&files, storage, Comparison::Size).await
}

/// Builds the configuration from the event settings, with secrets from the environment, without the
/// event key, and with attachments in the data folder. `listening` is used when `--public-url` is
/// not set.
pub fn config(
    public_url: Option<&str>,
    data: &Path,
    settings: &Settings,
    listening: Option<SocketAddr>,
) -> Result<Config> {
    let own = || listening.map_or_else(String::new, plain);
    let site = public_url.map_or_else(own, |url| url.trim_end_matches('/').to_owned());
    if public_url.is_some() {
        public_url::check(&site).with_context(|| format!("--public-url `{site}`"))?;
    }
    Ok(Config {
        settings: settings.clone(),
        public_url: site,
        data: data.to_owned(),
        attachments: Location::Folder(data.to_owned()),
        key: Key::new(&[]),
        secret_file: data.join("secret"),
        captcha_secret: secret("FLAGSHIP_CAPTCHA_SECRET")?,
        smtp_password: secret("FLAGSHIP_SMTP_PASSWORD")?,
        print_links: false,
        metrics: false,
        certificates: None,
    })
}

/// Logs a warning if the journal ends in the future: the clock was set back, or was wrong before.
fn warn_about_clock(writer: &Writer) {
    let ahead_ms = writer.contest().at_ms() - writer.clock().now_ms();
    if ahead_ms > AHEAD_MAX_MS {
        tracing::warn!(
            "the last journal entry is {} in the future: the clock is or was wrong. Set it \
            (`timedatectl`) and restart; until then, event times are delayed",
            duration(ahead_ms)
        );
    }
}

/// Returns a secret from the environment variable `name`, or from the file named by `{name}_FILE`.
fn secret(name: &str) -> Result<Option<Secret>> {
    if let Ok(value) = std::env::var(name) {
        return Ok(Some(Secret::new(value)));
    }
    let Ok(file) = std::env::var(format!("{name}_FILE")) else { return Ok(None) };
    let text =
        std::fs::read_to_string(&file).with_context(|| format!("{name}_FILE: read `{file}`"))?;
    Ok(Some(Secret::new(text.trim_end_matches(['\r', '\n']))))
}

/// Variable that allows core dumps and debuggers, for developers.
const CORE_DUMPS: &str = "FLAGSHIP_CORE_DUMPS";

/// Disables core dumps, because memory contains passwords, sessions and the event secret. Only root
/// can attach a debugger.
fn forbid_core_dumps() {
    if std::env::var(CORE_DUMPS).is_ok_and(|value| value == "1") {
        return;
    }
    // A core dump collector ignores the limit, so the attribute is also needed.
    let limit = Rlimit { current: Some(0), ..getrlimit(Resource::Core) };
    if let Err(error) = setrlimit(Resource::Core, limit) {
        tracing::warn!(%error, "the limit of core dumps could not be set");
    }
    if let Err(error) = set_dumpable_behavior(DumpableBehavior::NotDumpable) {
        tracing::warn!(%error, "core dumps could not be forbidden");
    }
}

/// Logs a warning about plain http on a public URL, where browsers drop secure cookies, and about
/// trusted proxy ranges that cover much of the internet.
fn warn_about_access(config: &Config) {
    if config.public_url.starts_with("http://") && !public_url::is_local(&config.public_url) {
        tracing::warn!(
            "over plain http, players cannot stay logged in and organizers cannot log in; use https"
        );
    }
    for wide in config.settings.limits.wide_proxies() {
        tracing::warn!(
            "`trusted_proxies` has {wide}: {WIDE_PROXIES}; list the addresses of the proxy only"
        );
    }
}

/// Completes at the next SIGTERM or SIGINT.
pub fn shutdown_signal() -> Result<impl Future<Output = ()>> {
    let mut terminate = unix_signal(SignalKind::terminate()).context("listen for SIGTERM")?;
    let mut interrupt = unix_signal(SignalKind::interrupt()).context("listen for SIGINT")?;
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    })
}

#[cfg(test)]
mod tests {
    use rustix::process::dumpable_behavior;

    use super::*;

    #[test]
    fn no_core_is_dumped_while_serving() {
        forbid_core_dumps();
        assert_eq!(dumpable_behavior().ok(), Some(DumpableBehavior::NotDumpable));
        assert_eq!(getrlimit(Resource::Core).current, Some(0));
    }
}
