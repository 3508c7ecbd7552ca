//! `flagship export`: results as JSON or CSV, in the organizers' or the public view.

mod journal;

use std::collections::HashMap;
use std::io::stdout;

use anyhow::{Result, ensure};
use flagship_game::wire::Ctftime;
use flagship_game::{Board, Contest, Row, Viewer, view};
use flagship_server::lists::table::{Table, utc};
use flagship_store::Db;
use flagship_store::accounts::{self, Account};
use flagship_store::desk::members;
use serde_json::{Value, json};

use crate::cli::{Export, ExportKind, Format, View};
use crate::lists::table::print_json;

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
            let published = journal::published(&db, contest, writer.generation(), seal).await?;
            print_json(&published)?;
            journal::say_what_is_missing(&published);
            return Ok(());
        }
        ExportKind::Standings => standings(&board, &teams, args.top),
        ExportKind::Solves => solves(&board, &teams),
        ExportKind::Winners => winners(&board, &teams, args),
    };
    db.close().await;
    match args.format.unwrap_or(Format::Json) {
        Format::Json => print_json(&table.into_json()),
        Format::Csv => Ok(table.write_csv(stdout())?),
    }
}

/// The accounts behind the rows, by name.
struct Teams {
    accounts: HashMap<String, Account>,
    /// The names of people by account.
    members: HashMap<i64, Vec<String>>,
    students_only: bool,
}

impl Teams {
    async fn read(db: &Db, contest: &Contest, students_only: bool) -> Result<Self> {
        let all = accounts::confirmed(db).await?;
        let known = all.into_iter().filter(|account| contest.team_named(&account.name).is_some());
        let accounts: HashMap<_, _> =
            known.map(|account| (account.name.clone(), account)).collect();
        let ids: Vec<i64> = accounts.values().map(|account| account.id).collect();
        let members = members::of_accounts(db, &ids).await?;
        Ok(Self { accounts, members, students_only })
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
    Table::new(columns, rows)
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
    Table::new(columns, rows)
}

/// The best teams that have scored, with their e-mail addresses and the names of their people in
/// the organizers' view only.
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
            account.map_or(Value::Null, |account| {
                json!(teams.members.get(&account.id).map_or(String::new(), |it| it.join(", ")))
            }),
        ]
    });
    let columns = &["place", "team", "country", "points", "email", "student", "members"];
    Table::new(columns, rows)
}
