//! Opening the event that a command is about.

use std::fs;
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use flagship_store::key::SECRET_BYTES;
use flagship_store::lane::Writer;
use flagship_store::{Clock, Db, Key};

use crate::cli::Place;

/// Longest secret file, in bytes.
const SECRET_FILE_BYTES_MAX: usize = 4096;

impl Place {
    /// Opens the event's database, making what is missing: for a first start.
    pub async fn create(&self) -> Result<(Db, Key)> {
        fs::create_dir_all(&self.data)
            .with_context(|| format!("make the data folder `{}`", self.data.display()))?;
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
        let writer = Writer::open(db.clone(), &key, Clock::system()).await?;
        ensure!(writer.contest().event().is_some(), "no event was applied to this database yet");
        Ok((db, writer))
    }

    async fn open_db(&self) -> Result<Db> {
        match &self.database {
            None => {
                let file = self.database_file();
                let opened = Db::open_sqlite(&file).await;
                opened.with_context(|| format!("open the database `{}`", file.display()))
            }
            Some(url) if url.starts_with("postgres://") || url.starts_with("postgresql://") => {
                Db::open_postgres(url).await.context("open the PostgreSQL database")
            }
            Some(_) => bail!("--database takes `postgres://...`; leave it out for SQLite"),
        }
    }

    fn database_file(&self) -> PathBuf {
        self.data.join("flagship.db")
    }

    fn key(&self, make: bool) -> Result<Key> {
        let file = self.secret_file.clone().unwrap_or_else(|| self.data.join("secret"));
        if make && !file.exists() {
            make_secret(&file).with_context(|| format!("make the secret `{}`", file.display()))?;
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

/// Makes a secret, readable by its owner alone.
fn make_secret(file: &Path) -> std::io::Result<()> {
    let secret = hex::encode(rand::random::<[u8; SECRET_BYTES]>());
    let mut options = fs::OpenOptions::new();
    let mut file = options.write(true).create_new(true).mode(0o600).open(file)?;
    writeln!(file, "{secret}")?;
    file.sync_all()
}
