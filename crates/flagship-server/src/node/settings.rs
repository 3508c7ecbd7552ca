//! The settings that a running node takes over: `[registration]`, `[limits]`, `[privacy]` and
//! `[site]`.
//!
//! All nodes follow those in the database, which a starting server, `apply` and SIGHUP write.

use std::sync::Arc;

use arc_swap::{ArcSwap, Guard};
use flagship_pack::Live;
use flagship_store::{Db, StoreError, settings};
use parking_lot::Mutex;

/// The current settings, shared by the parts that use them.
#[derive(Clone)]
pub struct LiveSettings(Arc<Inner>);

struct Inner {
    current: ArcSwap<Live>,
    /// The text that was last read from the database.
    read: Mutex<Option<String>>,
}

impl LiveSettings {
    /// The settings that a node starts with.
    pub fn new(live: Live) -> Self {
        Self(Arc::new(Inner { current: ArcSwap::from_pointee(live), read: Mutex::default() }))
    }

    /// Those in the database, or the ones that a node starts with.
    pub async fn open(live: Live, db: &Db) -> Result<Self, StoreError> {
        let settings = Self::new(live);
        settings.follow(db).await?;
        Ok(settings)
    }

    /// The settings now.
    pub fn load(&self) -> Guard<Arc<Live>> {
        self.0.current.load()
    }

    /// The settings now, to be held for longer.
    pub fn load_full(&self) -> Arc<Live> {
        self.0.current.load_full()
    }

    /// Writes settings to the database, from where all nodes take them over.
    pub async fn put(&self, db: &Db, live: &Live) -> Result<(), StoreError> {
        let text = serde_json::to_string(live).expect("settings are plain data");
        settings::put(db, &text, None).await?;
        self.follow(db).await
    }

    /// Takes over the settings in the database if they are others than before.
    pub async fn follow(&self, db: &Db) -> Result<(), StoreError> {
        let Some(text) = settings::live(db).await? else { return Ok(()) };
        let mut read = self.0.read.lock();
        if read.as_ref() == Some(&text) {
            return Ok(());
        }
        match serde_json::from_str::<Live>(&text) {
            Ok(live) if live == **self.load() => {}
            Ok(live) => {
                self.0.current.store(Arc::new(live));
                tracing::info!("took over [registration], [limits], [privacy] and [site]");
            }
            Err(error) => tracing::error!(%error, "the settings in the database cannot be read"),
        }
        *read = Some(text);
        Ok(())
    }
}
