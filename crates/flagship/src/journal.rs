//! `flagship journal`: verifies the journal and prints its head.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use flagship_store::{Head, Seal, journal};

use crate::cli::{Installation, Journal};
use crate::output::counted;
use crate::restore;

/// Maximum size of a file that is searched for heads, in bytes.
const TEXT_BYTES_MAX: u64 = 1024 * 1024 * 1024;

/// `flagship journal ...`
pub async fn journal(command: Journal) -> Result<()> {
    match command {
        Journal::Verify { installation, against } => {
            verify(&installation, against.as_deref()).await
        }
        Journal::Head(installation) => head(&installation).await,
    }
}

async fn verify(installation: &Installation, against: Option<&str>) -> Result<()> {
    let heads = against.map(heads_of).transpose()?.unwrap_or_default();
    let (db, writer) = installation.writer().await?;
    journal::check_solves(&db).await?;
    let (count, hash, seal) = (writer.contest().seq(), writer.head(), writer.seal());
    seal.check(&db).await?;
    for head in &heads {
        seal.check_against(&db, head).await?;
    }
    let entries = counted(count, "entry", "entries");
    outln!("{entries}, hash chain intact; last hash {hash}");
    match seal.from() {
        1 => outln!("all entries are signed; challenges and flags match what was applied"),
        from => outln!(
            "entries before {from} were written by Flagship 0.1.0 and are unsigned; challenges \
            and flags match what was applied"
        ),
    }
    if let Some(last) = heads.iter().map(|head| head.seq).max() {
        let heads = counted(heads.len(), "head", "heads");
        outln!("the journal extends {heads} up to entry {last}");
    }
    outln!("head {}", seal.head(count, hash));
    db.close().await;
    Ok(())
}

async fn head(installation: &Installation) -> Result<()> {
    let (db, key) = installation.open().await?;
    outln!("{}", Seal::open(&db, &key).await?.current(&db).await?);
    db.close().await;
    Ok(())
}

/// Returns the heads in an argument: the head itself, the head of a backup, or all heads in a text
/// file.
fn heads_of(argument: &str) -> Result<Vec<Head>> {
    if let Ok(head) = argument.parse() {
        return Ok(vec![head]);
    }
    let path = Path::new(argument);
    let about = fs::metadata(path);
    let about = about.with_context(|| format!("`{argument}` is neither a head nor a file"))?;
    ensure!(about.len() <= TEXT_BYTES_MAX, "`{argument}` is larger than 1 GiB; use a part of it");
    let bytes = fs::read(path).with_context(|| format!("read `{argument}`"))?;
    let heads = if bytes.starts_with(&restore::GZIP) {
        let manifest = restore::survey(&fs::File::open(path)?)
            .with_context(|| format!("`{argument}` is not an intact backup"))?;
        heads_in(&manifest.signed_head)
    } else {
        heads_in(&String::from_utf8_lossy(&bytes))
    };
    ensure!(
        !heads.is_empty(),
        "no journal head found in `{argument}`; `flagship journal head` prints one"
    );
    Ok(heads)
}

fn heads_in(text: &str) -> Vec<Head> {
    let is_part = |c: char| c.is_ascii_hexdigit() || c == ':';
    text.split(|c| !is_part(c)).filter_map(|word| word.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_are_found_in_logs_of_either_form() {
        let head = format!("1:12:{}:{}", "ab".repeat(32), "01".repeat(32));
        let other = format!("1:13:{}:{}", "cd".repeat(32), "02".repeat(32));
        let text = format!(
            "2026-11-22T10:00:00Z  INFO flagship_server::heads: the journal's head head={head}\n\
             {{\"message\":\"the journal's head\",\"head\":\"{other}\"}}\nhead=1:2:3\n"
        );
        let found: Vec<String> = heads_in(&text).iter().map(ToString::to_string).collect();
        assert_eq!(found, [head, other]);
    }
}
