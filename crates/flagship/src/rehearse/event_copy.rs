//! The temporary copy of the event. It has its own folder and database, the event's files and
//! settings, times moved to now, and simulated teams.

use std::fs::File;
use std::io::{ErrorKind, Write};
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail};
use flagship_game::{Event, Reveal, TeamName};
use flagship_pack::{CaptchaProvider, MailTransport, Pack, Settings};
use flagship_server::{App, Config, new_token};
use flagship_store::lane::Writer;
use flagship_store::ops::{Imported, Op, Outcome};
use flagship_store::{Clock, Db, Lock, PgPoolSizes, sessions};
use rustix::time::{ClockId, clock_gettime};
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use super::script::{Player, play_s, start_delay_s};
use super::verdict::Machine;
use crate::attachments::Comparison;
use crate::cli::{self, Installation};
use crate::{apply, attachments, demo, messages};

/// Share of the rehearsal, at its end, during which the scoreboard is frozen.
const FROZEN_SHARE: f64 = 0.2;
/// Number of writes to measure the disk speed.
const SYNCS: usize = 21;
const SYNC_BYTES: usize = 4096;

/// Error message of a rehearsal that a signal interrupted.
pub const INTERRUPTED: &str = "the rehearsal was interrupted; temporary data was removed";

/// Maximum time for the removal of a folder.
const REMOVE_MAX: Duration = Duration::from_secs(5);
/// Interval between two attempts to remove the folder.
const REMOVE_POLL: Duration = Duration::from_millis(50);

/// A copy of the event, served by this process.
pub struct EventCopy {
    pub url: String,
    folder: TempDir,
    database: Option<Database>,
    /// The server stops when this is dropped.
    stop: oneshot::Sender<()>,
    served: JoinHandle<()>,
    began: Instant,
    cpu_s: f64,
}

impl EventCopy {
    /// Copies the event, adds simulated teams and starts the server. If that fails or is
    /// interrupted, everything created is removed.
    pub async fn serve(
        args: &cli::Rehearse,
        pack: &Pack,
        interrupted: impl Future<Output = ()>,
    ) -> Result<(Self, Vec<Player>)> {
        let mut folder = tempfile::Builder::new();
        let folder = match args.data.is_dir() {
            true => folder.prefix(".rehearsal-").tempdir_in(&args.data),
            false => folder.prefix("flagship-rehearsal-").tempdir(),
        };
        let folder = folder.context("create a folder for the copy")?;
        let name = format!("flagship_rehearsal_{:016x}", rand::random::<u64>());
        let own = match &args.database {
            Some(url) => Some(Db::create_beside(url, &name).await.context("create a database")?),
            None => None,
        };
        let installation = Installation {
            data: folder.path().to_owned(),
            database: own,
            attachments: None,
            secret_file: None,
        };
        let database = args.database.clone().map(|beside| Database { beside, name });
        let served = tokio::select! {
            served = serve(args, pack, &installation) => served,
            () = interrupted => Err(anyhow!(INTERRUPTED)),
        };
        let (url, stop, served, players) = match served {
            Ok(served) => served,
            Err(error) => {
                if let Some(database) = &database {
                    Db::drop_beside(&database.beside, &database.name).await?;
                }
                remove(folder).await?;
                return Err(error);
            }
        };
        let began = Instant::now();
        let cpu_s = cpu_s();
        Ok((Self { url, folder, database, stop, served, began, cpu_s }, players))
    }

    /// Returns the resources that the server has used so far.
    pub fn machine(&self) -> Result<Machine> {
        Ok(Machine {
            cpu_s: cpu_s() - self.cpu_s,
            elapsed_s: self.began.elapsed().as_secs_f64(),
            memory_mib: memory_mib()?,
            processors: std::thread::available_parallelism().map_or(1, usize::from),
            sync_ms: sync_ms(self.folder.path()).context("write to the disk")?,
        })
    }

    /// Stops the server and removes the copy.
    pub async fn remove(self) -> Result<()> {
        drop(self.stop);
        self.served.await.context("the server ends")?;
        if let Some(Database { beside, name }) = &self.database {
            Db::drop_beside(beside, name).await.context("remove the database")?;
        }
        self.folder.close().context("remove the copy")
    }
}

/// Removes a folder. A database that was released may still finish a write in it.
async fn remove(folder: TempDir) -> Result<()> {
    let path = folder.keep();
    let begun = Instant::now();
    loop {
        match std::fs::remove_dir_all(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
            Err(error) if begun.elapsed() > REMOVE_MAX => {
                return Err(error).with_context(|| format!("remove `{}`", path.display()));
            }
            // The removal is repeated, because a write may have created a file again.
            _ => tokio::time::sleep(REMOVE_POLL).await,
        }
    }
}

/// A temporary PostgreSQL database.
struct Database {
    /// URL of the existing database on the same server.
    beside: String,
    name: String,
}

