//! `flagship export`: results as JSON or CSV, in the organizers' or the public view.

use std::collections::{HashMap, HashSet};

use anyhow::{Result, ensure};
use flagship_game::entry::{Fact, Phase};
use flagship_game::published::{FORMAT, PublishedEntry, PublishedJournal};
use flagship_game::wire::Ctftime;
use flagship_game::{Board, ChallengeId, Contest, Entry, Row, Viewer, chain, view};
use flagship_store::accounts::{self, Account};
use flagship_store::journal::{self, StoredEntry};
use flagship_store::{Db, Seal};
use serde_json::{Value, json};

use crate::cli::{Export, ExportKind, Format, View};
use crate::lists::table::{Table, print_json, utc};

/// How many teams win, unless it is said.
const WINNERS: usize = 3;

/// Writes an export to standard output.
pub async fn export(args: &Export) -> Result<()> {
    let of_all_teams = matches!(args.what, ExportKind::Ctftime | ExportKind::Journal);
    ensure!(
        !(of_all_teams && args.students),
        "this export always contains all teams: leave out --students"
    );
    ensure!(
        !(of_all_teams && args.format == Some(Format::Csv)),
        "this export is always JSON: leave out --format csv, or export `standings` or `solves`"
    );
    let has_top = matches!(args.what, ExportKind::Winners | ExportKind::Standings);
    ensure!(
        has_top || args.top.is_none(),
        "--top is for `winners` and `standings`; this export is always whole: leave out --top"
    );
    let (db, mut writer) = args.installation.writer().await?;
    if writer.is_due() {
        // No server is running, so a phase that is due has not been written yet.
        writer.step(&[]).await?;
    }
    let contest = writer.contest();
    let viewer = match args.view {
        View::Public => Viewer::Public,
        View::Organizer => Viewer::Organizer,
    };
    let board = view::board(contest, viewer);
    let teams = Teams::read(&db, contest, args.students).await?;
    let table = match args.what {
        ExportKind::Ctftime => return print_json(&Ctftime(&board)),
        ExportKind::Journal => {
            let seal = writer.seal();
            return print_json(&published(&db, contest, writer.generation(), seal).await?);
        }
        ExportKind::Standings => standings(&board, &teams, args.top),
        ExportKind::Solves => solves(&board, &teams),
        ExportKind::Winners => winners(&board, &teams, args),
    };
    db.close().await;
    match args.format.unwrap_or(Format::Json) {
        Format::Json => print_json(&table.into_json()),
        Format::Csv => table.print_csv(),
    }
}

/// The accounts behind the rows, by name.
struct Teams {
    accounts: HashMap<String, Account>,
    students_only: bool,
}

impl Teams {
    async fn read(db: &Db, contest: &Contest, students_only: bool) -> Result<Self> {
        let all = accounts::confirmed(db).await?;
        let known = all.into_iter().filter(|account| contest.team_named(&account.name).is_some());
        let accounts = known.map(|account| (account.name.clone(), account)).collect();
        Ok(Self { accounts, students_only })
    }

    fn account(&self, row: &Row) -> Option<&Account> {
        self.accounts.get(row.name())
    }

    fn includes(&self, row: &Row) -> bool {
        !self.students_only || self.account(row).is_some_and(|account| account.student)
    }
}

fn standings(board: &Board, teams: &Teams, top: Option<usize>) -> Table {
    let included = board.rows().filter(|row| teams.includes(row));
    let included = included.take(top.unwrap_or(usize::MAX));
    let rows = included.zip(1..).map(|(row, rank)| {
        vec![
            json!(rank),
            json!(row.name()),
            json!(row.country()),
            json!(row.points()),
            json!(row.award()),
            json!(row.marks().len()),
            utc(row.last_solve_ms()),
        ]
    });
    let columns = &["rank", "team", "country", "points", "award", "solves", "last_solve"];
    Table { columns, rows: rows.collect() }
}

