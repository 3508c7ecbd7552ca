//! `flagship attachments move`: moves attachments and branding files to another place.

use anyhow::{Context, Result, bail, ensure};
use flagship_server::storage::{Location, Storage, move_all};
use flagship_store::{Db, nodes};

use crate::cli::Installation;
use crate::installation::location;
use crate::output::counted;

/// Moves all files to the place `to`.
pub async fn run(to: &str, installation: &Installation) -> Result<()> {
    let to = location(to, "--to")?;
    let from = installation.location()?;
    let (db, _) = installation.open().await?;
    // With SQLite, the lock excludes servers and other moves.
    let _folder = installation.lock_alone().await?;
    let _lock = db.lock_move().await?.context(
        "nothing was moved: another `flagship attachments move` of this event is running. Wait \
        for it to end",
    )?;
    if installation.database.is_some() {
        ensure_no_server(&db).await?;
    }
    let moved = move_to(&to, &installation.storage_at(&from, &db)?, installation, &db).await;
    db.close().await;
    let moved = moved?;
    let to = to.argument();
    outln!("moved {moved} to {to}; pass --attachments {to} to every command from now on");
    Ok(())
}

/// Rejects a PostgreSQL database with running servers: they would no longer find the files, and an
/// upload during the move would stay in the old place.
async fn ensure_no_server(db: &Db) -> Result<()> {
    let running = nodes::running(db).await?;
    ensure!(
        running == 0,
        "nothing was moved: {} of this event may be running. Stop every server first. After a \
        crash, start one server, and stop it 10 seconds later: this removes the entries of others",
        counted(running, "server", "servers")
    );
    Ok(())
}

/// Moves all files from a storage to a place; returns their number in words.
pub async fn move_to(
    to: &Location,
    from: &Storage,
    installation: &Installation,
    db: &Db,
) -> Result<String> {
    let target = installation.storage_at(to, db)?;
    target.check().await.with_context(|| format!("write to {to}"))?;
    let moved = move_all(from, &target).await.context("move the attachments")?;
    let files = counted(moved.files as i64, "file", "files");
    let Some(first) = moved.damaged.first() else { return Ok(files) };
    bail!(
        "{files} were moved to {to}, but {} were not, such as `{first}`: they do not match their \
        checksums. Pass --attachments {} from now on. Then run `flagship apply --event DIR` to \
        store the event's attachments again, and upload any other such file again on the site",
        counted(moved.damaged.len() as i64, "file", "files"),
        to.argument()
    )
}
