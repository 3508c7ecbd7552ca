//! The folder `tls` of the data folder, readable only by its owner: `certificate.pem` has the
//! private key and the chain, `account.json` the account at the ACME server. Both name the ACME
//! server, because another one needs another account and another certificate.

use std::fs::{self, DirBuilder, Permissions};
use std::io::{ErrorKind, Write};
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use instant_acme::AccountCredentials;
use serde::{Deserialize, Serialize};

use super::served::ServedCertificate;

const FOLDER: &str = "tls";
const CERTIFICATE: &str = "certificate.pem";
const ACCOUNT: &str = "account.json";
/// Start of the first line of the certificate's file, before the URL of the ACME server.
const ISSUED_BY: &str = "# Issued by ";
const FOLDER_MODE: u32 = 0o700;

/// The files of a data folder.
#[derive(Clone)]
pub struct CertificateFiles {
    folder: PathBuf,
}

/// A stored certificate, and the URL of the ACME server that issued it.
pub struct StoredCertificate {
    pub directory: String,
    pub certificate: ServedCertificate,
}

/// The content of the account's file.
#[derive(Deserialize, Serialize)]
struct StoredAccount<Credentials> {
    directory: String,
    credentials: Credentials,
}

impl CertificateFiles {
    pub fn new(data: &Path) -> Self {
        Self { folder: data.join(FOLDER) }
    }

    /// Reads the certificate of a domain; `None` if there is no file.
    pub fn certificate(&self, domain: &str) -> Result<Option<StoredCertificate>> {
        let Some(pem) = self.read(CERTIFICATE)? else { return Ok(None) };
        let first = pem.lines().next().and_then(|line| line.strip_prefix(ISSUED_BY));
        let directory = first.unwrap_or_default().trim().to_owned();
        let certificate = ServedCertificate::parse(&pem, domain);
        let certificate =
            certificate.with_context(|| format!("`{}`", self.path(CERTIFICATE).display()))?;
        Ok(Some(StoredCertificate { directory, certificate }))
    }

    /// Replaces the stored certificate.
    pub fn keep_certificate(&self, directory: &str, pem: &str) -> Result<()> {
        self.write(CERTIFICATE, &format!("{ISSUED_BY}{directory}\n{pem}"))
    }

    /// Reads the account at an ACME server; `None` if there is none.
    pub fn account(&self, directory: &str) -> Result<Option<AccountCredentials>> {
        let Some(text) = self.read(ACCOUNT)? else { return Ok(None) };
        let stored: StoredAccount<AccountCredentials> = serde_json::from_str(&text)
            .with_context(|| format!("read `{}`", self.path(ACCOUNT).display()))?;
        Ok((stored.directory == directory).then_some(stored.credentials))
    }

    /// Replaces the stored account.
    pub fn keep_account(&self, directory: &str, credentials: &AccountCredentials) -> Result<()> {
        let account = StoredAccount { directory: directory.to_owned(), credentials };
        self.write(ACCOUNT, &serde_json::to_string(&account)?)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    fn read(&self, name: &str) -> Result<Option<String>> {
        let path = self.path(name);
        match fs::read_to_string(&path) {
            Ok(text) => Ok(Some(text)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error).with_context(|| format!("read `{}`", path.display())),
        }
    }

    /// Writes a file atomically, readable only by its owner.
    fn write(&self, name: &str, text: &str) -> Result<()> {
        let folder = &self.folder;
        let say = || format!("write `{}`", self.path(name).display());
        match DirBuilder::new().mode(FOLDER_MODE).create(folder) {
            Err(error) if error.kind() != ErrorKind::AlreadyExists => {
                return Err(error).with_context(say);
            }
            _ => {}
        }
        fs::set_permissions(folder, Permissions::from_mode(FOLDER_MODE)).with_context(say)?;
        // Temporary files have mode 0600.
        let mut partial = tempfile::NamedTempFile::new_in(folder).with_context(say)?;
        partial.write_all(text.as_bytes()).with_context(say)?;
        partial.as_file().sync_all().with_context(say)?;
        partial.persist(self.path(name)).with_context(say)?;
        fs::File::open(folder).and_then(|folder| folder.sync_all()).with_context(say)
    }
}
