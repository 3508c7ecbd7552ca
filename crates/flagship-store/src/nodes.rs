//! The nodes that judge submissions on one database, and their shared counts.
//!
//! A single node counts in memory. Before a second node judges anything, the first one has written
//! its counts to the database. From then on, all nodes count in transactions under one lock.

use crate::engine::{Conn, Tx, insert, run};
use crate::wrong_flags::{self, WrongFlag};
use crate::{Clock, Db, Lock, Result, challenges};

/// Maximum window of attempts, in milliseconds. Older attempts are deleted.
pub const ATTEMPT_WINDOW_MAX_MS: i64 = 3_600_000;

/// Maximum rows per insert.
const INSERT_ROWS_MAX: usize = 500;

/// A node's row.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Node {
    /// Random id, new at each start.
    pub node_id: String,
    /// Heartbeat: increases while the node is alive.
    pub beat: i64,
    /// True if the node has written its counts to the database and counts there.
    pub shares: bool,
}

/// Result of the check that a node with counts in memory makes before it responds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct NodeCheck {
    /// `challenges::revision`
    pub revision: i64,
    /// True if this node is the only one in the table.
    pub is_alone: bool,
}

/// A transaction that holds the counts lock.
pub struct CountTransaction {
    tx: Tx,
    /// Current time, in epoch milliseconds.
    pub now_ms: i64,
    /// `challenges::revision`
    pub revision: i64,
}

/// Reads the revision of the flags, and checks that this node is alone.
pub async fn look(db: &Db, node_id: &str) -> Result<NodeCheck> {
    look_on(&mut db.read_at_once().await?, node_id).await
}

async fn look_on(conn: &mut Conn, node_id: &str) -> Result<NodeCheck> {
    let sql = "select cast(coalesce((select value from meta where key = $1), '0') as bigint) \
                   as revision, \
               not exists (select 1 from nodes where node_id <> $2) \
                   and exists (select 1 from nodes where node_id = $2) as is_alone";
    Ok(run!(conn => query_as(sql, challenges::REVISION, node_id).fetch_one))
}

/// Runs [`look`] repeatedly on one connection. Submissions wait for each check, and a pool would
/// test the connection after each use.
pub struct NodeChecker {
    db: Db,
    conn: Option<Conn>,
}

impl NodeChecker {
    /// Creates a checker for a database.
    pub fn new(db: Db) -> Self {
        Self { db, conn: None }
    }

    /// Runs the next check, on a new connection if the old one is broken.
    pub async fn look(&mut self, node_id: &str) -> Result<NodeCheck> {
        if let Some(mut conn) = self.conn.take()
            && let Ok(look) = look_on(&mut conn, node_id).await
        {
            self.conn = Some(conn);
            return Ok(look);
        }
        let mut conn = self.db.read_at_once().await?;
        let look = look_on(&mut conn, node_id).await?;
        self.conn = Some(conn);
        Ok(look)
    }
}

/// Number of nodes in the table: running nodes, and nodes killed since a node last started.
pub async fn running(db: &Db) -> Result<i64> {
    let sql = "select count(*) from nodes";
    Ok(run!(db.read() => query_scalar(sql).fetch_one))
}

/// Returns the same nodes.
pub async fn list(db: &Db) -> Result<Vec<Node>> {
    let sql = "select node_id, beat, shares from nodes";
    Ok(run!(db.read() => query_as(sql).fetch_all))
}

/// Begins a count transaction.
pub async fn count(db: &Db, clock: &Clock) -> Result<CountTransaction> {
    let mut tx = db.begin(Lock::Budgets).await?;
    let now_ms = tx.now_ms(clock).await?;
    let revision = challenges::revision_in(&mut tx).await?;
    Ok(CountTransaction { tx, now_ms, revision })
}

impl CountTransaction {
    /// All nodes.
    pub async fn nodes(&mut self) -> Result<Vec<Node>> {
        let sql = "select node_id, beat, shares from nodes";
        Ok(run!(&mut self.tx => query_as(sql).fetch_all))
    }

    /// Inserts or updates a node.
    pub async fn set(&mut self, node: &Node) -> Result<()> {
        let sql = "insert into nodes (node_id, beat, shares) values ($1, $2, $3) \
                   on conflict (node_id) do update \
                   set beat = excluded.beat, shares = excluded.shares";
        run!(&mut self.tx => query(sql, &node.node_id, node.beat, node.shares).execute);
        Ok(())
    }

    /// Deletes a node.
    pub async fn remove(&mut self, node_id: &str) -> Result<()> {
        run!(&mut self.tx => query("delete from nodes where node_id = $1", node_id).execute);
        Ok(())
    }

    /// Returns the incorrect submissions of one team, or of all, after `at_ms`, oldest first.
    pub async fn wrong_since(&mut self, team: Option<i64>, at_ms: i64) -> Result<Vec<WrongFlag>> {
        let sql = "select account_id, challenge_id, at_ms, digest, folded from wrong_flags \
                   where at_ms > $1 and (account_id = $2 or $2 is null) order by at_ms";
        Ok(run!(&mut self.tx => query_as(sql, at_ms, team).fetch_all))
    }

    /// Records incorrect submissions, and returns the IDs of the records.
    pub async fn record(&mut self, batch: &[WrongFlag]) -> Result<Vec<i64>> {
        wrong_flags::record_in(&mut self.tx, batch).await
    }

    /// Records the incorrect submissions in `wrong` during the freeze. Does the same work for the
    /// correct ones in `right`, but stores nothing about them. Returns the IDs of the records.
    pub async fn record_alike(
        &mut self,
        wrong: &[WrongFlag],
        right: &[WrongFlag],
    ) -> Result<Vec<i64>> {
        wrong_flags::record_alike_in(&mut self.tx, wrong, right, &[]).await
    }

    /// Time at which a bucket with `count_max` attempts in the last `window_ms` milliseconds allows
    /// the next one, in epoch milliseconds; `None` if it allows one now.
    pub async fn full_until_ms(
        &mut self,
        bucket: &str,
        count_max: usize,
        window_ms: i64,
    ) -> Result<Option<i64>> {
        let sql = "select at_ms from attempts where bucket = $1 and at_ms > $2 order by at_ms";
        let since_ms = self.now_ms - window_ms;
        let times: Vec<i64> = run!(&mut self.tx => query_scalar(sql, bucket, since_ms).fetch_all);
        Ok(times.len().checked_sub(count_max).map(|oldest| times[oldest] + window_ms))
    }

    /// Stores attempts, each with id, bucket and time.
    pub async fn note_attempts<B: AsRef<str>>(&mut self, attempts: &[(i64, B, i64)]) -> Result<()> {
        let sql = "delete from attempts where at_ms <= $1";
        run!(&mut self.tx => query(sql, self.now_ms - ATTEMPT_WINDOW_MAX_MS).execute);
        for rows in attempts.chunks(INSERT_ROWS_MAX) {
            let sql = "insert into attempts (id, bucket, at_ms) ";
            insert!(&mut self.tx => sql, rows,
                |(id, bucket, at_ms)| (*id, bucket.as_ref(), *at_ms), "");
        }
        Ok(())
    }

    /// Deletes an attempt that must not count.
    pub async fn forget_attempt(&mut self, id: i64) -> Result<()> {
        run!(&mut self.tx => query("delete from attempts where id = $1", id).execute);
        Ok(())
    }

    /// Commits the transaction.
    pub async fn commit(self) -> Result<()> {
        self.tx.commit().await
    }
}
