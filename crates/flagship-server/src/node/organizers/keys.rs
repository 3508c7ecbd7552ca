//! Idempotency keys of requests that run on this node.

use std::collections::HashSet;
use std::sync::Arc;

use parking_lot::Mutex;

/// Idempotency keys of requests that run, by organizer.
#[derive(Clone, Default)]
pub struct RunningKeys(Arc<Mutex<HashSet<(i64, String)>>>);

/// A key whose request runs, until it is dropped.
pub struct RunningKey {
    keys: RunningKeys,
    key: (i64, String),
}

impl RunningKeys {
    /// Marks a key as in use; `None` if it is already.
    pub fn begin(&self, organizer: i64, key: &str) -> Option<RunningKey> {
        let key = (organizer, key.to_owned());
        let is_new = self.0.lock().insert(key.clone());
        is_new.then(|| RunningKey { keys: self.clone(), key })
    }
}

impl Drop for RunningKey {
    fn drop(&mut self) {
        self.keys.0.lock().remove(&self.key);
    }
}
