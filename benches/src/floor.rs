//! The limits of the machine: rows that bare SQLite writes and syncs of the disk, per second.

use std::fs::File;
use std::io::{Seek, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::Result;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteSynchronous};
use sqlx::{ConnectOptions, Connection};

use crate::Bench;
use crate::table::{Table, median, short};

/// Rows per commit.
const ROWS: usize = 100;
/// Size of a row's text: about that of a journal entry.
const ROW_BYTES: usize = 200;
/// Size of one synced write: a page.
const PAGE_BYTES: usize = 4096;

/// The speed of a disk.
#[derive(Clone, Copy)]
pub struct Floor {
    pub rows_per_s: f64,
    pub syncs_per_s: f64,
}

/// Measures both, each for the duration `each`.
pub async fn measure(work: &Path, each: Duration) -> Result<Floor> {
    let folder = tempfile::Builder::new().prefix("floor-").tempdir_in(work)?;
    let mut file = File::create(folder.path().join("page"))?;
    let begun = Instant::now();
    let mut syncs = 0;
    while begun.elapsed() < each {
        file.rewind()?;
        file.write_all(&[syncs as u8; PAGE_BYTES])?;
        file.sync_data()?;
        syncs += 1;
    }
    let syncs_per_s = f64::from(syncs) / begun.elapsed().as_secs_f64();
    let options = SqliteConnectOptions::new().filename(folder.path().join("floor.db"));
    let options = options.create_if_missing(true).journal_mode(SqliteJournalMode::Wal);
    let mut db = options.synchronous(SqliteSynchronous::Full).connect().await?;
    sqlx::query("create table rows (id integer primary key, text text)").execute(&mut db).await?;
    let text = "x".repeat(ROW_BYTES);
    let insert = format!("insert into rows (text) values ($1){}", ", ($1)".repeat(ROWS - 1));
    let begun = Instant::now();
    let mut rows = 0;
    while begun.elapsed() < each {
        sqlx::query(sqlx::AssertSqlSafe(insert.as_str())).bind(&text).execute(&mut db).await?;
        rows += ROWS;
    }
    let rows_per_s = rows as f64 / begun.elapsed().as_secs_f64();
    db.close().await?;
    Ok(Floor { rows_per_s, syncs_per_s })
}

/// The benchmark.
pub fn run(bench: &Bench) -> Result<Table> {
    let runtime = tokio::runtime::Runtime::new()?;
    let mut rows = Vec::new();
    let mut syncs = Vec::new();
    for _ in 0..bench.rounds() {
        let each = Duration::from_millis(bench.choose(1000, 50));
        let floor = runtime.block_on(measure(&bench.work, each))?;
        rows.push(floor.rows_per_s);
        syncs.push(floor.syncs_per_s);
    }
    let mut table = Table::new(&["a second"]);
    table.row("rows into bare SQLite, WAL, FULL, 100 a commit", &[short(median(&rows))]);
    table.row("fdatasync of a page", &[short(median(&syncs))]);
    Ok(table)
}
