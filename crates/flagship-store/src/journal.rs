//! The journal's rows: read in order, appended under the lane's lock, checked by hash.

use std::collections::BTreeMap;

use flagship_game::facts::{Fact, Properties};
use flagship_game::{Entry, chain};
use sqlx::{ColumnIndex, Decode, FromRow, Row, Type};

use crate::engine::{insert, run};
use crate::{Db, Lock, Result, StoreError, Tx};

/// Maximum rows per insert: SQLite allows 32,766 parameters, and a row has five.
const INSERT_ROWS_MAX: usize = 256;

/// A stored row of the journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredEntry {
    /// Sequence number, from 1, without gaps.
    pub seq: i64,
    /// Epoch milliseconds.
    pub at_ms: i64,
    /// Salt of the commitment to the body. Since 0.2.0 it also authenticates the entry.
    pub salt: String,
    /// The fact, as JSON.
    pub body: String,
    /// The hash chain up to here, in hex.
    pub hash: String,
}

/// Reads columns by position. Looking them up by name took one thirtieth of all instructions at
/// startup.
impl<'r, R: Row> FromRow<'r, R> for StoredEntry
where
    usize: ColumnIndex<R>,
    i64: Decode<'r, R::Database> + Type<R::Database>,
    String: Decode<'r, R::Database> + Type<R::Database>,
{
    fn from_row(row: &'r R) -> sqlx::Result<Self> {
        Ok(Self {
            seq: row.try_get(0)?,
            at_ms: row.try_get(1)?,
            salt: row.try_get(2)?,
            body: row.try_get(3)?,
            hash: row.try_get(4)?,
        })
    }
}

impl StoredEntry {
    /// The row that follows one with hash `previous`.
    pub(crate) fn new(previous: &str, seq: i64, at_ms: i64, salt: String, body: String) -> Self {
        let hash = link(previous, seq, at_ms, &salt, &body);
        Self { seq, at_ms, salt, body, hash }
    }

    /// Parses the row, if it follows one with hash `previous`.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] if the hash does not match, or if the body is not a valid fact.
    pub fn check(&self, previous: &str) -> Result<Entry> {
        if link(previous, self.seq, self.at_ms, &self.salt, &self.body) != self.hash {
            let words = format!("the hash of journal entry {} does not match", self.seq);
            return Err(StoreError::Corrupt(words));
        }
        Ok(Entry { seq: self.seq, at_ms: self.at_ms, fact: self.fact()? })
    }

    fn fact(&self) -> Result<Fact> {
        serde_json::from_str(&self.body)
            .map_err(|e| StoreError::Corrupt(format!("journal entry {}: {e}", self.seq)))
    }
}

fn link(previous: &str, seq: i64, at_ms: i64, salt: &str, body: &str) -> String {
    chain::link(previous, seq, at_ms, &chain::commitment(salt, body))
}

/// Maximum rows per read. A read that returns fewer rows is the last one: during the freeze, a node
/// runs the same number of statements with and without new entries.
pub(crate) const READ_ROWS_MAX: usize = 1000;

/// The SQL text contains the limit. With a bound limit, SQLite would prepare the statement for each
/// read, which took one sixth of the instructions of a correct submission.
const READ: &str =
    "select seq, at_ms, salt, body, hash from journal where seq > $1 order by seq limit 1000";

/// Reads up to `READ_ROWS_MAX` rows after `seq`.
pub async fn read_after(db: &Db, seq: i64) -> Result<Vec<StoredEntry>> {
    Ok(run!(db.read() => query_as(READ, seq).fetch_all))
}

/// Returns the hash of the entry with this number, if it exists.
pub(crate) async fn hash_at(db: &Db, seq: i64) -> Result<Option<String>> {
    let sql = "select hash from journal where seq = $1";
    Ok(run!(db.read() => query_scalar(sql, seq).fetch_optional))
}

pub(crate) async fn hash_at_in(tx: &mut Tx, seq: i64) -> Result<Option<String>> {
    let sql = "select hash from journal where seq = $1";
    Ok(run!(tx => query_scalar(sql, seq).fetch_optional))
}

/// The number and the hash of the last entry.
pub async fn head(db: &Db) -> Result<Option<(i64, String)>> {
    Ok(run!(db.read() => query_as(HEAD).fetch_optional))
}

pub(crate) const HEAD: &str = "select seq, hash from journal order by seq desc limit 1";

