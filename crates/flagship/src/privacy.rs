//! `flagship privacy`: what is kept about a team, and its end.

use anyhow::{Context, Result, bail};
use flagship_server::lists::table::Table;
use flagship_store::lane::Writer;
use flagship_store::ops::{By, EraseError, Op, Outcome};
use flagship_store::privacy::{self, Kept, Until};
use flagship_store::{Db, addresses};
use serde_json::json;

use crate::cli::{Installation, Listing, Privacy};
use crate::installation::live_settings;
use crate::lists::{open, table, time};
use crate::say::counted;
use crate::{names, outcome};

const DAY_MS: i64 = 24 * 3_600_000;

pub async fn privacy(command: Privacy) -> Result<()> {
    match command {
        Privacy::Show { name, listing } => show(&name, &listing).await,
        Privacy::Erase { name, force, installation, .. } => {
            erase(name.as_deref(), force, &installation).await
        }
    }
}

async fn show(typed: &str, args: &Listing) -> Result<()> {
    let (db, writer) = open(&args.installation).await?;
    let (_, id) = account(typed, &db, &writer).await?;
    let days = live_settings(&db).await?.privacy.sightings_days;
    let kept = privacy::kept(&db, id).await?;
    db.close().await;
    let end_ms = writer.contest().event().and_then(|event| event.end_ms);
    let until_ms = end_ms.map(|end_ms| end_ms + i64::from(days) * DAY_MS);
    let until_day = |ms| time(args, &writer, ms).as_str().map(|day| format!("until {day}"));
    let until = |until: Until| match until {
        Until::Erased => json!("until it is erased"),
        Until::Never => json!("for good"),
        Until::EventEnd => json!("until the event ends"),
        Until::Hours(hours) => json!(format!("for {hours} hours")),
        Until::Time(ms) => json!(until_day(ms)),
        Until::Sightings => match until_ms.and_then(until_day) {
            Some(day) => json!(day),
            None => json!(format!("for {}", counted(days, "day", "days"))),
        },
    };
    let row = |it: &Kept| vec![json!(it.table), json!(it.what), json!(it.rows), until(it.until)];
    let columns = ["table", "what", "rows", "kept"];
    table::print(Table::new(&columns, kept.iter().map(row)), args)
}

async fn erase(typed: Option<&str>, force: bool, installation: &Installation) -> Result<()> {
    let (db, mut writer) = installation.writer().await?;
    let team = match typed {
        Some(typed) => Some(account(typed, &db, &writer).await?),
        None => None,
    };
    let account_id = team.as_ref().map(|(_, id)| *id);
    let erase = Op::Erase { account_id, is_confirmed: force, by: By::CommandLine };
    let rows = match outcome::perform(&mut writer, erase).await? {
        Outcome::Erase(Ok(rows)) => rows,
        Outcome::Erase(Err(EraseError::NotOver)) => bail!(
            "the event is not over; nothing was erased. With `--force` it is erased now, and the \
             teams cannot log in again"
        ),
        Outcome::Erase(Err(EraseError::Ended)) => bail!("a command has no session that could end"),
        Outcome::Erase(Err(EraseError::NoAccount)) => bail!("the team is gone already"),
        other => return outcome::unexpected(&other),
    };
    db.close().await;
    let whose = team.map_or_else(|| "all teams".to_owned(), |(name, _)| format!("{name:?}"));
    say!(
        "erased what was private about {whose}: {}. Backups, logs and files of mail still have it",
        counted(rows, "row", "rows")
    );
    Ok(())
}

/// The name of a team as it is kept, and the id of its account.
async fn account(typed: &str, db: &Db, writer: &Writer) -> Result<(String, i64)> {
    let name = names::account(typed, writer.contest(), db).await?;
    let account = addresses::named(db, &name).await?.context("the team has no account")?;
    Ok((name, account.id))
}
