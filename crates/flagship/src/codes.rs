//! `flagship code ...`: signup codes.

use anyhow::Result;
use flagship_actions::mail::token::grouped;
use flagship_server::lists::table::{Table, utc};
use flagship_store::accounts::signup_codes;
use serde_json::json;

use crate::actions::{self, Lane, short};
use crate::cli::{self, Listing};
use crate::lists::table::{local, print};

pub async fn code(command: cli::Code) -> Result<()> {
    match command {
        cli::Code::Make { count, uses, label, args } => {
            let arguments =
                [("count", count.into()), ("uses", uses.into()), ("label", label.into())];
            let request = short("code.make", arguments, &args.reason.reason)?;
            make(Lane::open(&args.installation).await?, request).await
        }
        cli::Code::Revoke { code, args } => {
            let request = short("code.revoke", [("code", code.into())], &args.reason.reason)?;
            actions::finish(Lane::open(&args.installation).await?, request).await
        }
        cli::Code::List(args) => list(&args).await,
    }
}

/// Prints the new codes, one per line, and the undo command to standard error.
async fn make(lane: Lane, request: flagship_actions::Request) -> Result<()> {
    let name = request.name.clone();
    let done = flagship_actions::run(&lane, request).await;
    let done = done.map_err(|error| error.explained(&name))?;
    lane.close().await;
    for code in done.extras.codes {
        outln!("{code}");
    }
    let id = done.acted.record.id;
    errln!("action {id}; undo with `flagship actions undo {id}`");
    Ok(())
}

async fn list(args: &Listing) -> Result<()> {
    let (db, _) = args.installation.open().await?;
    let now_ms = db.clock().await?.now_ms();
    let codes = signup_codes::all(&db, now_ms).await?;
    db.close().await;
    let time = |ms: i64| if args.is_for_programs() { utc(ms) } else { local(ms, "UTC") };
    let rows = codes.into_iter().map(|it| {
        vec![
            json!(grouped(&it.code)),
            json!(it.label),
            json!(it.used),
            json!(it.uses),
            time(it.made_at_ms),
            it.revoked_at_ms.map_or(json!(null), time),
        ]
    });
    print(Table::new(&["code", "label", "used", "uses", "made", "revoked"], rows), args)
}
