//! `flagship apply --server`: applies event files over HTTPS. The server computes the changes with
//! the code of `flagship apply` on the machine.

use std::collections::HashMap;

use anyhow::{Context, Result, bail};
use flagship_pack::{Pack, PackFile};
use flagship_server::apply::{ApplyOutcome, ApplyRequest, SentFiles, Wish};

use super::client::Client;
use super::folder::{read, report};
use crate::cli;

/// `flagship apply --server`
pub async fn apply(server: &str, args: &cli::Apply) -> Result<()> {
    let client = Client::new(server)?;
    let pack = read(&args.event)?;
    report(&pack)?;
    if let Some(tables) = not_sent(&pack) {
        errln!("note: {tables} stay as set on the server; only it reads them from its own files");
    }
    let files = SentFiles::of(&args.event, &pack).context("the event files define no event")?;
    let Wish { take, confirm, dry_run } = args.wish();
    let request = ApplyRequest { files, take, confirm, dry_run };
    let mut answer = client.apply(&request).await?;
    if answer.outcome == ApplyOutcome::FilesMissing {
        upload(&client, &pack, &answer.missing).await?;
        answer = client.apply(&request).await?;
    }
    for line in &answer.lines {
        outln!("{line}");
    }
    match answer.outcome {
        ApplyOutcome::Applied | ApplyOutcome::Unchanged | ApplyOutcome::Shown => {
            outln!("{}", answer.message);
            Ok(())
        }
        ApplyOutcome::FilesMissing | ApplyOutcome::Rejected => bail!(answer.message),
    }
}

/// Uploads the files with these digests, each once.
async fn upload(client: &Client, pack: &Pack, digests: &[String]) -> Result<()> {
    let files = pack.challenges.iter().flat_map(|challenge| &challenge.files);
    let files: HashMap<&str, &PackFile> = files.map(|file| (file.digest.as_str(), file)).collect();
    for digest in digests {
        let file = files.get(digest.as_str());
        client.upload(file.context("the server asked for an unknown file")?).await?;
    }
    Ok(())
}

/// Returns the settings in the files, which are not sent; `None` if there are none.
fn not_sent(pack: &Pack) -> Option<String> {
    let tables = pack.settings.named.keys().map(|table| format!("[{table}]"));
    let pages = (!pack.settings.site.pages.is_empty()).then(|| "pages/".to_owned());
    let all: Vec<String> = tables.chain(pages).collect();
    (!all.is_empty()).then(|| all.join(", "))
}
