//! Branding of the event. The files are kept in memory, because they are few and small, and every
//! visitor requests them.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use bytes::Bytes;
use flagship_game::challenge::is_digest;
use flagship_pack::SiteFile;
use parking_lot::RwLock;

use super::report::report;
use super::settings::LiveSettings;

/// Branding files named in `[site]`.
pub struct Brand {
    folder: PathBuf,
    settings: LiveSettings,
    kept: RwLock<HashMap<String, Bytes>>,
}

impl Brand {
    pub fn new(data: &Path, settings: LiveSettings) -> Self {
        Self { folder: data.join("files"), settings, kept: RwLock::default() }
    }

    /// Returns a file that the current settings name; `None` if they do not, or if this node lacks
    /// it.
    pub async fn file(&self, digest: &str) -> Option<(SiteFile, Bytes)> {
        let settings = self.settings.load_full();
        let is_it = |file: &&SiteFile| file.digest == digest && is_digest(digest);
        let file = settings.site.files().find(is_it)?.clone();
        let known = self.kept.read().get(digest).cloned();
        if let Some(bytes) = known {
            return Some((file, bytes));
        }
        let bytes = tokio::fs::read(self.folder.join(digest)).await;
        let bytes = bytes.inspect_err(|error| report(error, "a file of [site] cannot be read"));
        let bytes = Bytes::from(bytes.ok()?);
        let mut kept = self.kept.write();
        kept.retain(|known, _| settings.site.files().any(|file| file.digest == *known));
        kept.insert(digest.to_owned(), bytes.clone());
        Some((file, bytes))
    }
}
