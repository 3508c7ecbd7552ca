//! Dump and restore of a whole database as lines of JSON, in the same format for both engines: the
//! content of backups. Each line is a row: an array of its columns, in order.

use std::io::{BufRead, Read, Write};

use futures_util::TryStreamExt;
use serde_json::Value;
use sqlx::{ColumnIndex, Decode, Row, Type};

use crate::engine::{on, run};
use crate::{Db, Lock, Result, StoreError, Tx, journal, meta};

/// Maximum rows per insert statement. Keeps the widest table below the limit of parameters.
const INSERT_ROWS_MAX: usize = 500;

/// Maximum length of a row's line, in bytes. A challenge's description is the longest text.
const ROW_BYTES_MAX: u64 = 64 * 1024 * 1024;

/// Tables that are not part of backups: the running nodes, attachments, which backups contain as
/// files, and notes about the uploads of the last day.
const LEFT_OUT: [&str; 4] = ["attachment_pieces", "attachments", "nodes", "upload_notes"];

/// Table of single values, and the key of the only value that backups omit: the time of the last
/// backup. Without it, a restored event counts as never backed up, and two backups of the same
/// state are equal.
const OF_VALUES: &str = "meta";
const LAST: &str = "last_backup";

/// Stores the time of a backup.
pub async fn note(db: &Db, at_ms: i64) -> Result<()> {
    let mut tx = db.begin(Lock::Accounts).await?;
    meta::set(&mut tx, LAST, &at_ms.to_string()).await?;
    tx.commit().await
}

/// Time of the last backup, in epoch milliseconds.
pub async fn last(db: &Db) -> Result<Option<i64>> {
    let noted = meta::get(&mut db.snapshot().await?, LAST).await?;
    Ok(noted.and_then(|noted| noted.parse().ok()))
}

/// A table and its columns with their types.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// The table's name.
    pub name: String,
    /// Names and types of the columns, in order.
    pub columns: Vec<(String, Kind)>,
}

/// Column type supported by both engines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// 64-bit integer.
    Bigint,
    /// Text.
    Text,
    /// Boolean.
    Boolean,
}

/// A consistent snapshot of the database; writes can continue.
pub struct Snapshot(Tx);

impl Snapshot {
    /// Starts the snapshot.
    pub async fn take(db: &Db) -> Result<Self> {
        let mut tx = db.snapshot().await?;
        // SQLite takes the snapshot at the first read.
        tx.schema().await?;
        Ok(Self(tx))
    }

    /// The version of the schema.
    pub async fn schema(&mut self) -> Result<i64> {
        self.0.schema().await
    }

    /// The tables of a backup, sorted by name.
    pub async fn tables(&mut self) -> Result<Vec<Table>> {
        tables(&mut self.0).await
    }

    /// Writes a table's rows, sorted by all columns, and returns their count.
    pub async fn write(&mut self, table: &Table, out: &mut impl Write) -> Result<u64> {
        let by = self.0.by_code_point();
        let order = table.columns.iter().map(|(name, kind)| match kind {
            Kind::Text => format!("{name} {by}"),
            Kind::Bigint | Kind::Boolean => name.clone(),
        });
        let order: Vec<String> = order.collect();
        let (columns, order, name) = (table.list(), order.join(", "), &table.name);
        let only =
            if name == OF_VALUES { format!(" where key <> '{LAST}'") } else { String::new() };
        let sql = format!("select {columns} from {name}{only} order by {order}");
        let mut count = 0;
        on!(&mut self.0, conn => {
            let mut rows = sqlx::query(sqlx::AssertSqlSafe(sql)).fetch(conn);
            while let Some(row) = rows.try_next().await? {
                let cells = table.columns.iter().enumerate();
                let cells = cells.map(|(i, (_, kind))| cell(&row, i, *kind));
                let cells: Vec<Value> = cells.collect::<sqlx::Result<_>>()?;
                serde_json::to_writer(&mut *out, &cells).map_err(std::io::Error::from)?;
                out.write_all(b"\n")?;
                count += 1;
            }
        });
        Ok(count)
    }

    /// The number and the hash of the journal's last entry.
    pub async fn head(&mut self) -> Result<Option<(i64, String)>> {
        Ok(run!(&mut self.0 => query_as(journal::HEAD).fetch_optional))
    }
}

impl Table {
    fn list(&self) -> String {
        let names: Vec<&str> = self.columns.iter().map(|(name, _)| name.as_str()).collect();
        names.join(", ")
    }
}

/// An empty database with the schema of the backup to be restored.
pub struct EmptyDatabase(Db);

impl EmptyDatabase {
    /// Migrates a connected database to a version of the schema.
    pub async fn new(db: Db, schema: i64) -> Result<Self> {
        if schema > Db::schema_known() {
            return Err(StoreError::Newer(schema));
        }
        db.migrate(Some(schema)).await?;
        Ok(Self(db))
    }

