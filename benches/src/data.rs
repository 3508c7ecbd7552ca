//! The data of the benchmarks: teams, challenges and solves generated from a seed. The store writes
//! them once, to an in-memory file system if there is one; each benchmark works on a copy.

use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use anyhow::{Context, Result, bail};
use data_encoding::HEXLOWER;
use flagship_game::event::Reveal;
use flagship_game::{Attachment, Challenge, ChallengeId, Event, Scoring, TeamId, TeamName};
use flagship_server::hash_of;
use flagship_store::accounts::NewAccount;
use flagship_store::challenges::{Draft, Flag};
use flagship_store::lane::Writer;
use flagship_store::ops::{Actor, Op, Outcome, Plan};
use flagship_store::{Clock, Db, Key, Lock, PgPoolSizes, sessions};
use jiff::{SignedDuration, Timestamp};
use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use sha2::{Digest, Sha256};
use sqlx::{AssertSqlSafe, Connection, PgConnection};
use tempfile::TempDir;

/// Seed of the random generator.
pub const SEED: u64 = 0x00F1_A651;
/// The event's secret.
pub const SECRET: &str = "the secret of the benchmarks, which keeps none";
const HOUR_MS: i64 = 3_600_000;
/// Time since the start of the event, and time until its end.
const AGE_MS: i64 = 24 * HOUR_MS;
/// Time since the freeze in a frozen event. The last solve is earlier.
const FROZEN_MS: i64 = 20_000;
/// Operations of one transaction if solves may share a time.
const BATCH: usize = 500;
/// Up to this number of solves, each has its own time.
const TIMED_MAX: usize = 20_000;
const COUNTRIES: [&str; 12] =
    ["IT", "US", "FR", "DE", "JP", "KR", "PL", "CN", "IN", "GB", "BR", "UN"];
const CATEGORIES: [&str; 5] = ["crypto", "misc", "pwn", "rev", "web"];

/// The size of the data.
#[derive(Clone, Copy)]
pub struct Size {
    pub teams: usize,
    pub challenges: usize,
    pub solves: usize,
    /// Number of teams, at the end of the list, that have no solves and play in the benchmark.
    pub players: usize,
    /// Number of teams, at the end of the list, that are logged in.
    pub logged_in: usize,
}

/// The default size.
pub const USUAL: Size =
    Size { teams: 1000, challenges: 40, solves: 8000, players: 200, logged_in: 1000 };
/// The size for quick runs.
pub const SMALL: Size = Size { teams: 60, challenges: 8, solves: 150, players: 20, logged_in: 60 };

/// The password of every team.
pub const PASSWORD: &str = "a password that is not a common one";

/// The database of a benchmark.
#[derive(Clone, Debug)]
pub enum Engine {
    /// SQLite.
    Sqlite,
    /// PostgreSQL, with the URL of a database on the server.
    Postgres(String),
}

/// Data that is created once and copied for each benchmark.
pub struct Template {
    store: Store,
    pub size: Size,
    /// Names of all teams.
    pub names: Vec<String>,
    /// Tokens of the logged-in teams; the players come last.
    pub tokens: Vec<String>,
}

enum Store {
    File(TempDir),
    /// Made by the program.
    Program(Installation),
    Postgres {
        server: String,
        name: String,
    },
}

/// A temporary copy of the data, with its event folder.
pub struct Installation {
    folder: TempDir,
    /// `--event`
    pub event: PathBuf,
    /// `--database`, for PostgreSQL.
    pub database: Option<String>,
}

impl Installation {
    /// `--data`
    pub fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// Makes PostgreSQL wait for 4 ms before each sync of this database, as with a slow disk.
    pub async fn delay_commits(&self) -> Result<()> {
        let Some(url) = &self.database else { return Ok(()) };
        let (_, name) = url.rsplit_once('/').context("the address names a database")?;
        let mut conn = PgConnection::connect(url).await?;
        for setting in ["commit_delay = 4000", "commit_siblings = 0"] {
            let sql = AssertSqlSafe(format!("alter database {name} set {setting}"));
            sqlx::query(sql).execute(&mut conn).await?;
        }
        Ok(conn.close().await?)
    }
}

/// A challenge's id by its number.
pub fn challenge_id(number: usize) -> String {
    format!("challenge-{number}")
}