fn solves(board: &Board, teams: &Teams) -> Table {
    let mut all = Vec::new();
    for row in board.rows().filter(|row| teams.includes(row)) {
        all.extend(row.marks().iter().map(|mark| (row, mark)));
    }
    all.sort_by_key(|(_, mark)| (mark.at_ms, mark.challenge, mark.position));
    let rows = all.into_iter().map(|(row, mark)| {
        let challenge = board.tallies()[mark.challenge as usize].challenge();
        vec![
            utc(mark.at_ms),
            json!(row.name()),
            json!(challenge.id),
            json!(challenge.name),
            json!(mark.position),
            json!(board.points_of(mark)),
        ]
    });
    let columns = &["time", "team", "challenge_id", "challenge", "position", "points"];
    Table { columns, rows: rows.collect() }
}

/// The best teams that have scored, with their e-mail addresses in the organizers' view only.
fn winners(board: &Board, teams: &Teams, args: &Export) -> Table {
    let scored = board.rows().filter(|row| teams.includes(row) && !row.marks().is_empty());
    let rows = scored.take(args.top.unwrap_or(WINNERS)).zip(1..).map(|(row, place)| {
        let account = teams.account(row).filter(|_| args.view == View::Organizer);
        vec![
            json!(place),
            json!(row.name()),
            json!(row.country()),
            json!(row.points()),
            account.map_or(Value::Null, |account| json!(account.email)),
            account.map_or(Value::Null, |account| json!(account.student)),
        ]
    });
    let columns = &["place", "team", "country", "points", "email", "student"];
    Table { columns, rows: rows.collect() }
}

/// The public journal: everything needed to fold it again and to verify its hashes from `genesis`,
/// the hash before the first entry. It contains descriptions and the reasons of awards. An entry
/// with a challenge, or a version of one, that no player could read is replaced by its commitment.
async fn published(
    db: &Db,
    contest: &Contest,
    generation: &str,
    seal: &Seal,
) -> Result<PublishedJournal> {
    let frozen = contest.reached(Phase::Freeze) && !contest.reached(Phase::Reveal);
    ensure!(
        contest.reached(Phase::End) && !frozen,
        "the journal is published after the end and the reveal; `flagship status` shows both times"
    );
    let (mut stored, mut seq) = (Vec::new(), 0);
    loop {
        let rows = journal::read_after(db, seq).await?;
        let Some(last) = rows.last() else { break };
        seq = last.seq;
        stored.extend(rows);
    }
    let unread = unread(&stored)?;
    let head = stored.last().map(|last| seal.head(last.seq, &last.hash).to_string());
    let entry = |row: StoredEntry| -> Result<PublishedEntry> {
        let StoredEntry { seq, at_ms, salt, body, hash } = row;
        let commitment = chain::commitment(&salt, &body);
        let mut entry =
            PublishedEntry { seq, at_ms, hash, commitment, salt: None, body: None, fact: None };
        if !unread.contains(&seq) {
            entry.fact = Some(serde_json::from_str(&body)?);
            (entry.salt, entry.body) = (Some(salt), Some(body));
        }
        Ok(entry)
    };
    Ok(PublishedJournal {
        format: FORMAT.to_owned(),
        generation: generation.to_owned(),
        genesis: chain::genesis(generation),
        head,
        entries: stored.into_iter().map(entry).collect::<Result<_>>()?,
    })
}

/// The numbers of the entries with a version of a challenge that no player could ever read:
/// it was not shown, or was locked for all teams.
fn unread(stored: &[StoredEntry]) -> Result<HashSet<i64>> {
    let mut contest = Contest::default();
    // By unread challenge, the entry with its current version.
    let mut current: HashMap<ChallengeId, i64> = HashMap::new();
    let mut unread = HashSet::new();
    for row in stored {
        let fact: Fact = serde_json::from_str(&row.body)?;
        let about = match &fact {
            Fact::Challenge { challenge } => Some(challenge.id.clone()),
            Fact::Withdrawn { challenge } if !contest.is_readable(challenge) => {
                Some(challenge.clone())
            }
            _ => None,
        };
        contest.fold(&Entry { seq: row.seq, at_ms: row.at_ms, fact })?;
        if let Some(id) = about {
            current.insert(id, row.seq);
            unread.insert(row.seq);
        }
        current.retain(|id, seq| {
            let is_read = contest.is_readable(id);
            if is_read {
                unread.remove(seq);
            }
            !is_read
        });
    }
    Ok(unread)
}
