//! The audit log as a table, and its verification.

use anyhow::Result;
use flagship_actions::mail::language::Language;
use flagship_actions::{recorded, sentences};
use flagship_server::lists::table::Table;
use flagship_store::Seal;
use flagship_store::actions::{self, Record};
use serde_json::{Value, json};

use crate::cli::{Installation, Listing};
use crate::lists;
use crate::lists::table::print;
use crate::output::counted;

/// Number of actions per page.
const PAGE: i64 = 50;

/// Formats a recorded action as a sentence, for a reader who sees all challenges.
pub fn sentence(record: &Record) -> String {
    sentences::sentence(record, Language::default(), true)
}

/// `flagship actions`: lists the newest first.
pub async fn list(args: &Listing, before: Option<i64>) -> Result<()> {
    let (db, writer) = lists::open(&args.installation).await?;
    let names: Vec<&str> = recorded().collect();
    let records = actions::before(&db, before.unwrap_or(i64::MAX), &names, PAGE).await?;
    let ids: Vec<i64> = records.iter().map(|record| record.id).collect();
    let undone = actions::undone(&db, &ids).await?;
    let undoable = actions::undoable(&db, &ids).await?;
    db.close().await;
    let undone_by = |record: &Record| {
        let found = undone.iter().find(|(id, _)| *id == record.id);
        json!(found.map(|(_, by)| by))
    };
    let next = (ids.len() as i64 == PAGE).then(|| ids.last().copied()).flatten();
    if args.is_for_programs() {
        let row = |it: &Record| {
            vec![
                json!(it.id),
                lists::time(args, &writer, it.at_ms),
                json!(it.actor),
                json!(it.action),
                json!(it.object.split(',').collect::<Vec<_>>()),
                it.field("arguments"),
                it.field("reason"),
                json!(sentence(it)),
                json!(it.undoes),
                undone_by(it),
                json!(undoable.contains(&it.id)),
            ]
        };
        let columns = &[
            "id",
            "time",
            "actor",
            "action",
            "about",
            "arguments",
            "reason",
            "sentence",
            "undoes",
            "undone_by",
            "undoable",
        ];
        return print(Table::new(columns, records.iter().map(row)), args);
    }
    let row = |it: &Record| {
        let reason = it.field("reason");
        let reason = if reason.as_str() == Some("") { Value::Null } else { reason };
        let time = lists::time(args, &writer, it.at_ms);
        vec![json!(it.id), time, json!(sentence(it)), reason, undone_by(it)]
    };
    let columns = &["action", "time", "what", "reason", "taken_back_by"];
    print(Table::new(columns, records.iter().map(row)), args)?;
    if let Some(next) = next {
        outln!("older actions: `flagship actions --before {next}`");
    }
    Ok(())
}

/// `flagship actions verify`
pub async fn verify(installation: &Installation) -> Result<()> {
    let (db, key) = installation.open().await?;
    let seal = Seal::open(&db, &key).await?;
    let count = actions::verify(&db, &seal).await?;
    db.close().await;
    outln!("{}", counted(count, "action verified", "actions verified"));
    Ok(())
}
