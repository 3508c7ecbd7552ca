//! Opens the installation that a command works on: data folder, database and secret.

use std::fs::{self, TryLockError};
use std::io::{ErrorKind, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail, ensure};
use data_encoding::HEXLOWER;
use flagship_pack::Live;
use flagship_server::storage::{Location, Storage};
use flagship_store::key::SECRET_BYTES;
use flagship_store::lane::Writer;
use flagship_store::{DatabaseContents, Db, Key, PgPoolSizes};

use crate::cli::Installation;

/// Maximum size of the secret file, in bytes.
const SECRET_FILE_BYTES_MAX: usize = 4096;

/// Maximum time that a server waits for another server on its folder to stop.
const LOCK_WAIT: Duration = Duration::from_secs(2);
/// Interval between two attempts to lock the folder.
const LOCK_POLL: Duration = Duration::from_millis(50);

/// The sticky bit: only the owner of a file may remove it from the folder.
const STICKY: u32 = 0o1000;

const OPEN_POSTGRES: &str = "open the PostgreSQL database";

/// Contents found in a database, and the connections used for the inspection. They are reused
/// because a new PostgreSQL connection costs more than the queries of a command.
type Inspection = (DatabaseContents, Option<Db>);

impl Installation {
    /// Opens the database; creates the folder, the database and the secret if they are missing.
    pub async fn create(&self, sizes: PgPoolSizes) -> Result<(Db, Key)> {
        let inspection = self.inspect_with_secret(sizes).await?;
        self.make_folder()?;
        let key = self.key(true)?;
        Ok((self.open_db(inspection).await?, key))
    }

    /// Opens the database, which must exist.
    pub async fn open(&self) -> Result<(Db, Key)> {
        ensure!(
            self.database.is_some() || self.has_database_file()?,
            "no event found in `{}`. Use --data to point to it, or create one with `flagship \
            serve --event DIR` or `flagship apply --event DIR`",
            self.data.display()
        );
        let inspection = self.inspect_with_secret(PgPoolSizes::COMMAND).await?;
        let key = self.key(false)?;
        Ok((self.open_db(inspection).await?, key))
    }

    /// True if the data folder has a database. An unreadable folder is an error.
    pub fn has_database_file(&self) -> Result<bool> {
        let file = self.database_file();
        file.try_exists().with_context(|| format!("look for the database `{}`", file.display()))
    }

    /// True if there is an event; writes nothing. An event without its secret is an error.
    pub async fn has_event(&self) -> Result<bool> {
        Ok(self.inspect_with_secret(PgPoolSizes::COMMAND).await?.0 == DatabaseContents::Event)
    }

    /// True if there is an event, with or without its secret.
    pub async fn holds_event(&self) -> Result<bool> {
        Ok(self.inspect_database(PgPoolSizes::COMMAND).await?.0 == DatabaseContents::Event)
    }

    /// Inspects the database. An event without its secret is an error.
    async fn inspect_with_secret(&self, sizes: PgPoolSizes) -> Result<Inspection> {
        let inspection = self.inspect_database(sizes).await?;
        if inspection.0 == DatabaseContents::Event && self.is_secret_missing() {
            return Err(self.no_secret());
        }
        Ok(inspection)
    }

    /// Inspects the database, with or without its secret.
    async fn inspect_database(&self, sizes: PgPoolSizes) -> Result<Inspection> {
        if let Some(url) = &self.database {
            let connected = Db::connect_postgres(checked(url)?, sizes).await;
            let db = connected.context(OPEN_POSTGRES)?;
            return Ok((db.inspect().await.context(OPEN_POSTGRES)?, Some(db)));
        }
        if !self.has_database_file()? {
            return Ok((DatabaseContents::Nothing, None));
        }
        let inspection = Db::inspect_sqlite(&self.database_file()).await;
        Ok((inspection.with_context(|| self.open_sqlite())?, None))
    }

    fn open_sqlite(&self) -> String {
        format!("open the database `{}`", self.database_file().display())
    }

    pub fn is_secret_missing(&self) -> bool {
        self.secret_path().try_exists().is_ok_and(|exists| !exists)
    }

    /// Advice for an event without its secret.
    pub fn no_secret(&self) -> anyhow::Error {
        anyhow!(
            "the secret `{}` is missing, but the database needs it. Nothing was changed. Put the \
            file back, pass --secret-file, or restore a backup (which includes it): `flagship \
            restore FILE --data NEW`",
            self.secret_path().display()
        )
    }

