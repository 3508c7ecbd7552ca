//! `flagship apply`: an event's files are compared with the event and applied.

use std::fs;
use std::io::{Read, Write};
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use data_encoding::HEXLOWER;
use flagship_pack::{Pack, PackChallenge, PackFile};
use flagship_store::Key;
use flagship_store::challenges::{Draft, Flag};
use flagship_store::lane::Writer;
use flagship_store::ops::{Actor, Op, Outcome, Plan};
use sha2::{Digest, Sha256};

use crate::{cli, outcome};

/// Bytes copied at once.
const COPY_BYTES: usize = 64 * 1024;

/// `flagship apply`
pub async fn apply(args: &cli::Apply) -> Result<()> {
    let pack = flagship_pack::read(&args.event)?;
    for problem in &pack.problems {
        say_error!("{problem}");
    }
    if pack.errors() > 0 {
        bail!(
            "nothing was applied: the event's files have errors ({}); correct them until `flagship \
             check` has none",
            pack.summary()
        );
    }
    let (db, key) = match args.dry_run {
        true => args.installation.open().await?,
        false => args.installation.create().await?,
    };
    let plan = plan(&pack, &key).context("the event's files have no event")?;
    let mut writer = Writer::open(db.clone(), &key, db.clock().await?).await?;
    let steps = writer.rehearse(&plan).await?;
    for step in &steps {
        say!("{}", outcome::of_plan(step));
    }
    if args.dry_run || steps.is_empty() {
        say!("{}", if steps.is_empty() { "nothing to change" } else { "nothing was applied" });
    } else {
        keep_files(&pack, &args.installation.data)?;
        say!("{}", write(&mut writer, plan).await?);
    }
    db.close().await;
    Ok(())
}

/// Applies a plan; returns a summary.
pub async fn write(writer: &mut Writer, plan: Plan) -> Result<String> {
    let request = Op::Apply(Box::new(plan)).by(Actor::CommandLine);
    let mut step = writer.step(&[request]).await?;
    match step.outcomes.pop().context("the lane answered nothing")? {
        Outcome::Apply(apply) => Ok(outcome::of_apply(apply.changes)),
        other => outcome::unexpected(&other),
    }
}

/// Converts the files to the store's types; replaces exact flags by keyed digests.
pub fn plan(pack: &Pack, key: &Key) -> Option<Plan> {
    let event = pack.event.clone()?;
    Some(Plan { event, challenges: pack.challenges.iter().map(|it| draft(it, key)).collect() })
}

fn draft(it: &PackChallenge, key: &Key) -> Draft {
    let id = it.challenge.id.as_str();
    let flags = it.flags.iter().map(|flag| match flag {
        flagship_pack::Flag::Exact { text, case_insensitive } => {
            let text = text.expose().trim();
            let digest = match case_insensitive {
                true => key.flag_digest(id, &text.to_lowercase()),
                false => key.flag_digest(id, text),
            };
            Flag::Exact { digest, case_insensitive: *case_insensitive }
        }
        flagship_pack::Flag::Regex { pattern, case_insensitive } => Flag::Regex {
            pattern: pattern.expose().to_owned(),
            case_insensitive: *case_insensitive,
        },
    });
    let flags = flags.collect();
    let challenge = it.challenge.clone();
    Draft { challenge, flags, hidden: it.hidden, release_at_ms: it.release_at_ms }
}

/// Copies attachments into the data folder, named by digest; skips those that exist.
pub fn keep_files(pack: &Pack, data: &Path) -> Result<()> {
    let folder = data.join("files");
    fs::create_dir_all(&folder)
        .with_context(|| format!("create the folder `{}`", folder.display()))?;
    for file in pack.challenges.iter().flat_map(|challenge| &challenge.files) {
        let kept = folder.join(&file.digest);
        if fs::metadata(&kept).is_ok_and(|meta| meta.len() == file.bytes) {
            continue;
        }
        let partial = folder.join(format!("{}.part", file.digest));
        copy(file, &partial)
            .and_then(|()| Ok(fs::rename(&partial, &kept)?))
            .with_context(|| format!("keep the attachment `{}`", file.path.display()))?;
    }
    Ok(())
}

/// Copies an attachment durably, and checks that it has not changed since the files were read.
fn copy(file: &PackFile, to: &Path) -> Result<()> {
    let (mut from, mut into) = (fs::File::open(&file.path)?, fs::File::create(to)?);
    let (mut hash, mut buffer) = (Sha256::new(), vec![0; COPY_BYTES]);
    loop {
        let count = from.read(&mut buffer)?;
        if count == 0 {
            break;
        }
        hash.update(&buffer[..count]);
        into.write_all(&buffer[..count])?;
    }
    ensure!(HEXLOWER.encode(&hash.finalize()) == file.digest, "the file changed while it was read");
    Ok(into.sync_all()?)
}
