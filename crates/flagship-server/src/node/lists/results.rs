//! Results as tables: standings, solves and winners, of all teams, of student teams only or of a
//! division.

use std::collections::{HashMap, HashSet};

use flagship_game::{Board, Contest, Row, TeamId};
use flagship_store::accounts::{self, Account};
use flagship_store::desk::{divisions, members};
use flagship_store::{Db, Seal, StoreError};

use super::table::{Table, columns, utc};

/// Default number of winners.
pub const WINNERS: usize = 3;

/// Accounts behind the scoreboard rows, by name.
pub struct Teams {
    accounts: HashMap<String, Account>,
    /// Member names by account.
    members: HashMap<i64, Vec<String>>,
    students_only: bool,
    /// The teams in a division; `None` for all teams.
    division: Option<HashSet<TeamId>>,
}

impl Teams {
    /// Reads all teams, or only student teams.
    pub async fn read(
        db: &Db,
        seal: &Seal,
        contest: &Contest,
        students_only: bool,
    ) -> Result<Self, StoreError> {
        let mut all = accounts::confirmed(db).await?;
        if let Some(students) = divisions::students(db, seal, contest).await? {
            for account in &mut all {
                account.student = students.contains(&TeamId(account.id));
            }
        }
        let known = all.into_iter().filter(|account| contest.team_named(&account.name).is_some());
        let accounts: HashMap<_, _> =
            known.map(|account| (account.name.clone(), account)).collect();
        let ids: Vec<i64> = accounts.values().map(|account| account.id).collect();
        let members = members::of_accounts(db, &ids).await?;
        Ok(Self { accounts, members, students_only, division: None })
    }

    /// Keeps only the teams of a division.
    #[must_use]
    pub fn only(self, members: HashSet<TeamId>) -> Self {
        Self { division: Some(members), ..self }
    }

    /// Names of the teams in the division; `None` for all teams.
    pub fn division_names(&self) -> Option<HashSet<String>> {
        let division = self.division.as_ref()?;
        let members = self.accounts.values().filter(|it| division.contains(&TeamId(it.id)));
        Some(members.map(|account| account.name.clone()).collect())
    }

    fn account(&self, row: &Row) -> Option<&Account> {
        self.accounts.get(row.name())
    }

    /// True for a student team.
    pub fn is_student(&self, row: &Row) -> bool {
        self.account(row).is_some_and(|account| account.student)
    }

    fn includes(&self, row: &Row) -> bool {
        let is_member = |division: &HashSet<TeamId>| {
            self.account(row).is_some_and(|account| division.contains(&TeamId(account.id)))
        };
        (!self.students_only || self.is_student(row))
            && self.division.as_ref().is_none_or(is_member)
    }
}

/// Ranks of the first `top` teams, or of all teams.
pub fn standings(board: &Board, teams: &Teams, top: Option<usize>) -> Table {
    let included = board.rows().filter(|row| teams.includes(row));
    let included = included.take(top.unwrap_or(usize::MAX));
    columns! { (row, rank) in included.zip(1..);
        "rank" => rank,
        "team" => row.name(),
        "country" => row.country(),
        "points" => row.points(),
        "award" => row.award(),
        "solves" => row.marks().len(),
        "last_solve" => utc(row.last_solve_ms()),
    }
}

/// All solves, oldest first.
pub fn solves(board: &Board, teams: &Teams) -> Table {
    let mut all = Vec::new();
    for row in board.rows().filter(|row| teams.includes(row)) {
        all.extend(row.marks().iter().map(|mark| (row, mark)));
    }
    all.sort_by_key(|(_, mark)| (mark.at_ms, mark.challenge, mark.position));
    let challenge = |index: u32| board.tallies()[index as usize].challenge();
    columns! { (row, mark) in all.into_iter();
        "time" => utc(mark.at_ms),
        "team" => row.name(),
        "challenge_id" => challenge(mark.challenge).id,
        "challenge" => challenge(mark.challenge).name,
        "position" => mark.position,
        "points" => board.points_of(mark),
    }
}

/// The best teams that have scored. Email addresses and member names are included only if the
/// reader may see them.
pub fn winners(board: &Board, teams: &Teams, top: Option<usize>, addresses: bool) -> Table {
    let scored = board.rows().filter(|row| teams.includes(row) && !row.marks().is_empty());
    let winners = scored.take(top.unwrap_or(WINNERS)).zip(1..);
    let account = |row: &Row| teams.account(row).filter(|_| addresses);
    let members = |account: &Account| {
        teams.members.get(&account.id).map_or(String::new(), |it| it.join("; "))
    };
    columns! { (row, place) in winners;
        "place" => place,
        "team" => row.name(),
        "country" => row.country(),
        "points" => row.points(),
        "email" => account(row).map(|it| &it.email),
        "student" => account(row).map(|it| it.student),
        "members" => account(row).map(members),
    }
}