    /// Opens the lane's writer for the event, which must have been applied.
    pub async fn writer(&self) -> Result<(Db, Writer)> {
        let (db, writer) = self.writer_of_any().await?;
        ensure!(
            writer.contest().event().is_some(),
            "no event has been applied to this database; run `flagship apply --event DIR`"
        );
        Ok((db, writer))
    }

    /// Opens the lane's writer, even for an empty event.
    pub async fn writer_of_any(&self) -> Result<(Db, Writer)> {
        let (db, key) = self.open().await?;
        let writer = Writer::open(db.clone(), &key, db.clock().await?).await?;
        Ok((db, writer))
    }

    /// Locks the folder of a SQLite database for one server or, with `join`, for several. The lock
    /// always ends with the process. Servers can share a PostgreSQL database without a lock.
    pub async fn lock(&self, join: bool) -> Result<Option<fs::File>> {
        let folder = self.lock_folder(join).await?;
        if let Some(folder) = folder.as_ref().filter(|_| !join) {
            // The lock is shared from now on, so that other servers can join. An error leaves it
            // unchanged.
            drop(folder.lock_shared());
        }
        Ok(folder)
    }

    /// Locks the folder of a SQLite database for a command that excludes all servers.
    pub async fn lock_alone(&self) -> Result<Option<fs::File>> {
        self.lock_folder(false).await
    }

    async fn lock_folder(&self, shared: bool) -> Result<Option<fs::File>> {
        if self.database.is_some() {
            return Ok(None);
        }
        if !self.data.is_dir() {
            self.make_folder()?;
        }
        let open = || format!("lock the data folder `{}`", self.data.display());
        let folder = fs::File::open(&self.data).with_context(open)?;
        let begun = Instant::now();
        let lock = || if shared { folder.try_lock_shared() } else { folder.try_lock() };
        let mut locked = lock();
        // A stopping or restarting server releases the lock shortly.
        while matches!(locked, Err(TryLockError::WouldBlock)) && begun.elapsed() < LOCK_WAIT {
            tokio::time::sleep(LOCK_POLL).await;
            locked = lock();
        }
        match locked {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => bail!(
                "another server is using `{}`: stop it (`systemctl stop flagship`), or pass \
                --join to run a second one. If `flagship attachments move` is running, wait for it \
                to end",
                self.data.display()
            ),
            Err(TryLockError::Error(error)) => {
                tracing::warn!(%error, "file locks are not supported here; run only one server");
            }
        }
        Ok(Some(folder))
    }

    /// Rejects a data folder that is also the event folder, unless it already contains the event:
    /// the secret must not be stored among files that are often published.
    pub fn ensure_separate_folders(&self, event: &Path) -> Result<()> {
        let data = self.data.canonicalize();
        if !data.is_ok_and(|data| event.canonicalize().is_ok_and(|event| data == event)) {
            return Ok(());
        }
        if self.has_files() {
            tracing::warn!(
                "the data folder and the event folder are the same: do not publish it, it \
                contains the event secret"
            );
            return Ok(());
        }
        bail!(
            "--data and --event are the same folder, `{}`. The secret would end up among files \
             that are often published. Use a separate --data folder",
            event.display()
        )
    }

    /// True if the data folder contains files of an event.
    fn has_files(&self) -> bool {
        self.database_file().exists() || self.data.join("secret").exists()
    }

    /// True if the data folder is missing or empty.
    pub fn is_folder_empty(&self) -> Result<bool> {
        match fs::read_dir(&self.data) {
            Ok(mut inside) => Ok(inside.next().is_none()),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(true),
            Err(error) => Err(error)
                .with_context(|| format!("list the data folder `{}`", self.data.display())),
        }
    }

    /// Creates the data folder if it is missing, and denies other users access if it is new, empty
    /// or contains an event. A folder with other contents may belong to another program, and a
    /// folder with the sticky bit, such as `/tmp`, is shared by several users.
    pub fn make_folder(&self) -> Result<()> {
        ensure!(
            !self.data.exists() || self.data.is_dir(),
            "--data `{}` is a file; it must be a folder",
            self.data.display()
        );
        fs::create_dir_all(&self.data)
            .with_context(|| format!("create the data folder `{}`", self.data.display()))?;
        let is_sticky = fs::metadata(&self.data).is_ok_and(|it| it.mode() & STICKY != 0);
        if is_sticky || !(self.has_files() || self.is_folder_empty().is_ok_and(|it| it)) {
            return Ok(());
        }
        let closed = fs::Permissions::from_mode(0o700);
        if let Err(error) = fs::set_permissions(&self.data, closed) {
            // Another user owns the folder, as with some container mounts. New files in it are
            // still readable only by their owner.
            tracing::warn!(%error, "the data folder is readable by other users");
        }
        Ok(())
    }

