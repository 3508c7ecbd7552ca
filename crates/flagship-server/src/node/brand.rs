//! Branding of the event. The files are kept in memory, because they are few and small, and every
//! visitor requests them.

use std::collections::HashMap;
use std::io::ErrorKind;
use std::sync::Arc;

use bytes::Bytes;
use flagship_game::challenge::is_digest;
use flagship_pack::SiteFile;
use flagship_store::StoreError;
use futures_util::TryFutureExt;
use parking_lot::RwLock;
use tokio::sync::OnceCell;

use super::report::report;
use super::settings::LiveSettings;
use super::storage::Storage;

/// Branding files named in `[site]`.
pub struct Brand {
    storage: Storage,
    settings: LiveSettings,
    /// Contents by digest. While a file is read, other requests for it wait.
    kept: RwLock<HashMap<String, Arc<OnceCell<Bytes>>>>,
}

impl Brand {
    pub fn new(storage: Storage, settings: LiveSettings) -> Self {
        Self { storage, settings, kept: RwLock::default() }
    }

    /// Returns a file that the current settings name; `None` if they do not, or if this node lacks
    /// it.
    ///
    /// # Errors
    /// Fails if the storage cannot be read.
    pub async fn file(&self, digest: &str) -> Result<Option<(SiteFile, Bytes)>, StoreError> {
        let settings = self.settings.load_full();
        let is_it = |file: &&SiteFile| file.digest == digest && is_digest(digest);
        let Some(file) = settings.site.files().find(is_it).cloned() else { return Ok(None) };
        let known = self.kept.read().get(digest).cloned();
        let content = known.unwrap_or_else(|| {
            let mut kept = self.kept.write();
            kept.retain(|known, _| settings.site.files().any(|file| file.digest == *known));
            kept.entry(digest.to_owned()).or_default().clone()
        });
        let read = || self.storage.read(digest).map_ok(Bytes::from);
        match content.get_or_try_init(read).await {
            Ok(bytes) => Ok(Some((file, bytes.clone()))),
            Err(error) if error.kind() == ErrorKind::NotFound => {
                report(&error, "a file of [site] is missing");
                Ok(None)
            }
            Err(error) => Err(error.into()),
        }
    }
}