/// A challenge's flag by its number.
pub fn flag(number: usize) -> String {
    format!("flag{{the answer of number {number}}}")
}

impl Template {
    /// Makes the data.
    pub async fn make(engine: &Engine, size: Size) -> Result<Self> {
        Self::make_with(engine, size, None).await
    }

    /// Data that a program made in an installation.
    pub fn made(made: Installation, size: Size, names: Vec<String>, tokens: Vec<String>) -> Self {
        Self { store: Store::Program(made), size, names, tokens }
    }

    /// Makes the data of an event that froze after its last solve.
    pub async fn make_frozen(engine: &Engine, size: Size) -> Result<Self> {
        Self::make_with(engine, size, Some(Timestamp::now().as_millisecond() - FROZEN_MS)).await
    }

    async fn make_with(engine: &Engine, size: Size, freeze_ms: Option<i64>) -> Result<Self> {
        let (store, db) = match engine {
            Engine::Sqlite => {
                let memory = Path::new("/dev/shm");
                let folder = if memory.is_dir() {
                    tempfile::Builder::new().prefix("flagship-bench-").tempdir_in(memory)?
                } else {
                    tempfile::tempdir()?
                };
                let db = Db::open_sqlite(&folder.path().join("flagship.db")).await?;
                (Store::File(folder), db)
            }
            Engine::Postgres(server) => {
                let name = database_name();
                let url = Db::create_beside(server, &name).await?;
                let db = Db::connect_postgres(&url, PgPoolSizes::SERVER).await?;
                db.migrate(None).await?;
                (Store::Postgres { server: server.clone(), name }, db)
            }
        };
        let mut random = StdRng::seed_from_u64(SEED);
        let names = names(size.teams, &mut random);
        let tokens = fill(&db, size, freeze_ms, &names, &mut random);
        let tokens = tokens.await.context("make the data")?;
        db.close().await;
        Ok(Self { store, size, names, tokens })
    }

    /// The tokens of the teams that play.
    pub fn players(&self) -> &[String] {
        &self.tokens[self.tokens.len() - self.size.players..]
    }

    /// A copy in a new folder inside `work`.
    pub async fn copy(&self, work: &Path) -> Result<Installation> {
        let mut installation = empty(work)?;
        match &self.store {
            Store::File(folder) => copy_database(folder.path(), &installation)?,
            Store::Program(made) => copy_database(&made.data(), &installation)?,
            Store::Postgres { server, name } => {
                let copy = database_name();
                let sql = format!("create database {copy} template {name}");
                let mut server_db = PgConnection::connect(server).await?;
                sqlx::query(AssertSqlSafe(sql)).execute(&mut server_db).await?;
                let (base, _) = server.rsplit_once('/').context("the address has a database")?;
                installation.database = Some(format!("{base}/{copy}"));
            }
        }
        Ok(installation)
    }
}

fn copy_database(from: &Path, installation: &Installation) -> Result<()> {
    let to = installation.data().join("flagship.db");
    std::fs::copy(from.join("flagship.db"), &to).context("copy the data")?;
    // So that the benchmark does not wait until the disk has written the copy.
    Ok(std::fs::File::open(&to)?.sync_all()?)
}

/// Adds an attachment to the first challenge of a copy on which no server runs.
pub async fn attach(installation: &Installation, challenges: usize, bytes: &[u8]) -> Result<()> {
    let digest = HEXLOWER.encode(&Sha256::digest(bytes));
    let folder = installation.data().join("files");
    std::fs::create_dir_all(&folder)?;
    std::fs::write(folder.join(&digest), bytes)?;
    let mut plan = plan(Timestamp::now().as_millisecond(), challenges, None);
    let name = "disk.img".to_owned();
    let bytes = bytes.len() as u64;
    plan.challenges[0].challenge.attachments.push(Attachment {
        name,
        digest,
        bytes,
        picture: None,
        per_team: false,
    });
    let db = Db::open_sqlite(&installation.data().join("flagship.db")).await?;
    let key = Key::new(SECRET.as_bytes());
    let mut writer = Writer::open(db.clone(), &key, Clock::system()).await?;
    writer.step(&[Op::Apply(Box::new(plan)).by(Actor::CommandLine)]).await?;
    db.close().await;
    Ok(())
}

