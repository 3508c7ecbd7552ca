//! Opens the installation that a command works on: data folder, database and secret.

use std::fs::{self, TryLockError};
use std::io::{ErrorKind, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail, ensure};
use data_encoding::HEXLOWER;
use flagship_pack::Live;
use flagship_store::key::SECRET_BYTES;
use flagship_store::lane::Writer;
use flagship_store::{Db, Holds, Key, PgPoolSizes};

use crate::cli::Installation;

/// Longest secret file, in bytes.
const SECRET_FILE_BYTES_MAX: usize = 4096;

/// How long a server waits for another one on its folder to end ...
const LOCK_WAIT: Duration = Duration::from_secs(2);
/// ... and how often it looks.
const LOCK_LOOK: Duration = Duration::from_millis(50);

/// The mode bit of folders whose files only their owners may remove.
const STICKY: u32 = 0o1000;

const OPEN_POSTGRES: &str = "open the PostgreSQL database";

/// What a database was found to hold, and the connections through which PostgreSQL's was looked at:
/// each new one costs it more than what a command reads.
type Looked = (Holds, Option<Db>);

impl Installation {
    /// Opens the database; creates the folder, the database and the secret if they are missing.
    pub async fn create(&self, sizes: PgPoolSizes) -> Result<(Db, Key)> {
        let looked = self.look_with_secret(sizes).await?;
        self.make_folder()?;
        let key = self.key(true)?;
        Ok((self.open_db(looked).await?, key))
    }

    /// Opens the database, which must exist.
    pub async fn open(&self) -> Result<(Db, Key)> {
        ensure!(
            self.database.is_some() || self.has_database_file()?,
            "there is no event in `{}`; `--data` says where it is, and `flagship serve --event \
             DIR` or `flagship apply --event DIR` makes one there",
            self.data.display()
        );
        let looked = self.look_with_secret(PgPoolSizes::COMMAND).await?;
        let key = self.key(false)?;
        Ok((self.open_db(looked).await?, key))
    }

    /// Whether the data folder has a database. A folder that cannot be looked into is an error.
    pub fn has_database_file(&self) -> Result<bool> {
        let file = self.database_file();
        file.try_exists().with_context(|| format!("look for the database `{}`", file.display()))
    }

    /// Whether there is an event; writes nothing. One whose secret is missing is an error.
    pub async fn has_event(&self) -> Result<bool> {
        Ok(self.look_with_secret(PgPoolSizes::COMMAND).await?.0 == Holds::Event)
    }

    /// Whether there is an event, with or without its secret.
    pub async fn holds_event(&self) -> Result<bool> {
        Ok(self.look(PgPoolSizes::COMMAND).await?.0 == Holds::Event)
    }

    /// What the database holds. An event whose secret is missing is an error.
    async fn look_with_secret(&self, sizes: PgPoolSizes) -> Result<Looked> {
        let looked = self.look(sizes).await?;
        if looked.0 == Holds::Event && self.is_secret_missing() {
            return Err(self.no_secret());
        }
        Ok(looked)
    }

    /// What the database holds, with or without its secret.
    async fn look(&self, sizes: PgPoolSizes) -> Result<Looked> {
        if let Some(url) = &self.database {
            let connected = Db::connect_postgres(checked(url)?, sizes).await;
            let db = connected.context(OPEN_POSTGRES)?;
            return Ok((db.look().await.context(OPEN_POSTGRES)?, Some(db)));
        }
        if !self.has_database_file()? {
            return Ok((Holds::Nothing, None));
        }
        let looked = Db::look_sqlite(&self.database_file()).await;
        Ok((looked.with_context(|| self.open_sqlite())?, None))
    }

    fn open_sqlite(&self) -> String {
        format!("open the database `{}`", self.database_file().display())
    }

    pub fn is_secret_missing(&self) -> bool {
        self.secret_path().try_exists().is_ok_and(|exists| !exists)
    }

    /// What to do about an event without its secret.
    pub fn no_secret(&self) -> anyhow::Error {
        anyhow!(
            "the secret `{}` is missing, and the event's database was written with it; nothing was \
             changed. Put the file back, name it with --secret-file, or restore a backup, which \
             holds it: `flagship restore FILE --data NEW`",
            self.secret_path().display()
        )
    }

    /// Opens the lane's writer for the event, which must have been applied.
    pub async fn writer(&self) -> Result<(Db, Writer)> {
        let (db, writer) = self.writer_of_any().await?;
        ensure!(
            writer.contest().event().is_some(),
            "no event was applied to this database yet: `flagship apply --event DIR` does it"
        );
        Ok((db, writer))
    }

    /// Opens the lane's writer, also of an empty event.
    pub async fn writer_of_any(&self) -> Result<(Db, Writer)> {
        let (db, key) = self.open().await?;
        let writer = Writer::open(db.clone(), &key, db.clock().await?).await?;
        Ok((db, writer))
    }

