//! The fold of the journal with the hash of its last entry: the state against which the next row is
//! checked.

use flagship_game::facts::news::Change;
use flagship_game::{Contest, Entry, FoldError, chain};

use crate::journal::{self, StoredEntry};
use crate::{NewerFormat, Result, StoreError, Tx};

/// A fold, and the hash of the last entry in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fold {
    /// State computed from the entries.
    pub contest: Contest,
    /// The hash of the last entry; the genesis hash before the first.
    pub head: String,
}

impl Fold {
    /// Returns the fold before the first entry of a journal. `generation` is the journal's name.
    pub fn empty(generation: &str) -> Self {
        Self { contest: Contest::default(), head: chain::genesis(generation) }
    }

    /// The sequence number of the last entry, 0 before the first.
    pub fn seq(&self) -> i64 {
        self.contest.seq()
    }

    /// Checks and folds the next stored row.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] if the row does not follow the last one, [`StoreError::NewerFormat`]
    /// if it begins a format that this program cannot read. The fold is unchanged then.
    pub(crate) fn follow(&mut self, row: &StoredEntry) -> Result<Change> {
        let entry = row.check(&self.head)?;
        self.fold(&entry, &row.hash)
    }

    /// Checks and folds all rows after the last entry; returns the changes.
    pub(crate) async fn follow_all(&mut self, tx: &mut Tx) -> Result<Vec<Change>> {
        let mut changes = Vec::new();
        loop {
            let rows = journal::read_after_in(tx, self.seq()).await?;
            for row in &rows {
                changes.push(self.follow(row)?);
            }
            if rows.len() < journal::READ_ROWS_MAX {
                return Ok(changes);
            }
        }
    }

    /// Folds an entry. `hash` is the hash of its row.
    pub(crate) fn fold(&mut self, entry: &Entry, hash: &str) -> Result<Change> {
        let change = self.contest.fold(entry).map_err(|error| match error {
            FoldError::NewerFormat { seq, version } => NewerFormat { seq, version }.into(),
            FoldError::Refused { .. } => StoreError::Corrupt(error.to_string()),
        })?;
        hash.clone_into(&mut self.head);
        Ok(change)
    }
}
