//! `flagship apply`: compares the event files with the event and applies them, on the machine or
//! over HTTPS.

mod client;
mod folder;
pub mod pull;
mod pulled;
mod remote;

use anyhow::{Context, Result, bail};
use flagship_server::apply::{
    Comparison, Review, Verdict, Wish, applied_message, apply_error_message,
};
pub use flagship_server::apply::{plan, refusal};
use flagship_store::lane::Writer;
use flagship_store::ops::{Op, Outcome, Plan};
use flagship_store::{PgPoolSizes, StoreError};
use tokio::runtime::Handle;

pub use self::folder::read;
use self::folder::{at_low_priority, report};
use crate::{attachments, cli, messages};

/// A plan to write, with the writer from which the preview was computed.
type Prepared = (Plan, Writer);

/// `flagship apply`
pub async fn apply(args: &cli::Apply) -> Result<()> {
    if let Some(server) = &args.server {
        return remote::apply(server, args).await;
    }
    let runtime = Handle::current();
    let prepared = at_low_priority(|| runtime.block_on(prepare(args)))??;
    let Some((plan, mut writer)) = prepared else { return Ok(()) };
    let place = &args.installation;
    if place.database.is_none() {
        // SQLite's threads have the priority of the thread that opened the database.
        writer.db().close().await;
        writer = writer.over_connections(place.connect().await?);
    }
    outln!("{}", write(&mut writer, plan).await?);
    writer.db().close().await;
    Ok(())
}

/// Prints the changes. Returns `None` if there is nothing to write.
async fn prepare(args: &cli::Apply) -> Result<Option<Prepared>> {
    let pack = flagship_pack::read(&args.event)?;
    report(&pack)?;
    let (db, key) = match args.dry_run {
        true => args.installation.open().await?,
        false => {
            args.installation.ensure_separate_folders(&args.event)?;
            args.installation.create(PgPoolSizes::COMMAND).await?
        }
    };
    let plan = plan(&pack, &key).context("the event files define no event")?;
    let settings = serde_json::to_string(&pack.settings.live()).context("write the settings")?;
    let plan = Plan { settings: Some(settings), ..plan };
    let (clock, data) = (db.clock().await?, &args.installation.data);
    let mut writer = Writer::open_with_snapshot(db.clone(), &key, clock, data).await?;
    if let Some(newer) = writer.newer() {
        return Err(StoreError::from(newer).into());
    }
    let comparison = Comparison::new(&db, writer.seal(), &pack, plan, args.wish()).await?;
    let preview = writer.preview(comparison.plan()).await?;
    let Review { lines, verdict } = comparison.review(&db, writer.seal(), preview).await?;
    for line in lines {
        outln!("{line}");
    }
    if !args.dry_run && matches!(verdict, Verdict::Unchanged | Verdict::Ready) {
        let storage = args.installation.storage(&db)?;
        attachments::keep(&attachments::in_pack(&pack), &storage, attachments::Comparison::Digest)
            .await?;
    }
    match verdict {
        Verdict::Rejected(why) => bail!(why),
        Verdict::Unchanged => outln!("nothing to change"),
        Verdict::Shown(why) => outln!("{why}"),
        Verdict::Ready => return Ok(Some((comparison.into_plan(), writer))),
    }
    db.close().await;
    Ok(None)
}

impl cli::Apply {
    fn wish(&self) -> Wish {
        Wish { take: self.take.map(Into::into), confirm: self.confirm, dry_run: self.dry_run }
    }
}

/// Applies a plan; returns a summary.
pub async fn write(writer: &mut Writer, plan: Plan) -> Result<String> {
    match messages::perform(writer, Op::Apply(Box::new(plan))).await? {
        Outcome::Apply(Ok(applied)) => Ok(applied_message(applied)),
        Outcome::Apply(Err(error)) => bail!(apply_error_message(error)),
        other => messages::unexpected(&other),
    }
}
