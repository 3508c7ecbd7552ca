//! Opening the event that a command is about.

use std::fs;
use std::io::{ErrorKind, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use data_encoding::HEXLOWER;
use flagship_store::key::SECRET_BYTES;
use flagship_store::lane::Writer;
use flagship_store::{Db, Key};

use crate::cli::Place;

/// Longest secret file, in bytes.
const SECRET_FILE_BYTES_MAX: usize = 4096;

impl Place {
    /// Opens the event's database, making what is missing: for a first start.
    pub async fn create(&self) -> Result<(Db, Key)> {
        self.make_folder()?;
        let key = self.key(true)?;
        Ok((self.open_db().await?, key))
    }

    /// Opens the event's database, which must be there.
    pub async fn open(&self) -> Result<(Db, Key)> {
        if self.database.is_none() && !self.database_file().exists() {
            bail!("there is no event in `{}`; `--data` says where it is", self.data.display());
        }
        let key = self.key(false)?;
        Ok((self.open_db().await?, key))
    }

    /// The lane's hands on the event, which must be there.
    pub async fn writer(&self) -> Result<(Db, Writer)> {
        let (db, key) = self.open().await?;
        let writer = Writer::open(db.clone(), &key, db.clock().await?).await?;
        ensure!(writer.contest().event().is_some(), "no event was applied to this database yet");
        Ok((db, writer))
    }

    /// Makes the data folder, for its owner alone; one that is there is closed to others.
    pub fn make_folder(&self) -> Result<()> {
        fs::create_dir_all(&self.data)
            .with_context(|| format!("make the data folder `{}`", self.data.display()))?;
        let closed = fs::Permissions::from_mode(0o700);
        if let Err(error) = fs::set_permissions(&self.data, closed) {
            // A folder that another user owns, as some containers mount: its files are closed.
            tracing::warn!(%error, "the data folder could not be closed to others");
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

    /// The database as it is, whatever its schema; SQLite's in `file`.
    pub async fn connect(&self, file: &Path) -> Result<Db> {
        Ok(match &self.database {
            None => Db::connect_sqlite(file).await?,
            Some(url) => Db::connect_postgres(checked(url)?).await?,
        })
    }

    /// Where SQLite's database is.
    pub fn database_file(&self) -> PathBuf {
        self.data.join("flagship.db")
    }

    /// Where the secret is.
    pub fn secret_path(&self) -> PathBuf {
        self.secret_file.clone().unwrap_or_else(|| self.data.join("secret"))
    }

    /// Reads the secret, or makes one.
    pub fn key(&self, make: bool) -> Result<Key> {
        let file = self.secret_path();
        if make && !file.exists() {
            let secret = HEXLOWER.encode(&rand::random::<[u8; SECRET_BYTES]>());
            put_secret(&file, format!("{secret}\n").as_bytes())
                .with_context(|| format!("make the secret `{}`", file.display()))?;
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

/// Puts a secret into a file that is there whole or not at all, readable by its owner alone. One
/// that is there already stays.
pub fn put_secret(file: &Path, secret: &[u8]) -> std::io::Result<()> {
    let folder = folder_of(file);
    let mut draft = tempfile::Builder::new().prefix("secret.").tempfile_in(folder)?;
    draft.write_all(secret)?;
    draft.as_file().sync_all()?;
    match draft.persist_noclobber(file) {
        // Another process was first.
        Err(taken) if taken.error.kind() == ErrorKind::AlreadyExists => {}
        put => drop(put?),
    }
    // A database in a place of its own must not outlive the secret under which it was written.
    fs::File::open(folder)?.sync_all()
}

/// The folder that a file is in.
pub fn folder_of(file: &Path) -> &Path {
    file.parent().filter(|it| *it != Path::new("")).unwrap_or(Path::new("."))
}