fn database_name() -> String {
    format!("flagship_bench_{:016x}", rand::random::<u64>())
}

/// An event folder, an empty data folder and a secret, in a new folder inside `work`.
pub fn empty(work: &Path) -> Result<Installation> {
    let folder = tempfile::Builder::new().prefix("event-").tempdir_in(work)?;
    let event = folder.path().join("event");
    let installation = Installation { folder, event, database: None };
    std::fs::create_dir(&installation.event)?;
    std::fs::create_dir(installation.data())?;
    std::fs::write(installation.event.join("event.toml"), settings())?;
    std::fs::write(installation.data().join("secret"), SECRET)?;
    Ok(installation)
}

/// The content of `event.toml`: no limits on incorrect flags, and any number of connections from
/// this machine.
fn settings() -> String {
    let now = Timestamp::now();
    let at = |ms| (now + SignedDuration::from_millis(ms)).strftime("%FT%TZ").to_string();
    let (start, end) = (at(-AGE_MS), at(AGE_MS));
    format!(
        "[event]\nname = \"Benchmark\"\nstart = {start}\nend = {end}\nreveal = \"auto\"\n\
         flag_format = \"flag{{...}}\"\n[captcha]\nprovider = \"off\"\n\
         [limits]\ntrusted_networks = [\"127.0.0.0/8\"]\n\
         submissions_per_challenge_per_10_s = 0\nsubmissions_per_team_per_minute = 0\n"
    )
}

fn plan(now_ms: i64, challenges: usize, freeze_ms: Option<i64>) -> Plan {
    let event = Event {
        name: "Benchmark".to_owned(),
        start_ms: Some(now_ms - AGE_MS),
        end_ms: Some(now_ms + AGE_MS),
        freeze_ms,
        reveal: Reveal::Auto,
        timezone: "Europe/Rome".to_owned(),
        flag_format: "flag{...}".to_owned(),
        rules: "<p>Be kind.</p>".to_owned(),
        hint_debt: false,
        practice: false,
        divisions: Vec::new(),
    };
    Plan::new(event, (0..challenges).map(draft).collect())
}

fn draft(number: usize) -> Draft {
    let id = challenge_id(number);
    let digest = Key::new(SECRET.as_bytes()).flag_digest(&id, &flag(number));
    let description = "<p>Somebody left this behind. Find out what it was meant for.</p>".repeat(8);
    Draft {
        challenge: Challenge {
            id: ChallengeId::from_name(&id),
            name: format!("The {number}. riddle"),
            scoring: Scoring::Dynamic { max: 500, min: 50, decay: 15 },
            categories: vec![CATEGORIES[number % CATEGORIES.len()].to_owned()],
            description,
            attachments: Vec::new(),
            requirements: Vec::new(),
            position: None,
            hints: Vec::new(),
            connection: None,
            closes_ms: None,
            flag_format: None,
            rules: Default::default(),
            labels: Default::default(),
        },
        flags: vec![Flag::Exact { digest, case_insensitive: false }],
        hidden: false,
        release_at_ms: None,
    }
}