    /// Fills the tables from `lines_of` in one transaction, then migrates the schema to the newest
    /// version.
    ///
    /// # Errors
    /// [`StoreError::NotEmpty`] if a table already has rows, [`StoreError::Corrupt`] if a line does
    /// not fit its table.
    pub async fn fill<R: BufRead>(
        self,
        mut lines_of: impl FnMut(&str) -> std::io::Result<R>,
    ) -> Result<Db> {
        let mut tx = self.0.begin(Lock::Journal).await?;
        tx.also_lock_accounts().await?;
        for table in tables(&mut tx).await? {
            if !is_empty(&mut tx, &table).await? {
                return Err(StoreError::NotEmpty);
            }
            let mut rows = Vec::new();
            let mut lines = lines_of(&table.name)?;
            let mut line = Vec::new();
            while next_line(&mut lines, &mut line)? {
                let row: Vec<Value> = serde_json::from_slice(&line).map_err(|_| unfit(&table))?;
                rows.push(row);
                if rows.len() == INSERT_ROWS_MAX {
                    insert(&mut tx, &table, &rows).await?;
                    rows.clear();
                }
            }
            insert(&mut tx, &table, &rows).await?;
        }
        tx.commit().await?;
        self.0.migrate(None).await?;
        Ok(self.0)
    }
}

/// Reads a line; `false` at the end. An overlong line is truncated, so that it is not a valid row.
fn next_line(lines: &mut impl BufRead, line: &mut Vec<u8>) -> std::io::Result<bool> {
    line.clear();
    Ok(lines.take(ROW_BYTES_MAX).read_until(b'\n', line)? > 0)
}

async fn tables(tx: &mut Tx) -> Result<Vec<Table>> {
    let mut tables: Vec<Table> = Vec::new();
    for (table, column, kind) in tx.columns().await? {
        if LEFT_OUT.contains(&table.as_str()) {
            continue;
        }
        let kind = match kind.as_str() {
            "bigint" => Kind::Bigint,
            "text" => Kind::Text,
            "boolean" => Kind::Boolean,
            other => panic!("the schema keeps to three types, and {other} is none of them"),
        };
        match tables.last_mut() {
            Some(last) if last.name == table => last.columns.push((column, kind)),
            _ => tables.push(Table { name: table, columns: vec![(column, kind)] }),
        }
    }
    Ok(tables)
}

async fn is_empty(tx: &mut Tx, table: &Table) -> Result<bool> {
    let sql = sqlx::AssertSqlSafe(format!("select 1 from {} limit 1", table.name));
    Ok(on!(tx, conn => sqlx::query(sql).fetch_optional(conn).await?.is_none()))
}

async fn insert(tx: &mut Tx, table: &Table, rows: &[Vec<Value>]) -> Result<()> {
    let fits = |row: &Vec<Value>| {
        let mut cells = row.iter().zip(&table.columns);
        row.len() == table.columns.len()
            && cells.all(|(cell, (_, kind))| match kind {
                Kind::Bigint => cell.is_i64() || cell.is_null(),
                Kind::Text => cell.is_string() || cell.is_null(),
                Kind::Boolean => cell.is_boolean() || cell.is_null(),
            })
    };
    if !rows.iter().all(fits) {
        return Err(unfit(table));
    }
    if rows.is_empty() {
        return Ok(());
    }
    on!(tx, conn => {
        let sql = format!("insert into {} ({}) ", table.name, table.list());
        let mut insert = sqlx::QueryBuilder::new(sql);
        insert.push_values(rows, |mut line, row| {
            for (cell, (_, kind)) in row.iter().zip(&table.columns) {
                match kind {
                    Kind::Bigint => line.push_bind(cell.as_i64()),
                    Kind::Text => line.push_bind(cell.as_str()),
                    Kind::Boolean => line.push_bind(cell.as_bool()),
                };
            }
        });
        insert.build().execute(conn).await?;
    });
    Ok(())
}

fn unfit(table: &Table) -> StoreError {
    StoreError::Corrupt(format!("a row of the table {} does not fit", table.name))
}

fn cell<'r, R: Row>(row: &'r R, i: usize, kind: Kind) -> sqlx::Result<Value>
where
    usize: ColumnIndex<R>,
    i64: Decode<'r, R::Database> + Type<R::Database>,
    bool: Decode<'r, R::Database> + Type<R::Database>,
    String: Decode<'r, R::Database> + Type<R::Database>,
{
    Ok(match kind {
        Kind::Bigint => row.try_get::<Option<i64>, _>(i)?.into(),
        Kind::Text => row.try_get::<Option<String>, _>(i)?.into(),
        Kind::Boolean => row.try_get::<Option<bool>, _>(i)?.into(),
    })
}
