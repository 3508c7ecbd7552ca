//! `flagship serve`: the event, running.

use std::future::Future;
use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use flagship_game::Secret;
use flagship_pack::{Pack, Problem, Severity};
use flagship_server::{App, Config};
use flagship_store::Key;
use flagship_store::lane::Writer;
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::Notify;

use crate::cli::LogFormat;
use crate::{apply, cli, demo};

/// How long an orderly end may take, a database that does not answer included.
const STOP_MAX: Duration = Duration::from_millis(4500);

/// Runs the event until the program is told to stop.
pub async fn serve(args: cli::Serve, log: LogFormat) -> Result<()> {
    // Heard from the first moment on: a stop during the start ends it in order, too.
    let (signal, told) = (stop_signal()?, Notify::new());
    let stop = async {
        signal.await;
        tracing::info!("stopping");
        told.notify_one();
    };
    let pack = read(&args, log)?;
    let (db, key) = args.place.create().await?;
    apply::keep_files(&pack, &args.place.data)?;
    let clock = db.clock().await?;
    let mut writer = Writer::open_kept(db, &key, clock, &args.place.data).await?;
    let names = prepare(&args, &pack, &mut writer, &key).await?;
    flagship_server::raise_open_files();
    let listener = TcpListener::bind(args.listen)
        .await
        .with_context(|| format!("listen on {}", args.listen))?;
    let address = listener.local_addr().context("read the address listened on")?;
    let metrics = bind_metrics(args.metrics).await?;
    let config = config(&args, &pack, key, address)?;
    let public_url = config.public_url.clone();
    warn_of_plain_http(&public_url);
    let app = App::over(writer, config).await?;
    let watched = metrics.map(|it| tokio::spawn(flagship_server::serve_metrics(it, app.clone())));
    if args.demo {
        tokio::spawn(demo::play(app.clone(), demo::Answers::of(&pack), names));
    }
    println!("Flagship is ready on http://{address}");
    if args.demo {
        println!("Mail is written to {}", args.place.data.join("mail").display());
    }
    until_stopped(flagship_server::serve(listener, app, stop), &told).await?;
    // Who watches over the program sees it stop to the end.
    drop(watched);
    Ok(())
}

/// Serves to the end that `told` begins: in order, or cut off when that takes too long or a second
/// signal says so.
async fn until_stopped(serving: impl Future<Output = ()>, told: &Notify) -> Result<()> {
    let cut_off = async {
        told.notified().await;
        let again = stop_signal()?;
        tokio::select! {
            () = tokio::time::sleep(STOP_MAX) => {
                tracing::warn!("some work was cut off by the stop");
                Ok(())
            }
            () = again => bail!("a second signal cut the stop off"),
        }
    };
    tokio::select! {
        () = serving => Ok(()),
        done = cut_off => done,
    }
}

/// The listener for those who watch over the program.
async fn bind_metrics(address: Option<SocketAddr>) -> Result<Option<TcpListener>> {
    let Some(address) = address else { return Ok(None) };
    let listen = || format!("listen on {address} for metrics");
    let listener = TcpListener::bind(address).await.with_context(listen)?;
    let address = listener.local_addr().with_context(listen)?;
    if !address.ip().is_loopback() {
        tracing::warn!("metrics tell what the freeze hides: let nobody but organizers reach them");
    }
    tracing::info!("metrics are on http://{address}/metrics");
    Ok(Some(listener))
}

/// Reads the event's files and says what is wrong. What cannot be served stops the start.
fn read(args: &cli::Serve, log: LogFormat) -> Result<Pack> {
    let pack = flagship_pack::read(&args.event)?;
    for problem in &pack.problems {
        match log {
            LogFormat::Text => eprintln!("{problem}"),
            LogFormat::Json => tracing::warn!("{problem}"),
        }
    }
    let in_settings = |problem: &Problem| {
        problem.severity == Severity::Error && problem.file == Path::new("event.toml")
    };
    if pack.event.is_none() || pack.problems.iter().any(in_settings) {
        bail!("the event in `{}` cannot be served as it is", args.event.display());
    }
    Ok(pack)
}

/// Applies the files on the first start. With `--demo` the event is moved to now, and the
/// synthetic teams join; gives their names.
async fn prepare(
    args: &cli::Serve,
    pack: &Pack,
    writer: &mut Writer,
    key: &Key,
) -> Result<Vec<String>> {
    let mut plan = apply::plan(pack, key).context("the event's files have no event")?;
    let is_first = writer.contest().event().is_none();
    if args.demo {
        let now_ms = writer.clock().now_ms();
        if is_first || demo::is_over(writer.contest(), now_ms) {
            demo::shift(&mut plan.event, now_ms);
            apply::write(writer, plan).await?;
        }
        return demo::join(writer).await;
    }
    if is_first {
        let done = apply::write(writer, plan).await?;
        tracing::info!("first start: {done}");
    }
    Ok(Vec::new())
}

fn config(args: &cli::Serve, pack: &Pack, key: Key, address: SocketAddr) -> Result<Config> {
    let public_url = args.public_url.clone().unwrap_or_else(|| format!("http://{address}"));
    let public_url = public_url.trim_end_matches('/').to_owned();
    if !public_url.starts_with("http://") && !public_url.starts_with("https://") {
        bail!("--public-url begins with http:// or https://");
    }
    Ok(Config {
        settings: pack.settings.clone(),
        public_url,
        data: args.place.data.clone(),
        key,
        captcha_secret: secret("FLAGSHIP_CAPTCHA_SECRET")?,
        smtp_password: secret("FLAGSHIP_SMTP_PASSWORD")?,
        print_links: args.demo,
        metrics: args.metrics.is_some(),
    })
}

/// A secret from the environment, or from the file that the environment names.
fn secret(name: &str) -> Result<Option<Secret>> {
    if let Ok(value) = std::env::var(name) {
        return Ok(Some(Secret::new(value)));
    }
    let Ok(file) = std::env::var(format!("{name}_FILE")) else { return Ok(None) };
    let text = std::fs::read_to_string(&file).with_context(|| format!("read `{file}`"))?;
    Ok(Some(Secret::new(text.trim_end_matches(['\r', '\n']))))
}

/// No browser keeps a secure cookie from a plain address that is not its own machine.
fn warn_of_plain_http(public_url: &str) {
    if public_url.starts_with("http://") && !is_local(public_url) {
        tracing::warn!("players cannot stay logged in at a plain http address; use https");
    }
}

/// Whether a plain address is that of the machine itself.
pub fn is_local(public_url: &str) -> bool {
    let Some(rest) = public_url.strip_prefix("http://") else { return false };
    let host = rest.split(['/', '?']).next().unwrap_or_default();
    let host = host.strip_prefix("[::1]").map_or(host, |_| "localhost");
    let host = host.split(':').next().unwrap_or_default();
    matches!(host, "localhost" | "127.0.0.1") || host.ends_with(".localhost")
}

/// Resolves at the next SIGTERM or SIGINT.
pub fn stop_signal() -> Result<impl Future<Output = ()>> {
    let mut terminate = signal(SignalKind::terminate()).context("listen for SIGTERM")?;
    let mut interrupt = signal(SignalKind::interrupt()).context("listen for SIGINT")?;
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    })
}