/// Writes an event, its teams and their solves into an empty database; returns the tokens.
async fn fill(
    db: &Db,
    size: Size,
    freeze_ms: Option<i64>,
    names: &[String],
    random: &mut StdRng,
) -> Result<Vec<String>> {
    let now_ms = Timestamp::now().as_millisecond();
    let clock = Clock::manual(now_ms - AGE_MS);
    let set_clock = |at_ms| {
        if let Clock::Manual(now) = &clock {
            now.store(at_ms, Ordering::SeqCst);
        }
    };
    let key = Key::new(SECRET.as_bytes());
    let mut writer = Writer::open(db.clone(), &key, clock.clone()).await?;
    let plan = Op::Apply(Box::new(plan(now_ms, size.challenges, freeze_ms)));
    writer.step(&[plan.by(Actor::CommandLine)]).await?;
    let ids = import(&mut writer, names, random).await?;
    let solves = solves(size, random);
    let batch = if solves.len() > TIMED_MAX { BATCH } else { 1 };
    let last = solves.len().max(1) as i64;
    for (index, some) in (0_i64..).step_by(batch).zip(solves.chunks(batch)) {
        // From the start until a minute ago, at irregular moments.
        let jitter = random.random_range(0..AGE_MS / last / 2 + 1);
        set_clock(now_ms - AGE_MS + (AGE_MS - 60_000) / last * index + jitter);
        let requests = some.iter().map(|&(team, challenge)| {
            let team = TeamId(ids[team]);
            let challenge = ChallengeId::from_name(&challenge_id(challenge));
            Op::Solve { team, challenge }.by(Actor::Team(team))
        });
        writer.step(&requests.collect::<Vec<_>>()).await?;
    }
    if writer.contest().seq() < (size.teams + size.challenges + size.solves) as i64 {
        bail!("some of the data was refused");
    }
    let first = size.teams - size.logged_in;
    let mut tx = db.begin(Lock::Accounts).await?;
    let mut tokens = Vec::with_capacity(size.logged_in);
    for (number, id) in ids.iter().enumerate().skip(first) {
        tokens.push(token(number));
        sessions::create_in(&mut tx, &token(number), *id, now_ms).await?;
    }
    tx.commit().await?;
    Ok(tokens)
}

/// A well-formed token by a number.
fn token(number: usize) -> String {
    format!("fsp_{number:043}")
}

async fn import(writer: &mut Writer, names: &[String], random: &mut StdRng) -> Result<Vec<i64>> {
    let mut ids = Vec::with_capacity(names.len());
    let hash = hash_of(PASSWORD.as_bytes());
    for some in names.chunks(10_000) {
        let account = |name: &String| {
            anyhow::Ok(NewAccount {
                name: TeamName::parse(name)?,
                email: "team@example.invalid".to_owned(),
                country: COUNTRIES[random.random_range(0..COUNTRIES.len())].to_owned(),
                password_hash: Some(hash.clone()),
                student: false,
                divisions: Vec::new(),
                language: None,
            })
        };
        let accounts = some.iter().map(account).collect::<Result<Vec<_>>>()?;
        let mut step = writer.step(&[Op::import(accounts).by(Actor::CommandLine)]).await?;
        match step.outcomes.pop() {
            Some(Outcome::Import(Ok(some))) => ids.extend(some.ids),
            other => bail!("the teams could not join: {other:?}"),
        }
    }
    Ok(ids)
}

/// The names of the teams of a size, and their solves: pairs of team and challenge by number, in
/// the order of time.
pub fn names_and_solves(size: Size) -> (Vec<String>, Vec<(usize, usize)>) {
    let mut random = StdRng::seed_from_u64(SEED);
    (names(size.teams, &mut random), solves(size, &mut random))
}

/// Distinct names that, like real ones, share few substrings.
fn names(count: usize, random: &mut StdRng) -> Vec<String> {
    let mut names = Vec::with_capacity(count);
    let mut taken = HashSet::new();
    while names.len() < count {
        let mut name = String::new();
        for syllable in 0..random.random_range(4..9) {
            if syllable > 1 && random.random_ratio(1, 6) {
                name.push(' ');
            }
            name.push(char::from(b"bdfgkpstz"[random.random_range(0..9)]));
            name.push(char::from(b"aeu"[random.random_range(0..3)]));
        }
        if taken.insert(name.replace(' ', "")) {
            names.push(name);
        }
    }
    names
}

/// Pairs of team and challenge in the order of time. As in real events, few teams solve many
/// challenges and most solve few, and easy challenges have more solves. Players solve nothing.
fn solves(size: Size, random: &mut StdRng) -> Vec<(usize, usize)> {
    let solving = size.teams - size.players;
    let mut pairs = BTreeSet::new();
    while pairs.len() < size.solves.min(solving * size.challenges) {
        // A power of a uniform number is more often near 0.
        let index = |of: usize, bend: i32, random: &mut StdRng| {
            ((random.random::<f64>().powi(bend) * of as f64) as usize).min(of - 1)
        };
        let bend = if size.solves * 4 < solving * size.challenges { 2 } else { 1 };
        pairs.insert((index(solving, bend, random), index(size.challenges, bend, random)));
    }
    let mut pairs: Vec<_> = pairs.into_iter().collect();
    pairs.shuffle(random);
    pairs
}
