//! `flagship privacy`: shows and erases stored data about teams.

use anyhow::{Context, Result, bail};
use flagship_server::lists::table::Table;
use flagship_store::lane::Writer;
use flagship_store::ops::{Caller, EraseError, Op, Outcome};
use flagship_store::privacy::{self, RetainedData, Retention};
use flagship_store::{Db, addresses};
use serde_json::json;

use crate::cli::{Installation, Listing, Privacy};
use crate::installation::live_settings;
use crate::lists::{open, table, time};
use crate::output::counted;
use crate::{messages, names};

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
    let kept = privacy::retained(&db, id).await?;
    db.close().await;
    let end_ms = writer.contest().event().and_then(|event| event.end_ms);
    let until_ms = end_ms.map(|end_ms| end_ms + i64::from(days) * DAY_MS);
    let until_day = |ms| time(args, &writer, ms).as_str().map(|day| format!("until {day}"));
    let until = |until: Retention| match until {
        Retention::Erased => json!("until it is erased"),
        Retention::Never => json!("permanently"),
        Retention::EventEnd => json!("until the event ends"),
        Retention::Hours(hours) => json!(format!("for {hours} hours")),
        Retention::Time(ms) => json!(until_day(ms)),
        Retention::Sightings => match until_ms.and_then(until_day) {
            Some(day) => json!(day),
            None => json!(format!("for {}", counted(days, "day", "days"))),
        },
    };
    let row =
        |it: &RetainedData| vec![json!(it.table), json!(it.what), json!(it.rows), until(it.until)];
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
    let erase = Op::Erase { account_id, is_confirmed: force, by: Caller::CommandLine };
    let rows = match messages::perform(&mut writer, erase).await? {
        Outcome::Erase(Ok(rows)) => rows,
        Outcome::Erase(Err(EraseError::NotOver)) => bail!(
            "nothing was erased: the event is not over. Use `--force` to erase now; teams can \
            then no longer log in"
        ),
        Outcome::Erase(Err(EraseError::Ended)) => {
            bail!("internal error: a command was refused for its session")
        }
        Outcome::Erase(Err(EraseError::NoAccount)) => bail!("the team no longer exists"),
        other => return messages::unexpected(&other),
    };
    db.close().await;
    let whose = team.map_or_else(|| "all teams".to_owned(), |(name, _)| format!("{name:?}"));
    outln!(
        "erased the personal data of {whose}: {}. Backups, logs and email files may still contain \
        it",
        counted(rows, "row", "rows")
    );
    Ok(())
}

/// Returns the stored name and the account ID of a team.
async fn account(typed: &str, db: &Db, writer: &Writer) -> Result<(String, i64)> {
    let name = names::account(typed, writer.contest(), db).await?;
    let account = addresses::named(db, &name).await?.context("the team has no account")?;
    Ok((name, account.id))
}
