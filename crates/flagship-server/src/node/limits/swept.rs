//! Map that is swept as it grows, so that the number of outdated entries is bounded.

use std::collections::HashMap;
use std::hash::Hash;

/// Maximum number of entries in a map.
pub const ENTRIES_MAX: usize = 100_000;
/// Number of entries at which a map is first swept.
pub const SWEEP_MIN: usize = 1_024;

pub struct SweptMap<K, V> {
    entries: HashMap<K, V>,
    sweep_at: usize,
}

impl<K, V> Default for SweptMap<K, V> {
    fn default() -> Self {
        Self { entries: HashMap::new(), sweep_at: SWEEP_MIN }
    }
}

impl<K: Eq + Hash, V> SweptMap<K, V> {
    /// Removes unneeded entries if the map has doubled since the last sweep.
    pub fn sweep(&mut self, mut is_needed: impl FnMut(&mut V) -> bool) {
        if self.entries.len() < self.sweep_at {
            return;
        }
        self.entries.retain(|_, value| is_needed(value));
        self.sweep_at = (self.entries.len() * 2).clamp(SWEEP_MIN, ENTRIES_MAX);
    }

    /// Sweeps, then removes all entries if the map is still full. Briefly limiting no client is
    /// better than locking all of them out.
    pub fn sweep_or_clear(&mut self, is_needed: impl FnMut(&mut V) -> bool) {
        self.sweep(is_needed);
        if self.is_full() {
            *self = Self::default();
        }
    }

    /// True if the map has reached [`ENTRIES_MAX`].
    pub fn is_full(&self) -> bool {
        self.entries.len() >= ENTRIES_MAX
    }

    pub fn entries(&mut self) -> &mut HashMap<K, V> {
        &mut self.entries
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_swept_map_keeps_needed_entries_and_never_overflows() {
        let mut map = SweptMap::default();
        for key in 0..10_000 {
            map.sweep(|value| *value + 5 > key);
            map.entries().insert(key, key);
        }
        assert!(map.entries().len() <= SWEEP_MIN);
        assert!((9_995..10_000).all(|key| map.entries().contains_key(&key)));
        for key in 0..=ENTRIES_MAX {
            map.sweep_or_clear(|_| true);
            map.entries().insert(key, key);
        }
        assert!(map.entries().len() < ENTRIES_MAX);
    }
}
