//! The results as tables: standings, solves and winners, of all teams or of those made up of
//! students.

use std::collections::HashMap;

use flagship_game::{Board, Contest, Row};
use flagship_store::accounts::{self, Account};
use flagship_store::desk::members;
use flagship_store::{Db, StoreError};
use serde_json::{Value, json};

use super::table::{Table, utc};

/// How many teams win, unless it is said.
pub const WINNERS: usize = 3;

/// The accounts behind the rows, by name.
pub struct Teams {
    accounts: HashMap<String, Account>,
    /// The names of people by account.
    members: HashMap<i64, Vec<String>>,
    students_only: bool,
}

impl Teams {
    /// All teams, or those made up of students.
    ///
    /// # Errors
    /// The database does not answer.
    pub async fn read(db: &Db, contest: &Contest, students_only: bool) -> Result<Self, StoreError> {
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

/// The ranks, of the first teams or of all.
pub fn standings(board: &Board, teams: &Teams, top: Option<usize>) -> Table {
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

/// Every solve, the first one first.
pub fn solves(board: &Board, teams: &Teams) -> Table {
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

/// The best teams that have scored, with their e-mail addresses and the names of their people for
/// who sees them.
pub fn winners(board: &Board, teams: &Teams, top: Option<usize>, addresses: bool) -> Table {
    let scored = board.rows().filter(|row| teams.includes(row) && !row.marks().is_empty());
    let rows = scored.take(top.unwrap_or(WINNERS)).zip(1..).map(|(row, place)| {
        let account = teams.account(row).filter(|_| addresses);
        vec![
            json!(place),
            json!(row.name()),
            json!(row.country()),
            json!(row.points()),
            account.map_or(Value::Null, |account| json!(account.email)),
            account.map_or(Value::Null, |account| json!(account.student)),
            account.map_or(Value::Null, |account| {
                json!(teams.members.get(&account.id).map_or(String::new(), |it| it.join("; ")))
            }),
        ]
    });
    let columns = &["place", "team", "country", "points", "email", "student", "members"];
    Table::new(columns, rows)
}
