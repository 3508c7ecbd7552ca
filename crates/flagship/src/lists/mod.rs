//! `flagship team list`, `challenge list` and `flags list`: tables for organizers.

pub mod status;
pub mod table;

use std::collections::{HashMap, HashSet};

use anyhow::Result;
use flagship_game::{Viewer, points, view};
use flagship_store::accounts::{self, Account};
use flagship_store::challenges::{self, Draft};
use flagship_store::lane::Writer;
use flagship_store::{Db, wrong_flags};
use serde_json::{Value, json};

use self::table::{Table, local, utc};
use crate::cli::{Flags, Listing};

/// Opens the event, with phases that are due if no server is running to record them.
pub async fn open(args: &Listing) -> Result<(Db, Writer)> {
    let (db, mut writer) = args.installation.writer().await?;
    if writer.is_due() {
        writer.step(&[]).await?;
    }
    Ok((db, writer))
}

/// A time for the table or for JSON.
pub fn time(args: &Listing, writer: &Writer, ms: i64) -> Value {
    let zone = writer.contest().event().map_or("UTC", |event| event.timezone.as_str());
    if args.json { utc(ms) } else { local(ms, zone) }
}

/// `flagship team list`: by rank, then those that do not count, then those that have not confirmed.
pub async fn teams(args: &Listing) -> Result<()> {
    let (db, writer) = open(args).await?;
    let (confirmed, waiting) = (accounts::confirmed(&db).await?, accounts::unconfirmed(&db).await?);
    db.close().await;
    let contest = writer.contest();
    let board = view::board(contest, Viewer::Organizer);
    let by_name: HashMap<&str, &Account> =
        confirmed.iter().map(|it| (it.name.as_str(), it)).collect();
    let email = |name: &str| json!(by_name.get(name).map(|account| account.email.as_str()));
    let mut rows = Vec::new();
    for (row, rank) in board.rows().zip(1..) {
        rows.push(vec![
            json!(rank),
            json!(row.name()),
            json!(row.country()),
            json!(row.points()),
            json!(row.award()),
            json!(row.marks().len()),
            time(args, &writer, row.last_solve_ms()),
            json!("plays"),
            email(row.name()),
        ]);
    }
    let mut others: Vec<_> = contest.teams().filter(|team| !team.counts()).collect();
    others.sort_by(|a, b| a.name.cmp(&b.name));
    for team in others {
        let state = if team.banned { "banned" } else { "hidden" };
        rows.push(uncounted(&team.name, &team.country, state, email(&team.name)));
    }
    let mut waiting: Vec<&Account> = waiting.iter().collect();
    waiting.sort_by(|a, b| a.name.cmp(&b.name));
    for account in waiting {
        let email = json!(account.email);
        rows.push(uncounted(&account.name, &account.country, "not confirmed", email));
    }
    let columns =
        &["rank", "team", "country", "points", "award", "solves", "last_solve", "state", "email"];
    Table { columns, rows }.print(args.json)
}

fn uncounted(name: &str, country: &str, state: &str, email: Value) -> Vec<Value> {
    let none = || Value::Null;
    vec![none(), json!(name), json!(country), none(), none(), none(), none(), json!(state), email]
}

/// `flagship challenge list`: in the order of the site, then those that players do not see.
pub async fn challenges(args: &Listing) -> Result<()> {
    let (db, writer) = open(args).await?;
    let (_, drafts) = challenges::all(&db).await?;
    db.close().await;
    let contest = writer.contest();
    let board = view::board(contest, Viewer::Organizer);
    let flags: HashMap<&str, usize> =
        drafts.iter().map(|it| (it.challenge.id.as_str(), it.flags.len())).collect();
    let (mut rows, mut listed) = (Vec::new(), HashSet::new());
    for tally in board.tallies() {
        let challenge = tally.challenge();
        listed.insert(&challenge.id);
        rows.push(vec![
            json!(challenge.id),
            json!(challenge.name),
            json!(challenge.categories.join(", ")),
            json!("shown"),
            json!(points::value(&challenge.scoring, tally.nsolves(), None)),
            json!(tally.nsolves()),
            time(args, &writer, tally.first_ms()),
            json!(flags.get(challenge.id.as_str())),
        ]);
    }
    for draft in drafts.iter().filter(|draft| !listed.contains(&draft.challenge.id)) {
        let challenge = &draft.challenge;
        rows.push(vec![
            json!(challenge.id),
            json!(challenge.name),
            json!(challenge.categories.join(", ")),
            json!(unseen(args, &writer, draft)),
            json!(points::value(&challenge.scoring, 0, None)),
            json!(0),
            Value::Null,
            json!(draft.flags.len()),
        ]);
    }
    let columns =
        &["id", "challenge", "category", "state", "points", "solves", "first_solve", "flags"];
    Table { columns, rows }.print(args.json)
}

/// Why players do not see a challenge now.
fn unseen(args: &Listing, writer: &Writer, draft: &Draft) -> String {
    let contest = writer.contest();
    match draft.release_at_ms.filter(|ms| *ms > writer.clock().now_ms()) {
        _ if contest.is_shown(&draft.challenge.id) => "shown from the start".to_owned(),
        _ if contest.is_released(&draft.challenge.id) => "waits for its requirements".to_owned(),
        _ if draft.hidden => "hidden".to_owned(),
        Some(ms) => match time(args, writer, ms).as_str() {
            Some(time) => format!("from {time}"),
            None => "later".to_owned(),
        },
        None => "hidden".to_owned(),
    }
}

/// `flagship flags ...`
pub async fn flags(command: Flags) -> Result<()> {
    let Flags::List { listing: args, last } = command;
    let (db, writer) = open(&args).await?;
    let count_max = if last == 0 { i64::MAX } else { i64::try_from(last).unwrap_or(i64::MAX) };
    let sent = wrong_flags::newest(&db, count_max).await?;
    db.close().await;
    let rows = sent.into_iter().map(|flag| {
        let same = if flag.is_right { Value::Null } else { json!(flag.teams) };
        vec![
            time(&args, &writer, flag.at_ms),
            json!(flag.team),
            json!(flag.challenge_id),
            json!(if flag.is_right { "right" } else { "wrong" }),
            same,
        ]
    });
    let columns = &["time", "team", "challenge_id", "verdict", "teams_with_same_text"];
    Table { columns, rows: rows.collect() }.print(args.json)
}