    /// Opens the inspected database and migrates its schema.
    async fn open_db(&self, inspection: Inspection) -> Result<Db> {
        let (_, Some(db)) = inspection else {
            let opened = Db::open_sqlite(&self.database_file()).await;
            return opened.with_context(|| self.open_sqlite());
        };
        db.migrate(None).await.context(OPEN_POSTGRES)?;
        Ok(db)
    }

    /// Connects to the database without migrating its schema.
    pub async fn connect(&self) -> Result<Db> {
        Ok(match &self.database {
            None => Db::connect_sqlite(&self.database_file()).await?,
            Some(url) => Db::connect_postgres(checked(url)?, PgPoolSizes::COMMAND).await?,
        })
    }

    pub fn database_file(&self) -> PathBuf {
        self.data.join("flagship.db")
    }

    /// Returns the place of attachments. Errors do not repeat the option, because it may contain a
    /// key by mistake.
    pub fn location(&self) -> Result<Location> {
        match &self.attachments {
            Some(place) => location(place, "--attachments"),
            None if self.database.is_some() => Ok(Location::Database),
            None => Ok(Location::Folder(self.data.clone())),
        }
    }

    /// Opens the storage of attachments.
    pub fn storage(&self, db: &Db) -> Result<Storage> {
        self.storage_at(&self.location()?, db)
    }

    /// Opens the storage of attachments at another place.
    pub fn storage_at(&self, place: &Location, db: &Db) -> Result<Storage> {
        Storage::open(place, db, &self.data).map_err(|why| anyhow!("{place}: {why}"))
    }

    pub fn secret_path(&self) -> PathBuf {
        self.secret_file.clone().unwrap_or_else(|| self.data.join("secret"))
    }

    /// Reads the secret; with `create`, writes a new one if missing.
    pub fn key(&self, create: bool) -> Result<Key> {
        let file = self.secret_path();
        if create && !file.exists() {
            let secret = HEXLOWER.encode(&rand::random::<[u8; SECRET_BYTES]>());
            write_secret(&file, format!("{secret}\n").as_bytes())
                .with_context(|| format!("create the secret `{}`", file.display()))?;
        }
        let secret =
            fs::read(&file).with_context(|| format!("read the secret `{}`", file.display()))?;
        let secret = secret.trim_ascii();
        ensure!(
            (SECRET_BYTES..=SECRET_FILE_BYTES_MAX).contains(&secret.len()),
            "the secret `{}` must be {SECRET_BYTES} to {SECRET_FILE_BYTES_MAX} bytes long; \
            restore the original file",
            file.display()
        );
        Ok(Key::new(secret))
    }
}

pub async fn live_settings(db: &Db) -> Result<Live> {
    flagship_server::settings_in(db).await.context("read the event's settings")
}

/// Parses a place of attachments from this option.
pub fn location(place: &str, option: &str) -> Result<Location> {
    place.parse().map_err(|why: String| anyhow!("{option}: {why}"))
}

fn checked(url: &str) -> Result<&str> {
    let fits = url.starts_with("postgres://") || url.starts_with("postgresql://");
    ensure!(fits, "--database must be `postgres://USER:PASSWORD@HOST/NAME`; omit it for SQLite");
    Ok(url)
}

/// Writes a secret atomically to a new file readable only by its owner. Keeps an existing file.
pub fn write_secret(file: &Path, secret: &[u8]) -> std::io::Result<()> {
    let folder = folder_of(file);
    let mut partial = tempfile::Builder::new().prefix("secret.").tempfile_in(folder)?;
    partial.write_all(secret)?;
    partial.as_file().sync_all()?;
    match partial.persist_noclobber(file) {
        // Another process created it first.
        Err(taken) if taken.error.kind() == ErrorKind::AlreadyExists => {}
        put => drop(put?),
    }
    // Sync the folder: a database elsewhere must not survive a crash that loses its secret.
    fs::File::open(folder)?.sync_all()
}

/// Rejects an existing file.
pub fn refuse_existing(file: &Path) -> Result<()> {
    ensure!(
        fs::symlink_metadata(file).is_err(),
        "`{}` already exists; choose another name",
        file.display()
    );
    Ok(())
}

/// The parent folder of a file.
pub fn folder_of(file: &Path) -> &Path {
    file.parent().filter(|it| *it != Path::new("")).unwrap_or(Path::new("."))
}