    /// Locks the folder of a SQLite database for one server, or with `join` beside others. The
    /// lock ends with the process, however it ends. Servers share a PostgreSQL database freely.
    pub async fn lock(&self, join: bool) -> Result<Option<fs::File>> {
        if self.database.is_some() {
            return Ok(None);
        }
        if !self.data.is_dir() {
            self.make_folder()?;
        }
        let open = || format!("lock the data folder `{}`", self.data.display());
        let folder = fs::File::open(&self.data).with_context(open)?;
        let begun = Instant::now();
        let lock = || if join { folder.try_lock_shared() } else { folder.try_lock() };
        let mut locked = lock();
        // A server that is being stopped or restarted lets go in a moment.
        while matches!(locked, Err(TryLockError::WouldBlock)) && begun.elapsed() < LOCK_WAIT {
            tokio::time::sleep(LOCK_LOOK).await;
            locked = lock();
        }
        match locked {
            Ok(()) if join => {}
            // Shared from now on, so that others may join.
            Ok(()) => folder.lock_shared().with_context(open)?,
            Err(TryLockError::WouldBlock) => bail!(
                "another server runs on `{}`: stop it first (`systemctl stop flagship`), or give \
                 --join to run this one beside it",
                self.data.display()
            ),
            Err(TryLockError::Error(error)) => {
                tracing::warn!(%error, "the file system has no locks: start one server only");
            }
        }
        Ok(Some(folder))
    }

    /// Refuses a data folder that is the event's folder, unless the event is there already: the
    /// secret must not lie among files that are often published.
    pub fn keep_apart(&self, event: &Path) -> Result<()> {
        let data = self.data.canonicalize();
        if !data.is_ok_and(|data| event.canonicalize().is_ok_and(|event| data == event)) {
            return Ok(());
        }
        if self.has_files() {
            tracing::warn!(
                "the data folder is the event's folder: do not publish it, because the event's \
                 secret is in it"
            );
            return Ok(());
        }
        bail!(
            "--data and --event are the same folder, `{}`: the event's secret would lie among its \
             files, which are often published. Give --data a folder of its own",
            event.display()
        )
    }

    /// True if files of an event are in the data folder.
    fn has_files(&self) -> bool {
        self.database_file().exists() || self.data.join("secret").exists()
    }

    /// True if the data folder is missing or holds nothing.
    pub fn is_folder_empty(&self) -> Result<bool> {
        match fs::read_dir(&self.data) {
            Ok(mut inside) => Ok(inside.next().is_none()),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(true),
            Err(error) => Err(error)
                .with_context(|| format!("list the data folder `{}`", self.data.display())),
        }
    }

    /// Creates the data folder if it is missing, and denies other users access to one that is new
    /// or empty or holds an event. Another program may use a folder with something else in it, and
    /// does use one whose files only their owners may remove, as `/tmp`.
    pub fn make_folder(&self) -> Result<()> {
        ensure!(
            !self.data.exists() || self.data.is_dir(),
            "the data folder `{}` is a file: name a folder with --data",
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
            // Another user owns the folder, as with some container mounts. The files in it are
            // still created for their owner alone.
            tracing::warn!(%error, "the data folder may be readable by other users");
        }
        Ok(())
    }

    /// Opens the database that was looked at, and brings its schema up to date.
    async fn open_db(&self, looked: Looked) -> Result<Db> {
        let (_, Some(db)) = looked else {
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

    pub fn secret_path(&self) -> PathBuf {
        self.secret_file.clone().unwrap_or_else(|| self.data.join("secret"))
    }

    /// Reads the secret; with `create` writes a new one if there is none.
    pub fn key(&self, create: bool) -> Result<Key> {
        let file = self.secret_path();
        if create && !file.exists() {
            let secret = HEXLOWER.encode(&rand::random::<[u8; SECRET_BYTES]>());
            put_secret(&file, format!("{secret}\n").as_bytes())
                .with_context(|| format!("create the secret `{}`", file.display()))?;
        }
        let secret =
            fs::read(&file).with_context(|| format!("read the secret `{}`", file.display()))?;
        let secret = secret.trim_ascii();
        ensure!(
            (SECRET_BYTES..=SECRET_FILE_BYTES_MAX).contains(&secret.len()),
            "the secret `{}` has to be {SECRET_BYTES} to {SECRET_FILE_BYTES_MAX} bytes long; put \
             back the file that the event was made with",
            file.display()
        );
        Ok(Key::new(secret))
    }
}

pub async fn live_settings(db: &Db) -> Result<Live> {
    flagship_server::settings_in(db).await.context("read the event's settings")
}

fn checked(url: &str) -> Result<&str> {
    let fits = url.starts_with("postgres://") || url.starts_with("postgresql://");
    ensure!(fits, "--database takes `postgres://USER:PASSWORD@HOST/NAME`; leave it out for SQLite");
    Ok(url)
}

/// Writes a secret into a new file, atomically, for its owner alone. Keeps an existing file.
pub fn put_secret(file: &Path, secret: &[u8]) -> std::io::Result<()> {
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

/// Refuses a file that is there already.
pub fn refuse_existing(file: &Path, what_overwrites: &str) -> Result<()> {
    ensure!(
        fs::symlink_metadata(file).is_err(),
        "`{}` already exists, and {what_overwrites} nothing: give another name",
        file.display()
    );
    Ok(())
}

/// The parent folder of a file.
pub fn folder_of(file: &Path) -> &Path {
    file.parent().filter(|it| *it != Path::new("")).unwrap_or(Path::new("."))
}