type Served = (String, oneshot::Sender<()>, JoinHandle<()>, Vec<Player>);

async fn serve(args: &cli::Rehearse, pack: &Pack, installation: &Installation) -> Result<Served> {
    let (db, key) = installation.create(PgPoolSizes::SERVER).await?;
    let storage = installation.storage(&db)?;
    attachments::keep(&attachments::in_pack(pack), &storage, Comparison::Digest).await?;
    let clock = Clock::system();
    let mut writer = Writer::open(db.clone(), &key, clock.clone()).await?;
    let mut plan = apply::plan(pack, &key).context("the event files define no event")?;
    for challenge in &mut plan.challenges {
        challenge.release_at_ms = None;
    }
    let players = join(&mut writer, &db, args.teams).await?;
    shift(&mut plan.event, clock.now_ms(), args.minutes);
    apply::write(&mut writer, plan).await?;
    let address = SocketAddr::from(([127, 0, 0, 1], 0));
    let listener = TcpListener::bind(address).await.context("listen on the loopback")?;
    let url = format!("http://{}", listener.local_addr()?);
    let config = Config {
        settings: settings(&pack.settings)?,
        public_url: url.clone(),
        data: installation.data.clone(),
        attachments: installation.location()?,
        key,
        secret_file: installation.secret_path(),
        captcha_secret: None,
        smtp_password: None,
        print_links: false,
        metrics: false,
        certificates: None,
    };
    let app = App::open(db, config, clock).await?;
    let (stop, stopped) = oneshot::channel();
    let stopped = async { drop(stopped.await) };
    let served = tokio::spawn(flagship_server::serve(listener, app, stopped));
    Ok((url, stop, served, players))
}

/// The event's settings, except that emails are written to files, no remote captcha is used, and
/// the crowd's addresses are exempt from per-network limits.
fn settings(settings: &Settings) -> Result<Settings> {
    let mut settings = settings.clone();
    settings.captcha.provider = CaptchaProvider::Off;
    settings.mail.transport = MailTransport::File;
    settings.limits.trusted_networks.push("127.0.0.0/8".parse()?);
    Ok(settings)
}

/// Moves the event's times: it starts after all clients have connected, and ends within the
/// rehearsal.
fn shift(event: &mut Event, now_ms: i64, minutes: f64) {
    let ms = |seconds: f64| (seconds * 1000.0) as i64;
    let start = now_ms + ms(start_delay_s(minutes));
    let length = play_s(minutes);
    event.start_ms = Some(start);
    event.freeze_ms = Some(start + ms(length * (1.0 - FROZEN_SHARE)));
    event.end_ms = Some(start + ms(length));
    event.reveal = Reveal::Auto;
}

async fn join(writer: &mut Writer, db: &Db, count: usize) -> Result<Vec<Player>> {
    let account = |index: usize| {
        let name = TeamName::parse(&format!("Rehearsal {index}"))?;
        anyhow::Ok(demo::account(name, "rehearsal@example.invalid", "UN"))
    };
    let accounts = (1..=count).map(account).collect::<Result<Vec<_>>>()?;
    let names: Vec<String> = accounts.iter().map(|it| it.name.as_str().to_owned()).collect();
    let added = messages::perform(writer, Op::import(accounts)).await?;
    let Outcome::Import(Ok(Imported { ids, .. })) = added else {
        bail!("the rehearsal's teams could not be added");
    };
    let now_ms = Clock::system().now_ms();
    let mut tx = db.begin(Lock::Accounts).await?;
    let mut players = Vec::with_capacity(ids.len());
    for (name, id) in names.into_iter().zip(ids) {
        let token = new_token();
        sessions::create_in(&mut tx, &token, id, now_ms).await?;
        players.push(Player { name, token });
    }
    tx.commit().await?;
    Ok(players)
}

/// CPU seconds of this process so far.
fn cpu_s() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

/// Peak memory of this process in MiB; see proc(5).
fn memory_mib() -> Result<f64> {
    let status = std::fs::read_to_string("/proc/self/status").context("read the memory's use")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = line.and_then(|line| line.trim().strip_suffix(" kB")).context("find VmHWM")?;
    Ok(kib.trim().parse::<f64>()? / 1024.0)
}

/// The median time of a small write with sync in `folder`, in milliseconds.
fn sync_ms(folder: &std::path::Path) -> Result<f64> {
    let mut file = File::create(folder.join("sync"))?;
    let mut times = Vec::with_capacity(SYNCS);
    for _ in 0..SYNCS {
        let start = Instant::now();
        file.write_all(&[0; SYNC_BYTES])?;
        file.sync_data()?;
        times.push(start.elapsed());
    }
    times.sort_unstable();
    Ok(times.get(SYNCS / 2).map_or(0.0, Duration::as_secs_f64) * 1000.0)
}
