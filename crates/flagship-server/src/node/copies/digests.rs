//! Digests of copies, which are kept while they are used.

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::Mutex;

use super::computed::Computed;
use crate::node::board::cards::CopyDigest;

/// Maximum number of digests of each of the two sets, about 300 bytes each.
pub const DIGESTS_MAX: usize = 25_000;

/// Digest of the original, and the flag.
pub type DigestKey = (String, String);

/// Digests in two sets. If the newer one is full, it replaces the older one, so that digests which
/// were not used for a long time are forgotten.
#[derive(Default)]
pub struct Digests(Mutex<[HashMap<DigestKey, Arc<Computed<CopyDigest>>>; 2]>);

impl Digests {
    /// Returns the digest if it is known.
    pub fn known(&self, key: &DigestKey) -> Option<CopyDigest> {
        self.digest(key).get().cloned()
    }

    /// Returns the place of a digest.
    pub fn digest(&self, key: &DigestKey) -> Arc<Computed<CopyDigest>> {
        let mut sets = self.0.lock();
        let [newer, older] = &mut *sets;
        if let Some(known) = newer.get(key) {
            return known.clone();
        }
        let digest = older.remove(key).unwrap_or_default();
        if newer.len() >= DIGESTS_MAX {
            *older = std::mem::take(newer);
        }
        newer.insert(key.clone(), digest.clone());
        digest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn used_digests_are_kept_and_others_are_forgotten() {
        let digests = Digests::default();
        let key = |number: usize| (number.to_string(), String::new());
        let digest = CopyDigest { bytes: 1, sha256: "ab".repeat(32) };
        for number in [0, 1] {
            digests.digest(&key(number)).set(digest.clone()).expect("it is new");
        }
        for number in 2..3 * DIGESTS_MAX {
            digests.digest(&key(number));
            assert_eq!(digests.known(&key(0)), Some(digest.clone()), "it is used");
        }
        assert_eq!(digests.known(&key(1)), None, "it was not used");
        let sets = digests.0.lock();
        assert!(sets.iter().all(|set| set.len() <= DIGESTS_MAX));
    }
}
