//! Opens the installation that a command works on: data folder, database and secret.

use std::fs;
use std::io::{ErrorKind, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use data_encoding::HEXLOWER;
use flagship_store::key::SECRET_BYTES;
use flagship_store::lane::Writer;
use flagship_store::{Db, Key};

use crate::cli::Installation;

/// Longest secret file, in bytes.
const SECRET_FILE_BYTES_MAX: usize = 4096;

impl Installation {
    /// Opens the database; creates the folder, the database and the secret if they are missing.
    pub async fn create(&self) -> Result<(Db, Key)> {
        self.make_folder()?;
        let key = self.key(true)?;
        Ok((self.open_db().await?, key))
    }

    /// Opens the database, which must exist.
    pub async fn open(&self) -> Result<(Db, Key)> {
        if self.database.is_none() && !self.database_file().exists() {
            bail!("there is no event in `{}`; `--data` says where it is", self.data.display());
        }
        let key = self.key(false)?;
        Ok((self.open_db().await?, key))
    }

    /// Opens the lane's writer for the event, which must have been applied.
    pub async fn writer(&self) -> Result<(Db, Writer)> {
        let (db, key) = self.open().await?;
        let writer = Writer::open(db.clone(), &key, db.clock().await?).await?;
        ensure!(writer.contest().event().is_some(), "no event was applied to this database yet");
        Ok((db, writer))
    }

    /// Creates the data folder if it is missing, and denies other users access to it.
    pub fn make_folder(&self) -> Result<()> {
        fs::create_dir_all(&self.data)
            .with_context(|| format!("create the data folder `{}`", self.data.display()))?;
        let closed = fs::Permissions::from_mode(0o700);
        if let Err(error) = fs::set_permissions(&self.data, closed) {
            // Another user owns the folder, as with some container mounts. The files in it are
            // still created for their owner alone.
            tracing::warn!(%error, "the data folder may be readable by other users");
        }
        Ok(())
    }

    async fn open_db(&self) -> Result<Db> {
        match &self.database {
            None => {
                let file = self.database_file();
                let opened = Db::open_sqlite(&file).await;
                opened.with_context(|| format!("open the database `{}`", file.display()))
            }
            Some(url) => {
                Db::open_postgres(checked(url)?).await.context("open the PostgreSQL database")
            }
        }
    }

    /// Connects to the database without migrating its schema; SQLite's file is `file`.
    pub async fn connect(&self, file: &Path) -> Result<Db> {
        Ok(match &self.database {
            None => Db::connect_sqlite(file).await?,
            Some(url) => Db::connect_postgres(checked(url)?).await?,
        })
    }

    /// The path of the SQLite database.
    pub fn database_file(&self) -> PathBuf {
        self.data.join("flagship.db")
    }

    /// The path of the secret.
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
            "the secret `{}` has to be {SECRET_BYTES} to {SECRET_FILE_BYTES_MAX} bytes long",
            file.display()
        );
        Ok(Key::new(secret))
    }
}

fn checked(url: &str) -> Result<&str> {
    let fits = url.starts_with("postgres://") || url.starts_with("postgresql://");
    ensure!(fits, "--database takes `postgres://...`; leave it out for SQLite");
    Ok(url)
}

/// Writes a secret into a new file, atomically and readable by its owner alone. Keeps an existing
/// file.
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

/// The parent folder of a file.
pub fn folder_of(file: &Path) -> &Path {
    file.parent().filter(|it| *it != Path::new("")).unwrap_or(Path::new("."))
}