/// The last entries, the newest first.
pub(crate) async fn last_in(tx: &mut Tx, count: i64) -> Result<Vec<StoredEntry>> {
    let sql = "select seq, at_ms, salt, body, hash from journal order by seq desc limit $1";
    Ok(run!(tx => query_as(sql, count).fetch_all))
}

pub(crate) async fn read_after_in(tx: &mut Tx, seq: i64) -> Result<Vec<StoredEntry>> {
    Ok(run!(tx => query_as(READ, seq).fetch_all))
}

/// Splits rows into one run per insert. Run lengths are powers of two, so that a few statements
/// suffice and stay prepared.
pub(crate) fn runs<T>(mut rows: &[T]) -> impl Iterator<Item = &[T]> {
    std::iter::from_fn(move || {
        let length = rows.len().checked_ilog2().map(|power| 1 << power)?;
        let (run, rest) = rows.split_at(INSERT_ROWS_MAX.min(length));
        rows = rest;
        Some(run)
    })
}

/// SQL around the values of an insert that skips the rows whose first column is 0.
const LEAVES_OUT: (&str, &str) = ("select * from (", ") as named where column1 <> 0");

/// Returns the SQL around the values of an insert, with or without skipping rows.
pub(crate) fn around(leaves_out: bool) -> (&'static str, &'static str) {
    if leaves_out { LEAVES_OUT } else { ("", "") }
}

/// Appends rows. With `leaves_out`, rows with the number 0 are part of the statement, but not
/// inserted.
pub(crate) async fn append(tx: &mut Tx, rows: &[StoredEntry], leaves_out: bool) -> Result<()> {
    let (before, after) = around(leaves_out);
    for rows in runs(rows) {
        let sql = format!("insert into journal (seq, at_ms, salt, body, hash) {before}");
        insert!(tx => &sql, rows,
            |row| (row.seq, row.at_ms, &row.salt, &row.body, &row.hash), after);
    }
    Ok(())
}

/// Sequence numbers of the valid solves, by team and challenge.
type Solves = BTreeMap<(i64, String), i64>;

/// Checks that the table of solves agrees with the journal.
pub async fn check_solves(db: &Db) -> Result<()> {
    let mut by_journal = Solves::new();
    let mut seq = 0;
    // Read most rows before taking the lock, so that a running event hardly waits.
    while let Some(last) = fold_solves(&mut by_journal, &read_after(db, seq).await?)? {
        seq = last;
    }
    let mut tx = db.begin(Lock::Journal).await?;
    while let Some(last) = fold_solves(&mut by_journal, &read_after_in(&mut tx, seq).await?)? {
        seq = last;
    }
    let sql = "select team_id, challenge_id, seq from solves";
    let rows: Vec<(i64, String, i64)> = run!(&mut tx => query_as(sql).fetch_all);
    let by_table: Solves = rows.into_iter().map(|(team, id, seq)| ((team, id), seq)).collect();
    let differs = |one: &Solves, other: &Solves| {
        one.iter().find(|(key, seq)| other.get(*key) != Some(seq)).map(|(_, seq)| *seq)
    };
    match differs(&by_journal, &by_table).or_else(|| differs(&by_table, &by_journal)) {
        None => Ok(()),
        Some(seq) => {
            let words = format!("journal entry {seq} and the table of solves do not agree");
            Err(StoreError::Corrupt(words))
        }
    }
}

/// Applies the rows about solves; returns the number of the last row.
fn fold_solves(by_journal: &mut Solves, rows: &[StoredEntry]) -> Result<Option<i64>> {
    for row in rows {
        let fact = row.fact()?;
        let Properties { team, challenge, counts_solve, .. } = fact.properties();
        let (Some(team), Some(challenge), Some(counts)) = (team, challenge, counts_solve) else {
            continue;
        };
        let key = (team.0, challenge.as_str().to_owned());
        if counts {
            by_journal.insert(key, row.seq);
        } else {
            by_journal.remove(&key);
        }
    }
    Ok(rows.last().map(|row| row.seq))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_keep_all_rows_in_order_and_have_few_lengths() {
        for count in (0..70).chain([255, 256, 257, 511, 512, 1000, 4095]) {
            let rows: Vec<usize> = (0..count).collect();
            let cut: Vec<&[usize]> = runs(&rows).collect();
            assert_eq!(cut.concat(), rows);
            let fits = |run: &&[usize]| run.len().is_power_of_two() && run.len() <= INSERT_ROWS_MAX;
            assert!(cut.iter().all(fits) && cut.len() <= count / INSERT_ROWS_MAX + 8, "{count}");
        }
    }
}
